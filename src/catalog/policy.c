/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * policy.c
 *		The per-backend cache of policies.
 *
 * A policy is read when somebody asks a question of its table, its keys and
 * domain when the question needs them: a backend holds nothing of the policies of
 * tables that it has nothing to do with.  Row triggers on the catalog of the
 * extension, whatever way it was changed (declarations, COPY, restore), invalidate
 * the relcache entry of the table (invalidate.c).
 */
#include "postgres.h"

#include <float.h>
#include <math.h>

#include "access/genam.h"
#include "access/htup_details.h"
#include "access/table.h"
#include "catalog/pg_type.h"
#include "executor/spi.h"
#include "miscadmin.h"
#include "utils/acl.h"
#include "utils/array.h"
#include "utils/builtins.h"
#include "utils/datum.h"
#include "utils/fmgroids.h"
#include "utils/hsearch.h"
#include "utils/inval.h"
#include "utils/lsyscache.h"
#include "utils/memutils.h"
#include "utils/rel.h"
#include "utils/snapmgr.h"
#include "utils/syscache.h"
#include "utils/timestamp.h"

#include "compat/rights.h"
#include "catalog/extension.h"
#include "catalog/known_owners.h"
#include "catalog/named_columns.h"
#include "catalog/owner_key.h"
#include "catalog/policy.h"
#include "catalog/referred_keys.h"
#include "catalog/price.h"
#include "errors.h"
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

typedef struct PolicyEntry
{
	Oid			relation;		/* hash key */
	bool		stale;
	PaPolicy   *policy;			/* in a context of its own */
} PolicyEntry;

static HTAB *loaded = NULL;		/* of PolicyEntry */
static Oid	reader_role = InvalidOid;	/* until one of any name changes */

/* Only flips flags: it is called at any time. */
static void
relation_changed(Datum arg, Oid relation)
{
	HASH_SEQ_STATUS all;
	PolicyEntry *entry;

	if (OidIsValid(relation))
	{
		entry = hash_search(loaded, &relation, HASH_FIND, NULL);
		if (entry)
			entry->stale = true;
		return;
	}
	hash_seq_init(&all, loaded);
	while ((entry = hash_seq_search(&all)) != NULL)
		entry->stale = true;
}

static void
forget_reader_role(Datum argument, int cache, uint32 hash)
{
	reader_role = InvalidOid;
}

void
pa_policy_init(void)
{
	HASHCTL		ctl = {.keysize = sizeof(Oid), .entrysize = sizeof(PolicyEntry)};

	loaded = hash_create("privacct policies", 16, &ctl, HASH_ELEM | HASH_BLOBS);
	CacheRegisterRelcacheCallback(relation_changed, (Datum) 0);
	CacheRegisterSyscacheCallback(AUTHNAME, forget_reader_role, (Datum) 0);
	pa_protected_init();
	pa_known_owners_init();
}

Oid
pa_reader_role(void)
{
	if (!OidIsValid(reader_role))
		reader_role = get_role_oid(PA_READER_ROLE, false);
	return reader_role;
}

bool
pa_reads_raw(Oid relation, Oid user)
{
	return pa_owns_object(RelationRelationId, relation, user);
}

Oid
pa_table_owner(Oid relation)
{
	HeapTuple	tuple = SearchSysCache1(RELOID, ObjectIdGetDatum(relation));
	Oid			owner;

	if (!HeapTupleIsValid(tuple))
		ereport(ERROR,
				errcode(ERRCODE_UNDEFINED_TABLE),
				errmsg("relation with OID %u does not exist", relation));
	owner = ((Form_pg_class) GETSTRUCT(tuple))->relowner;
	ReleaseSysCache(tuple);
	return owner;
}

int
pa_table_columns(Oid relation)
{
	HeapTuple	tuple = SearchSysCache1(RELOID, ObjectIdGetDatum(relation));
	int			columns;

	if (!HeapTupleIsValid(tuple))
		return 0;
	columns = ((Form_pg_class) GETSTRUCT(tuple))->relnatts;
	ReleaseSysCache(tuple);
	return columns;
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
	PaAccountant accountant;

	if (!pa_accountant_by_name(name, &accountant))
		elog(ERROR, "unknown accountant \"%s\" in a privacct catalog relation", name);
	return accountant;
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
		return PA_KERNEL_ALL;
	deconstruct_array(DatumGetArrayTypePCopy(column(tuple, desc, POLICY_KERNELS)), TEXTOID, -1, false,
					  TYPALIGN_INT, &names, NULL, &count);
	for (int i = 0; i < count; i++)
		kernels |= PA_KERNEL_BIT(kernel_by_name(TextDatumGetCString(names[i])));
	return kernels;
}

