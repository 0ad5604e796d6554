package import MediaModel

/// An audit file to verify: its name in the folder of the log, and a way to open it.
package struct AuditFile {
  package var name: String
  /// Called when the file's turn comes, at most twice: a library may have more runs than a process
  /// may have descriptors.
  package var open: () throws(AuditError) -> any AuditBytes

  package init(name: String, open: @escaping () throws(AuditError) -> any AuditBytes) {
    self.name = name
    self.open = open
  }

  /// A file that is in memory.
  package init(name: String, bytes: [UInt8]) {
    self.name = name
    open = { () throws(AuditError) in MemoryAuditBytes(bytes) }
  }
}

/// The evidence that a log is compared with, in addition to its own chain.
package struct AuditWitnesses: Sendable {
  /// The positions in the catalogue: any number per file, none for a new file.
  package var expectations: [AuditPosition] = []
  /// Whether that is all: then no other file has more than the records with which a run begins.
  package var isCatalogueWhole = false
  /// The heads that witnesses kept: the log has to contain each of them.
  package var expectedHeads: [TrustedHead] = []
  /// The signed heads by the names of their files, which are beside the runs' files.
  package var signedHeads: [String: String] = [:]
  /// A key that the last run's head has to be signed by, or by one that followed it.
  package var trustedKey: VerifierKey?
  /// The library's identifier, which signed heads have to name.
  package var library: String?
  /// The certificates of time-stamping authorities that are trusted, in PEM.
  package var timestampAuthorities: [UInt8]?
  /// On how many threads lines are hashed; 1 in a process that is to be confined.
  package var threads = 1
  /// The records that are noted on the way.
  package var search: RecordSearch?

  package init() {}
}

/// Finds the first place at which a log is not what its runs wrote.
///
/// The chain alone shows a change, a removal, an addition and a move before the last record; what the
/// catalogue expects shows a cut, a missing file and a change of the last record; only the head that a
/// witness keeps, or a key has signed, shows that log and catalogue were both replaced.
package enum AuditVerifier {
  /// Verifies all files of a log, in constant memory and one pass.
  ///
  /// `files` are in any order; names that are no audit file's are not read; see ``AuditFolder/addOtherNames(to:)``.
  ///
  /// - Returns: Where the first difference is, if there is one; records behind it are not judged.
  /// - Throws: ``AuditError`` `.cannotRead`. A difference is not an error, and neither is a file for which something
  ///   else stands that is no regular file.
  package static func verify(
    _ files: [AuditFile],
    _ witnesses: AuditWitnesses
  ) throws(AuditError) -> AuditVerification {
    var pass = VerificationPass(files, witnesses)
    let difference = try pass.run()
    var result = pass.result
    result.difference = difference
    result.tree = pass.tree.head
    result.signedHead = pass.signatures.head
    result.signer = pass.signatures.signer
    result.signature = pass.signatures.state
    return result
  }
}

/// One pass over the files of a log, up to the first difference.
private struct VerificationPass {
  private let entries: [(name: AuditFileName, file: AuditFile)]
  private let witnesses: AuditWitnesses
  private let expected: [String: [AuditPosition]]
  private let gaps: FileGaps
  private var expectedHeads: [WitnessCheck]
  /// The hash of the last record that fits.
  private var head = RecordHash.zero

  private(set) var result = AuditVerification()
  private(set) var signatures: SignatureCheck
  /// The tree over all records that fit.
  private(set) var tree = TreeFrontier()
  private var merged = MergedLogs()

  init(_ files: [AuditFile], _ witnesses: AuditWitnesses) {
    // No record can be in a file with another name: it is no difference.
    entries = files.compactMap { file in AuditFileName(text: file.name).map { ($0, file) } }
      .sorted { $0.name < $1.name }
    self.witnesses = witnesses
    expected = Dictionary(grouping: witnesses.expectations, by: \.file)
    gaps = FileGaps(present: entries.map(\.name), expected: Set(expected.keys))
    expectedHeads = witnesses.expectedHeads.map { WitnessCheck($0, of: witnesses.library) }
    signatures = SignatureCheck(witnesses)
    observe(head, tree, "", 0)
  }

  /// Returns the first difference: of a name, a file, the end of the log, or the witness's head.
  mutating func run() throws(AuditError) -> AuditDifference? {
    for index in entries.indices {
      if let gap = gaps.difference(before: index) { return gap }
      if let difference = try checkFile(at: index) { return difference }
    }
    if let gap = gaps.difference(before: entries.count) { return gap }
    if let difference = merged.differenceAtEnd() { return difference }
    if let difference = signatures.difference(atEnd: tree) { return difference }
    for expected in expectedHeads {
      let (position, difference) = expected.locate(head: head, tree: tree)
      if let difference { return difference }
      if let position { result.expectedHeads.append(position) }
    }
    return nil
  }

