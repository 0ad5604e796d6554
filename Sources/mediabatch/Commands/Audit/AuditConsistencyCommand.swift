internal import ArgumentParser
internal import MediaAudit
internal import MediaFileSystem
internal import MediaModel
internal import MediaVerification

struct AuditConsistencyCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "consistency",
    abstract: "Prove that a newer log begins with an older one.",
    discussion: """
      A head is SIZE:ROOT as a run printed it, or the file of a signed head.

      EXAMPLES
        mediabatch audit consistency old.head new.head --library Library
        mediabatch audit consistency old.head new.head --proof proof.json

      The proof is made from a library, and --output keeps it; or with --proof one that was made is checked. The \
      command exits with 65 when the proof does not hold.
      """
  )

  @Argument(help: "The older head.", transform: TreeHeadArgument.init(text:))
  var old: TreeHeadArgument

  @Argument(help: "The newer head.", transform: TreeHeadArgument.init(text:))
  var new: TreeHeadArgument

  @Option(help: "The library's folder; by default that of NEW, if it is a file of one.")
  var library: PathArgument?

  @Option(help: "A proof to check, without the library.")
  var proof: PathArgument?

  @Option(help: "Where to write the proof.")
  var output: PathArgument?

  func run() throws {
    if let proof {
      return try finish(library?.bytes) { try ConsistencyProof(file: proof.bytes) }
    }
    guard
      let library = library?.bytes ?? LibraryLog.library(ofSignedHead: new.path)
    else {
      // A file's place may tell the library.
      throw ValidationError("Say which --library makes the proof, or which --proof to check.")
    }
    try LibraryLog.forCommand(library) { log in
      try finish(library) { try log.prover().consistency(from: old.tree, to: new.tree) }
    }
  }

  private func finish(
    _ library: [UInt8]?,
    _ make: () throws -> ConsistencyProof
  ) throws {
    let proof: ConsistencyProof
    do {
      proof = try make()
      try proof.check(from: old.tree, to: new.tree)
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
      "Proved: the log of \(Quantity.text(old.tree.size, "record")) is the beginning of that of "
        + Quantity.text(new.tree.size, "record") + "."
    )
  }
}