static double
numeric_column(HeapTuple tuple, TupleDesc desc, int attnum)
{
	return DatumGetFloat8(DirectFunctionCall1(numeric_float8, column(tuple, desc, attnum)));
}

static PaRegime
regime_by_name(const char *name)
{
	static const char *const names[] = {
		[PA_REGIME_CENTRAL] = "central",[PA_REGIME_LOCAL] = "local",[PA_REGIME_ENTRIES] = "pufferfish"
	};

	StaticAssertStmt(lengthof(names) == PA_REGIMES, "a regime has no name");

	for (int i = 0; i < lengthof(names); i++)
		if (strcmp(name, names[i]) == 0)
			return (PaRegime) i;
	elog(ERROR, "unknown regime \"%s\" in the catalog of privacct", name);
}

/* The cap is the number that is not above the declared one. */
static void
read_filter(HeapTuple tuple, TupleDesc desc, PaPolicy *policy)
{
	if (policy->regime != PA_REGIME_LOCAL)
		return;
	if (!pa_filter_by_name(TextDatumGetCString(column(tuple, desc, POLICY_FILTER)), &policy->filter.kind))
		elog(ERROR, "unknown filter of policy " INT64_FORMAT, policy->policy_id);
	policy->filter.epsilon = numeric_column(tuple, desc, POLICY_EPSILON) * (1 - DBL_EPSILON);
	policy->filter.delta = numeric_column(tuple, desc, POLICY_DELTA);
	policy->delta = 0;			/* that of central releases: there they are pure */
	policy->answer_group = DatumGetInt32(column(tuple, desc, POLICY_ANSWER_GROUP));
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
	PaCurrency	currency = pa_accountant(policy->accountant)->currency;
	double		part = pa_currency(currency)->of_loss(policy->time_epsilon) /
		pa_amount_to_double(pa_currency_of(currency, cap));

	return pa_amount_to_double(cap->delta) * Min(part, 1) / 100;
}

/* No months are declared. */
static int64
microseconds(Datum value)
{
	const Interval *interval = DatumGetIntervalP(value);

	return interval->time + interval->day * USECS_PER_DAY;
}

static void
read_repeats(HeapTuple tuple, TupleDesc desc, PaPolicy *policy)
{
	Datum		value;

	if (pa_named_column(tuple, desc, "repeat_age", &value))
		policy->repeat_age = microseconds(value);
	if (pa_named_column(tuple, desc, "repeats_shared", &value))
		policy->repeats_shared = DatumGetBool(value);
	if (pa_named_column(tuple, desc, "repeats_unchanged", &value))
		policy->repeats_unchanged = DatumGetBool(value);
	if (pa_named_column(tuple, desc, "edition", &value))
		policy->edition = DatumGetInt64(value);
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
	bool		given = pa_named_column(tuple, desc, "min_epsilon", &value);

	if (!pa_price_floor(policy->accountant, &cap, given ? numeric_text(value) : NULL, &policy->floor))
		elog(ERROR, "the least price of policy " INT64_FORMAT " is out of range", policy->policy_id);
	if (pa_named_column(tuple, desc, "time_grid", &value))
		policy->time_grid = microseconds(value);
	if (pa_named_column(tuple, desc, "time_epsilon", &value))
	{
		policy->time_epsilon = DatumGetFloat8(DirectFunctionCall1(numeric_float8, value));
		policy->time_delta = time_delta(policy, &cap);
	}
	if (pa_named_column(tuple, desc, "workers", &value))
		policy->workers = DatumGetInt32(value);
}

/* The column of the name in a column of a row, unless another one has that name now. */
static AttrNumber
numbered_column(HeapTuple tuple, TupleDesc desc, Oid relation, int name, const char *number)
{
	AttrNumber	attnum = get_attnum(relation, NameStr(*DatumGetName(column(tuple, desc, name))));
	Datum		value;

	if (pa_named_column(tuple, desc, number, &value) && DatumGetInt16(value) != attnum)
		return InvalidAttrNumber;
	return attnum;
}

