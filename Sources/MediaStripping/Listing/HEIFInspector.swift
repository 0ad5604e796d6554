import MediaCodecs
import MediaContainers
import MediaMetadata
import MediaModel

/// Lists the items, boxes and units of a HEIC or AVIF that are not needed to show it.
extension HEIFStripper {
  static func list(
    _ source: ByteSource,
    into listing: inout MetadataListing
  ) throws(MetadataError) {
    let container = try HEIFContainer(of: source)
    var inspector = HEIFInspector(source)
    if let box = container.meta {
      let meta = try HEIFMetaReader.read(box.body, of: source)
      let selection = try HEIFSelection(meta, of: source, options: listing.options)
      if selection.gainMap == nil { listing.noteNoGainMap() }
      try inspector.addItems(of: meta, selection)
      try inspector.addProperties(of: meta, selection)
      inspector.addBoxes(of: meta)
    }
    inspector.addTop(container)
    inspector.list(into: &listing)
  }
}

/// Collects the metadata of a file, in the order of the file.
private struct HEIFInspector {
  private struct Part {
    var path: String
    var range: Range<Int>
    var content = Content.plain
  }

  private enum Content {
    case plain
    case exif([UInt8])
    case xmp([UInt8])
    case iptc([UInt8])
    case profile([UInt8])
    case credentials
    /// A moov, with the handlers of the tracks that are kept; nil if all of it is removed.
    case moov(ISOBox, Set<FourCharacterCode>?)
  }

  private let source: ByteSource
  private var parts: [Part] = []
  /// The bytes of content that may still be read: a hostile file has thousands of blocks, a normal
  /// one few.
  private var contentLeft = 16 << 20

  init(_ source: ByteSource) {
    self.source = source
  }

  func list(into listing: inout MetadataListing) {
    for part in parts.sorted(by: { $0.range.lowerBound < $1.range.lowerBound }) {
      switch part.content {
      case .plain:
        listing.add(part.path, at: part.range, isRemoved: true)
      case .exif(let block):
        let bytes = ByteSource(block)
        listing.addExif(part.path, in: 0..<block.count, of: bytes, range: part.range)
      case .xmp(let packet):
        listing.addXMP(part.path, packet, at: part.range, keepsProjection: true)
      case .iptc(let datasets):
        listing.addIPTC(part.path, datasets, at: part.range.lowerBound)
      case .profile(let profile): listing.addProfile(part.path, profile, at: part.range)
      case .credentials:
        let isRemoved = listing.removes(.contentCredentials)
        listing.addCredentials(part.path, at: part.range, isRemoved: isRemoved) {
          source.bytes(in: part.range, limit: ContentCredentials.maximumLength) ?? []
        }
      case .moov(let moov, let handlers):
        if handlers == nil { listing.add(part.path, at: part.range, isRemoved: true) }
        var inspector = MovieInspector(source, ofPictures: handlers ?? [])
        // What is removed as a whole may also be damaged.
        try? inspector.addMoov(moov)
        inspector.list(into: &listing)
      }
    }
  }

