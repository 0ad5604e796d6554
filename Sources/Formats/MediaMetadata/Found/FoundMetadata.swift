package import MediaContainers
package import MediaModel

/// The contents of each of a file's metadata blocks.
///
/// The reader of a container finds its blocks and passes each to one of the `take` functions; only
/// the first of a kind is used.
package struct FoundMetadata {
  /// The largest block that is read, in bytes.
  package static let maximumBlockLength = 1 << 20

  /// The values of the Exif block.
  package private(set) var exif: KeptMetadata?
  /// The values of the XMP packet.
  package private(set) var xmp: KeptMetadata?
  /// The values of the IPTC-IIM datasets.
  package private(set) var iptc: KeptMetadata?
  /// The values of Canon's CIFF.
  private(set) var ciff: KeptMetadata?

  /// The values of texts of the container's own.
  private var texts: KeptMetadata?

  /// The description in the blocks, beside the values that may be kept; nil unless it was asked for.
  private(set) var description: MediaDescription?
  /// Whether the blocks are read for a description.
  var isDescribing: Bool { description != nil }

  /// What the XMP packet states of a movie in the file; nil unless the blocks are read for a description.
  private(set) var motionPhoto: MotionPhotoStatement?

  /// The facts in the Exif block; nil unless the blocks are read for a description.
  private(set) var exifFacts: ExifFacts?

  /// Whether nothing but the projection in the XMP packet is read.
  private let readsProjectionAlone: Bool

  /// Creates an empty collection.
  ///
  /// - Parameters:
  ///   - describing: Whether the blocks are read for a ``MediaDescription`` too.
  ///   - projectionAlone: Whether nothing is read but the XMP packet, and only one that mentions the
  ///     namespace of a projection, which few have.
  package init(describing: Bool = false, projectionAlone: Bool = false) {
    readsProjectionAlone = projectionAlone
    if describing { description = MediaDescription() }
  }

  /// Takes the TIFF structure in `range`, such as an Exif block after its `Exif\0\0`.
  mutating func takeExif(in range: Range<Int>, of source: ByteSource) {
    guard !readsProjectionAlone, let block = TIFFBlock(source, range) else { return }
    takeExif(block)
  }

  mutating func takeExif(_ block: TIFFBlock) {
    guard exif == nil else { return notePlace(PlaceStatements.hold(block)) }
    guard !readsProjectionAlone else { return }
    take(ExifHandle(block), of: block)
  }

  /// Notes that a value says a place, understood or not, which a block that is not used may also do; nothing unless the
  /// blocks are read for a description, and where there is a place already.
  mutating func notePlace(_ states: @autoclosure () -> Bool) {
    guard description?.statesPlace == false, states() else { return }
    description?.statesPlace = true
  }

  /// Takes directories that were read from several blocks; `block` has their Exif directory.
  mutating func take(_ handle: borrowing ExifHandle, of block: TIFFBlock) {
    let values = handle.values
    exif = values
    guard description != nil else { return }
    let (isKnown, isUnread) = (values.location != nil, handle.hasUnreadPlace)
    notePlace(isKnown || isUnread)
    exifFacts = handle.facts(values.creationDate, values)
    handle.describe(block, into: &description)
  }

  /// Takes an assembled Exif block; its bytes start with the TIFF header.
  mutating func takeExif(_ block: [UInt8]) {
    takeExif(in: 0..<block.count, of: ByteSource(block))
  }

  /// Takes an XMP packet, wrapped or not, in UTF-8.
  mutating func takeXMP(in range: Range<Int>, of source: ByteSource) {
    guard xmp == nil || description?.statesPlace == false,
      let bytes = source.bytes(in: range, limit: Self.maximumBlockLength)
    else { return }
    takeXMP(bytes)
  }

  mutating func takeXMP(_ packet: [UInt8]) {
    guard packet.count <= Self.maximumBlockLength else { return }
    if xmp != nil { return notePlace(PlaceStatements.hold(XMPProperties(packet))) }
    if readsProjectionAlone, !XMPProjection.isMentioned(in: packet) {
      // It was the first packet: a second one does not count.
      xmp = KeptMetadata()
      return
    }
    let properties = XMPProperties(packet)
    xmp = XMPValues.read(properties)
    if description != nil {
      let isKnown = xmp?.location != nil
      notePlace(isKnown || PlaceStatements.hold(properties))
      XMPValues.describe(properties, into: &description)
      motionPhoto = MotionPhotoStatement(properties, packet)
    }
  }

  /// Takes the date in the Exif block of a raw file's preview, for a raw file that has none.
  mutating func takeDate(of preview: FoundMetadata) {
    guard let date = preview.exif?.creationDate else { return }
    exif = exif ?? KeptMetadata()
    exif?.creationDate = date
    for date in preview.description?.dates ?? [] { description?.add(date) }
  }

  /// Takes texts of the container's own, and the dates in them.
  mutating func take(texts values: KeptMetadata, _ dates: [CaptureDate]) {
    guard !readsProjectionAlone else { return }
    texts = values
    for date in dates { description?.add(date) }
  }

  /// Takes content credentials, of which nothing is read but whether they say a place.
  mutating func takeCredentials(in range: Range<Int>, of source: ByteSource) {
    let limit = ContentCredentials.maximumLength
    notePlace(source.bytes(in: range, limit: limit).map { PlaceStatements.hold(credentials: $0) } ?? false)
  }

  /// Takes subtypes that the container itself tells; nothing unless the blocks are read for a description.
  mutating func take(_ subtypes: MediaSubtypes) { description?.subtypes.formUnion(subtypes) }

  /// Takes IPTC-IIM datasets, as stored in Photoshop's resource 0x0404 and TIFF's tag 33723.
  mutating func takeIPTC(_ datasets: [UInt8]) {
    guard !readsProjectionAlone, datasets.count <= Self.maximumBlockLength else { return }
    notePlace(PlaceStatements.hold(iptc: datasets))
    if iptc != nil { return }
    iptc = IPTCValues.read(datasets)
    if description != nil { IPTCValues.describe(datasets, into: &description) }
  }

  /// Takes the datasets in trailers at the end of a file, unless the picture has some.
  mutating func takeTrailers(of source: ByteSource) {
    guard iptc == nil, !readsProjectionAlone else { return }
    for datasets in PictureTrailers.iptc(in: source) {
      if let bytes = source.bytes(in: datasets, limit: Self.maximumBlockLength) { takeIPTC(bytes) }
    }
  }

  /// Takes a block of CIFF.
  mutating func takeCIFF(in range: Range<Int>, of source: ByteSource) {
    if let block = CIFFBlock(source, range) { take(block) }
  }

  mutating func take(_ block: CIFFBlock) {
    guard ciff == nil, !readsProjectionAlone else { return }
    ciff = CIFFValues.read(block)
    description?.add(ciff?.creationDate)
  }

  /// Takes Photoshop's image resources (`8BIM` …), of which only the IPTC-IIM datasets are read.
  mutating func takePhotoshop(_ resources: [UInt8]) {
    if readsProjectionAlone || resources.isEmpty { return }
    notePlace(PlaceStatements.hold(photoshop: resources))
    if let datasets = PhotoshopResources.iptc(in: resources) { takeIPTC(datasets) }
  }

  /// The merged values of all blocks.
  ///
  /// Date, camera and location come from Exif, then CIFF, XMP and IPTC, because a camera writes them
  /// into the first two. Copyright, caption and rating come from XMP, then IPTC, then Exif, because a
  /// person writes them, and cameras fill Exif's fields with default phrases ("OLYMPUS DIGITAL
  /// CAMERA"). Texts of the container come last. Title and caption are chosen independently; make and model come from
  /// one block.
  package var merged: KeptMetadata {
    let byCamera = [exif, ciff, xmp, iptc, texts].compactMap { $0 }
    let byPerson = [xmp, iptc, exif, texts].compactMap { $0 }
    var all = KeptMetadata()
    all.creationDate = KeptMetadata.anyDate(of: byCamera.compactMap(\.creationDate))
    for block in byCamera {
      all.location = all.location ?? block.location
      all.takeNames(of: block)
    }
    for block in byPerson { all.fill(from: block) }
    all.contentIdentifier = exif?.contentIdentifier
    all.brightness = exif?.brightness
    return all
  }

  /// Returns the values that are written into the output, with the fresh identifier of a live
  /// photo.
  package func kept(under options: StripOptions) -> KeptMetadata {
    let all = merged
    var kept = all.limited(to: options)
    if let key = options.pairingKey, let original = all.contentIdentifier {
      kept.contentIdentifier = LivePhotoIdentifier.fresh(original: original, key: key)
    }
    return kept
  }
}

