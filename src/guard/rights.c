/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * rights.c
 *		Whether a command may be given is asked before a lock is taken for it.
 *
 * Most commands of PostgreSQL look at rights first.  Some lock a table and then refuse:
 * to anybody who knows its name, waiting for the lock shows whether others write to
 * it, and so which partition a row went to, or which table it refers to; and everybody
 * else waits behind.  These are refused here as PostgreSQL would refuse them, without
 * a lock; what it refuses for other reasons it still refuses itself.  What else a
 * command would lock, of whoever has the right to it, is found in locks.c.
 */
#include "postgres.h"

#include "access/xact.h"
#include "compat/rights.h"
#include "catalog/objectaddress.h"
#include "catalog/pg_type_d.h"
#include "commands/extension.h"
#include "miscadmin.h"
#include "nodes/makefuncs.h"
#include "nodes/parsenodes.h"
#include "parser/parse_type.h"
#include "utils/acl.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"

#include "catalog/dependencies.h"
#include "catalog/extension.h"
#include "catalog/foundation.h"
#include "catalog/protected.h"
#include "guard/guard.h"
#include "guard/named.h"

static List *
names_of(const RangeVar *name)
{
	List	   *names = list_make1(makeString(name->relname));

	return name->schemaname ? lcons(makeString(name->schemaname), names) : names;
}

static void
refuse(AclResult result, Oid relation, const RangeVar *name)
{
	aclcheck_error(result, get_relkind_objtype(get_rel_relkind(relation)), name->relname);
}

static void
require_owner(const RangeVar *name)
{
	Oid			relation = pa_relation_of(name);

	if (OidIsValid(relation) && !pa_owns_object(RelationRelationId, relation, GetUserId()))
		refuse(ACLCHECK_NOT_OWNER, relation, name);
}

static void
require_owners(const List *names)
{
	const ListCell *cell;

	foreach(cell, names)
		require_owner(lfirst(cell));
}

/* For the table, or for a column of it: PostgreSQL looks which. */
static void
require_privilege(const RangeVar *name, AclMode privilege)
{
	Oid			relation = pa_relation_of(name);

	if (OidIsValid(relation) && pg_class_aclcheck(relation, GetUserId(), privilege) != ACLCHECK_OK &&
		pg_attribute_aclcheck_all(relation, GetUserId(), privilege, ACLMASK_ANY) != ACLCHECK_OK)
		refuse(ACLCHECK_NO_PRIV, relation, name);
}

/* --- what a table is made of --- */

static void
check_constraint(const Constraint *constraint)
{
	if (constraint->contype == CONSTR_FOREIGN)
		require_privilege(constraint->pktable, ACL_REFERENCES);
}

/* A column, with its constraints, or a constraint of the table. */
static void
check_element(const Node *element)
{
	ListCell   *cell;

	if (element && IsA(element, Constraint))
		check_constraint((const Constraint *) element);
	if (element && IsA(element, ColumnDef))
		foreach(cell, ((const ColumnDef *) element)->constraints)
			check_constraint(lfirst(cell));
}

static void
check_create(const CreateStmt *statement)
{
	ListCell   *cell;

	require_owners(statement->inhRelations);
	foreach(cell, statement->tableElts)
		check_element(lfirst(cell));
}

/* Others may own a partition of one's table; but it has to be one. */
static void
check_detached(const RangeVar *parent, const RangeVar *partition)
{
	if (!list_member_oid(pa_parents(pa_relation_of(partition)), pa_relation_of(parent)))
		require_owner(partition);
}

static void
check_alter(const AlterTableStmt *statement)
{
	ListCell   *cell;

	foreach(cell, statement->cmds)
	{
		const AlterTableCmd *command = lfirst(cell);

		switch (command->subtype)
		{
			case AT_AddColumn:
			case AT_AddConstraint:
				check_element(command->def);
				break;
			case AT_AddInherit:
				require_owner((const RangeVar *) command->def);
				break;
			case AT_AttachPartition:
				require_owner(((const PartitionCmd *) command->def)->name);
				break;
			case AT_DetachPartition:
				check_detached(statement->relation, ((const PartitionCmd *) command->def)->name);
				break;
			default:
				break;
		}
	}
}

/* --- what is said of a table --- */

static void
check_published(const List *objects)
{
	const ListCell *cell;

	foreach(cell, objects)
	{
		const PublicationObjSpec *object = lfirst(cell);

		if (object->pubtable)
			require_owner(object->pubtable->relation);
	}
}

/* --- types of columns --- */

/*
 * Its owner may change a type, but where a protected table rests on it PostgreSQL then
 * locks and reads that: this is for who may read it anyway.
 */
static void
require_type(const TypeName *name)
{
	Oid			type = LookupTypeNameOid(NULL, name, true);
	ObjectAddress address;
	ListCell   *cell;

	if (!OidIsValid(type) || !pa_policies_exist())
		return;
	ObjectAddressSet(address, TypeRelationId, type);
	foreach(cell, pa_tables_resting_on(list_make1(&address)))
	{
		if (!OidIsValid(pa_protected_root(lfirst_oid(cell))) || pa_is_trusted_with(GetUserId(), lfirst_oid(cell)))
			continue;
		if (!pa_owns_object(TypeRelationId, type, GetUserId()))
			aclcheck_error_type(ACLCHECK_NOT_OWNER, type);
		ereport(ERROR,
				errcode(ERRCODE_INSUFFICIENT_PRIVILEGE),
				errmsg("permission denied for type %s", format_type_be(type)),
				errdetail("The protected table \"%s\" rests on it: only roles with the privileges of the owner of the table may change it.", get_rel_name(lfirst_oid(cell))),
				errhint("The owner of the table finds what mends it with SELECT * FROM privacct.check_books()."));
	}
}

