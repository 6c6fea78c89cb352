/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * branch_program.c
 *		The linear program of a node, and what is certain of its solution.
 *
 * Columns are x and, for every term, lengths y_k of the pieces of a concave
 * function of w, from the steepest to the flattest: w = p + sum of y_k.  So the matrix
 * is the same for all nodes of a sum, only costs and sides change, and the
 * basis of one node serves for the next.  Two more columns let w leave its interval
 * at a high price: then there always is a solution, and where the part is empty
 * its multipliers push the bound down.
 *
 * Pieces are tangents of the envelope, placed where two neighbours leave most of it
 * uncovered, and again where the solution lies.
 *
 * After a fault of GLPK's no program is tried any more.
 */
#include "core/bayes/branch_program.h"

#include <math.h>
#include <string.h>

#include "core/optimize/glpk.h"

#define PIECES 8				/* of a term */
#define COLUMNS (PIECES + 2)
#define ROUNDS 4
#define NEAR 0.1				/* of a curve: how far pieces are from the one at a solution, at first */
#define STEPS 50				/* of the simplex, for each row and coordinate */
#define ENOUGH 0.5				/* of the gap that splitting may close */
#define PRICE 100.0				/* of leaving an interval, */
#define MOST_PRICE 1e9			/* also a short one */

typedef struct Piece
{
	double		at;				/* a tangent at this point */
	double		slope;
	double		support;
} Piece;

struct PaProgram
{
	int			terms;
	int			dimensions;
	const PaEnvironment *environment;
	bool		lost;			/* by a fault of GLPK's */
	glp_prob   *problem[2];
	PaRelaxation *relaxation;	/* of the call */
	double		floor;
	double		close;
	double		tolerance;		/* of the pieces */
	double	   *slope;			/* workspace of a bound that may not be the best */
	double	   *tangent;
	double	   *gradient;
	double	   *x;
};

PaProgram *
pa_program_make(int terms, int dimensions, const PaEnvironment *environment)
{
	size_t		n = (size_t) terms;
	size_t		d = (size_t) dimensions;
	PaProgram  *program = environment->allocate(environment->context,
												sizeof(PaProgram) + (2 * n + 2 * d) * sizeof(double));

	if (program == NULL)
		return NULL;
	memset(program, 0, sizeof(*program));
	program->terms = terms;
	program->dimensions = dimensions;
	program->environment = environment;
	program->slope = (double *) (program + 1);
	program->tangent = program->slope + n;
	program->gradient = program->slope + 2 * n;
	program->x = program->gradient + d;
	return program;
}

static PaStatus
tear_down(void *context)
{
	PaProgram  *program = context;
	int			k;

	for (k = 0; k < 2; k++)
		if (program->problem[k] != NULL)
			glp_delete_prob(program->problem[k]);
	return PA_OK;
}

void
pa_program_free(PaProgram *program)
{
	if (!program->lost && (program->problem[0] != NULL || program->problem[1] != NULL))
		(void) pa_glpk_run(tear_down, program, &program->lost);
	program->environment->release(program->environment->context, program);
}

static glp_prob *
problem_of(const PaProgram *program)
{
	return program->problem[program->relaxation->side];
}

/* --- the matrix --- */

/* The first of a term's columns; those of x come before. */
static int
column_of(const PaProgram *program, int i)
{
	return program->dimensions + i * COLUMNS + 1;
}

/* Row i: lengths of pieces - theta_i.x = c_i - p_i. */
static void
add_row(PaProgram *program, int i)
{
	const PaSum *sum = program->relaxation->sum;
	glp_prob   *problem = problem_of(program);
	int			column[PA_REGRESSION_DIMENSIONS + COLUMNS + 1];
	double		value[PA_REGRESSION_DIMENSIONS + COLUMNS + 1];
	int			count = 0;
	int			k;

	for (k = 0; k < sum->dimensions; k++)
	{
		column[++count] = k + 1;
		value[count] = -sum->theta[i * sum->dimensions + k];
	}
	for (k = 0; k < COLUMNS; k++)
	{
		column[++count] = column_of(program, i) + k;
		value[count] = k == PIECES ? -1.0 : 1.0;
	}
	glp_set_mat_row(problem, i + 1, count, column, value);
}

/* The prices of leaving are the same at all nodes: the root's widths are the measure. */
static void
set_price(PaProgram *program, int i)
{
	const PaRelaxation *relaxation = program->relaxation;
	glp_prob   *problem = problem_of(program);
	double		width = relaxation->envelope[i].high - relaxation->envelope[i].low;
	double		price = fmin(PRICE * relaxation->sum->level / width, MOST_PRICE);
	int			k;

	for (k = column_of(program, i) + PIECES; k < column_of(program, i) + COLUMNS; k++)
	{
		glp_set_col_bnds(problem, k, GLP_LO, 0.0, 0.0);
		glp_set_obj_coef(problem, k, -price);
	}
}

