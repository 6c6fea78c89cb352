# SPDX-License-Identifier: GPL-3.0-or-later
"""What an analyst builds with pandas, SQLAlchemy and Django: every step is asked of the protected
tables in schema care and of open copies in schema open, and what comes back must be near and of
the same form, for as many charges as the step says.

Prints "ok NAME" or "FAIL NAME: REASON" for each step.  Arguments: pandas, sqlalchemy or django, host, port.
"""
import datetime
import decimal
import sys
import types
import warnings

import psycopg2

tool, host, port = sys.argv[1:]
FROM, TO = datetime.date(2025, 2, 1), datetime.date(2025, 4, 30)
SETTINGS = {'care': '-c search_path=care,privacct', 'open': '-c search_path=open', 'empty': '-c search_path=care,privacct -c privacct.empty_rows=on'}
warnings.simplefilter('ignore')


def near(got, expected):
    """Numbers near each other, everything else the same."""
    if isinstance(expected, dict):
        return isinstance(got, dict) and near(list(got.items()), list(expected.items()))
    if isinstance(expected, (list, tuple)):
        return len(got) == len(expected) and all(map(near, got, expected))
    if isinstance(expected, (int, float, decimal.Decimal)) and not isinstance(expected, bool) and expected == expected:
        return type(got) is type(expected) and abs(got - expected) <= 40 + abs(expected) / 20
    return got == expected or got != got and expected != expected


def sqlstate(error):
    while error is not None and not getattr(error, 'pgcode', None):
        error = getattr(error, 'orig', None) or error.__cause__
    return error and error.pgcode


def attempt(name, step):
    try:
        reason = step()
    except Exception as error:  # each step is reported, whatever it raises
        reason = repr(error)
    print(f'FAIL {name}: {reason}'.replace('\n', ' ') if reason else f'ok {name}')


def run(databases, steps, rows):
    books = psycopg2.connect(host=host, port=port, dbname='postgres', user='analyst')
    books.autocommit = True

    def charges():
        with books.cursor() as cursor:
            cursor.execute('SELECT count(*) FROM privacct.my_ledger')
            return cursor.fetchone()[0]

    def answer(ask, price):
        before = charges()
        got = ask(databases['care'])
        cost = charges() - before
        expected = ask(databases['open'])
        return f'{cost} charges' if cost != price else None if near(got, expected) else f'{got}, not {expected}'

    def refuse(ask):
        try:
            return f'not refused: {ask(databases["care"])}'
        except Exception as error:
            return None if sqlstate(error) == '42PA1' else repr(error)

    def find_empty(ask):
        before = charges()
        got = list(ask(databases['empty']))
        return f'{got}' if got or charges() != before else None

    for name, ask, *price in steps:
        attempt(name, lambda: answer(ask, *(price or [1])))
    for name, ask in rows:
        attempt(f'{name}, refused', lambda: refuse(ask))
        attempt(f'{name}, empty', lambda: find_empty(ask))


def engines():
    import sqlalchemy

    url = f'postgresql+psycopg2://analyst@{host}:{port}/postgres'
    return {name: sqlalchemy.create_engine(url, connect_args={'options': options}, isolation_level='AUTOCOMMIT', poolclass=sqlalchemy.pool.NullPool) for name, options in SETTINGS.items()}


