"""Maintenance of protected tables, after a day on which a row came in one world only.

The session must not be told of it: neither by plans that are made anew, which a function
tells that is computed while planning, nor by pages of the catalog that are read again.
"""
from adversary import template
from delivery import Case, quoted, simple

# a row comes where the canary is
_DAYS = {
    "hr.spare": ("INSERT INTO hr.spare SELECT * FROM hr.spare", "DELETE FROM hr.spare a USING hr.spare b WHERE a = b AND a.ctid > b.ctid"),
    "hr.member": ("INSERT INTO hr.member SELECT * FROM hr.member WHERE owner = 4242", "DELETE FROM hr.member a USING hr.member b WHERE a = b AND a.ctid > b.ctid"),
    "hr.emp_part": ("INSERT INTO hr.emp_part SELECT * FROM hr.emp_part WHERE owner = 4242", "DELETE FROM hr.emp_part a USING hr.emp_part b WHERE a = b AND a.tableoid = b.tableoid AND a.ctid > b.ctid"),
}
_NIGHTS = ["VACUUM {0}", "ANALYZE {0}", "VACUUM ANALYZE {0}", "VACUUM FULL {0}", "VACUUM ANALYZE {0}, hr.dim_dept", "ANALYZE"]
