// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * What an analyst builds with query builders and ORMs of Node.js: every step is asked of the
 * protected tables in schema care and of open copies in schema open, and what comes back must be
 * near and of the same form, for as many charges as the step says.
 *
 * Prints "ok NAME" or "FAIL NAME: REASON" for each step.  Arguments: the package, host, port.
 */
'use strict';

const { Client, Pool } = require('pg');

const [tool, host, port] = process.argv.slice(2);
const FROM = '2025-02-01';
const TO = '2025-04-30';

function settings(schema, more) {
	return { host, port: Number(port), user: 'analyst', database: 'postgres', options: `-c search_path=${schema},privacct ${more || ''}` };
}

// Numbers near each other, everything else the same.
function near(got, expected) {
	if (Array.isArray(expected))
		return Array.isArray(got) && got.length === expected.length && expected.every((value, i) => near(got[i], value));
	if (expected instanceof Date || typeof expected === 'boolean' || expected === null)
		return JSON.stringify(got) === JSON.stringify(expected);
	if (typeof expected === 'object')
		return near(Object.entries(got).flat(), Object.entries(expected).flat());
	if (typeof got !== typeof expected)
		return false;
	if (expected !== '' && Number.isFinite(Number(expected)))
		return Math.abs(Number(got) - Number(expected)) <= 40 + 0.05 * Math.abs(Number(expected));
	return got === expected;
}

function sqlstate(error) {
	return error.code || sqlstate(error.original || error.driverError || error.cause || { code: String(error) });
}

