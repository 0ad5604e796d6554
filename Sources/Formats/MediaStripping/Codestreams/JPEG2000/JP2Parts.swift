import MediaCodecs
import MediaContainers
import MediaMetadata

/// The boxes of a JPEG 2000 file that make its picture.
///
/// Source: ISO/IEC 15444-1 annex I; 15444-2 annex M (JPX); 15444-15 annex D (JPH).
struct JP2Parts {
  /// The boxes at the top level.
  let boxes: [ISOBox]
  /// The box of the picture's header.
  let header: ISOBox
  /// The box of the codestream that every reader shows: the first.
  let codestreamBox: ISOBox
  let codestream: J2KCodestream
  private let isHighThroughput: Bool

  /// The boxes with which a JPX says how several codestreams make one picture, or that its codestream
  /// lies elsewhere.
  private static let compositions: Set<FourCharacterCode> = [
    "comp", "copt", "inst", "ftbl", "flst", "dtbl", "cgrp", "drep", "jpch", "jplh", "cref",
  ]

  /// Reads a file.
  ///
  /// - Throws: `stripUnsupported` for a JPX that readers of JP2 cannot show, or show otherwise;
  ///   `damaged` for one without its boxes; `overLimit` for more than 4,095 boxes.
  init(of source: ByteSource) throws(MetadataError) {
    boxes = JP2Header(of: source)?.boxes ?? []
    guard boxes.count < JP2Header.maximumBoxes else {
      throw MetadataError(.overLimit, "too many boxes")
    }
    guard boxes.count > 1, boxes[1].type == "ftyp" else {
      throw MetadataError(.damaged, "JP2 without ftyp")
    }
    let types = boxes[1].body
    var brands: Set<FourCharacterCode> = []
    for offset in stride(from: types.lowerBound + 8, to: types.upperBound - 3, by: 4) {
      if let brand = source.code(at: offset) { brands.insert(brand) }
    }
    let brand = source.code(at: types.lowerBound)
    isHighThroughput = brand == "jph "
    if brand == "jpx " {
      guard brands.contains("jp2 ") else {
        throw MetadataError(.stripUnsupported, "a JPX that is no JP2")
      }
      if let box = boxes.first(where: { Self.compositions.contains($0.type) }) {
        throw MetadataError(.stripUnsupported, "a JPX with \(box.type.displayName)")
      }
      guard boxes.count(where: { $0.type == "jp2c" }) < 2 else {
        throw MetadataError(.stripUnsupported, "a JPX of several codestreams")
      }
    }
    header = try boxes.needed("jp2h", in: "JP2")
    guard let box = boxes.first(where: { $0.type == "jp2c" }) else {
      throw MetadataError(.damaged, "JP2 without a whole jp2c")
    }
    codestreamBox = box
    codestream = try J2KCodestream(of: source, in: box.body)
  }

  /// The type box that the output has.
  var typeBox: [UInt8] {
    let brand: FourCharacterCode = isHighThroughput ? "jph " : "jp2 "
    return ISOWriter.box("ftyp", brand.bytes + 0.bytes(4) + brand.bytes)
  }

  /// The boxes of the header that stand behind it instead of in it. OpenJPEG reads them there, so that
  /// without them a palette's picture would lose its colors.
  private func misplaced(besides children: [ISOBox]) -> [ISOBox] {
    boxes.filter { box in
      box.range.lowerBound >= header.range.upperBound
        && box.range.upperBound <= codestreamBox.range.lowerBound
        && JP2AllowList.header[box.type] != nil && !children.contains { $0.type == box.type }
    }
  }

  /// The boxes of the header, with the bytes of each that the output has; nil for one that is removed.
  ///
  /// - Throws: `damaged` for a box that cannot have its form; `stripUnsupported` for a compression or
  ///   colors of unknown meaning; `overLimit` for a profile of more than 4 MiB.
  func headerBoxes(
    of source: ByteSource
  ) throws(MetadataError) -> [(box: ISOBox, written: [UInt8]?)] {
    var children = try header.children(in: source)
    children += misplaced(besides: children)
    guard let first = children.first, first.type == "ihdr", first.body.count == 14,
      var image = source.bytes(in: first.body, limit: 14)
    else { throw MetadataError(.damaged, "jp2h without ihdr") }
    guard image[11] == 7 else {
      throw MetadataError(.stripUnsupported, "a JP2 of another compression")
    }
    let componentCount = source.uint16(at: first.body.lowerBound + 8) ?? 0
    // The last byte tells of rights in a box that is removed.
    (image[12], image[13]) = (image[12] & 1, 0)
    var written: [(box: ISOBox, written: [UInt8]?)] = [(first, ISOWriter.box("ihdr", image))]
    var seen: Set<FourCharacterCode> = ["ihdr"]
    var color = JP2Color(componentCount: componentCount)
    let channels = JP2Channels(children, componentCount, of: source)
    for box in children.dropFirst() {
      if box.type == "pxfm" { throw MetadataError(.stripUnsupported, "a JPX with pxfm") }
      if box.type == "colr" {
        written.append((box, try color.written(box, of: source)))
        continue
      }
      // A map of a palette that is not there means nothing.
      let isUnused = box.type == "cmap" && channels.columnCount == 0
      guard JP2AllowList.header[box.type] != nil, !isUnused else {
        written.append((box, nil))
        continue
      }
      guard seen.insert(box.type).inserted,
        box.body.count == length(of: box, componentCount, in: source),
        channels.allow(box, in: source),
        let bytes = source.bytes(in: box.body, limit: ICCProfile.maximumLength)
      else { throw MetadataError(.damaged, "\(box.type.displayName) that cannot be") }
      written.append((box, ISOWriter.box(box.type, bytes)))
    }
    guard !seen.contains("pclr") || seen.contains("cmap") else {
      throw MetadataError(.stripUnsupported, "a palette without cmap")
    }
    if let replacement = try color.replacement() {
      // Without a usable profile, programs take the number of components for the color space.
      guard let index = written.firstIndex(where: { $0.box.type == "colr" }) else {
        throw MetadataError(.damaged, "jp2h without colr")
      }
      written[index].written = replacement
    }
    return written
  }

