-- Values of rows that are longer than a function is given in a guarded block are null there.

CREATE FUNCTION privacct.total_short(text, integer) RETURNS text
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_short';
CREATE FUNCTION privacct.total_short(character varying, integer) RETURNS character varying
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_short';
CREATE FUNCTION privacct.total_short(character, integer) RETURNS character
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_short';
CREATE FUNCTION privacct.total_short(numeric) RETURNS numeric
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_short_numeric';
COMMENT ON FUNCTION privacct.total_short(text, integer) IS 'the text, or NULL if it has more bytes or is stored out of line';
COMMENT ON FUNCTION privacct.total_short(character varying, integer) IS 'the text, or NULL if it has more bytes or is stored out of line';
COMMENT ON FUNCTION privacct.total_short(character, integer) IS 'the text, or NULL if it has more bytes or is stored out of line';
COMMENT ON FUNCTION privacct.total_short(numeric) IS 'the number, or NULL if it has too many digits or is stored out of line';
