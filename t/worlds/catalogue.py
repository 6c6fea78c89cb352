# SPDX-License-Identifier: GPL-3.0-or-later
"""What of the server's built-in functions and operators the guard lets pass.

Taken from pg_proc and pg_operator as they are, and judged by the server itself, by
EXPLAIN: a list of names here would fall behind the guard's.
"""
from values import CONSTANTS, EMP, TYPES

# what a call is tried with: which of the arguments are constants, and of texts which
_VARIANTS = ((), (0,), (1,), (2,), (0, 1), (1, 2), (0, 2))
_WORDS = ("'day'::text", "'%a_'::text", "'YYYY-MM'::text", "'OF'::text", "'Europe/Berlin'::text")

_FUNCTIONS = """
SELECT DISTINCT quote_ident(p.proname) || '(', array_to_string(a.types, ' '), r.typname
FROM pg_proc p JOIN pg_type r ON r.oid = p.prorettype CROSS JOIN LATERAL (
    SELECT array_agg(t.typname ORDER BY u.o) AS types
    FROM unnest(p.proargtypes::oid[]) WITH ORDINALITY u(t, o) JOIN pg_type t ON t.oid = u.t) a
WHERE p.pronamespace = 'pg_catalog'::regnamespace AND p.prokind = 'f' AND NOT p.proretset AND p.provariadic = 0
AND p.pronargs BETWEEN 1 AND 4 AND a.types <@ '{%s}'::name[] AND r.typname = ANY ('{%s}')
ORDER BY 1, 2
"""
_OPERATORS = """
SELECT DISTINCT o.oprname, coalesce(l.typname, ''), t.typname, r.typname
FROM pg_operator o JOIN pg_type t ON t.oid = o.oprright JOIN pg_type r ON r.oid = o.oprresult LEFT JOIN pg_type l ON l.oid = o.oprleft
WHERE t.typname = ANY ('{%s}') AND r.typname = ANY ('{%s}') AND (o.oprleft = 0 OR l.typname = ANY ('{%s}'))
ORDER BY 1, 2, 3
"""


class Call:
    """A function or operator: template over its arguments, their types, which must be free of columns."""

    def __init__(self, template, arguments, result, constants=(), words=None):
        self.template, self.arguments, self.result = template, arguments, result
        self.constants, self.words = constants, words

    def render(self, arguments):
        return self.template.format(*arguments)

    def plain(self, column=lambda t: EMP.columns_of(t)[0]):
        """The call with columns, and constants where it wants them."""
        return self.render([self.constant(i) if i in self.constants else column(t) for i, t in enumerate(self.arguments)])

    def constant(self, position):
        type_name = self.arguments[position]
        if self.words and type_name in ("text", "varchar", "bpchar"):
            return self.words
        return CONSTANTS[type_name][0]


def candidates(session):
    """Every built-in call over the types that blocks have, allowed or not."""
    types = ",".join(TYPES)
    calls = []
    for name, arguments, result in session.rows(_FUNCTIONS % (types, types)):
        arguments = arguments.split()
        slots = ", ".join("{%d}" % i for i in range(len(arguments)))
        calls.append(("pg_catalog." + name + slots + ")", arguments, result))
    for name, left, right, result in session.rows(_OPERATORS % (types, types, types)):
        name = name.replace("{", "{{").replace("}", "}}")
        template, arguments = ("({0} %s {1})" % name, [left, right]) if left else ("(%s {0})" % name, [right])
        calls.append((template, arguments, result))
    return calls


def attempts(template, arguments, result):
    """The ways in which a call is tried until one is allowed."""
    for constants in _VARIANTS:
        if any(i >= len(arguments) for i in constants):
            continue
        texts = any(arguments[i] in ("text", "varchar", "bpchar") for i in constants)
        for words in _WORDS if texts else (None,):
            yield Call(template, arguments, result, constants, words)
