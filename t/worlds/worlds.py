# SPDX-License-Identifier: GPL-3.0-or-later
"""Two worlds: equal databases but for one owner's rows must look equal.

    worlds.py --directory DIR --bindir DIR --setting NAME=VALUE... [--pairs N] [--seed N]
              [--only FAMILY,...] [--all] [--show]

Ends with "N pairs, N differences"; the exit code is 1 if there are any.
"""
import argparse
import os
import random
import signal
import sys
import time

import adaptive
import adversary
import catalogue
import firsts  # its templates join those of adversary
import grammar
import kinship  # so do its templates
import metadata
import nights  # and so do its templates
import settings
import units
from choices import Choices, shrink
from delivery import Case, deliver, simple
from probes import Probes
from runner import Finding, Runner
from world import Worlds


TRIES = 6  # of each template
LOOKED_AT = 8  # every so many cases begin in a fresh session, which is looked at in the end


def looked_at(make):
    """The same cases, in a fresh session that is looked at."""
    def case(choices):
        made = make(choices)
        made.tags |= {"panel"}
        return made
    return case


class Session:
    """A run: makes cases, runs them, reports what differs."""

    def __init__(self, options):
        extra = [tuple(s.split("=", 1)) for s in options.setting]
        self.options = options
        self.worlds = Worlds(options.directory, options.bindir, extra, os.path.dirname(os.path.abspath(__file__)))
        self.findings = {}
        self.number = 0
        self.unrepeated = 0

    def start(self):
        self.worlds.create()
        self.worlds.start()
        self.probes = Probes(self.worlds)
        self.runner = Runner(self.worlds, self.probes, self.options.show)

    def enough(self):
        return self.runner.pairs >= self.options.pairs or (self.findings and not self.options.all)

    def wanted(self, family):
        return any(family.startswith(only) for only in self.options.only.split(","))

    # --- one case ---

    def _found(self, case):
        return self.runner.run(case)

    def attempt(self, make, family):
        """Makes a case by fresh choices and runs it; shrinks and reports what differs."""
        self.number += 1
        if not self.wanted(family):
            return
        choices = Choices(random.Random(f"{self.options.seed}/{self.number}"))
        if self.number % LOOKED_AT == 0:
            make = looked_at(make)
        case = make(choices)
        found = self._found(case)
        if found:
            found = self._again(make, choices.made, found)
        for finding in found[:1]:
            known = (family, finding.what)
            self.findings[known] = self.findings.get(known, 0) + 1
            if self.findings[known] > 1:
                continue
            self._report(make, choices.made, finding)

    def _again(self, make, made, found):
        """Of the findings those that a second or third run has too: a busy machine is no finding."""
        kept = []
        for _ in range(2):
            again = {(f.what, f.gap()) for f in self._found(make(Choices(given=made)))}
            kept.append([f for f in found if (f.what, f.gap()) in again])
        # the WAL has random bits, and dead rows that are cleared away in a moment of the server's own; it
        # has to differ alike each time, and once more where the worlds have no history
        always = [f for f in kept[0] if f in kept[1]]
        if always and all(f.gap() is not None for f in always):
            self.worlds.restore()
            again = {(f.what, f.gap()) for f in self._found(make(Choices(given=made)))}
            always = [f for f in always if (f.what, f.gap()) in again]
        sometimes = [f for f in kept[0] + kept[1] if f.gap() is None]
        if always or sometimes:
            return always or sometimes
        self.unrepeated += 1
        print(f"case {self.number} differed once ({found[0].what}), not again\n{found[0].report()}", flush=True)
        return []

    def _report(self, make, made, finding):
        what = finding.what

        def still(candidate):
            if time.monotonic() > until:
                return None
            choices = Choices(given=candidate)
            again = [f for f in self._found(make(choices)) if f.what == what]
            if not again:
                return None
            best[0] = again[0]
            return choices.made

        best, until = [finding], time.monotonic() + self.options.shrink
        if what not in ("time", "lost connection", "both worlds fail"):
            shrink(made, still)
        print(f"difference {len(self.findings)}: {best[0].case.family} (seed {self.options.seed}, case {self.number})")
        print(best[0].report(), flush=True)

    # --- all cases ---

    def run(self):
        calls = self._learn()
        self.metadata()
        self._adaptive()
        if self.enough():
            return
        expressions = grammar.Expressions(calls)
        # first each template some times and each call once, then at random
        templates = [(f"adversary {t.__name__}", t) for t in adversary.TEMPLATES]
        each_call = [("call", lambda c, k=k: deliver(c, "call " + k.template, grammar.call_block(c, expressions, k))) for k in calls]
        each_setting = [(f"setting {s[0]}", lambda c, s=s: settings.make(c, *s))
                        for s in settings.all_settings(self.worlds.canary.sessions["asker"])]
        families = [("block", grammar.random_block)] * 16 + [("entries", grammar.entries_block), ("owners", grammar.owners_block)] + [("levels", grammar.levels_block)] * 2 + [("choice", grammar.choice_block)] * 2 + [("unit", units.unit_block)] * 8
        makers = [(family, lambda c, f=family, b=block: deliver(c, f, b(c, expressions))) for family, block in families]
        each_kind = [(f"unit {k.__name__}", lambda c, k=k: deliver(c, "unit " + k.__name__, k(c, expressions))) for k in units.KINDS]
        for family, make in (templates + each_kind) * TRIES + each_setting + each_call:
            if self.enough():
                return
            self.attempt(make, family)
        order = random.Random(f"{self.options.seed}/order")
        groups = [[m for m in group if self.wanted(m[0])] for group in (makers, makers, makers, makers, each_call, templates, each_setting)]
        groups = [group for group in groups if group]
        while groups and not self.enough():
            family, make = order.choice(order.choice(groups))
            self.attempt(make, family)

    def _tell(self, family, text, one, other):
        finding = Finding(Case(family, []), family, text, one, other)
        self.findings[(family, text)] = 1
        print(f"difference {len(self.findings)}: {family} (seed {self.options.seed})\n{finding.report()}", flush=True)

        self.worlds.restore()

    def metadata(self):
        """What the catalogs show, at the start and at the end."""
        if self.wanted("metadata") and (self.options.all or not self.findings):
            statements = metadata.looks(self.worlds.canary.sessions["root"])
            self.runner.pairs += len(statements)
            for statement, one, other in metadata.sweep(self.worlds, statements):
                self._tell("metadata", statement, one, other)

    def _adaptive(self):
        if self.wanted("adaptive"):
            for name, (_, steps) in adaptive.SEARCHES.items():
                for question in adaptive.QUESTIONS:
                    if self.findings and not self.options.all:
                        return
                    self.runner.pairs += steps
                    found = adaptive.search_workers(self.probes, self.worlds, name, question)
                    if found:
                        self._tell("adaptive", f"{question} at {name} = {found[0]!r}", *found[1])

    def _learn(self):
        """Which calls are allowed: the server says so, and says the same in both worlds."""
        if not any(self.wanted(family) for family in ("block", "call", "entries", "unit")):
            return []
        calls = []
        session = self.worlds.canary.sessions["root"]
        for candidate in catalogue.candidates(session):
            for call in catalogue.attempts(*candidate):
                sql = f"EXPLAIN SELECT count(*) FROM hr.emp WHERE {call.plain()} IS NULL"
                transcripts, _ = self.runner._send(simple(sql))
                self.runner.pairs += 1
                if transcripts[0] != transcripts[1]:
                    self.attempt(lambda c: Case("explain", [simple(sql)]), "explain")
                if not any(m[0] == "E" for m in transcripts[0]):
                    calls.append(call)
                    break
        print(f"{len(calls)} calls are allowed", flush=True)
        return calls


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--directory", required=True)
    parser.add_argument("--bindir", required=True)
    parser.add_argument("--setting", action="append", default=[])
    parser.add_argument("--pairs", type=int, default=3000)
    parser.add_argument("--seed", default=str(random.SystemRandom().randrange(10**6)))
    parser.add_argument("--only", default="")
    parser.add_argument("--show", action="store_true", help="print every transcript")
    parser.add_argument("--all", action="store_true", help="go on after a difference")
    parser.add_argument("--shrink", type=float, default=20, help="seconds for making a difference simpler")
    options = parser.parse_args()
    # whoever ends this program ends its servers
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(3))
    session = Session(options)
    print(f"seed {options.seed}", flush=True)
    began = time.monotonic()
    try:
        session.start()
        print(f"worlds made in {time.monotonic() - began:.1f} s", flush=True)
        session.run()
        session.metadata()
    finally:
        session.worlds.stop()
    print(f"{time.monotonic() - began:.1f} s")
    print(f"{session.runner.pairs} pairs, {len(session.findings)} differences")
    return 1 if session.findings else 0


if __name__ == "__main__":
    sys.exit(main())
