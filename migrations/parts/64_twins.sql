--
-- Twins of built-in functions.
--

-- Stand-ins for built-in functions inside guarded blocks: NULL where the built-in raises an error.
CREATE OR REPLACE FUNCTION privacct.total_int2pl(smallint, smallint) RETURNS smallint
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_int2pl';

CREATE OR REPLACE FUNCTION privacct.total_int24pl(smallint, integer) RETURNS integer
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_int24pl';

CREATE OR REPLACE FUNCTION privacct.total_int28pl(smallint, bigint) RETURNS bigint
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_int28pl';

CREATE OR REPLACE FUNCTION privacct.total_int42pl(integer, smallint) RETURNS integer
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_int42pl';

CREATE OR REPLACE FUNCTION privacct.total_int4pl(integer, integer) RETURNS integer
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_int4pl';

CREATE OR REPLACE FUNCTION privacct.total_int48pl(integer, bigint) RETURNS bigint
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_int48pl';

CREATE OR REPLACE FUNCTION privacct.total_int82pl(bigint, smallint) RETURNS bigint
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_int82pl';

CREATE OR REPLACE FUNCTION privacct.total_int84pl(bigint, integer) RETURNS bigint
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_int84pl';

CREATE OR REPLACE FUNCTION privacct.total_int8pl(bigint, bigint) RETURNS bigint
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_int8pl';

CREATE OR REPLACE FUNCTION privacct.total_int2mi(smallint, smallint) RETURNS smallint
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_int2mi';

CREATE OR REPLACE FUNCTION privacct.total_int24mi(smallint, integer) RETURNS integer
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_int24mi';

CREATE OR REPLACE FUNCTION privacct.total_int28mi(smallint, bigint) RETURNS bigint
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_int28mi';

CREATE OR REPLACE FUNCTION privacct.total_int42mi(integer, smallint) RETURNS integer
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_int42mi';

CREATE OR REPLACE FUNCTION privacct.total_int4mi(integer, integer) RETURNS integer
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_int4mi';

CREATE OR REPLACE FUNCTION privacct.total_int48mi(integer, bigint) RETURNS bigint
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_int48mi';

CREATE OR REPLACE FUNCTION privacct.total_int82mi(bigint, smallint) RETURNS bigint
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_int82mi';

CREATE OR REPLACE FUNCTION privacct.total_int84mi(bigint, integer) RETURNS bigint
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_int84mi';

CREATE OR REPLACE FUNCTION privacct.total_int8mi(bigint, bigint) RETURNS bigint
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_int8mi';

CREATE OR REPLACE FUNCTION privacct.total_int2mul(smallint, smallint) RETURNS smallint
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_int2mul';

CREATE OR REPLACE FUNCTION privacct.total_int24mul(smallint, integer) RETURNS integer
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_int24mul';

CREATE OR REPLACE FUNCTION privacct.total_int28mul(smallint, bigint) RETURNS bigint
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_int28mul';

CREATE OR REPLACE FUNCTION privacct.total_int42mul(integer, smallint) RETURNS integer
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_int42mul';

CREATE OR REPLACE FUNCTION privacct.total_int4mul(integer, integer) RETURNS integer
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_int4mul';

CREATE OR REPLACE FUNCTION privacct.total_int48mul(integer, bigint) RETURNS bigint
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_int48mul';

CREATE OR REPLACE FUNCTION privacct.total_int82mul(bigint, smallint) RETURNS bigint
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_int82mul';

CREATE OR REPLACE FUNCTION privacct.total_int84mul(bigint, integer) RETURNS bigint
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_int84mul';

CREATE OR REPLACE FUNCTION privacct.total_int8mul(bigint, bigint) RETURNS bigint
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_int8mul';

CREATE OR REPLACE FUNCTION privacct.total_int2div(smallint, smallint) RETURNS smallint
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_int2div';

CREATE OR REPLACE FUNCTION privacct.total_int24div(smallint, integer) RETURNS integer
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_int24div';

CREATE OR REPLACE FUNCTION privacct.total_int28div(smallint, bigint) RETURNS bigint
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_int28div';

