internal import ArgumentParser
internal import Glibc
internal import MediaFileSystem
internal import MediaLibrary
internal import MediaModel
internal import MediaPipeline
internal import MediaSandbox
internal import MediaSyntax

struct DoctorCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "doctor",
    abstract: "Say what this machine can enforce and decode, by trying.",
    discussion: "Exits with 69 when the kernel does not enforce what a run needs."
  )

  @Argument(help: "A library's folder, to look at its file system too.")
  var library: String?

  @Flag(help: "List every attempt to get past confinement.")
  var enforcement = false

  @Option(help: "How to print the findings: text or json.")
  var format = OutputFormat.text

  func run() throws {
    let kernel = KernelSupport.probe()
    let trial = try EnforcementTrial()
    let decoders = Decoders()
    let found = library.map { LibraryFindings(path: $0) }
    switch format {
    case .text:
      Console.output("mediabatch \(BuildInfo.version)")
      Console.output("kernel \(kernel.kernelRelease): \(kernel.detail)")
      Console.output(trial.text(all: enforcement))
      Console.output(decoders.text)
      let limits = WorkerLimits()
      Console.output(
        "worker limits: \(limits.memoryBytes >> 20) MiB of memory, \(limits.descriptors) open "
          + "files, 10 s and 1 s more for each 20 MB of an item"
      )
      if let found { Console.output(found.lines.joined(separator: "\n")) }
    case .json:
      Console.output(object(kernel, trial, decoders, found))
    }
    guard kernel.canEnforce, trial.isHeld else {
      throw ExitCode(RunExitCode.enforcementUnavailable.rawValue)
    }
    try (found?.outcome ?? .success).exit()
  }

  private func object(
    _ kernel: KernelSupport,
    _ trial: EnforcementTrial,
    _ decoders: Decoders,
    _ found: LibraryFindings?
  ) -> JSONValue {
    var members: [String: JSONValue] = [
      "schema": "mediabatch.doctor/1",
      "version": .string(BuildInfo.version),
      "kernel": [
        "release": .string(kernel.kernelRelease),
        "landlockABI": JSONValue(kernel.landlockABI),
        "seccomp": .bool(kernel.seccomp),
        "canEnforce": .bool(kernel.canEnforce),
        "notRefused": .array(kernel.weaknesses.map { .string($0) }),
      ],
      "enforcement": trial.json(all: enforcement),
      "decoders": [
        "works": .array(decoders.works.map { .string($0) }),
        "missing": .array(decoders.missing.map { .string($0.format) }),
        "reasons": .object(
          Dictionary(decoders.missing.map { ($0.format, .string($0.reason)) }) { first, _ in first }
        ),
      ],
    ]
    if let found { members["library"] = .array(found.lines.map { .string($0) }) }
    return .object(members)
  }
}

/// Which picture formats a worker decodes here, by its own trial.
private struct Decoders {
  var works: [String] = []
  var missing: [(format: String, reason: String)] = []
  var hasWorker = false

  init() {
    guard let program = try? WorkerProcess.programBeside(Run.workerName),
      let null = try? FileSystem.openDevice([UInt8]("/dev/null".utf8)),
      let worker = try? WorkerProcess.spawn(
        executable: program,
        arguments: ["--decoders"],
        nullDevice: null.raw
      )
    else { return }
    hasWorker = true
    for line in worker.text(seconds: 30).split(separator: "\n") {
      let fields = line.split(separator: "\t", maxSplits: 2).map(String.init)
      if fields.count == 2, fields[1] == "works" { works.append(fields[0]) }
      if fields.count == 3, fields[1] == "missing" { missing.append((fields[0], fields[2])) }
    }
  }

  var text: String {
    guard hasWorker else {
      return "decoders: mediabatch-worker is not beside this program; install both."
    }
    let line = "decoders: \(works.joined(separator: ", "))"
    guard !missing.isEmpty else { return line }
    return missing.reduce(line) {
      $0 + "\ndecoder missing: \($1.format); install what it needs: \($1.reason)"
    }
  }
}

/// The state of a library's catalogue, and the free space of its file system.
private struct LibraryFindings {
  var lines: [String] = []
  var outcome = RunExitCode.success

  init(path: String) {
    do {
      let catalogue = try CatalogueReader(library: [UInt8](path.utf8))
      let problems = try catalogue.integrityProblems()
      lines.append(
        "library: its catalogue is "
          + (problems.isEmpty ? "whole" : problems.joined(separator: "; "))
      )
      if !problems.isEmpty { outcome = .internalCheck }
    } catch {
      lines.append("library: \(error)")
      outcome = error.exitCode
    }
    var status = statvfs()
    guard statvfs(path, &status) == 0 else {
      lines.append("file system: \(FileSystemError.text(errno))")
      return
    }
    let free = UInt64(status.f_bavail) * UInt64(status.f_frsize)
    lines.append("file system: \(free >> 20) MiB and \(status.f_ffree) files free")
  }
}
