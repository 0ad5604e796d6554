package import MediaContainers

/// Reads the texts of a WAV: LIST INFO, then ID3, the broadcast extension and XMP.
package enum WAVMetadata {
  /// Returns the metadata of a WAV.
  package static func find(in source: ByteSource) -> FoundMetadata {
    FoundMetadata(tags: values(of: source))
  }

  /// Returns the values of a WAV; none when it is damaged.
  package static func values(of source: ByteSource) -> KeptMetadata {
    var values = KeptMetadata()
    guard let container = try? WAVContainer(of: source) else { return values }
    var secondary = KeptMetadata()
    for chunk in container.others {
      switch chunk.type {
      case "LIST": values.fill(from: WAVInfo.read(source, in: chunk.data))
      case "id3 ", "ID3 ":
        if let tag = ID3Tag(of: source, at: chunk.data.lowerBound) {
          secondary.fill(from: ID3Values.read(tag, of: source))
        }
      case "bext": secondary.fill(from: BroadcastExtension.read(source, in: chunk.data))
      case "_PMX":
        if let packet = source.bytes(in: chunk.data, limit: FoundMetadata.maximumBlockLength) {
          let properties = XMPProperties(packet)
          secondary.fill(from: XMPValues.read(properties))
          if PlaceStatements.hold(properties) { secondary.hasUnreadPlace = true }
        }
      default: break
      }
    }
    let dates = [values.creationDate, secondary.creationDate].compactMap { $0 }
    values.creationDate = KeptMetadata.anyDate(of: dates)
    values.fill(from: secondary)
    return values
  }
}
