import MediaCodecs
import MediaContainers
import MediaMetadata
import MediaModel

extension HEIFStripper {
  /// Lists the items, boxes and units of a HEIC or AVIF that are not needed to show it.
  static func list(
    _ container: HEIFContainer,
    _ picture: (meta: HEIFMeta, selection: HEIFSelection)?,
    of source: ByteSource,
    into listing: inout MetadataListing
  ) throws(MetadataError) {
    var inspector = HEIFInspector(source)
    if let (meta, selection) = picture {
      if selection.gainMap == nil { listing.noteNoGainMap() }
      try inspector.addItems(of: meta, selection)
      try inspector.addProperties(of: meta, selection)
      inspector.addBoxes(of: meta)
    }
    inspector.addTop(container)
    inspector.parts.list(into: &listing)
  }
}

/// Collects the metadata of a file.
private struct HEIFInspector {
  private let source: ByteSource
  private(set) var parts = ListedParts()
  /// The bytes of content that may still be read: a hostile file has thousands of blocks, a normal
  /// one few.
  private var contentLeft = 16 << 20

  init(_ source: ByteSource) {
    self.source = source
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
      guard let first = item.extents.first, !parts.isFull else { continue }
      let path = "meta/\(name) \(item.identifier)"
      let bytes = ByteSource(joining: item.extents, of: source)
      let range = first.lowerBound..<(first.lowerBound + min(bytes.length, source.length))
      add(item, path, at: range)
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
      var removed: [(path: String, range: Range<Int>)] = []
      try bitstream.forEachUnit(in: 0..<bytes.length, of: bytes) { unit, disposition in
        guard case .removed(let name) = disposition, removed.count < MetadataListing.maximumEntries,
          let extent = extents.ranges(of: unit).first
        else { return }
        let range = extent.lowerBound..<(extent.lowerBound + unit.count)
        removed.append(("item \(item.identifier)/\(name)", range))
      }
      for part in removed { parts.add(part.path, at: part.range) }
    }
  }

  /// Adds an item by its values, or as a whole if none can be read.
  private mutating func add(_ item: HEIFItem, _ path: String, at range: Range<Int>) {
    guard item.type == "Exif" || item.isXMP || item.type == "iptc", contentLeft > 0,
      let data = HEIFDescriptionItems.data(of: item, in: source)
    else { return parts.add(path, at: range) }
    contentLeft -= data.count
    let block = item.type == "Exif" ? HEIFDescriptionItems.block(data) : nil
    parts.add(at: range.lowerBound) { listing in
      if let block {
        listing.addExif(path, in: 0..<block.count, of: ByteSource(block), range: range)
      } else if item.type == "Exif" {
        listing.add(path, at: range, isRemoved: true)
      } else if item.isXMP {
        listing.addXMP(path, data, at: range, keepsProjection: true)
      } else {
        listing.addIPTC(path, data, at: range.lowerBound)
      }
    }
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
        if box.type == "colr" { parts.add(path, at: box.body) }
        continue
      }
      switch try PictureProperty.judge(box, in: source) {
      case .kept where box.type == "colr" && source.code(at: box.body.lowerBound) != "nclx":
        let range = box.body.dropFirst(4)
        parts.add(at: range.lowerBound) { [source] in
          $0.addProfile(path, at: range, of: source)
        }
      case .kept: continue
      case .removed, .unknown: parts.add(path, at: box.body)
      }
    }
  }

  mutating func addBoxes(of meta: HEIFMeta) {
    if let hdlr = meta.boxes.first(where: { $0.type == "hdlr" }),
      let name = ISOHeaders.handlerName(hdlr, of: source)
    {
      parts.add("meta/handler name", at: name)
    }
    for box in meta.removedBoxes {
      parts.add("meta/\(box.type.displayName)", at: box.body)
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
        parts.add(at: box.body.lowerBound) { [source] listing in
          let isRemoved = listing.removes(.contentCredentials)
          listing.addCredentials("uuid", at: box.body, of: source, isRemoved: isRemoved)
        }
      } else if box.type == "moov" {
        add(box, isRemoved: container.moov == nil)
      } else if !BoxAllowList.picture.allows(box.type, in: "file") {
        parts.add(box.type.displayName, at: box.body)
      }
    }
    if end < source.length { parts.add("trailer", at: end..<source.length) }
  }

  /// Adds what a moov has beside its pictures.
  private mutating func add(_ moov: ISOBox, isRemoved: Bool) {
    parts.add(at: moov.body.lowerBound) { [source] listing in
      if isRemoved { listing.add("moov", at: moov.body, isRemoved: true) }
      var inspector = MovieInspector(source, ofPictures: isRemoved ? [] : ["pict", "auxv"])
      // What is removed as a whole may also be damaged.
      try? inspector.addMoov(moov)
      inspector.parts.list(into: &listing)
    }
  }
}
