/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * accountants.c
 *		privacct._accountants(), _currency(), _default_kernel(), _spent(), _cap(),
 *		_worth(): the rows of accountants and of currencies, for SQL.
 */
#include "postgres.h"

#include <math.h>

#include "catalog/pg_type.h"
#include "fmgr.h"
#include "utils/array.h"
#include "utils/builtins.h"

#include "core/accounting/accountant.h"
#include "amount.h"

#define LARGEST_SPENT 1e9		/* the largest amount that is converted */

typedef struct Property
{
	const char *name;
	bool		(*has) (const PaAccountantForm *form);
} Property;

static bool
is_any(const PaAccountantForm *form)
{
	return true;
}

/* A promise without a delta can be kept. */
static bool
is_pure(const PaAccountantForm *form)
{
	return !pa_currency_is_converted(form->currency);
}

static bool
is_planned(const PaAccountantForm *form)
{
	return form->counts_uses;
}

static const Property properties[] = {
	{"any", is_any},
	{"pure", is_pure},
	{"planned", is_planned}
};

/* _accountants(property): names */
PG_FUNCTION_INFO_V1(pa_accountants);
PGDLLEXPORT Datum
pa_accountants(PG_FUNCTION_ARGS)
{
	char	   *property = text_to_cstring(PG_GETARG_TEXT_PP(0));
	Datum		names[PA_ACCOUNTANTS];
	int			count = 0;

	for (int i = 0; i < lengthof(properties); i++)
	{
		if (strcmp(property, properties[i].name) != 0)
			continue;
		for (int accountant = 0; accountant < PA_ACCOUNTANTS; accountant++)
			if (properties[i].has(pa_accountant((PaAccountant) accountant)))
				names[count++] = CStringGetTextDatum(pa_accountant((PaAccountant) accountant)->name);
		PG_RETURN_ARRAYTYPE_P(construct_array(names, count, TEXTOID, -1, false, TYPALIGN_INT));
	}
	ereport(ERROR,
			errcode(ERRCODE_INVALID_PARAMETER_VALUE),
			errmsg("accountants have no such property"),
			errhint("Use any, pure or planned."));
}

static const PaAccountantForm *
accountant_of(text *name)
{
	PaAccountant accountant;

	if (!pa_accountant_by_name(text_to_cstring(name), &accountant))
		ereport(ERROR,
				errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				errmsg("unknown accountant"),
				errhint("SELECT privacct._accountants('any') lists them."));
	return pa_accountant(accountant);
}

/* _currency(accountant): name */
PG_FUNCTION_INFO_V1(pa_accountant_currency);
PGDLLEXPORT Datum
pa_accountant_currency(PG_FUNCTION_ARGS)
{
	PG_RETURN_TEXT_P(cstring_to_text(pa_currency(accountant_of(PG_GETARG_TEXT_PP(0))->currency)->name));
}

/* _default_kernel(accountant): name */
PG_FUNCTION_INFO_V1(pa_default_kernel_name);
PGDLLEXPORT Datum
pa_default_kernel_name(PG_FUNCTION_ARGS)
{
	PG_RETURN_TEXT_P(cstring_to_text(pa_kernel_name(accountant_of(PG_GETARG_TEXT_PP(0))->kernel)));
}

/* A nonnegative number of SQL as a double that is not above (below) it. */
static double
to_double(Datum value, double towards)
{
	double		nearest = DatumGetFloat8(DirectFunctionCall1(numeric_float8, value));

	return nearest > 0 ? nextafter(nearest, towards) : nearest;
}

