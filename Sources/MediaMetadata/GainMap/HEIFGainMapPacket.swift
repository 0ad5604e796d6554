package import MediaContainers

/// The XMP packet that says how bright Apple's gain map makes its picture, written anew.
///
/// Source: Apple, "Applying Apple HDR effect to your photos"; the HDRGainMap schema of ImageIO.
package enum HEIFGainMapPacket {
  private static let namespace = "http://ns.apple.com/HDRGainMap/1.0/"

  /// A packet with nothing but version and headroom, or nil when `packet` has no version.
  ///
  /// Writing a packet of this function's own anew gives the same bytes.
  package static func cleaned(_ packet: [UInt8]) -> [UInt8]? {
    let properties = XMPProperties(packet)
    guard
      let version = properties[namespace, "HDRGainMapVersion"].first.flatMap({ UInt32($0) })
    else { return nil }
    var text = XMPWriter.element("HDRGainMap:HDRGainMapVersion", "\(version)")
    if let headroom = properties[namespace, "HDRGainMapHeadroom"].first.flatMap({ Double($0) }),
      (0...1000).contains(headroom)
    {
      // Six digits, as cameras write it.
      let millionths = Int((headroom * 1_000_000).rounded())
      let fraction = String(millionths % 1_000_000 + 1_000_000).dropFirst()
      text += XMPWriter.element(
        "HDRGainMap:HDRGainMapHeadroom",
        "\(millionths / 1_000_000).\(fraction)"
      )
    }
    return XMPWriter.packet(of: text, namespaces: [("HDRGainMap", namespace)])
  }

  /// The packet for the gain map of that number, from the XMP item that describes it.
  package static func packet(
    for gainMap: Int,
    of meta: HEIFMeta,
    in source: ByteSource
  ) -> [UInt8]? {
    for item in meta.items where item.isXMP {
      let describes = meta.references[item.identifier]?.contains { reference in
        reference.type == "cdsc" && reference.to.contains(gainMap)
      }
      // The first counts: a thousand that say nothing would cost time.
      if describes == true {
        return HEIFDescriptionItems.data(of: item, in: source).flatMap(cleaned)
      }
    }
    return nil
  }
}
