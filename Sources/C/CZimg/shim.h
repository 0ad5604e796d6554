#ifndef CZIMG_SHIM_H
#define CZIMG_SHIM_H

#define _GNU_SOURCE 1

#include <zimg.h>

// ZIMG_API_VERSION is built by a function-like macro, which Swift does not see.
static inline unsigned czimg_api_version(void) { return ZIMG_API_VERSION; }

// The buffers' planes are arrays of an unnamed struct, which Swift does not import.
static inline zimg_error_code_e czimg_process_plane(
    const zimg_filter_graph *graph, const void *source, ptrdiff_t source_stride, void *target,
    ptrdiff_t target_stride, void *temporary) {
  zimg_image_buffer_const input = {ZIMG_API_VERSION};
  zimg_image_buffer output = {ZIMG_API_VERSION};
  input.plane[0].data = source;
  input.plane[0].stride = source_stride;
  input.plane[0].mask = ZIMG_BUFFER_MAX;
  output.plane[0].data = target;
  output.plane[0].stride = target_stride;
  output.plane[0].mask = ZIMG_BUFFER_MAX;
  return zimg_filter_graph_process(graph, &input, &output, temporary, 0, 0, 0, 0);
}

#endif
