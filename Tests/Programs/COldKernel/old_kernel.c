#define _GNU_SOURCE 1
#include "COldKernel.h"

#include <CSandbox.h>

#include <errno.h>
#include <poll.h>
#include <seccomp.h>
#include <stdint.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

// Landlock's numbers are the same on every architecture.
enum { create_ruleset = 444, add_rule = 445, restrict_self = 446 };

/// A filter that allows everything, by the 32-bit entry too: the program inside has its own filter.
static scmp_filter_ctx start(void) {
  scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ALLOW);
  if (!filter) return NULL;
  int failure = seccomp_attr_set(filter, SCMP_FLTATR_ACT_BADARCH, SCMP_ACT_ALLOW);
  // The kernel's own errno, where libseccomp would say ECANCELED.
  if (!failure) failure = seccomp_attr_set(filter, SCMP_FLTATR_API_SYSRAWRC, 1);
  if (!failure) return filter;
  seccomp_release(filter);
  return NULL;
}

/// Adds one action for Landlock's three calls.
static int add_landlock(scmp_filter_ctx filter, uint32_t action) {
  const int calls[] = {create_ruleset, add_rule, restrict_self};
  int failure = 0;
  for (size_t index = 0; !failure && index < sizeof calls / sizeof *calls; index++) {
    failure = seccomp_rule_add(filter, action, calls[index], 0);
  }
  return failure;
}

/// Loads the filter unless `failure`, and frees it.
static int finish(scmp_filter_ctx filter, int failure) {
  if (!failure) failure = seccomp_load(filter);
  seccomp_release(filter);
  return failure;
}

int coldkernel_refuse_landlock(int error) {
  scmp_filter_ctx filter = start();
  if (!filter) return -ENOMEM;
  return finish(filter, add_landlock(filter, SCMP_ACT_ERRNO((uint16_t)error)));
}

int coldkernel_refuse_seccomp(int error) {
  scmp_filter_ctx filter = start();
  if (!filter) return -ENOMEM;
  int failure = seccomp_rule_add(
    filter, SCMP_ACT_ERRNO((uint16_t)error), SCMP_SYS(seccomp), 0);
  // libseccomp falls back to the older call for the same. Source: prctl(2).
  if (!failure) {
    failure = seccomp_rule_add(
      filter, SCMP_ACT_ERRNO(EINVAL), SCMP_SYS(prctl), 1, SCMP_A0(SCMP_CMP_EQ, PR_SET_SECCOMP));
  }
  return finish(filter, failure);
}

/// The arguments that landlock_create_ruleset accepts at one ABI.
struct abi_limits {
  uint64_t filesystem, network, scopes;
  size_t size;
};

static struct abi_limits limits_of(int abi) {
  int rights = abi >= 5 ? 16 : abi >= 3 ? 15 : abi == 2 ? 14 : 13;
  return (struct abi_limits){
    .filesystem = ((uint64_t)1 << rights) - 1,
    .network = abi >= 4 ? 3 : 0,
    .scopes = abi >= 6 ? 3 : 0,
    .size = abi >= 6 ? 24 : abi >= 4 ? 16 : 8,
  };
}

/// Returns 0 to let the kernel continue the call, an ABI version, or a negated errno.
/// Source: security/landlock/syscalls.c, sys_landlock_create_ruleset of each release.
static int answer_create(pid_t pid, const struct seccomp_data *call, int abi) {
  const struct abi_limits limits = limits_of(abi);
  const uint64_t size = call->args[1];
  if (call->args[2] == 1) return call->args[0] == 0 && size == 0 ? abi : -EINVAL;
  if (call->args[2] != 0 || size < sizeof(uint64_t)) return -EINVAL;
  if (size > 4096) return -E2BIG;
  uint64_t attributes[512] = {0};
  struct iovec local = {attributes, size}, remote = {(void *)(uintptr_t)call->args[0], size};
  if (process_vm_readv(pid, &local, 1, &remote, 1, 0) != (ssize_t)size) return -EFAULT;
  for (size_t part = limits.size / sizeof *attributes; part < 512; part++) {
    if (attributes[part]) return -E2BIG;
  }
  if (attributes[0] & ~limits.filesystem) return -EINVAL;
  if (attributes[1] & ~limits.network) return -EINVAL;
  if (attributes[2] & ~limits.scopes) return -EINVAL;
  return attributes[0] || attributes[1] || attributes[2] ? 0 : -ENOMSG;
}

static int answer_call(pid_t pid, const struct seccomp_data *call, int abi) {
  enum { path_beneath = 1, net_port = 2 };
  switch (call->nr) {
    case create_ruleset: return answer_create(pid, call, abi);
    case add_rule:
      return call->args[1] == path_beneath || (call->args[1] == net_port && abi >= 4) ? 0 : -EINVAL;
    default: return abi < 7 && call->args[1] ? -EINVAL : 0;
  }
}

static int supervise(int listener, int abi) {
  struct seccomp_notif *request = NULL;
  struct seccomp_notif_resp *response = NULL;
  int failure = seccomp_notify_alloc(&request, &response);
  while (!failure) {
    struct pollfd entry = {.fd = listener, .events = POLLIN};
    if (poll(&entry, 1, -1) < 0 && errno != EINTR) break;
    // Every process that the filter binds has ended.
    if (!(entry.revents & POLLIN)) {
      if (entry.revents) break;
      continue;
    }
    memset(request, 0, sizeof *request);
    memset(response, 0, sizeof *response);
    // The caller may have been killed meanwhile.
    if (seccomp_notify_receive(listener, request)) continue;
    int answer = answer_call((pid_t)request->pid, &request->data, abi);
    response->id = request->id;
    if (answer < 0) {
      response->error = answer;
    } else if (answer > 0) {
      response->val = answer;
    } else {
      response->flags = SECCOMP_USER_NOTIF_FLAG_CONTINUE;
    }
    seccomp_notify_respond(listener, response);
  }
  seccomp_notify_free(request, response);
  return failure;
}

static int install(void) {
  scmp_filter_ctx filter = start();
  if (!filter) return -ENOMEM;
  int failure = add_landlock(filter, SCMP_ACT_NOTIFY);
  if (!failure) failure = seccomp_load(filter);
  int listener = failure ? failure : seccomp_notify_fd(filter);
  // Releasing the filter closes its own descriptor.
  int kept = listener < 0 ? listener : dup(listener);
  seccomp_release(filter);
  return kept;
}

int coldkernel_run_under_landlock(int abi, char *const arguments[]) {
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends)) return -errno;
  pid_t child = fork();
  if (child < 0) return -errno;
  if (child == 0) {
    int listener = install();
    if (listener < 0 || csandbox_send(ends[1], "l", 1, listener) != 1) _exit(126);
    close(listener);
    execv(arguments[0], arguments);
    _exit(127);
  }
  close(ends[1]);
  char byte;
  int listener = -1;
  csandbox_receive(ends[0], &byte, 1, &listener);
  close(ends[0]);
  int failure = listener < 0 ? -EPROTO : supervise(listener, abi);
  if (listener >= 0) close(listener);
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {}
  if (failure) return failure;
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
