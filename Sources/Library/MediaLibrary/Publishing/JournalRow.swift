internal import MediaFileSystem
internal import MediaModel
internal import MediaWorkerProtocol

/// What a row of the journal is made of: each type tells its members once, for writing and for reading.
protocol JournalValue {
  /// What a value that is read begins as.
  init()
  /// Writes the members, or reads them.
  mutating func pass(through row: inout JournalRow) throws
}

/// The content of a batch in the wire's format, while it is written or read.
///
/// `JSONEncoder` took an eighth of the coordinator's time over small files.
struct JournalRow {
  private var writer = WireWriter()
  private var reader: WireReader?

  /// Makes an empty row to write.
  init() {}

  /// Makes a reader of a row, whose digest says that this program wrote it.
  init(reading bytes: [UInt8]) { reader = WireReader(bytes[...], isOwn: true) }

  /// The bytes that were written.
  var bytes: [UInt8] { writer.bytes }

  var isReading: Bool { reader != nil }

  mutating func pass(_ value: inout some JournalValue) throws { try value.pass(through: &self) }

  mutating func pass<Value: JournalValue>(_ value: inout Value?) throws {
    var isThere = value != nil
    try pass(&isThere)
    guard isThere else { return }
    var some = value ?? Value()
    try some.pass(through: &self)
    value = some
  }

  mutating func pass<Value: JournalValue>(_ values: inout [Value]) throws {
    var count = values.count
    try pass(&count)
    guard isReading else {
      for var value in values { try value.pass(through: &self) }
      return
    }
    guard count >= 0 else { throw ProtocolError("a number of values") }
    for _ in 0..<count {
      var value = Value()
      try value.pass(through: &self)
      values.append(value)
    }
  }

  mutating func pass<Value: JournalValue>(_ values: inout [Value]?) throws {
    var isThere = values != nil
    try pass(&isThere)
    guard isThere else { return }
    var some = values ?? []
    try pass(&some)
    values = some
  }

  mutating func pass(_ number: inout some FixedWidthInteger) throws {
    if let read = try reader?.number64() {
      number = .init(truncatingIfNeeded: read)
    } else {
      writer.put(number: Int64(truncatingIfNeeded: number))
    }
  }

  mutating func pass<Number: FixedWidthInteger>(_ number: inout Number?) throws {
    var isThere = number != nil
    try pass(&isThere)
    guard isThere else { return }
    var some = number ?? 0
    try pass(&some)
    number = some
  }

  mutating func pass(_ word: inout some RawRepresentable<String>) throws {
    var text = word.rawValue
    try text.pass(through: &self)
    guard isReading else { return }
    guard let read = type(of: word).init(rawValue: text) else {
      throw ProtocolError("unknown word")
    }
    word = read
  }

  mutating func pass<Word: RawRepresentable<String>>(_ word: inout Word?) throws {
    var text = word?.rawValue
    try pass(&text)
    guard isReading, let text else { return }
    guard let read = Word(rawValue: text) else { throw ProtocolError("unknown word") }
    word = read
  }

  mutating func pass(_ facts: inout Facts) throws {
    if let read = try reader?.allFacts() { facts = read } else { writer.put(all: facts) }
  }

  fileprivate mutating func pass(text: inout String) throws {
    if let read = try reader?.text(limit: .max) { text = read } else { writer.put(text) }
  }

  fileprivate mutating func pass(flag: inout Bool) throws {
    if let read = try reader?.bool() { flag = read } else { writer.put(flag) }
  }

  fileprivate mutating func pass(bytes: inout [UInt8]) throws {
    if let read = try reader?.blob(limit: .max) { bytes = read } else { writer.put(bytes) }
  }
}

/// The kind's word, and behind it the name where it is another, with a slash between them.
extension SourceID: JournalValue {
  init() { self = .camera }

  mutating func pass(through row: inout JournalRow) throws {
    var text = ownName.map { "\(kind.rawValue)/\($0)" } ?? kind.rawValue
    try text.pass(through: &row)
    guard row.isReading else { return }
    let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
    guard let source = SourceID(kind: String(parts[0]), name: parts.count > 1 ? String(parts[1]) : nil) else {
      throw ProtocolError("unknown source")
    }
    self = source
  }
}

extension String: JournalValue {
  mutating func pass(through row: inout JournalRow) throws { try row.pass(text: &self) }
}

extension Bool: JournalValue {
  mutating func pass(through row: inout JournalRow) throws { try row.pass(flag: &self) }
}

extension [UInt8]: JournalValue {
  mutating func pass(through row: inout JournalRow) throws { try row.pass(bytes: &self) }
}
