internal import ArgumentParser
internal import Glibc
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
      """
  )

  @Argument(help: "The older head.")
  var old: String

  @Argument(help: "The newer head.")
  var new: String

  @Option(help: "The library's folder; by default the one in whose Audit folder NEW lies.")
  var library: String?

  @Option(help: "A proof to check, without the library.")
  var proof: String?

  @Option(help: "Where to write the proof.")
  var output: String?

  func run() throws {
    let heads = try (HeadArgument(old).tree, HeadArgument(new).tree)
    guard let old = heads.0, let new = heads.1 else {
      throw ValidationError("Give each head as SIZE:ROOT, or as the file of a signed head.")
    }
    if let proof {
      do {
        let file = try FileSystem.openFile([UInt8](proof.utf8))
        var line = try ProofBytes(file).all(limit: 1 << 20)
        if line.last == UInt8(ascii: "\n") { line.removeLast() }
        return try finish(try ConsistencyProof(line), old, new)
      } catch let error as ProofError {
        Console.output("Not proved: \(error).")
        return try RunExitCode.differencesFound.exit()
      } catch let error as FileSystemError {
        Console.note("\(error)")
        return try RunExitCode.usage.exit()
      }
    }
    guard let library = library ?? Self.library(of: self.new) else {
      throw ValidationError("Say which --library makes the proof, or which --proof to check.")
    }
    try LibraryLog.forCommand(library) { log in
      let prover = try log.prover()
      guard old.size >= 1, old.size <= new.size, new.size <= prover.tree.size else {
        Console.output(
          "Not proved: heads of \(old.size) and \(new.size) records, and the log has "
            + "\(prover.tree.size)."
        )
        return try RunExitCode.differencesFound.exit()
      }
      try finish(try prover.consistency(from: old.size, to: new.size), old, new)
    }
  }

  private func finish(
    _ proof: ConsistencyProof,
    _ old: AuditTreeHead,
    _ new: AuditTreeHead
  ) throws {
    do {
      guard proof.old == old, proof.new == new else {
        Console.output("Not proved: the heads are not those of the log, or of the proof.")
        return try RunExitCode.differencesFound.exit()
      }
      try proof.check()
    } catch let error as ProofError {
      Console.output("Not proved: \(error).")
      return try RunExitCode.differencesFound.exit()
    }
    if let output { try Self.write(proof.serialized + [UInt8(ascii: "\n")], to: output) }
    Console.output(
      "Proved: the log of \(old.size) records is the beginning of that of \(new.size) records."
    )
  }

  /// The library in whose `Audit` folder a signed head lies.
  private static func library(of head: String) -> String? {
    guard let path = FileSystem.resolved([UInt8](head.utf8)) else { return nil }
    let parts = path.split(separator: UInt8(ascii: "/"))
    guard parts.count > 2, parts[parts.count - 2].elementsEqual("Audit".utf8) else { return nil }
    let folder = Array(parts.dropLast(2).joined(separator: [UInt8(ascii: "/")]))
    return "/" + String(decoding: folder, as: UTF8.self)
  }

  private static func write(_ bytes: [UInt8], to path: String) throws {
    // Only a new file: what is there may be a log.
    let file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o644)
    guard file >= 0 else {
      Console.note(
        "\(EscapedText.printable(path)) cannot be written: \(String(cString: strerror(errno)))."
      )
      return try RunExitCode.cannotWrite.exit()
    }
    Console.write(bytes, to: file)
    close(file)
  }
}
