#ifndef CZLIB_SHIM_H
#define CZLIB_SHIM_H

#define _GNU_SOURCE 1

// No fd_set is needed here, whose member has another name where this module is built than where
// Swift's Glibc is, in some orders of building: so <sys/select.h> counts as included.
#define _SYS_SELECT_H 1

#include <zlib.h>

#endif
