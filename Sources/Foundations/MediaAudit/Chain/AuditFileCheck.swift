internal import MediaModel

/// Checks one audit file from its first byte to its last, against the files around it.
struct AuditFileCheck {
  let name: AuditFileName
  let bytes: any AuditBytes
  /// The head of the log up to this file.
  let incoming: RecordHash
  let previousName: AuditFileName?
  let expectations: [AuditPosition]
  /// The next file's record of this one; nil without a next file, or when that is not credible.
  let next: NextOpening?
  /// On how many threads lines are hashed.
  let threads: Int
  /// The records that are noted on the way.
  let search: RecordSearch?

  /// The tree over all records of the log up to the last one that fits.
  private(set) var tree: TreeFrontier
  /// The tree over the records of this file, if it is the log of a plan or a shard, which begins anew; nil for any
  /// other file.
  private(set) var ownTree: TreeFrontier?
  /// What merges have said of files before.
  private(set) var merged: MergedLogs

  /// Whether the run came to its end.
  private(set) var isEnded = false
  /// Who the file says has signed its head.
  private(set) var signer: AuditKey?
  /// The sources with names of their own that decisions of the run have allowed so far.
  private var allowed: Set<SourceID> = []

  /// The hash of the last record that fits.
  private(set) var head: RecordHash
  private(set) var records = 0
  /// Where that record's line ends.
  private(set) var end = 0
  private(set) var tornBytes = 0
  /// The last record that the catalogue knows by its hash; 0 for none.
  private(set) var confirmed = 0
  /// The records that were searched for; empty without a search.
  private(set) var matches = FoundRecords()

  init(
    name: AuditFileName,
    bytes: any AuditBytes,
    incoming: RecordHash,
    tree: TreeFrontier,
    merged: MergedLogs = MergedLogs(),
    previousName: AuditFileName?,
    expectations: [AuditPosition],
    next: NextOpening?,
    threads: Int,
    search: RecordSearch? = nil
  ) {
    self.name = name
    self.bytes = bytes
    self.incoming = incoming
    self.previousName = previousName
    self.expectations = expectations.sorted { $0.records < $1.records }
    self.next = next
    self.tree = tree
    self.merged = merged
    self.threads = threads
    self.search = search
    head = incoming
  }

  /// Gives nil when every record is where and what it was.
  ///
  /// Calls `observe` with the hash and the 1-based line of each record that fits, and the tree that it
  /// is the last one of.
  mutating func run(
    _ observe: (RecordHash, Int, TreeFrontier) -> Void
  ) throws(AuditError) -> AuditDifference? {
    if let other = expectations.first(where: { $0.run != name.run }) {
      return AuditDifference(
        kind: .changed,
        file: other.file,
        detail: "by the catalogue it is the file of another run"
      )
    }
    var lines = HashedRecords(bytes, limit: next?.previous.bytes, threads: threads)
    while let line = try lines.next() {
      let number = records + 1
      guard line.isTerminated else { return try unterminated(try whole(line)) }
      guard let digest = line.digest, fits(digest.record, number) else {
        return try locate(try whole(line), number)
      }
      if isEnded {
        return difference(.added, number, number, "a record follows the last one of the run")
      }
      if let named = digest.record.named, let difference = difference(of: named, digest.record.event, number)
      {
        return difference
      }
      isEnded = digest.record.event == .end
      if digest.record.event == .key { signer = AuditEntry(line: try whole(line).bytes)?.body() }
      head = digest.hash
      tree.append(leaf: digest.leaf)
      ownTree?.append(leaf: digest.leaf)
      records = number
      end = line.end
      if let search {
        matches.add(line.offset..<end, isWanted: search.wants(digest.record, digest.keys))
      }
      if let difference = unexpected(number) { return difference }
      if digest.record.event == .run || digest.record.event == .merged,
        let difference = merged.difference(at: try whole(line), digest.record.event)
      {
        return difference
      }
      observe(head, number, tree)
    }
    return try finish()
  }

  /// Checks the name of a record's source, and that a decision allows the source of what is opened.
  private mutating func difference(
    of named: ChainedRecord.NamedSource,
    _ event: AuditEvent,
    _ number: Int
  ) -> AuditDifference? {
    guard let source = named.source else {
      return difference(
        .changed,
        number,
        number,
        "record \(number) names a source with a name that no source can have"
      )
    }
    if named.isAllowed { allowed.insert(source) }
    guard event == .access, !allowed.contains(source) else { return nil }
    return difference(
      .changed,
      number,
      number,
      "record \(number) opens a file of the \(source.displayName), but no decision before it allows that"
    )
  }

  /// The line with its bytes, read once more.
  private func whole(_ line: HashedRecord) throws(AuditError) -> AuditLine {
    var lines = AuditLines(bytes, from: line.offset, limit: line.end)
    guard let reread = try lines.next() else { throw AuditError(.cannotRead, file: name.text) }
    return reread
  }

