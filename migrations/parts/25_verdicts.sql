-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- What the system catalog tells, judged object by object.
--

-- Names are those of privacct._catalog_objects().
INSERT INTO privacct.catalog_object (kind, name, verdict, reason)
SELECT j.kind, pg_catalog.btrim(n, E' \t\n'), j.verdict, j.reason
FROM (VALUES
	('function', 'harmless', 'runs as a trigger only', $$
		RI_FKey_cascade_del(); RI_FKey_cascade_upd(); RI_FKey_check_ins(); RI_FKey_check_upd();
		RI_FKey_noaction_del(); RI_FKey_noaction_upd(); RI_FKey_restrict_del(); RI_FKey_restrict_upd();
		RI_FKey_setdefault_del(); RI_FKey_setdefault_upd(); RI_FKey_setnull_del(); RI_FKey_setnull_upd();
		suppress_redundant_updates_trigger(); tsvector_update_trigger(); tsvector_update_trigger_column();
		unique_key_recheck()
	$$),
	('function', 'harmless', 'declarations and privileges', $$
		aclexplode(aclitem[]); col_description(oid, integer); enum_first(anyenum); enum_last(anyenum);
		enum_range(anyenum); enum_range(anyenum, anyenum); format_type(oid, integer); getdatabaseencoding();
		has_any_column_privilege(name, oid, text); has_any_column_privilege(name, text, text);
		has_any_column_privilege(oid, oid, text); has_any_column_privilege(oid, text);
		has_any_column_privilege(oid, text, text); has_any_column_privilege(text, text);
		has_column_privilege(name, oid, smallint, text); has_column_privilege(name, oid, text, text);
		has_column_privilege(name, text, smallint, text); has_column_privilege(name, text, text, text);
		has_column_privilege(oid, oid, smallint, text); has_column_privilege(oid, oid, text, text);
		has_column_privilege(oid, smallint, text); has_column_privilege(oid, text, smallint, text);
		has_column_privilege(oid, text, text); has_column_privilege(oid, text, text, text);
		has_column_privilege(text, smallint, text); has_column_privilege(text, text, text);
		has_database_privilege(name, oid, text); has_database_privilege(name, text, text);
		has_database_privilege(oid, oid, text); has_database_privilege(oid, text);
		has_database_privilege(oid, text, text); has_database_privilege(text, text);
		has_foreign_data_wrapper_privilege(name, oid, text); has_foreign_data_wrapper_privilege(name, text, text);
		has_foreign_data_wrapper_privilege(oid, oid, text); has_foreign_data_wrapper_privilege(oid, text);
		has_foreign_data_wrapper_privilege(oid, text, text); has_foreign_data_wrapper_privilege(text, text);
		has_function_privilege(name, oid, text); has_function_privilege(name, text, text);
		has_function_privilege(oid, oid, text); has_function_privilege(oid, text);
		has_function_privilege(oid, text, text); has_function_privilege(text, text);
		has_language_privilege(name, oid, text); has_language_privilege(name, text, text);
		has_language_privilege(oid, oid, text); has_language_privilege(oid, text);
		has_language_privilege(oid, text, text); has_language_privilege(text, text);
		has_parameter_privilege(name, text, text); has_parameter_privilege(oid, text, text);
		has_parameter_privilege(text, text); has_schema_privilege(name, oid, text);
		has_schema_privilege(name, text, text); has_schema_privilege(oid, oid, text);
		has_schema_privilege(oid, text); has_schema_privilege(oid, text, text); has_schema_privilege(text, text);
		has_sequence_privilege(name, oid, text); has_sequence_privilege(name, text, text);
		has_sequence_privilege(oid, oid, text); has_sequence_privilege(oid, text);
		has_sequence_privilege(oid, text, text); has_sequence_privilege(text, text);
		has_server_privilege(name, oid, text); has_server_privilege(name, text, text);
		has_server_privilege(oid, oid, text); has_server_privilege(oid, text);
		has_server_privilege(oid, text, text); has_server_privilege(text, text);
		has_table_privilege(name, oid, text); has_table_privilege(name, text, text);
		has_table_privilege(oid, oid, text); has_table_privilege(oid, text); has_table_privilege(oid, text, text);
		has_table_privilege(text, text); has_tablespace_privilege(name, oid, text);
		has_tablespace_privilege(name, text, text); has_tablespace_privilege(oid, oid, text);
		has_tablespace_privilege(oid, text); has_tablespace_privilege(oid, text, text);
		has_tablespace_privilege(text, text); has_type_privilege(name, oid, text);
		has_type_privilege(name, text, text); has_type_privilege(oid, oid, text); has_type_privilege(oid, text);
		has_type_privilege(oid, text, text); has_type_privilege(text, text); obj_description(oid);
		obj_description(oid, name); pg_available_extension_versions(); pg_available_extensions();
		pg_collation_actual_version(oid); pg_collation_for("any"); pg_collation_is_visible(oid);
		pg_column_is_updatable(regclass, smallint, boolean); pg_conversion_is_visible(oid);
		pg_database_collation_actual_version(oid); pg_describe_object(oid, oid, integer);
		pg_event_trigger_ddl_commands(); pg_event_trigger_dropped_objects(); pg_event_trigger_table_rewrite_oid();
		pg_event_trigger_table_rewrite_reason(); pg_extension_config_dump(regclass, text);
		pg_extension_update_paths(name); pg_function_is_visible(oid); pg_get_catalog_foreign_keys();
		pg_get_constraintdef(oid); pg_get_constraintdef(oid, boolean); pg_get_expr(pg_node_tree, oid);
		pg_get_expr(pg_node_tree, oid, boolean); pg_get_function_arg_default(oid, integer);
		pg_get_function_arguments(oid); pg_get_function_identity_arguments(oid); pg_get_function_result(oid);
		pg_get_function_sqlbody(oid); pg_get_functiondef(oid); pg_get_indexdef(oid);
		pg_get_indexdef(oid, integer, boolean); pg_get_object_address(text, text[], text[]);
		pg_get_partition_constraintdef(oid); pg_get_partkeydef(oid); pg_get_replica_identity_index(regclass);
		pg_get_ruledef(oid); pg_get_ruledef(oid, boolean); pg_get_serial_sequence(text, text);
		pg_get_statisticsobjdef(oid); pg_get_statisticsobjdef_columns(oid);
		pg_get_statisticsobjdef_expressions(oid); pg_get_triggerdef(oid); pg_get_triggerdef(oid, boolean);
		pg_get_userbyid(oid); pg_get_viewdef(oid); pg_get_viewdef(oid, boolean); pg_get_viewdef(oid, integer);
		pg_get_viewdef(text); pg_get_viewdef(text, boolean); pg_get_wal_resource_managers();
		pg_has_role(name, name, text); pg_has_role(name, oid, text); pg_has_role(name, text);
		pg_has_role(oid, name, text); pg_has_role(oid, oid, text); pg_has_role(oid, text);
		pg_identify_object(oid, oid, integer); pg_identify_object_as_address(oid, oid, integer);
		pg_index_column_has_property(regclass, integer, text); pg_index_has_property(regclass, text);
		pg_indexam_has_property(oid, text); pg_is_other_temp_schema(oid); pg_my_temp_schema();
		pg_opclass_is_visible(oid); pg_operator_is_visible(oid); pg_opfamily_is_visible(oid);
		pg_options_to_table(text[]); pg_partition_ancestors(regclass); pg_partition_tree(regclass);
		pg_relation_is_publishable(regclass); pg_relation_is_updatable(regclass, boolean);
		pg_statistics_obj_is_visible(oid); pg_table_is_visible(oid); pg_tablespace_databases(oid);
		pg_tablespace_location(oid); pg_ts_config_is_visible(oid); pg_ts_dict_is_visible(oid);
		pg_ts_parser_is_visible(oid); pg_ts_template_is_visible(oid); pg_type_is_visible(oid); pg_typeof("any");
		row_security_active(oid); row_security_active(text); shobj_description(oid, name); to_regclass(text);
		to_regcollation(text); to_regnamespace(text); to_regoper(text); to_regoperator(text); to_regproc(text);
		to_regprocedure(text); to_regrole(text); to_regtype(text)
	$$),
	('function', 'harmless', 'computes from its arguments', $$
		aclitemin(cstring); aclitemout(aclitem); age(timestamp with time zone); age(timestamp without time zone);
		anyarray_out(anyarray); anyarray_recv(internal); anyarray_send(anyarray);
		anycompatiblearray_out(anycompatiblearray); anycompatiblearray_recv(internal);
		anycompatiblearray_send(anycompatiblearray); anycompatiblemultirange_in(cstring, oid, integer);
		anycompatiblemultirange_out(anycompatiblemultirange); anycompatiblerange_in(cstring, oid, integer);
		anycompatiblerange_out(anycompatiblerange); anyenum_out(anyenum); anymultirange_in(cstring, oid, integer);
		anymultirange_out(anymultirange); anyrange_in(cstring, oid, integer); anyrange_out(anyrange);
		anytextcat(anynonarray, text); array_in(cstring, oid, integer); array_out(anyarray);
		array_recv(internal, oid, integer); array_send(anyarray); array_to_json(anyarray);
		array_to_json(anyarray, boolean); array_to_string(anyarray, text); array_to_string(anyarray, text, text);
		bpcharrecv(internal, oid, integer); bpcharsend(character); brin_bloom_summary_recv(internal);
		brin_bloom_summary_send(pg_brin_bloom_summary); brin_minmax_multi_summary_recv(internal);
		brin_minmax_multi_summary_send(pg_brin_minmax_multi_summary); cash_in(cstring); cash_out(money);
		concat("any"); concat_ws(text, "any"); convert(bytea, name, name); convert_from(bytea, name);
		convert_to(text, name); cstring_recv(internal); cstring_send(cstring); date(timestamp with time zone);
		date_cmp_timestamptz(date, timestamp with time zone); date_eq_timestamptz(date, timestamp with time zone);
		date_ge_timestamptz(date, timestamp with time zone); date_gt_timestamptz(date, timestamp with time zone);
		date_in(cstring); date_le_timestamptz(date, timestamp with time zone);
		date_lt_timestamptz(date, timestamp with time zone); date_ne_timestamptz(date, timestamp with time zone);
		date_out(date); date_part(text, timestamp with time zone); date_trunc(text, timestamp with time zone);
		domain_in(cstring, oid, integer);
		domain_recv(internal, oid, integer); enum_in(cstring, oid); enum_out(anyenum); enum_recv(internal, oid);
		enum_send(anyenum); extract(text, timestamp with time zone); format(text); format(text, "any");
		generate_series(timestamp with time zone, timestamp with time zone, interval);
		in_range(timestamp with time zone, timestamp with time zone, interval, boolean, boolean);
		interval_in(cstring, oid, integer); interval_out(interval);
		interval_pl_timestamptz(interval, timestamp with time zone); json_agg(anyelement); json_build_array("any");
		json_build_array(); json_build_object("any"); json_build_object(); json_object_agg("any", "any");
		json_populate_record(anyelement, json, boolean); json_populate_recordset(anyelement, json, boolean);
		json_to_record(json); json_to_recordset(json); json_to_tsvector(json, jsonb); jsonb_agg(anyelement);
		jsonb_build_array("any"); jsonb_build_array(); jsonb_build_object("any"); jsonb_build_object();
		jsonb_path_exists_tz(jsonb, jsonpath, jsonb, boolean); jsonb_path_match_tz(jsonb, jsonpath, jsonb, boolean);
		jsonb_path_query_array_tz(jsonb, jsonpath, jsonb, boolean);
		jsonb_path_query_first_tz(jsonb, jsonpath, jsonb, boolean);
		jsonb_path_query_tz(jsonb, jsonpath, jsonb, boolean); jsonb_populate_record(anyelement, jsonb);
		jsonb_populate_recordset(anyelement, jsonb); jsonb_to_record(jsonb); jsonb_to_recordset(jsonb);
		jsonb_to_tsvector(jsonb, jsonb); length(bytea, name);
		make_timestamptz(integer, integer, integer, integer, integer, double precision);
		make_timestamptz(integer, integer, integer, integer, integer, double precision, text); money(bigint);
		money(integer); money(numeric); multirange_in(cstring, oid, integer); multirange_out(anymultirange);
		multirange_recv(internal, oid, integer); multirange_send(anymultirange); namerecv(internal); namesend(name);
		numeric(money); oidvectortypes(oidvector);
		overlaps(timestamp with time zone, interval, timestamp with time zone, interval);
		overlaps(timestamp with time zone, interval, timestamp with time zone, timestamp with time zone);
		overlaps(timestamp with time zone, timestamp with time zone, timestamp with time zone, interval);
		pg_column_compression("any"); pg_column_size("any"); pg_dependencies_recv(internal);
		pg_dependencies_send(pg_dependencies); pg_mcv_list_items(pg_mcv_list); pg_mcv_list_recv(internal);
		pg_mcv_list_send(pg_mcv_list); pg_ndistinct_recv(internal); pg_ndistinct_send(pg_ndistinct);
		pg_node_tree_recv(internal); pg_node_tree_send(pg_node_tree); phraseto_tsquery(text); plainto_tsquery(text);
		quote_literal(anyelement); quote_nullable(anyelement); range_in(cstring, oid, integer); range_out(anyrange);
		range_recv(internal, oid, integer); range_send(anyrange); record_in(cstring, oid, integer);
		record_out(record); record_recv(internal, oid, integer); record_send(record); regclass(text);
		regclassin(cstring); regclassout(regclass); regcollationin(cstring); regcollationout(regcollation);
		regconfigin(cstring); regconfigout(regconfig); regdictionaryin(cstring); regdictionaryout(regdictionary);
		regnamespacein(cstring); regnamespaceout(regnamespace); regoperatorin(cstring); regoperatorout(regoperator);
		regoperin(cstring); regoperout(regoper); regprocedurein(cstring); regprocedureout(regprocedure);
		regprocin(cstring); regprocout(regproc); regrolein(cstring); regroleout(regrole); regtypein(cstring);
		regtypeout(regtype); row_to_json(record); row_to_json(record, boolean); textanycat(text, anynonarray);
		textrecv(internal); textsend(text); time(timestamp with time zone); time_in(cstring, oid, integer);
		timestamp(timestamp with time zone);
		timestamp_cmp_timestamptz(timestamp without time zone, timestamp with time zone);
		timestamp_eq_timestamptz(timestamp without time zone, timestamp with time zone);
		timestamp_ge_timestamptz(timestamp without time zone, timestamp with time zone);
		timestamp_gt_timestamptz(timestamp without time zone, timestamp with time zone);
		timestamp_in(cstring, oid, integer);
		timestamp_le_timestamptz(timestamp without time zone, timestamp with time zone);
		timestamp_lt_timestamptz(timestamp without time zone, timestamp with time zone);
		timestamp_ne_timestamptz(timestamp without time zone, timestamp with time zone);
		timestamp_out(timestamp without time zone); timestamptz(date); timestamptz(date, time without time zone);
		timestamptz(timestamp without time zone); timestamptz_cmp_date(timestamp with time zone, date);
		timestamptz_cmp_timestamp(timestamp with time zone, timestamp without time zone);
		timestamptz_eq_date(timestamp with time zone, date);
		timestamptz_eq_timestamp(timestamp with time zone, timestamp without time zone);
		timestamptz_ge_date(timestamp with time zone, date);
		timestamptz_ge_timestamp(timestamp with time zone, timestamp without time zone);
		timestamptz_gt_date(timestamp with time zone, date);
		timestamptz_gt_timestamp(timestamp with time zone, timestamp without time zone);
		timestamptz_in(cstring, oid, integer); timestamptz_le_date(timestamp with time zone, date);
		timestamptz_le_timestamp(timestamp with time zone, timestamp without time zone);
		timestamptz_lt_date(timestamp with time zone, date);
		timestamptz_lt_timestamp(timestamp with time zone, timestamp without time zone);
		timestamptz_mi_interval(timestamp with time zone, interval);
		timestamptz_ne_date(timestamp with time zone, date);
		timestamptz_ne_timestamp(timestamp with time zone, timestamp without time zone);
		timestamptz_out(timestamp with time zone); timestamptz_pl_interval(timestamp with time zone, interval);
		timetz(time without time zone); timetz(timestamp with time zone); timetz_in(cstring, oid, integer);
		timezone(text, time with time zone); to_char(bigint, text); to_char(double precision, text);
		to_char(integer, text); to_char(interval, text); to_char(numeric, text); to_char(real, text);
		to_char(timestamp with time zone, text); to_char(timestamp without time zone, text); to_date(text, text);
		to_json(anyelement); to_jsonb(anyelement); to_number(text, text); to_timestamp(text, text);
		to_tsquery(text); to_tsvector(json); to_tsvector(jsonb); to_tsvector(text); ts_debug(regconfig, text);
		ts_debug(text); ts_headline(json, tsquery); ts_headline(json, tsquery, text); ts_headline(jsonb, tsquery);
		ts_headline(jsonb, tsquery, text); ts_headline(text, tsquery); ts_headline(text, tsquery, text);
		ts_match_tq(text, tsquery); ts_match_tt(text, text); ts_parse(text, text); ts_token_type(text);
		varcharrecv(internal, oid, integer); varcharsend(character varying); websearch_to_tsquery(text); xml(text);
		xml_in(cstring); xml_is_well_formed(text); xml_recv(internal); xml_send(xml)
	$$),
	('function', 'closed', 'numbers or times of transactions', $$
		age(xid); mxid_age(xid); pg_current_snapshot(); pg_current_xact_id(); pg_current_xact_id_if_assigned();
		pg_export_snapshot(); pg_get_multixact_members(xid); pg_last_committed_xact(); pg_prepared_xact();
		pg_xact_commit_timestamp(xid); pg_xact_commit_timestamp_origin(xid); pg_xact_status(xid8); txid_current();
		txid_current_if_assigned(); txid_current_snapshot(); txid_status(bigint)
	$$),
	('function', 'harmless', 'called by the server only, or checks a declaration', $$
		amvalidate(oid); areajoinsel(internal, oid, internal, smallint, internal);
		areasel(internal, oid, internal, integer); array_typanalyze(internal);
		arraycontjoinsel(internal, oid, internal, smallint, internal);
		arraycontsel(internal, oid, internal, integer); bernoulli(internal); brinhandler(internal);
		bthandler(internal); contjoinsel(internal, oid, internal, smallint, internal);
		contsel(internal, oid, internal, integer); dsnowball_init(internal);
		dsnowball_lexize(internal, internal, internal, internal);
		eqjoinsel(internal, oid, internal, smallint, internal); eqsel(internal, oid, internal, integer);
		fmgr_c_validator(oid); fmgr_internal_validator(oid); fmgr_sql_validator(oid); ginhandler(internal);
		gisthandler(internal); hashhandler(internal); heap_tableam_handler(internal);
		iclikejoinsel(internal, oid, internal, smallint, internal); iclikesel(internal, oid, internal, integer);
		icnlikejoinsel(internal, oid, internal, smallint, internal); icnlikesel(internal, oid, internal, integer);
		icregexeqjoinsel(internal, oid, internal, smallint, internal);
		icregexeqsel(internal, oid, internal, integer);
		icregexnejoinsel(internal, oid, internal, smallint, internal);
		icregexnesel(internal, oid, internal, integer); json_agg_transfn(internal, anyelement);
		json_object_agg_transfn(internal, "any", "any"); jsonb_agg_finalfn(internal);
		jsonb_agg_transfn(internal, anyelement); jsonb_object_agg_finalfn(internal);
		jsonb_object_agg_transfn(internal, "any", "any"); likejoinsel(internal, oid, internal, smallint, internal);
		likesel(internal, oid, internal, integer); matchingjoinsel(internal, oid, internal, smallint, internal);
		matchingsel(internal, oid, internal, integer); multirange_typanalyze(internal);
		multirangesel(internal, oid, internal, integer); neqjoinsel(internal, oid, internal, smallint, internal);
		neqsel(internal, oid, internal, integer); networkjoinsel(internal, oid, internal, smallint, internal);
		networksel(internal, oid, internal, integer); nlikejoinsel(internal, oid, internal, smallint, internal);
		nlikesel(internal, oid, internal, integer); pg_control_init(); plpgsql_call_handler();
		plpgsql_inline_handler(internal); plpgsql_validator(oid);
		positionjoinsel(internal, oid, internal, smallint, internal); positionsel(internal, oid, internal, integer);
		prefixjoinsel(internal, oid, internal, smallint, internal); prefixsel(internal, oid, internal, integer);
		range_typanalyze(internal); rangesel(internal, oid, internal, integer);
		regexeqjoinsel(internal, oid, internal, smallint, internal); regexeqsel(internal, oid, internal, integer);
		regexnejoinsel(internal, oid, internal, smallint, internal); regexnesel(internal, oid, internal, integer);
		scalargejoinsel(internal, oid, internal, smallint, internal); scalargesel(internal, oid, internal, integer);
		scalargtjoinsel(internal, oid, internal, smallint, internal); scalargtsel(internal, oid, internal, integer);
		scalarlejoinsel(internal, oid, internal, smallint, internal); scalarlesel(internal, oid, internal, integer);
		scalarltjoinsel(internal, oid, internal, smallint, internal); scalarltsel(internal, oid, internal, integer);
		spghandler(internal); system(internal); ts_typanalyze(internal);
		tsmatchjoinsel(internal, oid, internal, smallint, internal); tsmatchsel(internal, oid, internal, integer)
	$$),
	('function', 'harmless', 'works in a server that is being upgraded only', $$
		binary_upgrade_create_empty_extension(text, text, boolean, text, oid[], text[], text[]);
		binary_upgrade_set_missing_value(oid, text, text); binary_upgrade_set_next_array_pg_type_oid(oid);
		binary_upgrade_set_next_attribute_versions(pg_lsn[]); binary_upgrade_set_next_heap_pg_class_oid(oid);
		binary_upgrade_set_next_heap_relfilenode(oid); binary_upgrade_set_next_index_pg_class_oid(oid);
		binary_upgrade_set_next_index_relfilenode(oid); binary_upgrade_set_next_multirange_array_pg_type_oid(oid);
		binary_upgrade_set_next_multirange_pg_type_oid(oid); binary_upgrade_set_next_pg_authid_oid(oid);
		binary_upgrade_set_next_pg_enum_oid(oid); binary_upgrade_set_next_pg_tablespace_oid(oid);
		binary_upgrade_set_next_pg_type_oid(oid); binary_upgrade_set_next_toast_pg_class_oid(oid);
		binary_upgrade_set_next_toast_relfilenode(oid); binary_upgrade_set_record_init_privs(boolean)
	$$),
	('function', 'closed', 'locks the table of an index before it looks who asks', $$
		brin_desummarize_range(regclass, bigint); brin_summarize_new_values(regclass);
		brin_summarize_range(regclass, bigint); gin_clean_pending_list(regclass)
	$$),
	('function', 'harmless', 'clock or chance', $$
		clock_timestamp(); gen_random_uuid(); now(); pg_sleep(double precision); pg_sleep_for(interval);
		pg_sleep_until(timestamp with time zone); random(); setseed(double precision); statement_timestamp();
		timeofday(); transaction_timestamp()
	$$),
	('function', 'harmless', 'the session itself, or settings', $$
		current_database(); current_query(); current_schema(); current_schemas(boolean); current_setting(text);
		current_setting(text, boolean); current_user(); get_current_ts_config(); getpgusername();
		inet_client_addr(); inet_client_port(); inet_server_addr(); inet_server_port(); pg_advisory_lock(bigint);
		pg_advisory_lock(integer, integer); pg_advisory_lock_shared(bigint);
		pg_advisory_lock_shared(integer, integer); pg_advisory_unlock(bigint); pg_advisory_unlock(integer, integer);
		pg_advisory_unlock_all(); pg_advisory_unlock_shared(bigint); pg_advisory_unlock_shared(integer, integer);
		pg_advisory_xact_lock(bigint); pg_advisory_xact_lock(integer, integer);
		pg_advisory_xact_lock_shared(bigint); pg_advisory_xact_lock_shared(integer, integer); pg_backend_pid();
		pg_client_encoding(); pg_cursor(); pg_listening_channels(); pg_notify(text, text); pg_prepared_statement();
		pg_settings_get_flags(text); pg_show_all_settings(); pg_stat_clear_snapshot(); pg_stat_force_next_flush();
		pg_trigger_depth(); pg_try_advisory_lock(bigint); pg_try_advisory_lock(integer, integer);
		pg_try_advisory_lock_shared(bigint); pg_try_advisory_lock_shared(integer, integer);
		pg_try_advisory_xact_lock(bigint); pg_try_advisory_xact_lock(integer, integer);
		pg_try_advisory_xact_lock_shared(bigint); pg_try_advisory_xact_lock_shared(integer, integer);
		session_user(); set_config(text, text, boolean)
	$$),
	('function', 'harmless', 'checks privileges on the relation, or tells declarations only', $$
		currtid2(text, tid); currval(regclass); lastval(); nextval(regclass);
		pg_sequence_last_value(regclass); setval(regclass, bigint); setval(regclass, bigint, boolean)
	$$),
	('function', 'harmless', 'runs a statement with the rights of its caller', $$
		cursor_to_xml(refcursor, integer, boolean, boolean, text);
		cursor_to_xmlschema(refcursor, boolean, boolean, text); database_to_xml(boolean, boolean, text);
		database_to_xml_and_xmlschema(boolean, boolean, text); database_to_xmlschema(boolean, boolean, text);
		query_to_xml(text, boolean, boolean, text); query_to_xml_and_xmlschema(text, boolean, boolean, text);
		query_to_xmlschema(text, boolean, boolean, text); schema_to_xml(name, boolean, boolean, text);
		schema_to_xml_and_xmlschema(name, boolean, boolean, text);
		schema_to_xmlschema(name, boolean, boolean, text); table_to_xml(regclass, boolean, boolean, text);
		table_to_xml_and_xmlschema(regclass, boolean, boolean, text);
		table_to_xmlschema(regclass, boolean, boolean, text); ts_rewrite(tsquery, text); ts_stat(text);
		ts_stat(text, text)
	$$),
	('function', 'harmless', 'checks privileges on the large object', $$
		lo_close(integer); lo_get(oid); lo_get(oid, bigint, integer); lo_lseek(integer, integer, integer);
		lo_lseek64(integer, bigint, integer); lo_open(oid, integer); lo_put(oid, bigint, bytea); lo_tell(integer);
		lo_tell64(integer); lo_truncate(integer, integer); lo_truncate64(integer, bigint); lo_unlink(oid);
		loread(integer, integer); lowrite(integer, bytea)
	$$),
	('function', 'closed', 'takes the next object number, which values stored out of line take too', $$
		lo_creat(integer); lo_create(oid); lo_from_bytea(oid, bytea)
	$$),
	('function', 'guarded', 'not for PUBLIC in a fresh server', $$
		lo_export(oid, text); lo_import(text); lo_import(text, oid); pg_backup_start(text, boolean);
		pg_backup_stop(boolean); pg_config(); pg_create_restore_point(text); pg_current_logfile();
		pg_current_logfile(text); pg_get_backend_memory_contexts(); pg_get_shmem_allocations(); pg_hba_file_rules();
		pg_ident_file_mappings(); pg_log_backend_memory_contexts(integer); pg_ls_archive_statusdir();
		pg_ls_dir(text); pg_ls_dir(text, boolean, boolean); pg_ls_logdir(); pg_ls_logicalmapdir();
		pg_ls_logicalsnapdir(); pg_ls_replslotdir(text); pg_ls_tmpdir(); pg_ls_tmpdir(oid); pg_ls_waldir();
		pg_promote(boolean, integer); pg_read_binary_file(text); pg_read_binary_file(text, bigint, bigint);
		pg_read_binary_file(text, bigint, bigint, boolean); pg_read_file(text); pg_read_file(text, bigint, bigint);
		pg_read_file(text, bigint, bigint, boolean); pg_reload_conf(); pg_replication_origin_advance(text, pg_lsn);
		pg_replication_origin_create(text); pg_replication_origin_drop(text); pg_replication_origin_oid(text);
		pg_replication_origin_progress(text, boolean); pg_replication_origin_session_is_setup();
		pg_replication_origin_session_progress(boolean); pg_replication_origin_session_reset();
		pg_replication_origin_session_setup(text); pg_replication_origin_xact_reset();
		pg_replication_origin_xact_setup(pg_lsn, timestamp with time zone); pg_rotate_logfile();
		pg_show_all_file_settings(); pg_show_replication_origin_status(); pg_stat_file(text);
		pg_stat_file(text, boolean); pg_stat_reset();
		pg_stat_reset_replication_slot(text); pg_stat_reset_shared(text);
		pg_stat_reset_single_function_counters(oid); pg_stat_reset_single_table_counters(oid);
		pg_stat_reset_slru(text); pg_stat_reset_subscription_stats(oid); pg_switch_wal(); pg_wal_replay_pause();
		pg_wal_replay_resume()
	$$),
	('function', 'closed', 'locks of others', $$
		pg_blocking_pids(integer); pg_isolation_test_session_is_blocked(integer, integer[]);
		pg_safe_snapshot_blocking_pids(integer)
	$$),
	('function', 'harmless', 'the server as it was built and started', $$
		pg_char_to_encoding(name); pg_conf_load_time(); pg_encoding_to_char(integer); pg_get_keywords();
		pg_is_in_recovery(); pg_jit_available(); pg_postmaster_start_time();
		pg_timezone_names(); version()
	$$),
	('function', 'closed', 'positions in the WAL, or the time of a checkpoint or replay', $$
		pg_control_checkpoint(); pg_control_recovery(); pg_control_system(); pg_current_wal_flush_lsn();
		pg_current_wal_insert_lsn(); pg_current_wal_lsn(); pg_get_replication_slots();
		pg_get_wal_replay_pause_state(); pg_is_wal_replay_paused(); pg_last_wal_receive_lsn();
		pg_last_wal_replay_lsn(); pg_last_xact_replay_timestamp()
	$$),
	('function', 'harmless', 'checks who asks: superusers, or replication', $$
		pg_copy_logical_replication_slot(name, name); pg_copy_logical_replication_slot(name, name, boolean);
		pg_copy_logical_replication_slot(name, name, boolean, name); pg_copy_physical_replication_slot(name, name);
		pg_copy_physical_replication_slot(name, name, boolean);
		pg_create_physical_replication_slot(name, boolean, boolean); pg_drop_replication_slot(name);
		pg_import_system_collations(regnamespace);
		pg_logical_slot_get_binary_changes(name, pg_lsn, integer, text[]);
		pg_logical_slot_get_changes(name, pg_lsn, integer, text[]);
		pg_logical_slot_peek_binary_changes(name, pg_lsn, integer, text[]);
		pg_logical_slot_peek_changes(name, pg_lsn, integer, text[]); pg_nextoid(regclass, name, regclass);
		pg_replication_slot_advance(name, pg_lsn);
		pg_stop_making_pinned_objects()
	$$),
	('function', 'null', 'size of all that a database or tablespace holds', $$
		pg_database_size(name); pg_database_size(oid); pg_tablespace_size(name); pg_tablespace_size(oid)
	$$),
	('function', 'closed', 'finds by trial what pg_relation_filenode tells', $$
		pg_filenode_relation(oid, oid)
	$$),
	('function', 'own', 'size of a relation', $$
		pg_indexes_size(regclass); pg_relation_size(regclass); pg_relation_size(regclass, text);
		pg_table_size(regclass); pg_total_relation_size(regclass)
	$$),
	('function', 'closed', 'locks and numbers of transactions', $$
		pg_lock_status()
	$$),
	('function', 'closed', 'how much others notify', $$
		pg_notification_queue_usage()
	$$),
	('function', 'own', 'tells when a relation was rewritten', $$
		pg_relation_filenode(regclass); pg_relation_filepath(regclass)
	$$),
	('function', 'harmless', 'checks privileges on the sequence', $$
		pg_sequence_parameters(oid)
	$$),
	('function', 'sessions', 'others'' sessions; waits, transaction numbers and parallel workers', $$
		pg_stat_get_activity(integer)
	$$),
	('function', 'sessions', 'which processes of others there are, parallel workers among them', $$
		pg_cancel_backend(integer); pg_terminate_backend(integer, bigint)
	$$),
	('function', 'own', 'counters of a relation', $$
		pg_stat_get_analyze_count(oid); pg_stat_get_autoanalyze_count(oid); pg_stat_get_autovacuum_count(oid);
		pg_stat_get_dead_tuples(oid);
		pg_stat_get_ins_since_vacuum(oid); pg_stat_get_last_analyze_time(oid);
		pg_stat_get_last_autoanalyze_time(oid); pg_stat_get_last_autovacuum_time(oid);
		pg_stat_get_last_vacuum_time(oid); pg_stat_get_live_tuples(oid); pg_stat_get_mod_since_analyze(oid);
		pg_stat_get_numscans(oid); pg_stat_get_tuples_deleted(oid); pg_stat_get_tuples_fetched(oid);
		pg_stat_get_tuples_hot_updated(oid); pg_stat_get_tuples_inserted(oid); pg_stat_get_tuples_returned(oid);
		pg_stat_get_tuples_updated(oid); pg_stat_get_vacuum_count(oid); pg_stat_get_xact_numscans(oid);
		pg_stat_get_xact_tuples_deleted(oid);
		pg_stat_get_xact_tuples_fetched(oid); pg_stat_get_xact_tuples_hot_updated(oid);
		pg_stat_get_xact_tuples_inserted(oid); pg_stat_get_xact_tuples_returned(oid);
		pg_stat_get_xact_tuples_updated(oid)
	$$),
	('function', 'null', 'pages of a relation, those too that others have driven out of memory', $$
		pg_stat_get_blocks_fetched(oid); pg_stat_get_blocks_hit(oid); pg_stat_get_xact_blocks_fetched(oid);
		pg_stat_get_xact_blocks_hit(oid)
	$$),
	('function', 'closed', 'amount of WAL, or positions in it', $$
		pg_stat_get_archiver(); pg_stat_get_replication_slot(text); pg_stat_get_subscription(oid);
		pg_stat_get_subscription_stats(oid); pg_stat_get_wal(); pg_stat_get_wal_receiver();
		pg_stat_get_wal_senders()
	$$),
	('function', 'closed', 'others'' sessions; waits of parallel workers', $$
		pg_stat_get_backend_activity(integer); pg_stat_get_backend_activity_start(integer);
		pg_stat_get_backend_client_addr(integer); pg_stat_get_backend_client_port(integer);
		pg_stat_get_backend_dbid(integer); pg_stat_get_backend_idset(); pg_stat_get_backend_pid(integer);
		pg_stat_get_backend_start(integer); pg_stat_get_backend_userid(integer);
		pg_stat_get_backend_wait_event(integer); pg_stat_get_backend_wait_event_type(integer);
		pg_stat_get_backend_xact_start(integer)
	$$),
	('function', 'closed', 'counters of the server', $$
		pg_stat_get_bgwriter_buf_written_clean();
		pg_stat_get_bgwriter_maxwritten_clean();
		pg_stat_get_bgwriter_stat_reset_time(); pg_stat_get_buf_alloc();
		pg_stat_get_recovery_prefetch(); pg_stat_get_slru();
		pg_stat_get_snapshot_timestamp()
	$$),
	('function', 'null', 'counters of a database', $$
		pg_stat_get_db_active_time(oid); pg_stat_get_db_blk_read_time(oid); pg_stat_get_db_blk_write_time(oid);
		pg_stat_get_db_blocks_fetched(oid); pg_stat_get_db_blocks_hit(oid); pg_stat_get_db_checksum_failures(oid);
		pg_stat_get_db_checksum_last_failure(oid); pg_stat_get_db_conflict_all(oid);
		pg_stat_get_db_conflict_bufferpin(oid); pg_stat_get_db_conflict_lock(oid);
		pg_stat_get_db_conflict_snapshot(oid); pg_stat_get_db_conflict_startup_deadlock(oid);
		pg_stat_get_db_conflict_tablespace(oid); pg_stat_get_db_deadlocks(oid);
		pg_stat_get_db_idle_in_transaction_time(oid); pg_stat_get_db_numbackends(oid);
		pg_stat_get_db_session_time(oid); pg_stat_get_db_sessions(oid); pg_stat_get_db_sessions_abandoned(oid);
		pg_stat_get_db_sessions_fatal(oid); pg_stat_get_db_sessions_killed(oid);
		pg_stat_get_db_stat_reset_time(oid); pg_stat_get_db_temp_bytes(oid); pg_stat_get_db_temp_files(oid);
		pg_stat_get_db_tuples_deleted(oid); pg_stat_get_db_tuples_fetched(oid); pg_stat_get_db_tuples_inserted(oid);
		pg_stat_get_db_tuples_returned(oid); pg_stat_get_db_tuples_updated(oid); pg_stat_get_db_xact_commit(oid);
		pg_stat_get_db_xact_rollback(oid)
	$$),
	('function', 'null', 'calls of functions, those that protected tables cause too', $$
		pg_stat_get_function_calls(oid); pg_stat_get_function_self_time(oid); pg_stat_get_function_total_time(oid);
		pg_stat_get_xact_function_calls(oid); pg_stat_get_xact_function_self_time(oid);
		pg_stat_get_xact_function_total_time(oid)
	$$),
	('function', 'closed', 'rows and blocks that maintenance has gone through', $$
		pg_stat_get_progress_info(text)
	$$),
	('relation', 'guarded', 'not for PUBLIC in a fresh server', $$
		information_schema._pg_foreign_data_wrappers; information_schema._pg_foreign_servers;
		information_schema._pg_foreign_table_columns; information_schema._pg_foreign_tables;
		information_schema._pg_user_mappings; information_schema.sql_parts; information_schema.transforms;
		pg_catalog.pg_authid; pg_catalog.pg_backend_memory_contexts; pg_catalog.pg_config;
		pg_catalog.pg_file_settings; pg_catalog.pg_hba_file_rules; pg_catalog.pg_ident_file_mappings;
		pg_catalog.pg_largeobject; pg_catalog.pg_replication_origin_status; pg_catalog.pg_shadow;
		pg_catalog.pg_shmem_allocations; pg_catalog.pg_statistic_ext_data; pg_catalog.pg_statistic;
		pg_catalog.pg_user_mapping
	$$),
	('relation', 'harmless', 'declarations and privileges', $$
		information_schema.administrable_role_authorizations; information_schema.applicable_roles;
		information_schema.attributes; information_schema.character_sets;
		information_schema.check_constraint_routine_usage; information_schema.check_constraints;
		information_schema.collation_character_set_applicability; information_schema.collations;
		information_schema.column_column_usage; information_schema.column_domain_usage;
		information_schema.column_options; information_schema.column_privileges;
		information_schema.column_udt_usage; information_schema.columns; information_schema.constraint_column_usage;
		information_schema.constraint_table_usage; information_schema.data_type_privileges;
		information_schema.domain_constraints; information_schema.domain_udt_usage; information_schema.domains;
		information_schema.element_types; information_schema.enabled_roles;
		information_schema.foreign_data_wrapper_options; information_schema.foreign_data_wrappers;
		information_schema.foreign_server_options; information_schema.foreign_servers;
		information_schema.foreign_table_options; information_schema.foreign_tables;
		information_schema.information_schema_catalog_name; information_schema.key_column_usage;
		information_schema.parameters; information_schema.referential_constraints;
		information_schema.role_column_grants; information_schema.role_routine_grants;
		information_schema.role_table_grants; information_schema.role_udt_grants;
		information_schema.role_usage_grants; information_schema.routine_column_usage;
		information_schema.routine_privileges; information_schema.routine_routine_usage;
		information_schema.routine_sequence_usage; information_schema.routine_table_usage;
		information_schema.routines; information_schema.schemata; information_schema.sequences;
		information_schema.sql_features; information_schema.sql_implementation_info; information_schema.sql_sizing;
		information_schema.table_constraints; information_schema.table_privileges; information_schema.tables;
		information_schema.triggered_update_columns; information_schema.triggers; information_schema.udt_privileges;
		information_schema.usage_privileges; information_schema.user_defined_types;
		information_schema.user_mapping_options; information_schema.user_mappings;
		information_schema.view_column_usage; information_schema.view_routine_usage;
		information_schema.view_table_usage; information_schema.views; pg_catalog.pg_aggregate; pg_catalog.pg_amop;
		pg_catalog.pg_amproc; pg_catalog.pg_am; pg_catalog.pg_attrdef; pg_catalog.pg_auth_members;
		pg_catalog.pg_cast; pg_catalog.pg_collation; pg_catalog.pg_constraint; pg_catalog.pg_conversion;
		pg_catalog.pg_default_acl; pg_catalog.pg_depend; pg_catalog.pg_description; pg_catalog.pg_enum;
		pg_catalog.pg_event_trigger; pg_catalog.pg_extension; pg_catalog.pg_foreign_data_wrapper;
		pg_catalog.pg_foreign_server; pg_catalog.pg_foreign_table; pg_catalog.pg_group; pg_catalog.pg_indexes;
		pg_catalog.pg_inherits; pg_catalog.pg_init_privs; pg_catalog.pg_language; pg_catalog.pg_matviews;
		pg_catalog.pg_namespace; pg_catalog.pg_opclass; pg_catalog.pg_operator; pg_catalog.pg_opfamily;
		pg_catalog.pg_parameter_acl; pg_catalog.pg_partitioned_table; pg_catalog.pg_policies; pg_catalog.pg_policy;
		pg_catalog.pg_proc; pg_catalog.pg_publication_namespace; pg_catalog.pg_publication_rel;
		pg_catalog.pg_publication_tables; pg_catalog.pg_publication; pg_catalog.pg_range;
		pg_catalog.pg_replication_origin; pg_catalog.pg_rewrite; pg_catalog.pg_roles; pg_catalog.pg_rules;
		pg_catalog.pg_seclabels; pg_catalog.pg_seclabel; pg_catalog.pg_sequence; pg_catalog.pg_shdescription;
		pg_catalog.pg_shseclabel; pg_catalog.pg_statistic_ext; pg_catalog.pg_subscription; pg_catalog.pg_tablespace;
		pg_catalog.pg_tables; pg_catalog.pg_transform; pg_catalog.pg_trigger; pg_catalog.pg_ts_config_map;
		pg_catalog.pg_ts_config; pg_catalog.pg_ts_dict; pg_catalog.pg_ts_parser; pg_catalog.pg_ts_template;
		pg_catalog.pg_type; pg_catalog.pg_user_mappings; pg_catalog.pg_user; pg_catalog.pg_views
	$$),
	('relation', 'harmless', 'the session itself, settings, the server as it was built', $$
		pg_catalog.pg_available_extension_versions; pg_catalog.pg_available_extensions; pg_catalog.pg_cursors;
		pg_catalog.pg_prepared_statements; pg_catalog.pg_settings; pg_catalog.pg_timezone_abbrevs;
		pg_catalog.pg_timezone_names
	$$),
	('relation', 'columns', 'columns are judged one by one', $$
		pg_catalog.pg_attribute; pg_catalog.pg_class; pg_catalog.pg_database; pg_catalog.pg_db_role_setting;
		pg_catalog.pg_index
	$$),
	('relation', 'closed', 'locks and numbers of transactions', $$
		pg_catalog.pg_locks
	$$),
	('relation', 'closed', 'numbers or times of transactions', $$
		pg_catalog.pg_prepared_xacts
	$$),
	('relation', 'closed', 'amount of WAL, or positions in it', $$
		pg_catalog.pg_replication_slots; pg_catalog.pg_stat_archiver; pg_catalog.pg_stat_replication_slots;
		pg_catalog.pg_stat_replication; pg_catalog.pg_stat_subscription_stats; pg_catalog.pg_stat_subscription;
		pg_catalog.pg_stat_wal_receiver; pg_catalog.pg_stat_wal; pg_catalog.pg_subscription_rel
	$$),
	('relation', 'harmless', 'values of sequences that one may read', $$
		pg_catalog.pg_sequences
	$$),
	('relation', 'harmless', 'sessions by a function that is judged', $$
		pg_catalog.pg_stat_activity; pg_catalog.pg_stat_gssapi; pg_catalog.pg_stat_ssl
	$$),
	('relation', 'harmless', 'counters by functions that are judged', $$
		pg_catalog.pg_stat_all_indexes; pg_catalog.pg_stat_all_tables; pg_catalog.pg_stat_database_conflicts;
		pg_catalog.pg_stat_database; pg_catalog.pg_stat_sys_indexes; pg_catalog.pg_stat_sys_tables;
		pg_catalog.pg_stat_user_functions; pg_catalog.pg_stat_user_indexes; pg_catalog.pg_stat_user_tables;
		pg_catalog.pg_stat_xact_all_tables; pg_catalog.pg_stat_xact_sys_tables;
		pg_catalog.pg_stat_xact_user_functions; pg_catalog.pg_stat_xact_user_tables;
		pg_catalog.pg_statio_all_indexes; pg_catalog.pg_statio_all_sequences; pg_catalog.pg_statio_all_tables;
		pg_catalog.pg_statio_sys_indexes; pg_catalog.pg_statio_sys_sequences; pg_catalog.pg_statio_sys_tables;
		pg_catalog.pg_statio_user_indexes; pg_catalog.pg_statio_user_sequences; pg_catalog.pg_statio_user_tables
	$$),
	('relation', 'closed', 'counters of the server', $$
		pg_catalog.pg_stat_bgwriter; pg_catalog.pg_stat_recovery_prefetch; pg_catalog.pg_stat_slru
	$$),
	('relation', 'closed', 'rows and blocks that maintenance has gone through', $$
		pg_catalog.pg_stat_progress_analyze; pg_catalog.pg_stat_progress_basebackup;
		pg_catalog.pg_stat_progress_cluster; pg_catalog.pg_stat_progress_copy;
		pg_catalog.pg_stat_progress_create_index; pg_catalog.pg_stat_progress_vacuum
	$$),
	('relation', 'harmless', 'of columns that one may read; plans over them are not shown', $$
		pg_catalog.pg_stats_ext_exprs; pg_catalog.pg_stats_ext; pg_catalog.pg_stats
	$$),
	('column', 'closed', 'number of the role''s own last transaction', $$
		pg_catalog.pg_db_role_setting.xmin; pg_catalog.pg_db_role_setting.xmax
	$$),
	('column', 'closed', 'where in a table, and by which command, a row was written', $$
		pg_catalog.pg_attribute.cmax; pg_catalog.pg_attribute.cmin; pg_catalog.pg_attribute.ctid;
		pg_catalog.pg_attribute.xmax; pg_catalog.pg_class.cmax; pg_catalog.pg_class.cmin; pg_catalog.pg_class.ctid;
		pg_catalog.pg_class.xmax; pg_catalog.pg_database.cmax; pg_catalog.pg_database.cmin;
		pg_catalog.pg_database.ctid; pg_catalog.pg_database.xmax; pg_catalog.pg_db_role_setting.cmax;
		pg_catalog.pg_db_role_setting.cmin; pg_catalog.pg_db_role_setting.ctid; pg_catalog.pg_index.cmax;
		pg_catalog.pg_index.cmin; pg_catalog.pg_index.ctid; pg_catalog.pg_index.xmax
	$$),
	('column', 'harmless', 'declarations and privileges; xmin, by which clients see that a row has changed', $$
		pg_catalog.pg_attribute.attacl; pg_catalog.pg_attribute.attalign; pg_catalog.pg_attribute.attbyval;
		pg_catalog.pg_attribute.attcollation; pg_catalog.pg_attribute.attcompression;
		pg_catalog.pg_attribute.attfdwoptions; pg_catalog.pg_attribute.attgenerated;
		pg_catalog.pg_attribute.atthasdef; pg_catalog.pg_attribute.atthasmissing; pg_catalog.pg_attribute.attidentity;
		pg_catalog.pg_attribute.attinhcount; pg_catalog.pg_attribute.attisdropped; pg_catalog.pg_attribute.attislocal;
		pg_catalog.pg_attribute.attlen; pg_catalog.pg_attribute.attmissingval; pg_catalog.pg_attribute.attname;
		pg_catalog.pg_attribute.attndims; pg_catalog.pg_attribute.attnotnull; pg_catalog.pg_attribute.attnum;
		pg_catalog.pg_attribute.attrelid; pg_catalog.pg_attribute.attstattarget; pg_catalog.pg_attribute.attstorage;
		pg_catalog.pg_attribute.atttypid; pg_catalog.pg_attribute.atttypmod; pg_catalog.pg_attribute.tableoid;
		pg_catalog.pg_attribute.xmin; pg_catalog.pg_class.oid; pg_catalog.pg_class.relacl; pg_catalog.pg_class.relam;
		pg_catalog.pg_class.relchecks; pg_catalog.pg_class.relforcerowsecurity; pg_catalog.pg_class.relhasindex;
		pg_catalog.pg_class.relhasrules; pg_catalog.pg_class.relhassubclass; pg_catalog.pg_class.relhastriggers;
		pg_catalog.pg_class.relispartition; pg_catalog.pg_class.relispopulated; pg_catalog.pg_class.relisshared;
		pg_catalog.pg_class.relkind; pg_catalog.pg_class.relname; pg_catalog.pg_class.relnamespace;
		pg_catalog.pg_class.relnatts; pg_catalog.pg_class.reloftype; pg_catalog.pg_class.reloptions;
		pg_catalog.pg_class.relowner; pg_catalog.pg_class.relpartbound; pg_catalog.pg_class.relpersistence;
		pg_catalog.pg_class.relreplident; pg_catalog.pg_class.relrewrite; pg_catalog.pg_class.relrowsecurity;
		pg_catalog.pg_class.reltablespace; pg_catalog.pg_class.reltoastrelid; pg_catalog.pg_class.reltype;
		pg_catalog.pg_class.tableoid; pg_catalog.pg_class.xmin; pg_catalog.pg_database.datacl;
		pg_catalog.pg_database.datallowconn; pg_catalog.pg_database.datcollate; pg_catalog.pg_database.datcollversion;
		pg_catalog.pg_database.datconnlimit; pg_catalog.pg_database.datctype; pg_catalog.pg_database.datdba;
		pg_catalog.pg_database.datistemplate; pg_catalog.pg_database.datlocprovider; pg_catalog.pg_database.datname;
		pg_catalog.pg_database.dattablespace; pg_catalog.pg_database.encoding; pg_catalog.pg_database.oid;
		pg_catalog.pg_database.tableoid; pg_catalog.pg_database.xmin; pg_catalog.pg_db_role_setting.setconfig;
		pg_catalog.pg_db_role_setting.setdatabase; pg_catalog.pg_db_role_setting.setrole;
		pg_catalog.pg_db_role_setting.tableoid; pg_catalog.pg_index.indclass; pg_catalog.pg_index.indcollation;
		pg_catalog.pg_index.indexprs; pg_catalog.pg_index.indexrelid; pg_catalog.pg_index.indimmediate;
		pg_catalog.pg_index.indisclustered; pg_catalog.pg_index.indisexclusion; pg_catalog.pg_index.indislive;
		pg_catalog.pg_index.indisprimary; pg_catalog.pg_index.indisready; pg_catalog.pg_index.indisreplident;
		pg_catalog.pg_index.indisunique; pg_catalog.pg_index.indisvalid; pg_catalog.pg_index.indkey;
		pg_catalog.pg_index.indnatts; pg_catalog.pg_index.indnkeyatts; pg_catalog.pg_index.indnullsnotdistinct;
		pg_catalog.pg_index.indoption; pg_catalog.pg_index.indpred; pg_catalog.pg_index.indrelid;
		pg_catalog.pg_index.tableoid; pg_catalog.pg_index.xmin
	$$)
) j(kind, verdict, reason, names)
CROSS JOIN LATERAL pg_catalog.regexp_split_to_table(pg_catalog.regexp_replace(j.names, '[[:space:]]+', ' ', 'g'),
	';') n;

