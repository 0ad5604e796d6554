// Lets a test put a camera on loopback (PTP/IP) in the place of one on USB: the definitions that the linker takes in
// place of CSandbox's weak ones.
#define _GNU_SOURCE 1
#include "CSandbox.h"

#include <errno.h>
#include <seccomp.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

uint16_t csandbox_loopback_camera_port(void) {
  const char *text = getenv("MEDIABATCH_TEST_CAMERA_PORT");
  if (!text) return 0;
  char *end;
  unsigned long port = strtoul(text, &end, 10);
  return *text && !*end && port <= UINT16_MAX ? (uint16_t)port : 0;
}

int csandbox_landlock_allow_port(int ruleset, uint16_t port) {
  struct {
    uint64_t allowed_access;
    uint64_t port;
  } attr = {2 /* LANDLOCK_ACCESS_NET_CONNECT_TCP */, port};
  return syscall(SYS_landlock_add_rule, ruleset, 2 /* LANDLOCK_RULE_NET_PORT */, &attr, 0) ? -errno : 0;
}

// Landlock restricts the port.
int csandbox_seccomp_allow_loopback(void *filter) {
  int failure = seccomp_rule_add(
    filter, SCMP_ACT_ALLOW, SCMP_SYS(socket), 2, SCMP_A0_32(SCMP_CMP_EQ, AF_INET),
    SCMP_A1_32(SCMP_CMP_MASKED_EQ, 0xf, SOCK_STREAM));
  const int calls[] = {SCMP_SYS(connect), SCMP_SYS(getsockopt), SCMP_SYS(recvfrom)};
  for (size_t index = 0; !failure && index < sizeof calls / sizeof *calls; index++) {
    failure = seccomp_rule_add(filter, SCMP_ACT_ALLOW, calls[index], 0);
  }
  return failure;
}
