// Declarations shared by the attempts of the self-test.
#ifndef CSANDBOX_ATTEMPTS_H
#define CSANDBOX_ATTEMPTS_H

#include "CSandbox.h"

#include <errno.h>
#include <unistd.h>

/// An attempt that needs no file and has no lasting effect if it is allowed.
struct csandbox_way {
  const char *name;
  int (*attempt)(csandbox_situation situation);
};
extern const struct csandbox_way csandbox_socket_ways[];
extern const int csandbox_socket_way_count;

/// Returns 0 when a call succeeded, else its errno.
static inline int csandbox_answer(long result) { return result < 0 ? errno : 0; }

/// Returns the errno, or 0 if it is `past`: the kernel's answer to invalid arguments, which it
/// reads only if nothing refuses the call itself.
static inline int csandbox_reached(long result, int past) {
  return result < 0 && errno != past ? errno : 0;
}

/// Closes a descriptor that should have been refused.
static inline int csandbox_closed(long descriptor) {
  if (descriptor < 0) return errno;
  close((int)descriptor);
  return 0;
}

#endif
