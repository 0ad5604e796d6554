// pkg-config: libjxl
// libjxl in one thread, the first picture in bytes of red, green and blue.
#include "floor.h"

#include <jxl/decode.h>

static struct buffer pixels;

bool decode(const uint8_t *bytes, size_t length, double wanted) {
  (void)wanted;
  JxlDecoder *decoder = JxlDecoderCreate(NULL);
  if (decoder == NULL) { return false; }
  JxlPixelFormat format = {3, JXL_TYPE_UINT8, JXL_NATIVE_ENDIAN, 0};
  JxlDecoderSubscribeEvents(decoder, JXL_DEC_FULL_IMAGE);
  JxlDecoderSetInput(decoder, bytes, length);
  JxlDecoderCloseInput(decoder);
  JxlDecoderStatus status = JxlDecoderProcessInput(decoder);
  if (status == JXL_DEC_NEED_IMAGE_OUT_BUFFER) {
    size_t size;
    if (JxlDecoderImageOutBufferSize(decoder, &format, &size) == JXL_DEC_SUCCESS) {
      JxlDecoderSetImageOutBuffer(decoder, &format, room(&pixels, size), size);
      status = JxlDecoderProcessInput(decoder);
    }
  }
  JxlDecoderDestroy(decoder);
  return status == JXL_DEC_FULL_IMAGE;
}
