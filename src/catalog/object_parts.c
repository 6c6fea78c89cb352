/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * object_parts.c
 *		See object_parts.h.
 */
#include "postgres.h"

#include "access/htup_details.h"
#include "catalog/pg_attrdef.h"
#include "catalog/pg_constraint.h"
#include "catalog/pg_policy.h"
#include "catalog/pg_rewrite.h"
#include "catalog/pg_statistic_ext.h"
#include "catalog/pg_trigger.h"

#include "catalog/dependencies.h"
#include "catalog/object_parts.h"

static Oid
constraint_table(HeapTuple tuple)
{
	return ((Form_pg_constraint) GETSTRUCT(tuple))->conrelid;
}

static Oid
constraint_referenced(HeapTuple tuple)
{
	return ((Form_pg_constraint) GETSTRUCT(tuple))->confrelid;
}

static Oid
trigger_table(HeapTuple tuple)
{
	return ((Form_pg_trigger) GETSTRUCT(tuple))->tgrelid;
}

static Oid
default_table(HeapTuple tuple)
{
	return ((Form_pg_attrdef) GETSTRUCT(tuple))->adrelid;
}

static Oid
rule_table(HeapTuple tuple)
{
	return ((Form_pg_rewrite) GETSTRUCT(tuple))->ev_class;
}

static Oid
policy_table(HeapTuple tuple)
{
	return ((Form_pg_policy) GETSTRUCT(tuple))->polrelid;
}

static Oid
statistics_table(HeapTuple tuple)
{
	return ((Form_pg_statistic_ext) GETSTRUCT(tuple))->stxrelid;
}

static const struct
{
	Oid			class;
	Oid			index;
	AttrNumber	oid;
	Oid			(*relation) (HeapTuple);
}			parts[] = {
	{ConstraintRelationId, ConstraintOidIndexId, Anum_pg_constraint_oid, constraint_table},
	{ConstraintRelationId, ConstraintOidIndexId, Anum_pg_constraint_oid, constraint_referenced},
	{TriggerRelationId, TriggerOidIndexId, Anum_pg_trigger_oid, trigger_table},
	{AttrDefaultRelationId, AttrDefaultOidIndexId, Anum_pg_attrdef_oid, default_table},
	{RewriteRelationId, RewriteOidIndexId, Anum_pg_rewrite_oid, rule_table},
	{PolicyRelationId, PolicyOidIndexId, Anum_pg_policy_oid, policy_table},
	{StatisticExtRelationId, StatisticExtOidIndexId, Anum_pg_statistic_ext_oid, statistics_table},
};

List *
pa_relations_of_part(Oid class, Oid object)
{
	List	   *relations = NIL;

	for (int i = 0; i < lengthof(parts); i++)
	{
		ListCell   *cell;

		if (parts[i].class != class)
			continue;
		foreach(cell, pa_catalog_oids(class, parts[i].index, parts[i].oid, object, parts[i].relation))
			if (OidIsValid(lfirst_oid(cell)))	/* constraints may be those of a domain, or no foreign keys */
				relations = list_append_unique_oid(relations, lfirst_oid(cell));
	}
	return relations;
}
