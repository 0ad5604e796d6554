import MediaModel

/// A record as the tree has it: each name replaced by a keyed digest, without the salt.
///
/// So a record can be shown without its names, or with some of them, and is the same record of the
/// same tree. A record without a salt, which has no names, is its own committed form.
///
///     "path":"IMG_0001.JPG" … "salt":"9f…"     becomes     "path":{"hmac":"5f1c…"}
///
/// The digest is HMAC-SHA-256 of the name's canonical JSON, with a key that is HMAC-SHA-256 of the
/// name's JSON Pointer with the record's salt: the key of one name opens that one and no other.
///
/// Source: the idea is that of RFC 9901 (SD-JWT), section 4.2.
enum RedactedRecord {
  /// Calls `body` with the committed form of a line piece by piece, each of which is valid only there.
  static func forEachPiece(
    of line: UnsafeRawBufferPointer,
    _ scan: ParsedRecord,
    _ body: (UnsafeRawBufferPointer) -> Void
  ) {
    guard let salt = Salt(line, scan) else { return body(line) }
    var position = 0
    func copy(to end: Int) { body(UnsafeRawBufferPointer(rebasing: line[position..<end])) }
    // The names are in the order of the keys, and the salt is one of these.
    var saltCut = salt.cut
    for name in scan.names {
      if let cut = saltCut, cut.lowerBound < name.value.lowerBound {
        copy(to: cut.lowerBound)
        position = cut.upperBound
        saltCut = nil
      }
      copy(to: name.value.lowerBound)
      let digest = digest(UnsafeRawBufferPointer(rebasing: line[name.value]), key: salt.key(of: name.field))
      opening.withUnsafeBytes(body)
      digest.withDigits(body)
      closing.withUnsafeBytes(body)
      position = name.value.upperBound
    }
    if let cut = saltCut {
      copy(to: cut.lowerBound)
      position = cut.upperBound
    }
    copy(to: line.count)
  }

  private static let opening = Array(#"{"hmac":""#.utf8)
  private static let closing = Array(#""}"#.utf8)

  /// The keyed digest of a name's canonical JSON.
  static func digest(_ name: UnsafeRawBufferPointer, key: RecordHash) -> RecordHash {
    key.withBytes { KeyedDigest.digest(key: $0, name) }
  }

  /// The salt that makes a record's digests impossible to guess: 16 bytes, new for each record.
  struct Salt {
    private let words: (UInt64, UInt64)
    /// The salt's member with the comma before it.
    let cut: Range<Int>?

    static let byteCount = 16

    /// Nil when the record has none.
    init?(_ line: UnsafeRawBufferPointer, _ scan: ParsedRecord) {
      guard let member = scan.salt, member.value.count == 2 * Self.byteCount + 2,
        member.key.lowerBound >= 2, line[member.key.lowerBound - 2] == .comma,
        let first = RecordHash.word(line, member.value.lowerBound + 1),
        let second = RecordHash.word(line, member.value.lowerBound + 17)
      else { return nil }
      words = (first, second)
      cut = (member.key.lowerBound - 2)..<member.value.upperBound
    }

    func key(of field: RedactableField) -> RecordHash {
      var pointer = field.pointer
      return pointer.withUTF8 { pointer in
        withUnsafeBytes(of: words) { KeyedDigest.digest(key: $0, UnsafeRawBufferPointer(pointer)) }
      }
    }
  }
}
