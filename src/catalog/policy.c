/*
 * policy.c
 *		The per-backend cache of policies.
 *
 * The relations privacct.policy, bound and group_key are read whole when the
 * cache is first needed or was invalidated: there are few policies, and every
 * statement asks whether it touches one.  A statement-level trigger on those
 * relations sends a relcache invalidation for privacct.policy, whatever way
 * they were changed (declarations, COPY, restore).
 */
#include "postgres.h"

#include <float.h>
#include <math.h>

#include "access/genam.h"
#include "access/htup_details.h"
#include "access/table.h"
#include "catalog/namespace.h"
#include "catalog/pg_inherits.h"
#include "catalog/pg_type.h"
#include "executor/spi.h"
#include "miscadmin.h"
#include "utils/acl.h"
#include "utils/array.h"
#include "utils/builtins.h"
#include "utils/fmgroids.h"
#include "utils/inval.h"
#include "utils/lsyscache.h"
#include "utils/memutils.h"
#include "utils/rel.h"
#include "utils/snapmgr.h"
#include "utils/syscache.h"
#include "utils/timestamp.h"

#include "catalog/policy.h"
#include "catalog/price.h"
#include "number.h"

/* column numbers of the catalog relations; see migrations/ */
enum
{
	POLICY_ID = 1, POLICY_RELATION, POLICY_RELATION_NAME, POLICY_OWNER_COLUMN,
	POLICY_REGIME, POLICY_ACCOUNTING, POLICY_ACCOUNTANT, POLICY_EPSILON,
	POLICY_DELTA, POLICY_CAP_RHO, POLICY_CAP_DELTA, POLICY_MAX_GROUPS,
	POLICY_MAX_ROWS, POLICY_MIN_OWNERS, POLICY_KERNEL, POLICY_KERNELS, POLICY_SAMPLE_RATE, POLICY_FILTER,
	POLICY_ANSWER_GROUP, POLICY_SECRET, POLICY_CREATED_AT, POLICY_CREATED_BY, POLICY_CLOSED_AT
};
enum
{
	BOUND_POLICY = 1, BOUND_COLUMN, BOUND_LO, BOUND_HI
};
enum
{
	KEY_POLICY = 1, KEY_COLUMN, KEY_KEYS, KEY_TYPE
};
enum
{
	QUOTA_POLICY = 1, QUOTA_ROLE
};
enum
{
	DOMAIN_POLICY = 1, DOMAIN_POSITION, DOMAIN_COLUMN, DOMAIN_POINTS, DOMAIN_PRIOR, DOMAIN_LO, DOMAIN_HI, DOMAIN_TYPE
};
enum
{
	PUBLIC_POLICY = 1, PUBLIC_COLUMN
};
enum
{
	PRIOR_POLICY = 1, PRIOR_VERSION, PRIOR_MAX_ENTRIES = 11
};

/* what a relation's place in an inheritance tree came to */
typedef struct CoverEntry
{
	Oid			relation;		/* hash key */
	const PaPolicy *policy;		/* NULL: not protected */
} CoverEntry;

static MemoryContext cache_context = NULL;
static List *policies = NIL;	/* of PaPolicy, in cache_context */
static HTAB *covers = NULL;		/* of CoverEntry, in cache_context */
static bool cache_valid = false;
static Oid	policy_relid = InvalidOid;	/* privacct.policy when last seen */

static void
relation_changed(Datum arg, Oid relation)
{
	/*
	 * A relation that we have an answer for may have been attached or
	 * detached; hash_search neither allocates nor errors on HASH_FIND.
	 */
	if (!cache_valid)
		return;
	if (relation == InvalidOid || relation == policy_relid ||
		(covers && hash_search(covers, &relation, HASH_FIND, NULL)))
		cache_valid = false;
}

void
pa_policy_init(void)
{
	CacheRegisterRelcacheCallback(relation_changed, (Datum) 0);
}

Oid
pa_schema(void)
{
	return get_namespace_oid("privacct", true);
}

static Oid
catalog_relation(const char *name)
{
	Oid			schema = pa_schema();

	return OidIsValid(schema) ? get_relname_relid(name, schema) : InvalidOid;
}

Oid
pa_reader_role(void)
{
	return get_role_oid("privacct_reader", false);
}

bool
pa_reads_raw(Oid relation, Oid user)
{
	return pg_class_ownercheck(relation, user);
}

