/*
 * size_limits.h
 *		How large a thing may be that a guarded query works on.
 */
#ifndef PA_SIZE_LIMITS_H
#define PA_SIZE_LIMITS_H

/* Longer constants are refused in a block, longer parameters are NULL there. */
#define PA_MAX_PARAMETER_BYTES 1000
#define PA_MAX_ARRAY_BYTES (256 * 1024)

/* Longer lists of IN and ANY are refused. */
#define PA_MAX_LIST 10000

/* Longer texts are NULL where a function would make a copy that can grow. */
#define PA_MAX_TEXT_BYTES (1024 * 1024)

/* Longer numerics are NULL in arithmetic. */
#define PA_MAX_NUMERIC_BYTES 2048

/* A LIKE pattern with more wildcards matches like NULL. */
#define PA_MAX_WILDCARDS 100

/* Joins with public tables turn one protected row into at most so many. */
#define PA_MAX_FANOUT 64

#endif							/* PA_SIZE_LIMITS_H */