CREATE OR REPLACE FUNCTION privacct.total_int42div(integer, smallint) RETURNS integer
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_int42div';

CREATE OR REPLACE FUNCTION privacct.total_int4div(integer, integer) RETURNS integer
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_int4div';

CREATE OR REPLACE FUNCTION privacct.total_int48div(integer, bigint) RETURNS bigint
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_int48div';

CREATE OR REPLACE FUNCTION privacct.total_int82div(bigint, smallint) RETURNS bigint
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_int82div';

CREATE OR REPLACE FUNCTION privacct.total_int84div(bigint, integer) RETURNS bigint
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_int84div';

CREATE OR REPLACE FUNCTION privacct.total_int8div(bigint, bigint) RETURNS bigint
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_int8div';

CREATE OR REPLACE FUNCTION privacct.total_int2mod(smallint, smallint) RETURNS smallint
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_int2mod';

CREATE OR REPLACE FUNCTION privacct.total_mod(smallint, smallint) RETURNS smallint
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_int2mod';

CREATE OR REPLACE FUNCTION privacct.total_int2um(smallint) RETURNS smallint
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_int2um';

CREATE OR REPLACE FUNCTION privacct.total_int2abs(smallint) RETURNS smallint
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_int2abs';

CREATE OR REPLACE FUNCTION privacct.total_abs(smallint) RETURNS smallint
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_int2abs';

CREATE OR REPLACE FUNCTION privacct.total_int4mod(integer, integer) RETURNS integer
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_int4mod';

CREATE OR REPLACE FUNCTION privacct.total_mod(integer, integer) RETURNS integer
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_int4mod';

CREATE OR REPLACE FUNCTION privacct.total_int4um(integer) RETURNS integer
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_int4um';

CREATE OR REPLACE FUNCTION privacct.total_int4abs(integer) RETURNS integer
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_int4abs';

CREATE OR REPLACE FUNCTION privacct.total_abs(integer) RETURNS integer
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_int4abs';

CREATE OR REPLACE FUNCTION privacct.total_int8mod(bigint, bigint) RETURNS bigint
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_int8mod';

CREATE OR REPLACE FUNCTION privacct.total_mod(bigint, bigint) RETURNS bigint
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_int8mod';

CREATE OR REPLACE FUNCTION privacct.total_int8um(bigint) RETURNS bigint
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_int8um';

CREATE OR REPLACE FUNCTION privacct.total_int8abs(bigint) RETURNS bigint
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_int8abs';

CREATE OR REPLACE FUNCTION privacct.total_abs(bigint) RETURNS bigint
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_int8abs';

CREATE OR REPLACE FUNCTION privacct.total_int2(integer) RETURNS smallint
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_i4toi2';

CREATE OR REPLACE FUNCTION privacct.total_int2(bigint) RETURNS smallint
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_int82';

CREATE OR REPLACE FUNCTION privacct.total_int4(bigint) RETURNS integer
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_int84';

CREATE OR REPLACE FUNCTION privacct.total_int2(real) RETURNS smallint
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_ftoi2';

CREATE OR REPLACE FUNCTION privacct.total_int2(double precision) RETURNS smallint
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_dtoi2';

CREATE OR REPLACE FUNCTION privacct.total_int2(numeric) RETURNS smallint
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_numeric_int2';

CREATE OR REPLACE FUNCTION privacct.total_int4(real) RETURNS integer
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_ftoi4';

CREATE OR REPLACE FUNCTION privacct.total_int4(double precision) RETURNS integer
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_dtoi4';

CREATE OR REPLACE FUNCTION privacct.total_int4(numeric) RETURNS integer
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_numeric_int4';

CREATE OR REPLACE FUNCTION privacct.total_int8(real) RETURNS bigint
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_ftoi8';

CREATE OR REPLACE FUNCTION privacct.total_int8(double precision) RETURNS bigint
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_dtoi8';

CREATE OR REPLACE FUNCTION privacct.total_int8(numeric) RETURNS bigint
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_numeric_int8';

CREATE OR REPLACE FUNCTION privacct.total_float4(double precision) RETURNS real
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_dtof';

