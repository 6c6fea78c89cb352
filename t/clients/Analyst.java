// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * An analyst's session through JDBC.  Prints "ok NAME" or "FAIL NAME: REASON" for
 * each thing tried.  Arguments: host, port.
 */
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashSet;
import java.util.Set;

public class Analyst
{
	interface Step
	{
		void run() throws Exception;
	}

	static Connection connection;

	static void attempt(String name, Step step)
	{
		try
		{
			step.run();
			System.out.println("ok " + name);
		}
		catch (Exception | AssertionError e)
		{
			System.out.println("FAIL " + name + ": " + e);
			reset();
		}
	}

	static void reset()
	{
		try
		{
			if (!connection.getAutoCommit())
				connection.rollback();
			connection.setAutoCommit(true);
			connection.setReadOnly(false);
		}
		catch (SQLException e)
		{
			System.out.println("FAIL reset: " + e);
		}
	}

	static void require(boolean condition, String message)
	{
		if (!condition)
			throw new AssertionError(message);
	}

	static long charges() throws SQLException
	{
		try (Statement statement = connection.createStatement();
			ResultSet rows = statement.executeQuery("SELECT count(*) FROM privacct.my_ledger"))
		{
			rows.next();
			return rows.getLong(1);
		}
	}

	static void near(double got, double expected, double error)
	{
		require(Math.abs(got - expected) <= error, got + " is not near " + expected);
	}

	static void refused(String sql, String state) throws SQLException
	{
		try (Statement statement = connection.createStatement())
		{
			statement.executeQuery(sql);
		}
		catch (SQLException e)
		{
			require(state.equals(e.getSQLState()), e.getSQLState() + " instead of " + state);
			return;
		}
		throw new AssertionError("not refused: " + sql);
	}

	static void fetchSizeOne() throws SQLException
	{
		long before = charges();
		int rows = 0;

		connection.setAutoCommit(false);
		try (Statement statement = connection.createStatement())
		{
			statement.setFetchSize(1);
			try (ResultSet result = statement.executeQuery("SELECT ward, count(*) FROM visit GROUP BY ward ORDER BY ward"))
			{
				for (; result.next(); rows++)
					near(result.getLong(2), 33, 250);
			}
		}
		connection.commit();
		connection.setAutoCommit(true);
		require(rows == 3, rows + " rows");
		require(charges() - before == 1, (charges() - before) + " charges");
	}

	static void abandonedAfterOneRow() throws SQLException
	{
		long before = charges();

		connection.setAutoCommit(false);
		try (Statement statement = connection.createStatement())
		{
			statement.setFetchSize(1);
			ResultSet result = statement.executeQuery("SELECT ward, count(*) FROM visit GROUP BY ward");
			require(result.next(), "no row");
			result.close();
		}
		connection.rollback();
		connection.setAutoCommit(true);
		require(charges() - before == 1, (charges() - before) + " charges");
	}

	static void readOnly() throws SQLException
	{
		long before = charges();

		connection.setReadOnly(true);
		connection.setAutoCommit(false);
		try (Statement statement = connection.createStatement())
		{
			/* the count has noise of scale 0.9, the average of 1.5 */
			statement.execute("SET LOCAL privacct.epsilon = 10");
			try (ResultSet result = statement.executeQuery("SELECT count(*), avg(cost) FROM visit"))
			{
				require(result.next(), "no row");
				near(result.getLong(1), 300, 60);
				near(result.getDouble(2), 150, 100);
			}
		}
		connection.commit();
		connection.setAutoCommit(true);
		connection.setReadOnly(false);
		require(charges() - before == 1, (charges() - before) + " charges");
	}

	static void preparedTenTimes() throws SQLException
	{
		long before = charges();
		Set<Long> answers = new HashSet<>();

		try (PreparedStatement statement = connection.prepareStatement("SELECT count(*) FROM visit WHERE cost < ?"))
		{
			for (int i = 0; i < 10; i++)
			{
				statement.setInt(1, 1000 + i);
				try (ResultSet result = statement.executeQuery())
				{
					result.next();
					near(result.getLong(1), 300, 60);
					answers.add(result.getLong(1));
				}
			}
		}
		require(answers.size() > 1, "the same answer ten times");
		require(charges() - before == 10, (charges() - before) + " charges");
	}

	/* Described before it is bound, kept by the server, and analyzed again there when plans are gone. */
	static void errorBars() throws SQLException
	{
		try (Statement set = connection.createStatement();
			PreparedStatement statement = connection.prepareStatement("SELECT count(*) AS n FROM visit WHERE cost < ?"))
		{
			set.execute("SET privacct.error_bars = on");
			statement.unwrap(org.postgresql.PGStatement.class).setPrepareThreshold(1);
			for (int i = 0; i < 9; i++)
			{
				statement.setInt(1, 1000 + i);
				require(statement.getMetaData().getColumnCount() == 3, "described as " + statement.getMetaData().getColumnCount());
				try (ResultSet result = statement.executeQuery())
				{
					result.next();
					require(result.getDouble("n_low") < result.getLong("n") && result.getLong("n") < result.getDouble("n_high"), "no bars");
				}
				if (i % 3 == 0)
					set.execute("SET search_path = public, pg_temp" + ", nowhere".repeat(i));
			}
			set.execute("RESET privacct.error_bars");
			set.execute("RESET search_path");
		}
	}

