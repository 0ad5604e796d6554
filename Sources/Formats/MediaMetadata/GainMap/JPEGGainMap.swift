package import MediaContainers

/// The gain map of a JPEG: a second JPEG after the EOI of the first.
package struct JPEGGainMap {
  /// The range from its SOI to the end of the file; its own EOI comes earlier.
  package var range: Range<Int>
  /// The parameters of the gain map.
  package var metadata: GainMapMetadata

  /// Returns the first picture at or after `end`, the end of the primary picture, that declares
  /// itself a gain map: one that the multi-picture index lists, or one that follows directly.
  package static func find(in source: ByteSource, behind end: Int) -> JPEGGainMap? {
    var offsets = [end]
    for segment in JPEGSegments(source) where segment.marker == JPEGMarker.app2 {
      if source.holds(JPEGMultiPicture.identifier, at: segment.body.lowerBound) {
        offsets += JPEGMultiPicture.offsets(in: segment, of: source)
      }
    }
    for offset in offsets where offset >= end && offset < source.length {
      let range = offset..<source.length
      if let metadata = metadata(of: ByteSource(source, range)) {
        return JPEGGainMap(range: range, metadata: metadata)
      }
    }
    return nil
  }

  /// Returns the gain map metadata of a picture, or nil.
  package static func metadata(of picture: ByteSource) -> GainMapMetadata? {
    var xmp: [UInt8]?
    var iso: [UInt8]?
    for segment in JPEGSegments(picture) {
      let content = { (identifier: String) -> [UInt8]? in
        guard picture.holds(identifier, at: segment.body.lowerBound) else { return nil }
        return picture.bytes(in: segment.body.dropFirst(identifier.utf8.count), limit: 1 << 16)
      }
      switch segment.marker {
      case JPEGMarker.app1: xmp = xmp ?? content(JPEGMetadata.xmpIdentifier)
      case JPEGMarker.app2: iso = iso ?? content(JPEGMultiPicture.gainMapIdentifier)
      default: break
      }
    }
    return GainMapMetadata(xmp: xmp, iso: iso)
  }

  /// Returns the XMP properties of the primary picture that announce an Ultra HDR gain map of
  /// `length` bytes.
  package static func directory(length: Int) -> String {
    let item = { (semantic: String, more: String) in
      "<rdf:li rdf:parseType=\"Resource\"><Container:Item Item:Semantic=\"\(semantic)\""
        + " Item:Mime=\"image/jpeg\"\(more)/></rdf:li>"
    }
    let items = item("Primary", "") + item("GainMap", " Item:Length=\"\(length)\"")
    return XMPWriter.element("Container:Directory", "<rdf:Seq>\(items)</rdf:Seq>")
  }

  /// The XML namespaces of the directory.
  package static let directoryNamespaces = [
    ("hdrgm", GainMapMetadata.ultraHDR),
    ("Container", "http://ns.google.com/photos/1.0/container/"),
    ("Item", "http://ns.google.com/photos/1.0/container/item/"),
  ]
}
