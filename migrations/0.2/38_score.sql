-- What dp_topk ranks by is told how many values are wanted as the whole number that it is.
DROP AGGREGATE privacct._score(anyelement, double precision, double precision, text);
DROP FUNCTION privacct._block_transition(internal, anyelement, double precision, double precision, text);
CREATE AGGREGATE privacct._score(x anyelement, k integer, options text) (SFUNC = privacct._block_transition, STYPE = internal,
	FINALFUNC = privacct._block_final_float8, FINALFUNC_MODIFY = READ_WRITE, PARALLEL = RESTRICTED);
COMMENT ON AGGREGATE privacct._score(anyelement, integer, text) IS 'internal: what dp_topk ranks by, a noised count or the rank that was drawn';
REVOKE ALL ON FUNCTION privacct._score(anyelement, integer, text) FROM PUBLIC;