const tools = {
	sequelize: async () => {
		const { Sequelize, DataTypes, Op, fn, col, literal } = require('sequelize');
		const median = literal('percentile_cont(0.5) WITHIN GROUP (ORDER BY cost)');
		const plain = (rows) => rows.map((row) => row.get({ plain: true }));

		return {
			async open(schema, more) {
				const db = new Sequelize({ dialect: 'postgres', host, port, username: 'analyst', database: 'postgres', logging: false, dialectOptions: { options: settings(schema, more).options } });
				const plainly = { freezeTableName: true, timestamps: false };
				const visit = db.define('visit', {
					visit_id: { type: DataTypes.INTEGER, primaryKey: true }, patient_id: DataTypes.INTEGER, ward: DataTypes.TEXT, day: DataTypes.DATEONLY,
					seen: DataTypes.DATE, cost: DataTypes.DECIMAL(10, 2), stay: DataTypes.INTEGER, insured: DataTypes.BOOLEAN, remark: DataTypes.TEXT }, plainly);
				const ward = db.define('ward', { ward: { type: DataTypes.TEXT, primaryKey: true }, building: DataTypes.TEXT, beds: DataTypes.INTEGER }, plainly);
				visit.belongsTo(ward, { foreignKey: 'ward', as: 'place' });
				return { schema, visit, ward, api: db.getQueryInterface(), close: () => db.close() };
			},
			steps: [
				['showAllTables', (db) => db.api.showAllTables({ schema: db.schema }).then((tables) => tables.map((t) => t.tableName || t).sort()), 0],
				['describeTable', (db) => db.api.describeTable('visit', { schema: db.schema }), 0],
				['showIndex', (db) => db.api.showIndex('visit', { schema: db.schema }).then((all) => all.map((index) => index.fields.map((f) => f.attribute))), 0],
				['count', (db) => db.visit.count()],
				['count between dates', (db) => db.visit.count({ where: { day: { [Op.between]: [FROM, TO] }, insured: true } })],
				['count where in', (db) => db.visit.count({ where: { ward: ['W07', 'W08'], [Op.or]: [{ stay: { [Op.gt]: 2 } }, { remark: null }] } })],
				['count like', (db) => db.visit.count({ where: { ward: { [Op.iLike]: '%w1%' } } })],
				['count distinct', (db) => db.visit.count({ distinct: true, col: 'ward' })],
				['count by group', (db) => db.visit.count({ group: ['insured'] }).then((rows) => rows.sort((a, b) => a.insured - b.insured))],
				['sum', (db) => db.visit.sum('stay')],
				['min', (db) => db.visit.min('stay')],
				['max', (db) => db.visit.max('stay')],
				['average', (db) => db.visit.aggregate('stay', 'avg', { dataType: 'float' })],
				['top ten', (db) => db.visit.findAll({ attributes: ['ward', [fn('COUNT', col('visit_id')), 'n']], group: ['ward'], order: [[literal('n'), 'DESC']], limit: 10 }).then(plain)],
				['having', (db) => db.visit.findAll({ attributes: ['ward', [fn('COUNT', col('visit_id')), 'n']], group: ['ward'], order: ['ward'], having: literal('COUNT(*) > 500') }).then(plain)],
				['medians', (db) => db.visit.findAll({ attributes: ['insured', [median, 'median']], group: ['insured'], order: ['insured'] }).then(plain)],
				['months', (db) => db.visit.findAll({ attributes: [[fn('date_trunc', 'month', col('day')), 'month'], [fn('avg', col('cost')), 'cost']], group: [literal('1')], order: [literal('1')] }).then(plain)],
				['a join', (db) => db.visit.findAll({ attributes: [[fn('COUNT', col('visit_id')), 'n']], include: [{ model: db.ward, as: 'place', attributes: ['building'], required: true }], group: ['place.building'], order: [col('place.building')], raw: true })],
				['a left join', (db) => db.visit.findAll({ attributes: [[fn('SUM', col('stay')), 'n']], include: [{ model: db.ward, as: 'place', attributes: ['building'] }], group: ['place.building'], order: [col('place.building')], raw: true })],
				['limit 0', (db) => db.visit.findAll({ limit: 0 }).then(plain), 0],
			],
			rows: [
				['findAll', (db) => db.visit.findAll({ limit: 5 })],
				['findOne', (db) => db.visit.findOne({ where: { ward: 'W03' } }).then((row) => [row].filter((r) => r))],
				['findByPk', (db) => db.visit.findByPk(17).then((row) => [row].filter((r) => r))],
				['rows with their ward', (db) => db.visit.findAll({ include: 'place', order: ['day'], limit: 5 })],
			],
		};
	},

	knex: async () => {
		const knex = require('knex');

		return {
			async open(schema, more) {
				const db = knex({ client: 'pg', connection: settings(schema, more) });
				return Object.assign(db, { close: () => db.destroy() });
			},
			steps: [
				['columnInfo', (db) => db('visit').columnInfo(), 0],
				['hasTable', (db) => db.schema.hasTable('visit'), 0],
				['hasColumn', (db) => db.schema.hasColumn('visit', 'cost'), 0],
				['count', (db) => db('visit').count('*')],
				['count between dates', (db) => db('visit').whereBetween('day', [FROM, TO]).andWhere('insured', true).count('visit_id as n').first()],
				['count where in', (db) => db('visit').whereIn('ward', ['W07', 'W08']).andWhere((either) => either.where('stay', '>', 2).orWhereNull('remark')).count()],
				['count distinct', (db) => db('visit').countDistinct({ wards: 'ward' })],
				['sum, avg, min, max', (db) => db('visit').sum('cost as sum').avg('cost as avg').min('cost as min').max('cost as max').first()],
				['top ten', (db) => db('visit').select('ward').count('* as n').groupBy('ward').orderBy('n', 'desc').limit(10)],
				['medians', (db) => db('visit').select('insured', db.raw('percentile_cont(?) WITHIN GROUP (ORDER BY cost) AS median', [0.5])).groupBy('insured').orderBy('insured')],
				['months', (db) => db('visit').select(db.raw("date_trunc('month', day) AS month")).count('* as n').groupByRaw('1').orderBy('month')],
				['having', (db) => db('visit').select('ward').count('* as n').groupBy('ward').having(db.raw('count(*)'), '>', 500).orderBy('ward')],
				['a join', (db) => db('visit').join('ward', 'visit.ward', 'ward.ward').select('building').sum('stay as stay').groupBy('building').orderBy('building')],
				['a semi-join', (db) => db('visit').whereIn('ward', db('ward').select('ward').where('beds', '<', 15)).count()],
				['a query around it', (db) => db.with('by_ward', db('visit').select('ward').count('* as n').groupBy('ward')).select(db.raw('max(n)')).from('by_ward')],
				['a window around it', (db) => db.from(db('visit').select('ward').count('* as n').groupBy('ward').as('s')).select('ward').rank('place', (w) => w.orderBy('n', 'desc')).orderBy('ward')],
				['a union', (db) => db('visit').where('insured', true).count('* as n').unionAll(db('visit').where('insured', false).count('* as n'))
					.then((rows) => rows.sort((a, b) => a.n - b.n)), 2],
				['limit 0', (db) => db('visit').select().limit(0), 0],
				['where false', (db) => db('visit').select().whereRaw('1 = 0'), 0],
			],
			rows: [
				['select', (db) => db('visit').select().limit(5)],
				['first', (db) => db('visit').first().then((row) => [row].filter((r) => r))],
				['pluck', (db) => db('visit').pluck('cost')],
				['a cursor', async (db) => { const rows = []; for await (const row of db('visit').select('ward').stream()) rows.push(row); return rows; }],
			],
		};
	},

	typeorm: async () => {
		require('reflect-metadata');
		const { DataSource, EntitySchema, Between, In, Not, IsNull, MoreThan } = require('typeorm');

		return {
			async open(schema, more) {
				const visit = new EntitySchema({ name: 'visit', schema, columns: {
					visit_id: { type: 'int', primary: true }, patient_id: { type: 'int' }, ward: { type: 'text' }, day: { type: 'date' }, seen: { type: 'timestamptz' },
					cost: { type: 'numeric' }, stay: { type: 'int' }, insured: { type: 'boolean' }, remark: { type: 'text', nullable: true } },
					relations: { place: { type: 'many-to-one', target: 'ward', joinColumn: { name: 'ward' } } } });
				const ward = new EntitySchema({ name: 'ward', schema, columns: { ward: { type: 'text', primary: true }, building: { type: 'text' }, beds: { type: 'int' } } });
				const db = await new DataSource({ type: 'postgres', host, port: Number(port), username: 'analyst', database: 'postgres', schema, entities: [visit, ward],
					extra: { options: settings(schema, more).options } }).initialize();
				return { schema, visits: db.getRepository('visit'), runner: () => db.createQueryRunner(), close: () => db.destroy() };
			},
			steps: [
				['getTable', async (db) => {
					const runner = db.runner();
					const table = await runner.getTable(`${db.schema}.visit`);
					await runner.release();
					return [table.columns.map((c) => [c.name, c.type, c.isNullable, c.isPrimary]), table.foreignKeys.map((k) => k.columnNames)];
				}, 0],
				['count', (db) => db.visits.count()],
				['countBy dates', (db) => db.visits.countBy({ day: Between(FROM, TO), insured: true })],
				['countBy values', (db) => db.visits.countBy([{ ward: In(['W07', 'W08']), stay: MoreThan(2) }, { remark: Not(IsNull()) }])],
				['sum', (db) => db.visits.sum('stay')],
				['average', (db) => db.visits.average('cost', { insured: true })],
				['minimum', (db) => db.visits.minimum('stay')],
				['maximum', (db) => db.visits.maximum('stay')],
				['top ten', (db) => db.visits.createQueryBuilder('v').select('v.ward', 'ward').addSelect('COUNT(*)', 'n').groupBy('v.ward').orderBy('n', 'DESC').limit(10).getRawMany()],
				['count distinct', (db) => db.visits.createQueryBuilder('v').select('COUNT(DISTINCT v.ward)', 'n').getRawOne()],
				['getCount', (db) => db.visits.createQueryBuilder('v').where('v.stay >= :least', { least: 3 }).getCount()],
				['medians', (db) => db.visits.createQueryBuilder('v').select('v.insured', 'insured').addSelect('percentile_cont(0.5) WITHIN GROUP (ORDER BY v.cost)', 'median').groupBy('v.insured').orderBy('1').getRawMany()],
				['months', (db) => db.visits.createQueryBuilder('v').select("date_trunc('month', v.day)", 'month').addSelect('AVG(v.cost)', 'cost').where('v.day BETWEEN :from AND :to', { from: FROM, to: TO }).groupBy('1').orderBy('1').getRawMany()],
				['a join', (db) => db.visits.createQueryBuilder('v').innerJoin('v.place', 'w').select('w.building', 'building').addSelect('COUNT(*)', 'n').groupBy('w.building').orderBy('1').getRawMany()],
				['a left join', (db) => db.visits.createQueryBuilder('v').leftJoin('v.place', 'w').select('w.building', 'building').addSelect('COUNT(v.visit_id)', 'n').groupBy('w.building').orderBy('1').getRawMany()],
				['limit 0', (db) => db.visits.createQueryBuilder('v').limit(0).getMany(), 0],
			],
			rows: [
				['find', (db) => db.visits.find({ take: 5 })],
				['findOneBy', (db) => db.visits.findOneBy({ ward: 'W03' }).then((row) => [row].filter((r) => r))],
				['find with relations', (db) => db.visits.find({ relations: { place: true } })],
			],
		};
	},

	'drizzle-orm': async () => {
		const { drizzle } = require('drizzle-orm/node-postgres');
		const pg = require('drizzle-orm/pg-core');
		const { and, asc, avg, between, count, countDistinct, desc, eq, gt, inArray, isNull, max, min, or, sql, sum } = require('drizzle-orm');

		return {
			async open(schema, more) {
				const pool = new Pool(settings(schema, more));
				const visit = pg.pgSchema(schema).table('visit', {
					visit_id: pg.integer().primaryKey(), patient_id: pg.integer(), ward: pg.text(), day: pg.date(), seen: pg.timestamp({ withTimezone: true }),
					cost: pg.numeric(), stay: pg.integer(), insured: pg.boolean(), remark: pg.text() });
				const ward = pg.pgSchema(schema).table('ward', { ward: pg.text().primaryKey(), building: pg.text(), beds: pg.integer() });
				return { db: drizzle(pool, { schema: { visit, ward } }), visit, ward, close: () => pool.end() };
			},
			steps: [
				['$count', ({ db, visit }) => db.$count(visit)],
				['$count between dates', ({ db, visit }) => db.$count(visit, and(between(visit.day, FROM, TO), eq(visit.insured, true)))],
				['count where in', ({ db, visit }) => db.select({ n: count() }).from(visit).where(and(inArray(visit.ward, ['W07', 'W08']), or(gt(visit.stay, 2), isNull(visit.remark))))],
				['countDistinct', ({ db, visit }) => db.select({ n: countDistinct(visit.ward) }).from(visit)],
				['sum, avg, min, max', ({ db, visit: v }) => db.select({ sum: sum(v.cost), avg: avg(v.cost), min: min(v.cost), max: max(v.stay) }).from(v)],
				['top ten', ({ db, visit }) => db.select({ ward: visit.ward, n: count() }).from(visit).groupBy(visit.ward).orderBy(desc(count())).limit(10)],
				['having', ({ db, visit }) => db.select({ ward: visit.ward, n: count() }).from(visit).groupBy(visit.ward).having(({ n }) => gt(n, 500)).orderBy(visit.ward)],
				['medians', ({ db, visit: v }) => db.select({ insured: v.insured, median: sql`percentile_cont(0.5) within group (order by ${v.cost})` }).from(v).groupBy(v.insured).orderBy(v.insured)],
				['months', ({ db, visit: v }) => db.select({ month: sql`date_trunc('month', ${v.day})`, n: count() }).from(v).groupBy(sql`1`).orderBy(sql`1`)],
				['a join', ({ db, visit: v, ward: w }) => db.select({ building: w.building, n: count() }).from(v).innerJoin(w, eq(v.ward, w.ward)).groupBy(w.building).orderBy(asc(w.building))],
				['a left join', ({ db, visit: v, ward: w }) => db.select({ building: w.building, n: sum(v.stay) }).from(v).leftJoin(w, eq(v.ward, w.ward)).groupBy(w.building).orderBy(asc(w.building))],
				['limit 0', ({ db, visit }) => db.select().from(visit).limit(0), 0],
				['where false', ({ db, visit }) => db.select().from(visit).where(sql`false`), 0],
			],
			rows: [
				['select', ({ db, visit }) => db.select().from(visit).limit(5)],
				['findMany', ({ db }) => db.query.visit.findMany({ limit: 5 })],
			],
		};
	},

	kysely: async () => {
		const { Kysely, PostgresDialect, sql } = require('kysely');

		return {
			async open(schema, more) {
				const db = new Kysely({ dialect: new PostgresDialect({ pool: new Pool(settings(schema, more)) }) });
				return { schema, db, close: () => db.destroy() };
			},
			steps: [
				['getSchemas', ({ db }) => db.introspection.getSchemas().then((all) => all.map((s) => s.name)), 0],
				['getTables', ({ schema, db }) => db.introspection.getTables().then((all) => all.filter((t) => t.schema === schema).map((t) => [t.name, t.columns])), 0],
				['count', ({ db }) => db.selectFrom('visit').select((eb) => eb.fn.countAll().as('n')).executeTakeFirst()],
				['count between dates', ({ db }) => db.selectFrom('visit').where('day', '>=', FROM).where('day', '<=', TO).where('insured', '=', true).select((eb) => eb.fn.countAll().as('n')).execute()],
				['count where in', ({ db }) => db.selectFrom('visit').where('ward', 'in', ['W07', 'W08']).where((eb) => eb.or([eb('stay', '>', 2), eb('remark', 'is', null)])).select((eb) => eb.fn.count('visit_id').as('n')).execute()],
				['count distinct', ({ db }) => db.selectFrom('visit').select((eb) => eb.fn.count('ward').distinct().as('n')).execute()],
				['count with filter', ({ db }) => db.selectFrom('visit').select((eb) => eb.fn.countAll().filterWhere('stay', '>', 2).as('n')).execute()],
				['sum, avg, min, max', ({ db }) => db.selectFrom('visit').select(({ fn }) => [fn.sum('cost').as('sum'), fn.avg('cost').as('avg'), fn.min('cost').as('min'), fn.max('stay').as('max')]).execute()],
				['top ten', ({ db }) => db.selectFrom('visit').select((eb) => ['ward', eb.fn.countAll().as('n')]).groupBy('ward').orderBy('n', 'desc').limit(10).execute()],
				['having', ({ db }) => db.selectFrom('visit').select((eb) => ['ward', eb.fn.countAll().as('n')]).groupBy('ward').having((eb) => eb.fn.countAll(), '>', 500).orderBy('ward').execute()],
				['medians', ({ db }) => db.selectFrom('visit').select(['insured', sql`percentile_cont(${0.5}) within group (order by cost)`.as('median')]).groupBy('insured').orderBy('insured').execute()],
				['months', ({ db }) => db.selectFrom('visit').select((eb) => [sql`date_trunc('month', day)`.as('month'), eb.fn.countAll().as('n')]).groupBy('month').orderBy('month').execute()],
				['a join', ({ db }) => db.selectFrom('visit as v').innerJoin('ward as w', 'w.ward', 'v.ward').select((eb) => ['w.building', eb.fn.countAll().as('n')]).groupBy('w.building').orderBy('w.building').execute()],
				['EXISTS', ({ db }) => db.selectFrom('visit as v').where((eb) => eb.exists(eb.selectFrom('ward as w').select('w.ward').whereRef('w.ward', '=', 'v.ward').where('w.beds', '<', 15))).select((eb) => eb.fn.countAll().as('n')).execute()],
				['limit 0', ({ db }) => db.selectFrom('visit').selectAll().limit(0).execute(), 0],
				['where false', ({ db }) => db.selectFrom('visit').selectAll().where(sql`false`).execute(), 0],
			],
			rows: [
				['selectAll', ({ db }) => db.selectFrom('visit').selectAll().limit(5).execute()],
				['executeTakeFirst', ({ db }) => db.selectFrom('visit').select('cost').executeTakeFirst().then((row) => [row].filter((r) => r))],
			],
		};
	},
};

