import MediaContainers
import MediaMetadata

/// The first format of spherical video, which is a packet of texts, in the boxes of the second one,
/// which are numbers.
///
/// Source: Google, "Spherical Video RFC", "Spherical Video V2 RFC" (`st3d`, `sv3d`).
extension SphericalVideo {
  /// The identifier of the `uuid` box of a track with the first format.
  private static let identifier: [UInt8] = [
    0xFF, 0xCC, 0x82, 0x63, 0xF8, 0x55, 0x4A, 0x93, 0x88, 0x14, 0x58, 0x7A, 0x02, 0x52, 0x1F, 0xDD,
  ]

  /// Reads the first `uuid` box of the format among the boxes of a track; nil without one, and for a
  /// film that is not spherical.
  init?(ofTrack boxes: [ISOBox], in source: ByteSource) {
    let box = boxes.first { box in
      box.type == "uuid" && source.holds(Self.identifier, at: box.body.lowerBound)
    }
    guard let box,
      let packet = source.bytes(in: box.body.dropFirst(Self.identifier.count), limit: 1 << 16)
    else { return nil }
    self.init(packet)
  }

  /// Returns the boxes that a sample entry with boxes of these types lacks: none if it has a
  /// projection of the second format.
  func boxes(beside types: Set<FourCharacterCode>) -> [UInt8] {
    if types.contains("sv3d") { return [] }
    // The view is straight ahead.
    let head = ISOWriter.full("prhd", [UInt8](repeating: 0, count: 12))
    let borders = ISOWriter.full("equi", bounds.flatMap { $0.bytes(4) })
    let sphere = ISOWriter.box("sv3d", ISOWriter.full("svhd", [0]) + ISOWriter.box("proj", head + borders))
    let isFlat = stereoMode == 0 || types.contains("st3d")
    return isFlat ? sphere : ISOWriter.full("st3d", stereoMode.bytes(1)) + sphere
  }
}
