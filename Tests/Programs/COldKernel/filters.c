#define _GNU_SOURCE 1
#include "COldKernel.h"

#include <CSandbox.h>

#include <dlfcn.h>
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <seccomp.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

/// Where a filter goes in place of the kernel, -1 outside of coldkernel_write_filter.
static int target = -1;
/// A number that no rule of a filter has.
enum { written_pid = 1 << 21 };

// These two stand for the libraries' own, in the programs of tests alone: without privileges a filter cannot
// be read back from the kernel.

int seccomp_load(const scmp_filter_ctx filter) {
  if (target >= 0) return seccomp_export_bpf(filter, target);
  int (*load)(const scmp_filter_ctx) =
    (int (*)(const scmp_filter_ctx))dlsym(RTLD_NEXT, "seccomp_load");
  return load ? load(filter) : -ENOSYS;
}

pid_t getpid(void) { return target >= 0 ? written_pid : (pid_t)syscall(SYS_getpid); }

static int make_filter(const char *kind) {
  if (!strcmp(kind, "coordinator")) return csandbox_seccomp_coordinator();
  if (!strcmp(kind, "worker")) return csandbox_seccomp_worker();
  if (!strcmp(kind, "picker")) return csandbox_seccomp_picker();
  if (!strcmp(kind, "page")) return csandbox_seccomp_page(7);
  if (!strcmp(kind, "times")) return csandbox_seccomp_times(7);
  if (!strcmp(kind, "watcher")) return csandbox_seccomp_watcher();
  if (!strcmp(kind, "camera")) return csandbox_seccomp_camera(0);
  return -EINVAL;
}

int coldkernel_write_filter(const char *kind, int descriptor) {
  target = memfd_create("filter", MFD_CLOEXEC);
  if (target < 0) return -errno;
  int result = make_filter(kind);
  struct sock_filter step;
  uint32_t loaded = 0;
  for (off_t at = 0; !result && pread(target, &step, sizeof step, at) == sizeof step;
       at += sizeof step) {
    // The watcher's filter has the address of a page, which is another one in each process.
    const uint32_t argument = offsetof(struct seccomp_data, args) + 8;
    if (!strcmp(kind, "watcher") && BPF_CLASS(step.code) == BPF_JMP) {
      if (loaded == argument) step.k &= 0xfff;
      if (loaded == argument + 4) step.k = 0;
    }
    loaded = step.code == (BPF_LD | BPF_W | BPF_ABS) ? step.k : 0;
    dprintf(descriptor, "%04x %u %u %08x\n", step.code, step.jt, step.jf, step.k);
  }
  close(target);
  target = -1;
  return result;
}

int coldkernel_write_filter_writer(int descriptor) {
  const struct scmp_version *version = seccomp_version();
#if defined(__x86_64__)
  const char *machine = "x86_64";
#else
  const char *machine = "other";
#endif
  return dprintf(
    descriptor, "%u.%u.%u %s\n", version->major, version->minor, version->micro, machine);
}
