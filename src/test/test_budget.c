/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * test_budget.c
 *		Amounts are exact decimals, and no sequence of charges passes a cap.
 */
#include <locale.h>
#include <math.h>
#include <string.h>

#include "core/accounting/budget.h"
#include "source.h"
#include "unit.h"

static PaAmount
amount(const char *text)
{
	PaAmount	result = -1;

	if (pa_amount_parse(text, &result) != PA_OK)
		fail_msg("\"%s\" was not read", text);
	return result;
}

static void
ten_tenths_are_one(void **state)
{
	PaAmount	tenth;
	PaAmount	sum = 0;
	char		text[PA_AMOUNT_TEXT];
	int			i;

	(void) state;
	assert_int_equal(pa_amount_from_double_up(0.1, &tenth), PA_OK);
	for (i = 0; i < 10; i++)
		sum += tenth;
	assert_true(sum == amount("1"));
	pa_amount_print(sum, text);
	assert_string_equal(text, "1");
	assert_true(pa_amount_to_double(sum) == 1.0);
}

static void
text_goes_round(void **state)
{
	static const struct
	{
		const char *in;
		const char *out;
	}			cases[] = {
		{"0", "0"}, {"0.25", "0.25"}, {"12", "12"}, {"12.", "12"}, {".5", "0.5"}, {"007.500", "7.5"},
		{"1000000", "1000000"}, {"999999.999999999999999999999999999999", "999999.999999999999999999999999999999"},
		{"0.000000000000000000000000000001", "0.000000000000000000000000000001"},
		{"0.0000000000000000000000000000001", "0.000000000000000000000000000001"},
		{"0.0000000000000000000000000000000", "0"},
		{"0.1000000000000000000000000000001", "0.100000000000000000000000000001"}
	};
	char		text[PA_AMOUNT_TEXT];
	size_t		i;

	(void) state;
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
	{
		pa_amount_print(amount(cases[i].in), text);
		assert_string_equal(text, cases[i].out);
	}
	pa_amount_print(-amount("0.5"), text);
	assert_string_equal(text, "-0.5");
	pa_amount_print((PaAmount) (~(PaUint128) 0 >> 1), text);
	assert_true(strlen(text) < PA_AMOUNT_TEXT);
	assert_string_equal(text, "170141183.460469231731687303715884105727");
}

static void
bad_text_is_refused(void **state)
{
	static const char *const cases[] = {
		"", ".", "-1", "+1", " 1", "1 ", "1e3", "0x1", "nan", "inf", "1..2", "1,5", "1000001",
		"1000000.1", "99999999999999999999999999999999999999999999999999", "1000000.0000000000000000000000000000001"
	};
	PaAmount	untouched = 5;
	size_t		i;

	(void) state;
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		if (pa_amount_parse(cases[i], &untouched) != PA_INVALID)
			fail_msg("\"%s\" was read", cases[i]);
	assert_true(untouched == 5);
}

static void
doubles_round_as_told(void **state)
{
	PaAmount	up;
	PaAmount	down;

	(void) state;
	assert_int_equal(pa_amount_from_double_up(1e-30, &up), PA_OK);
	assert_int_equal(pa_amount_from_double_down(1e-30, &down), PA_OK);
	assert_true(up == 1 && down == 1);
	assert_int_equal(pa_amount_from_double_up(1.5e-30, &up), PA_OK);
	assert_int_equal(pa_amount_from_double_down(1.5e-30, &down), PA_OK);
	assert_true(up == 2 && down == 1);
	assert_int_equal(pa_amount_from_double_up(5e-324, &up), PA_OK);
	assert_int_equal(pa_amount_from_double_down(5e-324, &down), PA_OK);
	assert_true(up == 1 && down == 0);
	assert_int_equal(pa_amount_from_double_up(0, &up), PA_OK);
	assert_true(up == 0);
	assert_int_equal(pa_amount_from_double_up(1e6, &up), PA_OK);
	assert_true(up == amount("1000000"));
	assert_int_equal(pa_amount_from_double_up(1.0000001e6, &up), PA_INVALID);
	assert_int_equal(pa_amount_from_double_up(-1e-9, &up), PA_INVALID);
	assert_int_equal(pa_amount_from_double_up(NAN, &up), PA_INVALID);
	assert_int_equal(pa_amount_from_double_down(INFINITY, &up), PA_INVALID);
}

