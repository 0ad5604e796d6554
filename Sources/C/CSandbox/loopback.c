// A camera on loopback, which no release has. The programs of tests are linked with other definitions of these three
// functions (Tests/Programs/CCameraOnLoopback), which the linker takes in place of weak ones.

#include <errno.h>
#include <stdint.h>

#include "CSandbox.h"

__attribute__((weak)) uint16_t csandbox_loopback_camera_port(void) { return 0; }

__attribute__((weak)) int csandbox_landlock_allow_port(int ruleset, uint16_t port) {
  (void)ruleset;
  (void)port;
  return -EOPNOTSUPP;
}

__attribute__((weak)) int csandbox_seccomp_allow_loopback(void *filter) {
  (void)filter;
  return -EOPNOTSUPP;
}
