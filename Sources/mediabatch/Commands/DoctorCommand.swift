internal import ArgumentParser
internal import MediaModel
internal import MediaPipeline
internal import MediaSandbox
internal import MediaSyntax

struct DoctorCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "doctor",
    abstract: "Say what this machine can confine and decode.",
    discussion: """
      It exits with 69 when the kernel cannot confine processes as a run needs it.

      EXAMPLES
        mediabatch doctor
        mediabatch doctor Library --enforcement
      """
  )

  @Argument(help: "A library's folder, to check its file system too.", completion: .directory)
  var library: PathArgument?

  @Flag(help: "List each attempt of a confined process to get out.")
  var enforcement = false

  @Option(help: "How to print the result.")
  var format = OutputFormat.text

  func run() throws {
    let kernel = KernelSupport.probe()
    let trial = try EnforcementTrial.run()
    let decoders = DecoderTrial()
    let cameras = CameraTrial()
    let condition = library.map { LibraryCondition(path: $0.bytes) }
    let limits = WorkerLimits()
    format.print(
      object(kernel, trial, decoders, cameras, condition),
      [
        "mediabatch \(BuildInfo.version)", "kernel \(kernel.kernelRelease): \(kernel.detail)",
        trial.text(all: enforcement), decoders.text, cameras.lines.joined(separator: "\n"),
        "worker limits: \(limits.memoryBytes >> 20) MiB of memory, \(limits.descriptors) open "
          + "files, 10 s and 1 s more for each 20 MB of an item",
      ] + (condition?.lines ?? [])
    )
    guard kernel.canEnforce, trial.isHeld else {
      throw RunExitCode.enforcementUnavailable.end
    }
    try (condition?.outcome ?? .success).exit()
  }

  private func object(
    _ kernel: KernelSupport,
    _ trial: EnforcementTrial,
    _ decoders: DecoderTrial,
    _ cameras: CameraTrial,
    _ condition: LibraryCondition?
  ) -> JSONValue {
    var members: [String: JSONValue] = [
      "schema": "mediabatch.doctor/1",
      "version": .string(BuildInfo.version),
      "kernel": [
        "release": .string(kernel.kernelRelease),
        "landlockABI": JSONValue(kernel.landlockABI),
        "seccomp": .bool(kernel.seccomp),
        "canEnforce": .bool(kernel.canEnforce),
        "notRefused": kernel.weaknesses.json,
      ],
      "enforcement": trial.json(all: enforcement),
      "decoders": [
        "works": decoders.works.json,
        "missing": .array(decoders.missing.map { .string($0.format) }),
        "reasons": .object(
          Dictionary(decoders.missing.map { ($0.format, .string($0.reason)) }) { first, _ in first }
        ),
      ],
    ]
    members["cameras"] = [
      "library": cameras.libraryVersion.map { .string($0) } ?? .null,
      "problem": .string(cameras.problem),
      "connected": .array(cameras.connected.map { ["path": .string($0.path), "name": .string($0.name)] }),
    ]
    if let condition { members["library"] = condition.lines.json }
    return .object(members)
  }
}
