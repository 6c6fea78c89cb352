/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * pattern.c
 *		See pattern.h.
 *
 * Method: the positions of Glushkov (1961), as bits of a word, as LIKE does it in
 * total_text.c.  Each character of the expression, once repetitions are written
 * out, is a position; which may come after which is known beforehand.  A character
 * of the text then takes the same few look-ups, however many ways of matching there
 * are.  The begin and the end of the text are characters of their own, which ^ and
 * $ match.  Back references and looking around have no such form.
 */
#include "postgres.h"

#include <limits.h>

#include "mb/pg_wchar.h"
#include "port/pg_bitutils.h"

#include "compat/collation.h"
#include "allow/pattern.h"
#include "descend.h"
#include "size_limits.h"

#define MAX_POSITIONS 64
#define MAX_PARTS (4 * PA_MAX_PATTERN_BYTES)
#define MAX_STEPS 4096			/* of writing repetitions out */
#define MAX_RANGES 256			/* of characters, in all sets */
#define MAX_REPEAT 255			/* as PostgreSQL has it */
#define UNLIMITED (-1)
#define PLAIN 128				/* characters below have a mask of their own */
#define LAST_CHARACTER 0x7fffffff
#define CHUNK 8					/* bits of a state that are looked up at once */
#define CHUNKS (MAX_POSITIONS / CHUNK)

struct PaPattern
{
	uint64		first;			/* where a match may begin ... */
	uint64		last;			/* ... and end */
	bool		anywhere;		/* it matches between any two characters ... */
	bool		empty;			/* ... and the empty text, where it both begins and ends */
	uint64		at_begin;		/* positions that match the begin of the text, the end, ... */
	uint64		at_end;
	uint64		plain[PLAIN];	/* ... and each of these characters */
	int			nlimits;		/* other characters: from limit to limit the same */
	uint32		limits[2 * MAX_RANGES + 1];
	uint64		others[2 * MAX_RANGES + 1];
	int			nchunks;
	uint64		after[CHUNKS][1 << CHUNK];	/* what may come after the positions of this part of a state */
};

/* --- taking the expression apart --- */

typedef struct Range
{
	uint32		low;
	uint32		high;
} Range;

typedef enum PartKind
{
	PART_NOTHING, PART_SET, PART_BEGIN, PART_END, PART_BOTH, PART_EITHER, PART_REPEAT
} PartKind;

typedef struct Part
{
	PartKind	kind;
	int			left;			/* parts */
	int			right;
	int			least;			/* how often, of a repetition */
	int			most;
	int			ranges;			/* of a set, the first of them */
	int			nranges;
	bool		others;			/* all characters but these */
} Part;

typedef struct Parser
{
	uint32	   *next;			/* characters of the expression */
	uint32	   *end;
	bool		ignore_case;
	bool		c_characters;	/* only ASCII has letters and spaces */
	bool		known_case;		/* letters of ASCII have each other's case */
	bool		known_digits;
	const char *reason;			/* why it cannot be taken apart; NULL so far */
	int			nparts;
	Part		parts[MAX_PARTS];
	int			nranges;
	Range		ranges[MAX_RANGES];
} Parser;

static int
fail(Parser *parser, const char *reason)
{
	if (parser->reason == NULL)
		parser->reason = reason;
	parser->next = parser->end;
	return 0;
}

static int
add_part(Parser *parser, Part part)
{
	if (parser->nparts == MAX_PARTS)
		return fail(parser, "it is too long");
	parser->parts[parser->nparts] = part;
	return parser->nparts++;
}

static void
add_plain_range(Parser *parser, uint32 low, uint32 high)
{
	if (parser->nranges == MAX_RANGES)
		(void) fail(parser, "it has too many characters in brackets");
	else
		parser->ranges[parser->nranges++] = (Range) {low, high};
}

/* The part of a range that lies between these letters, moved by so much. */
static void
add_other_case(Parser *parser, uint32 low, uint32 high, char first, char last, int distance)
{
	low = Max(low, (uint32) first);
	high = Min(high, (uint32) last);
	if (low <= high)
		add_plain_range(parser, low + distance, high + distance);
}

