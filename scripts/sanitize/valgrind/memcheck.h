/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * memcheck.h
 *		Valgrind's client requests, answered by AddressSanitizer.
 *
 * A server built with USE_VALGRIND tells Valgrind which bytes of a memory
 * context or of the buffer pool may be touched.  With this file in place of
 * Valgrind's it tells AddressSanitizer, which otherwise knows only the blocks
 * that contexts ask malloc for, not what palloc hands out of them.
 * Whether bytes are defined is beyond AddressSanitizer.
 */
#ifndef PA_SANITIZE_MEMCHECK_H
#define PA_SANITIZE_MEMCHECK_H

#include <sanitizer/asan_interface.h>

#define VALGRIND_MAKE_MEM_NOACCESS(address, size) ASAN_POISON_MEMORY_REGION(address, size)
#define VALGRIND_MAKE_MEM_UNDEFINED(address, size) ASAN_UNPOISON_MEMORY_REGION(address, size)
#define VALGRIND_MAKE_MEM_DEFINED(address, size) ASAN_UNPOISON_MEMORY_REGION(address, size)
#define VALGRIND_MEMPOOL_ALLOC(context, address, size) ASAN_UNPOISON_MEMORY_REGION(address, size)

/* The allocators themselves close what is freed (wipe_mem) and what a change leaves over. */
#define VALGRIND_MEMPOOL_FREE(context, address) ((void) 0)
#define VALGRIND_MEMPOOL_CHANGE(context, old_address, new_address, size) ((void) 0)
#define VALGRIND_CREATE_MEMPOOL(context, redzones, zeroed) ((void) 0)
#define VALGRIND_DESTROY_MEMPOOL(context) ((void) 0)
#define VALGRIND_CHECK_MEM_IS_DEFINED(address, size) ((void) 0)

#endif							/* PA_SANITIZE_MEMCHECK_H */
