#ifndef CNETTLE_SHIM_H
#define CNETTLE_SHIM_H

#define _GNU_SOURCE 1

#include <nettle/gcm.h>
#include <nettle/hmac.h>
#include <nettle/md5.h>
#include <nettle/pbkdf2.h>
#include <nettle/sha1.h>
#include <nettle/sha2.h>

#endif
