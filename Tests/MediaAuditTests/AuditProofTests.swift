import Foundation
import MediaModel
import MediaSyntax
import MediaTestSupport
import Testing

@testable import MediaAudit

/// Proofs of single records and exports, and what outsiders can do with them.
struct AuditProofTests {
  let scratch = TemporaryFolder()
  let signer: AuditSigner
  let log: SampleLog

  /// Made once for all tests, which change copies of its files.
  private static let signedLog = Result {
    let signer = AuditSigner()
    return (signer: signer, log: try SampleLog(itemsPerRun: 150, runs: 3) { _ in signer })
  }

  init() throws {
    (signer, log) = try Self.signedLog.get()
    for file in log.files { try writeFile(scratch.path + "/" + file.name, file.bytes) }
    for (name, text) in log.signedHeads {
      try writeFile(scratch.path + "/" + name, Array(text.utf8))
    }
  }

  private func withFolder<Value>(_ body: (AuditFolder) throws -> Value) throws -> Value {
    let descriptor = try openFolder(scratch.path)
    defer { closeFile(descriptor) }
    return try body(AuditFolder(descriptor: descriptor))
  }

  private var lines: [[UInt8]] { log.files.indices.flatMap { log.lines($0) } }

  @Test("Every record is proved, with the catalogue's blocks and without")
  func everyRecord() throws {
    try withFolder { folder in
      let head = try #require(log.signedHeads["000003-run-3.head"].flatMap { SignedHead(note: $0) })
      let with = try AuditProver(folder: folder, blocks: log.blocks, encodedTree: log.trees[2])
      let without = try AuditProver(folder: folder, blocks: [], encodedTree: nil)
      #expect(with.tree == head.tree && without.tree == head.tree)
      let lines = lines
      #expect(lines.count == head.tree.size && lines.count > 3 * AuditBlock.recordCount)
      for index in stride(from: 0, to: lines.count, by: 7) {
        let proof = try with.proof(of: [index])
        #expect(proof.head == head)
        let again = try AuditProof(proof.serialized)
        #expect(again == proof)
        let record = try #require(try again.check().first)
        var whole = try #require(CanonicalJSON.members(of: lines[index].dropLast()))
        whole["salt"] = nil
        #expect(record == .object(whole))
        if index % 70 == 0 { #expect(try without.proof(of: [index]) == proof) }
      }
    }
  }

  @Test("No changed byte of a proof holds, whatever it changes")
  func changedProof() throws {
    try withFolder { folder in
      let prover = try AuditProver(folder: folder, blocks: log.blocks, encodedTree: log.trees[2])
      let proof = try prover.proof(of: [300, 301])
      let bytes = proof.serialized
      #expect(bytes.count { $0 == UInt8(ascii: "\n") } <= 64)
      for index in bytes.indices {
        var changed = bytes
        changed[index] ^= 1
        guard let read = try? AuditProof(changed), (try? read.check()) != nil else { continue }
        // Nothing but the head's own words is left, which its signature is about.
        #expect(!read.head.note.isSigned(by: signer.verifierKey) || read.head.tree != proof.head.tree)
      }
    }
  }

  @Test("An asset's records and a path's are found")
  func findsRecord() throws {
    try withFolder { folder in
      let prover = try AuditProver(folder: folder, blocks: log.blocks, encodedTree: log.trees[2])
      let lines = lines
      for number in [0, 77, 149] {
        let path = SampleLog.path(of: number)
        let expected = lines.indices.filter {
          AuditEntry(line: Array(lines[$0].dropLast()))?.path == path
        }
        #expect(expected.count == 6)
        #expect(try prover.records(about: .path(path, nil)) == expected)
        #expect(try prover.records(about: .path(path, "library")).isEmpty)
        #expect(try prover.records(about: .asset("A-\(number)")) == expected)
      }
      #expect(try prover.records(about: .asset("nobody")).isEmpty)
    }
  }

  @Test("Records are found by their numbers, when the log has all of them")
  func foundByNumber() throws {
    try withFolder { folder in
      let prover = try AuditProver(folder: folder, blocks: log.blocks, encodedTree: log.trees[2])
      #expect(try prover.records(about: .numbers([3, 0])) == [3, 0])
      for numbers in [[], [-1], [0, prover.tree.size]] {
        #expect(try prover.records(about: .numbers(numbers)).isEmpty, "\(numbers)")
      }
    }
  }

  @Test("A file with a proof or an export holds for the head and the key that are trusted alone")
  func checkedFile() throws {
    try withFolder { folder in
      let prover = try AuditProver(folder: folder, blocks: log.blocks, encodedTree: log.trees[2])
      let head = try prover.head(with: 0)
      let root = try #require(TrustedHead(head.tree.root))
      let tree = try #require(TrustedHead("\(head.tree.size):\(head.tree.root.uppercased())"))
      let signed = try #require(TrustedHead(scratch.path + "/000003-run-3.head"))
      #expect(root.tree == nil && tree.tree == head.tree && signed.tree == head.tree)
      let other = try #require(TrustedHead("\(head.tree.size + 1):\(head.tree.root)"))
      let key = try #require(VerifierKey(textOrFile: "\(signer.verifierKey)"))
      try writeFile(scratch.path + "/key", Array("\(key)\nmore".utf8))
      #expect(VerifierKey(textOrFile: scratch.path + "/key") == key)
      var export: [UInt8] = []
      try AuditExport.write(folder, head: head, hiding: [.hosts]) { export += $0 }
      for bytes in [try prover.proof(of: [5, 6]).serialized, export] {
        let file = Array((scratch.path + "/proof").utf8)
        try writeFile(scratch.path + "/proof", bytes)
        for head in [root, tree, signed] {
          let proof = try CheckedProof(file: file, trusting: head, key: nil)
          #expect(proof.provesNumbers == (head != root))
          #expect(proof.recordCount == (bytes == export ? proof.head.tree.size : 2))
          #expect((proof.records == nil) == (bytes == export))
        }
        #expect(try CheckedProof(file: file, trusting: nil, key: key).provesNumbers)
        #expect(throws: ProofError.self) {
          try CheckedProof(file: file, trusting: other, key: key)
        }
        #expect(throws: ProofError.self) {
          try CheckedProof(file: file, trusting: tree, key: AuditSigner().verifierKey)
        }
      }
    }
  }

  @Test("Only digits, SIZE:ROOT and a signed head are heads, and only a key is a key")
  func notTrusted() {
    let root = String(repeating: "0", count: 64)
    for text in ["", ":", "1", root + "0", "-1:" + root, "1:" + root + "0", "/dev/null"] {
      #expect(TrustedHead(text) == nil, "\(text)")
      #expect(VerifierKey(textOrFile: text) == nil, "\(text)")
    }
  }

  @Test("A name that is held back is nowhere in an export, which is of the same tree")
  func redactedExport() throws {
    try withFolder { folder in
      let head = try #require(log.signedHeads["000003-run-3.head"].flatMap { SignedHead(note: $0) })
      for kinds in [[], [.paths], [.labels], [.hosts], [.paths, .labels, .hosts]]
        as [Set<RedactableKind>]
      {
        var bytes: [UInt8] = []
        try AuditExport.write(folder, head: head, hiding: kinds) { bytes += $0 }
        let text = String(decoding: bytes, as: UTF8.self)
        #expect(text.contains("IMG_") != kinds.contains(.paths))
        #expect(text.contains("media/DCIM") != kinds.contains(.paths))
        #expect(text.contains("Originals/a b") != kinds.contains(.labels))
        #expect(
          text.contains("\"host\",") || text.contains(#""value":"host""#) != kinds.contains(.hosts)
        )
        #expect(!text.contains("salt"))
        let checked = try AuditExport.check(MemoryAuditBytes(bytes))
        #expect(checked.head == head)
        #expect((checked.hiddenNames == 0) == kinds.isEmpty)
        #expect(checked.head.note.isSigned(by: signer.verifierKey))
      }
    }
  }

  @Test("One name can be shown later, and no other with it")
  func opened() throws {
    try withFolder { folder in
      let prover = try AuditProver(folder: folder, blocks: log.blocks, encodedTree: log.trees[2])
      let index = try #require(try prover.records(about: .asset("A-5")).last)
      let hidden = try prover.proof(of: [index], hiding: Set(RedactableKind.allCases))
      let shown = try prover.proof(of: [index], hiding: [.labels, .hosts])
      let other = try prover.proof(of: [index + 2], hiding: [.labels, .hosts])
      let (openings, others) = (shown.records[0].shown.openings, other.records[0].shown.openings)
      #expect(hidden.records[0].shown.record == shown.records[0].shown.record)
      #expect(hidden.records[0].shown.openings.isEmpty)
      #expect(openings.map(\.field) == [.path])
      #expect(openings[0].key != others[0].key)
      // The key of one name does not open the label that stands beside it.
      var wrong = shown
      wrong.records[0].shown.openings = [
        .init(field: .outputPath, key: openings[0].key, value: "Originals/a b.jpg")
      ]
      #expect(throws: ProofError.self) { try wrong.check() }
      // Nor does another name pass for the one that was recorded.
      wrong.records[0].shown.openings = [
        .init(field: .path, key: openings[0].key, value: "other.jpg")
      ]
      #expect(throws: ProofError.self) { try wrong.check() }
    }
  }

  @Test("No changed record of an export passes")
  func changedExport() throws {
    try withFolder { folder in
      let head = try #require(log.signedHeads["000001-run-1.head"].flatMap { SignedHead(note: $0) })
      var bytes: [UInt8] = []
      try AuditExport.write(folder, head: head, hiding: [.paths]) { bytes += $0 }
      let start = try #require(bytes.firstIndex(of: UInt8(ascii: "\n"))) + 1
      for index in stride(from: start, to: bytes.count, by: 997) {
        var changed = bytes
        changed[index] ^= 1
        #expect(throws: (any Error).self, "byte \(index)") {
          try AuditExport.check(MemoryAuditBytes(changed))
        }
      }
      var lines = bytes.split(separator: UInt8(ascii: "\n"))
      lines.swapAt(4, 5)
      let swapped = Array(lines.joined(separator: [UInt8(ascii: "\n")])) + [UInt8(ascii: "\n")]
      #expect(throws: ProofError.self) { try AuditExport.check(MemoryAuditBytes(swapped)) }
    }
  }

  @Test("Heads of the same library are consistent, in both directions of time")
  func consistency() throws {
    try withFolder { folder in
      let prover = try AuditProver(folder: folder, blocks: log.blocks, encodedTree: log.trees[2])
      let heads = (1...3).compactMap { log.signedHeads["00000\($0)-run-\($0).head"] }
        .compactMap { SignedHead(note: $0) }
      for old in heads {
        for new in heads where new.tree.size >= old.tree.size {
          let proof = try prover.consistency(from: old.tree.size, to: new.tree.size)
          #expect(proof.old == old.tree && proof.new == new.tree)
          try ConsistencyProof(proof.serialized).check()
        }
      }
      var wrong = try prover.consistency(from: heads[0].tree.size, to: heads[2].tree.size)
      wrong.old.root = heads[1].tree.root
      #expect(throws: ProofError.self) { try wrong.check() }
    }
  }

  @Test("A line with more than its kind has proves nothing, nor does one of a hash alone")
  func foreignMembers() throws {
    try withFolder { folder in
      let prover = try AuditProver(folder: folder, blocks: log.blocks, encodedTree: log.trees[2])
      let proof = try prover.proof(of: [300, 301])
      var lines = proof.serialized.split(separator: UInt8(ascii: "\n")).map { Array($0) }
      let good = try #require(CanonicalJSON.members(of: lines[1]))
      var both = good
      both["leaf"] = .string(proof.records[0].shown.leaf.text)
      var forged = both
      forged["record"] = ["event": "access", "path": "FORGED"]
      let alone = both.filter { ["index", "leaf", "path"].contains($0.key) }
      var unknown = good
      unknown["note"] = "x"
      for members in [forged, both, alone, unknown] {
        lines[1] = JSONValue.object(members).serialized
        #expect(throws: ProofError.self) {
          try AuditProof(lines.flatMap { $0 + [UInt8(ascii: "\n")] }).check()
        }
      }
      // Whether a record is in the tree is looked at later.
      var long = good
      guard case .object(var record)? = good["record"] else { throw ProofError("no record") }
      for (length, isRead) in [(1 << 20, true), (1 << 20 | 1, false)] {
        record["z"] = ""
        long["record"] = .object(record)
        let count = length - JSONValue.object(long).serialized.count
        record["z"] = .string(String(repeating: "z", count: count))
        long["record"] = .object(record)
        lines[1] = JSONValue.object(long).serialized
        let bytes = lines.flatMap { $0 + [UInt8(ascii: "\n")] }
        #expect(((try? AuditProof(bytes)) != nil) == isRead)
      }
      lines[1] = lines[2]
      #expect(throws: ProofError.self) {
        try AuditProof(lines.flatMap { $0 + [UInt8(ascii: "\n")] })
      }
    }
  }

  /// A change to the text of a proof or an export which leaves the hashes as they are.
  struct Forgery: CustomTestStringConvertible, Sendable {
    var testDescription: String
    var isOfExport = false
    /// The first occurrence of one text is replaced by another.
    var change: (from: String, to: String)
  }

  @Test(
    "What leaves the hashes as they are and is no proof is refused by both implementations",
    .enabled(if: Tool.exists("python3"), "needs python3"),
    arguments: [
      Forgery(testDescription: "a member twice", change: ("\"event\":", "\"event\":\"FORGED\",\"event\":")),
      Forgery(testDescription: "index as text", change: ("\"index\":10,", "\"index\":\"10\",")),
      Forgery(testDescription: "index as a fraction", change: ("\"index\":10,", "\"index\":10.0,")),
      Forgery(testDescription: "index as a truth value", change: ("\"index\":10,", "\"index\":true,")),
      Forgery(testDescription: "a space", change: ("\"index\":10,", "\"index\": 10,")),
      Forgery(testDescription: "a further member", change: ("\"index\":10,", "\"a\":1,\"index\":10,")),
      Forgery(testDescription: "a header's further member", change: ("{\"head\":", "{\"a\":1,\"head\":")),
      Forgery(testDescription: "another schema", change: ("proof/1", "proof/2")),
      Forgery(
        testDescription: "an export's further member",
        isOfExport: true,
        change: ("{\"head\":", "{\"a\":1,\"head\":")
      ),
      Forgery(
        testDescription: "an unknown kind",
        isOfExport: true,
        change: ("[\"paths\"]", "[\"outcomes\",\"paths\"]")
      ),
    ]
  )
  func forgeries(_ forgery: Forgery) throws {
    let genuine = try Self.genuine.get()
    var bytes = forgery.isOfExport ? genuine.export : genuine.proof
    let range = try #require(bytes.firstRange(of: Array(forgery.change.from.utf8)))
    bytes.replaceSubrange(range, with: Array(forgery.change.to.utf8))
    try expect(bytes, areProof: false)
  }

  /// What is forged; that both implementations take it as it is, is found once for all.
  private static let genuine = Result { try AuditProofTests().makeGenuine() }

  private func makeGenuine() throws -> (proof: [UInt8], export: [UInt8]) {
    try withFolder { folder in
      let prover = try AuditProver(folder: folder, blocks: log.blocks, encodedTree: log.trees[2])
      let proof = try prover.proof(of: [10]).serialized
      let head = try #require(log.signedHeads["000003-run-3.head"].flatMap { SignedHead(note: $0) })
      var export: [UInt8] = []
      try AuditExport.write(folder, head: head, hiding: [.paths]) { export += $0 }
      for bytes in [proof, export] { try expect(bytes, areProof: true) }
      return (proof: proof, export: export)
    }
  }

  /// Expects both implementations to give the same answer about a file, trusting the key.
  private func expect(_ bytes: [UInt8], areProof: Bool) throws {
    let file = scratch.path + "/forged"
    try? FileManager.default.removeItem(atPath: file)
    try writeFile(file, bytes)
    let checked = try? CheckedProof(file: Array(file.utf8), trusting: nil, key: signer.verifierKey)
    #expect((checked != nil) == areProof)
    let result = try Verifier.proof(file, "\(signer.verifierKey)")
    #expect((result.status == 0) == areProof, "\(result)")
  }

  @Test("A log that was changed gives no proof")
  func changedLog() throws {
    var bytes = log.files[1].bytes
    let index = try #require(bytes.firstRange(of: Array("IMG_100".utf8))?.upperBound) - 1
    bytes[index] = UInt8(ascii: "9")
    try writeFile(scratch.path + "/" + log.files[1].name, bytes)
    try withFolder { folder in
      let prover = try AuditProver(folder: folder, blocks: log.blocks, encodedTree: log.trees[2])
      let line = bytes[..<index].count { $0 == UInt8(ascii: "\n") } + log.expectations[0].records
      #expect(throws: AuditError.self) { try prover.proof(of: [line]) }
      let slow = try AuditProver(folder: folder, blocks: [], encodedTree: nil)
      #expect(throws: AuditError.self) { try slow.proof(of: [line]) }
    }
  }

  @Test(
    "The second implementation checks what we made, and refuses what was changed",
    .enabled(if: Tool.exists("python3"), "needs python3")
  )
  func secondImplementation() throws {
    try withFolder { folder in
      let head = try #require(log.signedHeads["000003-run-3.head"].flatMap { SignedHead(note: $0) })
      let prover = try AuditProver(folder: folder, blocks: log.blocks, encodedTree: log.trees[2])
      let proof = try prover.proof(of: [10, 500], hiding: [.labels])
      var export: [UInt8] = []
      try AuditExport.write(folder, head: head, hiding: [.paths]) { export += $0 }
      try writeFile(scratch.path + "/proof", proof.serialized)
      try writeFile(scratch.path + "/export", export)
      func run(_ file: String, _ trusted: String) throws -> Int32 {
        try Verifier.proof(scratch.path + "/" + file, trusted).status
      }
      let trusted: [(words: String, holds: Bool)] = [
        (head.tree.root, true), ("\(head.tree.size):\(head.tree.root)", true),
        ("\(head.tree.size + 1):\(head.tree.root)", false), ("\(signer.verifierKey)", true),
        (scratch.path + "/000003-run-3.head", true), (log.heads[0], false),
        ("\(AuditSigner().verifierKey)", false),
      ]
      for (file, (words, holds)) in Amount.pairs(["proof", "export"], trusted) {
        let status = try run(file, words)
        #expect((status == 0) == holds, "\(file), trusting \(words)")
      }
      var changed = proof.serialized
      let name = try #require(changed.firstRange(of: Array("IMG_".utf8)))
      changed[name.lowerBound] = UInt8(ascii: "J")
      try writeFile(scratch.path + "/changed", changed)
      #expect(try run("changed", head.tree.root) != 0)
      export[export.count - 10] ^= 1
      try writeFile(scratch.path + "/changed", export)
      #expect(try run("changed", head.tree.root) != 0)
    }
  }
}