/*
 * The column that the policy was made for: by its name, unless another one has
 * that name now, or its type makes other keys than those that the books are kept by.
 */
static AttrNumber
owner_column(HeapTuple tuple, TupleDesc desc, const PaPolicy *policy)
{
	AttrNumber	attnum = numbered_column(tuple, desc, policy->relation, POLICY_OWNER_COLUMN, "owner_attnum");
	Datum		value;

	if (attnum != InvalidAttrNumber && policy->regime == PA_REGIME_LOCAL && pa_named_column(tuple, desc, "owner_type", &value) &&
		!pa_owner_key_is(NameStr(*DatumGetName(value)), get_atttype(policy->relation, attnum)))
		return InvalidAttrNumber;
	return attnum;
}

void
pa_require_owner_column(const PaPolicy *policy)
{
	if (policy->owner_attnum == InvalidAttrNumber)
		ereport(ERROR,
				errcode(ERRCODE_PA_LEDGER_UNAVAILABLE),
				errmsg("the owner column of table \"%s\" is not the one that was protected", get_rel_name(policy->relation)),
				errdetail("It was dropped, another column has its name, or its type was changed; the block was not charged."),
				errhint("The owner of the table can find the remedy with SELECT * FROM privacct.check_books()."));
}

/* Owners of a local policy have books of their own, of which the unit was charged the promise. */
static int64
paying_unit(HeapTuple tuple, TupleDesc desc, const PaPolicy *policy)
{
	Datum		unit;

	return policy->regime != PA_REGIME_LOCAL && pa_named_column(tuple, desc, "unit", &unit) ? DatumGetInt64(unit) : policy->policy_id;
}

/* Of columns that are gone there is no foreign key. */
static void
read_path(HeapTuple tuple, TupleDesc desc, PaPolicy *policy)
{
	Datum		value;

	if (pa_named_column(tuple, desc, "null_owners", &value))
		policy->null_owners = DatumGetBool(value);
	if (!pa_named_column(tuple, desc, "path", &value))
		return;
	policy->path = pa_columns_named(policy->relation, value);
	if (pa_named_column(tuple, desc, "path_to", &value))
		policy->path_to = DatumGetObjectId(value);
	if (pa_named_column(tuple, desc, "path_keys", &value))
		policy->path_keys = pa_columns_named(policy->path_to, value);
}

static PaPolicy *
read_policy(HeapTuple tuple, TupleDesc desc)
{
	PaPolicy   *policy = palloc0(sizeof(PaPolicy));
	char	   *accountant = TextDatumGetCString(column(tuple, desc, POLICY_ACCOUNTANT));
	bytea	   *secret = DatumGetByteaPP(column(tuple, desc, POLICY_SECRET));

	policy->policy_id = policy->unit = DatumGetInt64(column(tuple, desc, POLICY_ID));
	policy->relation = DatumGetObjectId(column(tuple, desc, POLICY_RELATION));
	policy->regime = regime_by_name(TextDatumGetCString(column(tuple, desc, POLICY_REGIME)));
	policy->unit = paying_unit(tuple, desc, policy);
	policy->accountant = accountant_by_name(accountant);
	policy->delta = numeric_column(tuple, desc, POLICY_DELTA);
	read_filter(tuple, desc, policy);
	policy->owner_attnum = owner_column(tuple, desc, policy);
	if (policy->owner_attnum != InvalidAttrNumber)
		policy->owner_type = get_atttype(policy->relation, policy->owner_attnum);
	read_path(tuple, desc, policy);
	policy->max_groups_contributed = DatumGetInt32(column(tuple, desc, POLICY_MAX_GROUPS));
	policy->max_rows_contributed = DatumGetInt32(column(tuple, desc, POLICY_MAX_ROWS));
	policy->min_owners = DatumGetInt32(column(tuple, desc, POLICY_MIN_OWNERS));
	if (column_is_null(tuple, desc, POLICY_KERNEL))
		policy->kernel = pa_accountant(policy->accountant)->kernel;
	else
		policy->kernel = kernel_by_name(TextDatumGetCString(column(tuple, desc, POLICY_KERNEL)));
	policy->kernels = read_kernels(tuple, desc);
	policy->sample_rate = DatumGetFloat8(column(tuple, desc, POLICY_SAMPLE_RATE));
	read_terms(tuple, desc, policy);
	read_repeats(tuple, desc, policy);
	if (VARSIZE_ANY_EXHDR(secret) != PA_SECRET_BYTES)
		elog(ERROR, "secret of policy " INT64_FORMAT " has a wrong length", policy->policy_id);
	memcpy(policy->secret, VARDATA_ANY(secret), PA_SECRET_BYTES);
	return policy;
}

