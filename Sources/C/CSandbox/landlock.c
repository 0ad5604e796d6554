#define _GNU_SOURCE 1
#include "CSandbox.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

// Declared here, since a build machine's <linux/landlock.h> may be older than the kernel it runs on
// (Debian 12 has ABI 2's). The kernel takes a shorter or longer struct if the rest is zero.
struct ruleset_attr {
  uint64_t handled_access_fs;
  uint64_t handled_access_net;
  uint64_t scoped;
};

struct __attribute__((packed)) path_beneath_attr {
  uint64_t allowed_access;
  int32_t parent_fd;
};

enum { create_ruleset_version = 1, rule_path_beneath = 1 };

int csandbox_landlock_abi(void) {
  long abi = syscall(SYS_landlock_create_ruleset, NULL, (size_t)0, create_ruleset_version);
  return abi > 0 ? (int)abi : 0;
}

int csandbox_landlock_create(uint64_t filesystem, uint64_t network, uint64_t scopes) {
  struct ruleset_attr attr = {filesystem, network, scopes};
  // An older kernel refuses a longer struct with E2BIG only if its tail is not zero, so the length
  // need not depend on the kernel.
  long ruleset = syscall(SYS_landlock_create_ruleset, &attr, sizeof attr, 0);
  return ruleset < 0 ? -errno : (int)ruleset;
}

int csandbox_landlock_allow(int ruleset, int descriptor, uint64_t rights) {
  struct path_beneath_attr attr = {rights, descriptor};
  return syscall(SYS_landlock_add_rule, ruleset, rule_path_beneath, &attr, 0) ? -errno : 0;
}

int csandbox_landlock_restrict(int ruleset) {
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)) return -errno;
  return syscall(SYS_landlock_restrict_self, ruleset, 0) ? -errno : 0;
}

struct open_how_attr {
  uint64_t flags;
  uint64_t mode;
  uint64_t resolve;
};

int csandbox_open_path_beneath(int folder, const char *path) {
  enum { no_magiclinks = 0x02, no_symlinks = 0x04, beneath = 0x08 };
  struct open_how_attr how = {O_PATH | O_CLOEXEC | O_NOFOLLOW, 0,
                              no_magiclinks | no_symlinks | beneath};
  for (int attempt = 0; attempt < 16; attempt++) {
    long descriptor = syscall(SYS_openat2, folder, path, &how, sizeof how);
    if (descriptor >= 0) return (int)descriptor;
    // EAGAIN: a rename elsewhere raced with the look-up. Source: openat2(2).
    if (errno != EAGAIN && errno != EINTR) break;
  }
  return -errno;
}

int csandbox_open_path(const char *path) {
  int descriptor = open(path, O_PATH | O_CLOEXEC);
  return descriptor < 0 ? -errno : descriptor;
}

int csandbox_kind(int descriptor) {
  struct stat status;
  if (fstat(descriptor, &status)) return -errno;
  if (S_ISDIR(status.st_mode)) return 1;
  return S_ISREG(status.st_mode) ? 2 : 0;
}
