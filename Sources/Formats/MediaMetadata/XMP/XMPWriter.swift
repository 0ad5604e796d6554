package import MediaModel
internal import MediaSyntax

/// Writes an XMP packet from values: UTF-8, no padding, read-only wrapper; see ``MediaSyntax/XMPPacket``.
package enum XMPWriter {
  /// The set of values in a packet.
  package enum Scope: Sendable, Hashable {
    /// The values of a packet next to an Exif block: copyright, creator, title, caption and
    /// rating, which programs look for in XMP first.
    case besideExif
    /// The values of a packet in a container without Exif: date, camera and location too.
    case alone
  }

  /// Returns a packet with the given values.
  ///
  /// - Parameters:
  ///   - kept: Checked values; at most about 40 KiB of packet, so that it fits one JPEG segment.
  ///   - scope: The set of values to write.
  /// - Returns: Nil when there is nothing to write in this scope.
  package static func packet(kept: KeptMetadata, scope: Scope = .besideExif) -> [UInt8]? {
    let body = properties(of: kept, scope: scope)
    guard !body.isEmpty else { return nil }
    return packet(of: body, namespaces: namespaces(scope, of: kept))
  }

  /// Returns whether `packet` is exactly what ``packet(kept:scope:)`` writes for values that
  /// `options` keep, and for a projection if the format keeps it.
  package static func isOwn(
    _ packet: [UInt8],
    under options: StripOptions,
    scope: Scope = .besideExif,
    keepsProjection: Bool = false
  ) -> Bool {
    let read = XMPValues.read(packet)
    var kept = read.limited(to: options)
    if keepsProjection { kept.projection = read.projection }
    return Self.packet(kept: kept, scope: scope) == packet
  }

  /// Returns a packet around finished properties; names and values of attributes must not need XML
  /// escaping.
  package static func packet(
    of properties: String,
    namespaces: [(String, String)],
    attributes: [(String, String)] = []
  ) -> [UInt8] {
    XMPPacket.bytes(of: [properties], namespaces: namespaces, attributes: attributes, layout: .embedded)
  }

  /// Returns the namespaces that properties of this scope use.
  package static func namespaces(_ scope: Scope, of kept: KeptMetadata) -> [(String, String)] {
    var text = [("dc", XMPNamespace.dublinCore), ("xmp", XMPNamespace.basic)]
    if kept.projection != nil { text.append(XMPProjection.namespace) }
    guard scope == .alone else { return text }
    text += [("exif", XMPNamespace.exif), ("tiff", XMPNamespace.tiff)]
    for (name, _) in kept.nameProperties where !text.contains(where: { $0.1 == name.namespace }) {
      text.append((XMPNamespace.prefix(name.namespace), name.namespace))
    }
    return text
  }

  /// Returns the properties of the values as XML; empty when there are none.
  package static func properties(of kept: KeptMetadata, scope: Scope) -> String {
    var text = kept.projection?.elements ?? ""
    if let title = kept.title { text += alternative("dc:title", title) }
    if let caption = kept.caption { text += alternative("dc:description", caption) }
    if let creator = kept.creator {
      text += XMPPacket.list("dc:creator", "Seq", [XMLText.escaped(creator, in: .element)])
    }
    if let copyright = kept.copyright { text += alternative("dc:rights", copyright) }
    if let rating = kept.rating { text += element("xmp:Rating", String(rating)) }
    guard scope == .alone else { return text }
    if let date = kept.creationDate {
      text += element("exif:DateTimeOriginal", date.text)
    }
    for (name, value) in kept.nameProperties {
      let label = XMPNamespace.prefix(name.namespace) + ":" + name.name
      text += element(label, XMLText.escaped(value, in: .element))
    }
    if let coordinate = kept.location { text += location(coordinate) }
    return text
  }

  private static func location(_ coordinate: Coordinate) -> String {
    typealias Place = MediaDescription.Place
    var properties = element("exif:GPSLatitude", Place.latitudeText(coordinate.latitude))
    properties += element("exif:GPSLongitude", Place.longitudeText(coordinate.longitude))
    if let altitude = coordinate.altitudeMillimeters {
      properties += element("exif:GPSAltitudeRef", altitude < 0 ? "1" : "0")
      properties += element("exif:GPSAltitude", "\(abs(altitude))/1000")
    }
    return properties
  }

  /// Returns an XML element with the given content, which is not escaped.
  package static func element(_ name: String, _ content: String) -> String {
    XMPPacket.element(name, content)
  }

  private static func alternative(_ name: String, _ text: String) -> String {
    XMPPacket.alternative(name, XMLText.escaped(text, in: .element))
  }
}
