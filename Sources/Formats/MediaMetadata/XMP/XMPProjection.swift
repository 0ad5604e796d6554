internal import MediaModel
internal import MediaSyntax

/// How a viewer shows a picture of all around: the numbers of Google's panorama XMP that it needs, and
/// no other property of it.
///
/// The pose, which is a compass, dates, counts of pictures and names of programs are never read. A
/// value has one form: a projection that is known, True or False, or a whole number from 0 to
/// 16,777,215.
///
/// Source: Google, "Photo Sphere XMP Metadata"; panoramas of Android's cameras (cylindrical).
package struct XMPProjection: Sendable, Hashable {
  /// The properties that are kept, in the order in which they are written.
  package static let names = [
    type, viewer, "FullPanoWidthPixels", "FullPanoHeightPixels", "CroppedAreaImageWidthPixels",
    "CroppedAreaImageHeightPixels", "CroppedAreaLeftPixels", "CroppedAreaTopPixels",
  ]
  private static let type = "ProjectionType"
  private static let viewer = "UsePanoramaViewer"
  private static let types = ["equirectangular", "cylindrical"]

  /// What an output's XMP packet has, in the words of the allow-lists.
  package static let part = "the projection of a picture of all around, and what `except` keeps"

  /// The checked values by their names.
  private let values: [String: String]

  /// Reads the values of a packet; nil when nothing says that it is such a picture, and for a
  /// projection that is not known, whose numbers would distort it in another one.
  package init?(_ properties: XMPProperties) {
    var values: [String: String] = [:]
    for name in Self.names {
      let text = properties[XMPNamespace.panorama, name].first
      values[name] = text.flatMap { Self.checked($0, name) }
    }
    let isTyped = !properties[XMPNamespace.panorama, Self.type].isEmpty
    guard isTyped ? values[Self.type] != nil : values[Self.viewer] == "True" else { return nil }
    self.values = values
  }

  private static func checked(_ text: String, _ name: String) -> String? {
    switch name {
    case type: return types.first { $0 == text.lowercased() }
    case viewer: return ["True", "False"].first { $0.lowercased() == text.lowercased() }
    default:
      let isNumber = text.utf8.count <= 8 && text.utf8.allSatisfy { $0.isASCIIDigit }
      guard isNumber, let number = Int(text), number < 1 << 24 else { return nil }
      return String(number)
    }
  }

  /// The properties as elements of a packet in which ``namespace`` is declared.
  package var elements: String {
    Self.names.reduce("") { text, name in
      text + (values[name].map { XMPPacket.element("GPano:\(name)", $0) } ?? "")
    }
  }

  /// The prefix and the namespace of ``elements``.
  package static var namespace: (String, String) { ("GPano", XMPNamespace.panorama) }

  /// Returns whether a property is one that is kept, with a value.
  package func keeps(_ name: XMPName) -> Bool {
    name.namespace == XMPNamespace.panorama && values[name.name] != nil
  }

  /// Returns whether a packet has the namespace at all, which few have: only these are parsed.
  package static func isMentioned(in packet: [UInt8]) -> Bool {
    let name = Array(XMPNamespace.panorama.utf8)
    return packet.indices.dropLast(name.count - 1).contains {
      packet[$0] == name[0] && packet[$0...].starts(with: name)
    }
  }
}
