/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * rights.h
 *		Who owns an object, and who may call it: since 16, one function for all classes.
 */
#ifndef PA_COMPAT_RIGHTS_H
#define PA_COMPAT_RIGHTS_H

#include "compat/version.h"

#include "catalog/pg_class.h"
#include "catalog/pg_database.h"
#include "catalog/pg_extension.h"
#include "catalog/pg_namespace.h"
#include "catalog/pg_proc.h"
#include "catalog/pg_publication.h"
#include "catalog/pg_type.h"
#include "utils/acl.h"

static inline bool
pa_owns_object(Oid class, Oid object, Oid user)
{
#if PG_VERSION_NUM >= 160000
	return object_ownercheck(class, object, user);
#else
	switch (class)
	{
		case RelationRelationId:
			return pg_class_ownercheck(object, user);
		case NamespaceRelationId:
			return pg_namespace_ownercheck(object, user);
		case DatabaseRelationId:
			return pg_database_ownercheck(object, user);
		case ExtensionRelationId:
			return pg_extension_ownercheck(object, user);
		case PublicationRelationId:
			return pg_publication_ownercheck(object, user);
		case TypeRelationId:
			return pg_type_ownercheck(object, user);
		default:
			elog(ERROR, "owners of class %u are not asked for", class);
	}
#endif
}

static inline bool
pa_may_execute(Oid function, Oid user)
{
#if PG_VERSION_NUM >= 160000
	return object_aclcheck(ProcedureRelationId, function, user, ACL_EXECUTE) == ACLCHECK_OK;
#else
	return pg_proc_aclcheck(function, user, ACL_EXECUTE) == ACLCHECK_OK;
#endif
}

#endif							/* PA_COMPAT_RIGHTS_H */
