package import MediaContainers
package import MediaModel

/// Finds the eXIf chunk of a PNG, an XMP text, the older texts in hexadecimal, and those under PNG's own keywords.
///
/// Source: PNG (3rd edition) section 11.3.3.1; exiftool `PNG.pm`, TextualData, for Make and Model.
package enum PNGMetadata: MetadataBlocks {
  package static func read(_ source: ByteSource, into metadata: inout FoundMetadata) {
    guard let header = try? PNGHeader(of: source) else { return }
    if let range = header.exif {
      metadata.takeExif(in: range, of: source)
    } else if let chunk = header.rawProfile, let block = PNGRawProfile.block(chunk, in: source) {
      metadata.takeExif(block)
    }
    guard var parser = try? PNGParser(source) else { return }
    var olderPacket: [UInt8]?
    var texts = KeptMetadata()
    var dates: [CaptureDate] = []
    while let chunk = try? parser.next() {
      if chunk.type == "caBX" { metadata.takeCredentials(in: chunk.data, of: source) }
      guard ["iTXt", "zTXt", "tEXt"].contains(chunk.type) else { continue }
      if metadata.isDescribing { metadata.notePlace(statesPlace(chunk, header, of: source)) }
      if let packet = xmp(chunk, in: source) {
        if chunk.type == "iTXt" { metadata.takeXMP(packet) } else { olderPacket = olderPacket ?? packet }
      } else if let (keyword, text) = text(chunk, in: source) {
        texts.take(keyword, text, &dates)
      }
    }
    if !texts.isEmpty || !dates.isEmpty { metadata.take(texts: texts, dates) }
    // A packet in a text of another kind is read where there is no other one.
    if let olderPacket { metadata.takeXMP(olderPacket) }
  }

  /// Returns whether a text says a place by its keyword, or a block in hexadecimal that is not used.
  private static func statesPlace(
    _ chunk: PNGChunk,
    _ header: PNGHeader,
    of source: ByteSource
  ) -> Bool {
    guard !source.holds("XML:com.adobe.xmp\0", at: chunk.data.lowerBound),
      let keyword = PNGKeyword(chunk, in: source), !keyword.range.isEmpty
    else { return false }
    if PNGRawProfile.isBlock(chunk, in: source) {
      if header.exif == nil, header.rawProfile?.range == chunk.range { return false }
      switch PNGTextBlock(chunk, in: source) {
      case .exif(let block): return PlaceStatements.hold(exif: block)
      case .xmp(let packet): return PlaceStatements.hold(XMPProperties(packet))
      case .photoshop(let resources):
        return PlaceStatements.hold(iptc: PhotoshopResources.iptc(in: resources) ?? [])
          || PlaceStatements.hold(photoshop: resources)
      case .iptc(let datasets): return PlaceStatements.hold(iptc: datasets)
      case nil: return false
      }
    }
    let name = source.bytes(in: keyword.range.prefix(79), limit: 79) ?? []
    let word = String(decoding: name, as: UTF8.self).substituting("/", by: "_")
    return PlaceStatements.holds("tEXt", word, try? keyword.bytes(of: source, limit: 1 << 16))
  }

  /// What keeps a text, by its keyword in small letters.
  package static let exceptions: [String: MetadataException] = [
    "title": .caption, "description": .caption, "author": .copyright, "copyright": .copyright,
    "make": .camera,
    "model": .camera, "creation time": .creationDate,
  ]

  /// Returns the keyword of a text that may be kept, in small letters, and the text.
  private static func text(_ chunk: PNGChunk, in source: ByteSource) -> (keyword: String, text: String)? {
    guard let parts = PNGKeyword(chunk, in: source), parts.range.count <= 79,
      let name = source.bytes(in: parts.range, limit: 79),
      case let keyword = String(decoding: name, as: UTF8.self).lowercased(), exceptions[keyword] != nil,
      let bytes = try? parts.bytes(of: source, limit: 1 << 16), let text = MetadataText.checked(bytes)
    else { return nil }
    return (keyword, text)
  }

  /// The start of an iTXt chunk with XMP: the keyword, no compression, no language, no translation.
  package static let xmpHead = Array("XML:com.adobe.xmp".utf8) + [0, 0, 0, 0, 0]

  /// Returns the packet of a text that holds XMP, compressed or not.
  package static func xmp(
    _ chunk: PNGChunk,
    in source: ByteSource
  ) -> [UInt8]? {
    let limit = FoundMetadata.maximumBlockLength
    guard source.holds("XML:com.adobe.xmp\0", at: chunk.data.lowerBound),
      chunk.data.count <= limit
    else { return nil }
    return try? PNGKeyword(chunk, in: source)?.bytes(of: source, limit: limit)
  }
}

/// A block in hexadecimal in a text of a PNG. It is known by what it begins with, since the word in its keyword is that
/// of a container (`APP1`) as often as of a kind (`iptc`).
package enum PNGTextBlock {
  /// A TIFF structure.
  case exif([UInt8])
  /// An XMP packet.
  case xmp([UInt8])
  /// Photoshop's image resources.
  case photoshop([UInt8])
  /// Datasets of IPTC-IIM.
  case iptc([UInt8])

  /// Reads the block of a chunk; nil for one that cannot be read or is of another kind.
  package init?(_ chunk: PNGChunk, in source: ByteSource) {
    guard let bytes = PNGRawProfile.bytes(chunk, in: source) else { return nil }
    func content(behind identifier: String, orFrom marks: String...) -> [UInt8]? {
      if bytes.starts(with: identifier.utf8) { return Array(bytes.dropFirst(identifier.utf8.count)) }
      return marks.contains { bytes.starts(with: $0.utf8) } ? bytes : nil
    }
    if let block = content(behind: "Exif\0\0", orFrom: "II*\0", "MM\0*") {
      self = .exif(block)
    } else if let packet = content(behind: JPEGMetadata.xmpIdentifier, orFrom: "<") {
      self = .xmp(packet)
    } else if let resources = content(behind: JPEGMetadata.photoshopIdentifier, orFrom: "8BIM") {
      self = .photoshop(resources)
    } else if bytes.first == 0x1C {
      self = .iptc(bytes)
    } else {
      return nil
    }
  }
}

extension KeptMetadata {
  /// Takes the text under a keyword of PNG, and the dates that it states.
  fileprivate mutating func take(_ keyword: String, _ text: String, _ dates: inout [CaptureDate]) {
    switch keyword {
    case "title": title = title ?? text
    case "description": caption = caption ?? text
    case "author": creator = creator ?? text
    case "copyright": copyright = copyright ?? text
    case "make": take(.make, MetadataText.name(Array(text.utf8)))
    case "model": take(.model, MetadataText.name(Array(text.utf8)))
    default:
      dates += WrittenDate.dates(text, tag: "PNG:CreationTime")
      if creationDate == nil { take(dates.first { !$0.isImpossible }) }
    }
  }
}
