#define _GNU_SOURCE 1
#include "still.h"

#include <stdlib.h>

struct cstill_decoder {
  hevc_decoder *hevc;
  av1_decoder *av1;
};

cstill_decoder *cstill_open(const cstill_options *options, cstill_status *status) {
  cstill_decoder *decoder = calloc(1, sizeof *decoder);
  if (!decoder) {
    *status = cstill_over_limit;
    return NULL;
  }
  *status = cstill_success;
  if (options->coding == cstill_hevc) {
    decoder->hevc = hevc_open(options, status);
  } else {
    decoder->av1 = av1_open(options, status);
  }
  if (decoder->hevc || decoder->av1) return decoder;
  free(decoder);
  return NULL;
}

void cstill_close(cstill_decoder *decoder) {
  if (!decoder) return;
  if (decoder->hevc) hevc_close(decoder->hevc);
  if (decoder->av1) av1_close(decoder->av1);
  free(decoder);
}

cstill_status cstill_decode(
  cstill_decoder *decoder, const uint8_t *bytes, size_t length, cstill_picture *picture) {
  if (!bytes || length == 0 || length > INT32_MAX) return cstill_damaged;
  return decoder->hevc ? hevc_decode(decoder->hevc, bytes, length, picture)
                       : av1_decode(decoder->av1, bytes, length, picture);
}
