#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Every file says its licence: in its first lines, or in REUSE.toml.

	spdx.py			prints the files that do not
	spdx.py --add	adds the line to those that can carry a comment
"""
import os
import re
import subprocess
import sys
import tempfile
import tomllib

os.chdir(os.path.join(os.path.dirname(os.path.abspath(__file__)), '../..'))
LINE = 'SPDX-License-Identifier: GPL-3.0-or-later'
FIRST = 3				# lines among which it is
COMMENT = {'.c': '/* %s */', '.h': '/* %s */', '.java': '// %s', '.sql': '-- %s', '.psql': '-- %s'}
HASH = '# %s'			# of all others


def pattern_of(glob):
	"""As REUSE has it: ** goes through folders, * does not."""
	return ''.join('.*' if part == '**' else '[^/]*' if part == '*' else re.escape(part) for part in re.split(r'(\*\*|\*)', glob))


def elsewhere():
	with open('REUSE.toml', 'rb') as file:
		annotations = tomllib.load(file)['annotations']
	return re.compile('|'.join(pattern_of(p) for a in annotations for p in a['path']))


def says(path):
	with open(path, encoding='utf-8') as file:
		return any(LINE in line for _, line in zip(range(FIRST), file))


def add(path):
	with open(path, encoding='utf-8') as file:
		lines = file.readlines()
	at = 1 if lines and lines[0].startswith('#!') else 0
	lines.insert(at, COMMENT.get(os.path.splitext(path)[1], HASH) % LINE + '\n')
	with open(path, 'w', encoding='utf-8') as file:
		file.writelines(lines)


def git(*arguments):
	return subprocess.run(['git', *arguments], capture_output=True, text=True, check=True).stdout.split('\n')


def files():
	"""Those that are new count before they are committed; a copy without git has none that are old."""
	if os.path.exists('.git'):
		return git('ls-files', '--cached', '--others', '--exclude-standard')
	with tempfile.TemporaryDirectory() as directory:
		git('init', '-q', '--bare', directory)
		return git('--git-dir', directory, '--work-tree', '.', 'ls-files', '--others', '--exclude-standard')


silent = [f for f in files() if os.path.isfile(f) and not elsewhere().fullmatch(f) and not says(f)]
for path in silent:
	if '--add' in sys.argv[1:]:
		add(path)
	else:
		print('no licence in', path)
