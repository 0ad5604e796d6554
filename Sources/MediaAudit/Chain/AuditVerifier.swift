package import MediaModel

/// One audit file to verify: its name in the folder of the log, and how to open it.
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

/// What a log is held against, beside its own chain.
package struct AuditWitnesses: Sendable {
  /// What the catalogue knows, any number for a file, none for one that is new.
  package var expectations: [AuditPosition] = []
  /// Whether that is all: then no other file has more than the records with which a run begins.
  package var isCatalogueWhole = false
  /// The head or the root that a witness kept, 64 hexadecimal digits.
  package var expectedHead: String?
  /// The tree that a witness kept: some records of the log, from the first on, have it.
  package var expectedTree: AuditTreeHead?
  /// The signed heads by the names of their files, as they stand beside the runs' files.
  package var signedHeads: [String: String] = [:]
  /// A key that the last run's head has to be signed by, or by one that followed it.
  package var trustedKey: VerifierKey?
  /// The library's identifier, which signed heads have to name.
  package var library: String?
  /// On how many threads lines are hashed; 1 in a process that is to be confined.
  package var threads = 1

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
  /// `files` are in any order; names that are no audit file's are reported and not read.
  ///
  /// - Returns: Where the first difference is, if there is one; records behind it are not judged.
  /// - Throws: ``AuditError`` `.cannotRead`. A difference is not an error.
  package static func verify(
    _ files: [AuditFile],
    _ witnesses: AuditWitnesses
  ) throws(AuditError) -> AuditVerification {
    var result = AuditVerification()
    var entries: [(name: AuditFileName, file: AuditFile)] = []
    for file in files {
      if let name = AuditFileName(text: file.name) {
        entries.append((name, file))
      } else if AuditFileName(headText: file.name) == nil {
        result.unrecognizedNames.append(file.name)
      }
    }
    entries.sort { $0.name < $1.name }
    result.unrecognizedNames.sort { $0.utf8.lexicographicallyPrecedes($1.utf8) }

    let expected = Dictionary(grouping: witnesses.expectations, by: \.file)
    let gaps = FileGaps(present: entries.map(\.name), expected: Set(expected.keys))
    var witness = WitnessCheck(witnesses)
    var signatures = SignatureCheck(witnesses)
    var head = RecordHash.zero
    var tree = TreeFrontier()
    witness.observe(head, tree, "", 0)

    for (index, entry) in entries.enumerated() {
      if let difference = gaps.difference(before: index) {
        result.difference = difference
        return result
      }
      let text = entry.name.text
      let following =
        index + 1 < entries.count && entries[index + 1].name.number == entry.name.number + 1
        ? entries[index + 1] : nil
      var check = AuditFileCheck(
        name: entry.name,
        bytes: try entry.file.open(),
        incoming: head,
        tree: tree,
        previousName: index > 0 ? entries[index - 1].name : nil,
        expectations: expected[text] ?? [],
        next: try following.flatMap { next throws(AuditError) in
          try NextOpening(
            of: try next.file.open(),
            name: next.name,
            after: entry.name,
            expectations: expected[next.name.text] ?? []
          )
        },
        threads: witnesses.threads
      )
      result.difference = try check.run { witness.observe($0, $2, text, $1) }
      if result.difference == nil, witnesses.isCatalogueWhole, expected[text] == nil,
        try !check.bytes.hasOnlyOpening()
      {
        result.difference = AuditDifference(
          kind: .added,
          file: text,
          detail: "the catalogue knows nothing of the file"
        )
      }
      result.records += check.records
      result.head = check.head.text
      head = check.head
      tree = check.tree
      if result.difference == nil { result.difference = signatures.difference(of: check) }
      if result.difference == nil { witness.endOfFile(tree, text, check.records) }
      if result.difference != nil { break }
      result.files += 1
      result.tornBytes += check.tornBytes
    }
    result.tree = tree.head
    result.signedHead = signatures.head
    result.signer = signatures.signer
    result.signature = signatures.state
    guard result.difference == nil else { return result }
    result.difference =
      gaps.difference(before: entries.count) ?? signatures.difference(atEnd: tree)
    result.signature = signatures.state
    guard result.difference == nil else { return result }
    (result.expectedHead, result.difference) = witness.found(head: head, tree: tree)
    return result
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
    witnesses.expectedHead = expectedHead
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

  /// What is wrong with the names from the file before `index` up to the one at it.
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
      let digits = String(last + 1)
      return missing(String(repeating: "0", count: max(0, 6 - digits.utf8.count)) + digits + "-…")
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
    AuditDifference(kind: .missing, file: name, detail: "the file is not there")
  }
}