  /// Whether a record continues the chain, or begins that of a plan or a shard: a merge takes such a log over
  /// as it was, and the tree that the first record of the merge names covers it.
  private mutating func fits(_ record: ChainedRecord, _ number: Int) -> Bool {
    if number == 1, previousName != nil, record.sequence == 1, record.previousHash == .zero,
      record.previous == nil, record.event == .run, record.run == name.run,
      record.file == name.asFirst?.text
    {
      ownTree = TreeFrontier()
      return true
    }
    guard record.sequence == number, record.previousHash == head, record.run == name.run else {
      return false
    }
    guard number == 1 else { return record.event != .run }
    let previousHead = record.previous.map(\.head) ?? RecordHash.zero.text
    if let expected = record.previous?.tree, expected != tree.head { return false }
    return record.event == .run && record.file == name.text
      && record.previous?.file == previousName?.text && previousHead == head.text
  }

  /// Compares with the catalogue at the records that it knows.
  private mutating func unexpected(_ number: Int) -> AuditDifference? {
    for position in expectations where position.records == number {
      guard position.bytes == end, position.head == head.text else {
        let isNext = confirmed == number - 1
        return difference(
          .changed,
          number,
          number,
          isNext
            ? "record \(number) differs from the one that the catalogue knows"
            : "a record from \(confirmed + 1) to \(number) differs from the one that the catalogue knows"
        )
      }
      if let expected = position.tree, expected.head != tree.head {
        return difference(
          .changed,
          number,
          number,
          "the catalogue has another root for the records up to \(number)"
        )
      }
      confirmed = number
    }
    return nil
  }

  /// The end of the file, or of its accepted part, came before a newline.
  private mutating func unterminated(_ line: AuditLine) throws(AuditError) -> AuditDifference? {
    let number = records + 1
    if line.end < bytes.size {
      // The accepted part ends within a line of the file as it is now.
      var lines = AuditLines(bytes, from: line.offset)
      if let whole = try lines.next(), whole.isTerminated { return try locate(whole, number) }
    }
    let accepted = max(next?.previous.bytes ?? 0, expectations.last?.bytes ?? 0)
    guard accepted > line.offset else {
      return try finish()
    }
    return bytes.size < accepted
      ? difference(.torn, number, number, "the file ends within record \(number)")
      : difference(.changed, number, number, "record \(number) lacks the end of its line")
  }

  private mutating func finish() throws(AuditError) -> AuditDifference? {
    matches.finish()
    let number = records + 1
    if let position = expectations.last(where: { $0.records > records }) {
      if bytes.size < position.bytes {
        // The next run has accepted the whole lines alone of a file that was cut within one.
        let isTorn = bytes.size > end
        return difference(
          isTorn ? .torn : .cut,
          number,
          number,
          "the file has \(records) of \(position.records) records; \(number) is the first that is "
            + (isTorn ? "cut" : "missing")
        )
      }
      return difference(
        .changed,
        confirmed + 1,
        confirmed + 1,
        "the file has \(records) records where the catalogue knows \(position.records)"
      )
    }
    tornBytes = bytes.size - end
    if isEnded, tornBytes > 0 {
      return difference(.added, number, nil, "bytes follow the last record of the run")
    }
    guard let next else { return nil }
    if end < next.previous.bytes {
      return difference(.cut, number, number, "record \(number) is the first that is missing")
    }
    if head != next.head {
      guard confirmed != records else {
        return AuditDifference(
          kind: .changed,
          file: next.name.text,
          line: 1,
          sequence: 1,
          detail: "record 1 and the catalogue differ about the head of the file before"
        )
      }
      return difference(
        .changed,
        records,
        records,
        "record \(records) is not the one that the next run continued from"
      )
    }
    return try tornDifference(expected: next.previous.tornBytes)
  }

  /// Compares the bytes behind the last record with what the next run has found there.
  private func tornDifference(expected: Int) throws(AuditError) -> AuditDifference? {
    let number = records + 1
    if tornBytes > expected {
      return difference(.added, number, nil, "bytes were added after the next run had begun")
    }
    if tornBytes < expected {
      return difference(.cut, number, nil, "a part of the torn end that the next run found is missing")
    }
    // Torn bytes end before a newline: with one among them, the next run had accepted more.
    var torn = AuditLines(bytes, from: end)
    if tornBytes > 0, try torn.next()?.isTerminated == true {
      return difference(.added, number, nil, "a whole line is where the next run found a torn end")
    }
    return nil
  }

  func difference(
    _ kind: AuditDifference.Kind,
    _ line: Int,
    _ sequence: Int?,
    _ detail: String
  ) -> AuditDifference {
    AuditDifference(kind: kind, file: name.text, line: line, sequence: sequence, detail: detail)
  }
}
