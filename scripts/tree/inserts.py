#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""What is inserted into tables of the extension depends on no default but those of its script:
every other column is named, or has a value by its place; prints what is wrong.

A default that somebody else gives a column would decide what becomes of a row."""
import glob
import os
import re

os.chdir(os.path.join(os.path.dirname(os.path.abspath(__file__)), '../..'))
NO_COLUMN = ('CHECK', 'CONSTRAINT', 'PRIMARY', 'UNIQUE', 'EXCLUDE', 'FOREIGN')
# what INSTEAD OF triggers store
VIEWS = {'ledger': ['policy_id', 'charged_at', 'role', 'payer', 'epsilon', 'delta', 'rho', 'detail']}


def source(path):
	"""The text without comments; of C, neighbouring literals are one."""
	with open(path, encoding='utf-8') as file:
		text = file.read()
	return re.sub(r'"\s*"', '', text) if path.endswith('.c') else re.sub(r'--.*', '', text)


def items(text):
	"""What stands between commas outside of parentheses and literals, up to the end of the clause."""
	depth, start, found, i = 0, 0, [], 0
	while i < len(text):
		if text[i] == "'":
			i = text.index("'", i + 1)
		elif text[i] in '([':
			depth += 1
		elif text[i] in ')]':
			depth -= 1
		if depth < 0 or text[i] in ';"' or depth == 0 and re.match(r'\s(FROM|WHERE|ON CONFLICT|RETURNING|UNION)\b', text[i:]):
			break
		if text[i] == ',' and depth == 0:
			found.append(text[start:i].strip())
			start = i + 1
		i += 1
	return found + [text[start:i].strip()]


tables = {name: [(column, False) for column in columns] for name, columns in VIEWS.items()}
for path in glob.glob('migrations/parts/*.sql'):
	text = source(path)
	for table in re.finditer(r'CREATE (?:UNLOGGED )?TABLE IF NOT EXISTS privacct\.(\w+) \(', text):
		tables[table[1]] = [(column.split()[0], ' DEFAULT ' in column) for column in items(text[table.end():])
			if column.split()[0] not in NO_COLUMN]
for path in sorted(glob.glob('migrations/parts/*.sql') + glob.glob('src/**/*.c', recursive=True)):
	text = source(path)
	for insert in re.finditer(r'INSERT INTO privacct\.(\w+)(?: AS \w+)?\s*(\()?', text):
		rest = text[insert.end():]
		name, columns = insert[1], tables[insert[1]]
		if insert[2]:
			named = set(items(rest))
		else:
			values = items(re.sub(r'^\s*(VALUES\s*\(|SELECT\s+(DISTINCT\s+)?)', '', rest))
			named = {column for column, _ in (columns if values[0].endswith('*') else columns[:len(values)])}
		missing = [column for column, default in columns if not default and column not in named]
		if missing:
			print('%s: an INSERT INTO privacct.%s has no value for %s' % (path, name, ', '.join(missing)))
