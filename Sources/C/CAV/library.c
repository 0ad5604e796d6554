#define _GNU_SOURCE 1
#include "library.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

#define CAV_TEXT_OF(number) #number
#define CAV_TEXT(number) CAV_TEXT_OF(number)

#define CAV_UTIL CAV_TEXT(LIBAVUTIL_VERSION_MAJOR)
#define CAV_CODEC CAV_TEXT(LIBAVCODEC_VERSION_MAJOR)
#define CAV_FORMAT CAV_TEXT(LIBAVFORMAT_VERSION_MAJOR)
#define CAV_SCALE CAV_TEXT(LIBSWSCALE_VERSION_MAJOR)
#define CAV_RESAMPLE CAV_TEXT(LIBSWRESAMPLE_VERSION_MAJOR)

/// Loads the major version that was compiled against and no other, because structs are read
/// directly.
static void *load(const char *name, const char *suffix) {
  char file[64];
  snprintf(file, sizeof file, "%s%s", name, suffix);
  return dlopen(file, RTLD_LAZY | RTLD_LOCAL);
}

#define CAV_RESOLVE(name) \
  if (!(library->name = (__typeof__(&name))dlsym(handle, #name))) break;

const cav_library *cav_library_load(const char *suffix, const char **missing) {
  cav_library *library = calloc(1, sizeof *library);
  if (!library) {
    *missing = "memory";
    return NULL;
  }
  void *handle;
  do {
    *missing = "libavutil" CAV_UTIL;
    if (!(handle = load("libavutil.so." CAV_UTIL, suffix))) break;
    CAV_UTIL_FUNCTIONS(CAV_RESOLVE)
    *missing = "libavcodec" CAV_CODEC;
    if (!(handle = load("libavcodec.so." CAV_CODEC, suffix))) break;
    CAV_CODEC_FUNCTIONS(CAV_RESOLVE)
    *missing = "libavformat" CAV_FORMAT;
    if (!(handle = load("libavformat.so." CAV_FORMAT, suffix))) break;
    CAV_FORMAT_FUNCTIONS(CAV_RESOLVE)
    *missing = "libswscale" CAV_SCALE;
    if (!(handle = load("libswscale.so." CAV_SCALE, suffix))) break;
    CAV_SCALE_FUNCTIONS(CAV_RESOLVE)
    *missing = "libswresample" CAV_RESAMPLE;
    if (!(handle = load("libswresample.so." CAV_RESAMPLE, suffix))) break;
    CAV_RESAMPLE_FUNCTIONS(CAV_RESOLVE)
    *missing = NULL;
    // FFmpeg's messages quote the file, which must not reach stderr.
    library->av_log_set_level(AV_LOG_QUIET);
    cav_list_decoders(library);
    // This fits one 8K frame of 16 bits, 4:4:4.
    library->av_max_alloc(384 << 20);
    return library;
  } while (0);
  free(library);
  return NULL;
}

const char *cav_encoder_package(void) { return "libavcodec" CAV_CODEC; }
