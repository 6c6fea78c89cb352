# SPDX-License-Identifier: GPL-3.0-or-later
"""Analysts who choose the next question by what they have just seen.

Whether PostgreSQL reads in parallel follows from costs and sizes that the analyst
sets: by halving an interval of them they find where the plan turns, if it does.
"""
import wire
from delivery import PARALLEL
from probes import _together

QUESTIONS = ["SELECT count(*) FROM hr.emp WHERE salary > 500000", "SELECT dp_sum(salary, 0, 10) FROM hr.emp WHERE salary - 777000 = 777",
             "SELECT count(*) FROM hr.emp_part WHERE region = 'atoll'",
             "SELECT count(*) FROM hr.account a JOIN hr.deal d ON d.account = a.no WHERE a.balance - 777000 = 777"]
# what is searched: up to where, and in how many halvings
SEARCHES = {"parallel_setup_cost": (1e5, 20), "min_parallel_table_scan_size": (1024, 10)}


def search_workers(probes, worlds, name, question):
    """The value of the setting at which one world starts workers and the other does not, or None."""
    low, (high, steps) = 0.0, SEARCHES[name]
    settings = "; ".join(f"SET {other} = {value}" for other, value in PARALLEL if other != name)
    _together(worlds, "asker", wire.query(settings))
    try:
        for _ in range(steps):
            middle = (low + high) / 2
            before = probes.workers()
            _together(worlds, "asker", wire.query(f"SET {name} = {middle!r}"))
            _together(worlds, "asker", wire.query(question))
            growth = [a[0] - b[0] for a, b in zip(probes.workers(), before)]
            if growth[0] != growth[1]:
                return middle, growth
            if growth[0]:
                low = middle
            else:
                high = middle
    finally:
        _together(worlds, "asker", wire.query("DISCARD ALL"))
    return None
