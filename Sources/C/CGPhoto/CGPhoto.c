#define _GNU_SOURCE 1
#include "CGPhoto.h"

#include <dlfcn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

// The part of libgphoto2's interface that is used here. Source: gphoto2-camera.h, gphoto2-abilities-list.h,
// gphoto2-filesys.h, gphoto2-file.h, gphoto2-list.h, gphoto2-port-info-list.h, gphoto2-version.h.

typedef struct Camera Camera;
typedef struct CameraFile CameraFile;
typedef struct CameraList CameraList;
typedef struct GPContext GPContext;
typedef struct GPPortInfo *GPPortInfo;
typedef struct GPPortInfoList GPPortInfoList;

enum { port_usb = 1 << 2, port_ptpip = 1 << 4, file_normal = 1, short_version = 0 };
enum { has_size = 1 << 2, has_modified = 1 << 7 };
/// Still image capture devices that speak PTP. Source: USB Still Image Capture Device Definition 1.0, 3.
enum { image_class = 6, image_subclass = 1, image_protocol = 1 };

typedef struct {
  char model[128];
  int status;
  int port;
  int speed[64];
  int operations, file_operations, folder_operations;
  int usb_vendor, usb_product, usb_class, usb_subclass, usb_protocol;
  char library[1024];
  char id[1024];
  int device_type;
  int reserved[7];
} CameraAbilities;

typedef struct {
  struct {
    int fields, status;
    uint64_t size;
    char type[64];
    uint32_t width, height;
  } preview;
  struct {
    int fields, status;
    uint64_t size;
    char type[64];
    uint32_t width, height;
    int permissions;
    time_t mtime;
  } file;
  struct {
    int fields, status;
    uint64_t size;
    char type[64];
  } audio;
} CameraFileInfo;

typedef struct {
  int (*size)(void *context, uint64_t *size);
  int (*read)(void *context, unsigned char *data, uint64_t *length);
  int (*write)(void *context, unsigned char *data, uint64_t *length);
} CameraFileHandler;

#define FUNCTIONS(each)                                                                       \
  each(int, camera_new, (Camera **))                                                          \
  each(int, camera_set_abilities, (Camera *, CameraAbilities))                                \
  each(int, camera_set_port_info, (Camera *, GPPortInfo))                                     \
  each(int, camera_init, (Camera *, GPContext *))                                             \
  each(int, camera_exit, (Camera *, GPContext *))                                             \
  each(int, camera_unref, (Camera *))                                                         \
  each(int, camera_folder_list_files, (Camera *, const char *, CameraList *, GPContext *))    \
  each(int, camera_folder_list_folders, (Camera *, const char *, CameraList *, GPContext *))  \
  each(int, camera_file_get_info,                                                             \
       (Camera *, const char *, const char *, CameraFileInfo *, GPContext *))                 \
  each(int, camera_file_get,                                                                  \
       (Camera *, const char *, const char *, int, CameraFile *, GPContext *))                \
  each(int, camera_get_storageinfo, (Camera *, void **, int *, GPContext *))                  \
  each(int, file_new_from_handler, (CameraFile **, CameraFileHandler *, void *))              \
  each(int, file_unref, (CameraFile *))                                                       \
  each(int, list_new, (CameraList **))                                                        \
  each(int, list_free, (CameraList *))                                                        \
  each(int, list_count, (CameraList *))                                                       \
  each(int, list_get_name, (CameraList *, int, const char **))                                \
  each(GPContext *, context_new, (void))                                                      \
  each(void, context_unref, (GPContext *))                                                    \
  each(const char **, library_version, (int))                                                 \
  each(const char *, result_as_string, (int))

#define PORT_FUNCTIONS(each)                                            \
  each(int, port_info_list_new, (GPPortInfoList **))                    \
  each(int, port_info_list_load, (GPPortInfoList *))                    \
  each(int, port_info_list_lookup_path, (GPPortInfoList *, const char *)) \
  each(int, port_info_list_get_info, (GPPortInfoList *, int, GPPortInfo *)) \
  each(int, port_info_list_free, (GPPortInfoList *))

