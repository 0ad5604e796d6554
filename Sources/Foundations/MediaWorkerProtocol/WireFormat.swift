/// A breach of the protocol, after which its sender must not be trusted.
package struct ProtocolError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The description of the breach, for the log.
  package var description: String

  /// Makes an error with a description.
  package init(_ description: String) {
    self.description = description
  }
}

/// A value that one process sends to another as one frame.
///
/// The receiver trusts nothing of it: ``init(from:)`` bounds every count and checks every word.
package protocol WireValue: Sendable {
  /// Writes the fields.
  func put(into writer: inout WireWriter)
  /// Reads the fields that ``put(into:)`` writes.
  ///
  /// - Throws: ``ProtocolError`` for anything else.
  init(from reader: inout WireReader) throws(ProtocolError)
}

extension WireValue {
  /// The value as one frame.
  package var frame: [UInt8] {
    var writer = WireWriter()
    put(into: &writer)
    return writer.frame
  }

  /// Reads the content of a frame, all of it.
  ///
  /// - Throws: ``ProtocolError`` for anything that ``frame`` does not write.
  package init(frame: ArraySlice<UInt8>) throws(ProtocolError) {
    var reader = WireReader(frame)
    try self.init(from: &reader)
    guard reader.isAtEnd else { throw ProtocolError("a message that goes on") }
  }
}

/// A request to a process that is asked for nothing once it has its task.
package enum NoRequest: WireValue {
  package func put(into writer: inout WireWriter) {}

  package init(from reader: inout WireReader) throws(ProtocolError) {
    throw ProtocolError("a request where none is expected")
  }
}

/// Writes the fields of a message: integers little-endian, text and lists with their count first.
package struct WireWriter {
  /// The bytes that were written.
  package private(set) var bytes: [UInt8] = []

  /// Makes a writer of an empty message.
  package init() {}

  /// Writes an integer, the lowest byte first.
  package mutating func put<Value: FixedWidthInteger>(_ value: Value) {
    withUnsafeBytes(of: value.littleEndian) { bytes.append(contentsOf: $0) }
  }

  /// Writes an integer of 64 bits; other modules call it without the cost of a generic function.
  package mutating func put(number value: Int64) { put(value) }

  /// Writes one byte, 0 or 1.
  package mutating func put(_ value: Bool) {
    bytes.append(value ? 1 : 0)
  }

  /// Writes the number of bytes, then the bytes.
  package mutating func put(_ value: [UInt8]) {
    put(UInt32(clamping: value.count))
    bytes.append(contentsOf: value)
  }

  /// Writes the text as UTF-8, behind its length in bytes.
  package mutating func put(_ value: String) {
    put(UInt32(clamping: value.utf8.count))
    bytes.append(contentsOf: value.utf8)
  }

  /// Writes a set of words in ascending order.
  package mutating func put<Value: RawRepresentable>(_ values: Set<Value>)
  where Value.RawValue == String {
    put(UInt32(values.count))
    for word in values.map({ $0.rawValue }).sorted() { put(word) }
  }

  /// Appends values behind their number, of 32 bits.
  package mutating func put<Value>(all values: [Value], _ write: (inout WireWriter, Value) -> Void) {
    put(UInt32(values.count))
    for value in values { write(&self, value) }
  }

  /// Appends values behind their number, of 32 bits; ``WireReader/list(limit:)`` reads them.
  package mutating func put<Value: WireValue>(list values: [Value]) {
    put(all: values) { $1.put(into: &$0) }
  }

  /// Writes whether there is a value, then the value.
  package mutating func put<Value>(_ value: Value?, _ write: (inout WireWriter, Value) -> Void) {
    put(value != nil)
    if let value { write(&self, value) }
  }
}

