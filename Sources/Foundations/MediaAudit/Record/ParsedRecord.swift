internal import MediaSyntax

/// Where the fields of one record's line stand that its place in the log, or its committed form,
/// depends on.
///
/// One pass and, for most records, no allocation but the list of names: a log has a million of them.
struct ParsedRecord {
  var sequence: Range<Int>?
  var previousHash: Range<Int>?
  var run: Range<Int>?
  var event: Range<Int>?
  var salt: Member?
  /// In a run's first record only.
  var schema: Range<Int>?
  var file: Range<Int>?
  var previous: Range<Int>?
  /// The values by which a record can be looked up, quotes included.
  var asset: Range<Int>?
  var path: Range<Int>?
  /// The kind of its source, and of a decision its word.
  var source: Range<Int>?
  var decision: Range<Int>?
  /// The name of its source, where that has one of its own.
  var sourceName: Range<Int>?
  /// The texts that the redacted form has digests for, in their order in the record.
  var names: [Name] = []

  struct Member {
    var key: Range<Int>
    var value: Range<Int>
  }

  struct Name {
    var field: RedactableField
    /// The text with its quotes.
    var value: Range<Int>
  }

  /// Nil when the line is not an object in the one canonical form.
  init?(_ line: UnsafeRawBufferPointer) {
    var reader = CanonicalJSON(line)
    var scan = ParsedRecord()
    let isObject = reader.forEachMember { key, value in scan.note(key, value, in: line) }
    guard isObject else { return nil }
    self = scan
  }

  private init() {}

  private mutating func note(
    _ key: Range<Int>,
    _ value: Range<Int>,
    in line: UnsafeRawBufferPointer
  ) {
    switch key.count {
    case 3:
      if Self.matches(line, key, "seq") {
        sequence = value
      } else if Self.matches(line, key, "run") {
        run = value
      }
    case 4:
      if Self.matches(line, key, "path") {
        path = value
        add(.path, value, in: line)
      } else if Self.matches(line, key, "prev") {
        previousHash = value
      } else if Self.matches(line, key, "salt") {
        salt = Member(key: key, value: value)
      } else if Self.matches(line, key, "file") {
        file = value
      } else if Self.matches(line, key, "host") {
        add(.host, value, in: line)
      } else if Self.matches(line, key, "user") {
        add(.user, value, in: line)
      }
    case 5:
      if Self.matches(line, key, "event") {
        event = value
      } else if Self.matches(line, key, "asset") {
        asset = value
      }
    case 6:
      if Self.matches(line, key, "output") {
        addPath(.outputPath, inObject: value, of: line)
      } else if Self.matches(line, key, "schema") {
        schema = value
      } else if Self.matches(line, key, "source") {
        source = value
      }
    case 8:
      if Self.matches(line, key, "previous") {
        previous = value
      } else if Self.matches(line, key, "decision") {
        decision = value
      }
    default: noteLong(key, value, in: line)
    }
  }

  /// Notes a member whose key has more than eight bytes: most are names.
  private mutating func noteLong(
    _ key: Range<Int>,
    _ value: Range<Int>,
    in line: UnsafeRawBufferPointer
  ) {
    switch key.count {
    case 9: if Self.matches(line, key, "addedPath") { add(.addedPath, value, in: line) }
    case 10:
      if Self.matches(line, key, "listSHA256") {
        add(.list, value, in: line)
      } else if Self.matches(line, key, "thumbnails") {
        addThumbnails(value, of: line)
      } else if Self.matches(line, key, "sourceName") {
        sourceName = value
        add(.sourceName, value, in: line)
      }
    case 12:
      if Self.matches(line, key, "resolvedPath") {
        add(.resolvedPath, value, in: line)
      } else if Self.matches(line, key, "previousPath") {
        add(.previousPath, value, in: line)
      }
    default: break
    }
  }

  /// Adds the path of each thumbnail in a list.
  private mutating func addThumbnails(_ value: Range<Int>, of line: UnsafeRawBufferPointer) {
    var reader = CanonicalJSON(UnsafeRawBufferPointer(rebasing: line[value]))
    var number = 0
    _ = reader.forEachElement { element in
      let start = value.lowerBound
      addPath(
        .thumbnailPath(number),
        inObject: (start + element.lowerBound)..<(start + element.upperBound),
        of: line
      )
      number += 1
    }
  }

  private mutating func add(
    _ field: RedactableField,
    _ value: Range<Int>,
    in line: UnsafeRawBufferPointer
  ) {
    // The redacted form keeps every value that is not a text unchanged.
    if line[value.lowerBound] == UInt8(ascii: "\"") {
      names.append(Name(field: field, value: value))
    }
  }

  private mutating func addPath(
    _ field: RedactableField,
    inObject object: Range<Int>,
    of line: UnsafeRawBufferPointer
  ) {
    let part = UnsafeRawBufferPointer(rebasing: line[object])
    var reader = CanonicalJSON(part)
    var path: Range<Int>?
    _ = reader.forEachMember { key, value in
      if Self.matches(part, key, "path") { path = value }
    }
    guard let path else { return }
    let start = object.lowerBound
    add(field, (start + path.lowerBound)..<(start + path.upperBound), in: line)
  }

  private static func matches(
    _ line: UnsafeRawBufferPointer,
    _ key: Range<Int>,
    _ word: StaticString
  ) -> Bool {
    guard key.count == word.utf8CodeUnitCount else { return false }
    for offset in 0..<key.count where line[key.lowerBound + offset] != word.utf8Start[offset] {
      return false
    }
    return true
  }
}
