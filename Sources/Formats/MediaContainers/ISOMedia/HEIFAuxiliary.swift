/// The purpose of an auxiliary picture.
package enum HEIFAuxiliary: Hashable {
  /// An alpha plane.
  case alpha
  /// A gain map.
  case gainMap
  /// Another purpose, by its name.
  case other(String)

  /// Whether it is a map of depth or disparity.
  package var isDepth: Bool { self == .other("depth map") }

  /// Returns the name in the body of an auxC or auxi; names longer than 128 bytes are unknown.
  package static func urn(in body: Range<Int>, of source: ByteSource) -> [UInt8] {
    var fields = ISOFields(source, body.dropFirst(4).prefix(129), "auxC")
    return fields.text(limit: 128)
  }

  /// Identifies the purpose from a name without its NUL.
  package init(urn: [UInt8]) {
    switch String(decoding: urn, as: UTF8.self) {
    case "urn:mpeg:mpegB:cicp:systems:auxiliary:alpha", "urn:mpeg:hevc:2015:auxid:1",
      "urn:mpeg:avc:2015:auxid:1":
      self = .alpha
    case "urn:com:apple:photo:2020:aux:hdrgainmap": self = .gainMap
    case "urn:mpeg:mpegB:cicp:systems:auxiliary:depth", "urn:mpeg:hevc:2015:auxid:2",
      "urn:mpeg:avc:2015:auxid:2":
      self = .other("depth map")
    case let name where name.hasSuffix("matte"): self = .other("matte")
    default: self = .other("auxiliary image")
    }
  }
}