static void
read_bound(HeapTuple tuple, TupleDesc desc, PaPolicy *policy)
{
	PaBound    *bound = palloc0(sizeof(PaBound));
	Datum		value;

	bound->attnum = numbered_column(tuple, desc, policy->relation, BOUND_COLUMN, "attnum");
	bound->of_rows = !column_is_null(tuple, desc, BOUND_LO);
	if (bound->of_rows)
	{
		bound->lo = DatumGetFloat8(column(tuple, desc, BOUND_LO));
		bound->hi = DatumGetFloat8(column(tuple, desc, BOUND_HI));
	}
	bound->of_owners = pa_named_column(tuple, desc, "owner_lo", &value);
	if (bound->of_owners)
	{
		bound->owner_lo = DatumGetFloat8(value);
		(void) pa_named_column(tuple, desc, "owner_hi", &value);
		bound->owner_hi = DatumGetFloat8(value);
	}
	policy->bounds = lappend(policy->bounds, bound);
}

/* An array of texts as values of a type; nothing but these values is left in the current context. */
static void
read_values(Datum array, Oid type, int *count, Datum **values, bool **nulls)
{
	MemoryContext work = AllocSetContextCreate(CurrentMemoryContext, "privacct values", ALLOCSET_DEFAULT_SIZES);
	MemoryContext result = MemoryContextSwitchTo(work);
	Oid			input,
				ioparam;
	int16		length;
	bool		by_value;
	Datum	   *texts;
	bool	   *absent;

	getTypeInputInfo(type, &input, &ioparam);
	get_typlenbyval(type, &length, &by_value);
	deconstruct_array(DatumGetArrayTypeP(array), TEXTOID, -1, false, TYPALIGN_INT, &texts, &absent, count);
	*values = MemoryContextAllocZero(result, sizeof(Datum) * Max(*count, 1));
	*nulls = MemoryContextAlloc(result, sizeof(bool) * Max(*count, 1));
	memcpy(*nulls, absent, sizeof(bool) * *count);
	for (int i = 0; i < *count; i++)
		if (!absent[i])
		{
			Datum		value = OidInputFunctionCall(input, TextDatumGetCString(texts[i]), ioparam, -1);

			MemoryContextSwitchTo(result);
			(*values)[i] = datumCopy(value, by_value, length);
			MemoryContextSwitchTo(work);
		}
	MemoryContextSwitchTo(result);
	MemoryContextDelete(work);
}

/*
 * The column for which values were declared.  While its type is being changed,
 * which is refused in the end, there is none: the values may not be read as the other type.
 */
static AttrNumber
declared_column(HeapTuple tuple, TupleDesc desc, Oid relation, int name, int type)
{
	AttrNumber	attnum = numbered_column(tuple, desc, relation, name, "attnum");

	if (attnum != InvalidAttrNumber && get_atttype(relation, attnum) != DatumGetObjectId(column(tuple, desc, type)))
		return InvalidAttrNumber;
	return attnum;
}

/* Which column has keys; the keys themselves are read when they are needed. */
static void
read_keys(HeapTuple tuple, TupleDesc desc, PaPolicy *policy)
{
	PaKeys	   *keys = palloc0(sizeof(PaKeys));

	keys->attnum = declared_column(tuple, desc, policy->relation, KEY_COLUMN, KEY_TYPE);
	if (keys->attnum != InvalidAttrNumber)
		policy->keys = lappend(policy->keys, keys);
}

static Size
bytes_of(const PaKeys *keys, Oid type)
{
	Size		bytes = 0;
	int16		length;
	bool		by_value;

	get_typlenbyval(type, &length, &by_value);
	for (int i = 0; i < keys->count; i++)
		if (!keys->nulls[i])
			bytes += datumGetSize(keys->values[i], by_value, length);
	return bytes;
}

