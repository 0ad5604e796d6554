extension MediaFormat {
  /// What is known of the format without reading a file.
  package var row: FormatRow {
    Self.rows[self]
      ?? FormatRow(mediaType: .image, extensions: [rawValue], signatures: [], isRaw: false)
  }

  private static let rows = Dictionary(registry, uniquingKeysWith: { first, _ in first })

  private static let formats = Dictionary(
    registry.flatMap { format, row in row.extensions.map { ($0, format) } },
    uniquingKeysWith: { first, _ in first }
  )

  /// The media type of files in this format.
  package var mediaType: MediaType { row.mediaType }

  /// Whether this is a camera raw format.
  package var isRaw: Bool { row.isRaw }

  /// The file extension of a published file, without the dot.
  package var fileExtension: String { row.extensions.first ?? rawValue }

  /// Its IANA media type, or the one that is used for want of one; nil where there is none of either.
  package var mediaTypeName: String? { row.mediaTypeName }

  /// The format that a name with this extension, in lowercase and without the dot, promises; nil for
  /// any other extension. It never decides how a file is read.
  package init?(fileExtension: String) {
    guard let format = Self.formats[fileExtension] else { return nil }
    self = format
  }

  /// Whether a file of this format can start with these bytes; always true for MP3 and AAC
  /// without a container, which have no signature.
  package func canStart(with bytes: [UInt8]) -> Bool {
    let signatures = row.signatures
    return signatures.isEmpty || signatures.contains { $0.fits(bytes) }
  }

  /// The format of a thumbnail's file.
  package init(_ format: ThumbnailFormat) {
    switch format {
    case .jpeg: self = .jpeg
    case .png: self = .png
    case .webp: self = .webp
    }
  }
}
