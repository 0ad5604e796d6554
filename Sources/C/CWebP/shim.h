#ifndef CWEBP_SHIM_H
#define CWEBP_SHIM_H

#define _GNU_SOURCE 1

#include <webp/decode.h>
#include <webp/encode.h>

#endif
