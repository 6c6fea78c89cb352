# SPDX-License-Identifier: GPL-3.0-or-later
"""Two servers cloned from one data directory that part over one owner's rows.

What a world does by itself, at its own time, is off (autovacuum, checkpoints,
snapshots in the WAL, the ledger worker's leaving), so that equal statements leave
equal positions and counters.  WAL that depends on random bits (randomised answers)
is made up for by realign().
"""
import os
import re
import shutil
import subprocess
import time

import wire

SETTINGS = """
listen_addresses = ''
unix_socket_directories = '{directory}'
port = {port}
shared_preload_libraries = 'privacct'
fsync = off
full_page_writes = off
privacct.require_durable_storage = off
privacct.worker_idle_timeout = '1h'
privacct.ledger_timeout = '120s'
autovacuum = off
wal_level = minimal
wal_skip_threshold = 0
max_wal_senders = 0
wal_compression = off
checkpoint_timeout = '1d'
max_wal_size = '4GB'
bgwriter_lru_maxpages = 0
shared_buffers = '16MB'
max_connections = 20
max_worker_processes = 8
max_parallel_workers = 8
jit = off
timezone = 'UTC'
log_min_messages = debug1
log_min_error_statement = panic
statement_timeout = 0
"""

USERS = ("root", "asker", "watcher")


class World:
    def __init__(self, name, directory, port, bindir, extra):
        self.name, self.directory, self.port = name, f"{directory}/{name}", port
        self.bindir, self.extra = bindir, extra
        self.data = f"{self.directory}/data"
        self.sessions = {}
        os.makedirs(self.directory, exist_ok=True)

    def _run(self, *command, **options):
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **options)
        if done.returncode != 0:
            raise RuntimeError(f"{' '.join(command)}:\n{done.stdout[-4000:]}")
        return done.stdout

    def _tool(self, name, *arguments):
        return self._run(f"{self.bindir}/{name}", *arguments)

    def create(self):
        self._tool("initdb", "-D", self.data, "-A", "trust", "-U", "root", "-E", "UTF8",
                   "--locale=C.UTF-8", "--wal-segsize=1", "--no-sync")

    def clone(self, other):
        """Becomes what the other, stopped, world is."""
        shutil.rmtree(self.data, ignore_errors=True)
        self._run("cp", "-a", other.data, self.data)

    def start(self):
        with open(f"{self.data}/postgresql.auto.conf", "w", encoding="ascii") as conf:
            conf.write(SETTINGS.format(directory=self.directory, port=self.port))
            conf.writelines(f"{name} = '{value}'\n" for name, value in self.extra)
        try:
            self._tool("pg_ctl", "-D", self.data, "-l", f"{self.directory}/log", "-w", "-t", "120", "start")
        except RuntimeError as error:
            with open(f"{self.directory}/log", encoding="utf-8") as log:
                raise RuntimeError(str(error) + log.read()[-2000:]) from error

    def stop(self, mode="fast"):
        for session in self.sessions.values():
            session.end()
        self.sessions = {}
        if os.path.exists(f"{self.data}/postmaster.pid"):
            self._tool("pg_ctl", "-D", self.data, "-m", mode, "-w", "-t", "120", "stop")

    def next_oid(self):
        """What the next object gets, or value stored out of line; of a server that is stopped."""
        return re.search(r"NextOID: +(\d+)", self._tool("pg_controldata", self.data)).group(1)

    def script(self, path, database="worlds", **variables):
        arguments = [part for name, value in variables.items() for part in ("-v", f"{name}={value}")]
        self._tool("psql", "-XAtq", "-h", self.directory, "-p", str(self.port), "-U", "root",
                   "-d", database, "-f", path, *arguments)

    def workers_started(self):
        """How many processes have begun to work for a parallel plan: the postmaster writes a line for each."""
        with open(f"{self.directory}/log", encoding="utf-8", errors="replace") as log:
            return log.read().count('starting background worker process "parallel worker')

    def connect(self, user, settings=""):
        return wire.Connection(self.directory, self.port, user, "worlds", settings)

    def open(self):
        """The sessions that stay, always in one order: numbers of backends are observable."""
        for user in USERS:
            self.sessions[user] = self.connect(user)
        # the ledger's worker takes its number with the first charge
        self.sessions["asker"].rows("SELECT count(*) FROM hr.member")

    def reopen(self, user, settings=""):
        wait_for_exit(self.sessions[user].pid)
        self.sessions[user] = self.connect(user, settings)

    def realign(self):
        """Both worlds continue at the start of a segment of the WAL."""
        return self.sessions["root"].rows("SELECT pg_current_wal_insert_lsn() - '0/0' FROM (SELECT pg_switch_wal()) s")


