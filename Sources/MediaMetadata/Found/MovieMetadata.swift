import MediaContainers

/// Reads a movie's user data, key list and XMP.
enum MovieMetadata {
  static func find(in source: ByteSource) -> FoundMetadata {
    var found = FoundMetadata()
    let values = MovieValues.all(in: source)
    // Checked values come back from a packet as they are.
    if let packet = XMPWriter.packet(kept: values, scope: .alone) { found.takeXMP(packet) }
    return found
  }
}
