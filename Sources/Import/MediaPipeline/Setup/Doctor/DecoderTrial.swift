internal import MediaFileSystem
internal import MediaSandbox

/// The media formats that a worker decodes on this machine, by its own trial.
package struct DecoderTrial: Sendable {
  /// The formats that it decodes.
  package private(set) var works: [String] = []
  /// The formats that it does not decode, and why.
  package private(set) var missing: [(format: String, reason: String)] = []
  /// Whether the worker's program is beside this one and could be started.
  package private(set) var hasWorker = false

  /// Reads what `mediabatch-worker --decoders` printed: a line a format, its fields between tabs.
  package init(output: String) {
    hasWorker = true
    for line in output.split(separator: "\n") {
      let fields = line.split(separator: "\t", maxSplits: 2).map(String.init)
      if fields.count == 2, fields[1] == "works" { works.append(fields[0]) }
      if fields.count == 3, fields[1] == "missing" { missing.append((fields[0], fields[2])) }
    }
  }

  /// Asks a worker; without one nothing works and nothing is missing.
  package init() {
    guard let program = try? WorkerProcess.programBeside(WorkerProcess.programName),
      let null = try? FileSystem.openDevice([UInt8]("/dev/null".utf8)),
      let worker = withExtendedLifetime(
        null,
        {
          try? WorkerProcess.spawn(executable: program, arguments: ["--decoders"], nullDevice: null.raw)
        }
      )
    else {
      self.init(output: "")
      hasWorker = false
      return
    }
    self.init(output: worker.text(seconds: 30))
  }
}