Oid
pa_table_owner(Oid relation)
{
	HeapTuple	tuple = SearchSysCache1(RELOID, ObjectIdGetDatum(relation));
	Oid			owner;

	if (!HeapTupleIsValid(tuple))
		elog(ERROR, "cache lookup failed for relation %u", relation);
	owner = ((Form_pg_class) GETSTRUCT(tuple))->relowner;
	ReleaseSysCache(tuple);
	return owner;
}

/* Column of a catalog row; errors out on an unexpected NULL. */
static Datum
column(HeapTuple tuple, TupleDesc desc, int attnum)
{
	bool		isnull;
	Datum		value = heap_getattr(tuple, attnum, desc, &isnull);

	if (isnull)
		elog(ERROR, "null column %d in a privacct catalog relation", attnum);
	return value;
}

static bool
column_is_null(HeapTuple tuple, TupleDesc desc, int attnum)
{
	bool		isnull;

	(void) heap_getattr(tuple, attnum, desc, &isnull);
	return isnull;
}

static PaAccountant
accountant_by_name(const char *name)
{
	if (strcmp(name, "basic") == 0)
		return PA_ACCOUNTANT_BASIC;
	if (strcmp(name, "zcdp") == 0)
		return PA_ACCOUNTANT_ZCDP;
	if (strcmp(name, "plan") == 0)
		return PA_ACCOUNTANT_PLAN;
	elog(ERROR, "unknown accountant \"%s\" in a privacct catalog relation", name);
}

static PaKernelKind
kernel_by_name(const char *name)
{
	PaKernelKind kind;

	if (!pa_kernel_by_name(name, &kind))
		elog(ERROR, "unknown kernel \"%s\" in a privacct catalog relation", name);
	return kind;
}

/* NULL stands for all kernels. */
static uint32
read_kernels(HeapTuple tuple, TupleDesc desc)
{
	Datum	   *names;
	int			count;
	uint32		kernels = 0;

	if (column_is_null(tuple, desc, POLICY_KERNELS))
		return (1u << PA_KERNEL_KINDS) - 1;
	deconstruct_array(DatumGetArrayTypePCopy(column(tuple, desc, POLICY_KERNELS)), TEXTOID, -1, false,
					  TYPALIGN_INT, &names, NULL, &count);
	for (int i = 0; i < count; i++)
		kernels |= 1u << kernel_by_name(TextDatumGetCString(names[i]));
	return kernels;
}

static double
numeric_column(HeapTuple tuple, TupleDesc desc, int attnum)
{
	return DatumGetFloat8(DirectFunctionCall1(numeric_float8, column(tuple, desc, attnum)));
}

/* The cap is the number that is not above the declared one. */
static void
read_filter(HeapTuple tuple, TupleDesc desc, PaPolicy *policy)
{
	policy->local = !column_is_null(tuple, desc, POLICY_FILTER);
	if (!policy->local)
		return;
	if (!pa_filter_by_name(TextDatumGetCString(column(tuple, desc, POLICY_FILTER)), &policy->filter.kind))
		elog(ERROR, "unknown filter of policy " INT64_FORMAT, policy->policy_id);
	policy->filter.epsilon = numeric_column(tuple, desc, POLICY_EPSILON) * (1 - DBL_EPSILON);
	policy->filter.delta = numeric_column(tuple, desc, POLICY_DELTA);
	policy->delta = 0;			/* that of central releases: there they are pure */
	policy->answer_group = DatumGetInt32(column(tuple, desc, POLICY_ANSWER_GROUP));
}

/*
 * A column by name; false if it is NULL, or not there: columns of version 0.2, of
 * which a database that was not updated yet has none.
 */
static bool
named_column(HeapTuple tuple, TupleDesc desc, const char *name, Datum *value)
{
	int			attnum = SPI_fnumber(desc, name);
	bool		isnull;

	if (attnum <= 0)
		return false;
	*value = heap_getattr(tuple, attnum, desc, &isnull);
	return !isnull;
}

static char *
numeric_text(Datum value)
{
	return DatumGetCString(DirectFunctionCall1(numeric_out, value));
}

static PaAmount
amount_column(HeapTuple tuple, TupleDesc desc, int attnum)
{
	PaAmount	amount = 0;

	if (!column_is_null(tuple, desc, attnum))
		(void) pa_amount_parse(numeric_text(column(tuple, desc, attnum)), &amount);
	return amount;
}

