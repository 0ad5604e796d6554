import MediaModel

/// The formats in which assets and albums are listed.
package enum ListingFormat: String, CaseIterable, Sendable {
  case table
  /// Exactly one object.
  case json
  /// An object a line.
  case ndjson
  case csv
  /// A path a line, with the bytes that it has.
  case paths
  /// Paths that end with a NUL each.
  case paths0
  /// The names of the sources' files without extensions, each once, in one line with a comma and a space between: the
  /// filters of Lightroom and Capture One find a raw file by the same name as its JPEG.
  case lightroom

  /// Whether nothing but paths is printed.
  package var hasPathsAlone: Bool { self == .paths || self == .paths0 }
}

/// Paths of files of a library, below the path by which a person named it.
struct PathWriter {
  private let prefix: [UInt8]
  private let end: UInt8
  private let sink: ReportSink

  init(library: [UInt8], isTerminatedByNUL: Bool, to sink: ReportSink) {
    prefix = library.last == .slash ? library : library + [UInt8.slash]
    end = isTerminatedByNUL ? 0 : UInt8.newline
    self.sink = sink
  }

  func add(_ path: String) {
    sink.bytes(prefix)
    sink.text(path)
    sink.bytes([end])
  }
}
