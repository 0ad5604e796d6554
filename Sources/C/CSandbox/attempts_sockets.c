#define _GNU_SOURCE 1
#include "CSandbox.h"
#include "attempts.h"

#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

static int open_socket(int domain, int type) {
  return csandbox_closed(socket(domain, type | SOCK_CLOEXEC, 0));
}

static int open_pair(int type) {
  int ends[2];
  if (socketpair(AF_UNIX, type | SOCK_CLOEXEC, 0, ends)) return errno;
  close(ends[0]);
  close(ends[1]);
  return 0;
}

static int tcp(csandbox_situation s) { (void)s; return open_socket(AF_INET, SOCK_STREAM); }
static int tcp6(csandbox_situation s) { (void)s; return open_socket(AF_INET6, SOCK_STREAM); }
static int udp(csandbox_situation s) { (void)s; return open_socket(AF_INET, SOCK_DGRAM); }
static int udp6(csandbox_situation s) { (void)s; return open_socket(AF_INET6, SOCK_DGRAM); }
static int unix_stream(csandbox_situation s) { (void)s; return open_socket(AF_UNIX, SOCK_STREAM); }
static int unix_datagram(csandbox_situation s) { (void)s; return open_socket(AF_UNIX, SOCK_DGRAM); }
static int netlink(csandbox_situation s) { (void)s; return open_socket(AF_NETLINK, SOCK_DGRAM); }
static int datagram_pair(csandbox_situation s) { (void)s; return open_pair(SOCK_DGRAM); }
static int packet_pair(csandbox_situation s) { (void)s; return open_pair(SOCK_SEQPACKET); }

/// The name is abstract: it is in no folder, so no rule for a path covers it.
static socklen_t abstract_name(struct sockaddr_un *address) {
  memset(address, 0, sizeof *address);
  address->sun_family = AF_UNIX;
  // Two self-tests at once must not use the same name.
  int length = snprintf(
    address->sun_path + 1, sizeof address->sun_path - 1, "mediabatch-self-test-%d", getpid());
  return (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + (size_t)length);
}

static int bind_abstract(csandbox_situation s) {
  struct sockaddr_un address;
  socklen_t length = abstract_name(&address);
  // EINVAL: it has a name already.
  return csandbox_reached(bind(s.socket, (struct sockaddr *)&address, length), EINVAL);
}

static int connect_abstract(csandbox_situation s) {
  struct sockaddr_un address;
  socklen_t length = abstract_name(&address);
  if (connect(s.socket, (struct sockaddr *)&address, length) == 0) return 0;
  // There is no listener, or the socket is connected already.
  return errno == ECONNREFUSED || errno == EISCONN ? 0 : errno;
}

static int send_abstract(csandbox_situation s) {
  struct sockaddr_un address;
  socklen_t length = abstract_name(&address);
  return csandbox_reached(
    sendto(s.socket, "\n", 1, MSG_NOSIGNAL, (struct sockaddr *)&address, length), EISCONN);
}

static int listening(csandbox_situation s) {
  return csandbox_reached(listen(s.socket, 1), EINVAL);
}

static int accepting(csandbox_situation s) {
  return csandbox_reached(accept4(s.socket, NULL, NULL, SOCK_CLOEXEC), EINVAL);
}

const struct csandbox_way csandbox_socket_ways[] = {
  {"a TCP socket", tcp},
  {"a TCP socket (IPv6)", tcp6},
  {"a UDP socket", udp},
  {"a UDP socket (IPv6)", udp6},
  {"a UNIX socket", unix_stream},
  {"a UNIX datagram socket", unix_datagram},
  {"a netlink socket", netlink},
  {"a pair of datagram sockets", datagram_pair},
  {"a pair of packet sockets", packet_pair},
  {"give a socket it has an abstract name", bind_abstract},
  {"connect a socket it has to an abstract one", connect_abstract},
  {"send to an abstract socket", send_abstract},
  {"listen on a socket it has", listening},
  {"accept on a socket it has", accepting},
};

const int csandbox_socket_way_count = sizeof csandbox_socket_ways / sizeof *csandbox_socket_ways;