def pandas_steps():
    import pandas

    def ask(sql, **options):
        def frame(engine):
            return pandas.read_sql_query(sql, engine, **options)
        return frame

    def values(ask):
        return lambda engine: ask(engine).astype(object).values.tolist()

    def types(ask):
        return lambda engine: [str(t) for t in ask(engine).dtypes]

    def pivot(engine):
        frame = ask('SELECT ward, insured, count(*) AS n FROM visit GROUP BY ward, insured')(engine)
        return frame.pivot(index='ward', columns='insured', values='n').values.tolist()

    between = {'params': {'from': FROM, 'to': TO}}
    months = ask("SELECT date_trunc('month', day) AS month, count(*) AS n, avg(cost) AS cost FROM visit GROUP BY 1 ORDER BY 1", parse_dates=['month'], index_col='month')
    run(engines(), [
        ('count', values(ask('SELECT count(*) FROM visit'))),
        ('groups', values(ask('SELECT ward, count(*) AS n, avg(cost) AS cost, stddev(cost) AS sd FROM visit GROUP BY ward ORDER BY ward'))),
        ('top ten', values(ask('SELECT ward, count(*) AS n FROM visit GROUP BY ward ORDER BY n DESC LIMIT 10'))),
        ('between dates', values(ask('SELECT count(*) FROM visit WHERE day BETWEEN %(from)s AND %(to)s', **between))),
        ('a list of values', values(ask('SELECT count(*) FROM visit WHERE ward = ANY (%(wards)s)', params={'wards': ['W07', 'W08']}))),
        ('quantiles', values(ask('SELECT insured, percentile_cont(0.25) WITHIN GROUP (ORDER BY cost), percentile_cont(0.75) WITHIN GROUP (ORDER BY cost) FROM visit GROUP BY 1 ORDER BY 1'))),
        ('different values', values(ask('SELECT count(DISTINCT ward), count(DISTINCT stay) FROM visit'))),
        ('months', values(months)),
        ('types', types(months)),
        ('a pivot table', pivot),
        ('chunks', lambda engine: [len(chunk) for chunk in pandas.read_sql_query('SELECT ward, count(*) FROM visit GROUP BY ward', engine, chunksize=5)]),
        ('types without rows', types(ask('SELECT * FROM visit LIMIT 0')), 0),
    ], [
        ('read_sql_table', lambda engine: pandas.read_sql_table('visit', engine).values),
        ('read_sql', lambda engine: pandas.read_sql('SELECT ward, cost FROM visit LIMIT 5', engine).values),
        ('head', lambda engine: next(pandas.read_sql_query('SELECT * FROM visit', engine, chunksize=5)).values),
    ])


def sqlalchemy_steps():
    import sqlalchemy
    from sqlalchemy import and_, case, cast, distinct, exists, extract, func, Integer, or_, select
    from sqlalchemy.ext.automap import automap_base
    from sqlalchemy.orm import Session

    class Database:
        def __init__(self, engine):
            base = automap_base()
            base.prepare(autoload_with=engine, name_for_scalar_relationship=lambda base, local, other, constraint: 'place')
            self.visit = base.classes.visit.__table__
            self.ward = base.classes.ward.__table__
            self.visits = base.classes.visit
            self.session = Session(engine)

    databases = {name: Database(engine) for name, engine in engines().items()}

    def rows(build):
        return lambda db: [list(row) for row in db.session.execute(build(db.visit.c, db))]

    run(databases, [
        ('reflection', lambda db: [(c.name, repr(c.type), c.nullable, c.primary_key, [repr(k.target_fullname) for k in c.foreign_keys]) for c in db.visit.columns], 0),
        ('count', rows(lambda v, db: select(func.count()).select_from(db.visit))),
        ('Query.count', lambda db: db.session.query(db.visits).filter(db.visits.stay > 2).count()),
        ('top ten', rows(lambda v, db: select(v.ward, func.count().label('n')).group_by(v.ward).order_by(sqlalchemy.desc('n')).limit(10))),
        ('between dates', rows(lambda v, db: select(func.count()).where(v.day.between(FROM, TO)))),
        ('in and or', rows(lambda v, db: select(func.count(v.visit_id)).where(v.ward.in_(['W07', 'W08']), or_(v.stay > 2, v.remark.is_(None))))),
        ('contains', rows(lambda v, db: select(func.count()).where(v.ward.contains('1', autoescape=True)))),
        ('startswith', rows(lambda v, db: select(func.count()).where(v.ward.startswith('W0')))),
        ('medians', rows(lambda v, db: select(v.insured, func.percentile_cont(0.5).within_group(v.cost)).group_by(v.insured).order_by(v.insured))),
        ('count distinct', rows(lambda v, db: select(func.count(distinct(v.ward))))),
        ('moments', rows(lambda v, db: select(func.sum(v.cost), func.avg(v.cost), func.stddev(v.cost), func.min(v.stay), func.max(v.stay)))),
        ('months', rows(lambda v, db: select(func.date_trunc('month', v.day).label('m'), func.avg(v.cost)).group_by('m').order_by('m'))),
        ('parts of dates', rows(lambda v, db: select(extract('year', v.day).label('y'), extract('month', v.day).label('m'), func.count()).group_by('y', 'm').order_by('y', 'm'))),
        ('cases', rows(lambda v, db: select(func.sum(case((v.cost > 100, 1), else_=0)), func.sum(cast(v.insured, Integer))))),
        ('FILTER', rows(lambda v, db: select(func.count().filter(v.insured), func.count().filter(and_(v.insured, v.stay > 2))))),
        ('a join', rows(lambda v, db: select(db.ward.c.building, func.count()).join(db.visit).group_by(db.ward.c.building).order_by(db.ward.c.building))),
        ('EXISTS', rows(lambda v, db: select(func.count()).select_from(db.visit).where(exists().where(and_(db.ward.c.ward == v.ward, db.ward.c.beds < 15))))),
        ('a query around it', rows(lambda v, db: select(func.max(select(v.ward, func.count().label('n')).group_by(v.ward).subquery().c.n)))),
        ('shares', rows(lambda v, db: select(v.ward, func.count() * 100.0 / func.sum(func.count()).over()).group_by(v.ward).order_by(v.ward))),
        ('limit 0', rows(lambda v, db: select(db.visit).limit(0)), 0),
        ('where false', rows(lambda v, db: select(db.visit).where(sqlalchemy.false())), 0),
    ], [
        ('select', rows(lambda v, db: select(db.visit).limit(5))),
        ('Query.first', lambda db: filter(None, [db.session.query(db.visits).first()])),
        ('Query.get', lambda db: filter(None, [db.session.get(db.visits, 17)])),
        ('Query.all', lambda db: db.session.query(db.visits).filter_by(ward='W03').all()),
    ])