static struct {
#define MEMBER(result, name, parameters) result(*name) parameters;
  FUNCTIONS(MEMBER) PORT_FUNCTIONS(MEMBER)
#undef MEMBER
} gp;

/// The path of the driver, without its extension.
static char driver[1024];

typedef struct {
  int (*body)(const void *bytes, size_t count, void *context);
  void *context;
  bool has_ended;
} reading;

struct cgphoto_camera {
  Camera *camera;
  GPContext *context;
  GPPortInfoList *ports;
  /// The file that is read; libgphoto2 may keep the handler as long as the camera.
  reading current;
  CameraFileHandler handler;
};

static const char *find_driver(void) {
  Dl_info info;
  // Beside the library itself, as it looks for its drivers.
  if (!dladdr((void *)gp.camera_new, &info) || !info.dli_fname) return "libgphoto2 has no path";
  char real[1024];
  const char *slash = strrchr(info.dli_fname, '/');
  if (!slash || (size_t)(slash - info.dli_fname) >= sizeof real) return "libgphoto2 has no path";
  memcpy(real, info.dli_fname, (size_t)(slash - info.dli_fname));
  real[slash - info.dli_fname] = '\0';
  int length = snprintf(driver, sizeof driver, "%s/libgphoto2/%s/ptp2", real, cgphoto_version());
  return length > 0 && (size_t)length < sizeof driver ? NULL : "libgphoto2 has no path";
}

