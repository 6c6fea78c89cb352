#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Pages name no source file that is not there; prints what is wrong."""
import glob
import os
import re

os.chdir(os.path.join(os.path.dirname(os.path.abspath(__file__)), '../..'))
there = {os.path.relpath(path, 'src') for path in glob.glob('src/**/*.[ch]', recursive=True)}
ends = {'/'.join(path.split('/')[-n:]) for path in there for n in (1, 2, 3)}
for page in sorted(glob.glob('docs/*.md') + glob.glob('bench/*.md') + ['README.md', 'CONTRIBUTING.md', 'migrations/README.md']):
	with open(page, encoding='utf-8') as file:
		named = set(re.findall(r'(?<![\w./*-])((?:[a-z_]+/)*[a-z_0-9]+\.[ch])(?!\w)', file.read()))
	for name in sorted(named):
		short = name[len('src/'):] if name.startswith('src/') else name
		if short not in there and short not in ends and not os.path.exists(name):
			print('%s names %s' % (page, name))