/* What time may cost in delta: a hundredth of the cap's, if all of the cap is spent on time. */
static double
time_delta(const PaPolicy *policy, const PaCost *cap)
{
	double		loss = policy->time_epsilon;
	bool		zcdp = policy->accountant == PA_ACCOUNTANT_ZCDP;
	double		part = zcdp ? Min(loss, loss * loss / 2) / pa_amount_to_double(cap->rho) :
		loss / pa_amount_to_double(cap->epsilon);

	return pa_amount_to_double(cap->delta) * Min(part, 1) / 100;
}

/* The price, time and workers of releases. */
static void
read_terms(HeapTuple tuple, TupleDesc desc, PaPolicy *policy)
{
	PaCost		cap = {
		.epsilon = amount_column(tuple, desc, POLICY_EPSILON),
		.delta = amount_column(tuple, desc, POLICY_CAP_DELTA),
		.rho = amount_column(tuple, desc, POLICY_CAP_RHO)
	};
	Datum		value;
	bool		given = named_column(tuple, desc, "min_epsilon", &value);

	if (!pa_price_floor(policy->accountant, &cap, given ? numeric_text(value) : NULL, &policy->floor))
		elog(ERROR, "the least price of policy " INT64_FORMAT " is out of range", policy->policy_id);
	if (named_column(tuple, desc, "time_grid", &value))
	{
		const Interval *grid = DatumGetIntervalP(value);

		policy->time_grid = grid->time + grid->day * USECS_PER_DAY;
	}
	if (named_column(tuple, desc, "time_epsilon", &value))
	{
		policy->time_epsilon = DatumGetFloat8(DirectFunctionCall1(numeric_float8, value));
		policy->time_delta = time_delta(policy, &cap);
	}
	if (named_column(tuple, desc, "workers", &value))
		policy->workers = DatumGetInt32(value);
}

static PaPolicy *
read_policy(HeapTuple tuple, TupleDesc desc)
{
	PaPolicy   *policy = palloc0(sizeof(PaPolicy));
	char	   *accountant = TextDatumGetCString(column(tuple, desc, POLICY_ACCOUNTANT));
	bytea	   *secret = DatumGetByteaPP(column(tuple, desc, POLICY_SECRET));

	policy->policy_id = DatumGetInt64(column(tuple, desc, POLICY_ID));
	policy->relation = DatumGetObjectId(column(tuple, desc, POLICY_RELATION));
	policy->owner_attnum = get_attnum(policy->relation,
									  NameStr(*DatumGetName(column(tuple, desc, POLICY_OWNER_COLUMN))));
	if (policy->owner_attnum != InvalidAttrNumber)
		policy->owner_type = get_atttype(policy->relation, policy->owner_attnum);
	policy->accountant = accountant_by_name(accountant);
	policy->delta = numeric_column(tuple, desc, POLICY_DELTA);
	read_filter(tuple, desc, policy);
	policy->pufferfish = strcmp(TextDatumGetCString(column(tuple, desc, POLICY_REGIME)), "pufferfish") == 0;
	policy->max_groups_contributed = DatumGetInt32(column(tuple, desc, POLICY_MAX_GROUPS));
	policy->max_rows_contributed = DatumGetInt32(column(tuple, desc, POLICY_MAX_ROWS));
	policy->min_owners = DatumGetInt32(column(tuple, desc, POLICY_MIN_OWNERS));
	if (column_is_null(tuple, desc, POLICY_KERNEL))
		policy->kernel = policy->accountant == PA_ACCOUNTANT_ZCDP ? PA_KERNEL_GAUSSIAN : PA_KERNEL_LAPLACE;
	else
		policy->kernel = kernel_by_name(TextDatumGetCString(column(tuple, desc, POLICY_KERNEL)));
	policy->kernels = read_kernels(tuple, desc);
	policy->sample_rate = DatumGetFloat8(column(tuple, desc, POLICY_SAMPLE_RATE));
	read_terms(tuple, desc, policy);
	if (VARSIZE_ANY_EXHDR(secret) != PA_SECRET_BYTES)
		elog(ERROR, "secret of policy " INT64_FORMAT " has a wrong length", policy->policy_id);
	memcpy(policy->secret, VARDATA_ANY(secret), PA_SECRET_BYTES);
	return policy;
}

static PaPolicy *
policy_by_id(int64 policy_id)
{
	ListCell   *cell;

	foreach(cell, policies)
	{
		PaPolicy   *policy = lfirst(cell);

		if (policy->policy_id == policy_id)
			return policy;
	}
	return NULL;
}

