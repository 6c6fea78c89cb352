# SPDX-License-Identifier: GPL-3.0-or-later
# An analyst's session through psycopg2.
use strict;
use warnings;

use ClientTest;
use Test::More;

plan skip_all => "psycopg2 is not installed"
  if system("/usr/bin/python3 -c \"import psycopg2\" >/dev/null 2>&1") != 0;

run_client("psycopg2", 16, "/usr/bin/python3", "$ENV{PA_WORK}/t/clients/analyst_psycopg2.py");
