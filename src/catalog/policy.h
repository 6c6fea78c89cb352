/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * policy.h
 *		What the catalog says about protected tables: cached, read-only.
 *
 * The cache is per backend and per table.  Invalidation callbacks only flip a
 * flag; the next look-up reads anew.  What was handed out before stays valid until
 * the end of the transaction, so a caller may keep a pointer for as long as a query
 * runs.  Keys and domain are read when they are first asked for, and live as long
 * as the policy.
 */
#ifndef PA_POLICY_H
#define PA_POLICY_H

#include "postgres.h"

#include "access/attnum.h"
#include "nodes/pg_list.h"

#include "core/accounting/budget.h"
#include "core/bayes/filter.h"
#include "core/noise/kernel.h"

#include "catalog/extension.h"
#include "catalog/protected.h"

#define PA_SECRET_BYTES 32

/*
 * What a policy protects.  Whoever needs to know by which rules asks for them:
 * guard/block_rules.h (what a block may contain), price/unit/unit.h (what noise and
 * price are for).
 */
typedef enum PaRegime
{
	PA_REGIME_CENTRAL,			/* that an owner is there, with rows */
	PA_REGIME_LOCAL,			/* the values of each owner, who has a budget of their own */
	PA_REGIME_ENTRIES,			/* entries of rows that depend on each other: "pufferfish" */
	PA_REGIMES
} PaRegime;

/* Declared clamps of a column; dates in days, timestamps in seconds since 2000-01-01. */
typedef struct PaBound
{
	AttrNumber	attnum;
	bool		of_rows;		/* each value: */
	double		lo;
	double		hi;
	bool		of_owners;		/* the sum of an owner in a group: */
	double		owner_lo;
	double		owner_hi;
} PaBound;

/* Declared public values of a column, in the column's type. */
typedef struct PaKeys
{
	AttrNumber	attnum;
	int			count;
	Datum	   *values;
	bool	   *nulls;
	Size		bytes;			/* of all values together */
} PaKeys;

/* Local and pufferfish regime: the values that a column can have, a list or an interval. */
typedef struct PaDomainColumn
{
	int			position;		/* names the column for good */
	AttrNumber	attnum;			/* InvalidAttrNumber: the column is missing */
	Oid			type;
	bool		listed;
	int			count;			/* listed: the values, in the column's type */
	Datum	   *values;
	bool	   *nulls;
	double	   *prior;			/* NULL: all alike */
	double		lo;				/* the interval; of a list of numbers, what contains it */
	double		hi;				/* lo > hi: not numbers */
} PaDomainColumn;

typedef struct PaPolicy
{
	int64		policy_id;
	int64		unit;			/* whose books pay: a privacy unit of several tables, or this policy; equal units
								 * are one promise for each owner */
	Oid			relation;		/* root of the protected tree */
	PaRegime	regime;
	AttrNumber	owner_attnum;	/* InvalidAttrNumber: see pa_require_owner_column(); or the owner is found by a path */
	Oid			owner_type;
	bool		null_owners;	/* the owner column, or a column of the path, may be null: such rows belong to nobody */
	List	   *path;			/* attribute numbers: columns of a foreign key that leads to the owner (owner_path.h) ... */
	Oid			path_to;		/* ... by way of this table of the unit; InvalidOid: the owner column is here */
	List	   *path_keys;		/* attribute numbers there: what each of the columns refers to */
	List	   *referred;		/* keys of this table that other paths refer to (referred_keys.h) */
	PaAccountant accountant;
	PaKernelKind kernel;		/* default noise */
	uint32		kernels;		/* noise that may be used: PA_KERNEL_BIT of each kind */
	double		sample_rate;	/* of owners, for every release; 1: all */
	double		delta;			/* that releases may cost together; 0 when none */
	int			max_groups_contributed;
	int			max_rows_contributed;
	int			min_owners;
	uint8		secret[PA_SECRET_BYTES];
	List	   *bounds;			/* of PaBound */
	List	   *keys;			/* of PaKeys; see pa_policy_keys() */
	PaFilter	filter;			/* local regime: who may be asked */
	int			answer_group;	/* linear and logistic answers bounded together; 0: all */
	List	   *domain;			/* of PaDomainColumn, by position; see pa_policy_domains() */
	List	   *public_columns; /* attribute numbers */
	int			version;		/* pufferfish regime, where the one column with a domain holds the entries: of its priors */
	int64		max_entries;	/* no owner has more rows; 0: no limit */
	PaAmount	floor;			/* the least cost of a release, in the currency of the accountant; 0 under a plan */
	int64		time_grid;		/* microseconds; 0: none */
	double		time_epsilon;	/* what the time of a release costs; 0: no noise on time */
	double		time_delta;		/* that it may cost at most, beside */
	int			workers;		/* that each release asks for */
	int64		repeat_age;		/* microseconds for which a release may be repeated; 0: none is */
	bool		repeats_shared; /* to all roles; else to the one that asked */
	bool		repeats_unchanged;	/* while the edition lasts that a release is of */
	int64		edition;		/* of the table, while nobody may write to it; 0: it may be written to */
	/* of the cache alone: */
	MemoryContext context;		/* that holds all of this */
	AttrNumber	wanted_keys;	/* being read */
	bool		domain_is_read;
} PaPolicy;

/* Registers invalidation callbacks; called from _PG_init. */
extern void pa_policy_init(void);

/* The policy declared for exactly this relation, or NULL. */
extern const PaPolicy *pa_policy_of(Oid relation);

/* The policy that covers the relation: its own or that of an ancestor; or NULL. */
extern const PaPolicy *pa_policy_covering(Oid relation);

/* Errors out if the column that the policy was made for is not there, or not what it was. */
extern void pa_require_owner_column(const PaPolicy *policy);

/* NULL: none are declared for the column. */
extern const PaBound *pa_policy_bound(const PaPolicy *policy, AttrNumber attnum);
extern const PaKeys *pa_policy_keys(const PaPolicy *policy, AttrNumber attnum);

/* Local and pufferfish regime: the columns with domains, PaDomainColumn by position. */
extern List *pa_policy_domains(const PaPolicy *policy);
extern const PaDomainColumn *pa_policy_domain(const PaPolicy *policy, AttrNumber attnum);

/*
 * The role whose quota of the unit pays for what the user asks: the user's own quota, else
 * the first (by OID) of a role whose privileges the user has; InvalidOid if
 * there is none.  Read from the table now, not from the cache.
 */
extern Oid	pa_policy_payer(const PaPolicy *policy, Oid user);

/* True if the user can act as a role that has a quota of the unit.  Read from the table now. */
extern bool pa_policy_is_asked_by(const PaPolicy *policy, Oid user);

/* True if the user may read the relation as it is: its owner or a superuser. */
extern bool pa_reads_raw(Oid relation, Oid user);

extern Oid	pa_table_owner(Oid relation);

/* Whether releases are kept to be repeated. */
static inline bool
pa_policy_repeats(const PaPolicy *policy)
{
	return policy->repeat_age > 0 || policy->repeats_unchanged;
}

/* How many columns it has, dropped ones included; 0 if it is gone. */
extern int	pa_table_columns(Oid relation);

#define PA_READER_ROLE "privacct_reader"

/* The NOLOGIN role that alone may read protected tables, through a guarded block. */
extern Oid	pa_reader_role(void);

#endif							/* PA_POLICY_H */