static void
read_bound(HeapTuple tuple, TupleDesc desc)
{
	PaPolicy   *policy = policy_by_id(DatumGetInt64(column(tuple, desc, BOUND_POLICY)));
	PaBound    *bound;

	if (policy == NULL)
		return;					/* of a closed policy */
	bound = palloc0(sizeof(PaBound));
	bound->attnum = get_attnum(policy->relation, NameStr(*DatumGetName(column(tuple, desc, BOUND_COLUMN))));
	bound->lo = DatumGetFloat8(column(tuple, desc, BOUND_LO));
	bound->hi = DatumGetFloat8(column(tuple, desc, BOUND_HI));
	policy->bounds = lappend(policy->bounds, bound);
}

/* An array of texts as values of a type. */
static void
read_values(Datum array, Oid type, int *count, Datum **values, bool **nulls)
{
	Oid			input,
				ioparam;
	Datum	   *texts;

	getTypeInputInfo(type, &input, &ioparam);
	deconstruct_array(DatumGetArrayTypePCopy(array), TEXTOID, -1, false, TYPALIGN_INT, &texts, nulls, count);
	*values = palloc0(sizeof(Datum) * Max(*count, 1));
	for (int i = 0; i < *count; i++)
		if (!(*nulls)[i])
			(*values)[i] = OidInputFunctionCall(input, TextDatumGetCString(texts[i]), ioparam, -1);
}

/*
 * The column for which values were declared.  While its type is being changed,
 * which is refused in the end, there is none: the values may not be read as the other type.
 */
static AttrNumber
declared_column(Oid relation, Datum name, Datum type)
{
	AttrNumber	attnum = get_attnum(relation, NameStr(*DatumGetName(name)));

	if (attnum != InvalidAttrNumber && get_atttype(relation, attnum) != DatumGetObjectId(type))
		return InvalidAttrNumber;
	return attnum;
}

static void
read_keys(HeapTuple tuple, TupleDesc desc)
{
	PaPolicy   *policy = policy_by_id(DatumGetInt64(column(tuple, desc, KEY_POLICY)));
	PaKeys	   *keys;

	if (policy == NULL)
		return;
	keys = palloc0(sizeof(PaKeys));
	keys->attnum = declared_column(policy->relation, column(tuple, desc, KEY_COLUMN), column(tuple, desc, KEY_TYPE));
	if (keys->attnum == InvalidAttrNumber)
		return;
	read_values(column(tuple, desc, KEY_KEYS), get_atttype(policy->relation, keys->attnum),
				&keys->count, &keys->values, &keys->nulls);
	policy->keys = lappend(policy->keys, keys);
}

/* The least interval that contains the listed numbers; empty (lo > hi) if something else is listed. */
static void
set_interval(PaDomainColumn *domain)
{
	domain->lo = INFINITY;
	domain->hi = -INFINITY;
	for (int i = 0; i < domain->count; i++)
	{
		double		value;

		if (domain->nulls[i] || !pa_read_number(domain->type, domain->values[i], &value))
		{
			domain->lo = INFINITY;
			domain->hi = -INFINITY;
			return;
		}
		domain->lo = fmin(domain->lo, value);
		domain->hi = fmax(domain->hi, value);
	}
}

static double *
read_numbers(Datum array)
{
	Datum	   *values;
	bool	   *nulls;
	int			count;
	double	   *numbers;

	deconstruct_array(DatumGetArrayTypePCopy(array), FLOAT8OID, sizeof(float8), FLOAT8PASSBYVAL, TYPALIGN_DOUBLE,
					  &values, &nulls, &count);
	numbers = palloc(sizeof(double) * Max(count, 1));
	for (int i = 0; i < count; i++)
		numbers[i] = nulls[i] ? 0 : DatumGetFloat8(values[i]);
	return numbers;
}

static int
compare_positions(const ListCell *a, const ListCell *b)
{
	return ((PaDomainColumn *) lfirst(a))->position - ((PaDomainColumn *) lfirst(b))->position;
}