def django_steps():
    import io

    import django
    from django.conf import settings
    from django.core.management import call_command
    from django.core.paginator import Paginator

    # an application, whose models they are
    care = types.ModuleType('care')
    care.__path__ = ['/nowhere']
    sys.modules['care'] = care
    settings.configure(INSTALLED_APPS=['care'], USE_TZ=True, TIME_ZONE='UTC', DATABASES={name if name != 'care' else 'default': {
        'ENGINE': 'django.db.backends.postgresql', 'NAME': 'postgres', 'USER': 'analyst', 'HOST': host, 'PORT': port,
        'OPTIONS': {'options': options}} for name, options in SETTINGS.items()})
    django.setup()
    from django.contrib.postgres.aggregates import Corr, RegrSlope
    from django.db.models import Aggregate, Avg, Case, Count, Exists, ExpressionWrapper, F, FloatField, IntegerField, Max, Min, OuterRef, Q, StdDev, Subquery, Sum, Value, Variance, When, Window
    from django.db.models.functions import Cast, Coalesce, ExtractYear, Lower, Rank, TruncMonth, TruncWeek

    class Median(Aggregate):
        template = 'percentile_cont(0.5) WITHIN GROUP (ORDER BY %(expressions)s)'
        output_field = FloatField()

    # the models that inspectdb writes for the protected tables serve for the copies, too
    written = io.StringIO()
    call_command('inspectdb', 'visit', 'ward', database='empty', stdout=written)
    made = {'__name__': 'care.models'}
    exec(written.getvalue(), made)
    Visit, Ward = made['Visit'], made['Ward']
    databases = {name: 'default' if name == 'care' else name for name in SETTINGS}

    def visits(build):
        return lambda alias: (lambda made: [list(row.values()) if isinstance(row, dict) else row for row in made] if hasattr(made, '__iter__') and not isinstance(made, dict) else made)(
            build(Visit.objects.using(alias).order_by()))

    run(databases, [
        ('inspectdb', lambda alias: (lambda out: (call_command('inspectdb', 'visit', 'ward', database='empty' if alias == 'default' else alias, stdout=out), out.getvalue())[1])(io.StringIO()), 0),
        ('count', visits(lambda v: v.count())),
        ('groups', visits(lambda v: v.values('ward').annotate(n=Count('visit_id'), cost=Avg('cost')).order_by('ward'))),
        ('top ten', visits(lambda v: v.values('ward').annotate(n=Count('*')).order_by('-n')[:10])),
        ('between dates', visits(lambda v: v.filter(day__range=(FROM, TO)).count())),
        ('parts of dates', visits(lambda v: v.filter(day__year=2025, day__month__in=[3, 4], seen__date__gte=FROM).count())),
        ('lookups', visits(lambda v: v.filter(Q(ward__in=['W07', 'W08']) | Q(ward__ward__startswith='W1'), ~Q(remark='late'), stay__gt=2).count())),
        ('icontains', visits(lambda v: v.filter(ward__ward__icontains='w1').count())),
        ('isnull', visits(lambda v: v.filter(remark__isnull=True).count())),
        ('regex', visits(lambda v: v.filter(ward__ward__regex='^W0[1-5]$').count())),
        ('exclude', visits(lambda v: v.exclude(remark='late').count())),
        ('medians', visits(lambda v: v.values('insured').annotate(m=Median('cost')).order_by('insured'))),
        ('count distinct', visits(lambda v: v.aggregate(n=Count('ward', distinct=True)))),
        ('distinct count', visits(lambda v: v.values('ward').distinct().count())),
        ('different values', visits(lambda v: v.values_list('ward', flat=True).distinct().order_by('ward'))),
        ('moments', visits(lambda v: v.aggregate(Sum('cost'), Avg('cost'), StdDev('cost'), Variance('stay'), Min('stay'), Max('stay')))),
        ('correlation', visits(lambda v: v.aggregate(c=Corr('stay', 'cost'), s=RegrSlope('stay', 'cost')))),
        ('months', visits(lambda v: v.annotate(m=TruncMonth('day')).values('m').annotate(n=Count('*')).order_by('m'))),
        ('weeks', visits(lambda v: v.filter(day__lt=datetime.date(2025, 3, 1)).annotate(w=TruncWeek('seen')).values('w').annotate(n=Count('*')).order_by('w'))),
        ('dates', visits(lambda v: v.dates('day', 'month')), 0),
        ('years', visits(lambda v: v.annotate(y=ExtractYear('day')).values('y').annotate(n=Sum('stay')).order_by('y'))),
        ('cases', visits(lambda v: v.aggregate(n=Sum(Case(When(cost__gt=100, then=1), default=0, output_field=IntegerField()))))),
        ('classes', visits(lambda v: v.annotate(c=Case(When(stay__lt=3, then=Value('short')), default=Value('long'))).values('c').annotate(n=Count('*')).order_by('c'))),
        ('FILTER', visits(lambda v: v.aggregate(a=Count('pk', filter=Q(insured=True)), b=Avg('cost', filter=Q(insured=True))))),
        ('expressions', visits(lambda v: v.aggregate(n=Sum(F('stay') * 2 + 1)))),
        ('functions', visits(lambda v: v.annotate(low=Lower('remark')).aggregate(n=Count(Coalesce('low', Value('none')))))),
        ('a ratio', visits(lambda v: v.values('insured').annotate(r=ExpressionWrapper(Cast(Sum('stay'), FloatField()) / Count('*'), output_field=FloatField())).order_by('insured'))),
        ('having', visits(lambda v: v.values('ward').annotate(n=Count('*')).filter(n__gt=500).order_by('ward'))),
        ('a join', visits(lambda v: v.values('ward__building').annotate(n=Count('*')).order_by('ward__building'))),
        ('a condition on the joined', visits(lambda v: v.filter(ward__beds__lt=15).count())),
        ('from the other side', lambda alias: [list(row.values()) for row in Ward.objects.using(alias).values('building').annotate(n=Count('visit')).order_by('building')]),
        ('other visits', visits(lambda v: v.filter(Exists(Visit.objects.filter(patient_id=OuterRef('patient_id'), cost__gt=OuterRef('cost')))).count())),
        ('EXISTS', visits(lambda v: v.filter(Exists(Ward.objects.filter(ward=OuterRef('ward'), beds__lt=15))).count())),
        ('IN', visits(lambda v: v.filter(ward__in=Ward.objects.filter(beds__lt=15)).count())),
        ('shares', visits(lambda v: v.values('ward').annotate(n=Count('*'), rank=Window(Rank(), order_by=Count('*').desc())).order_by('ward'))),
        ('an aggregate of groups', visits(lambda v: v.values('ward').annotate(n=Count('*')).aggregate(Max('n'), Avg('n')))),
        ('pages', visits(lambda v: [Paginator(v.order_by('day'), 50).num_pages])),
        ('none', visits(lambda v: v.none()), 0),
        ('no slice', visits(lambda v: v[0:0]), 0),
    ], [
        ('all', lambda alias: Visit.objects.using(alias).all()[:5]),
        ('first', lambda alias: filter(None, [Visit.objects.using(alias).first()])),
        ('values', lambda alias: Visit.objects.using(alias).values('ward', 'cost')[:5]),
        ('select_related', lambda alias: Visit.objects.using(alias).select_related('ward').order_by('day')[:5]),
        ('exists', lambda alias: filter(None, [Visit.objects.using(alias).filter(ward='W03').exists()])),
    ])


{'pandas': pandas_steps, 'sqlalchemy': sqlalchemy_steps, 'django': django_steps}[tool]()
