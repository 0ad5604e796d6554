import MediaModel
import Testing

@testable import MediaAudit

/// Logs whose heads are signed, and what a key shows that the catalogue cannot.
struct SignedLogTests {
  private func verify(
    _ log: SampleLog,
    files: [AuditFile]? = nil,
    heads: [String: String]? = nil,
    catalogue: Bool = true,
    _ change: (inout AuditWitnesses) -> Void = { _ in }
  ) throws -> AuditVerification {
    var witnesses = AuditWitnesses()
    if catalogue { witnesses.expectations = log.expectations }
    witnesses.signedHeads = heads ?? log.signedHeads
    witnesses.library = SampleLog.library
    change(&witnesses)
    return try AuditVerifier.verify(files ?? log.replacing(-1, with: []), witnesses)
  }

  @Test("A signed log is whole, and trusted by who has the key")
  func whole() throws {
    let signer = AuditSigner()
    let log = try SampleLog(itemsPerRun: 2, runs: 3) { _ in signer }
    let result = try verify(log)
    #expect(result.difference == nil && result.signature == .signed)
    #expect(result.tree.size == result.records)
    #expect(result.signedHead?.tree == result.tree && result.signedHead?.head == result.head)
    let trusted = try verify(log) { $0.trustedKey = signer.verifierKey }
    #expect(trusted.difference == nil && trusted.signature == .trusted)
    let other = try verify(log) { $0.trustedKey = AuditSigner().verifierKey }
    #expect(other.difference?.kind == .changed && other.difference?.file == "000001-run-1.head")
  }

  @Test("On several threads the same is found")
  func threads() throws {
    let log = try SampleLog(itemsPerRun: 40)
    for threads in [1, 2, 7] {
      let result = try verify(log) { $0.threads = threads }
      #expect(result.difference == nil && result.head == log.heads[1])
      var bytes = log.files[1].bytes
      bytes[bytes.count / 2] ^= 1
      let altered = try verify(log, files: log.replacing(1, with: bytes)) { $0.threads = threads }
      let line = bytes[..<(bytes.count / 2)].count { $0 == UInt8(ascii: "\n") } + 1
      #expect(altered.difference?.kind == .changed && altered.difference?.line == line)
    }
  }

  @Test("A head whose signature is not that of the key in the log is found, trusted or not")
  func forgedSignature() throws {
    let signer = AuditSigner()
    let log = try SampleLog(itemsPerRun: 1) { _ in signer }
    let name = "000002-run-2.head"
    let good = try #require(log.signedHeads[name].flatMap { SignedHead(note: $0) })
    let forged = SignedHead(
      library: good.library,
      tree: good.tree,
      head: good.head,
      file: good.file,
      time: good.time
    )
    let other = forged.signed(by: AuditSigner()).note.serialized
    for text in [other, forged.note.serialized] {
      for key in [nil, signer.verifierKey] {
        var heads = log.signedHeads
        heads[name] = text
        let difference = try verify(log, heads: heads) { $0.trustedKey = key }.difference
        #expect(difference?.kind == .changed && difference?.file == name)
      }
    }
  }

  @Test("The signed head of an ended run that is gone or empty is missing, trusted key or not")
  func removedHead() throws {
    let signer = AuditSigner()
    let log = try SampleLog(itemsPerRun: 1) { _ in signer }
    var heads = log.signedHeads
    heads["000002-run-2.head"] = nil
    for text in [nil, ""] as [String?] {
      heads["000002-run-2.head"] = text
      for key in [nil, signer.verifierKey] {
        let result = try verify(log, heads: heads) { $0.trustedKey = key }
        #expect(result.difference?.kind == .missing && result.difference?.file == "000002-run-2.head")
      }
      // A run that was stopped before it could sign is no difference, and is not trusted.
      let stopped = log.expectations.map { position in
        var position = position
        position.isEnded = false
        return position
      }
      let unended = try verify(log, heads: heads, catalogue: false) { $0.expectations = stopped }
      #expect(unended.difference == nil && unended.signedHead?.file == "000001-run-1.ndjson")
      let trusted = try verify(log, heads: heads, catalogue: false) {
        $0.expectations = stopped
        $0.trustedKey = signer.verifierKey
      }
      #expect(trusted.difference?.kind == .missing)
    }
    let unsigned = try SampleLog(itemsPerRun: 1)
    let result = try verify(unsigned) { $0.trustedKey = signer.verifierKey }
    #expect(result.difference?.kind == .missing)
  }

