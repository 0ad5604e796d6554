package import MediaContainers
import MediaModel

/// Reads the texts of an AVI: LIST INFO, then the date in its headers.
///
/// Source: Microsoft, Multimedia Programming Interface and Data Specifications 1.0, INFO list chunk.
package enum AVIMetadata {
  /// Returns the metadata of an AVI.
  package static func find(in source: ByteSource) -> FoundMetadata {
    FoundMetadata(tags: values(of: source))
  }

  /// Returns the values of an AVI; none when it is damaged.
  package static func values(of source: ByteSource) -> KeptMetadata {
    var values = KeptMetadata()
    guard let file = try? AVIFile(of: source) else { return values }
    for other in file.others {
      let data = other.range.dropFirst(8)
      switch other.name {
      case "LIST INFO": values.fill(from: WAVInfo.read(source, in: data))
      case "IDIT":
        guard let text = source.bytes(in: data.prefix(64), limit: 64),
          let local = DateText.local(exif: text)
        else { continue }
        values.creationDate =
          values.creationDate
          ?? CaptureDate(local: local, offsetMinutes: nil, tag: KeptMetadata.dateTag)
      default: break
      }
    }
    return values
  }
}
