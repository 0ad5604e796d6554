package import MediaContainers

/// The parameters by which a gain map brightens its picture, in each of the formats that its
/// metadata use.
///
/// Source: Android Ultra HDR image format 1.1 (hdrgm); ISO 21496-1; Apple's HDRGainMap schema as
/// `CGImageSource` writes it.
package struct GainMapMetadata: Equatable {
  static let ultraHDR = "http://ns.adobe.com/hdr-gain-map/1.0/"
  static let apple = "http://ns.apple.com/HDRGainMap/1.0/"
  private static let applePixels = "http://ns.apple.com/pixeldatainfo/1.0/"
  /// The namespaces of the properties that are written for a gain map.
  static let namespaces: Set = [
    ultraHDR, apple, applePixels, "http://ns.google.com/photos/1.0/container/",
    "http://ns.google.com/photos/1.0/container/item/",
  ]
  private static let appleType = "urn:com:apple:photo:2020:aux:hdrgainmap"

  private static let fields = [
    "GainMapMin", "GainMapMax", "Gamma", "OffsetSDR", "OffsetHDR", "HDRCapacityMin",
    "HDRCapacityMax",
  ]

  /// The Ultra HDR fields that are present, each with one number or one per channel.
  package private(set) var fields: [String: [Double]]?
  private(set) var isBaseHDR = false
  /// The numbers of ISO 21496-1.
  package private(set) var numbers: GainMapNumbers?
  /// Apple's version of the map, with its headroom when the map contains it.
  private(set) var appleVersion: Int?
  private(set) var appleHeadroom: Double?
  private(set) var applePixelFormat: Int?

  /// Reads the XMP and ISO metadata of a picture; nil when neither declares a gain map.
  package init?(xmp: [UInt8]?, iso: [UInt8]?) {
    numbers = iso.flatMap(GainMapNumbers.init)
    if let xmp {
      let properties = XMPProperties(xmp)
      readUltraHDR(properties)
      readApple(properties)
    }
    guard fields != nil || numbers != nil || appleVersion != nil else { return nil }
  }

  private mutating func readUltraHDR(_ properties: XMPProperties) {
    // The primary picture of a map may have a version alone; the maximum is required.
    guard properties[Self.ultraHDR, "Version"].first == "1.0" else { return }
    var numbers: [String: [Double]] = [:]
    for field in Self.fields {
      let values = properties[Self.ultraHDR, field].compactMap(Self.number)
      if values.count == 1 || values.count == 3 { numbers[field] = values }
    }
    guard numbers["GainMapMax"] != nil else { return }
    fields = numbers
    isBaseHDR = properties[Self.ultraHDR, "BaseRenditionIsHDR"].first?.lowercased() == "true"
  }

  private mutating func readApple(_ properties: XMPProperties) {
    guard properties[Self.applePixels, "AuxiliaryImageType"].first == Self.appleType,
      let version = properties[Self.apple, "HDRGainMapVersion"].first.flatMap({ Int($0) }),
      (1...1 << 24).contains(version)
    else { return }
    appleVersion = version
    appleHeadroom = properties[Self.apple, "HDRGainMapHeadroom"].first.flatMap(Self.number)
    applePixelFormat = properties[Self.applePixels, "NativeFormat"].first.flatMap { UInt32($0) }
      .map { Int($0) }
  }

  /// An XMP packet with nothing but these values, or nil when there are only ISO's.
  package var packet: [UInt8]? {
    var attributes: [(String, String)] = []
    var properties = ""
    var namespaces: [(String, String)] = []
    if let fields {
      namespaces.append(("hdrgm", Self.ultraHDR))
      attributes.append(("hdrgm:Version", "1.0"))
      if isBaseHDR { attributes.append(("hdrgm:BaseRenditionIsHDR", "True")) }
      for name in Self.fields {
        guard let values = fields[name] else { continue }
        if values.count == 1 {
          attributes.append(("hdrgm:\(name)", Self.text(values[0])))
        } else {
          let items = values.map { "<rdf:li>\(Self.text($0))</rdf:li>" }.joined()
          properties += XMPWriter.element("hdrgm:\(name)", "<rdf:Seq>\(items)</rdf:Seq>")
        }
      }
    }
    if let appleVersion {
      namespaces += [("HDRGainMap", Self.apple), ("apdi", Self.applePixels)]
      properties += XMPWriter.element("apdi:AuxiliaryImageType", Self.appleType)
      if let applePixelFormat {
        properties += XMPWriter.element("apdi:NativeFormat", "\(applePixelFormat)")
        properties += XMPWriter.element("apdi:StoredFormat", "\(applePixelFormat)")
      }
      properties += XMPWriter.element("HDRGainMap:HDRGainMapVersion", "\(appleVersion)")
      if let appleHeadroom {
        properties += XMPWriter.element("HDRGainMap:HDRGainMapHeadroom", Self.text(appleHeadroom))
      }
    }
    guard !namespaces.isEmpty else { return nil }
    return XMPWriter.packet(of: properties, namespaces: namespaces, attributes: attributes)
  }

  /// Returns the shortest text that reads back unchanged.
  private static func text(_ value: Double) -> String {
    Int(exactly: value).map { String($0) } ?? "\(value)"
  }

  /// Parses a finite decimal number of reasonable size.
  private static func number(_ text: String) -> Double? {
    guard text.utf8.count <= 32, text.utf8.allSatisfy({ "0123456789.+-eE".utf8.contains($0) }),
      let value = Double(text), abs(value) < 1e6
    else { return nil }
    return value
  }
}
