internal import MediaModel

extension AuditFileCheck {
  /// Describes the difference at the first line that does not fit, by the lines after it.
  ///
  /// A hash mismatch can be caused by either record; the record after them tells which. The
  /// rest of the file is read once more at most.
  func locate(_ line: AuditLine, _ number: Int) throws(AuditError) -> AuditDifference {
    var ahead = AuditLines(bytes, from: line.end)
    let following = try ahead.next().flatMap { $0.isTerminated ? $0 : nil }
    let follower = following.flatMap { ChainedRecord(line: $0) }
    let record = ChainedRecord(line: line)

    if let follower, follower.sequence == number, follower.previousHash == head {
      // The expected record comes next, so this line was inserted before it.
      if let record, record.sequence > number,
        try find(after: line, where: { $0.sequence == record.sequence }) == nil
      {
        return difference(
          .moved,
          number,
          record.sequence,
          "record \(record.sequence) comes before record \(number)"
        )
      }
      return difference(.added, number, record?.sequence, "a line was inserted before record \(number)")
    }
    guard let record else {
      return difference(.changed, number, number, "record \(number) can no longer be read as a record")
    }
    if number == 1, record.sequence == 1 { return opening(record, line, follower) }
    if record.previousHash == head || record.run != name.run {
      return difference(.changed, number, number, "record \(number) was changed")
    }
    if record.sequence < number {
      return follower?.sequence == number + 1
        ? difference(
          .changed,
          number,
          number,
          "record \(record.sequence) is in the place of record \(number)"
        )
        : difference(.added, number, record.sequence, "record \(record.sequence) is there a second time")
    }
    if record.sequence > number {
      let distance = try find(after: line) { $0.sequence == number && $0.previousHash == head }
      if let distance {
        let line = number + distance
        return difference(.moved, number, number, "record \(number) is at line \(line)")
      }
      return difference(.removed, number, number, "record \(number) is missing")
    }
    return isConfirmed(line, number, follower)
      ? difference(.changed, number - 1, number - 1, "record \(number - 1) was changed")
      : difference(.changed, number, number, "record \(number) was changed")
  }

  /// A first record with the right number that still does not fit: another file's, or a changed one.
  private func opening(
    _ record: ChainedRecord,
    _ line: AuditLine,
    _ follower: ChainedRecord?
  ) -> AuditDifference {
    if let file = record.file, let written = AuditFileName(text: file), written != name,
      written.run == record.run, follower?.previousHash == line.hash
    {
      return AuditDifference(
        kind: .moved,
        file: name.text,
        detail: "the file was written as \(written.text)"
      )
    }
    return difference(.changed, 1, 1, "record 1 was changed")
  }

  /// Whether this line is what its run wrote, so that a broken link before it is the fault of the
  /// record before.
  private func isConfirmed(
    _ line: AuditLine,
    _ number: Int,
    _ follower: ChainedRecord?
  ) -> Bool {
    let hash = line.hash
    if let follower { return follower.previousHash == hash }
    if let expected = expectations.first(where: { $0.records == number }) {
      return expected.head == hash.text
    }
    if let next, next.previous.bytes == line.end { return next.head == hash }
    // Neither is confirmed: blame the record before, which has more bytes that can be wrong.
    return confirmed < number - 1 && line.end == bytes.size
  }

  /// Returns the distance in lines from `line` to the first record for which `matches` holds.
  private func find(
    after line: AuditLine,
    where matches: (ChainedRecord) -> Bool
  ) throws(AuditError) -> Int? {
    var lines = AuditLines(bytes, from: line.end)
    var distance = 0
    while let next = try lines.next() {
      distance += 1
      if let record = ChainedRecord(line: next), matches(record) { return distance }
    }
    return nil
  }
}

/// What a file's first record says of the file before it, when the records behind it vouch for it.
struct NextOpening {
  let name: AuditFileName
  let previous: AuditPreviousHead
  let head: RecordHash

  /// Nil when the first record contradicts itself or what follows it: then it is the one to blame.
  init?(
    of bytes: any AuditBytes,
    name: AuditFileName,
    after before: AuditFileName,
    expectations: [AuditPosition]
  ) throws(AuditError) {
    var lines = AuditLines(bytes)
    guard let first = try lines.next(), let record = ChainedRecord(line: first),
      record.sequence == 1, record.run == name.run, record.file == name.text,
      let previous = record.previous, previous.file == before.text,
      let head = RecordHash(hexadecimal: previous.head), head == record.previousHash
    else { return nil }
    self.name = name
    self.previous = previous
    self.head = head
    if expectations.contains(where: { $0.records == 1 && $0.head != first.hash.text }) {
      return nil
    }
    guard let second = try lines.next(), let follower = ChainedRecord(line: second),
      follower.sequence == 2, follower.previousHash != first.hash
    else { return }
    // The link between the two is broken: a third record that continues the second clears it.
    if let third = try lines.next(), let last = ChainedRecord(line: third) {
      if last.previousHash == second.hash { return nil }
    } else if let expected = expectations.first(where: { $0.records == 2 }),
      expected.head == second.hash.text
    {
      return nil
    }
  }
}
