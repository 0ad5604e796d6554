// Emulates an older kernel around a program that is started from here, and shows the filters of ours. Used by
// sandbox-probe only.
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
/// Writes the filter of a kind of process (`coordinator`, `worker`, `picker`, `page`, `times`, `watcher`,
/// `camera`) and does not load it: an instruction a line, its code, both jumps and its operand. A descriptor
/// in it is 7.
int coldkernel_write_filter(const char *kind, int descriptor);
/// Writes what the instructions depend on beside the rules: the version of libseccomp, and the machine.
int coldkernel_write_filter_writer(int descriptor);

#endif
