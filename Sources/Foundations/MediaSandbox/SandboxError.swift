private import CSandbox

/// A failure to confine a process, to start a worker or to pass a message.
package struct SandboxError: Error, Sendable, Hashable {
  /// The kind of failure, for a program; ``description`` is for people.
  package enum Code: String, Sendable, Hashable, CaseIterable {
    /// The kernel has no Landlock, or one older than ABI 2.
    case landlockUnavailable
    /// The kernel, or a filter around this process, does not let it install one.
    case seccompUnavailable
    /// Landlock binds one thread; another one would stay free.
    case notSingleThreaded
    /// Landlock refused a ruleset or the layer itself; the 17th layer is E2BIG.
    case layerRefused
    /// The path of a rule cannot be opened, or the kernel refused the rule.
    case ruleRefused
    /// A rule for one file met a folder, a link or a device, which would allow more than one file.
    case notRegularFile
    /// setrlimit or prctl failed.
    case limitRefused
    /// The coordinator ended before the worker could bind itself to it.
    case parentGone
    /// The socket pair or the process could not be created.
    case spawnFailed
    /// Workers are started by the main thread only: see
    /// ``WorkerProcess/spawn(executable:arguments:nullDevice:)``.
    case notMainThread
    /// The process has ended, or was never a child of this process.
    case noSuchWorker
    /// sendmsg failed.
    case sendFailed
    /// recvmsg failed.
    case receiveFailed
    /// More than one descriptor came with a message, or one that the kernel had to drop.
    case unexpectedDescriptors
  }

  /// The kind of failure.
  package var code: Code
  /// The errno, or 0 without one.
  package var number: Int32
  /// The path or step that failed. A path is text that may differ from the file's exact bytes.
  package var subject: String

  /// Makes an error with an errno and a subject.
  package init(_ code: Code, number: Int32 = 0, subject: String = "") {
    self.code = code
    self.number = number
    self.subject = subject
  }

  /// Makes an error from the negated errno of a C function.
  init(_ code: Code, result: some BinaryInteger, subject: String = "") {
    self.init(
      code,
      number: Int32(truncatingIfNeeded: 0 &- Int(truncatingIfNeeded: result)),
      subject: subject
    )
  }

  /// Whether a process could not be confined, as opposed to started or talked to.
  package var isOfConfinement: Bool {
    switch code {
    case .landlockUnavailable, .seccompUnavailable, .notSingleThreaded, .layerRefused, .ruleRefused,
      .notRegularFile, .limitRefused, .parentGone:
      true
    case .spawnFailed, .notMainThread, .noSuchWorker, .sendFailed, .receiveFailed,
      .unexpectedDescriptors:
      false
    }
  }

  /// The name of `number`, such as `EACCES`; empty for 0.
  package var numberName: String {
    number == 0 ? "" : errorName(number)
  }
}

extension SandboxError: CustomStringConvertible {
  /// One line for a person, with the subject and the kernel's name for the cause.
  package var description: String {
    let what =
      switch code {
      case .landlockUnavailable:
        "this kernel has no Landlock, or one before ABI 2 (Linux 5.19)"
      case .seccompUnavailable: "this kernel does not let a program filter its own system calls"
      case .notSingleThreaded: "confinement has to come before any second thread"
      case .layerRefused: "the kernel refused a Landlock layer"
      case .ruleRefused: "a Landlock rule could not be made"
      case .notRegularFile: "a rule for one file met something that is no regular file"
      case .limitRefused: "a resource limit could not be set"
      case .parentGone: "the coordinator has ended"
      case .spawnFailed: "the worker could not be started"
      case .notMainThread: "a worker has to be started by the main thread"
      case .noSuchWorker: "the worker has ended"
      case .sendFailed: "a message could not be sent"
      case .receiveFailed: "a message could not be received"
      case .unexpectedDescriptors: "a message brought descriptors that were not requested"
      }
    let location = subject.isEmpty ? "" : ": " + subject
    return number == 0 ? what + location : "\(what)\(location) (\(numberName))"
  }
}

/// The symbol of an errno. Source: strerrorname_np(3).
func errorName(_ number: Int32) -> String {
  String(cString: csandbox_errno_name(number))
}
