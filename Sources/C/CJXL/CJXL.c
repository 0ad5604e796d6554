#define _GNU_SOURCE 1
#include "CJXL.h"

#include <dlfcn.h>
#include <stdlib.h>

#include <jxl/decode.h>
#include <jxl/version.h>

// libjxl 0.9 (Debian 13 has 0.11) has taken the pixel format out of the functions of color profiles, so
// that a library of the other signature is not loaded. All others are the same since 0.7 (Debian 12).
#if JPEGXL_NUMERIC_VERSION >= JPEGXL_COMPUTE_NUMERIC_VERSION(0, 9, 0)
#define PROFILE_OF(decoder) decoder, JXL_COLOR_PROFILE_TARGET_DATA
static const char *const library_names[] = {"libjxl.so.0.11", "libjxl.so.0.10", "libjxl.so.0.9"};
#else
#define PROFILE_OF(decoder) decoder, NULL, JXL_COLOR_PROFILE_TARGET_DATA
static const char *const library_names[] = {"libjxl.so.0.8", "libjxl.so.0.7"};
#endif
#define TEXT(value) #value
#define NUMBER(value) TEXT(value)
const char *const cjxl_package =
  "libjxl" NUMBER(JPEGXL_MAJOR_VERSION) "." NUMBER(JPEGXL_MINOR_VERSION);

/// The functions of libjxl, with the types of the header.
#define FUNCTIONS(each)         \
  each(Create)                  \
  each(Destroy)                 \
  each(SubscribeEvents)         \
  each(SetKeepOrientation)      \
  each(SetUnpremultiplyAlpha)   \
  each(SetInput)                \
  each(CloseInput)              \
  each(ProcessInput)            \
  each(GetBasicInfo)            \
  each(GetICCProfileSize)       \
  each(GetColorAsICCProfile)    \
  each(ImageOutBufferSize)      \
  each(SetImageOutBuffer)

static struct {
#define MEMBER(name) __typeof__(&JxlDecoder##name) name;
  FUNCTIONS(MEMBER)
#undef MEMBER
} jxl;

static bool is_loaded;

const char *cjxl_load(void) {
  if (is_loaded) return NULL;
  void *library = NULL;
  const size_t count = sizeof library_names / sizeof *library_names;
  for (size_t index = 0; index < count && !library; index++) {
    library = dlopen(library_names[index], RTLD_LAZY | RTLD_LOCAL);
  }
  if (!library) return dlerror();
#define FIND(name)                                                                     \
  if (!(jxl.name = (__typeof__(jxl.name))dlsym(library, "JxlDecoder" #name))) {        \
    return "libjxl is older than 0.7: no JxlDecoder" #name;                            \
  }
  FUNCTIONS(FIND)
#undef FIND
  is_loaded = true;
  return NULL;
}

struct cjxl_decoder {
  JxlDecoder *decoder;
  bool is_out_of_memory;
};

static void *allocate(void *opaque, size_t size) {
  void *memory = malloc(size);
  if (!memory) ((cjxl_decoder *)opaque)->is_out_of_memory = true;
  return memory;
}

static void release(void *opaque, void *address) {
  (void)opaque;
  free(address);
}

cjxl_decoder *cjxl_open(const uint8_t *bytes, size_t count) {
  cjxl_decoder *decoder = calloc(1, sizeof *decoder);
  if (!decoder) return NULL;
  const JxlMemoryManager manager = {.opaque = decoder, .alloc = allocate, .free = release};
  decoder->decoder = jxl.Create(&manager);
  if (!decoder->decoder) {
    free(decoder);
    return NULL;
  }
  const int events = JXL_DEC_BASIC_INFO | JXL_DEC_COLOR_ENCODING | JXL_DEC_FULL_IMAGE;
  if (jxl.SubscribeEvents(decoder->decoder, events) != JXL_DEC_SUCCESS
      || jxl.SetKeepOrientation(decoder->decoder, JXL_TRUE) != JXL_DEC_SUCCESS
      || jxl.SetUnpremultiplyAlpha(decoder->decoder, JXL_TRUE) != JXL_DEC_SUCCESS
      || jxl.SetInput(decoder->decoder, bytes, count) != JXL_DEC_SUCCESS) {
    cjxl_close(decoder);
    return NULL;
  }
  jxl.CloseInput(decoder->decoder);
  return decoder;
}

void cjxl_close(cjxl_decoder *decoder) {
  jxl.Destroy(decoder->decoder);
  free(decoder);
}

/// Continues up to an event; any other is a mistake in the file.
static cjxl_status advance(cjxl_decoder *decoder, JxlDecoderStatus event) {
  if (jxl.ProcessInput(decoder->decoder) == event) return CJXL_DONE;
  return decoder->is_out_of_memory ? CJXL_NO_MEMORY : CJXL_DAMAGED;
}

cjxl_status cjxl_read_info(cjxl_decoder *decoder, cjxl_info *info) {
  const cjxl_status status = advance(decoder, JXL_DEC_BASIC_INFO);
  if (status != CJXL_DONE) return status;
  JxlBasicInfo basic;
  if (jxl.GetBasicInfo(decoder->decoder, &basic) != JXL_DEC_SUCCESS) return CJXL_DAMAGED;
  *info = (cjxl_info){
    .width = basic.xsize,
    .height = basic.ysize,
    .color_channels = basic.num_color_channels,
    .has_alpha = basic.alpha_bits > 0,
  };
  return CJXL_DONE;
}

cjxl_status cjxl_read_profile_length(cjxl_decoder *decoder, size_t *length) {
  const cjxl_status status = advance(decoder, JXL_DEC_COLOR_ENCODING);
  if (status != CJXL_DONE) return status;
  if (jxl.GetICCProfileSize(PROFILE_OF(decoder->decoder), length)
      != JXL_DEC_SUCCESS) {
    *length = 0;
  }
  return CJXL_DONE;
}

cjxl_status cjxl_copy_profile(cjxl_decoder *decoder, uint8_t *target, size_t length) {
  const JxlDecoderStatus status =
    jxl.GetColorAsICCProfile(PROFILE_OF(decoder->decoder), target, length);
  return status == JXL_DEC_SUCCESS ? CJXL_DONE : CJXL_DAMAGED;
}

cjxl_status cjxl_decode(cjxl_decoder *decoder, uint32_t channels, uint8_t *target, size_t length) {
  const cjxl_status status = advance(decoder, JXL_DEC_NEED_IMAGE_OUT_BUFFER);
  if (status != CJXL_DONE) return status;
  const JxlPixelFormat format = {
    .num_channels = channels, .data_type = JXL_TYPE_UINT8, .endianness = JXL_NATIVE_ENDIAN};
  size_t needed;
  if (jxl.ImageOutBufferSize(decoder->decoder, &format, &needed) != JXL_DEC_SUCCESS
      || needed != length
      || jxl.SetImageOutBuffer(decoder->decoder, &format, target, length) != JXL_DEC_SUCCESS) {
    return CJXL_DAMAGED;
  }
  return advance(decoder, JXL_DEC_FULL_IMAGE);
}