CREATE OR REPLACE FUNCTION privacct.total_float4(numeric) RETURNS real
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_numeric_float4';

CREATE OR REPLACE FUNCTION privacct.total_float8(numeric) RETURNS double precision
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_numeric_float8';

CREATE OR REPLACE FUNCTION privacct.total_float4pl(real, real) RETURNS real
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_float4pl';

CREATE OR REPLACE FUNCTION privacct.total_float48pl(real, double precision) RETURNS double precision
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_float48pl';

CREATE OR REPLACE FUNCTION privacct.total_float84pl(double precision, real) RETURNS double precision
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_float84pl';

CREATE OR REPLACE FUNCTION privacct.total_float8pl(double precision, double precision) RETURNS double precision
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_float8pl';

CREATE OR REPLACE FUNCTION privacct.total_float4mi(real, real) RETURNS real
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_float4mi';

CREATE OR REPLACE FUNCTION privacct.total_float48mi(real, double precision) RETURNS double precision
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_float48mi';

CREATE OR REPLACE FUNCTION privacct.total_float84mi(double precision, real) RETURNS double precision
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_float84mi';

CREATE OR REPLACE FUNCTION privacct.total_float8mi(double precision, double precision) RETURNS double precision
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_float8mi';

CREATE OR REPLACE FUNCTION privacct.total_float4mul(real, real) RETURNS real
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_float4mul';

CREATE OR REPLACE FUNCTION privacct.total_float48mul(real, double precision) RETURNS double precision
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_float48mul';

CREATE OR REPLACE FUNCTION privacct.total_float84mul(double precision, real) RETURNS double precision
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_float84mul';

CREATE OR REPLACE FUNCTION privacct.total_float8mul(double precision, double precision) RETURNS double precision
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_float8mul';

CREATE OR REPLACE FUNCTION privacct.total_float4div(real, real) RETURNS real
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_float4div';

CREATE OR REPLACE FUNCTION privacct.total_float48div(real, double precision) RETURNS double precision
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_float48div';

CREATE OR REPLACE FUNCTION privacct.total_float84div(double precision, real) RETURNS double precision
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_float84div';

CREATE OR REPLACE FUNCTION privacct.total_float8div(double precision, double precision) RETURNS double precision
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_float8div';

CREATE OR REPLACE FUNCTION privacct.total_exp(double precision) RETURNS double precision
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_dexp';

CREATE OR REPLACE FUNCTION privacct.total_dexp(double precision) RETURNS double precision
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_dexp';

CREATE OR REPLACE FUNCTION privacct.total_ln(double precision) RETURNS double precision
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_dlog1';

CREATE OR REPLACE FUNCTION privacct.total_dlog1(double precision) RETURNS double precision
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_dlog1';

CREATE OR REPLACE FUNCTION privacct.total_log(double precision) RETURNS double precision
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_dlog10';

CREATE OR REPLACE FUNCTION privacct.total_log10(double precision) RETURNS double precision
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_dlog10';

CREATE OR REPLACE FUNCTION privacct.total_dlog10(double precision) RETURNS double precision
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_dlog10';

CREATE OR REPLACE FUNCTION privacct.total_sqrt(double precision) RETURNS double precision
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_dsqrt';

CREATE OR REPLACE FUNCTION privacct.total_dsqrt(double precision) RETURNS double precision
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_dsqrt';

CREATE OR REPLACE FUNCTION privacct.total_power(double precision, double precision) RETURNS double precision
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_dpow';

CREATE OR REPLACE FUNCTION privacct.total_pow(double precision, double precision) RETURNS double precision
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_dpow';

CREATE OR REPLACE FUNCTION privacct.total_dpow(double precision, double precision) RETURNS double precision
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_dpow';

CREATE OR REPLACE FUNCTION privacct.total_numeric_add(numeric, numeric) RETURNS numeric
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_numeric_add';

CREATE OR REPLACE FUNCTION privacct.total_numeric_sub(numeric, numeric) RETURNS numeric
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_numeric_sub';

CREATE OR REPLACE FUNCTION privacct.total_numeric_mul(numeric, numeric) RETURNS numeric
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_numeric_mul';

