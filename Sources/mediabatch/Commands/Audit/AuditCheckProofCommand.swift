internal import ArgumentParser
internal import MediaAudit
internal import MediaFileSystem
internal import MediaModel

struct AuditCheckProofCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check-proof",
    abstract: "Check a proof or an export against a head, without the library.",
    discussion: "Exits with 65 when it does not hold."
  )

  @Argument(help: "What `audit prove`, `audit export` or `audit consistency` wrote.")
  var file: String

  @Option(help: "The head that you trust: SIZE:ROOT, the file of a signed head, or only its root.")
  var head: String?

  @Option(help: "The public key whose signature is enough, or a file with it.")
  var trust: String?

  @Option(help: "How to print the result: text or json.")
  var format = OutputFormat.text

  func validate() throws {
    if head == nil, trust == nil {
      throw ValidationError("Say which head you trust with --head, or whose with --trust.")
    }
  }

  func run() throws {
    let expected = try head.map { try HeadArgument($0) }
    let key = try trust.map { try HeadArgument.key($0) }
    do {
      let folder = try FileSystem.openFile([UInt8](file.utf8))
      let bytes = try ProofBytes(folder)
      let found: Found
      if AuditExport.isExport(try bytes.firstLine()) {
        let export = try AuditExport.check(bytes)
        found = Found(
          head: export.head,
          records: nil,
          count: export.head.tree.size,
          withheld: export.withheld,
          hiddenNames: export.hiddenNames
        )
      } else {
        let proof = try AuditProof(try bytes.all(limit: 1 << 26))
        let records = try proof.check()
        found = Found(
          head: proof.head,
          records: zip(proof.records, records).map { ($0.shown.index, $1) },
          count: records.count,
          withheld: records.count { $0 == "withheld" },
          hiddenNames: records.reduce(0) { $0 + $1.hiddenNames }
        )
      }
      try check(found.head, expected, key)
      show(found, key, isNumbered: key != nil || expected?.tree != nil)
    } catch let error as FileSystemError {
      Console.note("\(error)")
      try RunExitCode.usage.exit()
    } catch {
      guard !(error is ExitCode) else { throw error }
      if format == .json {
        Console.output([
          "schema": "mediabatch.checkProof/1", "ok": false, "difference": .string("\(error)"),
        ])
      } else {
        Console.output("Not proved: \(EscapedText.printable("\(error)")).")
      }
      try RunExitCode.differencesFound.exit()
    }
  }

  private struct Found {
    var head: SignedHead
    /// Nil for an export.
    var records: [(index: Int, record: JSONValue)]?
    var count: Int
    var withheld: Int
    var hiddenNames: Int

    var names: String {
      withheld == 0 && hiddenNames == 0
        ? "all names shown" : "\(hiddenNames) names held back, \(withheld) records withheld"
    }
  }

  private struct Refused: Error, CustomStringConvertible {
    var description: String
  }

  private func check(
    _ head: SignedHead,
    _ expected: HeadArgument?,
    _ key: VerifierKey?
  ) throws {
    if let expected, let difference = expected.difference(from: head) {
      throw Refused(description: difference)
    }
    if let key, !head.note.isSigned(by: key) {
      throw Refused(description: "its head is not signed by \(key.identifier)")
    }
  }

  /// `isNumbered` when the size of the tree is trusted too, without which no record's number is proved.
  private func show(_ found: Found, _ key: VerifierKey?, isNumbered: Bool) {
    switch format {
    case .json:
      Console.output([
        "schema": "mediabatch.checkProof/1", "ok": true, "difference": .null,
        "size": JSONValue(found.head.tree.size), "root": .string(found.head.tree.root),
        "trusted": .bool(key != nil), "numberProved": .bool(isNumbered),
        "withheld": JSONValue(found.withheld), "hiddenNames": JSONValue(found.hiddenNames),
        "records": found.records.map { records in
          .array(records.map { ["index": JSONValue($0.index), "record": $0.record] })
        } ?? .null,
      ])
    case .text:
      for (index, record) in found.records ?? [] {
        let text = EscapedText.printable(String(decoding: record.serialized, as: UTF8.self))
        Console.output((isNumbered ? "\(index) " : "number not proved ") + text)
      }
      Console.output(
        "Proved: \(found.count)\(isNumbered ? " of \(found.head.tree.size)" : "") records, "
          + "\(found.names), root \(found.head.tree.root)"
          + (isNumbered ? "" : ", number not proved: give SIZE:ROOT")
          + (key.map { ", signed by \($0.identifier)." } ?? ".")
      )
    }
  }
}

/// The bytes of a proof's file, read a piece at a time.
struct ProofBytes: AuditBytes {
  private let file: Descriptor
  let size: Int

  init(_ file: Descriptor) throws {
    self.file = file
    size = Int(try file.status().size)
  }

  func read(at offset: Int, into buffer: UnsafeMutableRawBufferPointer) throws(AuditError) -> Int {
    do {
      return try file.read(into: buffer, at: UInt64(offset))
    } catch {
      throw AuditError(.cannotRead, file: "", errorNumber: error.errno)
    }
  }

  func firstLine() throws -> [UInt8] {
    Array(try bytes(count: min(size, 1 << 17)).prefix { $0 != UInt8(ascii: "\n") })
  }

  func all(limit: Int) throws -> [UInt8] {
    try bytes(count: min(size, limit))
  }

  private func bytes(count: Int) throws -> [UInt8] {
    var buffer = [UInt8](repeating: 0, count: count)
    let filled = try buffer.withUnsafeMutableBytes { bytes in try read(at: 0, into: bytes) }
    return Array(buffer[..<filled])
  }
}
