#ifndef CDEFLATE_SHIM_H
#define CDEFLATE_SHIM_H

#define _GNU_SOURCE 1

#include <libdeflate.h>

#endif
