internal import Glibc
internal import MediaManifest
internal import MediaModel
package import MediaSandbox
internal import MediaSyntax

/// The process that notices changes in granted sources, started again from this program.
///
/// Confined, it can list and watch the folders that it was given and what is beneath them, open no file,
/// and tell its supervisor in single bytes that something has changed. It ends with the supervisor.
package enum WatcherProcess {
  /// The first argument of the program that does this.
  package static let argument = "watcher"
  /// The exit code of a process that could not be confined.
  static let notConfined: Int32 = 69

  /// The bytes from the supervisor.
  enum Order: UInt8 {
    /// A root follows with it; the process answers with the same byte.
    case root = 1
    /// A root follows with it; try to escape, say the results, and end.
    case selfTest = 2
    /// The rules of all roots follow: four bytes of length, and JSON.
    case watch = 3
    case watchByProcessAlone = 4
  }

  /// The bytes to the supervisor.
  enum Word: UInt8 {
    case rootTaken = 1
    case watching = 2
    case changed = 3
    /// Some folders have no watch: the user has no more.
    case lacksWatches = 4
  }

  /// Does it, once, on the main thread, while it is the only one.
  ///
  /// - Parameter stage: The stage of a self-test, else nil.
  /// - Returns: The exit code: 0 when the supervisor has ended the conversation, 64 when nobody asked, 69
  ///   when it could not be confined, 70 for a message that is none.
  package static func run(stage: SelfTestStage?) -> Int32 {
    var roots: [Int32] = []
    while true {
      guard let (byte, descriptor) = receive(), let order = Order(rawValue: byte) else { return 64 }
      switch order {
      case .root:
        guard let descriptor, roots.count < 16, stage == nil else { return 64 }
        roots.append(descriptor)
        guard say(.rootTaken) else { return 0 }
      case .selfTest:
        guard let stage, let descriptor else { return 64 }
        do {
          try WatcherConfinement.enter(roots: [descriptor], enforcesByKernel: true)
        } catch {
          return notConfined
        }
        let attempts = SelfTest.watcherAttempts(stage, root: descriptor)
        return SelfTest.write(attempts, to: WorkerProcess.socketInWorker) ? 0 : notConfined
      case .watch, .watchByProcessAlone:
        guard stage == nil, let rules = receiveRules(), rules.count == roots.count else {
          return 70
        }
        do {
          try WatcherConfinement.enter(roots: roots, enforcesByKernel: order == .watch)
        } catch {
          return notConfined
        }
        return watch(zip(roots, rules).map { WatchedFolders.Source(root: $0, ignored: $1) })
      }
    }
  }

  /// Reports changes until the supervisor closes its end.
  private static func watch(_ sources: [WatchedFolders.Source]) -> Int32 {
    do {
      var folders = try WatchedFolders(of: sources)
      if folders.isIncomplete, !say(.lacksWatches) { return 0 }
      guard say(.watching) else { return 0 }
      var hasSaid = folders.isIncomplete
      while true {
        var entries = [
          pollfd(fd: WorkerProcess.socketInWorker, events: Int16(POLLIN), revents: 0),
          pollfd(fd: folders.descriptor, events: Int16(POLLIN), revents: 0),
        ]
        guard poll(&entries, 2, -1) > 0 || errno == EINTR || errno == EAGAIN else { return 70 }
        // The supervisor says nothing any more: this is its end.
        if entries[0].revents != 0 { return 0 }
        if entries[1].revents == 0 { continue }
        let findings = try folders.takeEvents()
        if findings.hasChanged, !say(.changed) { return 0 }
        if findings.lacksWatches, !hasSaid {
          hasSaid = true
          guard say(.lacksWatches) else { return 0 }
        }
      }
    } catch {
      return 70
    }
  }

  private static func receive() -> (UInt8, Int32?)? {
    var byte: [UInt8] = [0]
    let received = byte.withUnsafeMutableBytes { bytes in
      try? DescriptorPassing.receive(
        into: bytes,
        over: WorkerProcess.socketInWorker,
        acceptDescriptor: true
      )
    }
    guard let received, received.count == 1 else { return nil }
    return (byte[0], received.descriptor)
  }

  private static func receiveRules() -> [IgnoreRules]? {
    func read(_ count: Int) -> [UInt8]? {
      var bytes: [UInt8] = []
      while bytes.count < count {
        guard let (byte, descriptor) = receive(), descriptor == nil else { return nil }
        bytes.append(byte)
      }
      return bytes
    }
    guard let header = read(4) else { return nil }
    let length = header.reversed().reduce(0) { $0 << 8 | Int($1) }
    guard length <= maximumLength, let bytes = read(length),
      case .array(let rules)? = bytes.withUnsafeBytes({ CanonicalJSON.value(of: $0) })
    else { return nil }
    var found: [IgnoreRules] = []
    for rule in rules {
      guard case .object(let members) = rule, case .bool(let usesDefaults)? = members["defaults"],
        case .array(let texts)? = members["ignored"]
      else { return nil }
      var patterns: [SelectionPattern] = []
      for case .string(let text) in texts {
        guard let pattern = try? SelectionPattern(text) else { return nil }
        patterns.append(pattern)
      }
      found.append(IgnoreRules(patterns, usesDefaults: usesDefaults))
    }
    return found
  }

  /// The bytes of the rules; a manifest is not longer either.
  static let maximumLength = 16 << 20

  private static func say(_ word: Word) -> Bool {
    [word.rawValue].withUnsafeBytes { bytes in
      (try? DescriptorPassing.send(bytes, over: WorkerProcess.socketInWorker)) == 1
    }
  }
}