/* The shortest decimal reads back as the same double, wherever no digit is lost. */
static void
doubles_go_round(void **state)
{
	uint64_t	seed = 3;
	PaRandom	random;
	int			i;

	(void) state;
	pa_random_init(&random, source_seeded, &seed);
	for (i = 0; i < 20000; i++)
	{
		double		value = exp(uniform(&random, log(1e-13), log(1e6)));
		PaAmount	up;
		PaAmount	down;
		PaAmount	again;
		char		text[PA_AMOUNT_TEXT];

		assert_int_equal(pa_amount_from_double_up(value, &up), PA_OK);
		assert_int_equal(pa_amount_from_double_down(value, &down), PA_OK);
		assert_true(up == down);
		assert_true(pa_amount_to_double(up) == value);
		pa_amount_print(up, text);
		assert_int_equal(pa_amount_parse(text, &again), PA_OK);
		assert_true(again == up);
	}
}

/* A decimal comma in the process's locale changes nothing. */
static void
locale_does_not_matter(void **state)
{
	static const char *const names[] = {"de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8", "de_DE"};
	PaAmount	quarter;
	size_t		i;

	(void) state;
	for (i = 0; i < 4 && setlocale(LC_NUMERIC, names[i]) == NULL; i++)
		;
	if (i == 4)
		skip();
	assert_int_equal(pa_amount_from_double_up(0.25, &quarter), PA_OK);
	assert_true(pa_amount_to_double(quarter) == 0.25);
	setlocale(LC_NUMERIC, "C");
	assert_true(quarter == amount("0.25"));
}

static PaAccount
account_of(PaAccountant accountant, const char *epsilon, const char *delta, const char *rho)
{
	PaAccount	account = {.accountant = accountant};

	account.cap.epsilon = amount(epsilon);
	account.cap.delta = amount(delta);
	account.cap.rho = amount(rho);
	return account;
}

static PaCost
cost_of(const char *epsilon, const char *delta, const char *rho)
{
	PaCost		cost = {amount(epsilon), amount(delta), amount(rho)};

	return cost;
}

static void
exact_fit_is_admitted(void **state)
{
	PaAccount	account = account_of(PA_ACCOUNTANT_BASIC, "1", "0.00001", "0");
	PaCost		tenth = cost_of("0.1", "0.000001", "0.005");
	PaCost		least = cost_of("0.000000000000000000000000000001", "0", "0");
	int			i;

	(void) state;
	assert_int_equal(pa_account_releases_left(&account, &tenth), 10);
	for (i = 0; i < 10; i++)
	{
		assert_true(pa_filter_admits(&account, &tenth));
		pa_account_charge(&account, &tenth);
		assert_int_equal(pa_account_releases_left(&account, &tenth), 9 - i);
	}
	assert_false(pa_filter_admits(&account, &tenth));
	assert_false(pa_filter_admits(&account, &least));
	assert_true(pa_account_left(&account).epsilon == 0);
	assert_true(account.spent.rho == amount("0.05"));
}

/* Each accountant refuses on each part that it guards, and on no other. */
static void
accountants_guard_their_parts(void **state)
{
	PaAccount	basic = account_of(PA_ACCOUNTANT_BASIC, "1", "0.1", "0");
	PaAccount	zcdp = account_of(PA_ACCOUNTANT_ZCDP, "0", "0.1", "1");
	PaCost		fits = cost_of("1", "0.1", "1");
	PaCost		loss = cost_of("1.1", "0", "1.1");
	PaCost		miss = cost_of("0", "0.11", "0");
	PaCost		free_of_charge = cost_of("0", "0", "0");
	PaCost		free_of_delta = cost_of("0.5", "0", "0");

	(void) state;
	assert_true(pa_filter_admits(&basic, &fits));
	assert_true(pa_filter_admits(&zcdp, &fits));
	assert_false(pa_filter_admits(&basic, &loss));
	assert_false(pa_filter_admits(&zcdp, &loss));
	assert_false(pa_filter_admits(&basic, &miss));
	assert_false(pa_filter_admits(&zcdp, &miss));
	assert_int_equal(pa_account_releases_left(&basic, &fits), 1);
	assert_int_equal(pa_account_releases_left(&zcdp, &loss), 0);
	assert_int_equal(pa_account_releases_left(&zcdp, &free_of_charge), INT64_MAX);
	assert_true(pa_account_left(&basic).rho == 0);
	assert_true(pa_account_left(&zcdp).epsilon == 0);
	assert_true(pa_account_left(&zcdp).rho == amount("1"));
	basic.spent.delta = basic.cap.delta + 1;	/* under an earlier, larger promise */
	assert_false(pa_filter_admits(&basic, &free_of_delta));
	assert_true(pa_account_left(&basic).epsilon == 0);
	assert_int_equal(pa_account_releases_left(&basic, &free_of_delta), 0);
	assert_true(pa_filter_admits(&zcdp, &fits));
}

