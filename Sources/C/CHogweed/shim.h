#ifndef CHOGWEED_SHIM_H
#define CHOGWEED_SHIM_H

#define _GNU_SOURCE 1

#include <nettle/eddsa.h>

#endif
