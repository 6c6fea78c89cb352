# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs a case in both worlds and tells what differs."""
import wire
from compare import code, first_difference, printed
from panel import Panel
from probes import _together

# A statement is slow if the other world's takes a twentieth, and both seconds; and again, three times
SLOW_RATIO, SLOW_SECONDS, SLOW_TIMES = 20.0, 2.0, 3
TIMEOUT_CODES = ("57014", "silent")


class Finding:
    def __init__(self, case, what, text, one, other):
        self.case, self.what, self.text, self.one, self.other = case, what, text, one, other

    def gap(self):
        """By how much figures differ; None if it is not figures that differ."""
        if isinstance(self.one, tuple) and all(isinstance(n, (int, float)) for n in self.one):
            return tuple(round(a - b, 9) for a, b in zip(self.one, self.other))
        return None

    def report(self):
        lines = [f"  {self.what}", f"  at: {self.text}"] if self.text else [f"  {self.what}"]
        for name, messages in (("canary", self.one), ("dull", self.other)):
            lines.append(f"  {name}:")
            lines.append(printed(messages) if isinstance(messages, list) else f"    {messages!r}"[:1500])
        return "\n".join(lines)


class _Lost(Exception):
    """A session has gone that should have stayed."""

    def __init__(self, findings):
        super().__init__()
        self.findings = findings


class Runner:
    def __init__(self, worlds, probes, show=False):
        self.worlds, self.probes = worlds, probes
        self.panel = Panel(worlds)
        self.pairs = 0
        self.show = show

    def _connect(self, settings=""):
        self.worlds.reopen("asker", settings)
        return [w.sessions["asker"] for w in self.worlds.both()]

    def _send(self, step):
        if step.connects is not None:
            sessions = self._connect(step.connects)
            return [s.greeting for s in sessions], [s.took for s in sessions]
        sessions = [w.sessions[step.session] for w in self.worlds.both()]
        transcripts = _together(self.worlds, step.session, step.data, step.times, step.ends)
        return transcripts, [s.took for s in sessions]

    def _lost(self, transcripts):
        return any(t and t[-1][0] in ("gone", "silent") for t in transcripts)

    def _slow(self, took):
        return max(took) > SLOW_SECONDS and max(took) > SLOW_RATIO * min(took)

    def _confirm_slow(self, case, step, took):
        """Whether the same world is slow each time: a busy machine is slow in both, or now and then."""
        slow = took[0] > took[1]
        for _ in range(SLOW_TIMES - 1):
            if step.ends != "Z" or self._in_block(step):
                return False
            transcripts, again = self._send(step)
            if self._lost(transcripts) or not self._slow(again) or (again[0] > again[1]) != slow:
                return False
        return True

    def _in_block(self, step):
        return any(w.sessions[step.session].messages[-1:] != [("Z", "I")] for w in self.worlds.both())

    def _judge(self, case, step, transcripts, took):
        one, other = transcripts
        if (code(one) == "silent") != (code(other) == "silent"):
            return [Finding(case, "time", step.text, [("took", round(took[0], 2)), *one], [("took", round(took[1], 2)), *other])]
        slow = self._slow(took)
        timed_out = [code(t) in TIMEOUT_CODES for t in transcripts]
        if slow or timed_out[0] != timed_out[1]:
            if slow and self._confirm_slow(case, step, took):
                return [Finding(case, "time", step.text, [("took", round(took[0], 2)), *one], [("took", round(took[1], 2)), *other])]
            return []
        different = first_difference(one, other, step.mask)
        if not different and step.refused and not code(one):
            return [Finding(case, "accepted", step.text, one, other)]
        if not different:
            return []
        what = "lost connection" if self._lost(transcripts) else f"messages {different[0][0]} and {different[1][0]}"
        return [Finding(case, what, step.text, one, other)]

    def _steps(self, case, steps):
        """Findings of steps, up to the first that differs."""
        for step in steps:
            transcripts, took = self._send(step)
            if self.show:
                print(f"{case.family}: {step.session}: {step.text}\n{printed(transcripts[0])}\n  dull:\n{printed(transcripts[1])}")
            findings = self._judge(case, step, transcripts, took)
            if not findings and step.look and "parallel" not in case.tags and not any(code(t) for t in transcripts):
                findings = [Finding(case, what, step.text, one, other) for what, one, other in self.probes.locks() + self.panel.while_it_lasts()]
            if self._lost(transcripts):
                if not findings and "ends" in case.tags:
                    self._connect()
                    return []
                raise _Lost(findings or [Finding(case, "both worlds fail", step.text, *transcripts)])
            if findings:
                self._tidy(case)
                return findings
        return []

    def _look(self, case):
        findings = [Finding(case, what, case.steps[-1].text, one, other) for what, one, other in self.panel.look()]
        if findings:
            self._tidy(case)
        return findings

    def run(self, case):
        """Findings of a case; stops at the first step that differs."""
        self.pairs += 1
        if "panel" in case.tags:
            self._connect()
        self.probes.prepare(case.tags)
        try:
            findings = self._steps(case, case.first_steps())
            if not findings and "panel" in case.tags:
                findings = self._look(case)
            findings = findings or self._steps(case, case.last_steps())
        except _Lost as lost:
            self.worlds.restore()
            return lost.findings
        self._settle(case, bool(findings))
        findings += [Finding(case, what, case.steps[-1].text, one, other) for what, one, other in self.probes.differences(case.tags)]
        if findings and not self.probes.at_rest():
            self.worlds.restore()
        elif findings or case.tags & {"local", "unsteady"}:
            self.worlds.realign()
        return findings

    def _tidy(self, case):
        _together(self.worlds, "asker", wire.SYNC)
        for session in ("asker", "watcher", "root"):
            _together(self.worlds, session, wire.query("ROLLBACK"))
        for step in case.after:
            self._send(step)

    def _settle(self, case, found):
        """Whatever state a case left: no transaction, no prepared statement, no setting."""
        _together(self.worlds, "asker", wire.SYNC)
        if "reopen" in case.tags:
            self._connect()
        if found or case.settings or case.after:
            for sql in ("ROLLBACK", "DISCARD ALL"):
                _together(self.worlds, "asker", wire.query(sql))
