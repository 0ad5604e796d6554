private import CSandbox
private import Glibc

extension SelfTest {
  /// Attempts to reach the network, other processes and whole interfaces of the kernel.
  ///
  /// - Parameter socket: One end of a pair of streams that this process has.
  /// - Returns: The attempts, in a fixed order.
  static func reaching(socket: Int32) -> [Attempt] {
    let situation = csandbox_situation(parent: getppid(), socket: socket)
    var attempts: [Attempt] = []
    for index in 0..<csandbox_way_count() { attempts.append(way(index, situation)) }
    #if arch(x86_64)
      attempts += foreignSystemCalls()
    #endif
    return attempts
  }

  /// Attempts to start or become another process, to hand on a descriptor, and to reach the parent.
  ///
  /// - Parameter descriptor: A descriptor that this process was given.
  /// - Returns: The attempts, in a fixed order.
  static func leaving(with descriptor: Int32) -> [Attempt] {
    [
      Attempt("start a process", csandbox_try_fork()),
      Attempt("become another program", csandbox_try_exec_in_place("/bin/true")),
      Attempt("a pair of stream sockets", csandbox_try_stream_pair()),
      Attempt(
        "smuggle a descriptor to the parent",
        csandbox_try_send_descriptor(WorkerProcess.socketInWorker, descriptor)
      ),
      Attempt("signal the parent", number(kill(getppid(), 0))),
      Attempt("be traced by others", csandbox_try_dumpable()),
      Attempt("change its folder", number(chdir("/"))),
    ]
  }

  /// Attempts that cannot be undone if they succeed: stacking Landlock layers and filters, creating
  /// user and mount namespaces.
  static func lasting(_ stage: SelfTestStage) -> [Attempt] {
    return [
      Attempt("make a socket behind a filter that allows it", csandbox_try_allowing_filter()),
      Attempt("users of its own", csandbox_try_own_users()),
      Attempt(
        "open a refused file behind a layer that allows it",
        csandbox_try_allowing_layer(stage.refusedFile)
      ),
    ]
  }

  private static func way(_ index: Int32, _ situation: csandbox_situation) -> Attempt {
    Attempt(String(cString: csandbox_way_name(index)), csandbox_try_way(index, situation))
  }

  /// Makes a harmless call by each of the kernel's other entries (x86-64 has two: 32-bit and x32).
  package static func foreignSystemCalls() -> [Attempt] {
    [
      Attempt("a 32-bit system call", csandbox_try_foreign_abi(0)),
      Attempt("an x32 system call", csandbox_try_foreign_abi(1)),
    ]
  }
}
