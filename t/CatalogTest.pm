# SPDX-License-Identifier: GPL-3.0-or-later
# Every object of the extension as the system catalog has it, one line each: what a
# fresh install and an upgrade are compared by.
package CatalogTest;
use strict;
use warnings;

use Exporter 'import';
our @EXPORT = qw(objects_of differences);

# Each query yields lines; m are the members.
my @QUERIES = (
	# members, and who is not one
	q(SELECT 'member ' || pg_describe_object(classid, objid, objsubid) FROM m),
	q(SELECT format('in the schema %s', pg_describe_object(d.classid, d.objid, 0)) FROM pg_depend d
	  WHERE d.refclassid = 'pg_namespace'::regclass AND d.refobjid = 'privacct'::regnamespace
	  AND NOT EXISTS (SELECT FROM m WHERE (m.classid, m.objid) = (d.classid, d.objid)) AND d.classid <> 'pg_extension'::regclass),
	q(SELECT format('schema %s', obj_description('privacct'::regnamespace, 'pg_namespace'))),
	# functions, with the names, modes and defaults of their arguments, and their bodies
	q(SELECT format('function %s (%s) returns %s %s cost %s rows %s: %s', f.oid::regprocedure, pg_get_function_arguments(f.oid), pg_get_function_result(f.oid),
		(l.lanname, f.prosecdef, f.proleakproof, f.proisstrict, f.provolatile, f.proparallel, f.prokind, f.proretset, f.proconfig, f.prosupport, f.proargnames)::text,
		f.procost, f.prorows, concat_ws(' ', f.probin, f.prosrc, pg_get_function_sqlbody(f.oid)))
	  FROM m JOIN pg_proc f ON classid = 'pg_proc'::regclass AND f.oid = objid JOIN pg_language l ON l.oid = f.prolang),
	q(SELECT format('aggregate %s %s', a.aggfnoid, to_jsonb(a) - 'aggfnoid') FROM m JOIN pg_aggregate a ON classid = 'pg_proc'::regclass AND a.aggfnoid = objid),
	# tables, views, sequences, with their columns in order
	q(SELECT format('relation %s %s', c.oid::regclass, (c.relkind, c.relpersistence, c.reloptions, c.relreplident, c.relrowsecurity, c.relforcerowsecurity, c.relhassubclass, c.relispartition)::text)
	  FROM m JOIN pg_class c ON classid = 'pg_class'::regclass AND c.oid = objid),
	q(SELECT format('column %s number %s %s %s', c.oid::regclass, row_number() OVER (PARTITION BY c.oid ORDER BY a.attnum), a.attname,
		(format_type(a.atttypid, a.atttypmod), a.attnotnull, a.attstorage, a.attcompression, a.attidentity, a.attgenerated, a.attcollation::regcollation, pg_get_expr(d.adbin, d.adrelid))::text)
	  FROM m JOIN pg_class c ON classid = 'pg_class'::regclass AND c.oid = objid JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
	  LEFT JOIN pg_attrdef d ON d.adrelid = c.oid AND d.adnum = a.attnum),
	q(SELECT format('sequence %s %s of %s', s.seqrelid::regclass, (s.seqtypid::regtype, s.seqstart, s.seqincrement, s.seqmin, s.seqmax, s.seqcache, s.seqcycle)::text,
		(SELECT pg_describe_object(d.refclassid, d.refobjid, d.refobjsubid) FROM pg_depend d WHERE d.classid = 'pg_class'::regclass AND d.objid = s.seqrelid AND d.deptype = 'a'))
	  FROM m JOIN pg_sequence s ON classid = 'pg_class'::regclass AND s.seqrelid = objid),
	q(SELECT format('view %s %s', c.oid::regclass, pg_get_viewdef(c.oid)) FROM m JOIN pg_class c ON classid = 'pg_class'::regclass AND c.oid = objid AND c.relkind = 'v'),
	# what belongs to tables
	# since 18 NOT NULL of a column is one, too, under the name that the table had; columns say so above
	q(SELECT format('constraint %s of %s: %s %s', k.conname, k.conrelid::regclass, pg_get_constraintdef(k.oid), k.convalidated) FROM m JOIN pg_constraint k ON classid = 'pg_class'::regclass AND k.conrelid = objid AND k.contype <> 'n'),
	q(SELECT format('index %s %s', pg_get_indexdef(i.indexrelid), (i.indisprimary, i.indisunique, i.indisvalid, i.indisreplident, i.indisclustered)::text)
	  FROM m JOIN pg_index i ON classid = 'pg_class'::regclass AND i.indrelid = objid),
	q(SELECT format('trigger %s %s', pg_get_triggerdef(t.oid), t.tgenabled) FROM m JOIN pg_trigger t ON classid = 'pg_class'::regclass AND t.tgrelid = objid AND NOT t.tgisinternal),
	q(SELECT format('rule %s', pg_get_ruledef(r.oid)) FROM m JOIN pg_rewrite r ON classid = 'pg_class'::regclass AND r.ev_class = objid WHERE r.rulename <> '_RETURN'),
	# the rest
	q(SELECT format('type %s %s', t.oid::regtype, (t.typtype, t.typlen, t.typbyval, t.typalign, t.typstorage, t.typcategory, t.typispreferred, t.typinput, t.typoutput, t.typreceive, t.typsend, t.typdelim)::text)
	  FROM m JOIN pg_type t ON classid = 'pg_type'::regclass AND t.oid = objid),
	q(SELECT format('cast %s to %s %s', castsource::regtype, casttarget::regtype, (castfunc::regproc, castcontext, castmethod)::text) FROM m JOIN pg_cast c ON classid = 'pg_cast'::regclass AND c.oid = objid),
	q(SELECT format('event trigger %s %s', e.evtname, (e.evtevent, (SELECT array_agg(t ORDER BY t) FROM unnest(e.evttags) t), e.evtfoid::regprocedure, e.evtenabled)::text)
	  FROM m JOIN pg_event_trigger e ON classid = 'pg_event_trigger'::regclass AND e.oid = objid),
	q(SELECT format('comment on %s: %s', pg_describe_object(d.classoid, d.objoid, d.objsubid), d.description)
	  FROM pg_description d JOIN m ON (m.classid, m.objid) = (d.classoid, d.objoid)),
	q(SELECT format('comment on %s: %s', pg_describe_object(d.classoid, d.objoid, d.objsubid), d.description) FROM pg_description d
	  JOIN (SELECT 'pg_trigger'::regclass, t.oid, t.tgrelid FROM pg_trigger t UNION ALL SELECT 'pg_constraint'::regclass, k.oid, k.conrelid FROM pg_constraint k
			UNION ALL SELECT 'pg_class'::regclass, i.indexrelid, i.indrelid FROM pg_index i) p(classid, objid, relation) ON (p.classid, p.objid) = (d.classoid, d.objoid)
	  JOIN m ON m.classid = 'pg_class'::regclass AND m.objid = p.relation),
	q(SELECT format('owned by another: %s', pg_describe_object(m.classid, m.objid, 0)) FROM m JOIN pg_shdepend s ON (s.classid, s.objid) = (m.classid, m.objid) WHERE s.dbid = (SELECT oid FROM pg_database WHERE datname = current_database()) AND s.deptype = 'o' AND s.refobjid <> 10),
	# privileges, as they are and as the extension remembers them for a dump
	q(SELECT format('privileges of function %s: %s', f.oid::regprocedure, (SELECT array_agg(a::text ORDER BY a::text) FROM unnest(f.proacl) a)) FROM m JOIN pg_proc f ON classid = 'pg_proc'::regclass AND f.oid = objid),
	q(SELECT format('privileges of %s: %s', c.oid::regclass, (SELECT array_agg(a::text ORDER BY a::text) FROM unnest(c.relacl) a)) FROM m JOIN pg_class c ON classid = 'pg_class'::regclass AND c.oid = objid),
	q(SELECT format('privileges of column %s.%s: %s', a.attrelid::regclass, a.attname, a.attacl) FROM m JOIN pg_attribute a ON classid = 'pg_class'::regclass AND a.attrelid = objid WHERE a.attacl IS NOT NULL),
	q(SELECT format('privileges of the schema: %s', (SELECT array_agg(a::text ORDER BY a::text) FROM unnest(n.nspacl) a)) FROM pg_namespace n WHERE n.nspname = 'privacct'),
	q(SELECT format('initial privileges of %s: %s', pg_describe_object(i.classoid, i.objoid, i.objsubid), (SELECT array_agg(a::text ORDER BY a::text) FROM unnest(i.initprivs) a))
	  FROM m JOIN pg_init_privs i ON i.classoid = classid AND i.objoid = objid),
	# what dumps hold, and what the script itself writes
	q(SELECT format('dumped %s %s', c.oid::regclass, e.extcondition[n]) FROM pg_extension e CROSS JOIN generate_subscripts(e.extconfig, 1) n JOIN pg_class c ON c.oid = e.extconfig[n] WHERE e.extname = 'privacct'),
	q(SELECT format('judged %s', o) FROM privacct.catalog_object o),
	q(SELECT format('taken %s', o) FROM privacct.catalog_taken o),
	q(SELECT format('made %s', o) FROM privacct.made o),
	q(SELECT format('at home %s', database = (SELECT oid FROM pg_database WHERE datname = current_database())) FROM privacct.home),
	q(SELECT format('not as made %s', o) FROM privacct.object_discrepancy o),
);

# The lines of a database, sorted; line feeds within them are spaces.
sub objects_of
{
	my ($node, $database) = @_;
	my $all = join(' UNION ALL ', map { "($_)" } @QUERIES);
	my $sql = qq{
		WITH m AS MATERIALIZED (
			SELECT d.classid, d.objid, d.objsubid FROM pg_depend d
			JOIN pg_extension e ON e.oid = d.refobjid AND d.refclassid = 'pg_extension'::regclass
			WHERE e.extname = 'privacct' AND d.deptype = 'e')
		SELECT regexp_replace(line, '[\n\r]', ' ', 'g') FROM ($all) o(line)};
	return sort split /\n/, $node->safe_psql($database, $sql);
}

# What the first list has and the second has not.
sub differences
{
	my ($these, $those) = @_;
	my %there;
	$there{$_}++ for @$those;
	return grep { $there{$_}-- <= 0 } map { $there{$_} //= 0; $_ } @$these;
}

1;