	static void parametersAsBounds() throws SQLException
	{
		try (PreparedStatement statement = connection.prepareStatement("SELECT dp_sum(cost, ?, ?) FROM visit WHERE ward = ?"))
		{
			statement.setDouble(1, 0);
			statement.setDouble(2, 10);
			statement.setString(3, "A");
			try (ResultSet result = statement.executeQuery())
			{
				result.next();
				near(result.getDouble(1), 1000, 600);
			}
			statement.setDouble(2, Double.POSITIVE_INFINITY);
			try
			{
				statement.executeQuery();
				throw new AssertionError("infinite bounds were taken");
			}
			catch (SQLException e)
			{
				require("22PA5".equals(e.getSQLState()), e.toString());
			}
		}
	}

	static void resultMetaData() throws SQLException
	{
		try (Statement statement = connection.createStatement();
			ResultSet result = statement.executeQuery("SELECT ward AS \"Ward\", count(*) AS n, avg(cost) AS a FROM visit GROUP BY ward"))
		{
			var meta = result.getMetaData();

			require(meta.getColumnLabel(1).equals("Ward"), meta.getColumnLabel(1));
			require(meta.getColumnTypeName(2).equals("int8"), meta.getColumnTypeName(2));
			require(meta.getColumnTypeName(3).equals("float8"), meta.getColumnTypeName(3));
			meta.isNullable(1);
		}
	}

	static boolean contains(ResultSet rows, String column, String value) throws SQLException
	{
		boolean found = false;

		while (rows.next())
			found |= value.equals(rows.getString(column));
		return found;
	}

	static void metaData() throws SQLException
	{
		DatabaseMetaData meta = connection.getMetaData();

		require(contains(meta.getTables(null, "public", "%", new String[] {"TABLE", "VIEW"}), "TABLE_NAME", "visit"), "getTables");
		require(contains(meta.getColumns(null, "public", "visit", "%"), "COLUMN_NAME", "cost"), "getColumns");
		require(contains(meta.getPrimaryKeys(null, "public", "visit"), "COLUMN_NAME", "visit_id"), "getPrimaryKeys");
		require(contains(meta.getSchemas(), "TABLE_SCHEM", "privacct"), "getSchemas");
		require(contains(meta.getFunctions(null, "privacct", "preview"), "FUNCTION_NAME", "preview"), "getFunctions");
		meta.getImportedKeys(null, "public", "visit").close();
		meta.getTypeInfo().close();
	}

	static void cancelled() throws SQLException
	{
		long before = charges();

		// by the shortest timeout that comes after the charge
		for (int seconds = 1; seconds <= 1000 && charges() == before; seconds *= 10)
		{
			try (Statement statement = connection.createStatement())
			{
				statement.setQueryTimeout(seconds);
				statement.executeQuery("SELECT c, pg_sleep(1e6) FROM (SELECT count(*) AS c FROM visit) s");
				throw new AssertionError("not cancelled");
			}
			catch (SQLException e)
			{
				require("57014".equals(e.getSQLState()), e.toString());
			}
		}
		require(charges() - before == 1, (charges() - before) + " charges");
	}

	static void scrolled() throws SQLException
	{
		long before = charges();

		try (Statement statement = connection.createStatement(ResultSet.TYPE_SCROLL_INSENSITIVE, ResultSet.CONCUR_READ_ONLY);
			ResultSet result = statement.executeQuery("SELECT ward, count(*) FROM visit GROUP BY ward"))
		{
			long first;

			require(result.last() && result.first(), "no row");
			first = result.getLong(2);
			require(result.last() && result.absolute(1), "no row");
			require(result.getLong(2) == first, "another answer");
		}
		require(charges() - before == 1, (charges() - before) + " charges");
	}

	public static void main(String[] args) throws Exception
	{
		connection = DriverManager.getConnection("jdbc:postgresql://" + args[0] + ":" + args[1]
			+ "/postgres?user=analyst");
		attempt("a fetch size of one is one charge", Analyst::fetchSizeOne);
		attempt("a cursor left after one row is one charge", Analyst::abandonedAfterOneRow);
		attempt("a read-only transaction", Analyst::readOnly);
		attempt("a prepared statement, ten times", Analyst::preparedTenTimes);
		attempt("error bars of a prepared statement", Analyst::errorBars);
		attempt("bounds as parameters", Analyst::parametersAsBounds);
		attempt("metadata of a result", Analyst::resultMetaData);
		attempt("metadata of the database", Analyst::metaData);
		attempt("a cancelled query is charged", Analyst::cancelled);
		attempt("a scrollable result", Analyst::scrolled);
		attempt("refusal of rows", () -> refused("SELECT * FROM visit", "42PA1"));
		attempt("refusal of another aggregate", () -> refused("SELECT array_agg(cost) FROM visit", "42PA1"));
		attempt("refusal for want of budget", () -> refused("SELECT dp_count(cost, 'epsilon=2000') FROM visit", "53PA2"));
		attempt("the session goes on after refusals", Analyst::readOnly);
		connection.close();
	}
}
