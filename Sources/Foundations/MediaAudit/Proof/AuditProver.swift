package import MediaModel
internal import MediaSyntax

/// Finds records of a log and proves that they are in it.
package struct AuditProver {
  private let leaves: AuditLeaves

  /// `encodedTree` and `blocks` are what the catalogue has; without them the whole log is read first.
  ///
  /// - Throws: ``AuditError`` `.cannotRead`.
  package init(
    folder: AuditFolder,
    blocks: [AuditBlock],
    encodedTree: [UInt8]?
  ) throws(AuditError) {
    leaves = try AuditLeaves(folder: folder, blocks: blocks, tree: encodedTree)
  }

  /// The log's tree as it is now.
  package var tree: AuditTreeHead { leaves.tree.head }

  /// The records to prove.
  package enum Subject: Sendable, Hashable {
    /// All records about the asset with this localIdentifier.
    case asset(String)
    /// All records about a source file, of the source with a name or of any.
    case path(ItemPath, String?)
    /// 0-based, over all records of the library.
    case numbers([Int])
  }

  /// The numbers of the records to prove; empty when the log has none of them, or not all numbers.
  ///
  /// - Throws: ``AuditError`` `.cannotRead`, `.differs`.
  package func records(about subject: Subject) throws(AuditError) -> [Int] {
    switch subject {
    case .asset(let identifier): try records(ofAsset: identifier)
    case .path(let path, let source): try records(ofPath: path, source: source)
    case .numbers(let numbers):
      numbers.allSatisfy { (0..<tree.size).contains($0) } ? numbers : []
    }
  }

  /// The numbers of all records about an asset, oldest first: its outcomes, and the access to the
  /// files that these name.
  ///
  /// - Throws: ``AuditError`` `.cannotRead`, `.differs`.
  func records(ofAsset identifier: String) throws(AuditError) -> [Int] {
    let outcomes = try find(\.asset, identifier, where: \.asset)
    var indices = Set(outcomes.map(\.index))
    for path in Set(outcomes.compactMap(\.entry.path)) {
      let runs = Set(outcomes.filter { $0.entry.path == path }.map(\.entry.run))
      let sources = Set(outcomes.filter { $0.entry.path == path }.compactMap(\.entry.source))
      for record in try find(\.path, path.text, where: \.path?.text)
      where record.entry.event == .access && runs.contains(record.entry.run)
        && record.entry.source.map({ sources.contains($0) }) ?? false
      {
        indices.insert(record.index)
      }
    }
    return indices.sorted()
  }

  /// The numbers of all records about a source file, oldest first.
  ///
  /// - Throws: ``AuditError`` `.cannotRead`, `.differs`.
  func records(
    ofPath path: ItemPath,
    source: String? = nil
  ) throws(AuditError) -> [Int] {
    let records = try find(\.path, path.text, where: \.path?.text)
      .filter { record in source.map { record.entry.source?.isCalled($0) == true } ?? true }
    var indices = Set(records.map(\.index))
    // A merge may have said what has become of an asset of a shard.
    for asset in Set(records.compactMap(\.entry.asset)) {
      for record in try find(\.asset, asset, where: \.asset)
      where record.entry.event == .placed {
        indices.insert(record.index)
      }
    }
    return indices.sorted()
  }

  /// A record that was found by what it is about.
  package struct Found {
    /// 0-based, over all records of the library.
    package let index: Int
    package let file: AuditFileName
    package let entry: AuditEntry
  }

  /// Reads the records of some numbers, in the order of the log.
  ///
  /// - Throws: ``AuditError`` `.cannotRead`, `.differs`.
  package func read(_ indices: [Int]) throws(AuditError) -> [Found] {
    let wanted = Dictionary(grouping: Set(indices)) { $0 / AuditBlock.recordCount }
    var records: [Found] = []
    for number in wanted.keys.sorted() {
      let block = try leaves.records(inBlock: number)
      for index in (wanted[number] ?? []).sorted() {
        let record = block[index % AuditBlock.recordCount]
        guard let entry = AuditEntry(line: record.line) else { continue }
        records.append(Found(index: index, file: record.file, entry: entry))
      }
    }
    return records
  }

  /// Reads the records with which a run begins: itself and the decisions about its sources.
  ///
  /// - Throws: ``AuditError`` `.cannotRead`.
  package func beginning(of file: AuditFileName) throws(AuditError) -> [AuditEntry] {
    var lines = AuditLines(try leaves.folder.bytes(of: file))
    var entries: [AuditEntry] = []
    while let line = try lines.next(), line.isTerminated, let entry = AuditEntry(line: line.bytes),
      entry.event != .access, entry.event != .outcome
    {
      entries.append(entry)
    }
    return entries
  }

  /// Proves that records are in the log of the newest signed head that has them, or without one in
  /// that of now.
  ///
  /// - Throws: ``AuditError`` `.cannotRead`; `.differs` when the log is not what was signed.
  package func proof(
    of indices: [Int],
    hiding hidden: Set<RedactableKind> = []
  ) throws(AuditError) -> AuditProof {
    let head = try head(with: indices.max() ?? 0)
    var roots = AuditLeaves.Roots(leaves)
    guard try roots.root(0..<head.tree.size).text == head.tree.root else {
      throw AuditError(.differs, file: head.file)
    }
    var records: [AuditProof.ProvedRecord] = []
    for index in Set(indices).sorted().prefix(AuditProof.maximumRecordCount) {
      let block = try leaves.records(inBlock: index / AuditBlock.recordCount)
      let record = block[index % AuditBlock.recordCount]
      let shown = record.line.withUnsafeBytes {
        DisclosedRecord($0, index: index, hiding: hidden)
      }
      guard let shown else { throw AuditError(.differs, file: record.file.text) }
      let path = try TreeProof.inclusion(of: index, size: head.tree.size) {
        (range) throws(AuditError) in try roots.root(range)
      }
      records.append(AuditProof.ProvedRecord(shown: shown, path: path))
    }
    return AuditProof(head: head, records: records)
  }

  /// Proves that the tree of one head is the beginning of that of another, as far as the log has them.
  ///
  /// - Throws: ``ProofError`` when the log has no trees of these sizes; ``AuditError`` `.cannotRead`,
  ///   `.differs`.
  package func consistency(
    from old: AuditTreeHead,
    to new: AuditTreeHead
  ) throws -> ConsistencyProof {
    guard old.size >= 1, old.size <= new.size, new.size <= tree.size else {
      throw ProofError("heads of \(old.size) and \(new.size) records, and the log has \(tree.size)")
    }
    return try consistency(from: old.size, to: new.size)
  }

  /// Proves that the tree of one size is the beginning of that of another.
  ///
  /// `old` is at least 1, `new` at least that and at most the size of the log.
  ///
  /// - Throws: ``AuditError`` `.cannotRead`, `.differs`.
  func consistency(
    from old: Int,
    to new: Int
  ) throws(AuditError) -> ConsistencyProof {
    var roots = AuditLeaves.Roots(leaves)
    let hashes = try TreeProof.consistency(from: old, to: new) { (range) throws(AuditError) in
      try roots.root(range)
    }
    return ConsistencyProof(
      old: AuditTreeHead(size: old, root: try roots.root(0..<old).text),
      new: AuditTreeHead(size: new, root: try roots.root(0..<new).text),
      hashes: hashes
    )
  }

  /// The newest signed head of which a record is, or one without a signature.
  package func head(with index: Int) throws(AuditError) -> SignedHead {
    let files = try leaves.folder.files()
    for file in files.reversed() {
      guard let text = try leaves.folder.signedHead(of: file), let head = SignedHead(note: text)
      else { continue }
      // That of a shard is the head of another tree.
      if head.file == file.text, head.tree.size > index, head.tree.size <= leaves.size {
        return head
      }
    }
    let previous = try leaves.folder.previousHead()
    return SignedHead(
      library: "",
      tree: tree,
      head: previous?.head ?? RecordHash.zero.text,
      file: previous?.file ?? "",
      time: AuditTime.now.text
    )
  }

  private func find(
    _ key: KeyPath<LookupKeys, UInt32>,
    _ value: String,
    where field: (AuditEntry) -> String?
  ) throws(AuditError) -> [(index: Int, entry: AuditEntry)] {
    let wanted = JSONValue(value).serialized.withUnsafeBytes { LookupKeys.key($0) }
    let bytes = (0..<4).reversed().map { UInt8(truncatingIfNeeded: wanted >> ($0 * 8)) }
    var matches: [(index: Int, entry: AuditEntry)] = []
    let blocks = leaves.blocks.filter { Self.contains(bytes, in: $0.keys) }.map(\.number)
    let last = leaves.blocks.count
    for number in blocks + (last * AuditBlock.recordCount < leaves.size ? [last] : []) {
      for record in try leaves.records(inBlock: number) {
        guard let entry = AuditEntry(line: record.line), field(entry) == value else { continue }
        matches.append((record.index, entry))
      }
    }
    return matches
  }

  private static func contains(_ key: [UInt8], in keys: [UInt8]) -> Bool {
    var low = 0
    var high = keys.count / 4
    while low < high {
      let middle = (low + high) / 2
      let candidate = keys[(middle * 4)..<(middle * 4 + 4)]
      if candidate.elementsEqual(key) { return true }
      if candidate.lexicographicallyPrecedes(key) { low = middle + 1 } else { high = middle }
    }
    return false
  }
}
