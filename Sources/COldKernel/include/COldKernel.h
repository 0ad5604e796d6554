// Emulates an older kernel around a program that is started from here. Used by sandbox-probe only.
//
// A function returns 0 or a positive value, or a negated errno.
#ifndef COLDKERNEL_H
#define COLDKERNEL_H

/// From now on Landlock's three calls, or seccomp's, answer `error`, for good.
int coldkernel_refuse_landlock(int error);
int coldkernel_refuse_seccomp(int error);
/// Runs a program, and all that it starts, on a kernel whose Landlock has this ABI (1 to 7, at most
/// the real one); needs the right to read its memory. Its exit code, 128 and more for a signal.
/// Source: seccomp_unotify(2).
int coldkernel_run_under_landlock(int abi, char *const arguments[]);

#endif
