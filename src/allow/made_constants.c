/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * made_constants.c
 *		See made_constants.h.
 */
#include "postgres.h"

#include "nodes/primnodes.h"
#include "pgtime.h"
#include "utils/builtins.h"
#include "utils/fmgroids.h"
#include "utils/hsearch.h"
#include "utils/memutils.h"

#include "compat/version.h"
#include "allow/allowlist.h"
#include "allow/made_constants.h"
#include "allow/pattern.h"
#include "size_limits.h"

#define MAX_BYTES Max(PA_MAX_PATTERN_BYTES, TZ_STRLEN_MAX)
#define FIRST_SIZE 16
#define MAX_LOOSE 64			/* what queries of public tables have made */

typedef struct MadeKey
{
	PaMadeKind	kind;
	Oid			collation;
	int			length;
	char		bytes[MAX_BYTES];
} MadeKey;

typedef struct Made
{
	MadeKey		key;			/* must be first */
	const void *made;
} Made;

typedef struct MadeTable
{
	MemoryContext context;
	HTAB	   *entries;
	MemoryContextCallback at_end;
} MadeTable;

static MadeTable *closed = NULL;	/* while protected rows are read: nothing is added then */
static MadeTable *loose = NULL;

static MadeTable *
make_table(MemoryContext parent)
{
	MemoryContext context = AllocSetContextCreate(parent, "privacct constants", ALLOCSET_DEFAULT_SIZES);
	MadeTable  *table = MemoryContextAllocZero(context, sizeof(MadeTable));
	HASHCTL		control = {.keysize = sizeof(MadeKey),.entrysize = sizeof(Made),.hcxt = context};

	table->context = context;
	table->entries = hash_create("privacct constants", FIRST_SIZE, &control, HASH_ELEM | HASH_BLOBS | HASH_CONTEXT);
	return table;
}

static void
end_closed(void *table)
{
	if (closed == table)
		closed = NULL;
}

void
pa_made_begin(void)
{
	if (closed)
		return;
	closed = make_table(CurrentMemoryContext);
	closed->at_end.func = end_closed;
	closed->at_end.arg = closed;
	MemoryContextRegisterResetCallback(closed->context, &closed->at_end);
}

/* --- making --- */

/* False: it is too long to be allowed. */
static bool
make_key(MadeKey *key, PaMadeKind kind, const text *source, Oid collation)
{
	int			length = VARSIZE_ANY_EXHDR(source);

	if (length > (kind == PA_MADE_ZONE ? TZ_STRLEN_MAX : PA_MAX_PATTERN_BYTES))
		return false;
	memset(key, 0, sizeof(MadeKey));	/* it is compared as bytes */
	key->kind = kind;
	key->collation = kind == PA_MADE_ZONE ? InvalidOid : collation;
	key->length = length;
	memcpy(key->bytes, VARDATA_ANY(source), length);
	return true;
}

/* Zones are named in full: what an abbreviation means is a setting, which may change when the statement has been looked at. */
static const void *
make(const MadeKey *key)
{
	const char *reason;

	if (key->kind == PA_MADE_ZONE)
		return pg_tzset(pnstrdup(key->bytes, key->length));
	return pa_pattern_make(key->bytes, key->length, key->kind == PA_MADE_PATTERN_OF_ANY_CASE, key->collation, &reason);
}

static const void *
add(MadeTable *table, const MadeKey *key)
{
	MemoryContext caller = MemoryContextSwitchTo(table->context);
	const void *made = make(key);

	((Made *) hash_search(table->entries, key, HASH_ENTER, NULL))->made = made;
	MemoryContextSwitchTo(caller);
	return made;
}

static const void *
find_or_add(MadeTable *table, const MadeKey *key)
{
	const Made *found = hash_search(table->entries, key, HASH_FIND, NULL);

	return found ? found->made : add(table, key);
}

/* --- calls --- */

bool
pa_makes_constant(Oid function)
{
	PaWorkKind	kind = pa_function_work(pa_built_in_of_twin(function));

	return kind == WORK_TEXT_REGEX || pa_is_named_zone(kind);
}

static PaMadeKind
made_kind(Oid built_in)
{
	if (pa_is_named_zone(pa_function_work(built_in)))
		return PA_MADE_ZONE;
	return pa_ignores_case(built_in) ? PA_MADE_PATTERN_OF_ANY_CASE : PA_MADE_PATTERN;
}

void
pa_make_constant(Oid function, const List *args, Oid collation)
{
	Oid			built_in = pa_built_in_of_twin(function);
	PaMadeKind	kind = made_kind(built_in);
	const Const *constant = list_nth(args, kind == PA_MADE_ZONE ? pa_zone_argument(built_in) : 1);
	MadeKey		key;

	if (!IsA(constant, Const) || closed == NULL)
		elog(ERROR, "a regular expression or time zone is not known before the rows");
	if (!constant->constisnull && make_key(&key, kind, DatumGetTextPP(constant->constvalue), collation))
		(void) find_or_add(closed, &key);
}

/* --- rows --- */

static MadeTable *
loose_table(void)
{
	if (loose && hash_get_num_entries(loose->entries) >= MAX_LOOSE)
	{
		MemoryContextDelete(loose->context);
		loose = NULL;
	}
	if (loose == NULL)
		loose = make_table(TopMemoryContext);
	return loose;
}

const void *
pa_made_of(PaMadeKind kind, const text *source, Oid collation)
{
	MadeKey		key;
	const Made *found;

	if (!make_key(&key, kind, source, collation))
		return NULL;
	if (closed == NULL)
		return find_or_add(loose_table(), &key);
	found = hash_search(closed->entries, &key, HASH_FIND, NULL);
	if (found == NULL)
		elog(ERROR, "a row reached a regular expression or time zone that was not made before");
	return found->made;
}
