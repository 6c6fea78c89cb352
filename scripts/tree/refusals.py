#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Every message by which privacct says no, as docs/refusals.md: from the code.

	refusals.py				writes the page to standard output
	refusals.py --check		exits with 1, and says why, unless docs/refusals.md is that page

Messages are what ereport(ERROR) in C and RAISE EXCEPTION in SQL say, also through
functions that are handed the words.  What to do is the hint; where there is none,
scripts/tree/refusals.advice has to say it.  Examples are statements of the SQL tests that
were refused so.  What cannot be followed, or has no advice, is an error.
"""
import glob
import itertools
import os
import re
import sys

ROOT = os.path.abspath(os.path.join(os.path.dirname(__file__), '../..'))
GAP = '\u2026'			# what a message says about the case
GENERIC = 'query on a protected table is not allowed'
LONGEST = 160			# characters of an example
complaints = []


def read(path):
	with open(os.path.join(ROOT, path), encoding='utf-8') as file:
		return file.read()


# --- C -------------------------------------------------------------------

STRING = re.compile(r'"((?:[^"\\]|\\.)*)"')


def without_comments(text):
	"""The same lines, comments blank."""
	token = re.compile(r'"(?:[^"\\]|\\.)*"|\'(?:[^\'\\]|\\.)*\'|/\*.*?\*/', re.S)
	return token.sub(lambda m: re.sub(r'[^\n]', ' ', m[0]) if m[0].startswith('/*') else m[0], text)


def arguments(text, start):
	"""What stands between the parenthesis, or brace, at start and its partner, split at commas; and the end."""
	parts, depth, begin, i = [], 0, start + 1, start
	while True:
		c = text[i]
		if c in '"\'':
			i = re.compile(r'(["\'])(?:[^\\]|\\.)*?\1', re.S).match(text, i).end()
			continue
		if c in '([{':
			depth += 1
		elif c in ')]}':
			depth -= 1
		if c == ',' and depth == 1 or depth == 0:
			parts.append(text[begin:i].strip())
			begin = i + 1
		i += 1
		if depth == 0:
			return parts, i


def split_top(text, mark):
	"""Splits at the first mark that is in no parenthesis or string; None without one."""
	depth, i = 0, 0
	while i < len(text):
		c = text[i]
		if c in '"\'':
			i = re.compile(r'(["\'])(?:[^\\]|\\.)*?\1', re.S).match(text, i).end()
			continue
		depth += (c in '([{') - (c in ')]}')
		if c == mark and depth == 0:
			return text[:i].strip(), text[i + 1:].strip()
		i += 1
	return None


def alternatives(text):
	"""The branches of a conditional expression."""
	test = split_top(text, '?')
	if test is None:
		return [text]
	depth, rest, i = 0, test[1], 0
	while i < len(rest):
		if rest[i] == '"':
			i = STRING.match(rest, i).end()
			continue
		if rest[i] in '([{':
			depth += 1
		elif rest[i] in ')]}':
			depth -= 1
		elif rest[i] == '?' and depth == 0:
			depth += 1000
		elif rest[i] == ':' and depth >= 1000:
			depth -= 1000
		elif rest[i] == ':' and depth == 0:
			return alternatives(rest[:i].strip()) + alternatives(rest[i + 1:].strip())
		i += 1
	return [text]


def pairs(details, hints):
	"""Details with their hints: alternatives that are as many belong together."""
	if len(details) == len(hints) and details:
		return list(zip(details, hints))
	return [(d, ' '.join(hints)) for d in details or ['']]


class Function:
	def __init__(self, file, name, parameters, body):
		self.file, self.name, self.body = file, name, body
		self.parameters = [re.sub(r'\[\]$', '', p.split()[-1].lstrip('*')) for p in parameters if p not in ('', 'void')]


class Code:
	"""The functions and string macros of all sources."""

	def __init__(self):
		self.functions, self.macros = [], {}
		for path in sorted(glob.glob(os.path.join(ROOT, 'src/**/*.[ch]'), recursive=True)):
			file = os.path.relpath(path, ROOT)
			if file.startswith('src/test/'):
				continue
			text = without_comments(read(file))
			for name, value in re.findall(r'^#define\s+(\w+)\s+((?:"(?:[^"\\]|\\.)*"\s*(?:\\\n\s*)?)+)$', text, re.M):
				# one in a .c file may be another in the next
				own = name if file.endswith('.h') else '%s_%d' % (name, len(self.macros))
				text = re.sub(r'\b%s\b' % name, own, text)
				self.macros[own] = value.replace('\\\n', ' ')
			for m in re.finditer(r'^#define (\w+)\(([^)]*)\) *((?:.*\\\n)*.*)', text, re.M):
				self.functions.append(Function(file, m[1], m[2].split(','), m[3].replace('\\\n', '\n')))
			for m in re.finditer(r'^(\w+)\(([^;{}]*)\)\n\{\n(.*?)^\}', text, re.M | re.S):
				self.functions.append(Function(file, m[1], arguments('(' + m[2] + ')', 0)[0], m[3]))


def plain(template):
	"""A printf format as a reader sees it."""
	text = template.replace('\\"', '"').replace('\\n', '\n').replace('%%', '\0')
	text = re.sub(r'%[-+ #0]*(?:\*|\d+)?(?:\.(?:\*|\d+))?[lzh]*[a-zA-Z]', GAP, text)
	return gaps(text.replace('\0', '%'))


def gaps(text):
	"""One gap where several meet."""
	return re.sub(GAP + '+', GAP, text)


def words(code, function, text):
	"""The texts that an expression may be, and which parameter of the function it is if it is one."""
	found = []
	for branch in alternatives(text):
		branch = re.sub(r'^\((?:const )?char \*\)\s*', '', branch)
		call = re.match(r'(?:psprintf|pstrdup|_|gettext_noop)\(', branch)
		if call:
			branch = arguments(branch, call.end() - 1)[0][0]
		if branch in code.macros:
			branch = code.macros[branch]
		if branch.startswith('"') or re.match(r'\w+ *"', branch):
			if re.fullmatch(r'[\s\w]*', STRING.sub('', branch)):
				pieces = re.findall(r'"(?:[^"\\]|\\.)*"|\w+', branch)
				found.append(plain(''.join(p[1:-1] if p[0] == '"' else code.macros.get(p, '"%s"' % GAP)[1:-1] for p in pieces)))
		elif re.fullmatch(r'\w+', branch) and function is not None:
			if branch in function.parameters:
				found.append(function.parameters.index(branch))
			else:
				for value in re.findall(r'\b%s\s*=\s*([^;=][^;]*);' % branch, function.body):
					found += [w for w in words(code, None, re.sub(r'\s+', ' ', value)) if isinstance(w, str)]
	return found


def errcode_names(code):
	"""Names of our SQLSTATEs; those of PostgreSQL by its table."""
	names = {m[0]: ''.join(re.findall(r"'(.)'", m[1])) for m in re.findall(r'#define\s+(ERRCODE_PA_\w+)\s+MAKE_SQLSTATE\(([^)]*)\)', read('src/errors.h'))}
	names.update({'ERRCODE_' + n: s for n, s in POSTGRESQL.items()})
	return names


POSTGRESQL = {
	'INTERNAL_ERROR': 'XX000', 'NUMERIC_VALUE_OUT_OF_RANGE': '22003', 'INSUFFICIENT_PRIVILEGE': '42501', 'UNDEFINED_TABLE': '42P01', 'UNDEFINED_OBJECT': '42704',
	'UNDEFINED_FUNCTION': '42883', 'QUERY_CANCELED': '57014', 'OBJECT_NOT_IN_PREREQUISITE_STATE': '55000', 'NULL_VALUE_NOT_ALLOWED': '22004',
	'INVALID_PARAMETER_VALUE': '22023', 'OUT_OF_MEMORY': '53200', 'E_R_I_E_TRIGGER_PROTOCOL_VIOLATED': '39P01', 'FEATURE_NOT_SUPPORTED': '0A000',
	'DEPENDENT_OBJECTS_STILL_EXIST': '2BP01', 'STATEMENT_TOO_COMPLEX': '54001'}


def reports_of(function):
	"""(errcode, message, detail, hint) expressions of the errors that a function raises, or fills in for its caller."""
	body = function.body
	for m in re.finditer(r'\bereport\(', body):
		parts, _ = arguments(body, m.end() - 1)
		if 'ERROR' not in parts[0] and 'FATAL' not in parts[0]:
			continue
		if parts[1].startswith('('):
			parts = parts[:1] + arguments(parts[1], 0)[0]
		report = {}
		for part in parts[1:]:
			for branch in alternatives(part):
				call = re.match(r'(errcode|errmsg|errdetail|errhint)(?:_internal)?\(', branch)
				if call:
					inner = arguments(branch, call.end() - 1)[0]
					value = inner[1] if inner[0] == '"%s"' and call[1] != 'errcode' else inner[0]
					report.setdefault(call[1], []).append(value)
		yield [report.get(k, []) for k in ('errcode', 'errmsg', 'errdetail', 'errhint')]
	for m in re.finditer(r'\(PaProblem\) \{', body):
		parts, _ = arguments(body, m.end() - 1)
		yield [['ERRCODE_PA_INVALID_OPTION'], parts[:1], parts[1:2], parts[2:3]]


def described_arguments(code):
	"""Objects that say how to speak of arguments: PaArguments, PaFields."""
	for path in sorted(glob.glob(os.path.join(ROOT, 'src/**/*.c'), recursive=True)):
		text = without_comments(read(os.path.relpath(path, ROOT)))
		for m in re.finditer(r'\bPa(?:Arguments|Fields)\)?\s+(?:\w+\s*=\s*)?\{', text):
			fields = dict(f.groups() for f in (re.match(r'\.(\w+)\s*=\s*(.*)', part, re.S) for part in arguments(text, m.end() - 1)[0]) if f)
			if 'message' not in fields:
				continue			# the type itself
			yield os.path.relpath(path, ROOT), fields.get('sqlstate', 'ERRCODE_PA_INVALID_OPTION'), fields['message'], fields.get('hint')


def refusals_of_c():
	code, names = Code(), None
	names = errcode_names(code)
	rows, wrappers = [], []

	def texts(function, expressions):
		return [w for e in expressions for w in words(code, function, re.sub(r'\s+', ' ', e))]

	def add(function, codes, message, detail, hint):
		if any(isinstance(w, int) for w in message + detail + hint):
			wrappers.append((function, codes, message, detail, hint))
			return
		if not message:
			complaints.append('%s: %s(): a message cannot be followed' % (function.file, function.name))
		if GENERIC in message and not detail:
			complaints.append('%s: %s(): a detail cannot be followed' % (function.file, function.name))
		for m in message:
			for d, h in pairs(detail, hint):
				rows.append((function.file, codes, m, d, h))

	for function in code.functions:
		for errcode, message, detail, hint in reports_of(function):
			codes = sorted({names[n] for e in errcode for n in re.findall(r'ERRCODE_\w+', e)})
			if not message or re.match(r'\w+->', message[0]) or re.match(r'\w+\.', message[0]):
				continue		# said by the object that is described by described_arguments() or filled in as a PaProblem
			add(function, codes, texts(function, message), texts(function, detail), texts(function, hint))
	done = set()
	while wrappers:
		wrapper, codes, message, detail, hint = wrappers.pop()
		key = (wrapper.file, wrapper.name, tuple(codes), tuple(message), tuple(detail), tuple(hint))
		if key in done:
			continue
		done.add(key)
		called = False
		local = sum(f.name == wrapper.name for f in code.functions) > 1
		for function in code.functions:
			if local and function.file != wrapper.file:
				continue
			for m in re.finditer(r'(?<!\w)%s\(' % wrapper.name, function.body):
				given, _ = arguments(function.body, m.end() - 1)
				if len(given) != len(wrapper.parameters):
					continue
				called = True
				fill = lambda ws: [x for w in ws for x in ([w] if isinstance(w, str) else texts(function, [given[w]]))]
				add(function, codes, fill(message), fill(detail), fill(hint))
		if not called:
			complaints.append('%s: nothing calls %s() with words' % (wrapper.file, wrapper.name))
	for file, sqlstate, message, hint in described_arguments(code):
		w = lambda e: ' '.join(words(code, None, e)) if e else ''
		rows.append((file, [names[sqlstate]], w(message), '', w(hint)))
	return rows


# --- SQL -----------------------------------------------------------------

def sql_string(text):
	return text.replace("''", "'")


def sql_branches(expression):
	"""What a CASE may be; an expression that is none is itself."""
	text = expression.strip()
	if not re.match(r'CASE\b', text) or not re.search(r'\bEND$', text):
		return [text]
	branches, depth, begin = [], 0, None
	for m in re.finditer(r"'(?:[^']|'')*'|\b(?:CASE|WHEN|THEN|ELSE|END)\b", text):
		if m[0][0] == "'":
			continue
		if depth == 1 and begin is not None and m[0] in ('WHEN', 'ELSE', 'END'):
			branches.append(text[begin:m.start()])
			begin = None
		if depth == 1 and m[0] in ('THEN', 'ELSE'):
			begin = m.end()
		depth += (m[0] == 'CASE') - (m[0] == 'END')
		if depth == 0 and m.end() < len(text):
			return [text]			# something is appended
	return [b for branch in branches for b in sql_branches(branch)]


def sql_words(expression, body):
	"""The texts that an expression may be: constants, what format() makes, variables of the function."""
	texts = []
	for branch in sql_branches(expression):
		# constants that are compared, and separators, are no sentences
		found = [w for w in re.findall(r"'((?:[^']|'')*)'", branch) if re.search(r'\w[^ ]* [^ ]*\w', w)]
		if not found and re.fullmatch(r'\w+', branch):
			texts += [w for value in re.findall(r'\b%s(?:\s+text)?\s*:=\s*(.*?);' % branch, body, re.S) for w in sql_words(value, '')]
		elif found:
			texts.append(gaps(re.sub(r'%(?:\d+\$)?[sIL]', GAP, sql_string(' '.join(found)))))
	return texts


def sql_clauses(text):
	"""ERRCODE = x, DETAIL = y, ... of USING, split at commas outside of parentheses and strings."""
	parts, depth, begin, i = [], 0, 0, 0
	while i <= len(text):
		c = text[i] if i < len(text) else ','
		if c == "'":
			i = re.compile(r"'(?:[^']|'')*'").match(text, i).end()
			continue
		depth += (c in '([') - (c in ')]')
		if c == ',' and depth == 0 or i == len(text):
			parts.append(text[begin:i])
			begin = i + 1
		i += 1
	return dict((k.upper(), v) for k, v in (re.match(r'\s*(\w+)\s*=\s*(.*)', p, re.S).groups() for p in parts if p.strip()))


STATEMENT = re.compile(
	r'CREATE (?:OR REPLACE )?FUNCTION privacct\.(?P<name>\w+)\((?P<parameters>.*?)\)\s*(?:RETURNS|LANGUAGE).*?\bAS (?P<quote>\$\w*\$)(?P<body>.*?)(?P=quote)'
	r'|DROP FUNCTION (?P<dropped>privacct\..*?);'
	r'|^DO (?P<do_quote>\$\w*\$)(?P<do>.*?)(?P=do_quote)', re.S | re.M)


def count_parameters(text):
	text = re.sub(r"'(?:[^']|'')*'", '', text)
	while re.search(r'\([^()]*\)', text):
		text = re.sub(r'\([^()]*\)', '', text)
	return len([p for p in text.split(',') if p.strip() and not p.strip().startswith('OUT ')])


def bodies_of_sql():
	"""Functions as the parts have them, and what the scripts themselves do."""
	functions, scripts = {}, []
	for path in ['migrations/install.sql'] + sorted(glob.glob(os.path.join(ROOT, 'migrations/parts/*.sql'))) + sorted(glob.glob(os.path.join(ROOT, 'migrations/0.2/*.sql'))):
		path = os.path.relpath(os.path.join(ROOT, path), ROOT)
		text = re.sub(r'^\s*--.*$', '', read(path), flags=re.M)
		text = re.sub(r"'[ \t]*\n\s*'", '', text)  # a literal that goes on in the next line
		for m in STATEMENT.finditer(text):
			if m['name']:
				functions[m['name'], count_parameters(m['parameters'])] = (path, m['body'])
			elif m['do']:
				scripts.append((path, m['do']))
			else:
				for name, parameters in re.findall(r'privacct\.(\w+)\s*(?:\(([^)]*)\))?', m['dropped']):
					functions = {k: v for k, v in functions.items() if k[0] != name or parameters and k[1] != count_parameters(parameters)}
	return list(functions.values()) + scripts


def refusals_of_sql():
	rows = []
	raises = re.compile(r"RAISE EXCEPTION\s+(?:'((?:[^']|'')*)'((?:\s*,\s*(?:[^;']|'(?:[^']|'')*')*?)?))?(?:\s*USING\s+((?:[^;']|'(?:[^']|'')*')*))?;", re.S)
	for path, body in bodies_of_sql():
		if body.count('RAISE EXCEPTION') != len(raises.findall(body)):
			complaints.append('%s: a RAISE EXCEPTION cannot be read' % path)
		for m in raises.finditer(body):
			clauses = sql_clauses(m[3] or '')
			state = re.findall(r"'(\w{5})'", clauses.get('ERRCODE', "'P0001'"))
			message = [gaps(sql_string(m[1]).replace('%', GAP))] if m[1] is not None else sql_words(clauses['MESSAGE'], body)
			if message == [GAP]:
				message = sql_words(m[2].lstrip(' \n\t,'), body)
			detail = sql_words(clauses.get('DETAIL', ''), body)
			hint = sql_words(clauses.get('HINT', ''), body)
			if not message or not state:
				complaints.append('%s: a message cannot be followed: %s' % (path, m[0][:80]))
			for words_of in message:
				rows += [(path, state, words_of, d, h) for d, h in pairs(detail, hint)]
	return rows


# --- examples ------------------------------------------------------------

SAID = re.compile(r'(?:ERROR|DETAIL|HINT|LINE \d+|CONTEXT|NOTICE|WARNING):|\s*\^$')


def statements_refused():
	"""(statement, message, detail) of the expected output of the SQL tests, those that are written for refusals first."""
	names = sorted((os.path.basename(path)[:-4] for path in glob.glob(os.path.join(ROOT, 'sql/*.sql'))), key=lambda n: (n != 'refusals', n))
	for name in names:
		source, begin, statement = read('sql/%s.sql' % name).split('\n'), 0, []
		for i, line in enumerate(output := read('expected/%s.out' % name).split('\n')):
			at = source.index(line, begin, begin + 40) if line in source[begin:begin + 40] and not SAID.match(line) else -1
			if at >= 0:
				begin = at + 1
			if line.startswith('ERROR:  '):
				said = list(itertools.takewhile(SAID.match, output[i:]))
				yield ' '.join(s.strip() for s in statement), line[8:], next((d[9:] for d in said if d.startswith('DETAIL:  ')), '')
			if SAID.match(line):
				statement = []
			elif at >= 0 or name == 'refusals' and (statement or re.match('[A-Z]{4,} ', line)):		# \gexec shows what it runs
				if statement and re.search(r';\s*(?:--.*)?$|\\g', statement[-1]):
					statement = []
				if not re.match(r'\s*--|\s*$|\\|\(\d+ row', line):
					statement.append(line)


def statements_allowed():
	"""What sql/refusals.sql has beside a statement that is refused: what its hint leads to."""
	pairs_of = re.findall(r"^\((?:'\d\dPA\d', )?'((?:[^']|'')*)', '((?:[^']|'')+)'\)", read('sql/refusals.sql'), re.M)
	return {sql_string(a): sql_string(b) for a, b in pairs_of}


def matcher(text):
	return re.compile('.*'.join(re.escape(p) for p in text.split(GAP)) + '$', re.S)


def find_example(refused, message, detail):
	"""The first statement of the tests that was refused so, of those that fit into a line if there is one."""
	first, second = matcher(message), matcher(detail) if detail else None
	fits = [s for s, m, d in refused if first.match(m) and (second is None or second.match(d)) and 0 < len(s) <= LONGEST and not re.match('FETCH|EXECUTE', s)]
	return next((s for s in fits if len(s) <= 100), min(fits, key=len, default=''))


# --- the page ------------------------------------------------------------

ROOMS = [
	('Queries', ('src/guard/', 'src/allow/', 'src/lookup/')),
	('Aggregates and releases', ('src/node/', 'src/price/', 'src/bound/', 'src/look/', 'src/quiet/')),
	('Questions to owners', ('src/local/',)),
	('Budgets and the ledger', ('src/ledger/',)),
	('Functions', ('src/function/',)),
	('Declarations, books and the system catalog', ('src/catalog/', 'migrations/')),
	('The server', ('src/',))]


def advice():
	lines = [line for line in read('scripts/tree/refusals.advice').split('\n') if line and not line.startswith('#')]
	return dict(line.split('\t', 1) for line in lines)


def cell(text):
	return text.replace('|', '\\|').replace('\n', ' ').replace('<', '&lt;').strip()


def code(text):
	"""Within backquotes nothing but the bar means anything to Markdown."""
	return '`%s`' % text.replace('|', '\\|')


def page():
	refused, allowed, said, used = list(statements_refused()), statements_allowed(), advice(), set()
	rooms = {title: {} for title, _ in ROOMS}
	for file, states, message, detail, hint in refusals_of_c() + refusals_of_sql():
		title = next(t for t, folders in ROOMS if file.startswith(folders))
		if not hint:
			used.add(message)
			hint = said.get(message) or next((said[s] for s in states if s in said), '')
			used.update(states)
			if not hint:
				complaints.append('scripts/tree/refusals.advice does not say what to do: %s (%s)' % (message, file))
		rooms[title].setdefault((', '.join(states), message, detail), hint)
	for unused in sorted(set(said) - used):
		complaints.append('scripts/tree/refusals.advice: nothing says any more: ' + unused)
	out = [read('scripts/tree/refusals.head').rstrip('\n')]
	for title, _ in ROOMS:
		if not rooms[title]:
			continue
		out += ['', '## ' + title, '', '| SQLSTATE | message | example | what to do |', '|---|---|---|---|']
		for (states, message, detail), hint in sorted(rooms[title].items()):
			example = find_example(refused, message, detail)
			instead = allowed.get(example, '')
			todo = cell(hint) + (' For instance %s.' % code(instead) if instead and len(instead) <= LONGEST else '')
			out.append('| %s | %s | %s | %s |' % (states, cell('**%s** %s' % (message, detail)), code(example) if example else '', todo))
	return '\n'.join(out) + '\n'


def main():
	text = page()
	if '--check' in sys.argv[1:]:
		there = read('docs/refusals.md')
		complaints.extend('docs/refusals.md does not have: ' + line for line in text.split('\n') if line not in there)
		if there != text:
			complaints.append('docs/refusals.md is not what the code says: run scripts/tree/refusals.py >docs/refusals.md')
	else:
		sys.stdout.write(text)
	for complaint in complaints:
		print(complaint, file=sys.stderr)
	return 1 if complaints else 0


if __name__ == '__main__':
	sys.exit(main())
