package import MediaContainers
import MediaModel

/// Reads the texts of an AVI: the date in its headers, LIST INFO, and XMP.
///
/// Source: Microsoft, Multimedia Programming Interface and Data Specifications 1.0, INFO list chunk; exiftool
/// `RIFF.pm` for `_PMX`.
package enum AVIMetadata {
  /// Returns the metadata of an AVI.
  package static func find(in source: ByteSource) -> FoundMetadata {
    FoundMetadata(tags: described(in: source).values)
  }

  /// Returns the values of an AVI, and the dates that it states; none when it is damaged.
  static func described(
    in source: ByteSource
  ) -> (values: KeptMetadata, description: MediaDescription) {
    var (values, secondary) = (KeptMetadata(), KeptMetadata())
    var description: MediaDescription? = MediaDescription()
    guard let file = try? AVIFile(of: source) else { return (values, MediaDescription()) }
    if let date = recordingDate(of: file, in: source) {
      description?.add(DVFacts.stated(date))
      values.creationDate = date
    }
    // Cameras write IDIT. The date of INFO may be that of the publication.
    for other in file.others where other.name == "IDIT" {
      let text = MetadataText.short(source, in: other.range.dropFirst(8))
      let dates = text.map { WrittenDate.dates($0, tag: other.name) } ?? []
      for date in dates { description?.add(date) }
      values.creationDate = values.creationDate ?? KeptMetadata.anyDate(of: dates)
    }
    for other in file.others {
      let data = other.range.dropFirst(8)
      switch other.name {
      case "LIST INFO":
        values.fill(from: WAVInfo.read(source, in: data) { description?.add($0) })
      case "_PMX":
        guard let packet = source.bytes(in: data, limit: FoundMetadata.maximumBlockLength) else {
          continue
        }
        let properties = XMPProperties(packet)
        secondary.fill(from: XMPValues.read(properties))
        XMPValues.describe(properties, into: &description)
      default: break
      }
    }
    let dates = [values.creationDate, secondary.creationDate].compactMap { $0 }
    values.creationDate = KeptMetadata.anyDate(of: dates)
    values.fill(from: secondary)
    return (values, description ?? MediaDescription())
  }

  /// Returns the date in the first frame of DV, which is the camera's; other dates of such a file are of its transfer.
  private static func recordingDate(of file: AVIFile, in source: ByteSource) -> CaptureDate? {
    let films = file.streams.indices.filter { ["vids", "iavs"].contains(file.streams[$0].kind) }
    let frame = file.segments.first?.chunks.first { films.contains($0.stream) && !$0.data.isEmpty }
    return frame.flatMap { DVFile(of: ByteSource(source, $0.data)) }.flatMap { DVFacts.date(of: $0) }
  }
}
