#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The picture of rooms in docs/architecture.md is what the includes say, and all point downwards; prints what is wrong."""
import glob
import os
import re

os.chdir(os.path.join(os.path.dirname(os.path.abspath(__file__)), '../..'))
PAGE = 'docs/architecture.md'


def room(path):
	"""The folder below src/; None for what lies in src/ itself, and for tests."""
	parts = path.split('/')
	return parts[1] if len(parts) > 2 and parts[1] != 'test' else None


def included(path):
	with open(path, encoding='utf-8') as file:
		names = re.findall(r'^#include "([^"]+)"', file.read(), re.M)
	return ['src/' + name for name in names if os.path.exists('src/' + name)]


def reaches(arrows, start, end):
	"""Whether a way of arrows leads from one to the other."""
	seen, waiting = set(), [start]
	while waiting:
		at = waiting.pop()
		for a, b in arrows:
			if a == at and b == end:
				return True
			if a == at and b not in seen:
				seen.add(b)
				waiting.append(b)
	return False


with open(PAGE, encoding='utf-8') as file:
	picture = re.search(r'^Includes point downwards.*?```mermaid\n(.*?)```', file.read(), re.M | re.S)[1]
drawn = set(re.findall(r'(\w+) --> (\w+)', picture))
there = {(room(path), room(other)) for path in glob.glob('src/**/*.[ch]', recursive=True) for other in included(path)}
there = {(a, b) for a, b in there if a and b and a != b}
for a, b in sorted(there):
	if reaches(there, b, a):
		print('src/%s and src/%s include each other' % (a, b))
	elif not reaches(drawn, a, b):
		print('%s lacks the arrow %s --> %s' % (PAGE, a, b))
for a, b in sorted(drawn):
	if (a, b) not in there:
		print('%s has the arrow %s --> %s, and no file includes so' % (PAGE, a, b))
	elif reaches(drawn - {(a, b)}, a, b):
		print('%s has the arrow %s --> %s, which follows from others' % (PAGE, a, b))