CREATE OR REPLACE FUNCTION privacct.total_numeric_div(numeric, numeric) RETURNS numeric
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_numeric_div';

CREATE OR REPLACE FUNCTION privacct.total_numeric_mod(numeric, numeric) RETURNS numeric
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_numeric_mod';

CREATE OR REPLACE FUNCTION privacct.total_mod(numeric, numeric) RETURNS numeric
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_numeric_mod';

CREATE OR REPLACE FUNCTION privacct.total_round(numeric, integer) RETURNS numeric
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_numeric_round';

CREATE OR REPLACE FUNCTION privacct.total_trunc(numeric, integer) RETURNS numeric
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_numeric_trunc';

CREATE OR REPLACE FUNCTION privacct.total_date_pli(date, integer) RETURNS date
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_date_pli';

CREATE OR REPLACE FUNCTION privacct.total_date_mii(date, integer) RETURNS date
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_date_mii';

CREATE OR REPLACE FUNCTION privacct.total_integer_pl_date(integer, date) RETURNS date
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_integer_pl_date';

CREATE OR REPLACE FUNCTION privacct.total_date_mi(date, date) RETURNS integer
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_date_mi';

CREATE OR REPLACE FUNCTION privacct.total_date_pl_interval(date, interval) RETURNS timestamp without time zone
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_date_pl_interval';

CREATE OR REPLACE FUNCTION privacct.total_date_mi_interval(date, interval) RETURNS timestamp without time zone
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_date_mi_interval';

CREATE OR REPLACE FUNCTION privacct.total_interval_pl_date(interval, date) RETURNS timestamp without time zone
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_interval_pl_date';

CREATE OR REPLACE FUNCTION privacct.total_timestamp_mi(timestamp without time zone, timestamp without time zone)
	RETURNS interval
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_timestamp_mi';

CREATE OR REPLACE FUNCTION privacct.total_timestamptz_mi(timestamp with time zone, timestamp with time zone)
	RETURNS interval
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_timestamp_mi';

CREATE OR REPLACE FUNCTION privacct.total_timestamp_pl_interval(timestamp without time zone, interval)
	RETURNS timestamp without time zone
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_timestamp_pl_interval';

CREATE OR REPLACE FUNCTION privacct.total_timestamp_mi_interval(timestamp without time zone, interval)
	RETURNS timestamp without time zone
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_timestamp_mi_interval';

CREATE OR REPLACE FUNCTION privacct.total_timestamptz_pl_interval(timestamp with time zone, interval) RETURNS timestamp
	with time zone
	STABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_timestamptz_pl_interval';

CREATE OR REPLACE FUNCTION privacct.total_timestamptz_mi_interval(timestamp with time zone, interval) RETURNS timestamp
	with time zone
	STABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_timestamptz_mi_interval';

CREATE OR REPLACE FUNCTION privacct.total_interval_pl_timestamp(interval, timestamp without time zone)
	RETURNS timestamp without time zone
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_interval_pl_timestamp';

CREATE OR REPLACE FUNCTION privacct.total_interval_pl_timestamptz(interval, timestamp with time zone) RETURNS timestamp
	with time zone
	STABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_interval_pl_timestamptz';

CREATE OR REPLACE FUNCTION privacct.total_timestamp(date) RETURNS timestamp without time zone
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_date_timestamp';

CREATE OR REPLACE FUNCTION privacct.total_timestamptz(date) RETURNS timestamp with time zone
	STABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_date_timestamptz';

CREATE OR REPLACE FUNCTION privacct.total_date(timestamp without time zone) RETURNS date
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_timestamp_date';

CREATE OR REPLACE FUNCTION privacct.total_date(timestamp with time zone) RETURNS date
	STABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_timestamptz_date';

CREATE OR REPLACE FUNCTION privacct.total_timestamp(timestamp with time zone) RETURNS timestamp without time zone
	STABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_timestamptz_timestamp';

CREATE OR REPLACE FUNCTION privacct.total_timestamptz(timestamp without time zone) RETURNS timestamp with time zone
	STABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_timestamp_timestamptz';