static void
build(PaProgram *program)
{
	glp_prob   *problem = program->problem[program->relaxation->side] = glp_create_prob();
	int			i;

	glp_set_obj_dir(problem, GLP_MAX);
	glp_add_rows(problem, program->terms);
	glp_add_cols(problem, program->dimensions + program->terms * COLUMNS);
	for (i = 0; i < program->terms; i++)
	{
		add_row(program, i);
		set_price(program, i);
	}
	glp_scale_prob(problem, GLP_SF_GM | GLP_SF_EQ | GLP_SF_2N);
}

/* --- pieces --- */

static Piece
piece_at(const PaEnvelope *envelope, const PaTerm *term, double w)
{
	PaEnvelopeAt at = pa_envelope_at(envelope, term, w, 0);
	Piece		piece = {w, at.slope, at.support};

	return piece;
}

/* Where two neighbours meet. */
static double
meeting(const Piece *left, const Piece *right)
{
	double		w = (right->support - left->support) / (left->slope - right->slope);

	return w > left->at && w < right->at ? w : left->at + 0.5 * (right->at - left->at);
}

static void
insert(Piece *piece, int *count, int place, Piece fresh)
{
	memmove(piece + place + 1, piece + place, (size_t) (*count - place) * sizeof(Piece));
	piece[place] = fresh;
	(*count)++;
}

/* The neighbours that leave most uncovered, in front of place; how much. */
static double
worst_gap(const PaEnvelope *envelope, const PaTerm *term, const Piece *piece, int count, int *place)
{
	double		worst = 0;
	int			k;

	for (k = 1; k < count; k++)
	{
		double		w = meeting(&piece[k - 1], &piece[k]);
		double		gap = piece[k - 1].support + piece[k - 1].slope * w - pa_envelope_value(envelope, term, w);

		if (gap > worst)
		{
			worst = gap;
			*place = k;
		}
	}
	return worst;
}

/*
 * Tangents of an envelope, from the steepest on; one of them at the hint, and one on
 * either side at a fraction `near` of the curved part, if that is not 0.
 */
static int
place_pieces(const PaEnvelope *envelope, const PaTerm *term, double hint, double near,
			 double tolerance, Piece *piece)
{
	double		from = fmax(envelope->low, envelope->knot);
	double		to = fmin(envelope->high, term->end);
	int			count = 0;
	int			place = 0;
	int			k;

	if (envelope->knot > envelope->low)
	{
		Piece		line = {fmin(from, envelope->high), envelope->slope,
			envelope->level - envelope->slope * envelope->anchor};

		piece[count++] = line;
	}
	else
		piece[count++] = piece_at(envelope, term, from);
	if (from < to)
	{
		for (k = near > 0 ? -1 : 0; k <= (near > 0 ? 1 : 0); k++)
		{
			double		at = hint + k * near * (to - from);

			if (at > from && at < to)
				piece[count++] = piece_at(envelope, term, at);
		}
		piece[count++] = piece_at(envelope, term, to == term->end ? to - 1e-9 * (to - from) : to);
		while (count < PIECES - 1 && worst_gap(envelope, term, piece, count, &place) > tolerance)
			insert(piece, &count, place, piece_at(envelope, term, meeting(&piece[place - 1], &piece[place])));
	}
	if (envelope->corner < envelope->high)
	{
		Piece		level = {envelope->corner, 0, pa_term_value(term, envelope->corner)};

		piece[count++] = level;
	}
	return count;
}

/* Tells GLPK of a term's pieces. */
static void
set_pieces(PaProgram *program, int i, double hint, double near)
{
	PaRelaxation *relaxation = program->relaxation;
	const PaEnvelope *envelope = &relaxation->envelope[i];
	glp_prob   *problem = problem_of(program);
	Piece		piece[PIECES];
	int			count = place_pieces(envelope, &relaxation->sum->term[i], hint, near, program->tolerance, piece);
	double		from = envelope->low;
	int			k;

	for (k = 0; k < PIECES; k++)
	{
		int			column = column_of(program, i) + k;
		double		to = from;

		if (k < count)
			to = k == count - 1 ? envelope->high : fmin(meeting(&piece[k], &piece[k + 1]), envelope->high);
		to = fmax(to, from);
		glp_set_col_bnds(problem, column, to > from ? GLP_DB : GLP_FX, 0.0, to - from);
		glp_set_obj_coef(problem, column, k < count ? piece[k].slope : 0.0);
		from = to;
	}
}

static double
form_at(const PaRelaxation *relaxation, int i, const double *x)
{
	const PaSum *sum = relaxation->sum;
	double		w = sum->constant[i];
	int			j;

	for (j = 0; j < sum->dimensions; j++)
		w += sum->theta[i * sum->dimensions + j] * x[j];
	return fmin(fmax(w, relaxation->envelope[i].low), relaxation->envelope[i].high);
}

static void
set_node(PaProgram *program)
{
	PaRelaxation *relaxation = program->relaxation;
	glp_prob   *problem = problem_of(program);
	int			i,
				j;

	for (j = 0; j < program->dimensions; j++)
		glp_set_col_bnds(problem, j + 1, relaxation->low[j] < relaxation->high[j] ? GLP_DB : GLP_FX,
						 relaxation->low[j], relaxation->high[j]);
	for (i = 0; i < program->terms; i++)
	{
		double		side = relaxation->sum->constant[i] - relaxation->envelope[i].low;

		glp_set_row_bnds(problem, i + 1, GLP_FX, side, side);
		set_pieces(program, i, form_at(relaxation, i, relaxation->x), 0);
	}
}

