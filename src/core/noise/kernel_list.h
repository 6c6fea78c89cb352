/*
 * kernel_list.h
 *		The kinds of noise: one line each.
 *
 * PA_KERNEL(symbol, name) is what whoever includes this defines; it is undefined
 * again at the end, and there is no guard against including this twice, by
 * intention.  A kind is here, in a file of its family that defines
 * pa_kernel_<name> (kernel_routine.h), and in one that defines
 * pa_calibrate_<name> (core/accounting/promise.h).
 *
 * Names stand in policies, in the ledger and in settings, so they never change,
 * and none begins another one.  The order may: it is the one in which kinds are
 * listed, and the first of those that are equally good is taken.
 */
PA_KERNEL(PA_KERNEL_LAPLACE, laplace)
PA_KERNEL(PA_KERNEL_GAUSSIAN, gaussian)
PA_KERNEL(PA_KERNEL_BRDP_LAPLACE, brdp_laplace)
PA_KERNEL(PA_KERNEL_BRDP_GAUSSIAN, brdp_gaussian)
PA_KERNEL(PA_KERNEL_STAIRCASE, staircase)
PA_KERNEL(PA_KERNEL_OPTIMAL, optimal)

#undef PA_KERNEL
