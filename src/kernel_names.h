/*
 * kernel_names.h
 *		Kinds of noise, as messages name them.
 */
#ifndef PA_KERNEL_NAMES_H
#define PA_KERNEL_NAMES_H

#include "postgres.h"

/*
 * "laplace, gaussian and optimal": the kinds whose bits are set, in the order of
 * kernel_list.h, in the current memory context.
 */
extern char *pa_kernel_names(uint32 kinds);

#endif							/* PA_KERNEL_NAMES_H */
