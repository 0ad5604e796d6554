/// What an auxiliary picture is for.
package enum HEIFAuxiliary: Hashable {
  case alpha
  case gainMap
  case other(String)

  /// The name in the body of an auxC or auxi; one that is longer than 128 bytes is not known anyway.
  package static func urn(in body: Range<Int>, of source: ByteSource) -> [UInt8] {
    var fields = HEIFFields(source, body.dropFirst(4).prefix(129), "auxC")
    return fields.text(limit: 128)
  }

  /// What a name, without its NUL, stands for.
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