CREATE OR REPLACE FUNCTION privacct.total_interval_pl(interval, interval) RETURNS interval
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_interval_pl';

CREATE OR REPLACE FUNCTION privacct.total_interval_mi(interval, interval) RETURNS interval
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_interval_mi';

CREATE OR REPLACE FUNCTION privacct.total_interval_um(interval) RETURNS interval
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_interval_um';

CREATE OR REPLACE FUNCTION privacct.total_interval_mul(interval, double precision) RETURNS interval
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_interval_mul';

CREATE OR REPLACE FUNCTION privacct.total_mul_d_interval(double precision, interval) RETURNS interval
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_mul_d_interval';

CREATE OR REPLACE FUNCTION privacct.total_interval_div(interval, double precision) RETURNS interval
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_interval_div';

CREATE OR REPLACE FUNCTION privacct.total_date_trunc(text, timestamp without time zone)
	RETURNS timestamp without time zone
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_timestamp_trunc';

CREATE OR REPLACE FUNCTION privacct.total_date_trunc(text, timestamp with time zone) RETURNS timestamp with time zone
	STABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_timestamptz_trunc';

CREATE OR REPLACE FUNCTION privacct.total_date_trunc(text, interval) RETURNS interval
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_interval_trunc';

CREATE OR REPLACE FUNCTION privacct.total_extract(text, date) RETURNS numeric
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_extract_date';

CREATE OR REPLACE FUNCTION privacct.total_extract(text, timestamp without time zone) RETURNS numeric
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_extract_timestamp';

CREATE OR REPLACE FUNCTION privacct.total_extract(text, timestamp with time zone) RETURNS numeric
	STABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_extract_timestamptz';

CREATE OR REPLACE FUNCTION privacct.total_extract(text, interval) RETURNS numeric
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_extract_interval';

CREATE OR REPLACE FUNCTION privacct.total_extract(text, time without time zone) RETURNS numeric
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_extract_time';

CREATE OR REPLACE FUNCTION privacct.total_date_part(text, date) RETURNS double precision
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_date_part_date';

CREATE OR REPLACE FUNCTION privacct.total_date_part(text, timestamp without time zone) RETURNS double precision
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_timestamp_part';

CREATE OR REPLACE FUNCTION privacct.total_date_part(text, timestamp with time zone) RETURNS double precision
	STABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_timestamptz_part';

CREATE OR REPLACE FUNCTION privacct.total_date_part(text, interval) RETURNS double precision
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_interval_part';

CREATE OR REPLACE FUNCTION privacct.total_date_part(text, time without time zone) RETURNS double precision
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_time_part';

CREATE OR REPLACE FUNCTION privacct.total_to_char(timestamp without time zone, text) RETURNS text
	STABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_timestamp_to_char';

CREATE OR REPLACE FUNCTION privacct.total_to_char(timestamp with time zone, text) RETURNS text
	STABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_timestamptz_to_char';

CREATE OR REPLACE FUNCTION privacct.total_textlike(text, text) RETURNS boolean
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_textlike';

CREATE OR REPLACE FUNCTION privacct.total_textnlike(text, text) RETURNS boolean
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_textnlike';

CREATE OR REPLACE FUNCTION privacct.total_texticlike(text, text) RETURNS boolean
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_texticlike';

CREATE OR REPLACE FUNCTION privacct.total_texticnlike(text, text) RETURNS boolean
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_texticnlike';

CREATE OR REPLACE FUNCTION privacct.total_like(text, text) RETURNS boolean
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_textlike';

CREATE OR REPLACE FUNCTION privacct.total_notlike(text, text) RETURNS boolean
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_textnlike';

CREATE OR REPLACE FUNCTION privacct.total_bpcharlike(character, text) RETURNS boolean
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_textlike';

CREATE OR REPLACE FUNCTION privacct.total_bpcharnlike(character, text) RETURNS boolean
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_textnlike';

CREATE OR REPLACE FUNCTION privacct.total_bpchariclike(character, text) RETURNS boolean
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_texticlike';

CREATE OR REPLACE FUNCTION privacct.total_bpcharicnlike(character, text) RETURNS boolean
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_texticnlike';