static const char *load(void) {
  void *port = dlopen("libgphoto2_port.so.12", RTLD_NOW | RTLD_GLOBAL);
  if (!port) return dlerror();
  void *library = dlopen("libgphoto2.so.6", RTLD_NOW | RTLD_LOCAL);
  if (!library) return dlerror();
#define FIND(result, name, parameters)                                       \
  if (!(gp.name = (result(*) parameters)dlsym(library, "gp_" #name))) {      \
    return "libgphoto2 is older than 2.5: no gp_" #name;                     \
  }
  FUNCTIONS(FIND)
#undef FIND
#define FIND(result, name, parameters)                                       \
  if (!(gp.name = (result(*) parameters)dlsym(port, "gp_" #name))) {         \
    return "libgphoto2_port is older than 0.12: no gp_" #name;               \
  }
  PORT_FUNCTIONS(FIND)
#undef FIND
  return find_driver();
}

const char *cgphoto_load(void) {
  static bool was_tried;
  static const char *reason;
  if (!was_tried) {
    const char *failure = load();
    // dlerror's text is overwritten by the next failure.
    reason = failure ? strdup(failure) : NULL;
    was_tried = true;
  }
  return reason;
}

const char *cgphoto_version(void) {
  const char **words = gp.library_version(short_version);
  return words && words[0] ? words[0] : "";
}

const char *cgphoto_error_text(int error) {
  const char *text = gp.result_as_string ? gp.result_as_string(error) : NULL;
  return text ? text : "unknown error";
}

static int set_up(cgphoto_camera *opened, const char *port, int vendor, int product) {
  int result = gp.camera_new(&opened->camera);
  if (result < 0) return result;
  const bool is_usb = vendor || product;
  // Given a model, libgphoto2 loads this driver alone, and asks no other whether it knows the device.
  CameraAbilities abilities = {
    .model = "USB PTP Class Camera",
    .port = is_usb ? port_usb : port_ptpip,
    .usb_vendor = vendor,
    .usb_product = product,
    .usb_class = image_class,
    .usb_subclass = image_subclass,
    .usb_protocol = image_protocol,
    .id = "ptp",
  };
  if (!is_usb) strcpy(abilities.model, "PTP/IP Camera");
  strcpy(abilities.library, driver);
  result = gp.camera_set_abilities(opened->camera, abilities);
  if (result < 0) return result;
  result = gp.port_info_list_new(&opened->ports);
  if (result < 0) return result;
  result = gp.port_info_list_load(opened->ports);
  if (result < 0) return result;
  const int index = gp.port_info_list_lookup_path(opened->ports, port);
  if (index < 0) return index;
  GPPortInfo info;
  result = gp.port_info_list_get_info(opened->ports, index, &info);
  if (result < 0) return result;
  result = gp.camera_set_port_info(opened->camera, info);
  if (result < 0) return result;
  return gp.camera_init(opened->camera, opened->context);
}

int cgphoto_open(const char *port, int vendor, int product, cgphoto_camera **camera) {
  cgphoto_camera *opened = calloc(1, sizeof *opened);
  if (!opened) return cgphoto_error;
  opened->context = gp.context_new();
  int result = set_up(opened, port, vendor, product);
  if (result < 0) {
    cgphoto_close(opened);
    return result;
  }
  *camera = opened;
  return 0;
}

void cgphoto_close(cgphoto_camera *camera) {
  if (!camera) return;
  if (camera->camera) {
    gp.camera_exit(camera->camera, camera->context);
    gp.camera_unref(camera->camera);
  }
  if (camera->ports) gp.port_info_list_free(camera->ports);
  if (camera->context) gp.context_unref(camera->context);
  free(camera);
}

int cgphoto_each_name(
  cgphoto_camera *camera, const char *folder, int folders, int (*body)(const char *name, void *context),
  void *context) {
  CameraList *list = NULL;
  int result = gp.list_new(&list);
  if (result < 0) return result;
  result = folders
    ? gp.camera_folder_list_folders(camera->camera, folder, list, camera->context)
    : gp.camera_folder_list_files(camera->camera, folder, list, camera->context);
  const int count = result < 0 ? 0 : gp.list_count(list);
  for (int index = 0; result >= 0 && index < count; index++) {
    const char *name = NULL;
    result = gp.list_get_name(list, index, &name);
    if (result >= 0 && name && body(name, context)) result = cgphoto_error_canceled;
  }
  gp.list_free(list);
  return result < 0 ? result : 0;
}

int cgphoto_info(
  cgphoto_camera *camera, const char *folder, const char *name, int64_t *size, int64_t *modified) {
  CameraFileInfo info;
  memset(&info, 0, sizeof info);
  int result = gp.camera_file_get_info(camera->camera, folder, name, &info, camera->context);
  if (result < 0) return result;
  *size = info.file.fields & has_size && info.file.size <= INT64_MAX ? (int64_t)info.file.size : -1;
  *modified = info.file.fields & has_modified ? (int64_t)info.file.mtime : -1;
  return 0;
}

/// Returns 0 when all bytes were taken.
static int write_bytes(void *context, unsigned char *data, uint64_t *length) {
  reading *one = context;
  if (!one->body) return cgphoto_error;
  if (!one->has_ended && one->body(data, (size_t)*length, one->context)) one->has_ended = true;
  return one->has_ended ? cgphoto_error_canceled : 0;
}

static int refuse_size(void *context, uint64_t *size) {
  (void)context;
  *size = 0;
  return cgphoto_error;
}

static int refuse_read(void *context, unsigned char *data, uint64_t *length) {
  (void)context;
  (void)data;
  *length = 0;
  return cgphoto_error;
}

int cgphoto_read(
  cgphoto_camera *camera, const char *folder, const char *name,
  int (*body)(const void *bytes, size_t count, void *context), void *context) {
  camera->handler = (CameraFileHandler){.size = refuse_size, .read = refuse_read, .write = write_bytes};
  camera->current = (reading){.body = body, .context = context};
  CameraFile *file = NULL;
  int result = gp.file_new_from_handler(&file, &camera->handler, &camera->current);
  if (result < 0) return result;
  result = gp.camera_file_get(camera->camera, folder, name, file_normal, file, camera->context);
  gp.file_unref(file);
  const bool has_ended = camera->current.has_ended;
  camera->current = (reading){0};
  return has_ended ? cgphoto_error_canceled : result < 0 ? result : 0;
}

int cgphoto_answers(cgphoto_camera *camera) {
  void *storages = NULL;
  int count = 0;
  int result = gp.camera_get_storageinfo(camera->camera, &storages, &count, camera->context);
  free(storages);
  return result >= 0;
}
