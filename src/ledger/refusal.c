/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * refusal.c
 *		What a client is told when its release was not charged.
 *
 * Everything said here is a function of the request, of the policy and of what
 * was released before, never of protected rows.
 */
#include "postgres.h"

#include "miscadmin.h"

#include "errors.h"
#include "ledger/queue.h"

/* "epsilon 0.5, delta 0" or "rho 0.1, delta 0": the parts that are guarded */
static char *
describe(PaAccountant accountant, const PaCost *cost)
{
	char		measure[PA_AMOUNT_TEXT];
	char		delta[PA_AMOUNT_TEXT];
	PaCurrency	currency = pa_accountant(accountant)->currency;

	pa_amount_print(pa_currency_of(currency, cost), measure);
	pa_amount_print(cost->delta, delta);
	return psprintf("%s %s, delta %s", pa_currency(currency)->name, measure, delta);
}

static void
refuse_exhausted(const PaChargeRequest *request, const PaChargeAnswer *answer)
{
	char	   *cost = describe(answer->accountant, &request->cost);
	char	   *left = describe(answer->accountant, &answer->left);

	if (answer->verdict == PA_VERDICT_CAP_EXHAUSTED)
		ereport(ERROR,
				(errcode(ERRCODE_PA_BUDGET_EXHAUSTED),
				 errmsg("privacy budget exhausted"),
				 errdetail("The release would cost %s; %s is left, limited by the cap of the policy.",
						   cost, left),
				 errhint("Ask for less epsilon. The cap holds for all roles together, for as long as the policy lasts.")));
	else
	{
		char	   *payer = GetUserNameFromId(request->payer, true);

		ereport(ERROR,
				(errcode(ERRCODE_PA_BUDGET_EXHAUSTED),
				 errmsg("privacy budget exhausted"),
				 errdetail("The release would cost %s; %s is left, limited by the quota of role \"%s\".",
						   cost, left, payer ? payer : "unknown"),
				 errhint("Ask for less epsilon, or ask an administrator for more with privacct.grant_budget().")));
	}
}

static void
refuse_planned(const PaChargeRequest *request, const PaChargeAnswer *answer)
{
	int			wanted = 0;

	for (int i = 0; i < request->nuses; i++)
		if (request->uses[i].slot == answer->short_of.slot)
			wanted = request->uses[i].uses;
	ereport(ERROR,
			(errcode(ERRCODE_PA_BUDGET_EXHAUSTED),
			 errmsg("the plan has no release of this kind left"),
			 errdetail("The release takes %d of slot %d, which has %d left.",
					   wanted, answer->short_of.slot, answer->short_of.uses),
			 errhint("The view privacct.plan shows what is left. A plan is fixed from its first release on.")));
}

static void
refuse_unentitled(const PaChargeRequest *request, const PaChargeAnswer *answer)
{
	char	   *payer = GetUserNameFromId(request->payer, true);

	if (answer->verdict == PA_VERDICT_NO_POLICY)
		ereport(ERROR,
				(errcode(ERRCODE_INSUFFICIENT_PRIVILEGE),
				 errmsg("permission denied for protected table"),
				 errdetail("Its policy is no longer open."),
				 errhint("If the table has been protected again since, run the query again; nothing was charged.")));
	else
		ereport(ERROR,
				(errcode(ERRCODE_INSUFFICIENT_PRIVILEGE),
				 errmsg("permission denied for protected table"),
				 errdetail("Role \"%s\" has no budget for it.", payer ? payer : "unknown"),
				 errhint("An administrator can grant one with privacct.grant_budget().")));
}

