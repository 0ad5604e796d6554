internal import MediaLibrary
internal import MediaModel
internal import MediaSyntax

/// The XMP packet that lies beside an exported file and tells what the library knows of it.
///
/// Source: XMP specification part 2 (exif, photoshop, xmp); digiKam's and
/// Lightroom's namespaces for hierarchical keywords.
enum XMPSidecar {
  /// When an asset was made, as far as that is known; see ``CaptureDate/text``.
  static func date(of asset: ListedAsset) -> String? {
    asset.facts.creationDate?.text
  }

  /// Writes the packet.
  ///
  /// - Parameters:
  ///   - asset: The values; what its policy has taken away is not among them.
  ///   - title: The title; nil for none.
  ///   - orientation: How the file beside it is shown, 1 to 8; nil where the file says so itself.
  ///   - layout: Where the packet stands.
  /// - Returns: Nil when there is nothing to tell.
  static func packet(
    of asset: ListedAsset,
    title: String?,
    orientation: Int? = nil,
    layout: XMPPacket.Layout = .lines
  ) -> [UInt8]? {
    var properties: [String] = []
    func add(_ name: String, _ content: String) {
      properties.append(XMPPacket.element(name, content))
    }
    func addAlternative(_ name: String, _ value: String?) {
      guard let value else { return }
      properties.append(XMPPacket.alternative(name, XMLText.escaped(value)))
    }
    func addList(_ name: String, _ kind: String, _ values: [String]) {
      guard !values.isEmpty else { return }
      properties.append(XMPPacket.list(name, kind, values.map { XMLText.escaped($0) }))
    }
    addAlternative("dc:title", title)
    addAlternative("dc:description", asset.described.caption)
    addList("dc:subject", "Bag", asset.described.keywords)
    addList("digiKam:TagsList", "Seq", asset.described.keywords)
    addList("lr:hierarchicalSubject", "Bag", asset.described.keywords)
    if let rating = asset.described.rating { add("xmp:Rating", String(rating)) }
    if let date = date(of: asset) {
      for name in ["exif:DateTimeOriginal", "xmp:CreateDate", "photoshop:DateCreated"] {
        add(name, XMLText.escaped(date))
      }
    }
    if let place = asset.described.place {
      add("exif:GPSLatitude", MediaDescription.Place.latitudeText(place.latitude))
      add("exif:GPSLongitude", MediaDescription.Place.longitudeText(place.longitude))
    }
    if let orientation { add("tiff:Orientation", String(orientation)) }
    if properties.isEmpty { return nil }
    let spaces = orientation == nil ? namespaces : namespaces + [tiff]
    return XMPPacket.bytes(of: properties, namespaces: spaces, layout: layout)
  }

  private static let tiff = ("tiff", "http://ns.adobe.com/tiff/1.0/")
  private static let namespaces: [(String, String)] = [
    ("dc", "http://purl.org/dc/elements/1.1/"), ("xmp", "http://ns.adobe.com/xap/1.0/"),
    ("exif", "http://ns.adobe.com/exif/1.0/"),
    ("photoshop", "http://ns.adobe.com/photoshop/1.0/"),
    ("digiKam", "http://www.digikam.org/ns/1.0/"),
    ("lr", "http://ns.adobe.com/lightroom/1.0/"),
  ]
}
