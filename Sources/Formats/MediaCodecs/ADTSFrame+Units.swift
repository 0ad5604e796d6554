package import MediaContainers

extension ADTSFrame {
  /// Calls `body` with the parts of a frame in `range`, of which the last one in a file may be
  /// incomplete: its header, its checksum, and the elements at the start of its packet.
  ///
  /// - Throws: `stripUnsupported` for several packets in a frame, whose borders are not known.
  package func forEachUnit(
    in range: Range<Int>,
    of source: ByteSource,
    _ body: (Range<Int>, UnitDisposition) throws(MetadataError) -> Void
  ) throws(MetadataError) {
    guard packetCount == 1 else {
      throw MetadataError(.stripUnsupported, "AAC with several packets in a frame")
    }
    let head = range.prefix(headLength)
    if head.count < headLength || source.bytes(in: head, limit: headLength) == header {
      try body(head, .kept)
    } else {
      // Without decoding, a checksum can neither be verified nor be written anew.
      try body(head, .rewritten(header, headLength == 7 ? "private bits" : "checksum"))
    }
    let packet = range.dropFirst(headLength)
    guard !packet.isEmpty else { return }
    try Bitstream.aac.forEachUnit(in: packet, of: source, body)
  }
}