  @Test("Log and catalogue that are older together than a signed head were rolled back")
  func rolledBack() throws {
    let signer = AuditSigner()
    let log = try SampleLog(itemsPerRun: 2, runs: 3) { _ in signer }
    let older = log.files.prefix(2).map { AuditFile(name: $0.name, bytes: $0.bytes) }
    let result = try verify(log, files: older, catalogue: false) {
      $0.expectations = Array(log.expectations.prefix(2))
    }
    #expect(result.difference?.kind == .rolledBack && result.difference?.file == "000003-run-3.head")

    // The last file as it was half way through, and a catalogue that is as old.
    let lines = log.lines(2)
    let half = Array(lines.prefix(5).joined())
    let cut = try verify(log, files: log.replacing(2, with: half), catalogue: false)
    #expect(cut.difference?.kind == .rolledBack && cut.difference?.line == 6)

    // What a witness keeps outside shows the same without any file of a head.
    let kept = try #require(log.signedHeads["000003-run-3.head"].flatMap { SignedHead(note: $0) })
    let seen = try verify(log, files: older, heads: [:], catalogue: false) {
      $0.expectedHeads = [.tree(kept.tree)]
    }
    #expect(seen.difference?.kind == .rolledBack)
    let good = try verify(log) { $0.expectedHeads = [.tree(kept.tree)] }
    #expect(good.difference == nil && good.expectedHeads.first == .last)
  }

