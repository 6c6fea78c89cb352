# SPDX-License-Identifier: GPL-3.0-or-later
# An analyst's session through psqlODBC.
use strict;
use warnings;

use ClientTest;
use Test::More;

my $drivers = `odbcinst -q -d 2>/dev/null` // "";

plan skip_all => "psqlODBC is not installed" if $drivers !~ /^\[PostgreSQL Unicode\]/m;
plan skip_all => "no /usr/bin/python3" if !-x "/usr/bin/python3";

run_client("odbc", 12, "/usr/bin/python3", "$ENV{PA_WORK}/t/clients/analyst_odbc.py");
