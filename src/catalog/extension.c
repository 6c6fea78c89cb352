/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * extension.c
 *		See extension.h.
 */
#include "postgres.h"

#include "access/genam.h"
#include "access/htup_details.h"
#include "access/table.h"
#include "access/transam.h"
#include "catalog/dependency.h"
#include "catalog/indexing.h"
#include "catalog/namespace.h"
#include "catalog/pg_class.h"
#include "catalog/pg_extension.h"
#include "catalog/pg_language.h"
#include "catalog/pg_proc.h"
#include "commands/extension.h"
#include "utils/builtins.h"
#include "utils/fmgroids.h"
#include "utils/guc.h"
#include "utils/lsyscache.h"
#include "utils/rel.h"
#include "utils/syscache.h"

#include "catalog/extension.h"
#include "errors.h"

/* What was found out about the relation privacct.policy. */
static struct
{
	Oid			policy;			/* the relation that was looked at */
	Oid			extension;		/* that it is a member of; InvalidOid: not of ours */
	bool		version_fits;
}			known;

static char *loaded_version = PA_EXTVERSION;

void
pa_extension_init(void)
{
	DefineCustomStringVariable("privacct.loaded_version", "Version of the library that the server has loaded.",
							   NULL, &loaded_version, PA_EXTVERSION, PGC_INTERNAL, GUC_NOT_IN_SAMPLE,
							   NULL, NULL, NULL);
}

/* A relation of that name stays what it is for as long as it has its OID. */
static void
get_to_know(Oid policy)
{
	Oid			extension = get_extension_oid(PA_EXTENSION, true);

	if (!OidIsValid(extension) || getExtensionOfObject(RelationRelationId, policy) != extension)
		extension = InvalidOid;
	known.policy = policy;
	known.extension = extension;
	known.version_fits = false;
}

Oid
pa_schema(void)
{
	Oid			schema = get_namespace_oid(PA_EXTENSION, true);
	Oid			policy = OidIsValid(schema) ? get_relname_relid("policy", schema) : InvalidOid;

	if (!OidIsValid(policy))
		return InvalidOid;
	if (policy != known.policy)
		get_to_know(policy);
	return OidIsValid(known.extension) ? schema : InvalidOid;
}

Oid
pa_catalog_relation(const char *name)
{
	Oid			schema = pa_schema();

	return OidIsValid(schema) ? get_relname_relid(name, schema) : InvalidOid;
}

bool
pa_is_own_function(Oid function)
{
	Oid			schema = pa_schema();

	return OidIsValid(schema) && get_func_namespace(function) == schema &&
		getExtensionOfObject(ProcedureRelationId, function) == known.extension;
}

bool
pa_runs_others_code(Oid function)
{
	HeapTuple	tuple;
	Oid			language;

	if (function < FirstUnpinnedObjectId)
		return false;
	tuple = SearchSysCache1(PROCOID, ObjectIdGetDatum(function));
	if (!HeapTupleIsValid(tuple))
		return true;
	language = ((Form_pg_proc) GETSTRUCT(tuple))->prolang;
	ReleaseSysCache(tuple);
	return language != INTERNALlanguageId && language != ClanguageId && !pa_is_own_function(function);
}

bool
pa_in_own_script(void)
{
	return creating_extension && CurrentExtensionObject == get_extension_oid(PA_EXTENSION, true);
}

bool
pa_is_own_object(Oid catalog, Oid object)
{
	return OidIsValid(pa_schema()) && getExtensionOfObject(catalog, object) == known.extension;
}

Oid
pa_find_own_function(const char *name, int nargs, const Oid *args)
{
	Oid			schema = pa_schema();
	Oid			function;

	if (!OidIsValid(schema))
		return InvalidOid;
	function = GetSysCacheOid3(PROCNAMEARGSNSP, Anum_pg_proc_oid, CStringGetDatum(name),
							   PointerGetDatum(buildoidvector(args, nargs)), ObjectIdGetDatum(schema));
	return OidIsValid(function) && pa_is_own_function(function) ? function : InvalidOid;
}

Oid
pa_own_function(const char *name, int nargs, const Oid *args)
{
	Oid			function = pa_find_own_function(name, nargs, args);

	if (!OidIsValid(function))
		ereport(ERROR,
				errcode(ERRCODE_UNDEFINED_FUNCTION),
				errmsg("function privacct.%s is missing", name),
				errdetail("It is not, or is no longer, a member of the extension with the signature that the library expects."),
				errhint("Update the extension with ALTER EXTENSION privacct UPDATE."));
	return function;
}

/* As text; NULL where the extension is not installed. */
static char *
installed_version(void)
{
	Relation	rel = table_open(ExtensionRelationId, AccessShareLock);
	ScanKeyData key;
	SysScanDesc scan;
	HeapTuple	tuple;
	char	   *version = NULL;

	ScanKeyInit(&key, Anum_pg_extension_extname, BTEqualStrategyNumber, F_NAMEEQ, CStringGetDatum(PA_EXTENSION));
	scan = systable_beginscan(rel, ExtensionNameIndexId, true, NULL, 1, &key);
	if (HeapTupleIsValid(tuple = systable_getnext(scan)))
	{
		bool		isnull;

		version = TextDatumGetCString(heap_getattr(tuple, Anum_pg_extension_extversion, RelationGetDescr(rel), &isnull));
	}
	systable_endscan(scan);
	table_close(rel, AccessShareLock);
	return version;
}

void
pa_require_version(void)
{
	char	   *installed;

	if (OidIsValid(pa_schema()) && known.version_fits)
		return;
	installed = installed_version();
	if (installed == NULL || strcmp(installed, PA_EXTVERSION) != 0)
		ereport(ERROR,
				errcode(ERRCODE_PA_LEDGER_UNAVAILABLE),
				errmsg("privacct cannot be used in this database"),
				errdetail("The server has loaded the library of version %s, the extension is of version %s.",
						  PA_EXTVERSION, installed ? installed : "(none)"),
				errhint("Run ALTER EXTENSION privacct UPDATE as a superuser, or restart the server with the other library."));
	known.version_fits = true;
}
