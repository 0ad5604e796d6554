package import MediaContainers

/// Rewrites the XMP packet with the headroom of Apple's gain map.
///
/// Source: Apple, "Applying Apple HDR effect to your photos"; the HDRGainMap schema of ImageIO.
package enum HEIFGainMapPacket {
  private static let namespace = "http://ns.apple.com/HDRGainMap/1.0/"

  /// Returns a packet with nothing but version and headroom, or nil when `packet` has no version.
  ///
  /// Cleaning a packet that this function wrote gives the same bytes.
  package static func cleaned(_ packet: [UInt8]) -> [UInt8]? {
    let properties = XMPProperties(packet)
    guard
      let version = properties[namespace, "HDRGainMapVersion"].first.flatMap({ UInt32($0) })
    else { return nil }
    var text = XMPWriter.element("HDRGainMap:HDRGainMapVersion", "\(version)")
    if let headroom = properties[namespace, "HDRGainMapHeadroom"].first.flatMap({ Double($0) }),
      (0...1000).contains(headroom)
    {
      // Cameras write six digits.
      let millionths = Int((headroom * 1_000_000).rounded())
      let fraction = String(millionths % 1_000_000 + 1_000_000).dropFirst()
      text += XMPWriter.element("HDRGainMap:HDRGainMapHeadroom", "\(millionths / 1_000_000).\(fraction)")
    }
    return XMPWriter.packet(of: text, namespaces: [("HDRGainMap", namespace)])
  }

  /// Returns the packet for the gain map with that item identifier, from the XMP item that
  /// describes it.
  package static func packet(
    for gainMap: Int,
    of meta: HEIFMeta,
    in source: ByteSource
  ) -> [UInt8]? {
    for item in meta.items where item.isXMP {
      let describes = meta.references[item.identifier]?.contains { reference in
        reference.type == "cdsc" && reference.to.contains(gainMap)
      }
      // Only the first is used: reading a thousand useless ones would cost time.
      if describes == true {
        return HEIFDescriptionItems.data(of: item, in: source).flatMap(cleaned)
      }
    }
    return nil
  }
}