static void
add_range(Parser *parser, uint32 low, uint32 high)
{
	add_plain_range(parser, low, high);
	if (!parser->ignore_case)
		return;
	if (!parser->known_case || (high >= PLAIN && !parser->c_characters))
		(void) fail(parser, "the case of its letters depends on a collation");
	add_other_case(parser, low, high, 'a', 'z', 'A' - 'a');
	add_other_case(parser, low, high, 'A', 'Z', 'a' - 'A');
}

static void
add_ranges(Parser *parser, const Range *ranges, int count)
{
	for (int i = 0; i < count; i++)
		add_range(parser, ranges[i].low, ranges[i].high);
}

/* Classes of characters, in ASCII. */
static const struct
{
	const char *name;
	bool		digits;
	Range		ranges[4];
}			classes[] = {
	{"digit", true, {{'0', '9'}}},
	{"alpha", false, {{'A', 'Z'}, {'a', 'z'}}},
	{"alnum", false, {{'0', '9'}, {'A', 'Z'}, {'a', 'z'}}},
	{"word", false, {{'0', '9'}, {'A', 'Z'}, {'a', 'z'}, {'_', '_'}}},
	{"space", false, {{'\t', '\r'}, {' ', ' '}}},
	{"upper", false, {{'A', 'Z'}}},
	{"lower", false, {{'a', 'z'}}},
	{"punct", false, {{'!', '/'}, {':', '@'}, {'[', '`'}, {'{', '~'}}},
	{"xdigit", true, {{'0', '9'}, {'A', 'F'}, {'a', 'f'}}},
};

static void
add_class(Parser *parser, const char *name, int length)
{
	for (int i = 0; i < lengthof(classes); i++)
	{
		int			count = 0;

		if (strncmp(classes[i].name, name, length) != 0 || classes[i].name[length] != '\0')
			continue;
		if (!(parser->c_characters || (classes[i].digits && parser->known_digits)))
			(void) fail(parser, "its classes of characters depend on a collation");
		while (count < lengthof(classes[i].ranges) && classes[i].ranges[count].high > 0)
			count++;
		add_ranges(parser, classes[i].ranges, count);
		return;
	}
	(void) fail(parser, "it names a class of characters that is not known");
}

static bool
is_letter_or_digit(uint32 character)
{
	return (character >= '0' && character <= '9') || (character >= 'a' && character <= 'z') || (character >= 'A' && character <= 'Z');
}

/* After a backslash; true: it was a class, which is added. */
static bool
take_escape(Parser *parser, uint32 *character)
{
	static const char controls[] = "n\nt\tr\rf\fv\v";
	const char *control;

	if (parser->next == parser->end)
	{
		(void) fail(parser, "it ends in a backslash");
		return false;
	}
	*character = *parser->next++;
	if (*character == 'd' || *character == 's' || *character == 'w')
	{
		if (*character == 'd')
			add_class(parser, "digit", 5);
		else if (*character == 's')
			add_class(parser, "space", 5);
		else
			add_class(parser, "word", 4);
		return true;
	}
	if (*character >= '1' && *character <= '9')
		(void) fail(parser, "it refers back to what matched before");
	else if (is_letter_or_digit(*character))
	{
		control = *character < PLAIN ? strchr(controls, (int) *character) : NULL;
		if (control == NULL || (control - controls) % 2 == 1)
			(void) fail(parser, "it has an escape that is not among \\d, \\s, \\w, their capitals, \\n, \\t and \\r");
		else
			*character = (unsigned char) control[1];
	}
	return false;
}

static Part
begin_set(const Parser *parser)
{
	return (Part) {.kind = PART_SET,.ranges = parser->nranges};
}

static int
end_set(Parser *parser, Part set)
{
	set.nranges = parser->nranges - set.ranges;
	return add_part(parser, set);
}

static bool
at(const Parser *parser, uint32 character)
{
	return parser->next < parser->end && *parser->next == character;
}

static bool
take(Parser *parser, uint32 character)
{
	if (!at(parser, character))
		return false;
	parser->next++;
	return true;
}

/* [:name:] in brackets, after its [ */
static void
take_class(Parser *parser)
{
	char		name[8];
	int			length = 0;

	parser->next++;				/* the colon */
	while (parser->next < parser->end && *parser->next >= 'a' && *parser->next <= 'z' && length < lengthof(name))
		name[length++] = (char) *parser->next++;
	if (!take(parser, ':') || !take(parser, ']') || strncmp(name, "word", length) == 0)
		(void) fail(parser, "it names a class of characters that is not known");
	else
		add_class(parser, name, length);
}