-- What PostgreSQL has in some of its versions only, from which on and up to which.  Every server has all
-- these rows, so that they are there when its database comes to a newer one.
INSERT INTO privacct.catalog_object (kind, name, verdict, reason, first_version, last_version)
SELECT j.kind, pg_catalog.btrim(n, E' \t\n'), j.verdict, j.reason, j.first_version, j.last_version
FROM (VALUES
	-- immutable since then
	(NULL::int, 15, 'function', 'harmless', 'computes from its arguments', $$
		date_trunc(text, timestamp with time zone, text)
	$$),
	(NULL, 15, 'function', 'harmless', 'checks privileges on the relation, or tells declarations only', $$
		pg_get_publication_tables(text)
	$$),
	(NULL, 16, 'function', 'harmless', 'checks who asks: superusers, or replication', $$
		pg_create_logical_replication_slot(name, name, boolean, boolean); pg_read_file_old(text, bigint, bigint);
		pg_rotate_logfile_old()
	$$),
	(NULL, 16, 'function', 'closed', 'positions in the WAL, or the time of a checkpoint or replay', $$
		pg_logical_emit_message(boolean, text, bytea); pg_logical_emit_message(boolean, text, text)
	$$),
	(NULL, 16, 'function', 'closed', 'counters of the server', $$
		pg_stat_get_bgwriter_buf_written_checkpoints(); pg_stat_get_bgwriter_requested_checkpoints();
		pg_stat_get_bgwriter_timed_checkpoints(); pg_stat_get_buf_fsync_backend(); pg_stat_get_buf_written_backend();
		pg_stat_get_checkpoint_sync_time(); pg_stat_get_checkpoint_write_time()
	$$),
	(NULL, 17, 'function', 'guarded', 'not for PUBLIC in a fresh server', $$
		pg_stat_have_stats(text, oid, oid)
	$$),
	(NULL, 17, 'function', 'harmless', 'the server as it was built and started', $$
		pg_timezone_abbrevs()
	$$),
	(NULL, 16, 'column', 'harmless', 'declarations', $$
		pg_catalog.pg_database.daticulocale
	$$),
	(NULL, 17, 'column', 'harmless', 'declarations', $$
		pg_catalog.pg_attribute.attcacheoff
	$$),
	(16, NULL, 'column', 'harmless', 'declarations', $$
		pg_catalog.pg_database.daticurules
	$$),
	(17, NULL, 'column', 'harmless', 'declarations', $$
		pg_catalog.pg_database.dathasloginevt; pg_catalog.pg_database.datlocale
	$$),
	(16, NULL, 'function', 'harmless', 'clock or chance', $$
		array_sample(anyarray, integer); array_shuffle(anyarray); random_normal(double precision, double precision)
	$$),
	(17, NULL, 'function', 'harmless', 'clock or chance', $$
		random(bigint, bigint); random(integer, integer); random(numeric, numeric)
	$$),
	(18, NULL, 'function', 'harmless', 'clock or chance', $$
		uuidv4(); uuidv7(); uuidv7(interval)
	$$),
	(16, NULL, 'function', 'harmless', 'computes from its arguments', $$
		date_add(timestamp with time zone, interval); date_subtract(timestamp with time zone, interval);
		json_agg_strict(anyelement); json_object_agg_strict("any", "any"); json_object_agg_unique("any", "any");
		json_object_agg_unique_strict("any", "any"); jsonb_agg_strict(anyelement); pg_input_error_info(text, text);
		pg_input_is_valid(text, text); pg_split_walfile_name(text)
	$$),
	(17, NULL, 'function', 'harmless', 'computes from its arguments', $$
		jsonb_populate_record_valid(anyelement, jsonb); timezone(time with time zone);
		timezone(timestamp with time zone); timezone(timestamp without time zone)
	$$),
	(16, NULL, 'function', 'harmless', 'called by the server only, or checks a declaration', $$
		json_agg_strict_transfn(internal, anyelement); json_object_agg_strict_transfn(internal, "any", "any");
		json_object_agg_unique_strict_transfn(internal, "any", "any");
		json_object_agg_unique_transfn(internal, "any", "any"); jsonb_agg_strict_transfn(internal, anyelement);
		jsonb_object_agg_strict_transfn(internal, "any", "any");
		jsonb_object_agg_unique_strict_transfn(internal, "any", "any");
		jsonb_object_agg_unique_transfn(internal, "any", "any")
	$$),
	(17, NULL, 'function', 'harmless', 'works in a server that is being upgraded only', $$
		binary_upgrade_add_sub_rel_state(text, oid, "char", pg_lsn); binary_upgrade_logical_slot_has_caught_up(name);
		binary_upgrade_replorigin_advance(text, pg_lsn)
	$$),
	(16, NULL, 'function', 'harmless', 'the session itself, or settings', $$
		system_user()
	$$),
	(18, NULL, 'function', 'harmless', 'the session itself, or settings', $$
		pg_get_loaded_modules()
	$$),
	(16, NULL, 'function', 'harmless', 'checks privileges on the relation, or tells declarations only', $$
		pg_get_publication_tables(text[])
	$$),
	(17, NULL, 'function', 'harmless', 'declarations and privileges', $$
		pg_basetype(regtype); to_regtypemod(text)
	$$),
	(18, NULL, 'function', 'harmless', 'declarations and privileges', $$
		pg_get_acl(oid, oid, integer)
	$$),
	(18, NULL, 'function', 'harmless', 'checks privileges on the sequence', $$
		pg_get_sequence_data(regclass)
	$$),
	(18, NULL, 'function', 'harmless', 'checks privileges on the large object', $$
		has_largeobject_privilege(name, oid, text); has_largeobject_privilege(oid, oid, text);
		has_largeobject_privilege(oid, text)
	$$),
	(17, NULL, 'function', 'harmless', 'checks who asks: superusers, or replication', $$
		pg_create_logical_replication_slot(name, name, boolean, boolean, boolean); pg_sync_replication_slots()
	$$),
	(17, NULL, 'function', 'harmless', 'the server as it was built and started', $$
		pg_get_wait_events()
	$$),
	(18, NULL, 'function', 'harmless', 'the server as it was built and started', $$
		pg_numa_available(); pg_timezone_abbrevs_abbrevs(); pg_timezone_abbrevs_zone()
	$$),
	(16, NULL, 'function', 'guarded', 'not for PUBLIC in a fresh server', $$
		pg_log_standby_snapshot(); pg_read_binary_file(text, boolean); pg_read_file(text, boolean)
	$$),
	(18, NULL, 'function', 'guarded', 'not for PUBLIC in a fresh server', $$
		pg_get_aios(); pg_get_shmem_allocations_numa(); pg_ls_summariesdir(); pg_stat_have_stats(text, oid, bigint);
		pg_stat_reset_backend_stats(integer)
	$$),
	(17, NULL, 'function', 'closed', 'amount of WAL, positions in it, and the pages that it is about', $$
		pg_available_wal_summaries(); pg_get_wal_summarizer_state(); pg_wal_summary_contents(bigint, pg_lsn, pg_lsn)
	$$),
	(17, NULL, 'function', 'closed', 'positions in the WAL, or the time of a checkpoint or replay', $$
		pg_logical_emit_message(boolean, text, bytea, boolean); pg_logical_emit_message(boolean, text, text, boolean)
	$$),
	(17, NULL, 'function', 'closed', 'numbers of objects, which values stored out of line take too', $$
		pg_column_toast_chunk_id("any")
	$$),
	(18, NULL, 'function', 'closed', 'some minor versions lock the relation before they look who asks', $$
		pg_clear_attribute_stats(text, text, text, boolean); pg_clear_relation_stats(text, text);
		pg_restore_attribute_stats("any"); pg_restore_relation_stats("any")
	$$),
	(16, NULL, 'function', 'closed', 'others'' sessions; waits of parallel workers', $$
		pg_stat_get_backend_subxact(integer)
	$$),
	(16, NULL, 'function', 'closed', 'counters of the server', $$
		pg_stat_get_io()
	$$),
	(17, NULL, 'function', 'closed', 'counters of the server', $$
		pg_stat_get_checkpointer_buffers_written(); pg_stat_get_checkpointer_num_requested();
		pg_stat_get_checkpointer_num_timed(); pg_stat_get_checkpointer_restartpoints_performed();
		pg_stat_get_checkpointer_restartpoints_requested(); pg_stat_get_checkpointer_restartpoints_timed();
		pg_stat_get_checkpointer_stat_reset_time(); pg_stat_get_checkpointer_sync_time();
		pg_stat_get_checkpointer_write_time()
	$$),
	(18, NULL, 'function', 'closed', 'counters of the server', $$
		pg_stat_get_checkpointer_num_performed(); pg_stat_get_checkpointer_slru_written()
	$$),
	(18, NULL, 'function', 'closed', 'pages and WAL of a session, those of releases among them', $$
		pg_stat_get_backend_io(integer); pg_stat_get_backend_wal(integer)
	$$),
	(16, NULL, 'function', 'null', 'counters of a database', $$
		pg_stat_get_db_conflict_logicalslot(oid)
	$$),
	(18, NULL, 'function', 'null', 'counters of a database', $$
		pg_stat_get_db_parallel_workers_launched(oid); pg_stat_get_db_parallel_workers_to_launch(oid)
	$$),
	(16, NULL, 'function', 'own', 'counters of a relation', $$
		pg_stat_get_lastscan(oid); pg_stat_get_tuples_newpage_updated(oid);
		pg_stat_get_xact_tuples_newpage_updated(oid)
	$$),
	(18, NULL, 'function', 'own', 'counters of a relation', $$
		pg_stat_get_total_analyze_time(oid); pg_stat_get_total_autoanalyze_time(oid);
		pg_stat_get_total_autovacuum_time(oid); pg_stat_get_total_vacuum_time(oid)
	$$),
	(16, NULL, 'relation', 'closed', 'counters of the server', $$
		pg_catalog.pg_stat_io
	$$),
	(17, NULL, 'relation', 'closed', 'counters of the server', $$
		pg_catalog.pg_stat_checkpointer
	$$),
	(17, NULL, 'relation', 'harmless', 'the session itself, settings, the server as it was built', $$
		pg_catalog.pg_wait_events
	$$),
	(18, NULL, 'relation', 'guarded', 'not for PUBLIC in a fresh server', $$
		pg_catalog.pg_aios; pg_catalog.pg_shmem_allocations_numa
	$$)
) j(first_version, last_version, kind, verdict, reason, names)
CROSS JOIN LATERAL pg_catalog.regexp_split_to_table(pg_catalog.regexp_replace(j.names, '[[:space:]]+', ' ', 'g'),
	';') n;

