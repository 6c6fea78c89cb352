-- Comments of objects that later versions explain in other words.  Steps that change an
-- object comment on it themselves; what stands here is only about words.

-- Comments on aggregates say "noised" in 0.1.
DO $$
DECLARE
	a record;
BEGIN
	FOR a IN SELECT p.oid::pg_catalog.regprocedure AS name, d.description
		FROM pg_catalog.pg_proc p JOIN pg_catalog.pg_description d ON d.objoid = p.oid AND d.classoid = 'pg_catalog.pg_proc'::pg_catalog.regclass
		WHERE p.pronamespace = 'privacct'::pg_catalog.regnamespace AND p.prokind = 'a' AND d.description ~ 'noised' LOOP
		EXECUTE pg_catalog.format('COMMENT ON ROUTINE %s IS %L', a.name, pg_catalog.replace(a.description, 'noised', 'noisy'));
	END LOOP;
END $$;

-- declarations
COMMENT ON FUNCTION privacct.protect IS 'declares a table protected: everything released from it is (epsilon, delta)-differentially private for each owner; regime => ''local'': so are the answers of each owner together, as the filter promises; inherits: the table starts from what these tables have spent, because it holds rows of the same persons; fresh: it has nothing to do with others of its name or with its columns';
COMMENT ON FUNCTION privacct.declare_public IS 'declares a table public: guarded queries may join it by equality on a unique key, or on the given columns, in which at most so many of its rows agree';
COMMENT ON FUNCTION privacct.drop_public IS 'reverses declare_public()';
COMMENT ON FUNCTION privacct.drop_domain IS 'local regime: the column can no longer be asked about, and is not public';
COMMENT ON FUNCTION privacct.fold_ledger IS 'removes charges of a table that were made before a given time from the ledger, and returns how many; what was spent, by whom and for which releases, stays in its sums';
COMMENT ON FUNCTION privacct.grant_budget IS 'lets a role query a protected table, and limits what it may spend in total';
COMMENT ON FUNCTION privacct.plan_budget IS 'declares what may be released from a table whose accountant is ''plan'', and shows the noise: the least with which all of it together keeps the promise';
COMMENT ON FUNCTION privacct.revoke_budget IS 'takes the right to query away; what the role has spent is remembered';
COMMENT ON FUNCTION privacct.set_bounds(regclass, name, text, text) IS 'bounds given as text, in the type of the column; null for both removes them';
COMMENT ON FUNCTION privacct.set_keys IS 'the public values of a column to group by: exactly these groups are released, empty ones too';
COMMENT ON FUNCTION privacct.set_domain(regclass, name, double precision, double precision) IS 'local regime: the interval in which the values of a column lie; others count as the nearer end, null as the lower one';
COMMENT ON FUNCTION privacct.set_domain(regclass, name, anyarray) IS 'local regime: the values that a column can have; others, and null unless it is listed, count as the first one';
COMMENT ON FUNCTION privacct.set_prior IS 'local regime: what is believed about a column before any answer, for the Bayesian measures; null: all listed values are equally likely';
COMMENT ON FUNCTION privacct.set_priors IS 'makes the next version of the priors of a table protected by protect_entries(), and returns its number; what was spent per entry stays spent';
COMMENT ON FUNCTION privacct.set_public IS 'local and Pufferfish regime: a column is not secret; queries may filter and group by it';
COMMENT ON FUNCTION privacct.set_release_terms IS 'sets the least price of a release, the grid and the noise of its time, and its workers, from the next release on; what is left out gets its default';
COMMENT ON FUNCTION privacct.protect_entries IS 'declares the entries of a table protected: whatever is released, nobody who believes one of the priors can tell two secret values of an entry apart by more than a factor of e^epsilon_pufferfish';

-- books
COMMENT ON FUNCTION privacct.accept_books IS 'for superusers: accepts books that are a copy, or are older than those that were there; charges that they lack are forgotten';
COMMENT ON FUNCTION privacct.check_books IS 'compares policies, accounts, the ledger and its sums, and the objects that keep them: one row for each discrepancy, with the remedy; no row means that all is well';
COMMENT ON FUNCTION privacct.repair_books IS 'rebuilds the accounts of a table from its ledger; if both exist, the larger counts';
COMMENT ON FUNCTION privacct.check_hardening IS 'what the server still tells a role (or everybody: public) about rows or about what others write, and what can be done about it';
COMMENT ON FUNCTION privacct.harden_catalog IS 'takes away from PUBLIC, in this database, what the system catalog tells about rows and about what is written';