  /// Returns the length that the fields of a box give it.
  private func length(of box: ISOBox, _ componentCount: Int, in source: ByteSource) -> Int? {
    let start = box.body.lowerBound
    switch box.type {
    case "bpcc": return componentCount
    case "pclr":
      guard let entries = source.uint16(at: start), let columns = source.uint8(at: start + 2),
        let depths = source.bytes(in: (start + 3)..<(start + 3 + columns), limit: 255)
      else { return nil }
      return 3 + columns + entries * depths.reduce(0) { $0 + (Int($1 & 0x7F) + 8) / 8 }
    case "cmap": return box.body.count % 4 == 0 ? box.body.count : nil
    case "cdef": return source.uint16(at: start).map { 2 + 6 * $0 }
    default: return nil
    }
  }
}

/// The components and palette of a JPEG 2000 file, which decide what its map and the meanings of its channels
/// may be.
///
/// Source: ISO/IEC 15444-1 sections I.5.3.4 to I.5.3.6.
private struct JP2Channels {
  /// The columns of the palette; 0 without one.
  let columnCount: Int
  private let componentCount: Int
  private let count: Int

  init(_ boxes: [ISOBox], _ componentCount: Int, of source: ByteSource) {
    self.componentCount = componentCount
    let palette = boxes.first { $0.type == "pclr" }
    columnCount = palette.flatMap { source.uint8(at: $0.body.lowerBound + 2) } ?? 0
    let map = boxes.first { $0.type == "cmap" }
    count = columnCount > 0 ? (map?.body.count ?? 0) / 4 : componentCount
  }

  /// Returns whether the entries of a map or of meanings are those of components, columns and channels.
  func allow(_ box: ISOBox, in source: ByteSource) -> Bool {
    let (width, start) = box.type == "cmap" ? (4, 0) : (6, 2)
    guard box.type == "cmap" || box.type == "cdef" else { return true }
    var seen: Set<[Int]> = []
    for offset in stride(from: box.body.lowerBound + start, to: box.body.upperBound, by: width) {
      guard let number = source.uint16(at: offset), let meaning = source.uint16(at: offset + 2) else {
        return false
      }
      if box.type == "cmap" {
        // A component, and a column of the palette or none.
        let (kind, column) = (meaning >> 8, meaning & 0xFF)
        guard number < componentCount, kind < 2, column < (kind == 1 ? columnCount : 1),
          seen.insert([number, meaning]).inserted
        else { return false }
      } else {
        // A channel, its type (color, opacity, that with color premultiplied, or unknown), and the color
        // that it belongs to, all of them or none.
        guard let color = source.uint16(at: offset + 4), number < count,
          meaning < 3 || meaning == 0xFFFF, color <= count || color == 0xFFFF,
          seen.insert([number]).inserted
        else { return false }
      }
    }
    return true
  }
}

/// The color specifications of a JPEG 2000 file.
///
/// Source: ISO/IEC 15444-1 section I.5.3.3; 15444-2 section M.11.7.3; 15444-15 annex D.
private struct JP2Color {
  let componentCount: Int
  private var hasColor = false
  private var hadProfile = false
  private var isFound = false

  init(componentCount: Int) { self.componentCount = componentCount }

  /// Returns the box that is written for one of the source; nil for one that is removed.
  mutating func written(_ box: ISOBox, of source: ByteSource) throws(MetadataError) -> [UInt8]? {
    isFound = true
    let start = box.body.lowerBound
    guard let method = source.uint8(at: start) else { return nil }
    var value: [UInt8]?
    switch method {
    case 1 where box.body.count == 7 && (source.uint32(at: start + 3) ?? .max) <= 24,
      5 where box.body.count == 10:
      value = source.bytes(in: box.body.dropFirst(3), limit: 7)
    case 2, 3:
      hadProfile = true
      value = try ICCProfile.cleaned(box.body.dropFirst(3), of: source)
    default: break
    }
    guard let value else { return nil }
    hasColor = true
    return ISOWriter.box("colr", [UInt8(method), 0, 0] + value)
  }

  /// Returns the box to write if none of the source's can be; nil if one can.
  ///
  /// - Throws: `stripUnsupported` for colors that are given in another way than by number or profile.
  func replacement() throws(MetadataError) -> [UInt8]? {
    if hasColor { return nil }
    guard hadProfile || !isFound else {
      throw MetadataError(.stripUnsupported, "a JP2 whose colors are given in another way")
    }
    return ISOWriter.box("colr", [1, 0, 0] + (componentCount < 3 ? 17 : 16).bytes(4))
  }
}
