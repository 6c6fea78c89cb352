# SPDX-License-Identifier: GPL-3.0-or-later
# An analyst's session through pgJDBC.
use strict;
use warnings;

use ClientTest;
use Test::More;

my $driver = "/usr/share/java/postgresql.jar";

plan skip_all => "pgJDBC is not installed" if !-f $driver;
plan skip_all => "no Java compiler is installed" if system("javac -version >/dev/null 2>&1") != 0;

run_client("jdbc", 14, "java", "-Xshare:auto", "-XX:TieredStopAtLevel=1", "-cp", $driver, "$ENV{PA_WORK}/t/clients/Analyst.java");