def wait_for_exit(pid):
    """A backend's number is free for the next when its process has gone."""
    for _ in range(12000):
        try:
            with open(f"/proc/{pid}/stat", encoding="ascii", errors="replace") as stat:
                if stat.read().rpartition(")")[2].split()[0] in "ZX":
                    return
        except OSError:
            return
        time.sleep(0.0005)
    raise RuntimeError(f"process {pid} does not end")


class Worlds:
    """The pair, with a store of how it was when the worlds had parted."""

    def __init__(self, directory, bindir, extra, files):
        self.canary = World("canary", directory, 65001, bindir, extra)
        self.dull = World("dull", directory, 65002, bindir, extra)
        self.files = files
        self.cold = False  # where the tables are that are moved to and fro
        self.directory = directory

    def both(self):
        return (self.canary, self.dull)

    def _store(self, world):
        return f"{self.directory}/{world.name}.store"

    def create(self):
        self.canary.create()
        self.canary.start()
        self.canary.script("/dev/null", database="postgres")
        self.canary._tool("createdb", "-h", self.canary.directory, "-p", str(self.canary.port), "-U", "root", "worlds")
        self.canary.script(f"{self.files}/fixture.sql")
        self.canary.stop()
        self.dull.clone(self.canary)
        for world in self.both():
            world.start()
            world.script(f"{self.files}/part.sql", canary=int(world is self.canary))
            world.stop()
            shutil.rmtree(self._store(world), ignore_errors=True)
            world._run("cp", "-a", world.data, self._store(world))
        oids = [world.next_oid() for world in self.both()]
        if oids[0] != oids[1]:
            raise RuntimeError(f"the worlds have parted with numbers of objects that differ: {oids}")

    def reopen(self, user, settings=""):
        """A new session of the user, in the place of the old one."""
        for world in self.both():
            world.sessions[user].end()
        for world in self.both():
            world.reopen(user, settings)

    def restore(self):
        """Back to how they were when they had parted; for what cannot be undone."""
        self.cold = False
        for world in self.both():
            try:
                world.stop("immediate")
            except RuntimeError:
                pass
            shutil.rmtree(world.data)
            world._run("cp", "-a", self._store(world), world.data)
        self.start()

    def start(self):
        for world in self.both():
            world.start()
        for world in self.both():
            world.open()
        self.realign()

    def stop(self):
        for world in self.both():
            try:
                world.stop("immediate")
            except RuntimeError:
                pass

    def level(self):
        """Uses up transaction numbers in the world that is behind."""
        numbers = [int(world.sessions["root"].rows("SELECT pg_current_xact_id()")[0][0]) for world in self.both()]
        behind = self.both()[numbers[0] > numbers[1]].sessions["root"]
        for _ in range(abs(numbers[0] - numbers[1])):
            behind.rows("SELECT pg_current_xact_id()")

    def realign(self):
        """Writes WAL in the world that is behind until the positions meet."""
        self.level()
        for _ in range(20):
            positions = [int(world.realign()[0][0]) // (1 << 20) for world in self.both()]
            if positions[0] == positions[1]:
                break
            behind = self.both()[positions[0] > positions[1]].sessions["root"]
            for _ in range(abs(positions[0] - positions[1])):
                behind.rows("SELECT pg_logical_emit_message(false, 'w', 'x'); SELECT pg_switch_wal()")
        else:
            raise RuntimeError("the worlds' positions do not meet")
