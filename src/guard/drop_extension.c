/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * drop_extension.c
 *		Before the extension is dropped, in whatever way: by name, or by CASCADE of
 *		what it stands on (its schema, a language, what a role owns).
 *
 * What is guarded is the object, not a command: as the first member of the
 * extension is to go, privacct._before_drop() refuses, or closes what would be left
 * open.  An event trigger of an extension does not fire for the extension's own drop,
 * and the extension itself goes after all of its members.
 */
#include "postgres.h"

#include "access/genam.h"
#include "access/htup_details.h"
#include "access/table.h"
#include "catalog/dependency.h"
#include "catalog/indexing.h"
#include "catalog/objectaccess.h"
#include "catalog/pg_depend.h"
#include "catalog/pg_extension.h"
#include "commands/extension.h"
#include "fmgr.h"
#include "miscadmin.h"
#include "utils/fmgroids.h"
#include "utils/snapmgr.h"
#include "utils/syscache.h"

#include "catalog/extension.h"
#include "guard/guard.h"

static object_access_hook_type previous_object_access = NULL;
static bool announced = false;	/* in this command */

/* What the object cannot be without: its extension, or what it is a part of. */
static bool
find_whole(const ObjectAddress *part, ObjectAddress *whole)
{
	Relation	depend = table_open(DependRelationId, AccessShareLock);
	ScanKeyData keys[2];
	SysScanDesc scan;
	HeapTuple	tuple;
	bool		found = false;

	ScanKeyInit(&keys[0], Anum_pg_depend_classid, BTEqualStrategyNumber, F_OIDEQ, ObjectIdGetDatum(part->classId));
	ScanKeyInit(&keys[1], Anum_pg_depend_objid, BTEqualStrategyNumber, F_OIDEQ, ObjectIdGetDatum(part->objectId));
	scan = systable_beginscan(depend, DependDependerIndexId, true, NULL, lengthof(keys), keys);
	while (!found && HeapTupleIsValid(tuple = systable_getnext(scan)))
	{
		Form_pg_depend row = (Form_pg_depend) GETSTRUCT(tuple);

		found = row->objsubid == 0 && row->refobjsubid == 0 &&
			(row->deptype == DEPENDENCY_EXTENSION || row->deptype == DEPENDENCY_INTERNAL);
		if (found)
			ObjectAddressSet(*whole, row->refclassid, row->refobjid);
	}
	systable_endscan(scan);
	table_close(depend, AccessShareLock);
	return found;
}

/* Members, and their parts that are not dropped without them, such as the rule of a view. */
static bool
goes_with_extension(Oid class, Oid object, Oid extension)
{
	ObjectAddress address;

	ObjectAddressSet(address, class, object);
	while (address.classId != ExtensionRelationId && find_whole(&address, &address))
		CHECK_FOR_INTERRUPTS();
	return address.classId == ExtensionRelationId && address.objectId == extension;
}

static Oid
owner_of_extension(Oid extension)
{
	Relation	extensions = table_open(ExtensionRelationId, AccessShareLock);
	ScanKeyData key;
	SysScanDesc scan;
	HeapTuple	tuple;
	Oid			owner = InvalidOid;

	ScanKeyInit(&key, Anum_pg_extension_oid, BTEqualStrategyNumber, F_OIDEQ, ObjectIdGetDatum(extension));
	scan = systable_beginscan(extensions, ExtensionOidIndexId, true, NULL, 1, &key);
	if (HeapTupleIsValid(tuple = systable_getnext(scan)))
		owner = ((Form_pg_extension) GETSTRUCT(tuple))->extowner;
	systable_endscan(scan);
	table_close(extensions, AccessShareLock);
	return owner;
}

/* Whoever drops what the extension stands on need not be able to read its tables. */
static void
before_drop(Oid extension)
{
	Oid			function = pa_own_function("_before_drop", 0, NULL);
	Oid			user;
	int			context;

	GetUserIdAndSecContext(&user, &context);
	SetUserIdAndSecContext(owner_of_extension(extension), context | SECURITY_LOCAL_USERID_CHANGE);
	PushActiveSnapshot(GetTransactionSnapshot());
	(void) OidFunctionCall0(function);
	PopActiveSnapshot();
	SetUserIdAndSecContext(user, context);	/* an error restores them too */
}

/* Not what PostgreSQL drops when it writes a table anew, and not by a script of the extension, which drops members of its own. */
static bool
is_command(const ObjectAccessDrop *drop)
{
	return (drop->dropflags & PERFORM_DELETION_INTERNAL) == 0 && !pa_in_own_script() && !IsBootstrapProcessingMode();
}

static void
object_access(ObjectAccessType access, Oid class, Oid object, int subobject, void *arg)
{
	Oid			extension;

	if (previous_object_access)
		previous_object_access(access, class, object, subobject, arg);
	if (access != OAT_DROP || subobject != 0 || announced || !is_command(arg) || !OidIsValid(pa_schema()))
		return;
	extension = get_extension_oid(PA_EXTENSION, true);
	if (!OidIsValid(extension) || !goes_with_extension(class, object, extension))
		return;
	announced = true;
	before_drop(extension);
}

bool
pa_drop_begins(void)
{
	bool		before = announced;

	announced = false;
	return before;
}

void
pa_drop_ends(bool before)
{
	announced = before;
}

void
pa_drop_extension_init(void)
{
	previous_object_access = object_access_hook;
	object_access_hook = object_access;
}
