internal import MediaModel
package import MediaSyntax

/// Receives a report's bytes in pieces: a report may be larger than memory.
package final class ReportSink {
  private let write: ([UInt8]) throws -> Void
  private var buffer: [UInt8] = []
  private var failure: (any Error)?

  private static let pieceLength = 64 << 10

  /// - Parameter write: Takes the next bytes; after it threw once it is not called again.
  package init(_ write: @escaping ([UInt8]) throws -> Void) {
    self.write = write
  }

  package func text(_ text: String) {
    buffer.append(contentsOf: text.utf8)
    if buffer.count >= Self.pieceLength { flush() }
  }

  package func markup(_ markup: Markup) { text(markup.text) }

  package func bytes(_ bytes: [UInt8]) {
    buffer.append(contentsOf: bytes)
    if buffer.count >= Self.pieceLength { flush() }
  }

  package func value(_ value: JSONValue) { bytes(value.displayed) }

  /// Writes what is left.
  ///
  /// - Throws: The first error of writing.
  package func finish() throws {
    flush()
    if let failure { throw failure }
  }

  private func flush() {
    defer { buffer.removeAll(keepingCapacity: true) }
    guard failure == nil, !buffer.isEmpty else { return }
    do {
      try write(buffer)
    } catch {
      failure = error
    }
  }
}

/// Writes the members of an object, or the elements of a list, one after the other.
package struct JSONPieces {
  private let sink: ReportSink
  private let end: String
  /// Whether each has a line, so that a person can look at it and a diff is small.
  private let inLines: Bool
  private var isFirst = true

  private init(_ sink: ReportSink, _ start: String, _ end: String, inLines: Bool) {
    self.sink = sink
    self.end = end
    self.inLines = inLines
    sink.text(start)
  }

  package static func object(_ sink: ReportSink, inLines: Bool = true) -> JSONPieces {
    JSONPieces(sink, "{", "}", inLines: inLines)
  }

  package static func array(_ sink: ReportSink, inLines: Bool = true) -> JSONPieces {
    JSONPieces(sink, "[", "]", inLines: inLines)
  }

  package mutating func add(_ value: JSONValue) { add(serialized: value.displayed) }

  /// Writes an element that is JSON already.
  mutating func add(serialized bytes: [UInt8]) {
    separate()
    sink.bytes(bytes)
  }

  package mutating func add(_ key: String, _ value: JSONValue) {
    begin(key)
    sink.value(value)
  }

  /// Writes the key; the value is the caller's to write.
  package mutating func begin(_ key: String) {
    separate()
    sink.value(.string(key))
    sink.text(":")
  }

  package func close() { sink.text(end) }

  private mutating func separate() {
    if !isFirst { sink.text(",") }
    if inLines { sink.text("\n") }
    isFirst = false
  }
}