INSERT INTO privacct.catalog_object VALUES ('relation', 'pg_catalog.pg_largeobject_metadata', 'rows',
	'one row for each large object of others',
	'pg_catalog.pg_has_role(lomowner, ''USAGE'')');

INSERT INTO privacct.catalog_object VALUES ('relation', 'pg_catalog.pg_shdepend', 'rows',
	'one row for each large object of others',
	'classid OPERATOR(pg_catalog.<>) 2613::pg_catalog.oid');

INSERT INTO privacct.catalog_object VALUES ('column', 'pg_catalog.pg_attribute.attoptions', 'shown',
	'some servers keep the position in the WAL in it',
	'NULLIF(pg_catalog.regexp_replace(pg_catalog.regexp_replace(attoptions::pg_catalog.text, ''pg_attver=[^,}]*,?'', '
	'''''), '',}$'', ''}''), ''{}'')::pg_catalog.text[]');

INSERT INTO privacct.catalog_object VALUES ('column', 'pg_catalog.pg_index.indcheckxmin', 'shown',
	'tells whether rows were updated within their page when the index was made',
	'false');

INSERT INTO privacct.catalog_object VALUES ('column', 'pg_catalog.pg_class.reltuples', 'shown', 'size of a relation',
	'CASE WHEN pg_catalog.pg_has_role(relowner, ''USAGE'') THEN reltuples ELSE -1 END');

INSERT INTO privacct.catalog_object VALUES ('column', 'pg_catalog.pg_class.relpages', 'shown', 'size of a relation',
	'CASE WHEN pg_catalog.pg_has_role(relowner, ''USAGE'') THEN relpages ELSE 0 END');

INSERT INTO privacct.catalog_object VALUES ('column', 'pg_catalog.pg_class.relallvisible', 'shown',
	'size of a relation',
	'CASE WHEN pg_catalog.pg_has_role(relowner, ''USAGE'') THEN relallvisible ELSE 0 END');

INSERT INTO privacct.catalog_object VALUES ('column', 'pg_catalog.pg_class.relallfrozen', 'shown',
	'size of a relation',
	'CASE WHEN pg_catalog.pg_has_role(relowner, ''USAGE'') THEN relallfrozen ELSE 0 END', 18);

INSERT INTO privacct.catalog_object VALUES ('column', 'pg_catalog.pg_class.relfilenode', 'shown',
	'tells when a relation was rewritten',
	'CASE WHEN pg_catalog.pg_has_role(relowner, ''USAGE'') THEN relfilenode ELSE ''0''::pg_catalog.oid END');

INSERT INTO privacct.catalog_object VALUES ('column', 'pg_catalog.pg_class.relfrozenxid', 'shown',
	'numbers of transactions',
	'''0''::pg_catalog.xid');

INSERT INTO privacct.catalog_object VALUES ('column', 'pg_catalog.pg_class.relminmxid', 'shown',
	'numbers of transactions',
	'''0''::pg_catalog.xid');

INSERT INTO privacct.catalog_object VALUES ('column', 'pg_catalog.pg_database.datfrozenxid', 'shown',
	'numbers of transactions',
	'''0''::pg_catalog.xid');

INSERT INTO privacct.catalog_object VALUES ('column', 'pg_catalog.pg_database.datminmxid', 'shown',
	'numbers of transactions',
	'''0''::pg_catalog.xid');
