// SPDX-License-Identifier: GPL-3.0-or-later
/**
 * What pgJDBC's DatabaseMetaData tells an analyst of a hardened database.
 *
 * Prints "ok NAME" or "FAIL NAME: REASON" for each step.  Arguments: host, port.
 */
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

public class Metadata
{
	interface Question
	{
		ResultSet ask() throws SQLException;
	}

	static List<String> column(ResultSet rows, String name) throws SQLException
	{
		List<String> values = new ArrayList<>();
		while (rows.next())
			values.add(rows.getString(name));
		return values;
	}

	static void expect(String name, Question question, String column, String... expected)
	{
		try
		{
			List<String> got = column(question.ask(), column);
			System.out.println(got.containsAll(List.of(expected)) ? "ok " + name : "FAIL " + name + ": " + got);
		}
		catch (SQLException e)
		{
			System.out.println("FAIL " + name + ": " + e.getMessage().replace('\n', ' '));
		}
	}

	public static void main(String[] arguments) throws Exception
	{
		String url = "jdbc:postgresql://" + arguments[0] + ":" + arguments[1] + "/postgres?user=analyst";
		try (Connection connection = DriverManager.getConnection(url))
		{
			DatabaseMetaData data = connection.getMetaData();
			expect("getSchemas", () -> data.getSchemas(), "TABLE_SCHEM", "care");
			expect("getCatalogs", () -> data.getCatalogs(), "TABLE_CAT", "postgres");
			expect("getTables", () -> data.getTables(null, "care", "%", new String[] {"TABLE", "VIEW"}), "TABLE_NAME", "visit", "ward");
			expect("getTables of everything", () -> data.getTables(null, null, "%", null), "TABLE_NAME", "visit", "visit_pkey");
			expect("getColumns", () -> data.getColumns(null, "care", "visit", "%"), "COLUMN_NAME", "visit_id", "patient_id", "ward", "cost");
			expect("getIndexInfo", () -> data.getIndexInfo(null, "care", "visit", false, false), "INDEX_NAME", "visit_pkey", "visit_ward");
			expect("getIndexInfo, CARDINALITY", () -> data.getIndexInfo(null, "care", "visit", false, true), "CARDINALITY", "-1");
			expect("getIndexInfo, PAGES", () -> data.getIndexInfo(null, "care", "visit", false, true), "PAGES", "0");
			expect("getPrimaryKeys", () -> data.getPrimaryKeys(null, "care", "visit"), "COLUMN_NAME", "visit_id");
			expect("getImportedKeys", () -> data.getImportedKeys(null, "care", "visit"), "FKCOLUMN_NAME", "ward");
			expect("getExportedKeys", () -> data.getExportedKeys(null, "care", "ward"), "FKTABLE_NAME", "visit");
			expect("getBestRowIdentifier", () -> data.getBestRowIdentifier(null, "care", "visit", 0, false), "COLUMN_NAME", "visit_id");
			expect("getTablePrivileges", () -> data.getTablePrivileges(null, "care", "%"), "TABLE_NAME", "ward");
			expect("getTypeInfo", () -> data.getTypeInfo(), "TYPE_NAME", "int4");
			expect("getFunctions", () -> data.getFunctions(null, "privacct", "preview"), "FUNCTION_NAME", "preview");
		}
	}
}