async function main() {
	const { open, steps, rows } = await tools[tool]();
	const books = new Client(settings('care'));
	const [care, plain, empty] = [await open('care'), await open('open'), await open('care', '-c privacct.empty_rows=on')];

	await books.connect();
	const charges = async () => Number((await books.query('SELECT count(*) FROM privacct.my_ledger')).rows[0].count);
	const attempt = async (name, step) => {
		const reason = await step().catch((error) => `${error.message || error} ${error.cause || ''}`);
		console.log(reason ? `FAIL ${name}: ${reason}`.replaceAll('\n', ' ') : `ok ${name}`);
	};

	for (const [name, ask, price = 1] of steps)
		await attempt(name, async () => {
			const before = await charges();
			const got = await ask(care);
			const cost = await charges() - before;
			const expected = await ask(plain);
			if (cost !== price)
				return `${cost} charges`;
			return near(got, expected) ? '' : `${JSON.stringify(got)}, not ${JSON.stringify(expected)}`;
		});
	for (const [name, ask] of rows) {
		await attempt(`${name}, refused`, () => ask(care).then(() => 'not refused', (error) => (sqlstate(error) === '42PA1' ? '' : `${sqlstate(error)} ${error.message}`)));
		await attempt(`${name}, empty`, async () => {
			const before = await charges();
			const got = await ask(empty);
			return got.length === 0 && await charges() === before ? '' : `${got.length} rows`;
		});
	}
	await Promise.all([care.close(), plain.close(), empty.close(), books.end()]);
}

main();
