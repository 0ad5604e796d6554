// A camera through libgphoto2, loaded when it is first needed. Only reading: nothing here removes, writes,
// captures or changes a setting.
//
// libgphoto2's headers are not needed to build. The functions and the three structs that are declared in
// CGPhoto.c are those of its interface 6, which has not changed since 2.5.0.
//
// Functions that return an int return 0, a positive value, or libgphoto2's negative error number.
#ifndef CGPHOTO_H
#define CGPHOTO_H

#include <stddef.h>
#include <stdint.h>

/// libgphoto2's errors that are told apart. Source: gphoto2-result.h, gphoto2-port-result.h.
enum {
  cgphoto_error = -1,
  cgphoto_error_library = -4,
  cgphoto_error_unknown_port = -5,
  cgphoto_error_io = -7,
  cgphoto_error_timeout = -10,
  cgphoto_error_usb_find = -52,
  cgphoto_error_usb_claim = -53,
  cgphoto_error_no_model = -105,
  cgphoto_error_no_folder = -107,
  cgphoto_error_no_file = -108,
  cgphoto_error_busy = -110,
  cgphoto_error_canceled = -112,
};

/// Loads the libraries; returns NULL, or the reason that there are none. Later calls return the same.
const char *cgphoto_load(void);
/// The version of the library, such as "2.5.30"; valid after it was loaded.
const char *cgphoto_version(void);
/// libgphoto2's words for an error number.
const char *cgphoto_error_text(int error);

typedef struct cgphoto_camera cgphoto_camera;

/// Opens a camera by PTP or MTP, with the driver `ptp2` and no other.
///
/// `port` is libgphoto2's, such as "usb:001,004"; `vendor` and `product` are those of a USB device, or 0.
int cgphoto_open(const char *port, int vendor, int product, cgphoto_camera **camera);
/// Ends the session and frees the camera; NULL is ignored.
void cgphoto_close(cgphoto_camera *camera);
/// Calls `body` with the name of each folder, or file, in a folder; a `body` that does not return 0 ends it.
int cgphoto_each_name(
  cgphoto_camera *camera, const char *folder, int folders, int (*body)(const char *name, void *context),
  void *context);
/// Sets size and time of modification of a file: bytes and seconds since 1970, −1 for what is not known.
int cgphoto_info(
  cgphoto_camera *camera, const char *folder, const char *name, int64_t *size, int64_t *modified);
/// Calls `body` with the bytes of a file, in order; a `body` that does not return 0 ends it, with
/// cgphoto_error_canceled.
int cgphoto_read(
  cgphoto_camera *camera, const char *folder, const char *name,
  int (*body)(const void *bytes, size_t count, void *context), void *context);
/// Returns 1 when the camera still answers, which it is asked, else 0.
int cgphoto_answers(cgphoto_camera *camera);

#endif
