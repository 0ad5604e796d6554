/// What is known of a format without reading a file: its row of the registry, ``MediaFormat/row``.
package struct FormatRow: Sendable, Hashable {
  /// The media type of its files.
  package var mediaType: MediaType
  /// The file extensions that cameras and programs write, in lowercase and without the dot; the first is
  /// that of published files. No two formats share one.
  package var extensions: [String]
  /// Its IANA media type, or the one that is used for want of one; nil where there is none of either.
  ///
  /// Source: iana.org/assignments/media-types.
  package var mediaTypeName: String?
  /// Its uniform type identifier; nil where neither Apple nor the format's maker names one.
  ///
  /// Source: UTType (Uniform Type Identifiers), and the identifiers that programs declare.
  package var uniformType: String?
  /// How its files begin, one of these; empty for formats without fixed bytes at their start.
  package var signatures: [FileSignature]
  /// Whether it is a camera raw format.
  package var isRaw: Bool
}

/// Bytes that a file has at fixed offsets of its start, all of them.
///
/// The coordinator, which links no parser, compares outputs with it; what a source's file is decides its
/// parser in a worker.
package struct FileSignature: Sendable, Hashable {
  private var parts: [Part]

  private struct Part: Sendable, Hashable {
    var offset: Int
    /// The values that each byte may have.
    var bytes: [[UInt8]]
  }

  /// Bytes at an offset.
  static func bytes(_ bytes: UInt8..., at offset: Int = 0) -> FileSignature {
    FileSignature(parts: [Part(offset: offset, bytes: bytes.map { [$0] })])
  }

  /// A text in ASCII at an offset.
  static func text(_ text: String, at offset: Int = 0) -> FileSignature {
    FileSignature(parts: [Part(offset: offset, bytes: text.utf8.map { [$0] })])
  }

  /// Bytes at an offset of which each is one of several.
  static func anyOf(_ bytes: [UInt8]..., at offset: Int = 0) -> FileSignature {
    FileSignature(parts: [Part(offset: offset, bytes: bytes)])
  }

  /// Both of two.
  static func + (first: FileSignature, second: FileSignature) -> FileSignature {
    FileSignature(parts: first.parts + second.parts)
  }

  /// Whether a file that begins with `bytes` has them.
  package func fits(_ bytes: [UInt8]) -> Bool {
    parts.allSatisfy { part in
      let start = bytes.dropFirst(part.offset)
      return start.count >= part.bytes.count
        && zip(start, part.bytes).allSatisfy { $1.contains($0) }
    }
  }
}
