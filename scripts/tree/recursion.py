#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""
Every circle of calls in src/ checks the stack and hears a cancel; prints what is wrong.

Who calls whom is read from what gcc makes of the sources (-fdump-tree-gimple): direct calls,
functions that are handed to others, and, for a call through the field of a structure, whatever
function in a table takes arguments of the same types.  PostgreSQL's walkers of expressions check
the stack, but its walkers of queries do not, and neither hears a cancel; so a circle has to go
through a function that calls pa_descend() (descend.h), or be named here with what bounds it.
"""
import concurrent.futures
import glob
import os
import re
import subprocess
import tempfile

CHECK = 'pa_descend'

# Function: why a circle through it ends soon.
BOUNDED = {
	'table_of': 'of an index or a TOAST table, then of the table',
	'log_between': 'once more, mirrored',
	'pa_central_explain': 'what it calls by that name is of a unit',
	'pa_normal_tail': 'once more, mirrored',
	'recycled_above': 'once more, mirrored',
	'table_above': 'once more, mirrored',
	'visit': 'a level for each bit of MOST_WORK',
	'add_run': 'a level for each release, of which there are 1000 at most',
}

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), '../..')
PG_CONFIG = os.environ.get('PG_CONFIG', '/usr/lib/postgresql/15/bin/pg_config')
STRING = r'"(?:\\.|[^"\\\n])*"'


# --- what gcc says ---

def gimple(source, server):
	"""The functions of a source in gcc's own words, before it optimizes anything."""
	with tempfile.NamedTemporaryFile(suffix='.gimple') as dump:
		subprocess.run(['gcc', '-O0', '-w', '-std=gnu11', '-Isrc', '-I' + server, '-D_GNU_SOURCE',
						'-DPA_EXTVERSION=""', '-DPGDLLEXPORT=',
						'-S', '-o', '/dev/null', '-fdump-tree-gimple=' + dump.name, source], check=True)
		return re.sub(STRING, '', dump.read().decode())


def parts_of(text):
	"""Splits at commas that are not in parentheses."""
	found, depth = [''], 0
	for letter in text:
		depth += (letter == '(') - (letter == ')')
		if letter == ',' and depth == 0:
			found.append('')
		else:
			found[-1] += letter
	return [] if text.strip() in ('', 'void') else found


def shape_of(parameters):
	"""What distinguishes prototypes, however their types are written: what each parameter points to, if to anything."""
	return tuple(re.sub(r'\b(const|struct|union|enum)\b', '', part).split('*')[0].strip() if '*' in part else ''
				 for part in parts_of(parameters))


class Function:
	def __init__(self, source, name, parameters, body):
		declared = re.findall(r'^ +[A-Za-z_][\w *]*?[ *](\w+)(?:\[[^\n]*)?;$', body, re.M)
		self.source, self.name, self.body = source, name, body
		self.shape = shape_of(parameters)
		self.variables = {re.search(r'(\w*)\W*$', part)[1] for part in parts_of(parameters)} | set(declared)
		self.callees = set()

	def __repr__(self):
		return '%s:%s' % (self.source, self.name)

	def fields_called(self):
		fields = dict(re.findall(r'(_\d+|D\.\d+) = [^\n]*(?:->|\.)([a-z_]\w*);', self.body))
		return {fields[name] for name in re.findall(r'(?:^| )(_\d+|D\.\d+) \(', self.body, re.M) if name in fields}

	def names(self):
		return set(re.findall(r'(?<![\w.>])[a-z_]\w*', self.body)) - self.variables


HEAD = re.compile(r'^[^\n{};]*?\b(\w+) \(([^\n]*)\)\n\{\n(.*?)^\}\n', re.M | re.S)


class Source:
	def __init__(self, name, server):
		self.name = name
		with open(name, encoding='utf-8') as file:
			self.text = re.sub(r'/\*.*?\*/|' + STRING, ' ', file.read(), flags=re.S)
		# not those of the server's headers
		self.functions = [Function(name, *found) for found in HEAD.findall(gimple(name, server))
						  if re.search(r'^%s\(' % found[0], self.text, re.M)]

	def in_tables(self):
		return {name for table in re.findall(r'=\s*\{.*?\};', self.text, flags=re.S)
				for name in re.findall(r'(?<![.\w])[a-z_]\w*\b(?!\s*\()', table)}


def read_sources():
	names = sorted(set(glob.glob('src/**/*.c', recursive=True)) - set(glob.glob('src/test/**/*.c', recursive=True)))
	server = subprocess.run([PG_CONFIG, '--includedir-server'], capture_output=True, text=True, check=True).stdout.strip()
	with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
		return list(pool.map(lambda name: Source(name, server), names))


def headers_of(name, found):
	"""The source and what of ours it includes, at any depth."""
	if os.path.exists(name) and name not in found:
		with open(name, encoding='utf-8') as file:
			found[name] = file.read()
		for header in re.findall(r'^#include "(.*)"', found[name], re.M):
			headers_of('src/' + header, found)
	return found


def prototypes_of_fields(name):
	"""field: shapes of the functions that a structure or typedef which the source knows says it may hold"""
	found = {}
	for text in headers_of(name, {}).values():
		for field, parameters in re.findall(r'\(\*\s*(\w+)\)\s*\(([^;{}]*)\);', re.sub(r'/\*.*?\*/', ' ', text, flags=re.S)):
			found.setdefault(field, set()).add(shape_of(parameters))
	return found


# --- who calls whom ---

def link(sources):
	everywhere = {}
	for function in (f for source in sources for f in source.functions):
		everywhere.setdefault(function.name, []).append(function)

	def find(source, name):
		own = [f for f in source.functions if f.name == name]
		return own or everywhere[name]

	pointed = {f for source in sources for name in source.in_tables() & everywhere.keys() for f in find(source, name)}
	for source in sources:
		prototypes = prototypes_of_fields(source.name)
		for function in source.functions:
			for name in function.names() & everywhere.keys():
				function.callees.update(find(source, name))
			shapes = {shape for field in function.fields_called() for shape in prototypes.get(field, ())}
			function.callees.update(f for f in pointed if f.shape in shapes)
	return [f for source in sources for f in source.functions]


def circles(functions):
	"""The strongly connected components that are circles, by Tarjan."""
	index, low, stack, found = {}, {}, [], []

	def visit(f):
		index[f] = low[f] = len(index)
		stack.append(f)
		for g in sorted(f.callees, key=repr):
			if g not in index:
				visit(g)
				low[f] = min(low[f], low[g])
			elif g in stack:
				low[f] = min(low[f], index[g])
		if low[f] == index[f]:
			part = stack[stack.index(f):]
			del stack[stack.index(f):]
			if len(part) > 1 or f in f.callees:
				found.append(part)

	for f in functions:
		if f not in index:
			visit(f)
	return found


def main():
	os.chdir(ROOT)
	functions = link(read_sources())
	for name in sorted(BOUNDED.keys() - {f.name for f in functions}):
		print('there is no function %s' % name)
	unchecked = {f for f in functions if CHECK not in f.names() and f.name not in BOUNDED}
	for f in unchecked:
		f.callees &= unchecked
	for part in circles(sorted(unchecked, key=repr)):
		print('calls in a circle without %s(): %s' % (CHECK, ', '.join(sorted(map(repr, part)))))


main()
