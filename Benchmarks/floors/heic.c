// pkg-config: libavcodec libavutil
// libavcodec's HEVC in one thread. The input is what packets.py makes of a HEIC.
#include "floor.h"

#include <libavcodec/avcodec.h>
#include <string.h>

static struct buffer padded;

bool decode(const uint8_t *bytes, size_t length, double wanted) {
  (void)wanted;
  const AVCodec *codec = avcodec_find_decoder(AV_CODEC_ID_HEVC);
  AVCodecContext *context = avcodec_alloc_context3(codec);
  AVPacket *packet = av_packet_alloc();
  AVFrame *frame = av_frame_alloc();
  if (context == NULL || packet == NULL || frame == NULL || length < 4) { return false; }
  size_t at = 4 + (size_t)big32(bytes);
  context->thread_count = 1;
  context->extradata_size = (int)big32(bytes);
  context->extradata = av_mallocz((size_t)context->extradata_size + AV_INPUT_BUFFER_PADDING_SIZE);
  memcpy(context->extradata, bytes + 4, (size_t)context->extradata_size);
  bool good = avcodec_open2(context, codec, NULL) == 0;
  int sent = 0, received = 0;
  while (good && at + 4 <= length) {
    size_t size = big32(bytes + at);
    uint8_t *data = room(&padded, size + AV_INPUT_BUFFER_PADDING_SIZE);
    memcpy(data, bytes + at + 4, size);
    memset(data + size, 0, AV_INPUT_BUFFER_PADDING_SIZE);
    packet->data = data;
    packet->size = (int)size;
    good = avcodec_send_packet(context, packet) == 0;
    sent++;
    while (avcodec_receive_frame(context, frame) == 0) { received++; }
    at += 4 + size;
  }
  avcodec_send_packet(context, NULL);
  while (avcodec_receive_frame(context, frame) == 0) { received++; }
  packet->data = NULL;
  packet->size = 0;
  av_packet_free(&packet);
  av_frame_free(&frame);
  avcodec_free_context(&context);
  return good && sent > 0 && received == sent;
}
