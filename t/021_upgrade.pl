# A database of 0.1 with policies and charges becomes one of 0.2: nothing is lost,
# and its objects are those of a fresh install, one by one.
use strict;
use warnings;

use File::Copy ();
use FindBin;
use lib $FindBin::RealBin;
use PostgreSQL::Test::Utils;
use PrivacctTest;
use Test::More;

# the script of 0.1 as it was published
my ($extensions) = glob "$ENV{PA_DESTDIR}/usr/share/postgresql/*/extension";
File::Copy::copy("$ENV{PA_WORK}/privacct--0.1.sql", "$extensions/privacct--0.1.sql") or die "no script of 0.1: $!";

my $node = new_node('upgrade');
$node->start;

my $OBJECTS = q(
	WITH member AS (
		SELECT d.classid, d.objid, d.objsubid FROM pg_depend d JOIN pg_extension e ON e.oid = d.refobjid AND d.refclassid = 'pg_extension'::regclass
		WHERE e.extname = 'privacct' AND d.deptype = 'e')
	SELECT * FROM (
	SELECT 'member ' || pg_describe_object(classid, objid, objsubid) || ': ' || coalesce(obj_description(objid, classid::regclass::text), '-') FROM member
	UNION ALL
	SELECT format('function %s %s %s %s %s %s %s %s %s %s', f.oid::regprocedure, pg_get_function_identity_arguments(f.oid), pg_get_function_arg_default(f.oid, 1::int2::int4),
		pg_get_function_result(f.oid), f.prosrc, f.probin, f.proconfig, f.proacl::text, (f.prosecdef, f.proisstrict, f.provolatile, f.proparallel, f.prokind), f.proargdefaults IS NULL)
	FROM member JOIN pg_proc f ON classid = 'pg_proc'::regclass AND f.oid = objid
	UNION ALL
	SELECT format('relation %s %s %s %s', c.oid::regclass, c.relkind, (SELECT array_agg(a::text ORDER BY a::text) FROM unnest(c.relacl) a), c.reloptions)
	FROM member JOIN pg_class c ON classid = 'pg_class'::regclass AND c.oid = objid
	UNION ALL
	SELECT format('column %s %s %s %s %s %s %s', c.oid::regclass, a.attname, format_type(a.atttypid, a.atttypmod), a.attnotnull, a.attstorage,
		pg_get_expr(d.adbin, d.adrelid), col_description(c.oid, a.attnum))
	FROM member JOIN pg_class c ON classid = 'pg_class'::regclass AND c.oid = objid JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
	LEFT JOIN pg_attrdef d ON d.adrelid = c.oid AND d.adnum = a.attnum WHERE c.relkind IN ('r', 'v')
	UNION ALL
	SELECT format('constraint %s %s', k.conrelid::regclass, pg_get_constraintdef(k.oid)) FROM member JOIN pg_constraint k ON classid = 'pg_class'::regclass AND k.conrelid = objid
	UNION ALL
	SELECT format('index %s', pg_get_indexdef(i.indexrelid)) FROM member JOIN pg_index i ON classid = 'pg_class'::regclass AND i.indrelid = objid
	UNION ALL
	SELECT format('trigger %s %s %s', pg_get_triggerdef(t.oid), t.tgenabled, obj_description(t.oid, 'pg_trigger')) FROM member JOIN pg_trigger t ON classid = 'pg_class'::regclass AND t.tgrelid = objid AND NOT t.tgisinternal
	UNION ALL
	SELECT format('view %s', pg_get_viewdef(c.oid)) FROM member JOIN pg_class c ON classid = 'pg_class'::regclass AND c.oid = objid AND c.relkind = 'v'
	UNION ALL
	SELECT format('event trigger %s %s %s %s', e.evtname, e.evtevent, e.evttags, e.evtenabled) FROM member JOIN pg_event_trigger e ON classid = 'pg_event_trigger'::regclass AND e.oid = objid
	UNION ALL
	SELECT format('dumped %s %s', c.oid::regclass, e.extcondition[n]) FROM pg_extension e CROSS JOIN generate_subscripts(e.extconfig, 1) n JOIN pg_class c ON c.oid = e.extconfig[n]
	WHERE e.extname = 'privacct'
	UNION ALL
	SELECT format('initial privileges %s', (SELECT array_agg(a::text ORDER BY a::text) FROM unnest(i.initprivs) a)) || pg_describe_object(i.classoid, i.objoid, i.objsubid) FROM member JOIN pg_init_privs i ON i.classoid = classid AND i.objoid = objid
	) o(line) ORDER BY line COLLATE "C";
);

