import MediaContainers
package import MediaModel

/// What each of a file's metadata blocks says.
///
/// A container finds its blocks and hands each to one of the `take` functions; the first of a kind
/// counts.
package struct FoundMetadata {
  /// Blocks of more bytes are not looked at.
  package static let maximumBlockLength = 1 << 20

  package private(set) var exif: KeptMetadata?
  package private(set) var xmp: KeptMetadata?
  package private(set) var iptc: KeptMetadata?

  package init() {}

  /// Takes the TIFF structure in `range`, such as an Exif block behind its `Exif\0\0`.
  mutating func takeExif(in range: Range<Int>, of source: ByteSource) {
    guard exif == nil, let block = TIFFBlock(source, range) else { return }
    takeExif(block)
  }

  mutating func takeExif(_ block: TIFFBlock) {
    guard exif == nil else { return }
    exif = ExifValues.read(block)
  }

  /// Takes an Exif block that was put together; bytes from its TIFF header on.
  mutating func takeExif(_ block: [UInt8]) {
    takeExif(in: 0..<block.count, of: ByteSource(block))
  }

  /// Takes an XMP packet, wrapped or not, in UTF-8.
  mutating func takeXMP(in range: Range<Int>, of source: ByteSource) {
    guard xmp == nil, let bytes = source.bytes(in: range, limit: Self.maximumBlockLength) else {
      return
    }
    takeXMP(bytes)
  }

  mutating func takeXMP(_ packet: [UInt8]) {
    guard xmp == nil, packet.count <= Self.maximumBlockLength else { return }
    xmp = XMPValues.read(packet)
  }

  /// Takes IPTC-IIM datasets, as they stand in Photoshop's resource 0x0404 and TIFF's tag 33723.
  mutating func takeIPTC(_ datasets: [UInt8]) {
    guard iptc == nil, datasets.count <= Self.maximumBlockLength else { return }
    iptc = IPTCValues.read(datasets)
  }

  /// Takes Photoshop's image resources (`8BIM` …), of which only the IPTC-IIM datasets are read.
  mutating func takePhotoshop(_ resources: [UInt8]) {
    guard iptc == nil, let datasets = PhotoshopResources.iptc(in: resources) else { return }
    takeIPTC(datasets)
  }

  /// All of it as one.
  ///
  /// Date, camera and location: Exif, then XMP, then IPTC, because a camera writes them into Exif.
  /// Copyright, caption and rating: XMP, then IPTC, then Exif, because a person writes them, and
  /// cameras fill Exif's fields with phrases of their own ("OLYMPUS DIGITAL CAMERA"). Title and
  /// caption, like make and model, are each taken on their own.
  package var merged: KeptMetadata {
    let byCamera = [exif, xmp, iptc].compactMap { $0 }
    let byPerson = [xmp, iptc, exif].compactMap { $0 }
    var all = KeptMetadata()
    all.creationDate = byCamera.firstValue(\.creationDate)
    // One place's make with another's model would be a camera that does not exist.
    let camera = byCamera.first { $0.make != nil || $0.model != nil }
    (all.make, all.model) = (camera?.make, camera?.model)
    all.location = byCamera.firstValue(\.location)
    all.copyright = byPerson.firstValue(\.copyright)
    all.creator = byPerson.firstValue(\.creator)
    all.title = byPerson.firstValue(\.title)
    all.caption = byPerson.firstValue(\.caption)
    all.rating = byPerson.firstValue(\.rating)
    all.contentIdentifier = exif?.contentIdentifier
    all.brightness = exif?.brightness
    return all
  }

  /// What of it is written into the output, with the live photo's fresh identifier.
  package func kept(under options: StripOptions) -> KeptMetadata {
    let all = merged
    var kept = all.limited(to: options)
    if let key = options.pairingKey, let original = all.contentIdentifier {
      kept.contentIdentifier = LivePhotoIdentifier.fresh(original: original, key: key)
    }
    return kept
  }
}

extension [KeptMetadata] {
  fileprivate func firstValue<Value>(_ field: KeyPath<KeptMetadata, Value?>) -> Value? {
    for block in self {
      if let value = block[keyPath: field] { return value }
    }
    return nil
  }
}

extension StripOptions {
  /// The values of `found` to write into the output; `found` is evaluated only when some are wanted.
  package func kept(of found: @autoclosure () -> FoundMetadata) -> KeptMetadata {
    wantsValues ? found().kept(under: self) : KeptMetadata()
  }
}