  private mutating func observe(
    _ head: RecordHash,
    _ tree: TreeFrontier,
    _ file: String,
    _ line: Int
  ) {
    for index in expectedHeads.indices { expectedHeads[index].observe(head, tree, file, line) }
  }

  private mutating func checkFile(at index: Int) throws(AuditError) -> AuditDifference? {
    let entry = entries[index]
    let name = entry.name.text
    guard let bytes = try Self.bytes(of: entry.file) else {
      return AuditDifference(kind: .changed, file: name, detail: "it is not a regular file")
    }
    var check = AuditFileCheck(
      name: entry.name,
      bytes: bytes,
      incoming: head,
      tree: tree,
      merged: merged,
      previousName: index > 0 ? entries[index - 1].name : nil,
      expectations: expected[name] ?? [],
      next: try nextOpening(after: index),
      threads: witnesses.threads,
      search: witnesses.search
    )
    let difference = try check.run { observe($0, $2, name, $1) }
    if witnesses.search != nil { result.matches[name] = check.matches }
    result.records += check.records
    result.head = check.head.text
    head = check.head
    tree = check.tree
    merged = check.merged
    merged.add(check)
    if let difference { return difference }
    if witnesses.isCatalogueWhole, expected[name] == nil, try !check.bytes.hasOnlyOpening() {
      return AuditDifference(kind: .added, file: name, detail: "the catalogue does not know the file")
    }
    let isEnded = expected[name]?.contains(where: \.isEnded) ?? false
    if let difference = signatures.difference(of: check, isEnded: isEnded) { return difference }
    for index in expectedHeads.indices {
      expectedHeads[index].endOfFile(tree, name, check.records)
    }
    result.files += 1
    result.tornBytes += check.tornBytes
    return nil
  }

  /// Opens a file; nil for what is no regular file, of which nothing is read.
  private static func bytes(of file: AuditFile) throws(AuditError) -> (any AuditBytes)? {
    do {
      return try file.open()
    } catch {
      guard error.isNoFile else { throw error }
      return nil
    }
  }

  /// The first record of the file with the next number, where that is credible.
  private func nextOpening(after index: Int) throws(AuditError) -> NextOpening? {
    guard index + 1 < entries.count,
      entries[index + 1].name.number == entries[index].name.number + 1
    else { return nil }
    let next = entries[index + 1]
    guard let bytes = try Self.bytes(of: next.file) else { return nil }
    return try NextOpening(
      of: bytes,
      name: next.name,
      after: entries[index].name,
      expectations: expected[next.name.text] ?? []
    )
  }
}

extension AuditVerifier {
  /// Verifies all files against what the catalogue expects and the head that a witness kept.
  ///
  /// - Throws: ``AuditError`` `.cannotRead`.
  package static func verify(
    _ files: [AuditFile],
    expectations: [AuditPosition] = [],
    expectedHead: String? = nil
  ) throws(AuditError) -> AuditVerification {
    var witnesses = AuditWitnesses()
    witnesses.expectations = expectations
    witnesses.expectedHeads = expectedHead.map { [.hash($0)] } ?? []
    return try verify(files, witnesses)
  }
}

/// The files that a log must have: numbers from 1 without a gap, and all that the catalogue names.
private struct FileGaps {
  let present: [AuditFileName]
  /// Expected and not there, in the order of their numbers.
  let absent: [AuditFileName]
  /// Expected under a name that no audit file can have.
  let malformed: [String]
  let expected: Set<String>

  init(present: [AuditFileName], expected: Set<String>) {
    self.present = present
    self.expected = expected
    let there = Set(present)
    absent = expected.compactMap { AuditFileName(text: $0) }.filter { !there.contains($0) }.sorted()
    malformed = expected.filter { AuditFileName(text: $0) == nil }.sorted()
  }

  /// Returns the first difference in the names between the file before `index` and the one at it.
  func difference(before index: Int) -> AuditDifference? {
    let last = index > 0 ? present[index - 1].number : 0
    let current = index < present.count ? present[index] : nil
    if let name = absent.first(where: { $0.number > last }),
      name.number <= current?.number ?? .max
    {
      return missing(name.text)
    }
    guard let current else { return malformed.first.map(missing) }
    if current.number > last + 1 {
      return missing(AuditFileName.numberText(last + 1) + "-…")
    }
    guard index + 1 < present.count, present[index + 1].number == current.number else { return nil }
    let twin = present[index + 1]
    let extra = expected.contains(twin.text) && !expected.contains(current.text) ? current : twin
    return AuditDifference(
      kind: .added,
      file: extra.text,
      detail: "a second file has the number \(extra.number)"
    )
  }

  private func missing(_ name: String) -> AuditDifference {
    AuditDifference(kind: .missing, file: name, detail: "the file is missing")
  }
}