-- for analysts
COMMENT ON FUNCTION privacct.best_sample_rate IS 'the sample rate with the least root mean square error of a total at a fixed cost, that error, and the error without sampling; the rate is 1 if sampling does not pay';
COMMENT ON FUNCTION privacct.compose IS 'the epsilon that mechanisms with parameters fixed in advance lose together at delta, by privacy-loss distributions, rounded up';
COMMENT ON FUNCTION privacct.compose_delta IS 'the delta that mechanisms with parameters fixed in advance lose together at epsilon, by privacy-loss distributions, rounded up';
COMMENT ON FUNCTION privacct.intervals IS 'confidence intervals of what was released to this session under a charge (by default the last one); acceptance: the probability with which noise stays within the error bound; answered, of asked: the owners who answered, or, for a central release on a local table, the owners asked before who were in it';
COMMENT ON FUNCTION privacct.owners_left IS 'local regime: how many of the owners who were asked before are certain to bear a question of that epsilon';
COMMENT ON FUNCTION privacct.pac_accuracy IS 'PAC accuracy and robustness of ldp_avg by one bit with that many owners: it is off by alpha or more with a probability of at most beta, and of at most gamma if one owner''s value is another; printed: the papers'' (1 + 4 epsilon) beta';
COMMENT ON FUNCTION privacct.preview IS 'what a query would cost and how far its answers would be from the truth, with the noise that it would get (used) and with each other kind at the same cost; owners: how many may contribute, for the error of a sample; local regime: how many of the owners who were asked before (owners_known) can bear it (owners_able), and whether those who were never asked can (newcomers); executes and charges nothing';
COMMENT ON FUNCTION privacct.realized_loss IS 'the most that an output gave away: ln of the largest over the least of its likelihoods Pr[seen | input]';

-- Pufferfish
COMMENT ON FUNCTION privacct.influence_curve IS 'what the other rows of an owner tell about a secret (a, in nats) once b rows around it are set aside, for the worst secret and prior, rounded up; left and right: how many of these rows lie before and after it';
COMMENT ON FUNCTION privacct.fit_chain_prior IS 'prior: a stationary chain with the transitions counted in another table, which the caller must be able to read; transitions that never occur get the probability smoothing';
COMMENT ON FUNCTION privacct.gaussian_prior IS 'prior, approximate: the entries of an owner are jointly Gaussian about centre and within bound of it; a secret is that an entry lies in an interval of that width';
COMMENT ON FUNCTION privacct.interval_prior IS 'priors: all joint laws of the entries of an owner whose probabilities lie in intervals; mode: given the secret (conditional) or not (joint, joint_bound); linear constraints: each row times the probabilities is at most upper';
COMMENT ON FUNCTION privacct.table_prior IS 'prior: the joint law of the entries of an owner as a table; shape: how many of the states each entry can have; in probability, the last entry varies fastest';
COMMENT ON FUNCTION privacct.pufferfish_epsilon IS 'Pufferfish regime: the epsilon per entry of a release about all owners that would now raise what is spent by more; null if the caller may not query the table; for SET privacct.epsilon';
COMMENT ON FUNCTION privacct.pufferfish_leakage IS 'what that many runs of a mechanism Pr[output | data set] give away together, exactly: the largest ln Pr[outputs | one secret]/Pr[outputs | another], over outputs, pairs of secrets and priors';

-- tables and views
COMMENT ON TABLE privacct.answer IS 'local regime: answers to questions that are not yet in owner_state, in the order of the owners'' numbers';
COMMENT ON TABLE privacct.catalog_object IS 'functions (except immutable ones), tables, views and columns of PostgreSQL, and what hardening does to them';
COMMENT ON TABLE privacct.home IS 'the database that the books belong to: one row, which is not dumped';
COMMENT ON TABLE privacct.identity IS 'the name of the books: one row, from the first policy on, or two if the books of two databases are in one';
COMMENT ON TABLE privacct.inherited IS 'what the accounts of a policy started from, for each earlier policy that charged it';
COMMENT ON TABLE privacct.made IS 'what the script of the extension has created; not dumped, because the script creates it again';
COMMENT ON TABLE privacct.owner_account IS 'Pufferfish regime: what owners were charged by releases about named owners only; the rest of what they lost is everybody''s';
COMMENT ON TABLE privacct.payer_sum IS 'like ledger_sum, for each payer';
COMMENT ON TABLE privacct.policy IS 'what was declared for each protected table; closed policies stay, because their charges were spent';
COMMENT ON TABLE privacct.prior IS 'Pufferfish regime: what was declared about the rows of an owner, and what follows; never changed, the last version is in force';
COMMENT ON TABLE privacct.public_column IS 'local and Pufferfish regime: columns that are not secret; queries may filter and group by them';
COMMENT ON TABLE privacct.public_fanout IS 'how many rows of a public table agree in some columns, at most; for unique keys it is known';
COMMENT ON TABLE privacct.release_sum IS 'the releases up to the same line, equal ones together';
COMMENT ON TYPE privacct.role_reference IS 'like regrole, but the name of a role that does not exist is read as a number that no role has';
COMMENT ON TYPE privacct.table_reference IS 'like regclass, but the name of a table that does not exist is read as a number that no table has';
COMMENT ON VIEW privacct.discrepancy IS 'where the books do not agree, one row each; shown to the owner of the table, or to superusers if the table is gone';
COMMENT ON VIEW privacct.line_discrepancy IS 'where the lines of the ledger do not agree with its sums, one row each; reads all lines of the tables that the user owns';
COMMENT ON VIEW privacct.object_discrepancy IS 'what is not, or no longer, as the script of the extension created it, one row each; shown to superusers';
COMMENT ON VIEW privacct.local_state IS 'local regime: the states that owners are in (state 0: never asked, number of owners unknown); they follow from published answers and are shown to everybody who may query the table';
COMMENT ON VIEW privacct.local_odometer IS 'local regime: how the loss of the owners who were asked is distributed; shown to everybody who may query the table';
COMMENT ON VIEW privacct.public_tables IS 'tables that guarded queries may join, with what is declared about them; shown to those who can read them';
COMMENT ON VIEW privacct.pufferfish_budget IS 'Pufferfish regime: promise, spent, left; the point of the influence curve that decides; epsilon per entry spent, cap, left; what the composition theorem of the paper and the plain sum would give; shown to the owner of the table';
COMMENT ON VIEW privacct.release_terms IS 'per policy: the least that a release costs (null under a plan), the grid and the noise of its time, with the delta that this costs and how long it holds a release back, and workers; shown to everybody who may query the table';