static const char *
explain_failure(PaVerdict verdict)
{
	switch (verdict)
	{
		case PA_VERDICT_MISMATCH:
			return "The request does not fit the accountant of the policy; nothing was charged.";
		case PA_VERDICT_UNREADABLE:
			return "The policy's caps or sums cannot be read; nothing was charged.";
		case PA_VERDICT_HELD:
			return "The policy of the table is being changed; nothing was charged.";
		case PA_VERDICT_NO_WORKER:
			return "The ledger worker could not connect to the database; nothing was charged.";
		case PA_VERDICT_WORKER_LOST:
			return "The ledger worker ended before it answered; the release may have been charged.";
		case PA_VERDICT_CHARGED:
		case PA_VERDICT_QUOTA_EXHAUSTED:
		case PA_VERDICT_CAP_EXHAUSTED:
		case PA_VERDICT_NO_POLICY:
		case PA_VERDICT_NO_QUOTA:
		case PA_VERDICT_TOO_CHEAP:
		case PA_VERDICT_SLOT_EXHAUSTED:
		case PA_VERDICT_STALE:
		case PA_VERDICT_INCOMPLETE:
		case PA_VERDICT_FAILED:
			break;
	}
	return "Its transaction was rolled back; nothing was charged.";
}

static void
refuse_too_cheap(void)
{
	ereport(ERROR,
			(errcode(ERRCODE_PA_INVALID_OPTION),
			 errmsg("the release costs less than the policy allows"),
			 errdetail("The least price was raised as the release was about to be charged; nothing was charged."),
			 errhint("Run the query again; it will then say what the least is.")));
}

/* As after a restore that brought the policy and not its account. */
static void
refuse_incomplete(void)
{
	ereport(ERROR,
			(errcode(ERRCODE_PA_LEDGER_UNAVAILABLE),
			 errmsg("the books of the protected table are incomplete"),
			 errdetail("Its account, the account of the payer, or what they are based on is missing, or they are a copy; nothing was charged."),
			 errhint("The owner of the table can find what is missing, and the remedy, with SELECT * FROM privacct.check_books().")));
}

/* The answers of owners, whose question was charged before: what is said of charges is not true of them. */
static void
refuse_unrecorded(const PaChargeAnswer *answer)
{
	ereport(ERROR,
			(errcode(ERRCODE_PA_LEDGER_UNAVAILABLE),
			 errmsg("the books of owners could not be written"),
			 answer->verdict == PA_VERDICT_FAILED ?
			 errdetail("The transaction failed with SQLSTATE %s. The question stays charged; its answers are shown to nobody.",
					   unpack_sql_state(answer->sqlstate)) :
			 errdetail("The question stays charged; its answers are shown to nobody."),
			 errhint("The server log says more. The query can be tried again.")));
}

void
pa_ledger_refuse(const PaChargeRequest *request, const PaChargeAnswer *answer)
{
	if (request->rows != DSM_HANDLE_INVALID)
		refuse_unrecorded(answer);
	if (answer->verdict == PA_VERDICT_CAP_EXHAUSTED ||
		answer->verdict == PA_VERDICT_QUOTA_EXHAUSTED)
		refuse_exhausted(request, answer);
	if (answer->verdict == PA_VERDICT_SLOT_EXHAUSTED)
		refuse_planned(request, answer);
	if (answer->verdict == PA_VERDICT_TOO_CHEAP)
		refuse_too_cheap();
	if (answer->verdict == PA_VERDICT_INCOMPLETE)
		refuse_incomplete();
	if (answer->verdict == PA_VERDICT_NO_POLICY ||
		answer->verdict == PA_VERDICT_NO_QUOTA)
		refuse_unentitled(request, answer);
	ereport(ERROR,
			(errcode(ERRCODE_PA_LEDGER_UNAVAILABLE),
			 errmsg("the ledger could not record the charge"),
			 answer->verdict == PA_VERDICT_FAILED ?
			 errdetail("Its transaction failed with SQLSTATE %s; nothing was charged.",
					   unpack_sql_state(answer->sqlstate)) :
			 errdetail_internal("%s", explain_failure(answer->verdict)),
			 errhint(answer->verdict == PA_VERDICT_HELD ? "Try again when that transaction has ended." :
					 "The server log says more. The query can be tried again.")));
}