static void
require_types(ObjectType kind, const List *names)
{
	const ListCell *cell;

	if (kind == OBJECT_TYPE || kind == OBJECT_DOMAIN)
		foreach(cell, names)
			require_type(lfirst_node(TypeName, cell));
}

static void
check_renamed(const RenameStmt *statement)
{
	if (statement->renameType == OBJECT_TYPE || statement->renameType == OBJECT_DOMAIN || statement->renameType == OBJECT_DOMCONSTRAINT)
		require_type(makeTypeNameFromNameList(castNode(List, statement->object)));
	else if (statement->renameType == OBJECT_ATTRIBUTE)
		require_type(makeTypeNameFromNameList(names_of(statement->relation)));
}

/* ALTER TYPE of a composite type, which is a kind of relation. */
static void
check_altered_type(const AlterTableStmt *statement)
{
	if (statement->objtype == OBJECT_TYPE)
		require_type(makeTypeNameFromNameList(names_of(statement->relation)));
}

/* --- extensions --- */

static bool
names_extension(const List *names, const char *extension)
{
	const ListCell *cell;

	foreach(cell, names)
		if (strcmp(strVal(lfirst(cell)), extension) == 0)
			return true;
	return false;
}

/* Whether a command is about an extension; also one that lets an object depend on it. */
static bool
is_about_extension(const Node *statement, const char *extension)
{
	switch (nodeTag(statement))
	{
		case T_AlterExtensionStmt:
			return strcmp(((const AlterExtensionStmt *) statement)->extname, extension) == 0;
		case T_AlterExtensionContentsStmt:
			return strcmp(((const AlterExtensionContentsStmt *) statement)->extname, extension) == 0;
		case T_AlterObjectDependsStmt:
			return strcmp(strVal(((const AlterObjectDependsStmt *) statement)->extname), extension) == 0;
		case T_AlterObjectSchemaStmt:
			return ((const AlterObjectSchemaStmt *) statement)->objectType == OBJECT_EXTENSION &&
				strcmp(strVal(((const AlterObjectSchemaStmt *) statement)->object), extension) == 0;
		case T_CommentStmt:
			return ((const CommentStmt *) statement)->objtype == OBJECT_EXTENSION &&
				strcmp(strVal(((const CommentStmt *) statement)->object), extension) == 0;
		case T_DropStmt:
			return ((const DropStmt *) statement)->removeType == OBJECT_EXTENSION &&
				names_extension(((const DropStmt *) statement)->objects, extension);
		default:
			return false;
	}
}

/* Charges lock it; PostgreSQL asks for no right to let something depend on it. */
static void
require_own_extension(const Node *statement)
{
	if (is_about_extension(statement, PA_EXTENSION) &&
		!pa_owns_object(ExtensionRelationId, get_extension_oid(PA_EXTENSION, false), GetUserId()))
		aclcheck_error(ACLCHECK_NOT_OWNER, OBJECT_EXTENSION, PA_EXTENSION);
}

void
pa_require_rights(const Node *statement)
{
	if (!IsTransactionState() || superuser() || !OidIsValid(pa_schema()))
		return;
	require_own_extension(statement);
	switch (nodeTag(statement))
	{
		case T_RuleStmt:
			require_owner(((const RuleStmt *) statement)->relation);
			break;
		case T_CreateTrigStmt:
			require_privilege(((const CreateTrigStmt *) statement)->relation, ACL_TRIGGER);
			require_privilege(((const CreateTrigStmt *) statement)->constrrel, ACL_TRIGGER);
			break;
		case T_CreateStatsStmt:
			require_owners(((const CreateStatsStmt *) statement)->relations);
			break;
		case T_CommentStmt:
			require_owner(pa_relation_in_name(((const CommentStmt *) statement)->objtype, ((const CommentStmt *) statement)->object));
			break;
		case T_SecLabelStmt:
			require_owner(pa_relation_in_name(((const SecLabelStmt *) statement)->objtype, ((const SecLabelStmt *) statement)->object));
			break;
		case T_AlterExtensionContentsStmt:
			require_owner(pa_relation_in_name(((const AlterExtensionContentsStmt *) statement)->objtype, ((const AlterExtensionContentsStmt *) statement)->object));
			break;
		case T_CreateStmt:
			check_create((const CreateStmt *) statement);
			break;
		case T_CreateForeignTableStmt:
			check_create(&((const CreateForeignTableStmt *) statement)->base);
			break;
		case T_AlterDomainStmt:
			require_type(makeTypeNameFromNameList(((const AlterDomainStmt *) statement)->typeName));
			break;
		case T_AlterEnumStmt:
			require_type(makeTypeNameFromNameList(((const AlterEnumStmt *) statement)->typeName));
			break;
		case T_AlterTypeStmt:
			require_type(makeTypeNameFromNameList(((const AlterTypeStmt *) statement)->typeName));
			break;
		case T_RenameStmt:
			check_renamed((const RenameStmt *) statement);
			break;
		case T_DropStmt:
			require_types(((const DropStmt *) statement)->removeType, ((const DropStmt *) statement)->objects);
			break;
		case T_AlterTableStmt:
			check_altered_type((const AlterTableStmt *) statement);
			check_alter((const AlterTableStmt *) statement);
			break;
		case T_AlterObjectDependsStmt:
			require_owner(((const AlterObjectDependsStmt *) statement)->relation);
			break;
		case T_CreatePublicationStmt:
			check_published(((const CreatePublicationStmt *) statement)->pubobjects);
			break;
		case T_AlterPublicationStmt:
			check_published(((const AlterPublicationStmt *) statement)->pubobjects);
			break;
		default:
			break;
	}
}
