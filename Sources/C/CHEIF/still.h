#ifndef CHEIF_STILL_H
#define CHEIF_STILL_H

#include "CHEIFStill.h"

#define CSTILL_TEXT(value) #value
#define CSTILL_NUMBER(value) CSTILL_TEXT(value)

typedef struct hevc_decoder hevc_decoder;
typedef struct av1_decoder av1_decoder;

hevc_decoder *hevc_open(const cstill_options *options, cstill_status *status);
void hevc_close(hevc_decoder *decoder);
cstill_status hevc_decode(
  hevc_decoder *decoder, const uint8_t *bytes, size_t length, cstill_picture *picture);

av1_decoder *av1_open(const cstill_options *options, cstill_status *status);
void av1_close(av1_decoder *decoder);
cstill_status av1_decode(
  av1_decoder *decoder, const uint8_t *bytes, size_t length, cstill_picture *picture);

#endif