/// Reads the fields that ``WireWriter`` writes, and checks every count.
package struct WireReader {
  private let bytes: ArraySlice<UInt8>
  private var index: Int
  private let isOwn: Bool

  /// Makes a reader of a frame's content.
  ///
  /// - Parameters:
  ///   - bytes: The content.
  ///   - isOwn: Whether this program wrote it for itself, as its digest says: values are not bounded then.
  package init(_ bytes: ArraySlice<UInt8>, isOwn: Bool = false) {
    self.bytes = bytes
    self.isOwn = isOwn
    index = bytes.startIndex
  }

  /// Checks a bound of a value that another process has sent.
  func check(_ isWithinBounds: Bool, _ what: StaticString) throws(ProtocolError) {
    guard isWithinBounds || isOwn else { throw ProtocolError("\(what)") }
  }

  /// Whether every byte was read.
  package var isAtEnd: Bool { index == bytes.endIndex }

  /// The byte that is read next, which may say what follows; nil at the end.
  var nextByte: UInt8? { isAtEnd ? nil : bytes[index] }

  mutating func take(_ count: Int) throws(ProtocolError) -> ArraySlice<UInt8> {
    guard count >= 0, count <= bytes.endIndex - index else {
      throw ProtocolError("message ends early")
    }
    defer { index += count }
    return bytes[index..<(index + count)]
  }

  /// Reads an integer, the lowest byte first.
  ///
  /// - Throws: ``ProtocolError`` when the message ends early.
  package mutating func integer<Value: FixedWidthInteger>(
    _ type: Value.Type = Value.self
  ) throws(ProtocolError) -> Value {
    var value: Value = 0
    for (position, byte) in try take(Value.bitWidth / 8).enumerated() {
      value |= Value(truncatingIfNeeded: byte) << Value(position * 8)
    }
    return value
  }

  /// Reads what ``WireWriter/put(number:)`` writes.
  ///
  /// - Throws: ``ProtocolError`` when the message ends early.
  package mutating func number64() throws(ProtocolError) -> Int64 { try integer() }

  /// Reads one byte, which is 0 or 1.
  ///
  /// - Throws: ``ProtocolError``.
  package mutating func bool() throws(ProtocolError) -> Bool {
    switch try integer(UInt8.self) {
    case 0: false
    case 1: true
    default: throw ProtocolError("neither true nor false")
    }
  }

  /// Reads at most `limit` bytes behind their number.
  ///
  /// - Throws: ``ProtocolError``.
  package mutating func blob(limit: Int) throws(ProtocolError) -> [UInt8] {
    let count = Int(try integer(UInt32.self))
    guard count <= limit || isOwn else {
      throw ProtocolError("\(count) bytes where \(limit) are allowed")
    }
    return [UInt8](try take(count))
  }

  /// A SHA-256: 32 bytes.
  mutating func digest() throws(ProtocolError) -> [UInt8] {
    let digest = try blob(limit: 32)
    guard digest.count == 32 else { throw ProtocolError("a digest of \(digest.count) bytes") }
    return digest
  }

  /// Reads at most `limit` bytes of UTF-8 behind their number.
  ///
  /// - Throws: ``ProtocolError``.
  package mutating func text(limit: Int) throws(ProtocolError) -> String {
    let bytes = try blob(limit: limit)
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw ProtocolError("text is not UTF-8")
    }
    return text
  }

  /// Reads a word.
  ///
  /// - Throws: ``ProtocolError`` for one that is not among those of the type.
  package mutating func choice<Value: RawRepresentable>(
    _ type: Value.Type = Value.self
  ) throws(ProtocolError) -> Value where Value.RawValue == String {
    let name = try text(limit: 64)
    guard let value = Value(rawValue: name) else { throw ProtocolError("unknown word") }
    return value
  }

  /// Reads a set of words, each once.
  ///
  /// - Throws: ``ProtocolError`` for one that is not among those of the type, or is there twice.
  package mutating func choices<Value: RawRepresentable & CaseIterable & Hashable>(
    _ type: Value.Type = Value.self
  ) throws(ProtocolError) -> Set<Value> where Value.RawValue == String {
    var values: Set<Value> = []
    for _ in 0..<(try count(limit: Value.allCases.count)) {
      guard values.insert(try choice()).inserted else { throw ProtocolError("a word twice") }
    }
    return values
  }

  /// Reads values behind their number, at most `limit`.
  ///
  /// - Throws: ``ProtocolError``.
  package mutating func list<Value: WireValue>(limit: Int) throws(ProtocolError) -> [Value] {
    var values: [Value] = []
    for _ in 0..<(try count(limit: limit)) { values.append(try Value(from: &self)) }
    return values
  }

  /// Reads a number of things that follow, at most `limit`.
  ///
  /// - Throws: ``ProtocolError``.
  package mutating func count(limit: Int) throws(ProtocolError) -> Int {
    let count = Int(try integer(UInt32.self))
    guard count <= limit || isOwn else {
      throw ProtocolError("\(count) where \(limit) are allowed")
    }
    return count
  }
}
