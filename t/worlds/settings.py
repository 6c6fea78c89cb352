# SPDX-License-Identifier: GPL-3.0-or-later
"""Every setting that an analyst can make, at each end of its range, with a block under it.

Taken from pg_settings, as it is.  Some must be refused, whatever can be seen by them.
"""
from adversary import NUMBER, _around
from delivery import Case, ENDS, WAYS, connected, simple
from firsts import NEEDS
from grammar import Block

_SETTINGS = """SELECT name, vartype, coalesce(array_to_string(enumvals, ','), ''), coalesce(min_val, ''), coalesce(max_val, ''), reset_val, context
FROM pg_settings WHERE context IN ('user', 'backend') AND name !~ '^(privacct[.]|transaction_)'
AND name NOT IN ('temp_buffers', 'post_auth_delay', 'role', 'session_authorization', 'client_encoding') ORDER BY name"""

# what no analyst may set, and under what there is no release
FORBIDDEN = {("client_min_messages", level) for level in ("debug1", "debug2", "debug3", "debug4", "debug5", "log")} | {("default_transaction_isolation", "serializable")}
UNANSWERED = {("exit_on_error", "on"), ("ignore_system_indexes", "on"), ("trace_sort", "on"),
              ("debug_print_plan", "on"), ("debug_print_parse", "on"), ("debug_print_rewritten", "on")}


def _values(kind, enum, least, most, usual):
    """What a setting is tried with."""
    if kind == "bool":
        return ["off" if usual == "on" else "on"]
    if kind == "enum":
        return [value for value in enum.split(",") if value != usual]
    return [value for value in (least, most) if value not in ("", usual)]


def all_settings(session):
    """(setting, value, whether only when a session begins) for each."""
    return [(name, value, context == "backend") for name, kind, enum, least, most, usual, context in session.rows(_SETTINGS)
            for value in _values(kind, enum, least, most, usual)]


def make(choices, name, value, at_start):
    """A case: the setting, made in the session or when it begins, and then a block."""
    forbidden = (name, value) in FORBIDDEN
    if at_start or choices.one_in(2):
        change = connected(f"-c {name}={value}", refused=forbidden)
    else:
        change = simple(f"SET {name} = '{value}'", refused=forbidden)
    if (name, value) in UNANSWERED:
        ask = [simple("SELECT count(*) FROM hr.emp", NUMBER, refused=True)]
    else:
        ask = choices.pick(WAYS)(Block(_around(choices, choices.pick(NEEDS)), "n"), NUMBER)
    return Case(f"setting {name}", [change, *ask], tags=ENDS | {"panel"})
