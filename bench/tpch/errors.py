# SPDX-License-Identifier: GPL-3.0-or-later
"""How far the answers to the TPC-H queries are from the exact ones, and whether the intervals hold.

    errors.py SOCKET DATABASE OWNER ANALYST EPSILON [EPSILON ...]

Asks each query that is answered as printed REPEATS times at each epsilon, which each release of it may
cost, and prints a table in Markdown: of the numbers that are noised, the median and the 90th percentile of
the relative error, over numbers and repeats; and the part of the released numbers whose 95 % interval has
the exact number in it, where a released number is an output.  The database is that of load.sql and
protect.sql.  REPEATS is 5 by default.  With SUGGEST=0.99 the limits of each query
are what suggest_bounds() says that 99 % of the owners keep to, asked for once at an epsilon of 1 beside, where
it can be asked.
"""
import glob
import os
import statistics
import sys

import psycopg2

REPEATS = int(os.environ.get("REPEATS", "5"))
SUGGEST = os.environ.get("SUGGEST")
QUERIES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "queries")


def connect(socket, database, user):
    connection = psycopg2.connect(host=socket, dbname=database, user=user)
    connection.autocommit = True
    return connection.cursor()


def is_number(value):
    return not isinstance(value, (str, bool)) and value is not None and hasattr(value, "__float__")


def answered():
    for path in sorted(glob.glob(f"{QUERIES}/*.sql")):
        with open(path, encoding="utf-8") as file:
            lines = file.read().splitlines()
        if any(": answered" in line for line in lines):
            yield os.path.basename(path)[:2], "\n".join(line for line in lines if not line.startswith("--"))


def keyed(rows, width):
    """Rows by the leading columns, which are what they are about."""
    return {row[:width]: row[width:] for row in rows}


def key_width(rows):
    """The leading columns that tell the rows apart: groups; none of a single row."""
    if len(rows) <= 1:
        return 0
    for width in range(1, len(rows[0])):
        if len({row[:width] for row in rows}) == len(rows):
            return width
    return len(rows[0])


def rows_of(cursor, query):
    cursor.execute(query)
    return [tuple(row) for row in cursor.fetchall()]


def relative(exact, noised):
    return abs(float(noised) - float(exact)) / abs(float(exact)) if exact else None


class Errors:
    def __init__(self):
        self.errors, self.inside, self.intervals, self.missing = [], 0, 0, 0

    def add(self, exact, rows, intervals):
        width = key_width(exact)
        noised = keyed(rows, width)
        for key, numbers in keyed(exact, width).items():
            if key not in noised:
                self.missing += 1
                continue
            for was, now in zip(numbers, noised[key]):
                if not is_number(was) or now is None:
                    continue
                error = relative(was, now)
                if error is not None:
                    self.errors.append(error)
                for low, high in intervals.get(float(now), []):
                    self.intervals += 1
                    self.inside += low <= float(was) <= high

    def line(self):
        if not self.errors:
            return "no number came out"
        ordered = sorted(self.errors)
        return f"{percent(statistics.median(ordered))} / {percent(ordered[min(len(ordered) - 1, int(0.9 * len(ordered)))])}"


def percent(part):
    return f"{100 * part:.2g} %" if part < 1 else f"{100 * part:.0f} %"


def use_limits(owner, analyst, query):
    """As suggest_bounds() says: settings of the session, and bounds that the owner of the tables declares."""
    analyst.execute("RESET privacct.max_rows; RESET privacct.max_groups; SET privacct.epsilon = 1")
    try:
        analyst.execute("SELECT declaration FROM privacct.suggest_bounds(%s, %s, 1)", (query.rstrip("; \n"), SUGGEST))
    except psycopg2.Error as error:
        if error.pgcode != "42PA1":
            raise
        return "not asked"
    used = []
    for (declaration,) in analyst.fetchall():
        if declaration.startswith("SET "):
            analyst.execute(declaration)
        elif declaration.startswith("SELECT privacct.set_owner_bounds("):
            owner.execute(declaration)
        else:
            continue
        used.append(declaration)
    return ", ".join(used)


def intervals_of(cursor):
    """Those of the last block that was released, by the value that came out."""
    found = {}
    cursor.execute("SELECT value, low, high FROM privacct.intervals()")
    for value, low, high in cursor.fetchall():
        if value is not None and low is not None:
            found.setdefault(float(value), []).append((float(low), float(high)))
    return found


def main():
    socket, database, owner, analyst, *epsilons = sys.argv[1:]
    exact, noised = connect(socket, database, owner), connect(socket, database, analyst)
    print("| query | " + " | ".join(f"epsilon {e}: median / 90th percentile" for e in epsilons) + " | exact in interval |" + (" limits |" if SUGGEST else ""))
    print("|---|" + "---|" * (len(epsilons) + (2 if SUGGEST else 1)))
    inside = intervals = 0
    for name, query in answered():
        truth = rows_of(exact, query)
        limits = use_limits(exact, noised, query) if SUGGEST else ""
        cells, held, of = [], 0, 0
        for epsilon in epsilons:
            errors = Errors()
            noised.execute(f"SET privacct.epsilon = {epsilon}")
            for _ in range(REPEATS):
                errors.add(truth, rows_of(noised, query), intervals_of(noised))
            cells.append(errors.line() + (f", {errors.missing} of {REPEATS * len(truth)} groups left out" if errors.missing else ""))
            held, of = held + errors.inside, of + errors.intervals
        inside, intervals = inside + held, intervals + of
        print(f"| {int(name)} | " + " | ".join(cells) + f" | {f'{held} of {of}' if of else '-'} |{f' {limits} |' if SUGGEST else ''}", flush=True)
    print(f"\n{inside} of {intervals} intervals have the exact number in them.")


if __name__ == "__main__":
    main()