/* Every rounding is towards a smaller cap. */
static Datum
cap_of(const PaCurrencyForm *currency, Datum epsilon, Datum delta)
{
	double		value;
	PaAmount	cap;
	PaStatus	status;

	if (currency->cap == NULL)
		return epsilon;
	status = currency->cap(to_double(epsilon, 0), to_double(delta, 0), &value);
	if (status == PA_OK)
		status = pa_amount_from_double_down(value, &cap);
	if (status != PA_OK)
		ereport(ERROR,
				errcode(ERRCODE_NUMERIC_VALUE_OUT_OF_RANGE),
				errmsg("no %s for these epsilon and delta", currency->name),
				errdetail("The computation reports: %s.", pa_status_text(status)));
	return pa_amount_datum(cap);
}

/* Every rounding is towards a larger loss. */
static Datum
worth_of(const PaCurrencyForm *currency, Datum spent, Datum delta)
{
	double		amount,
				at;
	PaAmount	epsilon;

	if (currency->worth == NULL)
		return spent;
	amount = to_double(spent, INFINITY);
	at = to_double(delta, 0);
	if (!(amount >= 0 && amount <= LARGEST_SPENT && at > 0 && at < 1))
		ereport(ERROR,
				errcode(ERRCODE_NUMERIC_VALUE_OUT_OF_RANGE),
				errmsg("%s or delta is out of range", currency->name));
	if (pa_amount_from_double_up(currency->worth(amount, at), &epsilon) != PA_OK)
		return DirectFunctionCall3(numeric_in, CStringGetDatum("Infinity"), ObjectIdGetDatum(InvalidOid), Int32GetDatum(-1));
	return pa_amount_datum(epsilon);
}

/* _spent(accountant, epsilon, rho): one of the sums, which are in the order of PaCurrency */
PG_FUNCTION_INFO_V1(pa_accountant_spent);
PGDLLEXPORT Datum
pa_accountant_spent(PG_FUNCTION_ARGS)
{
	PaCurrency	currency = accountant_of(PG_GETARG_TEXT_PP(0))->currency;

	if (PG_NARGS() != 1 + PA_CURRENCIES)
		elog(ERROR, "an account has %d sums, not %d", PA_CURRENCIES, PG_NARGS() - 1);
	PG_RETURN_DATUM(PG_GETARG_DATUM(1 + (int) currency));
}

/* _cap(accountant, epsilon, delta): an amount of the currency of the accountant */
PG_FUNCTION_INFO_V1(pa_accountant_cap);
PGDLLEXPORT Datum
pa_accountant_cap(PG_FUNCTION_ARGS)
{
	PG_RETURN_DATUM(cap_of(pa_currency(accountant_of(PG_GETARG_TEXT_PP(0))->currency),
						   PG_GETARG_DATUM(1), PG_GETARG_DATUM(2)));
}

/* _worth(accountant, spent, delta): epsilon */
PG_FUNCTION_INFO_V1(pa_accountant_worth);
PGDLLEXPORT Datum
pa_accountant_worth(PG_FUNCTION_ARGS)
{
	PG_RETURN_DATUM(worth_of(pa_currency(accountant_of(PG_GETARG_TEXT_PP(0))->currency),
							 PG_GETARG_DATUM(1), PG_GETARG_DATUM(2)));
}

/* --- until it is updated, the script of version 0.1 knows rho by name --- */

/* _rho_cap(epsilon, delta) */
PG_FUNCTION_INFO_V1(pa_rho_cap);
PGDLLEXPORT Datum
pa_rho_cap(PG_FUNCTION_ARGS)
{
	PG_RETURN_DATUM(cap_of(pa_currency(PA_CURRENCY_RHO), PG_GETARG_DATUM(0), PG_GETARG_DATUM(1)));
}

/* _zcdp_epsilon(rho, delta) */
PG_FUNCTION_INFO_V1(pa_zcdp_epsilon_sql);
PGDLLEXPORT Datum
pa_zcdp_epsilon_sql(PG_FUNCTION_ARGS)
{
	PG_RETURN_DATUM(worth_of(pa_currency(PA_CURRENCY_RHO), PG_GETARG_DATUM(0), PG_GETARG_DATUM(1)));
}
