package import MediaModel

/// A worker's messages about an ``InspectJob``: `hello` once, then `facts`, `entries`…, optionally
/// `stripFails`, `done`; or `failed` at any point.
package enum InspectMessage: WireValue, Hashable {
  /// The same as ``WorkerMessage/hello(protocolVersion:build:)``.
  case hello(protocolVersion: UInt32, build: String)
  /// The format by the file's content, and facts that decoding shows; never a metadata value.
  case facts(job: UInt64, Facts)
  /// Entries in the order of the file, as many as fit.
  case entries(job: UInt64, [InspectedEntry])
  /// `strip` would fail for this file; `detail` names a part of the container, never a value.
  case stripFails(job: UInt64, reason: ItemReason, detail: String)
  /// The end of the answer; unless `isComplete`, the file has more entries than are listed.
  case done(job: UInt64, isComplete: Bool)
  /// The same as ``WorkerMessage/failed(job:step:reason:detail:)``.
  case failed(job: UInt64, step: ItemStep, reason: ItemReason, detail: String)

  /// The maximum number of entries of one file.
  package static let maximumEntries = 100_000
  /// The maximum bytes of an entry's path and of its value; a longer one is cut.
  static let maximumPathLength = 1024
  static let maximumValueLength = 4096
  private static let maximumDetailLength = 4000

  /// The job that this message is about; nil for `hello`.
  package var job: UInt64? {
    switch self {
    case .hello: nil
    case .facts(let job, _), .entries(let job, _), .stripFails(let job, _, _),
      .done(let job, _), .failed(let job, _, _, _):
      job
    }
  }

  package func put(into writer: inout WireWriter) {
    switch self {
    case .hello(let version, let build):
      WorkerMessage.hello(protocolVersion: version, build: build).put(into: &writer)
    case .failed(let job, let step, let reason, let detail):
      WorkerMessage.failed(job: job, step: step, reason: reason, detail: detail).put(into: &writer)
    case .facts(let job, let facts):
      writer.put(UInt8(32))
      writer.put(job)
      writer.put(facts)
    case .entries(let job, let entries):
      writer.put(UInt8(33))
      writer.put(job)
      writer.put(UInt32(entries.count))
      for entry in entries { writer.put(entry) }
    case .stripFails(let job, let reason, let detail):
      writer.put(UInt8(34))
      writer.put(job)
      writer.put(reason.rawValue)
      writer.put(detail.cut(toBytes: Self.maximumDetailLength))
    case .done(let job, let isComplete):
      writer.put(UInt8(35))
      writer.put(job)
      writer.put(isComplete)
    }
  }

  package init(from reader: inout WireReader) throws(ProtocolError) {
    let start = reader
    switch try reader.integer(UInt8.self) {
    case 32:
      self = .facts(job: try reader.integer(), try reader.facts())
    case 33:
      let job = try reader.integer(UInt64.self)
      var entries: [InspectedEntry] = []
      for _ in 0..<(try reader.count(limit: Self.maximumEntries)) {
        entries.append(try reader.entry())
      }
      self = .entries(job: job, entries)
    case 34:
      let job = try reader.integer(UInt64.self)
      let reason: ItemReason = try reader.choice()
      self = .stripFails(job: job, reason: reason, detail: try reader.text(limit: Self.maximumDetailLength))
    case 35: self = .done(job: try reader.integer(), isComplete: try reader.bool())
    default:
      reader = start
      switch try WorkerMessage(from: &reader) {
      case .hello(let version, let build): self = .hello(protocolVersion: version, build: build)
      case .failed(let job, let step, let reason, let detail):
        self = .failed(job: job, step: step, reason: reason, detail: detail)
      default: throw ProtocolError("an answer to another kind of job")
      }
    }
  }

  /// Returns the frames of a list of entries, 100 in each.
  package static func frames(ofEntries entries: [InspectedEntry], job: UInt64) -> [[UInt8]] {
    // An entry has at most 6 KiB, so 100 of them are shorter than the longest frame.
    stride(from: 0, to: entries.count, by: 100).map { start in
      entries[start..<min(start + 100, entries.count)]
    }.map { InspectMessage.entries(job: job, Array($0)).frame }
  }
}

extension WireWriter {
  fileprivate mutating func put(_ entry: InspectedEntry) {
    put(entry.path.cut(toBytes: InspectMessage.maximumPathLength))
    put(entry.offset)
    put(entry.byteCount)
    put(entry.isRemoved)
    put(entry.value) { $0.put($1.cut(toBytes: InspectMessage.maximumValueLength)) }
  }
}

extension WireReader {
  fileprivate mutating func entry() throws(ProtocolError) -> InspectedEntry {
    InspectedEntry(
      path: try text(limit: InspectMessage.maximumPathLength),
      offset: try integer(),
      byteCount: try integer(),
      isRemoved: try bool(),
      value: try bool() ? try text(limit: InspectMessage.maximumValueLength) : nil
    )
  }
}

extension String {
  /// Returns as many whole characters as fit into `limit` bytes of UTF-8.
  fileprivate func cut(toBytes limit: Int) -> String {
    guard utf8.count > limit else { return self }
    var text = ""
    var length = 0
    for scalar in unicodeScalars {
      length += UTF8.width(scalar)
      if length > limit { break }
      text.unicodeScalars.append(scalar)
    }
    return text
  }
}