/* One character in brackets, perhaps escaped; false: it was a class. */
static bool
take_bracketed(Parser *parser, uint32 *character)
{
	*character = 0;
	if (take(parser, '\\'))
		return !take_escape(parser, character);
	if (take(parser, '['))
	{
		if (at(parser, ':'))
		{
			take_class(parser);
			return false;
		}
		if (at(parser, '.') || at(parser, '='))
			(void) fail(parser, "it names a collating element");
		*character = '[';
		return true;
	}
	if (parser->next < parser->end)
		*character = *parser->next++;
	return true;
}

/* After [ */
static int
take_brackets(Parser *parser)
{
	Part		set = begin_set(parser);
	bool		first = true;

	set.others = take(parser, '^');
	for (; parser->next < parser->end && (first || *parser->next != ']'); first = false)
	{
		uint32		low;
		bool		single = take_bracketed(parser, &low);
		uint32		high = low;

		if (at(parser, '-') && parser->next + 1 < parser->end && parser->next[1] != ']')
		{
			if (!single)
				return fail(parser, "a range of characters begins with a class");
			parser->next++;
			if (!take_bracketed(parser, &high) || high < low)
				return fail(parser, "a range of characters ends before it begins");
		}
		if (single)
			add_range(parser, low, high);
	}
	if (!take(parser, ']') && parser->reason == NULL)
		return fail(parser, "a bracket is not closed");
	return end_set(parser, set);
}

static int take_choices(Parser *parser);

/* After ( */
static int
take_group(Parser *parser)
{
	int			inner;

	if (take(parser, '?') && !take(parser, ':'))
		return fail(parser, "it looks around, or has options");
	inner = take_choices(parser);
	if (!take(parser, ')') && parser->reason == NULL)
		return fail(parser, "a parenthesis is not closed");
	return inner;
}

/* After a backslash outside of brackets */
static int
take_escaped_atom(Parser *parser)
{
	Part		set = begin_set(parser);
	uint32		character = 0;

	if (take(parser, 'A'))
		return add_part(parser, (Part) {.kind = PART_BEGIN});
	if (take(parser, 'Z'))
		return add_part(parser, (Part) {.kind = PART_END});
	if (parser->next < parser->end && (*parser->next == 'D' || *parser->next == 'S' || *parser->next == 'W'))
	{
		*parser->next += 'a' - 'A';
		set.others = true;
	}
	if (!take_escape(parser, &character))
		add_range(parser, character, character);
	return end_set(parser, set);
}

static int
take_atom(Parser *parser)
{
	uint32		character = *parser->next++;
	Part		set = begin_set(parser);

	switch (character)
	{
		case '(':
			return take_group(parser);
		case '[':
			return take_brackets(parser);
		case '\\':
			return take_escaped_atom(parser);
		case '^':
			return add_part(parser, (Part) {.kind = PART_BEGIN});
		case '$':
			return add_part(parser, (Part) {.kind = PART_END});
		case '*':
		case '+':
		case '?':
			return fail(parser, "it repeats what is not there");
		case '{':
			if (parser->next < parser->end && *parser->next >= '0' && *parser->next <= '9')
				return fail(parser, "it repeats what is not there");
			add_range(parser, character, character);
			return end_set(parser, set);
		case '.':
			set.others = true;
			return end_set(parser, set);
		default:
			add_range(parser, character, character);
			return end_set(parser, set);
	}
}

static bool
take_number(Parser *parser, int *number)
{
	uint32	   *first = parser->next;

	*number = 0;
	while (parser->next < parser->end && *parser->next >= '0' && *parser->next <= '9' && *number <= MAX_REPEAT)
		*number = *number * 10 + (int) (*parser->next++ - '0');
	return parser->next > first;
}

/* {m}, {m,} or {m,n}, after the { */
static void
take_counts(Parser *parser, int *least, int *most)
{
	(void) take_number(parser, least);
	*most = *least;
	if (take(parser, ',') && !take_number(parser, most))
		*most = UNLIMITED;
	if (!take(parser, '}') || *least > MAX_REPEAT || *most > MAX_REPEAT || (*most != UNLIMITED && *most < *least))
		(void) fail(parser, "the number of its repetitions is not understood");
}

