/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * timeline.c
 *		See timeline.h.
 */
#include "postgres.h"

#include "access/timeline.h"
#include "access/xlog.h"
#include "access/xlog_internal.h"
#include "fmgr.h"
#include "storage/fd.h"

#include "catalog/timeline.h"
#include "settings.h"

#define FIRST_TIMELINE 1		/* of a new cluster */
#define LINE_BYTES 1024			/* of a history file; a reason holds the name of a restore point at most */

/* What PostgreSQL writes where recovery ended because it was told to, or found no more. */
#define NO_TARGET "no recovery target specified"

/* Whether the line says that "timeline" or a later one was left without a target. */
static bool
was_promoted(const char *line, TimeLineID *left)
{
	uint32		high;
	uint32		low;
	int			reason = 0;

	*left = 0;
	return sscanf(line, "%u\t%X/%X\t%n", left, &high, &low, &reason) == 3 && reason > 0 &&
		strncmp(line + reason, NO_TARGET, strlen(NO_TARGET)) == 0;
}

/* Whether all that came after the timeline were promotions, of which it is the history. */
static bool
only_promoted_since(FILE *history, TimeLineID timeline)
{
	char		line[LINE_BYTES];
	bool		found = false;

	while (fgets(line, sizeof(line), history) != NULL)
	{
		TimeLineID	left;
		bool		promoted = was_promoted(line, &left);

		if (left >= timeline && !promoted)
			return false;
		found = found || left == timeline;
	}
	return found;
}

/* A history that is not there, or cannot be read, vouches for nothing. */
static bool
is_promoted(TimeLineID timeline, TimeLineID now)
{
	char		path[MAXPGPATH];
	FILE	   *history;
	bool		promoted;

	TLHistoryFilePath(path, now);
	history = AllocateFile(path, "r");
	if (history == NULL)
		return false;
	promoted = only_promoted_since(history, timeline);
	FreeFile(history);
	return promoted;
}

bool
pa_timeline_is_followed(uint64 cluster, TimeLineID timeline)
{
	TimeLineID	now;

	if (RecoveryInProgress())
		return true;
	if (cluster != GetSystemIdentifier())
		timeline = FIRST_TIMELINE;
	now = GetWALInsertionTimeLine();
	return timeline == now || (pa_lossless_promotion && is_promoted(timeline, now));
}

/* _timeline_is_followed(cluster, timeline): boolean; what is not known is not followed */
PG_FUNCTION_INFO_V1(pa_timeline_followed);
PGDLLEXPORT Datum
pa_timeline_followed(PG_FUNCTION_ARGS)
{
	if (PG_ARGISNULL(0) || PG_ARGISNULL(1))
		PG_RETURN_BOOL(false);
	PG_RETURN_BOOL(pa_timeline_is_followed((uint64) PG_GETARG_INT64(0), (TimeLineID) PG_GETARG_INT64(1)));
}

/* _cluster(): bigint, as pg_control_system() tells it */
PG_FUNCTION_INFO_V1(pa_cluster);
PGDLLEXPORT Datum
pa_cluster(PG_FUNCTION_ARGS)
{
	PG_RETURN_INT64((int64) GetSystemIdentifier());
}

/* _timeline(): bigint, null during recovery */
PG_FUNCTION_INFO_V1(pa_timeline);
PGDLLEXPORT Datum
pa_timeline(PG_FUNCTION_ARGS)
{
	if (RecoveryInProgress())
		PG_RETURN_NULL();
	PG_RETURN_INT64(GetWALInsertionTimeLine());
}
