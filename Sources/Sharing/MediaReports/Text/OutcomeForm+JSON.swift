internal import MediaModel
internal import MediaSyntax

extension Outcome.Form {
  /// Returns the value of a field for a program.
  ///
  /// - Parameters:
  ///   - item: The item that has the field.
  ///   - path: Writes the path within the source.
  ///   - file: Writes a file below the library.
  ///   - thumbnail: Writes one of the thumbnails.
  /// - Returns: Null for what the item does not have.
  func value(
    in item: Outcome,
    path: (ItemPath) -> JSONValue,
    file: (OutputFile) -> JSONValue,
    thumbnail: (Outcome.Thumbnail) -> JSONValue
  ) -> JSONValue {
    switch self {
    case .word(let word): JSONValue(word.text(item))
    case .text(let text): JSONValue(item[keyPath: text])
    case .flag(let flag): .bool(item[keyPath: flag])
    case .digest(let digest): JSONValue(item[keyPath: digest].map { Hexadecimal.text($0) })
    case .file(let output): item[keyPath: output].map(file) ?? .null
    case .path: path(item.path)
    case .sourceDigest(let isKeyed):
      JSONValue(ReportWording.sourceDigest(of: item, isKeyed: isKeyed))
    case .removed:
      .array(item.removed.map { ["name": .string($0.name), "count": JSONValue($0.count)] })
    case .mutedTracks: item.mutedTrackCount.map { JSONValue($0) } ?? .null
    case .trailerRemoved: .bool(item.isTrailerRemoved)
    case .thumbnails: .array(item.thumbnails.map(thumbnail))
    }
  }
}
