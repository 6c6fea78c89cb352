/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * faulty_disk.c
 *		A disk that fails, and that forgets what was not synced, for the TAP tests: a
 *		library that is loaded before the C library of a server under test.
 *
 * FAULTY_DISK_ORDERS names a file.  While it is there, each line "CALL PART ERRNO"
 * makes calls on files whose path contains the part fail: "write" or "sync".
 *
 * FAULTY_DISK_SYNCED names a directory.  Whenever a segment of the WAL has been
 * synced, it holds what was in it then: what a power cut would have left.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

static const char *
path_of(int fd, char *path)
{
	char		link[64];
	ssize_t		length;

	snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	length = readlink(link, path, PATH_MAX - 1);
	path[length < 0 ? 0 : length] = '\0';
	return path;
}

/* --- orders --- */

/* The error that the call is to fail with, or 0. */
static int
ordered(const char *call, int fd)
{
	const char *orders = getenv("FAULTY_DISK_ORDERS");
	char		path[PATH_MAX],
				kind[16],
				part[64];
	int			code,
				found = 0,
				saved = errno;
	FILE	   *file;

	if (orders == NULL || access(orders, R_OK) != 0 || (file = fopen(orders, "r")) == NULL)
	{
		errno = saved;
		return 0;
	}
	path_of(fd, path);
	while (found == 0 && fscanf(file, "%15s %63s %d", kind, part, &code) == 3)
		if (strcmp(kind, call) == 0 && strstr(path, part) != NULL)
			found = code;
	fclose(file);
	errno = saved;
	return found;
}

#define NEXT(name) \
	static __typeof__(&name) next; \
	if (next == NULL) \
		next = (__typeof__(&name)) dlsym(RTLD_NEXT, #name)

#define FAIL_IF_ORDERED(call, fd) \
	do { \
		int			code = ordered(call, fd); \
		if (code != 0) \
		{ \
			errno = code; \
			return -1; \
		} \
	} while (0)

ssize_t
write(int fd, const void *data, size_t size)
{
	NEXT(write);
	FAIL_IF_ORDERED("write", fd);
	return next(fd, data, size);
}

ssize_t
pwrite(int fd, const void *data, size_t size, off_t offset)
{
	NEXT(pwrite);
	FAIL_IF_ORDERED("write", fd);
	return next(fd, data, size, offset);
}

ssize_t
pwrite64(int fd, const void *data, size_t size, off64_t offset)
{
	NEXT(pwrite64);
	FAIL_IF_ORDERED("write", fd);
	return next(fd, data, size, offset);
}

ssize_t
pwritev(int fd, const struct iovec *data, int count, off_t offset)
{
	NEXT(pwritev);
	FAIL_IF_ORDERED("write", fd);
	return next(fd, data, count, offset);
}

ssize_t
pwritev64(int fd, const struct iovec *data, int count, off64_t offset)
{
	NEXT(pwritev64);
	FAIL_IF_ORDERED("write", fd);
	return next(fd, data, count, offset);
}

/* --- what is synced --- */

static int
copy(int from, int to)
{
	char		page[65536];
	off_t		offset = 0;
	ssize_t		size;

	while ((size = pread(from, page, sizeof(page), offset)) > 0)
	{
		if (write(to, page, size) != size)
			return -1;
		offset += size;
	}
	return size < 0 ? -1 : 0;
}

/* Under a name of this process first: whoever is killed meanwhile has synced nothing. */
static void
remember(int fd)
{
	const char *directory = getenv("FAULTY_DISK_SYNCED");
	char		path[PATH_MAX],
				begun[PATH_MAX],
				done[PATH_MAX];
	const char *name;
	int			saved = errno,
				to;

	if (directory == NULL || strstr(path_of(fd, path), "/pg_wal/") == NULL)
		return;
	name = strrchr(path, '/') + 1;
	if (strspn(name, "0123456789ABCDEF") != 24 || name[24] != '\0')
		return;					/* no segment */
	snprintf(begun, sizeof(begun), "%s/%d.begun", directory, (int) getpid());
	snprintf(done, sizeof(done), "%s/%s", directory, name);
	to = open(begun, O_WRONLY | O_CREAT | O_TRUNC, 0600);
	if (to < 0 || copy(fd, to) != 0 || rename(begun, done) != 0)
		abort();
	close(to);
	errno = saved;
}

int
fsync(int fd)
{
	int			result;

	NEXT(fsync);
	FAIL_IF_ORDERED("sync", fd);
	result = next(fd);
	if (result == 0)
		remember(fd);
	return result;
}

int
fdatasync(int fd)
{
	int			result;

	NEXT(fdatasync);
	FAIL_IF_ORDERED("sync", fd);
	result = next(fd);
	if (result == 0)
		remember(fd);
	return result;
}
