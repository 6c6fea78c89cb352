# SPDX-License-Identifier: GPL-3.0-or-later
"""Random choices that can be repeated and made simpler.

A case is made by a function of choices.  The numbers that it drew are the case: the
same numbers make it again, and lesser ones a simpler one, if whoever chooses puts
the simplest alternative first.
"""


class Choices:
    def __init__(self, random=None, given=()):
        self.random, self.given, self.made = random, list(given), []

    def below(self, n):
        position = len(self.made)
        if position < len(self.given):
            choice = min(self.given[position], n - 1)
        else:
            choice = self.random.randrange(n) if self.random else 0
        self.made.append(choice)
        return choice

    def pick(self, alternatives):
        return alternatives[self.below(len(alternatives))]

    def one_in(self, n):
        """True once in n times; false is simpler."""
        return self.below(n) == n - 1


def simpler(made):
    """Choices a bit simpler than these: shorter, or with one of them less."""
    for length in (len(made) // 2, len(made) * 3 // 4):
        if length < len(made):
            yield made[:length]
    for position in range(len(made) - 1, -1, -1):
        if made[position] > 0:
            yield made[:position] + [0] + made[position + 1:]
            if made[position] > 1:
                yield made[:position] + [made[position] // 2] + made[position + 1:]


def shrink(made, still_fails, tries=120):
    """The simplest choices found, within so many tries, for which it still fails."""
    progress = True
    while progress and tries > 0:
        progress = False
        for candidate in simpler(made):
            if tries <= 0:
                break
            tries -= 1
            used = still_fails(candidate)
            if used is not None and (len(used), used) < (len(made), made):
                made, progress = used, True
                break
    return made