/// The blocks of metadata of a format whose pictures keep their projection.
package protocol MetadataBlocks {
  /// Passes each block of a file to `metadata`; none of a file that is not of the format.
  static func read(_ source: ByteSource, into metadata: inout FoundMetadata)
}

extension MetadataBlocks {
  /// Returns the metadata of a file.
  package static func find(in source: ByteSource, describing: Bool = false) -> FoundMetadata {
    var metadata = FoundMetadata(describing: describing)
    read(source, into: &metadata)
    return metadata
  }
}

extension StripOptions {
  /// Returns the values of `metadata` to write into the output; `metadata` is evaluated only when some
  /// are wanted.
  package func kept(of metadata: @autoclosure () -> FoundMetadata) -> KeptMetadata {
    wantsValues ? metadata().kept(under: self) : KeptMetadata()
  }

  /// Returns the values of a picture to write into the output: those that ``kept(of:)`` returns, and its
  /// projection, which is kept without being asked for.
  package func kept(
    of picture: any MetadataBlocks.Type,
    in source: ByteSource
  ) -> KeptMetadata {
    var metadata = FoundMetadata(projectionAlone: !wantsValues)
    picture.read(source, into: &metadata)
    var values = kept(of: metadata)
    values.projection = metadata.xmp?.projection
    return values
  }
}