static bool
at_repetition(const Parser *parser)
{
	return at(parser, '*') || at(parser, '+') || at(parser, '?') ||
		(at(parser, '{') && parser->next + 1 < parser->end && parser->next[1] >= '0' && parser->next[1] <= '9');
}

static bool
take_repetition(Parser *parser, int *least, int *most)
{
	*least = 0;
	*most = UNLIMITED;
	if (take(parser, '*'))
		return true;
	if (take(parser, '+'))
	{
		*least = 1;
		return true;
	}
	if (take(parser, '?'))
	{
		*most = 1;
		return true;
	}
	if (!at_repetition(parser))
		return false;
	parser->next++;				/* { */
	take_counts(parser, least, most);
	return true;
}

/* That it prefers short matches makes no difference to whether there is one. */
static int
take_repeated(Parser *parser)
{
	int			part = take_atom(parser);
	int			least;
	int			most;

	if (parser->reason || !take_repetition(parser, &least, &most))
		return part;
	(void) take(parser, '?');
	if (parser->parts[part].kind == PART_BEGIN || parser->parts[part].kind == PART_END || at_repetition(parser))
		return fail(parser, "it repeats what cannot be repeated");
	return add_part(parser, (Part) {.kind = PART_REPEAT,.left = part,.least = least,.most = most});
}

static int
take_sequence(Parser *parser)
{
	int			all = add_part(parser, (Part) {.kind = PART_NOTHING});

	while (parser->next < parser->end && *parser->next != '|' && *parser->next != ')')
	{
		int			next = take_repeated(parser);

		all = add_part(parser, (Part) {.kind = PART_BOTH,.left = all,.right = next});
	}
	return all;
}

static int
take_choices(Parser *parser)
{
	int			all;

	pa_descend();
	all = take_sequence(parser);
	while (take(parser, '|'))
	{
		int			next = take_sequence(parser);

		all = add_part(parser, (Part) {.kind = PART_EITHER,.left = all,.right = next});
	}
	return all;
}

/* --- positions --- */

typedef struct Places
{
	bool		empty;
	uint64		first;
	uint64		last;
} Places;

typedef struct Builder
{
	Parser	   *parser;
	PaPattern  *pattern;
	int			steps;
	int			npositions;
	int			nsets;
	int			sets[MAX_POSITIONS];	/* different parts that are sets ... */
	uint64		where[MAX_POSITIONS];	/* ... and the positions of each */
	uint64		after[MAX_POSITIONS];
} Builder;

static const Places nothing = {true, 0, 0};

static void
connect(Builder *builder, uint64 from, uint64 to)
{
	for (int i = 0; i < builder->npositions; i++)
		if (from & (UINT64CONST(1) << i))
			builder->after[i] |= to;
}

/* A set that is repeated has many positions. */
static void
place_set(Builder *builder, int part, uint64 bit)
{
	int			i = 0;

	while (i < builder->nsets && builder->sets[i] != part)
		i++;
	if (i == builder->nsets)
		builder->sets[builder->nsets++] = part;
	builder->where[i] |= bit;
}

static Places
place_position(Builder *builder, int part)
{
	uint64		bit;

	if (builder->npositions == MAX_POSITIONS)
	{
		(void) fail(builder->parser, "it has more than 64 characters, repetitions written out");
		return nothing;
	}
	bit = UINT64CONST(1) << builder->npositions++;
	if (builder->parser->parts[part].kind == PART_SET)
		place_set(builder, part, bit);
	if (builder->parser->parts[part].kind == PART_BEGIN)
		builder->pattern->at_begin |= bit;
	if (builder->parser->parts[part].kind == PART_END)
		builder->pattern->at_end |= bit;
	return (Places) {false, bit, bit};
}

static Places
place_both(Builder *builder, Places a, Places b)
{
	connect(builder, a.last, b.first);
	return (Places) {
		a.empty && b.empty, a.first | (a.empty ? b.first : 0), b.last | (b.empty ? a.last : 0)
	};
}

static Places place(Builder *builder, int part);