static void
read_domain(HeapTuple tuple, TupleDesc desc)
{
	PaPolicy   *policy = policy_by_id(DatumGetInt64(column(tuple, desc, DOMAIN_POLICY)));
	PaDomainColumn *domain;

	if (policy == NULL)
		return;
	domain = palloc0(sizeof(PaDomainColumn));
	domain->position = DatumGetInt32(column(tuple, desc, DOMAIN_POSITION));
	domain->attnum = declared_column(policy->relation, column(tuple, desc, DOMAIN_COLUMN), column(tuple, desc, DOMAIN_TYPE));
	domain->type = domain->attnum == InvalidAttrNumber ? InvalidOid : get_atttype(policy->relation, domain->attnum);
	domain->listed = !column_is_null(tuple, desc, DOMAIN_POINTS);
	if (domain->listed && OidIsValid(domain->type))
	{
		read_values(column(tuple, desc, DOMAIN_POINTS), domain->type, &domain->count, &domain->values, &domain->nulls);
		set_interval(domain);
	}
	else if (!domain->listed)
	{
		domain->lo = DatumGetFloat8(column(tuple, desc, DOMAIN_LO));
		domain->hi = DatumGetFloat8(column(tuple, desc, DOMAIN_HI));
	}
	if (!column_is_null(tuple, desc, DOMAIN_PRIOR))
		domain->prior = read_numbers(column(tuple, desc, DOMAIN_PRIOR));
	policy->domain = lappend(policy->domain, domain);
	list_sort(policy->domain, compare_positions);
}

static void
read_public_column(HeapTuple tuple, TupleDesc desc)
{
	PaPolicy   *policy = policy_by_id(DatumGetInt64(column(tuple, desc, PUBLIC_POLICY)));
	AttrNumber	attnum;

	if (policy == NULL)
		return;
	attnum = get_attnum(policy->relation, NameStr(*DatumGetName(column(tuple, desc, PUBLIC_COLUMN))));
	if (attnum != InvalidAttrNumber)
		policy->public_columns = lappend_int(policy->public_columns, attnum);
}

/* Versions are read in any order; the last one counts. */
static void
read_prior(HeapTuple tuple, TupleDesc desc)
{
	PaPolicy   *policy = policy_by_id(DatumGetInt64(column(tuple, desc, PRIOR_POLICY)));
	int			version = DatumGetInt32(column(tuple, desc, PRIOR_VERSION));

	if (policy == NULL || version < policy->version)
		return;
	policy->version = version;
	policy->max_entries = column_is_null(tuple, desc, PRIOR_MAX_ENTRIES) ? 0 :
		DatumGetInt64(column(tuple, desc, PRIOR_MAX_ENTRIES));
}

/* Calls the reader for every row of one catalog relation, newest snapshot. */
static void
scan_catalog(Oid relid, void (*reader) (HeapTuple, TupleDesc))
{
	Relation	rel = table_open(relid, AccessShareLock);
	SysScanDesc scan = systable_beginscan(rel, InvalidOid, false, NULL, 0, NULL);
	HeapTuple	tuple;

	while (HeapTupleIsValid(tuple = systable_getnext(scan)))
		reader(tuple, RelationGetDescr(rel));
	systable_endscan(scan);
	table_close(rel, AccessShareLock);
}

static void
read_open_policy(HeapTuple tuple, TupleDesc desc)
{
	if (column_is_null(tuple, desc, POLICY_CLOSED_AT))
		policies = lappend(policies, read_policy(tuple, desc));
}

static void
create_covers(void)
{
	HASHCTL		ctl = {.keysize = sizeof(Oid), .entrysize = sizeof(CoverEntry), .hcxt = cache_context};

	covers = hash_create("privacct protected relations", 64, &ctl, HASH_ELEM | HASH_BLOBS | HASH_CONTEXT);
}

static void
rebuild(void)
{
	MemoryContext caller;

	/* what was handed out lives on until the transaction ends */
	if (cache_context)
		MemoryContextSetParent(cache_context, TopTransactionContext);
	cache_context = AllocSetContextCreate(CacheMemoryContext, "privacct policies", ALLOCSET_SMALL_SIZES);
	policies = NIL;
	covers = NULL;
	policy_relid = catalog_relation("policy");
	caller = MemoryContextSwitchTo(cache_context);
	create_covers();
	cache_valid = true;			/* a change during the scan flips it back */
	PG_TRY();
	{
		if (OidIsValid(policy_relid))
		{
			scan_catalog(policy_relid, read_open_policy);
			if (policies != NIL)
			{
				scan_catalog(catalog_relation("bound"), read_bound);
				scan_catalog(catalog_relation("group_key"), read_keys);
				scan_catalog(catalog_relation("domain"), read_domain);
				scan_catalog(catalog_relation("public_column"), read_public_column);
				scan_catalog(catalog_relation("prior"), read_prior);
			}
		}
	}
	PG_CATCH();
	{
		cache_valid = false;
		PG_RE_THROW();
	}
	PG_END_TRY();
	MemoryContextSwitchTo(caller);
}

