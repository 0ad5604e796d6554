// What the attempts of the self-test share.
#ifndef CSANDBOX_ATTEMPTS_H
#define CSANDBOX_ATTEMPTS_H

#include "CSandbox.h"

#include <errno.h>
#include <unistd.h>

/// A way that needs no file, which does nothing lasting where nothing refuses it.
struct csandbox_way {
  const char *name;
  int (*attempt)(csandbox_situation situation);
};
extern const struct csandbox_way csandbox_socket_ways[];
extern const int csandbox_socket_way_count;

/// 0 when a call worked, else its errno.
static inline int csandbox_answer(long result) { return result < 0 ? errno : 0; }

/// As csandbox_answer, but `past` is what the kernel says of arguments that are no good, which it
/// looks at only where nothing refuses the call itself: then the call was open, and that is 0.
static inline int csandbox_reached(long result, int past) {
  return result < 0 && errno != past ? errno : 0;
}

/// Closes what should not have been given.
static inline int csandbox_closed(long descriptor) {
  if (descriptor < 0) return errno;
  close((int)descriptor);
  return 0;
}

#endif