my $BOOKS = q(
	SELECT 'policy', policy_id, relation, owner_column, regime, accountant, epsilon, delta, cap_delta, encode(secret, 'hex'), closed_at IS NULL FROM privacct.policy ORDER BY 2;
	SELECT 'bound', policy_id, column_name, lo, hi FROM privacct.bound ORDER BY 2, 3;
	SELECT 'key', policy_id, column_name, keys FROM privacct.group_key ORDER BY 2, 3;
	SELECT 'quota', policy_id, role, epsilon, delta FROM privacct.quota ORDER BY 2, 3::text;
	SELECT 'account', policy_id, role, epsilon, delta, rho, releases FROM privacct.account ORDER BY 2, 3::text;
	SELECT 'slot', policy_id, slot, releases, used FROM privacct.slot ORDER BY 2, 3;
	SELECT 'domain', policy_id, column_name, points FROM privacct.domain ORDER BY 2, 3;
	SELECT 'prior', policy_id, version, hash FROM privacct.prior ORDER BY 2, 3;
	SELECT 'ledger', charge_id, policy_id, role, payer, epsilon, delta, rho, detail FROM privacct.ledger ORDER BY 2;
);

sub update
{
	my ($err) = ('');
	$node->psql('postgres', 'ALTER EXTENSION privacct UPDATE', stderr => \$err);
	return $err;
}

# --- a database of 0.2, for its charges and as the model ---

$node->safe_psql('postgres', 'CREATE DATABASE fresh');
$node->safe_psql('fresh', 'CREATE EXTENSION privacct');
my $fresh = $node->safe_psql('fresh', $OBJECTS);

# --- a database of 0.1 ---

$node->safe_psql('postgres', q(
	CREATE EXTENSION privacct VERSION '0.1';
	CREATE ROLE analyst LOGIN; CREATE ROLE steward LOGIN;
	ALTER ROLE analyst SET privacct.epsilon = 0.1;
	CREATE TABLE visit (visit_id int PRIMARY KEY, patient_id int NOT NULL, ward text, cost float8);
	INSERT INTO visit SELECT i, i / 3, chr(65 + i % 3), i % 500 FROM generate_series(1, 300) i;
	CREATE TABLE ward (ward text PRIMARY KEY); INSERT INTO ward VALUES ('A'), ('B'), ('C'); GRANT SELECT ON ward TO PUBLIC;
	GRANT CREATE ON SCHEMA public TO steward; ALTER TABLE visit OWNER TO steward; ALTER TABLE ward OWNER TO steward;));
# the library is of another version: it does nothing for this database
my (undef, undef, $err) = ask($node, $PrivacctTest::QUERY, verbosity => 'default');
like($err, qr/permission denied/, 'before anything is declared');
# what 0.1 wrote when it declared, and when its worker charged
$node->safe_psql('postgres', q(
	INSERT INTO privacct.policy (relation, relation_name, owner_column, regime, accounting, accountant, epsilon, delta, cap_rho, cap_delta,
		max_groups_contributed, max_rows_contributed, min_owners, kernel, kernels, sample_rate, filter, answer_group, secret, created_at, created_by)
	SELECT 'visit', 'public.visit', 'patient_id', 'central', 'table', 'basic', 8, 1e-7, NULL, 1e-7, 1, 3, 1, NULL, NULL, 1, NULL, NULL, sha256('x'), now(), 'steward';
	INSERT INTO privacct.account VALUES (1, 0::regrole, 1.5, 1e-8, 0.3, 3), (1, 'analyst', 1.5, 1e-8, 0.3, 3);
	INSERT INTO privacct.quota VALUES (1, 'analyst', 4, 1e-7, NULL, 1e-7, now(), 'steward');
	INSERT INTO privacct.bound VALUES (1, 'cost', 0, 500, 'float8');
	INSERT INTO privacct.group_key VALUES (1, 'ward', '{A,B,C}', 'text');
	INSERT INTO privacct.ledger (policy_id, charged_at, role, payer, epsilon, delta, rho, detail)
		SELECT 1, now(), 'analyst', 'analyst', 0.5, 0, 0.1, '{"statistics": [{"epsilon": 0.5, "delta": 0}]}' FROM generate_series(1, 3);
	GRANT SELECT ON visit TO privacct_reader;
	SET ROLE steward;
	CREATE VIEW costly AS SELECT v.* FROM visit v JOIN ward USING (ward) WHERE cost > 2;
	RESET ROLE;));
