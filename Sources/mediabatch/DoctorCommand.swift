internal import ArgumentParser
internal import Foundation
internal import Glibc
internal import MediaFileSystem
internal import MediaLibrary
internal import MediaModel
internal import MediaPipeline
internal import MediaSandbox

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

  func run() throws {
    let kernel = KernelSupport.probe()
    Console.output("mediabatch \(BuildInfo.version)")
    Console.output("kernel \(kernel.kernelRelease): \(kernel.detail)")
    let isHeld = try tryConfinement()
    listDecoders()
    let limits = WorkerLimits()
    Console.output(
      "worker limits: \(limits.memoryBytes >> 20) MiB of memory, \(limits.descriptors) open files, "
        + "10 s and 1 s more for each 20 MB of an item"
    )
    let found = library.map { look(at: $0) } ?? .success
    guard kernel.canEnforce, isHeld else {
      throw ArgumentParser.ExitCode(MediaModel.ExitCode.enforcementUnavailable.rawValue)
    }
    try found.exit()
  }

  /// Runs the self-test in a process of its own, since confinement is for good.
  private func tryConfinement() throws -> Bool {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
    let folder = FileManager.default.temporaryDirectory.path + "/mediabatch-self-test-\(getpid())"
    try FileManager.default.createDirectory(
      atPath: folder,
      withIntermediateDirectories: true,
      attributes: [.posixPermissions: 0o700]
    )
    defer { try? FileManager.default.removeItem(atPath: folder) }
    process.arguments = ["self-test", folder]
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    let lines = text.split(separator: "\n")
    let refused = lines.count { $0.contains("\trefused\t") }
    let isHeld = process.terminationStatus == 0 && refused == lines.count && refused > 0
    Console.output(
      "enforcement: \(refused) of \(lines.count) ways past it refused"
        + (isHeld ? "" : "; THIS MACHINE DOES NOT ENFORCE")
    )
    for line in lines where enforcement || !line.contains("\trefused\t") {
      Console.output("  " + line.replacingOccurrences(of: "\t", with: "  "))
    }
    return isHeld
  }

  private func listDecoders() {
    guard let program = try? WorkerProcess.programBeside(Run.workerName),
      let null = try? FileSystem.openDevice([UInt8]("/dev/null".utf8)),
      let worker = try? WorkerProcess.spawn(
        executable: program,
        arguments: ["--decoders"],
        nullDevice: null.raw
      )
    else {
      Console.output("decoders: mediabatch-worker is not beside this program; install both.")
      return
    }
    let lines = worker.text(seconds: 30).split(separator: "\n")
    let works = lines.filter { $0.hasSuffix("\tworks") }.map { $0.dropLast(6) }
    let missing = lines.filter { $0.hasSuffix("\tmissing") }.map { $0.dropLast(8) }
    Console.output("decoders: \(works.joined(separator: ", "))")
    if !missing.isEmpty {
      Console.output(
        "decoders missing: \(missing.joined(separator: ", ")). Install libmagickcore-6.q16-6-extra "
          + "and libheif1."
      )
    }
  }

  private func look(at library: String) -> MediaModel.ExitCode {
    var outcome = MediaModel.ExitCode.success
    let path = [UInt8](library.utf8)
    do {
      let catalogue = try CatalogueReader(library: path)
      let problems = try catalogue.integrityProblems()
      Console.output(
        "library: its catalogue is "
          + (problems.isEmpty ? "whole" : problems.joined(separator: "; "))
      )
      if !problems.isEmpty { outcome = .internalCheck }
    } catch {
      Console.output("library: \(error)")
      outcome = error.exitCode
    }
    var status = statvfs()
    guard statvfs(library, &status) == 0 else {
      Console.output("file system: \(FileSystemError.text(errno))")
      return outcome
    }
    let free = UInt64(status.f_bavail) * UInt64(status.f_frsize)
    Console.output("file system: \(free >> 20) MiB and \(status.f_ffree) files free")
    return outcome
  }
}
