private import CSandbox
private import Glibc
package import MediaWorkerProtocol

/// The process that sets the modification times of staged files, started again from this program.
///
/// Confined, it can find files beneath the folder whose descriptor it was given, set their times, and
/// answer: Landlock allows it no file and no folder, the list of system calls has nothing that opens
/// or changes another thing. It ends with the coordinator.
package struct FileTimesService: ConfinedService, ServiceTerms {
  package static let argument = "times"
  /// The folder.
  package static let fileCounts = 1...1

  private let folder: Int32

  package init(confinedFor task: Task, files: [Int32]) throws(SandboxError) {
    folder = files[0]
    try WorkerConfinement.bindToParent()
    try ProcessLimits.enter(descriptors: 16, memoryBytes: nil)
    let kernel = KernelSupport.probe()
    if task.enforcesByKernel || kernel.landlockABI > 0 {
      // It moves no file, so the first ABI of Landlock suffices.
      try LandlockLayer.enforce(rules: [], kernel: kernel, minimumABI: 1)
    }
    if task.enforcesByKernel || kernel.seccomp { try SeccompFilter.allowForTimes(beneath: folder) }
  }

  package static func attempts(
    _ stage: SelfTestStage,
    files: [Int32]
  ) throws(SandboxError) -> [Attempt] {
    let service = try FileTimesService(confinedFor: Task(enforcesByKernel: true), files: files)
    return SelfTest.timesAttempts(stage, folder: service.folder)
  }

  package func serve(_ parent: ServiceSocket<FileTimesService>) -> Int32 {
    parent.forEachRequest { (request, _) throws(ProtocolError) in
      var failures = FileTimes.Failures()
      for entry in request.entries { failures.add(try set(entry)) }
      return parent.send(failures)
    }
  }

  private func set(_ entry: FileTimes.Entry) throws(ProtocolError) -> FileTimes.Failures {
    var failures = FileTimes.Failures()
    let billion: Int64 = 1_000_000_000
    let nanoseconds = (entry.nanoseconds % billion + billion) % billion
    let seconds = entry.nanoseconds / billion - (entry.nanoseconds % billion < 0 ? 1 : 0)
    let result = entry.path.withPath {
      csandbox_set_modified(folder, $0, seconds, nanoseconds)
    }
    guard let result else { throw ProtocolError("no path") }
    if result < 0 { (failures.count, failures.number) = (1, -result) }
    return failures
  }
}

extension FileTimesService {
  /// How the process confines itself.
  package struct Task: WireValue {
    /// False only under `"enforcement": "process"`.
    var enforcesByKernel: Bool

    init(enforcesByKernel: Bool) { self.enforcesByKernel = enforcesByKernel }

    package func put(into writer: inout WireWriter) { writer.put(enforcesByKernel) }

    package init(from reader: inout WireReader) throws(ProtocolError) {
      enforcesByKernel = try reader.bool()
    }
  }

  /// Files of one message.
  package struct Request: WireValue {
    var entries: [FileTimes.Entry]

    init(entries: [FileTimes.Entry]) { self.entries = entries }

    package func put(into writer: inout WireWriter) {
      writer.put(UInt32(clamping: entries.count))
      for entry in entries {
        writer.put(entry.nanoseconds)
        writer.put(entry.path)
      }
    }

    package init(from reader: inout WireReader) throws(ProtocolError) {
      entries = []
      for _ in 0..<(try reader.count(limit: FrameReader.maximumLength / 12)) {
        let nanoseconds: Int64 = try reader.integer()
        let path = try reader.blob(limit: FrameReader.maximumLength)
        guard !path.isEmpty else { throw ProtocolError("no path") }
        entries.append(FileTimes.Entry(path: path, nanoseconds: nanoseconds))
      }
    }
  }

  package typealias Answer = FileTimes.Failures
}