static void
ensure_valid(void)
{
	/* without the extension there is no relation to be told of: look again */
	if (!cache_valid || (!OidIsValid(policy_relid) && OidIsValid(catalog_relation("policy"))))
		rebuild();
}

bool
pa_policies_exist(void)
{
	ensure_valid();
	return policies != NIL;
}

const PaPolicy *
pa_policy_of(Oid relation)
{
	ListCell   *cell;

	ensure_valid();
	foreach(cell, policies)
	{
		PaPolicy   *policy = lfirst(cell);

		if (policy->relation == relation)
			return policy;
	}
	return NULL;
}

/* Searches the relation's parents, grandparents and so on; trees only are expected. */
static const PaPolicy *
policy_of_ancestors(Oid relation)
{
	const PaPolicy *found = NULL;
	Relation	inherits = table_open(InheritsRelationId, AccessShareLock);
	ScanKeyData key;
	SysScanDesc scan;
	HeapTuple	tuple;

	ScanKeyInit(&key, Anum_pg_inherits_inhrelid, BTEqualStrategyNumber, F_OIDEQ, ObjectIdGetDatum(relation));
	scan = systable_beginscan(inherits, InheritsRelidSeqnoIndexId, true, NULL, 1, &key);
	while (found == NULL && HeapTupleIsValid(tuple = systable_getnext(scan)))
		found = pa_policy_covering(((Form_pg_inherits) GETSTRUCT(tuple))->inhparent);
	systable_endscan(scan);
	table_close(inherits, AccessShareLock);
	return found;
}

const PaPolicy *
pa_policy_covering(Oid relation)
{
	const PaPolicy *policy;
	CoverEntry *entry;

	if (!pa_policies_exist())
		return NULL;
	entry = hash_search(covers, &relation, HASH_FIND, NULL);
	if (entry)
		return entry->policy;
	policy = pa_policy_of(relation);
	if (policy == NULL && relation >= FirstNormalObjectId)
		policy = policy_of_ancestors(relation);
	if (cache_valid)
	{
		entry = hash_search(covers, &relation, HASH_ENTER, NULL);
		entry->policy = policy;
	}
	return policy;
}

const PaBound *
pa_policy_bound(const PaPolicy *policy, AttrNumber attnum)
{
	ListCell   *cell;

	foreach(cell, policy->bounds)
		if (((PaBound *) lfirst(cell))->attnum == attnum)
			return lfirst(cell);
	return NULL;
}

const PaKeys *
pa_policy_keys(const PaPolicy *policy, AttrNumber attnum)
{
	ListCell   *cell;

	foreach(cell, policy->keys)
		if (((PaKeys *) lfirst(cell))->attnum == attnum)
			return lfirst(cell);
	return NULL;
}

const PaDomainColumn *
pa_policy_domain(const PaPolicy *policy, AttrNumber attnum)
{
	ListCell   *cell;

	foreach(cell, policy->domain)
		if (((PaDomainColumn *) lfirst(cell))->attnum == attnum)
			return lfirst(cell);
	return NULL;
}

Oid
pa_policy_payer(const PaPolicy *policy, Oid user)
{
	Oid			payer = InvalidOid;
	Relation	quotas = table_open(catalog_relation("quota"), AccessShareLock);
	SysScanDesc scan = systable_beginscan(quotas, InvalidOid, false, NULL, 0, NULL);
	HeapTuple	tuple;

	while (HeapTupleIsValid(tuple = systable_getnext(scan)))
	{
		Oid			role = DatumGetObjectId(column(tuple, RelationGetDescr(quotas), QUOTA_ROLE));

		if (DatumGetInt64(column(tuple, RelationGetDescr(quotas), QUOTA_POLICY)) != policy->policy_id)
			continue;
		if (role == user)
		{
			payer = role;
			break;
		}
		if (SearchSysCacheExists1(AUTHOID, ObjectIdGetDatum(role)) && has_privs_of_role(user, role) &&
			(payer == InvalidOid || role < payer))
			payer = role;
	}
	systable_endscan(scan);
	table_close(quotas, AccessShareLock);
	return payer;
}