my $books = $node->safe_psql('postgres', $BOOKS);

(undef, undef, $err) = ask($node, $PrivacctTest::QUERY, verbosity => 'default');
like($err, qr/privacct cannot be used in this database.*ALTER EXTENSION privacct UPDATE/s, 'not yet updated: refused, with what to do');
is((ask($node, $PrivacctTest::QUERY, role => 'steward'))[1], 300, 'its owner reads it');
is($node->safe_psql('postgres', $BOOKS), $books, 'nothing was charged');

# --- what stands in the way is said, and nothing is changed ---

$node->safe_psql('postgres', 'ALTER EVENT TRIGGER privacct_ddl_end DISABLE; GRANT SELECT ON costly TO analyst; ALTER EVENT TRIGGER privacct_ddl_end ENABLE ALWAYS');
my $refusal = update();
like($refusal, qr/views show rows of protected tables to others.*ALTER VIEW public\.costly SET \(security_invoker = true\)/s, 'a view that was granted');
is($node->safe_psql('postgres', q(SELECT extversion FROM pg_extension WHERE extname = 'privacct')), '0.1', 'still the old version');
$node->safe_psql('postgres', 'ALTER VIEW costly SET (security_invoker = true)');
$node->safe_psql('postgres', q(CREATE FUNCTION privacct.stranger() RETURNS int LANGUAGE sql AS 'SELECT 1'));
like(update(), qr/schema "privacct" holds objects that are not of the extension.*stranger/s, 'a stranger in the schema');
$node->safe_psql('postgres', 'DROP FUNCTION privacct.stranger()');

$node->safe_psql('postgres', q(
	ALTER TABLE visit ADD COLUMN line serial;
	ALTER EVENT TRIGGER privacct_ddl_end DISABLE; GRANT SELECT ON visit_line_seq TO analyst; ALTER EVENT TRIGGER privacct_ddl_end ENABLE ALWAYS));
like(update(), qr/other roles hold privileges on the protected table public\.visit.*REVOKE ALL ON public\.visit_line_seq FROM analyst/s, 'a sequence that was granted');
$node->safe_psql('postgres', 'REVOKE ALL ON visit_line_seq FROM analyst');
# what 0.1 let superusers give away of the extension itself is taken back
$node->safe_psql('postgres', q(
	GRANT EXECUTE ON FUNCTION privacct._unprotect(regrole, regclass), privacct._policy_of(regclass), privacct.unprotect(regclass) TO analyst, privacct_reader;
	GRANT ALL ON ALL TABLES IN SCHEMA privacct TO analyst WITH GRANT OPTION;
	GRANT EXECUTE ON FUNCTION privacct._policy_of(regclass) TO PUBLIC;
	GRANT SELECT (secret) ON privacct.policy TO PUBLIC;
	GRANT SELECT (relation) ON privacct.odometer TO analyst;
	GRANT SELECT, UPDATE ON privacct.quota TO PUBLIC;
	GRANT USAGE ON SEQUENCE privacct.charge_id_seq TO PUBLIC, analyst;
	SET ROLE analyst; GRANT UPDATE ON privacct.account TO steward; RESET ROLE;));

# --- the update ---

