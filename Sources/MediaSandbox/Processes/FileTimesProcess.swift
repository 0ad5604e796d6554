private import CSandbox
private import Glibc

/// The process that sets the modification times of staged files, started again from this program.
///
/// Confined, it can find files beneath the folder whose descriptor it was given, set their times, and
/// answer: Landlock allows it no file and no folder, the list of system calls has nothing that opens
/// or changes another thing. It ends with the coordinator.
package enum FileTimesProcess {
  /// The first argument of the program that does this.
  package static let argument = "times"
  /// The exit code of a process that could not be confined.
  static let notConfined: Int32 = 69

  /// Does it, once, on the main thread, while it is the only one.
  ///
  /// - Parameter stage: The stage of a self-test, else nil.
  /// - Returns: The exit code: 0 when the coordinator has ended the conversation, 64 when nobody
  ///   asked, 69 when it could not be confined, 70 for a message that is none.
  package static func run(stage: SelfTestStage?) -> Int32 {
    let socket = WorkerProcess.socketInWorker
    var byte: [UInt8] = [0]
    let first = byte.withUnsafeMutableBytes { bytes in
      try? DescriptorPassing.receive(into: bytes, over: socket, acceptDescriptor: true)
    }
    guard let first, first.count == 1, let folder = first.descriptor,
      let mode = FileTimes.Mode(rawValue: byte[0]), (mode == .selfTest) == (stage != nil)
    else { return 64 }
    do {
      try confine(mode, folder)
    } catch {
      return notConfined
    }
    if let stage {
      return SelfTest.write(SelfTest.timesAttempts(stage, folder: folder), to: socket) ? 0 : 69
    }
    guard answer([1]) else { return 0 }
    return serve(folder)
  }

  private static func confine(_ mode: FileTimes.Mode, _ folder: Int32) throws(SandboxError) {
    try WorkerConfinement.bindToParent()
    var none = rlimit(rlim_cur: 0, rlim_max: 0)
    var descriptors = rlimit(rlim_cur: 16, rlim_max: 16)
    guard setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &none) == 0,
      setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &none) == 0,
      setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &descriptors) == 0
    else { throw SandboxError(.limitRefused, number: errno) }
    let kernel = KernelSupport.probe()
    if mode != .process || kernel.landlockABI > 0 {
      // It moves no file, so the first ABI of Landlock suffices.
      try LandlockLayer.enforce(rules: [], kernel: kernel, minimumABI: 1)
    }
    if mode != .process || kernel.seccomp { try SeccompFilter.allowForTimes(beneath: folder) }
  }

  /// Serves messages until the coordinator closes its end.
  private static func serve(_ folder: Int32) -> Int32 {
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    var pending: [UInt8] = []
    while true {
      let received = buffer.withUnsafeMutableBytes { bytes in
        try? DescriptorPassing.receive(
          into: bytes,
          over: WorkerProcess.socketInWorker,
          acceptDescriptor: false
        )
      }
      guard let received, received.count > 0 else { return pending.isEmpty ? 0 : 70 }
      pending += buffer.prefix(received.count)
      guard pending.count >= 4 else { continue }
      let length = Int(UInt32(littleEndian: pending[..<4]))
      guard length <= FileTimes.maximumLength, pending.count <= 4 + length else { return 70 }
      guard pending.count == 4 + length else { continue }
      guard let failures = set(pending[4...], in: folder) else { return 70 }
      pending.removeAll(keepingCapacity: true)
      let said =
        UInt32(failures.count).littleEndianBytes
        + UInt32(bitPattern: failures.number).littleEndianBytes
      guard answer(said) else { return 0 }
    }
  }

  /// Sets the times of one message's files; nil for a message that is none.
  private static func set(_ message: ArraySlice<UInt8>, in folder: Int32) -> FileTimes.Failures? {
    var failures = FileTimes.Failures()
    var rest = message
    while !rest.isEmpty {
      guard rest.count >= 10 else { return nil }
      let time = Int64(bitPattern: UInt64(littleEndian: rest.prefix(8)))
      let length = Int(UInt16(littleEndian: rest.dropFirst(8).prefix(2)))
      rest = rest.dropFirst(10)
      guard length > 0, rest.count >= length else { return nil }
      let path = Array(rest.prefix(length))
      rest = rest.dropFirst(length)
      let billion: Int64 = 1_000_000_000
      let nanoseconds = (time % billion + billion) % billion
      let seconds = time / billion - (time % billion < 0 ? 1 : 0)
      let result = path.withPath { csandbox_set_modified(folder, $0, seconds, nanoseconds) }
      guard let result else { return nil }
      if result < 0 {
        if failures.count == 0 { failures.number = -result }
        failures.count += 1
      }
    }
    return failures
  }

  private static func answer(_ bytes: [UInt8]) -> Bool {
    DescriptorPassing.sendAll(bytes, over: WorkerProcess.socketInWorker)
  }
}
