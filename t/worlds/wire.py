# SPDX-License-Identifier: GPL-3.0-or-later
"""The frontend/backend protocol, version 3, over a unix socket.

A message of the server becomes a tuple whose first member is its type byte; all
that the message says is in the others.  Nothing is interpreted, retried or hidden,
so that two transcripts can be compared to the last field.  A connection that ends,
or a server that is silent for too long, is a message of the harness's own.
"""
import select
import socket
import struct
import time


def _cstring(text):
    return text.encode() + b"\0"


def _message(kind, body=b""):
    return kind + struct.pack("!i", len(body) + 4) + body


def query(sql):
    return _message(b"Q", _cstring(sql))


def parse(name, sql, types=()):
    return _message(b"P", _cstring(name) + _cstring(sql) + struct.pack("!h", len(types)) +
                    b"".join(struct.pack("!I", t) for t in types))


def bind(portal, name, values=(), binary_results=False):
    """Binds text parameters; None is a null."""
    body = _cstring(portal) + _cstring(name) + struct.pack("!hh", 0, len(values))
    for value in values:
        data = None if value is None else value.encode()
        body += struct.pack("!i", -1) if data is None else struct.pack("!i", len(data)) + data
    return _message(b"B", body + struct.pack("!hh", 1, int(binary_results)))


def describe(kind, name):
    return _message(b"D", kind.encode() + _cstring(name))


def execute(portal, rows=0):
    return _message(b"E", _cstring(portal) + struct.pack("!i", rows))


def close(kind, name):
    return _message(b"C", kind.encode() + _cstring(name))


FLUSH = _message(b"H")
SYNC = _message(b"S")
TERMINATE = _message(b"X")


def _fields(body):
    """ErrorResponse and NoticeResponse: every field by its letter."""
    return {part[:1].decode(): part[1:].decode("utf-8", "replace")
            for part in body.split(b"\0") if part}


def _columns(body):
    count, = struct.unpack_from("!h", body)
    position, columns = 2, []
    for _ in range(count):
        end = body.index(b"\0", position)
        columns.append((body[position:end].decode(),) + struct.unpack_from("!IhIhih", body, end + 1))
        position = end + 19
    return tuple(columns)


def _values(body):
    count, = struct.unpack_from("!h", body)
    position, values = 2, []
    for _ in range(count):
        length, = struct.unpack_from("!i", body, position)
        position += 4
        values.append(None if length < 0 else body[position:position + length])
        position += max(length, 0)
    return tuple(values)


def decode(kind, body):
    if kind in "EN":
        return (kind, _fields(body))
    if kind == "T":
        return (kind, _columns(body))
    if kind == "D":
        return (kind, _values(body))
    if kind in "CZ":
        return (kind, body.rstrip(b"\0").decode())
    if kind == "S":
        return (kind,) + tuple(body.decode().split("\0")[:2])
    if kind == "A":
        # the sender's process number is no property of a world
        channel, payload = body[4:].decode().split("\0")[:2]
        return (kind, channel, payload)
    return (kind, body)


class Connection:
    def __init__(self, directory, port, user, database, settings="", deadline=120.0):
        self.deadline = deadline
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.connect(f"{directory}/.s.PGSQL.{port}")
        self.buffer = b""
        self.pid = None
        told = f"\0options\0{settings}" if settings else ""
        options = f"user\0{user}\0database\0{database}\0application_name\0worlds{told}\0\0".encode()
        self.socket.sendall(struct.pack("!ii", len(options) + 8, 196608) + options)
        self.greeting = self.read()

    def send(self, data):
        try:
            self.socket.sendall(data)
        except OSError:
            pass  # reading will tell

    def expect(self, ends="Z", times=1):
        """From now on messages are collected, up to so many of one of these types."""
        self.ends, self.left, self.messages = ends, times, []
        self.began, self.took = time.monotonic(), None
        self._take()

    def _take(self):
        """Takes the complete messages out of the buffer."""
        position = 0
        while self.left > 0 and len(self.buffer) - position >= 5:
            length, = struct.unpack_from("!i", self.buffer, position + 1)
            if len(self.buffer) - position <= length:
                break
            kind = chr(self.buffer[position])
            body = self.buffer[position + 5:position + length + 1]
            position += length + 1
            if kind == "K":
                self.pid, = struct.unpack_from("!i", body)
                continue
            self.messages.append(decode(kind, body))
            if kind in self.ends:
                self.left -= 1
        self.buffer = self.buffer[position:]
        if self.left == 0 and self.took is None:
            self.took = time.monotonic() - self.began

    def _end_with(self, what):
        self.messages.append((what,))
        self.left = 0
        self.took = time.monotonic() - self.began

    def receive(self):
        """Reads what has come; what does not come is a message too."""
        try:
            data = self.socket.recv(65536)
        except OSError:
            data = b""
        if not data:
            self._end_with("gone")
            return
        self.buffer += data
        self._take()

    def read(self, ends="Z", times=1):
        self.expect(ends, times)
        collect([self])
        return self.messages

    def rows(self, sql):
        """The rows of a query as strings, or an error; for the harness's own purposes."""
        self.send(query(sql))
        messages = self.read()
        for message in messages:
            if message[0] in ("gone", "silent"):
                raise RuntimeError(f"{message[0]} in {sql}")
            if message[0] == "E":
                raise RuntimeError(f"{message[1]['C']}: {message[1]['M']} {message[1].get('D', '')} in {sql}")
        return [[None if v is None else v.decode() for v in m[1]] for m in messages if m[0] == "D"]

    def end(self):
        try:
            self.socket.sendall(TERMINATE)
        except OSError:
            pass
        self.socket.close()


def collect(connections):
    """Reads from all of them, whoever has something, until each has what it expects."""
    waiting = [c for c in connections if c.left > 0]
    while waiting:
        left = min(c.began + c.deadline for c in waiting) - time.monotonic()
        ready = select.select([c.socket for c in waiting], [], [], max(left, 0))[0] if left > 0 else []
        for connection in waiting:
            if connection.socket in ready:
                connection.receive()
            elif left <= 0 and connection.began + connection.deadline <= time.monotonic():
                connection._end_with("silent")
        waiting = [c for c in waiting if c.left > 0]
