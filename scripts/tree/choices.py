#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Accountants and regimes are the same in the library, in SQL and in docs/reference.md; prints what is not."""
import os
import re

os.chdir(os.path.join(os.path.dirname(os.path.abspath(__file__)), '../..'))


def found(path, pattern):
	with open(path, encoding='utf-8') as file:
		match = re.search(pattern, file.read(), re.M | re.S)
	if match is None:
		raise SystemExit('%s has no longer what is looked for: %s' % (path, pattern))
	return match[1]


def quoted(path, pattern, quote):
	return sorted(re.findall('%s(\\w+)%s' % (quote, quote), found(path, pattern)))


def of_parameter(name):
	"""What the table of the parameters of protect() says is allowed."""
	return quoted('docs/reference.md', r'^\| `%s` \| `\w+` \| ([^|]*) \|' % name, '`')


def same(what, *places):
	for place, names in places[1:]:
		if names != places[0][1]:
			print('%s are %s in %s, but %s in %s' % (what, ', '.join(places[0][1]), places[0][0], ', '.join(names), place))


with open('src/core/accounting/accountant.c', encoding='utf-8') as file:
	accountants = sorted(re.findall(r'\.name = "(\w+)"', file.read()))
library = quoted('src/catalog/policy.c', r'names\[\] = \{(.*?)\};', '"')
declared = quoted('migrations/parts/32_policies.sql', r'ELSIF regime NOT IN \(([^)]*)\)', "'")

same('accountants', ('src/core/accounting/accountant.c', accountants), ('docs/reference.md', of_parameter('accountant')))
same('regimes', ('src/catalog/policy.c', library),
	 ('migrations/parts/20_policies.sql', quoted('migrations/parts/20_policies.sql', r'CHECK \(regime IN \(([^)]*)\)', "'")))
same('regimes of protect()', ('_check_choices', declared), ('docs/reference.md', of_parameter('regime')),
	 ('its hint', quoted('migrations/parts/32_policies.sql', r"'unknown regime' USING .*?HINT = '(Use .*?)';", "''")))
