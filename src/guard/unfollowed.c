/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * unfollowed.c
 *		Commands that event triggers would hear of, where none fires.
 *
 * What a table was called and whose rows it has, who may read it, what is a part of it:
 * event triggers watch that, and nobody can tell afterwards what happened without them.
 * So where they do not fire, in single-user mode and, since 17, under event_triggers = off,
 * such commands are refused.  Which they are PostgreSQL itself says; those that repair an
 * event trigger are not among them.  A setting may change within a command, whose triggers
 * fire at its end: it is looked at then, too.
 */
#include "postgres.h"

#include "miscadmin.h"
#include "tcop/cmdtag.h"
#include "tcop/utility.h"
#include "utils/guc.h"

#include "catalog/extension.h"
#include "errors.h"
#include "guard/guard.h"

static bool
switched_off(void)
{
	const char *setting = GetConfigOption("event_triggers", true, false);

	return setting != NULL && strcmp(setting, "off") == 0;
}

void
pa_refuse_unfollowed(Node *statement)
{
	CommandTag	tag;

	if (IsUnderPostmaster && !switched_off())
		return;
	tag = CreateCommandTag(statement);
	if (!command_tag_event_trigger_ok(tag) || !OidIsValid(pa_schema()))
		return;
	ereport(ERROR,
			errcode(ERRCODE_PA_INVALID_POLICY),
			errmsg("%s is refused where no event triggers fire", GetCommandTagName(tag)),
			errdetail("In this database they follow what becomes of protected tables, and of what these have spent."),
			IsUnderPostmaster ?
			errhint("SET event_triggers = on. To get around an event trigger that fails, use ALTER EVENT TRIGGER ... DISABLE.") :
			errhint("Start the server, and use a session of it."));
}
