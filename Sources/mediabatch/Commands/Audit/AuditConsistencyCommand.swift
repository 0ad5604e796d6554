internal import ArgumentParser
internal import MediaAudit
internal import MediaFileSystem
internal import MediaModel
internal import MediaVerification

struct AuditConsistencyCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "consistency",
    abstract: "Show that the log of an older head is the beginning of that of a newer one.",
    discussion: """
      A head is SIZE:ROOT as a summary printed them, or the file of a signed head. Makes the proof from \
      a library, which --output keeps; or checks one that was made, with --proof. Exits with 65 when \
      it does not hold.

      EXAMPLES
        mediabatch audit consistency old.head new.head --library Library
        mediabatch audit consistency old.head new.head --proof consistency.json
      """
  )

  @Argument(help: "The older head.")
  var old: PathArgument

  @Argument(help: "The newer head.")
  var new: PathArgument

  @Option(help: "The library's folder; by default the one in whose Audit folder NEW lies.")
  var library: PathArgument?

  @Option(help: "A proof to check, without the library.")
  var proof: PathArgument?

  @Option(help: "Where to write the proof.")
  var output: PathArgument?

  func run() throws {
    guard let older = try TrustedHead(argument: old).tree,
      let newer = try TrustedHead(argument: new).tree
    else {
      throw ValidationError("Give each head as SIZE:ROOT, or as the file of a signed head.")
    }
    if let proof {
      return try finish(older, newer, library) { try ConsistencyProof(file: proof.bytes) }
    }
    guard
      let library = library
        ?? LibraryLog.library(ofSignedHead: new.bytes)
        .map({ PathArgument($0) })
    else {
      throw ValidationError("Say which --library makes the proof, or which --proof to check.")
    }
    try LibraryLog.forCommand(library) { log in
      try finish(older, newer, library) { try log.prover().consistency(from: older, to: newer) }
    }
  }

  private func finish(
    _ old: AuditTreeHead,
    _ new: AuditTreeHead,
    _ library: PathArgument?,
    _ make: () throws -> ConsistencyProof
  ) throws {
    let proof: ConsistencyProof
    do {
      proof = try make()
      try proof.check(from: old, to: new)
    } catch let error as ProofError {
      Console.output("Not proved: \(error).")
      return try RunExitCode.differencesFound.exit()
    } catch let error as FileSystemError {
      Console.note("\(error)")
      return try RunExitCode.usage.exit()
    }
    if let output {
      let bytes = proof.serialized + [UInt8.newline]
      try Console.endingOnError {
        try NewFile.write(bytes, to: output, option: "--output", library: library)
      }
    }
    Console.output(
      "Proved: the log of \(Quantity.text(old.size, "record")) is the beginning of that of "
        + Quantity.text(new.size, "record") + "."
    )
  }
}