static Places
place_repeated(Builder *builder, const Part *part)
{
	Places		all = nothing;
	int			copies = part->most == UNLIMITED ? Max(part->least, 1) : part->most;

	for (int i = 0; i < copies && builder->parser->reason == NULL; i++)
	{
		Places		one = place(builder, part->left);

		if (part->most == UNLIMITED && i == copies - 1)
			connect(builder, one.last, one.first);
		one.empty |= i >= part->least;
		all = place_both(builder, all, one);
	}
	return all;
}

static Places
place(Builder *builder, int number)
{
	const Part *part = &builder->parser->parts[number];
	Places		a;
	Places		b;

	pa_descend();
	if (++builder->steps > MAX_STEPS)
		(void) fail(builder->parser, "it repeats too much");
	if (builder->parser->reason)
		return nothing;
	switch (part->kind)
	{
		case PART_NOTHING:
			break;
		case PART_SET:
		case PART_BEGIN:
		case PART_END:
			return place_position(builder, number);
		case PART_BOTH:
			a = place(builder, part->left);
			return place_both(builder, a, place(builder, part->right));
		case PART_EITHER:
			a = place(builder, part->left);
			b = place(builder, part->right);
			return (Places) {a.empty || b.empty, a.first | b.first, a.last | b.last};
		case PART_REPEAT:
			return place_repeated(builder, part);
	}
	return nothing;
}

/* The begin of a text begins it however often an expression says so: what is reached through marks, by Warshall's method. */
static void
join_marks(Builder *builder, Places *all, uint64 marks)
{
	for (int through = 0; through < builder->npositions; through++)
		if (marks & (UINT64CONST(1) << through))
			for (int i = 0; i < builder->npositions; i++)
				if ((marks & (UINT64CONST(1) << i)) && (builder->after[i] & (UINT64CONST(1) << through)))
					builder->after[i] |= builder->after[through];
	for (int i = 0; i < builder->npositions; i++)
		if ((marks & (UINT64CONST(1) << i)) && (builder->after[i] & marks & all->last))
			all->last |= UINT64CONST(1) << i;
}

/* The begin of the empty text is its end. */
static bool
matches_empty(const Builder *builder, const Places *all, uint64 marks)
{
	uint64		reached = all->first & marks;
	uint64		before = 0;

	while (reached != before)
	{
		before = reached;
		for (int i = 0; i < builder->npositions; i++)
			if (reached & (UINT64CONST(1) << i))
				reached |= builder->after[i] & marks;
	}
	return all->empty || (reached & all->last) != 0;
}

/* --- characters --- */

static bool
has_character(const Parser *parser, const Part *set, uint32 character)
{
	for (int i = set->ranges; i < set->ranges + set->nranges; i++)
		if (character >= parser->ranges[i].low && character <= parser->ranges[i].high)
			return !set->others;
	return set->others;
}

static uint64
positions_of(const Builder *builder, uint32 character)
{
	uint64		positions = 0;

	for (int i = 0; i < builder->nsets; i++)
		if (has_character(builder->parser, &builder->parser->parts[builder->sets[i]], character))
			positions |= builder->where[i];
	return positions;
}

static int
compare_characters(const void *a, const void *b)
{
	uint32		x = *(const uint32 *) a;
	uint32		y = *(const uint32 *) b;

	return (x > y) - (x < y);
}

static void
map_characters(const Builder *builder, PaPattern *pattern)
{
	const Parser *parser = builder->parser;

	for (uint32 character = 0; character < PLAIN; character++)
		pattern->plain[character] = positions_of(builder, character);
	pattern->limits[pattern->nlimits++] = PLAIN;
	for (int i = 0; i < parser->nranges; i++)
	{
		if (parser->ranges[i].low > PLAIN)
			pattern->limits[pattern->nlimits++] = parser->ranges[i].low;
		if (parser->ranges[i].high >= PLAIN && parser->ranges[i].high < LAST_CHARACTER)
			pattern->limits[pattern->nlimits++] = parser->ranges[i].high + 1;
	}
	qsort(pattern->limits, pattern->nlimits, sizeof(uint32), compare_characters);
	for (int i = 0; i < pattern->nlimits; i++)
		pattern->others[i] = positions_of(builder, pattern->limits[i]);
}