/* --- bounds --- */

/*
 * What is certain with the multipliers in program->slope, kept if it is the least;
 * false if they are no numbers.
 */
static bool
certify(PaProgram *program)
{
	PaRelaxation *relaxation = program->relaxation;
	const PaSum *sum = relaxation->sum;
	double		bound = 0;
	double		magnitude = sum->level;
	int			i,
				j;

	memset(program->gradient, 0, (size_t) sum->dimensions * sizeof(double));
	for (i = 0; i < sum->terms; i++)
	{
		double		slope = program->slope[i];

		if (!(fabs(slope) < PA_SUM_LIMIT))
			return false;
		bound += pa_envelope_support(&relaxation->envelope[i], &sum->term[i], slope,
									 &program->tangent[i]) +
			slope * sum->constant[i];
		magnitude += (program->tangent[i] + fabs(slope)) * sum->scale[i];
		for (j = 0; j < sum->dimensions; j++)
			program->gradient[j] += slope * sum->theta[i * sum->dimensions + j];
	}
	for (j = 0; j < sum->dimensions; j++)
		bound += fmax(program->gradient[j] * relaxation->low[j], program->gradient[j] * relaxation->high[j]);
	bound += sum->error * magnitude;
	if (!isfinite(bound))
		return false;
	if (bound >= relaxation->bound)
		return true;
	relaxation->bound = bound;
	memcpy(relaxation->slope, program->slope, (size_t) sum->terms * sizeof(double));
	memcpy(relaxation->tangent, program->tangent, (size_t) sum->terms * sizeof(double));
	memcpy(relaxation->gradient, program->gradient, (size_t) sum->dimensions * sizeof(double));
	return true;
}

static int
run_simplex(PaProgram *program)
{
	glp_smcp	how;

	glp_init_smcp(&how);
	how.msg_lev = GLP_MSG_OFF;
	how.it_lim = STEPS * (program->terms + program->dimensions);
	return glp_simplex(problem_of(program), &how);
}

static bool
solve(PaProgram *program)
{
	PaRelaxation *relaxation = program->relaxation;
	glp_prob   *problem = problem_of(program);
	int			i,
				j;

	if (run_simplex(program) != 0 || glp_get_status(problem) != GLP_OPT)
	{
		glp_std_basis(problem);
		if (run_simplex(program) != 0 || glp_get_status(problem) != GLP_OPT)
			return false;
	}
	for (i = 0; i < program->terms; i++)
		program->slope[i] = glp_get_row_dual(problem, i + 1);
	for (j = 0; j < program->dimensions; j++)
	{
		double		x = glp_get_col_prim(problem, j + 1);

		if (!isfinite(x))
			return false;
		program->x[j] = fmin(fmax(x, relaxation->low[j]), relaxation->high[j]);
	}
	return true;
}

/* The sum of the envelopes at the solution: no bound of these envelopes can be less. */
/* What envelopes and terms are at x. */
static void
look(PaRelaxation *relaxation)
{
	const PaSum *sum = relaxation->sum;
	int			i;

	relaxation->value = 0;
	relaxation->plain = 0;
	for (i = 0; i < sum->terms; i++)
	{
		double		w = form_at(relaxation, i, relaxation->x);

		relaxation->w[i] = w;
		relaxation->value += pa_envelope_value(&relaxation->envelope[i], &sum->term[i], w);
		relaxation->plain += pa_term_value(&sum->term[i], w);
	}
}

bool
pa_relaxation_exact(const PaRelaxation *relaxation, double close)
{
	return relaxation->bound - relaxation->value <= fmax(close, ENOUGH * (relaxation->value - relaxation->plain));
}

/* PA_OK: there is a bound */
static PaStatus
iterate(void *context)
{
	PaProgram  *program = context;
	PaRelaxation *relaxation = program->relaxation;
	int			round;
	int			i;

	if (problem_of(program) == NULL)
		build(program);
	set_node(program);
	for (round = 0; round < ROUNDS; round++)
	{
		if (!solve(program) || !certify(program))
			return round > 0 ? PA_OK : PA_NO_SOLUTION;
		memcpy(relaxation->x, program->x, (size_t) program->dimensions * sizeof(double));
		look(relaxation);
		if (relaxation->bound <= program->floor || pa_relaxation_exact(relaxation, program->close))
			break;
		for (i = 0; round < ROUNDS - 1 && i < program->terms; i++)
			set_pieces(program, i, relaxation->w[i], NEAR * pow(0.25, round));
	}
	return PA_OK;
}

bool
pa_program_bound(PaProgram *program, PaRelaxation *relaxation, double floor, double close)
{
	if (program->lost)
		return false;
	relaxation->bound = INFINITY;
	program->relaxation = relaxation;
	program->floor = floor;
	program->close = close;
	program->tolerance = 0.3 * close / program->terms;
	return pa_glpk_run(iterate, program, &program->lost) == PA_OK;
}