/* The values of a column of policy->keys, unless it is known already. */
static void
read_key_values(HeapTuple tuple, TupleDesc desc, PaPolicy *policy)
{
	AttrNumber	attnum = declared_column(tuple, desc, policy->relation, KEY_COLUMN, KEY_TYPE);
	ListCell   *cell;

	foreach(cell, policy->keys)
	{
		PaKeys	   *keys = lfirst(cell);

		if (keys->attnum == attnum && keys->values == NULL && policy->wanted_keys == attnum)
		{
			Datum	   *values;

			read_values(column(tuple, desc, KEY_KEYS), get_atttype(policy->relation, attnum),
						&keys->count, &values, &keys->nulls);
			keys->values = values;
			keys->bytes = bytes_of(keys, get_atttype(policy->relation, attnum));
		}
	}
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
read_domain(HeapTuple tuple, TupleDesc desc, PaPolicy *policy)
{
	PaDomainColumn *domain = palloc0(sizeof(PaDomainColumn));

	domain->position = DatumGetInt32(column(tuple, desc, DOMAIN_POSITION));
	domain->attnum = declared_column(tuple, desc, policy->relation, DOMAIN_COLUMN, DOMAIN_TYPE);
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
read_public_column(HeapTuple tuple, TupleDesc desc, PaPolicy *policy)
{
	AttrNumber	attnum = numbered_column(tuple, desc, policy->relation, PUBLIC_COLUMN, "attnum");

	if (attnum != InvalidAttrNumber)
		policy->public_columns = lappend_int(policy->public_columns, attnum);
}

/* Versions are read in any order; the last one counts. */
static void
read_prior(HeapTuple tuple, TupleDesc desc, PaPolicy *policy)
{
	int			version = DatumGetInt32(column(tuple, desc, PRIOR_VERSION));

	if (version < policy->version)
		return;
	policy->version = version;
	policy->max_entries = column_is_null(tuple, desc, PRIOR_MAX_ENTRIES) ? 0 :
		DatumGetInt64(column(tuple, desc, PRIOR_MAX_ENTRIES));
}

/* Calls the reader for the policy's rows in one catalog relation, newest snapshot. */
static void
read_rows(const char *name, PaPolicy *policy, void (*reader) (HeapTuple, TupleDesc, PaPolicy *))
{
	Relation	rel = table_open(pa_catalog_relation(name), AccessShareLock);
	ScanKeyData key;
	SysScanDesc scan;
	HeapTuple	tuple;

	/* policy_id is the first column everywhere, and of every primary key */
	ScanKeyInit(&key, POLICY_ID, BTEqualStrategyNumber, F_INT8EQ, Int64GetDatum(policy->policy_id));
	scan = systable_beginscan(rel, pa_catalog_relation(psprintf("%s_pkey", name)), true, NULL, 1, &key);
	while (HeapTupleIsValid(tuple = systable_getnext(scan)))
		reader(tuple, RelationGetDescr(rel), policy);
	systable_endscan(scan);
	table_close(rel, AccessShareLock);
}

/* The open policy of exactly this relation, in the current context, or NULL. */
static PaPolicy *
read_open_policy(Oid relation)
{
	Relation	rel = table_open(pa_catalog_relation("policy"), AccessShareLock);
	SysScanDesc scan = pa_scan_open_policies(rel, relation);
	HeapTuple	tuple = pa_next_open_policy(scan, rel);
	PaPolicy   *policy = HeapTupleIsValid(tuple) ? read_policy(tuple, RelationGetDescr(rel)) : NULL;

	systable_endscan(scan);
	table_close(rel, AccessShareLock);
	if (policy == NULL)
		return NULL;
	read_rows("bound", policy, read_bound);
	read_rows("group_key", policy, read_keys);
	read_rows("public_column", policy, read_public_column);
	read_rows("prior", policy, read_prior);
	policy->referred = pa_referred_keys(relation);
	return policy;
}

/* The policy in a context of its own, which outlives the transaction; or NULL. */
static PaPolicy *
load(Oid relation)
{
	MemoryContext context = AllocSetContextCreate(CurrentMemoryContext, "privacct policy", ALLOCSET_SMALL_SIZES);
	MemoryContext caller = MemoryContextSwitchTo(context);
	PaPolicy   *policy = read_open_policy(relation);

	MemoryContextSwitchTo(caller);
	if (policy == NULL)
	{
		MemoryContextDelete(context);
		return NULL;
	}
	policy->context = context;
	MemoryContextSetParent(context, CacheMemoryContext);
	return policy;
}

/* What was handed out lives on until the transaction ends. */
static void
forget(PolicyEntry *entry)
{
	if (entry->policy)
		MemoryContextSetParent(entry->policy->context, TopTransactionContext);
	entry->policy = NULL;
}

const PaPolicy *
pa_policy_of(Oid relation)
{
	PolicyEntry *entry;
	bool		found;

	if (!OidIsValid(relation) || pa_protected_root(relation) != relation)
		return NULL;
	pa_require_version();
	entry = hash_search(loaded, &relation, HASH_ENTER, &found);
	if (!found)
		entry->policy = NULL;
	else if (entry->stale)
		forget(entry);
	if (entry->policy == NULL)
	{
		entry->stale = false;	/* a change while it is read flips it back */
		entry->policy = load(relation);
	}
	return entry->policy;
}

const PaPolicy *
pa_policy_covering(Oid relation)
{
	return pa_policy_of(pa_protected_root(relation));
}

/* Reads more of a policy, into its context. */
static void
read_more(const PaPolicy *policy, const char *name, void (*reader) (HeapTuple, TupleDesc, PaPolicy *))
{
	MemoryContext caller = MemoryContextSwitchTo(policy->context);

	read_rows(name, unconstify(PaPolicy *, policy), reader);
	MemoryContextSwitchTo(caller);
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
	{
		PaKeys	   *keys = lfirst(cell);

		if (keys->attnum != attnum)
			continue;
		if (keys->values == NULL)
		{
			unconstify(PaPolicy *, policy)->wanted_keys = attnum;
			read_more(policy, "group_key", read_key_values);
		}
		return keys->values ? keys : NULL;	/* none if they were dropped meanwhile */
	}
	return NULL;
}

List *
pa_policy_domains(const PaPolicy *policy)
{
	if (!policy->domain_is_read)
	{
		unconstify(PaPolicy *, policy)->domain = NIL;
		read_more(policy, "domain", read_domain);
		unconstify(PaPolicy *, policy)->domain_is_read = true;
	}
	return policy->domain;
}

const PaDomainColumn *
pa_policy_domain(const PaPolicy *policy, AttrNumber attnum)
{
	ListCell   *cell;

	foreach(cell, pa_policy_domains(policy))
		if (((PaDomainColumn *) lfirst(cell))->attnum == attnum)
			return lfirst(cell);
	return NULL;
}

Oid
pa_policy_payer(const PaPolicy *policy, Oid user)
{
	Oid			payer = InvalidOid;
	Relation	quotas = table_open(pa_catalog_relation("quota"), AccessShareLock);
	ScanKeyData key;
	SysScanDesc scan;
	HeapTuple	tuple;

	ScanKeyInit(&key, QUOTA_POLICY, BTEqualStrategyNumber, F_INT8EQ, Int64GetDatum(policy->unit));
	scan = systable_beginscan(quotas, pa_catalog_relation("quota_pkey"), true, NULL, 1, &key);
	while (HeapTupleIsValid(tuple = systable_getnext(scan)))
	{
		Oid			role = DatumGetObjectId(column(tuple, RelationGetDescr(quotas), QUOTA_ROLE));

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

bool
pa_policy_is_asked_by(const PaPolicy *policy, Oid user)
{
	Relation	quotas = table_open(pa_catalog_relation("quota"), AccessShareLock);
	bool		asked = false;
	ScanKeyData key;
	SysScanDesc scan;
	HeapTuple	tuple;

	ScanKeyInit(&key, QUOTA_POLICY, BTEqualStrategyNumber, F_INT8EQ, Int64GetDatum(policy->unit));
	scan = systable_beginscan(quotas, pa_catalog_relation("quota_pkey"), true, NULL, 1, &key);
	while (!asked && HeapTupleIsValid(tuple = systable_getnext(scan)))
	{
		Oid			role = DatumGetObjectId(column(tuple, RelationGetDescr(quotas), QUOTA_ROLE));

		asked = SearchSysCacheExists1(AUTHOID, ObjectIdGetDatum(role)) && is_member_of_role_nosuper(user, role);
	}
	systable_endscan(scan);
	table_close(quotas, AccessShareLock);
	return asked;
}