static void
map_states(const Builder *builder, PaPattern *pattern)
{
	pattern->nchunks = (builder->npositions + CHUNK - 1) / CHUNK;
	for (int chunk = 0; chunk < pattern->nchunks; chunk++)
		for (int bits = 1; bits < 1 << CHUNK; bits++)
		{
			int			rest = bits & (bits - 1);
			int			position = chunk * CHUNK + pg_rightmost_one_pos32(bits);

			pattern->after[chunk][bits] = pattern->after[chunk][rest] |
				(position < builder->npositions ? builder->after[position] : 0);
		}
}

/* --- the text --- */

static inline uint32
next_character(const char **data, const char *end)
{
	const unsigned char *bytes = (const unsigned char *) *data;
	int			length;

	if (*bytes < PLAIN || GetDatabaseEncoding() != PG_UTF8)
	{
		(*data)++;
		return *bytes;
	}
	length = Min(pg_utf_mblen(bytes), end - *data);
	*data += length;
	return utf8_to_unicode(bytes);
}

static uint64
matching(const PaPattern *pattern, uint32 character)
{
	int			low = 0;
	int			high = pattern->nlimits;

	if (character < PLAIN)
		return pattern->plain[character];
	while (high - low > 1)
	{
		int			middle = (low + high) / 2;

		if (pattern->limits[middle] <= character)
			low = middle;
		else
			high = middle;
	}
	return pattern->others[low];
}

static inline uint64
step(const PaPattern *pattern, uint64 state, uint64 matching)
{
	uint64		next = pattern->first;

	for (int chunk = 0; chunk < pattern->nchunks; chunk++)
		next |= pattern->after[chunk][(state >> (chunk * CHUNK)) & ((1 << CHUNK) - 1)];
	return next & matching;
}

bool
pa_pattern_matches(const PaPattern *pattern, const char *data, int length)
{
	const char *end = data + length;
	uint64		state = step(pattern, 0, pattern->at_begin);
	uint64		seen = state;

	while (data < end)
	{
		state = step(pattern, state, matching(pattern, next_character(&data, end)));
		seen |= state;
	}
	seen |= step(pattern, state, pattern->at_end);
	return length == 0 ? pattern->empty : pattern->anywhere || (seen & pattern->last) != 0;
}

/* --- the whole --- */

/* By which characters are judged that are not of ASCII, and the case of those that are. */
static void
settle_collation(Parser *parser, Oid collation)
{
	parser->c_characters = pa_knows_ascii(collation);
	parser->known_case = parser->c_characters || collation == DEFAULT_COLLATION_OID;
	if (!parser->c_characters)
		parser->known_digits = pa_asks_libc(collation);
}

static bool
take_apart(Parser *parser, const char *data, int length)
{
	const char *end = data + length;

	parser->next = parser->end = palloc(sizeof(uint32) * (length + 1));
	if (length > PA_MAX_PATTERN_BYTES)
		(void) fail(parser, "it is too long");
	else if (length >= 3 && strncmp(data, "***", 3) == 0)
		(void) fail(parser, "it has options");
	else if (pg_database_encoding_max_length() > 1 && GetDatabaseEncoding() != PG_UTF8)
		(void) fail(parser, "characters of this database's encoding have to be looked for");
	else
		while (data < end)
			*parser->end++ = next_character(&data, end);
	return parser->reason == NULL;
}

PaPattern *
pa_pattern_make(const char *data, int length, bool ignore_case, Oid collation, const char **reason)
{
	Parser	   *parser = palloc0(sizeof(Parser));
	PaPattern  *pattern = palloc0(sizeof(PaPattern));
	Builder		builder = {.parser = parser,.pattern = pattern};
	Places		all = nothing;

	parser->ignore_case = ignore_case;
	settle_collation(parser, collation);
	if (take_apart(parser, data, length))
	{
		int			whole = take_choices(parser);

		if (parser->next < parser->end)
			(void) fail(parser, "a parenthesis was not opened");
		all = place(&builder, whole);
	}
	join_marks(&builder, &all, pattern->at_begin);
	join_marks(&builder, &all, pattern->at_end);
	pattern->anywhere = all.empty;
	pattern->empty = matches_empty(&builder, &all, pattern->at_begin | pattern->at_end);
	pattern->first = all.first;
	pattern->last = all.last;
	if (parser->reason == NULL)
	{
		map_characters(&builder, pattern);
		map_states(&builder, pattern);
	}
	*reason = parser->reason;
	pfree(parser);
	return *reason ? NULL : pattern;
}