CREATE OR REPLACE FUNCTION privacct.total_substr(text, integer, integer) RETURNS text
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_text_substr';

CREATE OR REPLACE FUNCTION privacct.total_substring(text, integer, integer) RETURNS text
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_text_substr';

CREATE OR REPLACE FUNCTION privacct.total_width_bucket(double precision, double precision, double precision, integer)
	RETURNS integer
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_width_bucket_float8';

CREATE OR REPLACE FUNCTION privacct.total_split_part(text, text, integer) RETURNS text
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_split_part';

CREATE OR REPLACE FUNCTION privacct.total_lower(text) RETURNS text
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_lower';

CREATE OR REPLACE FUNCTION privacct.total_upper(text) RETURNS text
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_upper';

CREATE OR REPLACE FUNCTION privacct.total_initcap(text) RETURNS text
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_initcap';

CREATE OR REPLACE FUNCTION privacct.total_md5(text) RETURNS text
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_md5_text';

CREATE OR REPLACE FUNCTION privacct.total_reverse(text) RETURNS text
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_text_reverse';

CREATE OR REPLACE FUNCTION privacct.total_textcat(text, text) RETURNS text
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_textcat';

CREATE OR REPLACE FUNCTION privacct.total_ceil(numeric) RETURNS numeric
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_numeric_ceil';

CREATE OR REPLACE FUNCTION privacct.total_ceiling(numeric) RETURNS numeric
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_numeric_ceil';

CREATE OR REPLACE FUNCTION privacct.total_floor(numeric) RETURNS numeric
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_numeric_floor';

CREATE OR REPLACE FUNCTION privacct.total_round(numeric) RETURNS numeric
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_numeric_round_whole';

CREATE OR REPLACE FUNCTION privacct.total_trunc(numeric) RETURNS numeric
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_numeric_trunc_whole';

CREATE OR REPLACE FUNCTION privacct.total_parameter(text) RETURNS text
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_parameter';

CREATE OR REPLACE FUNCTION privacct.total_parameter(character varying) RETURNS character varying
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_parameter';

CREATE OR REPLACE FUNCTION privacct.total_parameter(character) RETURNS character
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_parameter';

CREATE OR REPLACE FUNCTION privacct.total_parameter(anyarray) RETURNS anyarray
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_array_parameter';

CREATE OR REPLACE FUNCTION privacct.total_parameter(numeric) RETURNS numeric
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_parameter';

DO $$
DECLARE
	f regprocedure;
BEGIN
	FOR f IN SELECT oid::pg_catalog.regprocedure FROM pg_catalog.pg_proc
		WHERE pronamespace = 'privacct'::pg_catalog.regnamespace AND proname LIKE 'total\_%'
	LOOP
		EXECUTE pg_catalog.format('COMMENT ON FUNCTION %s IS %L', f,
			'as the built-in function, but NULL where that raises an error');
	END LOOP;
END $$;

-- Values of rows that are longer than a function is given in a guarded block are null there.
CREATE OR REPLACE FUNCTION privacct.total_short(text, integer) RETURNS text
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_short';
COMMENT ON FUNCTION privacct.total_short(text, integer)
	IS 'the text, or NULL if it has more bytes or is stored out of line';

CREATE OR REPLACE FUNCTION privacct.total_short(character varying, integer) RETURNS character varying
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_short';
COMMENT ON FUNCTION privacct.total_short(character varying, integer)
	IS 'the text, or NULL if it has more bytes or is stored out of line';

CREATE OR REPLACE FUNCTION privacct.total_short(character, integer) RETURNS character
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_short';
COMMENT ON FUNCTION privacct.total_short(character, integer)
	IS 'the text, or NULL if it has more bytes or is stored out of line';

CREATE OR REPLACE FUNCTION privacct.total_short(numeric) RETURNS numeric
	IMMUTABLE STRICT PARALLEL SAFE LANGUAGE C AS 'MODULE_PATHNAME', 'pa_total_short_numeric';
COMMENT ON FUNCTION privacct.total_short(numeric)
	IS 'the number, or NULL if it has too many digits or is stored out of line';
