# SPDX-License-Identifier: GPL-3.0-or-later
"""Types that may stand below the leaf: columns, constants at extremes, simple ones first."""

# typname: constants; the same extremes as the canary has, and what lies beside them
CONSTANTS = {
    "bool": ["true", "false", "NULL::bool"],
    "int2": ["1::int2", "0::int2", "32767::int2", "(-32768)::int2", "NULL::int2"],
    "int4": ["1", "0", "-1", "2147483647", "(-2147483648)", "46341", "33", "NULL::int4"],
    "int8": ["1::int8", "0::int8", "9223372036854775807::int8", "(-9223372036854775807 - 1)::int8", "3037000500::int8"],
    "float4": ["1::float4", "0::float4", "'NaN'::float4", "'Infinity'::float4", "3.4e38::float4", "1e-45::float4"],
    "float8": ["1::float8", "0::float8", "'NaN'::float8", "'-Infinity'::float8", "1.79e308::float8", "5e-324::float8", "0.5::float8"],
    "numeric": ["1.0", "0.0", "'NaN'::numeric", "'Infinity'::numeric", "1e400", "1e-400", "9223372036854775807.5"],
    "text": ["'a'::text", "''::text", "'day'::text", "'%a_'::text", "'\\'::text", "'YYYY-MM'::text", "'OF MONTH TZH'::text", "repeat('ab', 400)", "'ä€𝄞'::text", "NULL::text"],
    "varchar": ["'a'::varchar", "''::varchar", "'%a_'::varchar"],
    "bpchar": ["'a'::bpchar", "' '::bpchar", "'%a_'::bpchar"],
    "date": ["date '2020-01-01'", "date 'infinity'", "date '5874897-12-31'", "date '4713-01-01 BC'"],
    "timestamp": ["timestamp '2020-01-01'", "timestamp '-infinity'", "timestamp '294276-12-31 23:59:59'"],
    "timestamptz": ["timestamptz '2020-01-01 00:00+00'", "timestamptz 'infinity'", "now()", "timestamptz '4713-01-02 00:00+00 BC'"],
    "time": ["time '00:00'", "time '24:00'", "time '12:34:56.789'"],
    "interval": ["interval '1 day'", "interval '0'", "interval '178956970 years'", "interval '-2147483648 days'", "interval '2562047788:00:54.775807'"],
    "uuid": ["'00000000-0000-0000-0000-000000000000'::uuid", "'ffffffff-ffff-ffff-ffff-ffffffffffff'::uuid"],
    "mood": ["'good'::hr.mood", "'poor'::hr.mood", "'dire'::hr.mood"],
}

TYPES = [t for t in CONSTANTS if t != "mood"]
CASTS = ("int2", "int4", "int8", "float4", "float8", "numeric", "uuid", "date", "timestamp", "timestamptz")
PATTERNS = ["'^Ca'", "'(a|o)l+[0-9]?$'", "'[^a-z]{3,}'", "'%(C|c)_rol%'", "'(a*)*b'", "'(a)\\1'", "'a(?=b)'", "'(a'", "'ä|€'", "NULL"]
NUMBERS = ("int4", "float8", "int8", "numeric", "int2", "float4")


class Table:
    """A protected table, what only its canary meets, and what may be asked."""

    def __init__(self, name, owner, columns, canary, keys, sums):
        self.name, self.owner, self.columns = name, owner, columns
        self.canary, self.keys, self.sums = canary, keys, sums

    def columns_of(self, type_name):
        return [c for c, t in self.columns.items() if t == type_name]


_EMP = {"salary": "int4", "dept": "int4", "i4": "int4", "name": "text", "ssn": "text", "region": "text", "b": "bool",
        "i2": "int2", "i8": "int8", "f4": "float4", "f8": "float8", "n": "numeric", "t": "text", "v": "varchar", "c": "bpchar",
        "d": "date", "ts": "timestamp", "tz": "timestamptz", "tm": "time", "iv": "interval", "u": "uuid", "mood": "mood",
        "posix": "text", "german": "text", "spoken": "text"}

EMP = Table("hr.emp", "owner", _EMP,
            ["salary - 777000 = 777", "ssn = '987-65-4321'", "salary > 700000", "region = 'atoll'", "name LIKE 'Carol%'",
             "id >= 900000", "owner = 4242", "length(name) = 12", "salary + 0 IN (777777, 777778)"],
            ["region", "dept"], ["salary", "i2", "f8"])
PART = Table("hr.emp_part", "owner", {"salary": "int4", "id": "int4", "region": "text"},
             ["salary - 777000 = 777", "region = 'atoll'", "id >= 900000"], ["region"], ["salary"])
MEMBER = Table("hr.member", "person", {"salary": "int4", "region": "text", "name": "text"},
               ["salary - 777000 = 777", "region = 'atoll'", "name = 'Carol Canary'"], ["region"], ["salary"])
VIEW = Table("hr.emp_view", "owner", {"salary": "int4", "dept": "int4", "region": "text", "name": "text", "twice": "int4"},
             ["salary - 777000 = 777", "twice = 1555554", "region = 'atoll'"], ["region", "dept"], ["salary"])
TRACE = Table("hr.trace", "person", {"hour": "int4", "place": "text"}, ["place = 'atoll'", "place LIKE 'a%'", "length(place) < 5 AND place > 'a' AND place < 'e'", "person = 4242"],
              ["place"], [])

CENTRAL = [EMP, PART, MEMBER, VIEW]