  /// Adds items that are not kept, each as a whole or by its values, and units that no decoder
  /// needs.
  mutating func addItems(
    of meta: HEIFMeta,
    _ selection: HEIFSelection
  ) throws(MetadataError) {
    let kept = Set(selection.kept)
    let removed = meta.items.filter { !kept.contains($0.identifier) }
    for (item, name) in zip(removed, selection.removedNames(of: meta, in: source)) {
      guard let first = item.extents.first, parts.count < MetadataListing.maximumEntries else {
        continue
      }
      let path = "meta/\(name) \(item.identifier)"
      let bytes = ByteSource(joining: item.extents, of: source)
      let range = first.lowerBound..<(first.lowerBound + min(bytes.length, source.length))
      parts.append(Part(path: path, range: range, content: content(of: item)))
    }
    for item in meta.items where kept.contains(item.identifier) {
      guard HEIFSelection.coded.contains(item.type), !item.isElsewhere,
        let box = meta.properties(of: item).first(where: { box in
          DecoderConfiguration.types.contains(box.type)
        })
      else { continue }
      let bitstream = try DecoderConfiguration(box, of: source).bitstream
      let bytes = ByteSource(joining: item.extents, of: source)
      let extents = Extents(item.extents)
      var removed: [Part] = []
      try bitstream.forEachUnit(in: 0..<bytes.length, of: bytes) { unit, disposition in
        guard case .removed(let name) = disposition, removed.count < MetadataListing.maximumEntries,
          let extent = extents.ranges(of: unit).first
        else { return }
        let range = extent.lowerBound..<(extent.lowerBound + unit.count)
        removed.append(Part(path: "item \(item.identifier)/\(name)", range: range))
      }
      parts += removed
    }
  }

  private mutating func content(of item: HEIFItem) -> Content {
    guard item.type == "Exif" || item.isXMP || item.type == "iptc", contentLeft > 0,
      let data = HEIFDescriptionItems.data(of: item, in: source)
    else { return .plain }
    contentLeft -= data.count
    if item.type == "Exif" { return HEIFDescriptionItems.block(data).map(Content.exif) ?? .plain }
    if item.isXMP { return .xmp(data) }
    return item.type == "iptc" ? .iptc(data) : .plain
  }

  /// Adds profiles by their tags, and properties that are not kept.
  mutating func addProperties(
    of meta: HEIFMeta,
    _ selection: HEIFSelection
  ) throws(MetadataError) {
    let items = selection.kept.compactMap { meta.item($0) }
    let used = Set(items.flatMap(\.associations).map(\.index))
    for (index, box) in meta.properties.enumerated() {
      let path = "ipco/\(box.type.displayName)"
      guard used.contains(index + 1) else {
        // A property of a removed item is removed with it; only profiles are listed.
        if box.type == "colr" { parts.append(Part(path: path, range: box.body)) }
        continue
      }
      switch try PictureProperty.judge(box, in: source) {
      case .kept where box.type == "colr" && source.code(at: box.body.lowerBound) != "nclx":
        let range = box.body.dropFirst(4)
        let profile = source.bytes(in: range, limit: ICCProfile.maximumLength) ?? []
        parts.append(Part(path: path, range: range, content: .profile(profile)))
      case .kept: continue
      case .removed, .unknown: parts.append(Part(path: path, range: box.body))
      }
    }
  }

  mutating func addBoxes(of meta: HEIFMeta) {
    if let hdlr = meta.boxes.first(where: { $0.type == "hdlr" }),
      let name = ISOHeaders.handlerName(hdlr, of: source)
    {
      parts.append(Part(path: "meta/handler name", range: name))
    }
    for box in meta.removedBoxes {
      parts.append(Part(path: "meta/\(box.type.displayName)", range: box.body))
    }
  }

  /// Adds top-level boxes that are removed, and the bytes after the last box.
  mutating func addTop(_ container: HEIFContainer) {
    var end = 0
    for box in ISOBoxes(source, in: 0..<source.length) {
      if box.type == "ftyp", end > 0 { break }
      let start = end
      end = box.body.upperBound
      if container.credentials == start..<end {
        parts.append(Part(path: "uuid", range: box.body, content: .credentials))
        continue
      }
      if box.type == "moov" {
        let handlers: Set<FourCharacterCode>? = container.moov == nil ? nil : ["pict", "auxv"]
        parts.append(Part(path: "moov", range: box.body, content: .moov(box, handlers)))
      } else if !BoxAllowList.picture.allows(box.type, in: "file") {
        parts.append(Part(path: box.type.displayName, range: box.body))
      }
    }
    if end < source.length { parts.append(Part(path: "trailer", range: end..<source.length)) }
  }
}
