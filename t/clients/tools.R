# SPDX-License-Identifier: GPL-3.0-or-later
# What an analyst builds with dbplyr: every step is asked of the protected tables in schema care
# and of open copies in schema open, and what comes back must be near and of the same form, for as
# many charges as the step says.
#
# Prints "ok NAME" or "FAIL NAME: REASON" for each step.  Arguments: host, port.
suppressPackageStartupMessages({
	library(dplyr)
	library(dbplyr)
	library(RPostgreSQL)
})

arguments <- commandArgs(trailingOnly = TRUE)

connect <- function(options)
	dbConnect(PostgreSQL(), host = arguments[1], port = arguments[2], user = "analyst", dbname = "postgres", options = options)

care <- connect("-c search_path=care,privacct")
plain <- connect("-c search_path=open")
empty <- connect("-c search_path=care,privacct -c privacct.empty_rows=on")
books <- connect("")

charges <- function() dbGetQuery(books, "SELECT count(*) FROM privacct.my_ledger")[[1]]

# Numbers near each other, everything else the same.
near <- function(got, expected)
{
	if (!identical(class(got), class(expected)) || length(got) != length(expected))
		return(FALSE)
	if (is.list(expected))
		return(identical(names(got), names(expected)) && all(mapply(near, got, expected)))
	if (inherits(expected, c("Date", "POSIXt")) || !is.numeric(expected))
		return(identical(got, expected))
	all(abs(got - expected) <= 40 + 0.05 * abs(expected))
}

report <- function(name, reason)
	cat(if (is.null(reason)) paste0("ok ", name, "\n") else paste0("FAIL ", name, ": ", gsub("\n", " ", reason), "\n"))

attempt <- function(name, step)
	report(name, tryCatch(step(), error = function(e) paste(c(conditionMessage(e), conditionMessage(e$parent)), collapse = " ")))

step <- function(name, ask, price = 1)
	attempt(name, function()
	{
		before <- charges()
		got <- ask(care)
		cost <- charges() - before
		expected <- ask(plain)
		if (cost != price)
			paste(cost, "charges")
		else if (!near(got, expected))
			paste(c(capture.output(str(got)), "not", capture.output(str(expected))), collapse = " ")
	})

# RPostgreSQL tells no SQLSTATE.
rows <- function(name, ask)
{
	attempt(paste0(name, ", refused"), function()
		tryCatch({ ask(care); "not refused" }, error = function(e) if (!grepl("privacct does not allow|is not allowed", paste(conditionMessage(e), conditionMessage(e$parent)))) stop(e)))
	attempt(paste0(name, ", empty"), function()
	{
		before <- charges()
		if (nrow(ask(empty)) != 0 || charges() != before)
			"not empty"
	})
}

visits <- function(build) function(connection) as.data.frame(collect(build(tbl(connection, "visit"))))