-- event triggers
COMMENT ON EVENT TRIGGER privacct_public_drop IS 'a table that is dropped is no longer public';
COMMENT ON EVENT TRIGGER privacct_own_rewrite IS 'refuses to rewrite columns of the extension''s tables';
COMMENT ON EVENT TRIGGER privacct_own_trigger IS 'protects the triggers of the extension''s tables';

-- columns
COMMENT ON COLUMN privacct.account.spared_epsilon IS 'Pufferfish regime: the part of the sum that the owner charged most was not charged, because it was about others; the rest is what the policy has spent';
COMMENT ON COLUMN privacct.answer.answered IS 'a bit for each owner, lowest first; zero bytes at the end are left out';
COMMENT ON COLUMN privacct.answer.bounds IS 'linear, logistic: for each state, in order, and for each of the two outputs: the certified loss afterwards, that of closed groups, and the answers in these';
COMMENT ON COLUMN privacct.answer.most_states IS 'how many states there may be afterwards; for all others, bounds stand; null: any number';
COMMENT ON COLUMN privacct.catalog_object.verdict IS 'harmless: left as it is; guarded: PUBLIC never had it; all others are taken from PUBLIC.  closed: an error; null: reads as null; own: null except for relations of roles whose privileges the caller has; sessions: shows sessions of such roles only; columns: see the columns that are listed; shown: reads as the expression; rows: shows rows that meet the condition';
COMMENT ON COLUMN privacct.catalog_object.shown IS 'what is read in place of a column: an expression over the columns of its relation; for a relation, the condition on its rows';
COMMENT ON COLUMN privacct.catalog_taken.lent IS 'whether it was granted to pg_monitor, which had it only as part of PUBLIC';
COMMENT ON COLUMN privacct.domain.position IS 'position of the column among those of the policy; never changes';
COMMENT ON COLUMN privacct.domain.points IS 'as output by the type of the column; local: the first one stands for everything that is not listed; Pufferfish: rows with other values do not count';
COMMENT ON COLUMN privacct.domain.prior IS 'what is believed about an owner before any answer, for MBP and ABP; null: all points are equally likely';
COMMENT ON COLUMN privacct.history.owner_column IS 'the owner column of the policy, by its present name; empty: the column is gone, or was rewritten after the table left the policy';
COMMENT ON COLUMN privacct.history.promised_epsilon IS 'promise of the policy: what counts if less cannot be shown';
COMMENT ON COLUMN privacct.history.left_at IS 'when the policy was closed or the table left it; null: still covered';
COMMENT ON COLUMN privacct.history.epsilon IS 'what the policy itself had charged when the table left it: an upper bound on what the owners in the table lost; null while it is covered';
COMMENT ON COLUMN privacct.home.database IS 'the database in which the first policy was made, or to which the books were restored';
COMMENT ON COLUMN privacct.home.last_charge IS 'last charge of books that were dropped here and replaced by restored ones: it is in the ledger unless the restored ones are older; null: there were none';
COMMENT ON COLUMN privacct.home.charged_at IS 'when that charge was made';
COMMENT ON COLUMN privacct.identity.encoding IS 'encoding of the database: owners of the local regime are recognized by the bytes that they had in it';
COMMENT ON COLUMN privacct.inherited.policy_id IS 'the policy that started from this';
COMMENT ON COLUMN privacct.inherited.source IS 'the policy that charged it; what that policy inherited has rows of its own';
COMMENT ON COLUMN privacct.inherited.epsilon IS 'sum of the charges; a policy that charged nothing is not listed';
COMMENT ON COLUMN privacct.inherited.lost IS 'local regime: as in privacct.policy, including what the source had inherited';
COMMENT ON COLUMN privacct.ledger_line.payer IS 'whose quota paid; null: that of the role that asked';
COMMENT ON COLUMN privacct.ledger_line.detail IS 'what was released; for a line with detail_of, only what decides (owners, slots), or null';
COMMENT ON COLUMN privacct.ledger_line.detail_of IS 'the earlier line of the policy with an equal release, whose detail this one shares; null: it has its own';
COMMENT ON COLUMN privacct.ledger_sum.charges IS 'how many charges these are';
COMMENT ON COLUMN privacct.ledger_sum.named_epsilon IS 'Pufferfish regime: the part of the sum that was about named owners';
COMMENT ON COLUMN privacct.ledger_sum.folded_epsilon IS 'the part of the sum from lines that fold_ledger() removed from the ledger';
COMMENT ON COLUMN privacct.likelihood.loss IS 'certified bound on what these gave away';
COMMENT ON COLUMN privacct.likelihood.closed_loss IS 'the part of it that belongs to closed groups of answers';
COMMENT ON COLUMN privacct.likelihood.folded IS 'bound on what answers gave away that neither log_likelihood nor answers tell any longer';
COMMENT ON COLUMN privacct.local_odometer.folded IS 'owners with some answers kept only as a bound, because tables did not fit into memory';
COMMENT ON COLUMN privacct.local_state.folded_epsilon IS 'the part of realised_epsilon that is a bound, from answers whose table did not fit into memory';
COMMENT ON COLUMN privacct.made.object IS 'a member of the extension, or an object that belongs to one of its tables';
COMMENT ON COLUMN privacct.owner_key.records IS 'keyed hashes, 4 bytes each, of what the owner''s domain columns held at the first answer: an owner whose values have changed is not asked again, unless the filter is basic';
COMMENT ON COLUMN privacct.payer_sum.charges IS 'how many charges these are';
COMMENT ON COLUMN privacct.policy.owner_column IS 'whose row it is, by the present name of the column; empty in a closed policy if the column is gone';
COMMENT ON COLUMN privacct.policy.cap_delta IS 'what the deltas of all charges may add up to: delta (basic) or delta/2 (zcdp)';
COMMENT ON COLUMN privacct.policy.sample_rate IS 'releases are made on a Poisson sample of owners of at most this rate; 1: on all owners';
COMMENT ON COLUMN privacct.policy.answer_group IS 'local regime: the losses of this many linear and logistic answers are bounded together, and the losses of the groups added up; 0: all answers are in one group';
COMMENT ON COLUMN privacct.policy.time_grid IS 'releases are returned 1, 2, 4, 8, ... times this long after they began; null: as soon as they are done';
COMMENT ON COLUMN privacct.policy.owner_type IS 'type of the owner column when the policy was made: in the local regime, the books are kept by keys made from this type';
COMMENT ON COLUMN privacct.prior.epsilon IS 'what releases may therefore cost per row: the sum of epsilons for the change of one row';
COMMENT ON COLUMN privacct.prior.delta IS 'what the deltas of releases may therefore add up to';
COMMENT ON COLUMN privacct.prior.pairs IS 'pairs of values that must not be told apart; null: any two secrets';
COMMENT ON COLUMN privacct.public_column.order_position IS 'Pufferfish regime: position among the columns that order the rows of an owner; null: not one of them';
COMMENT ON COLUMN privacct.question.rho IS 'rho of the question under zCDP';
COMMENT ON COLUMN privacct.question.columns IS 'positions of the domain''s columns that the points run over, the last varying fastest; linear, logistic: those that have a coefficient';
COMMENT ON COLUMN privacct.question.owners IS 'how many answered; central: how many were in the release, as far as they were known by then';
COMMENT ON COLUMN privacct.release_sum.hash IS 'hash of the next three columns';
COMMENT ON COLUMN privacct.release_sum.epsilon IS 'what one of them was charged';
COMMENT ON COLUMN privacct.release_sum.charges IS 'how many there were';
COMMENT ON COLUMN privacct.slot.plan_id IS 'distinguishes a plan from the one it replaced';
COMMENT ON COLUMN privacct.slot.acceptance IS 'probability that the noise stays within the error bound';
COMMENT ON COLUMN privacct.slot.rho IS 'rho of one release under zCDP';
COMMENT ON COLUMN privacct.unrelated.policy_id IS 'the policy of the table';