static void
negative_costs_never_fit(void **state)
{
	PaAccount	account = account_of(PA_ACCOUNTANT_BASIC, "1", "0.1", "1");
	PaCost		zero = cost_of("0", "0", "0");
	int			part;

	(void) state;
	for (part = 0; part < 3; part++)
	{
		PaCost		cost = zero;

		*(part == 0 ? &cost.epsilon : part == 1 ? &cost.delta : &cost.rho) = -1;
		account.accountant = PA_ACCOUNTANT_BASIC;
		assert_false(pa_filter_admits(&account, &cost));
		account.accountant = PA_ACCOUNTANT_ZCDP;
		assert_false(pa_filter_admits(&account, &cost));
		assert_int_equal(pa_account_releases_left(&account, &cost), 0);
	}
}

/* Whatever is asked, the guarded sums stay below the cap, and exactly so. */
static void
no_sequence_passes_the_cap(void **state)
{
	uint64_t	seed = 11;
	PaRandom	random;
	int			run;

	(void) state;
	pa_random_init(&random, source_seeded, &seed);
	for (run = 0; run < 400; run++)
	{
		PaAccount	account = account_of(run % 2 ? PA_ACCOUNTANT_BASIC : PA_ACCOUNTANT_ZCDP, "2", "0.00001", "0.5");
		PaCost		sum = {0, 0, 0};
		int			admitted = 0;
		int			i;

		for (i = 0; i < 200; i++)
		{
			PaCost		cost;
			int64_t		times;

			assert_int_equal(pa_amount_from_double_up(uniform(&random, 0, 0.2), &cost.epsilon), PA_OK);
			assert_int_equal(pa_amount_from_double_up(uniform(&random, 0, 4e-7), &cost.delta), PA_OK);
			assert_int_equal(pa_amount_from_double_up(uniform(&random, 0, 0.05), &cost.rho), PA_OK);
			times = pa_account_releases_left(&account, &cost);
			assert_int_equal(times > 0, pa_filter_admits(&account, &cost));
			if (times == 0)
				continue;
			pa_account_charge(&account, &cost);
			assert_int_equal(pa_account_releases_left(&account, &cost), times - 1);
			sum.epsilon += cost.epsilon;
			sum.delta += cost.delta;
			sum.rho += cost.rho;
			admitted++;
			assert_true(account.spent.epsilon == sum.epsilon && account.spent.delta == sum.delta &&
						account.spent.rho == sum.rho);
			assert_true(sum.delta <= account.cap.delta);
			assert_true(run % 2 ? sum.epsilon <= account.cap.epsilon : sum.rho <= account.cap.rho);
		}
		assert_true(admitted > 5 && admitted < 200);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(ten_tenths_are_one),
		cmocka_unit_test(text_goes_round),
		cmocka_unit_test(bad_text_is_refused),
		cmocka_unit_test(doubles_round_as_told),
		cmocka_unit_test(doubles_go_round),
		cmocka_unit_test(locale_does_not_matter),
		cmocka_unit_test(exact_fit_is_admitted),
		cmocka_unit_test(accountants_guard_their_parts),
		cmocka_unit_test(negative_costs_never_fit),
		cmocka_unit_test(no_sequence_passes_the_cap),
	};

	return cmocka_run_group_tests_name("budget", tests, NULL, NULL);
}
