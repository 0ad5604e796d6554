import MediaContainers
import MediaModel

/// The pictures of a HEIF file and their relations, read before a decoder opens the file.
///
/// libheif allocates the memory that a file claims to need, and follows derived pictures to any
/// depth; the cost of a decode is therefore computed here first.
///
/// Source: ISO/IEC 14496-12 section 8.11; ISO/IEC 23008-12 sections 6 and 9.
struct HEIFItems {
  /// The limit on items, the same as libheif's.
  private static let maximumItemCount = 20_000

  let bytes: UnsafeRawBufferPointer
  let source: ByteSource
  /// The offsets of the box types that are hidden from libheif, which does not need them:
  /// references of metadata to pictures. libheif reports a file as damaged if they refer to a kind
  /// of picture that it does not know (a tone-mapped one, as phones write since 2024).
  let hidden: [Int64]
  private let meta: HEIFMeta

  /// Reads the boxes of a file.
  ///
  /// - Throws: `damaged` when the boxes contradict each other; `unsupported` for a file with an
  ///   image sequence and no still picture; `overLimit` for more items than any file needs.
  init(_ bytes: UnsafeRawBufferPointer) throws(ImagingError) {
    self.bytes = bytes
    source = ByteSource(bytes)
    let whole = 0..<source.length
    // A truncated last box may still hold the picture: its data is checked below.
    guard let box = ISOBoxes.first("meta", in: whole, of: source) else {
      throw ISOBoxes.first("moov", in: whole, of: source) != nil
        ? ImagingError(.unsupported, "an image sequence without a picture")
        : ImagingError(.damaged, "no meta box")
    }
    meta = HEIFMetaReader.readLeniently(box.body, of: source)
    if meta.item(meta.primary) == nil, ISOBoxes.first("moov", in: whole, of: source) != nil {
      throw ImagingError(.unsupported, "an image sequence without a picture")
    }
    if let damage = meta.damage {
      throw ImagingError(damage.code == .overLimit ? .overLimit : .damaged, damage.detail)
    }
    guard meta.items.count <= Self.maximumItemCount else {
      throw ImagingError(.overLimit, "\(meta.items.count) items")
    }
    guard meta.item(meta.primary) != nil else { throw ImagingError(.damaged, "no primary picture") }
    let iref = ISOBoxes.first("iref", in: box.body.dropFirst(4), of: source)
    hidden = ISOBoxes(source, in: iref?.body.dropFirst(4) ?? 0..<0)
      .filter { $0.type == "cdsc" }.map { Int64($0.range.lowerBound + 4) }
  }

  var primary: Int { meta.primary }

  /// Returns the type of an item; nil if it does not exist.
  func type(of item: Int) -> FourCharacterCode? { meta.item(item)?.type }

  /// Returns the properties of an item, in their order.
  func properties(of item: Int) -> [ISOBox] { meta.item(item).map(meta.properties) ?? [] }

  /// Returns the body of the first property of that type.
  func property(_ type: FourCharacterCode, of item: Int) -> Range<Int>? {
    properties(of: item).first { $0.type == type }?.body
  }

  /// Returns the items to which an item's references of one type point, in their order.
  func targets(of item: Int, _ type: FourCharacterCode) -> [Int] { meta.targets(of: item, type) }

  /// Returns the items that have a reference of one type to an item.
  func sources(to item: Int, _ type: FourCharacterCode) -> [Int] {
    meta.items.map(\.identifier).filter { meta.targets(of: $0, type).contains(item) }
  }

  /// Returns the ranges of an item's bytes in the file, if any.
  ///
  /// - Returns: Nil if they are not in the file.
  func ranges(of item: Int) -> [Range<Int>]? {
    meta.item(item).flatMap { $0.isElsewhere ? nil : $0.extents }
  }

  /// Whether the file does not end before the bytes of an item.
  var isWhole: Bool { !meta.items.contains(where: \.isCut) }

  /// Returns the size from the ispe property, before the picture is turned.
  func size(of item: Int) -> PixelSize? {
    meta.item(item).flatMap { meta.pixelSize(of: $0, in: source) }
  }
}
