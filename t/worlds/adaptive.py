"""Analysts who choose the next question by what they have just seen.

Whether a release reads in parallel is compared with a cost that the analyst sets:
by halving an interval of that cost they find where the plan turns, if it does.
"""
import wire
from delivery import PARALLEL
from probes import _together

_QUESTIONS = [
    "SELECT count(*) FROM hr.emp WHERE salary > 500000", "SELECT dp_sum(salary, 0, 10) FROM hr.emp WHERE salary - 777000 = 777",
    "SELECT count(*) FROM hr.emp_part WHERE region = 'atoll'", "SELECT count(*) FROM hr.emp WHERE name LIKE 'Carol%'",
    "SELECT count(*) FROM hr.member",
]
_STEPS = 30


def workers_by_cost(probes, worlds, question):
    """The setting at which one world starts workers and the other does not, or None."""
    low, high = 0.0, 1e5
    settings = "; ".join(f"SET {name} = {value}" for name, value in PARALLEL if name != "parallel_setup_cost")
    _together(worlds, "asker", wire.query(settings))
    try:
        for _ in range(_STEPS):
            cost = (low + high) / 2
            before = probes._numbers()
            _together(worlds, "asker", wire.query(f"SET parallel_setup_cost = {cost!r}"))
            _together(worlds, "asker", wire.query(question))
            growth = [a[0] - b[0] for a, b in zip(probes._numbers(), before)]
            if growth[0] != growth[1]:
                return cost, growth
            # without workers the sum grows by the looks alone
            if growth[0] > probes.idle_growth():
                low = cost
            else:
                high = cost
    finally:
        _together(worlds, "asker", wire.query("DISCARD ALL"))
    return None
