#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""What META.json has to say for PGXN to take the distribution; prints what is wrong."""
import json
import os
import re

os.chdir(os.path.join(os.path.dirname(os.path.abspath(__file__)), '../..'))
REQUIRED = ('abstract', 'license', 'maintainer', 'meta-spec', 'name', 'provides', 'version')


def first(pattern, path):
	"""The first group of the first match, or what says that there is none."""
	with open(path, encoding='utf-8') as file:
		found = re.search(pattern, file.read(), re.M)
	return found[1] if found else 'none in ' + path


def three_parts(version):
	"""As PGXN writes it: 0.2 is 0.2.0."""
	return '.'.join((version.split('.') + ['0', '0'])[:3])


with open('META.json', encoding='utf-8') as file:
	meta = json.load(file)
for field in REQUIRED:
	if not meta.get(field):
		print('META.json lacks', field)
control = three_parts(first(r"^default_version = '(.*)'", 'privacct.control'))
provided = meta['provides']['privacct']
versions = {
	'META.json': meta['version'], 'META.json, provides': provided['version'], 'Makefile': three_parts(first(r'^EXTVERSION = (.*)', 'Makefile')),
	'CHANGELOG.md': first(r'^## \[(.*?)\]', 'CHANGELOG.md')}
for place, version in versions.items():
	if version != control:
		print('%s is of version %s, the control file of %s' % (place, version, control))
for field in ('file', 'docfile'):
	if not os.path.isfile(provided[field]):
		print('there is no', provided[field])
