/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * unit.h
 *		What cmocka wants to be included before itself.
 */
#ifndef PA_TEST_UNIT_H
#define PA_TEST_UNIT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* Fails with the numbers, which assert_true would hide. */
#define assert_close(got, want, relative) \
	do { \
		long double got_ = (got), want_ = (want); \
		if (!(fabsl(got_ - want_) <= (relative) * fabsl(want_))) \
			fail_msg("%s is %.17Lg, expected %.17Lg", #got, got_, want_); \
	} while (0)

#define assert_at_most(low, high) \
	do { \
		long double low_ = (low), high_ = (high); \
		if (!(low_ <= high_)) \
			fail_msg("%s is %.17Lg, above %s, which is %.17Lg", #low, low_, #high, high_); \
	} while (0)

#endif							/* PA_TEST_UNIT_H */