  @Test("A tree that a witness kept is found at any record, and no other passes")
  func expectedTree() throws {
    let log = try SampleLog(itemsPerRun: 2)
    var tree = TreeFrontier()
    for line in log.lines(0) + log.lines(1) {
      let digest = line.dropLast().withUnsafeBytes { HashedRecord.Digest($0) }
      tree.append(leaf: try #require(digest).leaf)
      let head = tree.head
      let result = try verify(log) { $0.expectedHeads = [.tree(head)] }
      #expect(result.difference == nil && result.expectedHeads.first != nil, "\(head.size)")
      let wrong = try verify(log) {
        $0.expectedHeads = [.tree(AuditTreeHead(size: head.size, root: log.heads[0]))]
      }
      #expect(wrong.difference?.kind == .unexpectedHead)
    }
    let end = try verify(log) { $0.expectedHeads = [.hash(tree.root)] }
    #expect(end.expectedHeads.first == .last)
  }

  @Test("Chain, catalogue and tree made anew are found by the signature alone")
  func madeAnew() throws {
    let signer = AuditSigner()
    let log = try SampleLog(itemsPerRun: 2) { _ in signer }
    let forged = try SampleLog(itemsPerRun: 3) { _ in AuditSigner() }
    // All of it is another log, whose heads the forger signs with a key of his own.
    let result = try verify(forged) { $0.trustedKey = signer.verifierKey }
    #expect(result.difference != nil)
    // The right heads beside it do not help him.
    let mixed = try verify(forged, heads: log.signedHeads)
    #expect(mixed.difference != nil)
    let elsewhere = try verify(log) { $0.library = "another" }
    #expect(elsewhere.difference?.kind == .changed)
  }

  @Test("A key that followed the trusted one is trusted, one that it followed is not any more")
  func rotation() throws {
    let first = AuditSigner()
    let second = first.rotated(at: .now)
    let third = second.rotated(at: .now)
    let signers = [first, second, second, third]
    let log = try SampleLog(itemsPerRun: 1, runs: 4) { signers[$0 - 1] }
    for key in [first, second, third] {
      let result = try verify(log) { $0.trustedKey = key.verifierKey }
      #expect(result.difference == nil && result.signature == .trusted)
    }
    let order = [first, third, second]
    let back = try SampleLog(itemsPerRun: 1, runs: 3) { order[$0 - 1] }
    let result = try verify(back) { $0.trustedKey = first.verifierKey }
    #expect(result.difference?.kind == .changed && result.difference?.file == "000003-run-3.head")
    // A rotation that the old key did not sign leads nowhere.
    let stranger = AuditSigner().rotated(at: .now)
    let strange = try SampleLog(itemsPerRun: 1, runs: 2) { $0 == 1 ? first : stranger }
    #expect(try verify(strange) { $0.trustedKey = first.verifierKey }.difference != nil)
  }

  @Test("A key that was rotated out makes no log that the new one vouches for")
  func rotatedOut() throws {
    let first = AuditSigner()
    let second = first.rotated(at: .now)
    // The old key with the rotation, which is public, names what follows it.
    let text = first.serialized + second.serialized.split(separator: "\n")[1] + "\n"
    #expect(AuditSigner(text) == nil)
    #expect(AuditSigner(second.serialized)?.verifierKey == second.verifierKey)
    let log = try SampleLog(itemsPerRun: 1, runs: 2) { $0 == 1 ? second : first }
    #expect(try verify(log) { $0.trustedKey = second.verifierKey }.difference?.kind == .changed)
    let third = second.rotated(at: .now)
    let older = try SampleLog(itemsPerRun: 1, runs: 1) { _ in second }
    #expect(try verify(older) { $0.trustedKey = third.verifierKey }.difference?.kind == .changed)
    #expect(try verify(older) { $0.trustedKey = first.verifierKey }.signature == .trusted)
  }

  @Test("Only the key that vouches for a head is its signer, and names are printable")
  func signerName() throws {
    let signer = AuditSigner()
    let log = try SampleLog(itemsPerRun: 1) { _ in signer }
    let name = "000002-run-2.head"
    let good = try #require(log.signedHeads[name])
    var heads = log.signedHeads
    heads[name] = good + "\u{2014} trusted.example AAAAAAAA\n"
    let result = try verify(log, heads: heads)
    #expect(result.difference == nil && result.signer == signer.verifierKey)
    #expect(result.signedHead?.note.signatures.count == 2)
    for bad in ["\u{202e}a", "\u{9b}2J", "é", "a+b", ""] {
      heads[name] = good + "\u{2014} \(bad) AAAAAAAA\n"
      #expect(try verify(log, heads: heads).difference?.kind == .changed, "\(bad)")
    }
  }

  @Test("A difference says the numbers of both sides")
  func wording() throws {
    let log = try SampleLog(itemsPerRun: 1)
    let result = try verify(log) {
      $0.expectedHeads = [.tree(AuditTreeHead(size: 999, root: log.heads[0]))]
    }
    let size = result.records
    #expect(result.difference?.detail == "the expected head has 999 records, but the log \(size)")
  }

  @Test("A file that the catalogue does not know may have a run's beginning and nothing more")
  func uncatalogued() throws {
    let signer = AuditSigner()
    let log = try SampleLog(itemsPerRun: 1) { _ in signer }
    func verify(_ bytes: [UInt8], whole: Bool = true) throws -> AuditVerification {
      let heads = log.signedHeads.filter { $0.key == "000001-run-1.head" }
      return try self.verify(log, files: log.replacing(1, with: bytes), heads: heads) {
        $0.expectations.removeLast()
        $0.isCatalogueWhole = whole
      }
    }
    let lines = log.lines(1)
    for count in 0...lines.count {
      let result = try verify(Array(lines.prefix(count).joined()))
      #expect((result.difference == nil) == (count <= 2), "\(count)")
      if count > 2 {
        #expect(result.difference?.kind == .added && result.difference?.file == log.files[1].name)
      }
    }
    #expect(try verify(Array(lines.joined()), whole: false).difference == nil)
    #expect(try verify(Array(lines[0]) + [0x7B]).difference == nil)
  }

  @Test("Bytes behind the last record of a run that came to its end were added")
  func behindTheEnd() throws {
    let log = try SampleLog(itemsPerRun: 1)
    let result = try log.verify(1, with: log.files[1].bytes + Array("{\"a".utf8))
    #expect(result.difference?.kind == .added && result.difference?.file == log.files[1].name)
  }

  @Test("The catalogue's tree is held against the records")
  func catalogueTree() throws {
    let log = try SampleLog(itemsPerRun: 2)
    var expectations = log.expectations
    expectations[1].tree?.head.root = log.heads[0]
    let verified = try AuditVerifier.verify(log.replacing(-1, with: []), expectations: expectations)
    #expect(verified.difference?.kind == .changed && verified.difference?.file == log.files[1].name)
    expectations = log.expectations
    expectations[0].tree?.head.size += 1
    let first = try AuditVerifier.verify(log.replacing(-1, with: []), expectations: expectations)
    #expect(first.difference?.kind == .changed && first.difference?.file == log.files[0].name)
  }
}
