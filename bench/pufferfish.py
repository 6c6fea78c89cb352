# SPDX-License-Identifier: GPL-3.0-or-later
"""The influence curve of a Markov chain in numpy, beside that of the core.

Reads what "pufferfish curve" prints.  For each of two ways prints its name, the median
seconds of a few runs, and the largest difference from the curve that it read.

Inside of a long stationary chain with the matrix P and the law mu,

	right(d) = max over x of ln P^d(s, x)/P^d(t, x)
	left(d)  = max over x of ln P^d(x, s)/P^d(x, t) + ln mu(t)/mu(s)
	a(b)     = max over pairs (s, t) of the min over dl + dr = b + 1 of left(dl) + right(dr)

Rows further away tell no more.  All pairs are one array; there are loops over d and b only.
"""
import statistics
import sys
import time

import numpy as np

RUNS = 3


def stationary(transition):
	m = len(transition)
	equations = np.vstack([transition.T - np.eye(m), np.ones(m)])
	return np.linalg.lstsq(equations, np.append(np.zeros(m), 1), rcond=None)[0]


def quotients(power):
	"""For all pairs of rows the largest logarithm of a quotient, as it is defined: 0/0 does not count"""
	with np.errstate(divide="ignore", invalid="ignore"):
		return np.nanmax(np.log(power[:, None, :] / power[None, :, :]), axis=2)


def differences(power):
	"""The same where nothing is 0: logarithms of single entries only"""
	logs = np.log(power)
	return (logs[:, None, :] - logs[None, :, :]).max(axis=2)


def influence_curve(transition, most, gaps):
	m = len(transition)
	law = np.log(stationary(transition))
	right = np.empty((most, m, m))
	left = np.empty((most, m, m))
	power = np.eye(m)
	for d in range(most):
		power = power @ transition
		right[d] = gaps(power)
		left[d] = gaps(np.ascontiguousarray(power.T)) + law[None, :] - law[:, None]
	return np.array([(left[:b] + right[b - 1::-1]).min(axis=0).max() for b in range(1, most + 1)])


def main():
	lines = [np.array(line.split(), dtype=float) for line in sys.stdin]
	transition, expected = np.array(lines[:-1]), lines[-1]
	for gaps in (quotients, differences):
		seconds = []
		for _ in range(RUNS):
			start = time.perf_counter()
			curve = influence_curve(transition, len(expected), gaps)
			seconds.append(time.perf_counter() - start)
		print(f"{gaps.__name__} {statistics.median(seconds):.6f} {abs(curve - expected).max():.3g}")


main()