step("dbListTables", function(connection) sort(dbGetQuery(connection, paste0("SELECT tablename FROM pg_tables WHERE schemaname = current_schema()"))[[1]]), 0)
step("dbExistsTable", function(connection) dbExistsTable(connection, "visit"), 0)
step("dbListFields", function(connection) dbListFields(connection, "visit"), 0)
step("tbl", function(connection) colnames(tbl(connection, "visit")), 0)
step("in_schema", function(connection) colnames(tbl(connection, in_schema(dbGetQuery(connection, "SELECT current_schema()")[[1]], "visit"))), 0)
step("a query", function(connection) colnames(tbl(connection, sql("SELECT ward, cost FROM visit"))), 0)
step("count", visits(function(v) count(v)))
step("tally", visits(function(v) v %>% filter(insured) %>% tally()))
step("count by group", visits(function(v) v %>% count(ward) %>% arrange(ward)))
step("top ten", visits(function(v) v %>% count(ward, sort = TRUE) %>% head(10)))
step("slice_max", visits(function(v) v %>% count(ward) %>% slice_max(n, n = 5) %>% arrange(desc(n))))
step("between dates", visits(function(v) v %>% filter(between(day, as.Date("2025-02-01"), as.Date("2025-04-30"))) %>% count()))
step("%in%", visits(function(v) v %>% filter(ward %in% c("W07", "W08"), stay > 2 | is.na(remark)) %>% count()))
step("medians", visits(function(v) v %>% group_by(insured) %>% summarise(m = median(cost, na.rm = TRUE), q = quantile(cost, 0.9, na.rm = TRUE)) %>% arrange(insured)))
step("n_distinct", visits(function(v) v %>% summarise(n = n_distinct(ward), m = n_distinct(stay))))
step("moments", visits(function(v) v %>% group_by(ward) %>% summarise(n = n(), s = sum(stay, na.rm = TRUE), a = mean(cost, na.rm = TRUE), d = sd(cost, na.rm = TRUE)) %>% arrange(ward)))
step("min, max", visits(function(v) v %>% summarise(a = min(stay, na.rm = TRUE), b = max(stay, na.rm = TRUE))))
step("across", visits(function(v) v %>% summarise(across(c(cost, stay), ~ mean(.x, na.rm = TRUE)))))
step("cor", visits(function(v) v %>% summarise(c = cor(cost, stay))))
step("months", visits(function(v) v %>% count(m = sql("date_trunc('month', day)")) %>% arrange(m)))
step("case_when", visits(function(v) v %>% mutate(class = case_when(stay < 3 ~ "short", TRUE ~ "long")) %>% count(class) %>% arrange(class)))
step("cut", visits(function(v) v %>% mutate(class = cut(cost, breaks = c(0, 50, 100, 200))) %>% count(class) %>% arrange(class)))
step("bins", visits(function(v) v %>% mutate(bin = floor(cost / 50) * 50) %>% count(bin) %>% arrange(bin)))
step("conditional sums", visits(function(v) v %>% summarise(a = sum(ifelse(insured, 1, 0), na.rm = TRUE), b = mean(ifelse(stay > 2, 1, 0), na.rm = TRUE))))
step("texts", visits(function(v) v %>% filter(tolower(ward) %in% c("w01", "w05"), nchar(ward) == 3) %>% mutate(p = substr(ward, 1, 2)) %>% count(p)))
step("str_detect", visits(function(v) v %>% filter(str_detect(ward, "^W0[1-5]$")) %>% count()))
step("distinct", visits(function(v) v %>% distinct(ward) %>% arrange(ward)))
step("filter groups", visits(function(v) v %>% count(ward) %>% filter(n > 500) %>% arrange(ward)))
step("shares", visits(function(v) v %>% count(ward) %>% mutate(share = 100 * n / sum(n, na.rm = TRUE)) %>% arrange(ward)))
step("running totals", visits(function(v) v %>% count(stay) %>% window_order(stay) %>% mutate(total = cumsum(n)) %>% arrange(stay)))
step("left_join", function(connection) as.data.frame(collect(tbl(connection, "visit") %>% left_join(tbl(connection, "ward"), by = "ward") %>% count(building) %>% arrange(building))))
step("inner_join", function(connection) as.data.frame(collect(tbl(connection, "visit") %>% inner_join(tbl(connection, "ward"), by = "ward") %>% filter(beds < 15) %>% count())))
step("semi_join", function(connection) as.data.frame(collect(tbl(connection, "visit") %>% semi_join(filter(tbl(connection, "ward"), beds < 15), by = "ward") %>% count())))
step("a join of releases", function(connection) {
	v <- tbl(connection, "visit")
	as.data.frame(collect(count(v, ward) %>% inner_join(v %>% filter(insured) %>% count(ward, name = "i"), by = "ward") %>% arrange(ward)))
}, 2)
step("union_all", function(connection) {
	v <- tbl(connection, "visit")
	as.data.frame(collect(union_all(v %>% filter(insured) %>% count(), v %>% filter(!insured) %>% count()) %>% arrange(n)))
}, 2)
step("head(0)", visits(function(v) head(v, 0)), 0)
step("filter(FALSE)", visits(function(v) filter(v, FALSE)), 0)
rows("head", visits(function(v) head(v)))
rows("collect", visits(function(v) v %>% filter(ward == "W03") %>% select(ward, cost)))
rows("slice_sample", visits(function(v) slice_sample(v, n = 5)))