like(update(), qr/WARNING:  owners of protected tables who can no longer declare anything: steward.*GRANT privacct_admin/s, 'the update says whom to make an administrator');
is($node->safe_psql('postgres', q(SELECT extversion FROM pg_extension WHERE extname = 'privacct')), '0.2', 'the new version');
is($node->safe_psql('postgres', $BOOKS), $books, 'nothing is lost');
my $updated = $node->safe_psql('postgres', $OBJECTS);
my %in_fresh = map { $_ => 1 } split /\n/, $fresh;
my %in_updated = map { $_ => 1 } split /\n/, $updated;
is(join("\n", grep { !$in_updated{$_} } sort keys %in_fresh), '', 'nothing of a fresh install is missing');
is(join("\n", grep { !$in_fresh{$_} } sort keys %in_updated), '', 'nothing of the old version is left');
is($updated, $fresh, 'the objects are those of a fresh install');
cmp_ok(scalar(keys %in_fresh), '>', 900, 'and there are many');

# --- it works ---

ok(defined ask_value($node, $PrivacctTest::QUERY), 'a release');
$node->safe_psql('postgres', q(SELECT privacct.declare_public('ward')));
ok(defined ask_value($node, 'SELECT count(*) FROM costly'), 'a release through the view');
is($node->safe_psql('postgres', q(SELECT epsilon, releases FROM privacct.account WHERE role = 0::regrole)), '1.7|5', 'charged to the old account');
(undef, undef, $err) = ask($node, q(SELECT privacct.unprotect('visit')), role => 'steward');
like($err, qr/42501/, 'declaring is no longer the owner\'s own right');
$node->safe_psql('postgres', 'GRANT privacct_admin TO steward');
(undef, undef, $err) = ask($node, q(BEGIN; SELECT privacct.unprotect('visit'); SELECT privacct.protect('visit', 'patient_id', epsilon => 9); COMMIT), role => 'steward');
unlike($err, qr/ERROR/, 'but the administrator\'s');
is($node->safe_psql('postgres', q(SELECT epsilon_spent FROM privacct.odometer WHERE open)), '1.7', 'what was spent is carried over');

# --- a dump of 0.1 that is restored into 0.2 has no history: it is made from what is there ---

$node->safe_psql('fresh', q(
	CREATE TABLE visit (visit_id int PRIMARY KEY, patient_id int NOT NULL);
	INSERT INTO privacct.policy (policy_id, relation, relation_name, owner_column, regime, accounting, accountant, epsilon, delta, cap_rho, cap_delta,
		max_groups_contributed, max_rows_contributed, min_owners, kernel, kernels, sample_rate, filter, answer_group, secret, created_at, created_by, closed_at)
	SELECT n, 'visit', 'public.visit', 'patient_id', 'central', 'table', 'basic', 8, 1e-7, NULL, 1e-7, 1, 3, 1, NULL, NULL, 1, NULL, NULL, sha256('x'), now(), 'steward',
		CASE n WHEN 1 THEN now() END FROM generate_series(1, 2) n;
	INSERT INTO privacct.account VALUES (1, 0::regrole, 1.5, 1e-8, 0.3, 3), (2, 0::regrole, 2, 1e-8, 0.4, 4);
	INSERT INTO privacct.ledger (policy_id, charged_at, role, payer, epsilon, delta, rho, detail)
		SELECT 1, now(), 'analyst', 'analyst', 0.5, 0, 0.1, '{}'::jsonb FROM generate_series(1, 3)
		UNION ALL SELECT 2, now(), 'steward', 'analyst', 1.5, 1e-8, 0.3, '{"carried_from_policy": 1, "charges": 3}'
		UNION ALL SELECT 2, now(), 'analyst', 'analyst', 0.5, 0, 0.1, '{}';
	SELECT setval('privacct.policy_id_seq', 2), privacct.unprotect('visit'), privacct.protect('visit', 'patient_id', epsilon => 8);));
is($node->safe_psql('fresh', q(SELECT epsilon_spent, releases FROM privacct.odometer WHERE open)), '2|4', 'what was spent is carried over, and counted once');
is($node->safe_psql('fresh', q(SELECT * FROM privacct.check_books())), '', 'the books agree');

$node->stop;
done_testing();
