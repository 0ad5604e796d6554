import MediaContainers

/// Reads the user data, key list and XMP of a movie.
enum MovieMetadata {
  static func find(in source: ByteSource) -> FoundMetadata {
    var metadata = FoundMetadata()
    let values = MovieValues.all(in: source)
    // Checked values read back from a packet unchanged.
    if let packet = XMPWriter.packet(kept: values, scope: .alone) { metadata.takeXMP(packet) }
    return metadata
  }
}
