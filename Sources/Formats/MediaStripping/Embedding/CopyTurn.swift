import MediaContainers
import MediaMetadata
import MediaModel

/// How a copy of a file is shown turned: by what its format has for that, while pixels and samples stay as they are.
struct CopyTurn {
  /// The degrees clockwise, 90, 180 or 270.
  let degrees: Int
  /// The orientation that the copy gets, 1 to 8.
  let orientation: Int

  /// Returns the changes of a file.
  ///
  /// - Throws: `stripUnsupported` for one that cannot be turned without changing more.
  func patches(
    _ source: ByteSource,
    _ format: MediaFormat
  ) throws(MetadataError) -> BytePatches {
    switch format {
    case .jpeg: try jpeg(source)
    case .png: try png(source)
    case .webp: try webP(source)
    case .tiff: try tiff(source)
    case .heic, .avif: try HEIFTurn(source, degrees: degrees).patches()
    case .mp4, .mov: try movie(source)
    default: throw MetadataError(.stripUnsupported, "a \(format.rawValue) that is turned")
    }
  }

  // MARK: Directories

  /// Returns the changes of the directories of a file or a block: of all of a file, of which each is a page, and of a
  /// block the first, and the thumbnail's if that one has an orientation.
  ///
  /// A directory without an orientation is written again behind the end, where it has one; nothing else moves.
  ///
  /// Source: TIFF 6.0 section 2 and Orientation; Exif 2.32 section 4.5.4.
  private func directories(
    _ block: TIFFBlock,
    arePages: Bool
  ) throws(MetadataError) -> BytePatches {
    guard block.form == .classic, block.extent(ofDirectoryAt: block.firstDirectory) != nil else {
      throw MetadataError(.stripUnsupported, "a BigTIFF, or one without a directory")
    }
    var chain: [Int] = []
    var next: Int? = block.firstDirectory
    while let offset = next, !chain.contains(offset), chain.count < Self.mostDirectories {
      chain.append(offset)
      next = block.directory(after: offset)
    }
    guard next == nil else {
      throw MetadataError(.stripUnsupported, "more directories than can be turned")
    }
    var patches = BytePatches()
    var tail = [UInt8](repeating: 0, count: block.range.count % 2)
    var following = 0
    for (index, offset) in chain.enumerated().reversed() {
      let stated = try replace(in: offset, isFirst: index == 0, block, &patches)
      if !stated, arePages || index == 0, let extent = block.extent(ofDirectoryAt: offset) {
        let value = orientation(of: nil, isFirst: index == 0).bytes(2, block.order)
        let start = block.range.count + tail.count
        tail += FactEmbedder.directory(
          try FactEmbedder.entries(in: extent, of: block),
          [TIFFField(tag: TIFFTag.orientation, type: 3, count: 1, value: value)],
          at: start,
          next: following,
          block.order
        )
        following = start
        // What leads to it is the header, or the end of the directory before.
        let pointer =
          index == 0
          ? block.range.lowerBound + 4
          : block.extent(ofDirectoryAt: chain[index - 1])?.upperBound ?? 0
        patches.replace(pointer..<(pointer + 4), with: start.bytes(4, block.order))
      } else {
        following = offset
      }
    }
    if tail.count > 1 { patches.insert(tail, at: block.range.upperBound) }
    return patches
  }

  /// More pages than a document that is scanned has.
  private static let mostDirectories = 1000

  /// The orientation of a directory whose own one is `stated`.
  private func orientation(of stated: Int?, isFirst: Bool) -> Int {
    isFirst ? orientation : Turn.orientation(stated ?? 1, rotatedBy: degrees)
  }

  /// Changes the orientation that a directory states.
  ///
  /// - Returns: Whether it states one.
  /// - Throws: `stripUnsupported` for one that is no number.
  private func replace(
    in directory: Int,
    isFirst: Bool,
    _ block: TIFFBlock,
    _ patches: inout BytePatches
  ) throws(MetadataError) -> Bool {
    var entries: [TIFFEntry] = []
    block.forEachEntry(ofDirectoryAt: directory) { entry in
      if entry.tag == TIFFTag.orientation { entries.append(entry) }
    }
    for entry in entries {
      guard let stated = block.number(entry), let size = TIFFBlock.size(ofType: entry.type) else {
        throw MetadataError(.stripUnsupported, "an orientation that is no number")
      }
      let value = orientation(of: stated, isFirst: isFirst).bytes(size, block.order)
      patches.replace(entry.value.prefix(size), with: value)
    }
    return !entries.isEmpty
  }

  // MARK: Blocks

  /// Returns an Exif block, from its TIFF header on, with the orientation.
  ///
  /// - Throws: `stripUnsupported` for one that cannot be read.
  private func turned(
    _ range: Range<Int>,
    of source: ByteSource
  ) throws(MetadataError) -> [UInt8] {
    guard let bytes = source.bytes(in: range, limit: TIFFBlock.maximumEmbeddedLength),
      let block = TIFFBlock(ByteSource(bytes), 0..<bytes.count)
    else { throw MetadataError(.stripUnsupported, "an Exif block that cannot be read") }
    let list = try directories(block, arePages: false).editList(of: block.source)
    let output = try ByteSource(applying: list, to: block.source)
    return output.bytes(in: 0..<output.length, limit: output.length) ?? bytes
  }

  /// An Exif block with the orientation alone; it has one, since a copy that is turned is not as it was.
  private var block: [UInt8] {
    ExifWriter.block(orientation: orientation, kept: KeptMetadata()) ?? []
  }

  /// Returns a packet as long as it was, in which `tiff:Orientation` is that of the copy; nil where it states none.
  ///
  /// - Throws: `stripUnsupported` where it is written in an unusual way.
  private func turned(packet: [UInt8]) throws(MetadataError) -> [UInt8]? {
    func stated(_ packet: [UInt8]) -> [String] {
      XMPProperties(packet)[XMPNamespace.tiff, "Orientation"]
    }
    if stated(packet).isEmpty { return nil }
    var changed = packet
    let name = Array("tiff:Orientation".utf8)
    for start in packet.indices.dropLast(name.count + 3)
    where packet[start] == name[0] && packet[start...].starts(with: name) {
      // The value follows =" or =' of an attribute, or the > of an element.
      var valueStart = start + name.count
      if packet[valueStart] == UInt8(ascii: "=") { valueStart += 1 }
      guard
        [UInt8(ascii: ">"), UInt8(ascii: "\""), UInt8(ascii: "'")].contains(packet[valueStart]),
        (UInt8(ascii: "1")...UInt8(ascii: "8")).contains(packet[valueStart + 1])
      else { continue }
      changed[valueStart + 1] = UInt8(ascii: "0") + UInt8(orientation)
    }
    guard Set(stated(changed)) == [String(orientation)] else {
      throw MetadataError(.stripUnsupported, "an XMP packet whose orientation cannot be changed")
    }
    return changed
  }

  /// Changes the orientation in a packet that stands in a range as it is.
  private func patchPacket(
    in range: Range<Int>,
    of source: ByteSource,
    _ patches: inout BytePatches
  ) throws(MetadataError) {
    guard let packet = source.bytes(in: range, limit: FoundMetadata.maximumBlockLength),
      let turned = try turned(packet: packet)
    else { return }
    patches.replace(range, with: turned)
  }

  // MARK: Formats

  /// The Exif block of a JPEG, which gets one if it has none, and its packet.
  private func jpeg(_ source: ByteSource) throws(MetadataError) -> BytePatches {
    let blocks = JPEGBlocks(of: source)
    var patches = BytePatches()
    let range: Range<Int>
    let changed: [UInt8]
    if let exif = blocks.exif {
      range = exif.body.dropFirst(6)
      changed = try turned(range, of: source)
    } else {
      (range, changed) = (blocks.start..<blocks.start, block)
    }
    if changed.count == range.count {
      patches.replace(range, with: changed)
    } else {
      guard changed.count <= 65_533 - 6 else {
        throw MetadataError(.stripUnsupported, "an Exif block without room for an orientation")
      }
      let replaced = blocks.exif?.range ?? range
      let segment = JPEGMarker.segment(JPEGMarker.app1, Array("Exif\0\0".utf8) + changed)
      patches.replace(replaced, with: segment)
      if let index = blocks.index {
        try FactEmbedder.patchIndex(index, of: source, behind: replaced, &patches)
      }
    }
    if let packet = blocks.packet {
      let head = JPEGMetadata.xmpIdentifier.utf8.count
      try patchPacket(in: packet.body.dropFirst(head), of: source, &patches)
    }
    return patches
  }

  /// The eXIf chunk of a PNG, which gets one behind its header if it has none, and its packet.
  ///
  /// Source: PNG (3rd edition) section 11.3.4.5 (eXIf).
  private func png(_ source: ByteSource) throws(MetadataError) -> BytePatches {
    let header = try PNGHeader(of: source)
    if header.rawProfile != nil {
      throw MetadataError(.stripUnsupported, "a PNG whose Exif block is a text")
    }
    var patches = BytePatches()
    var parser = try PNGParser(source)
    var hasExif = false
    while let chunk = try parser.next() {
      switch chunk.type {
      case "IHDR" where header.exif == nil:
        patches.insert(PNG.chunk("eXIf", block), at: chunk.range.upperBound)
      case "eXIf":
        guard let range = header.exif, !hasExif else { continue }
        hasExif = true
        let head = source.bytes(in: chunk.data.lowerBound..<range.lowerBound, limit: 6) ?? []
        patches.replace(chunk.range, with: PNG.chunk("eXIf", head + (try turned(range, of: source))))
      case "iTXt":
        guard let packet = PNGMetadata.xmp(chunk, in: source),
          let turned = try turned(packet: packet)
        else { continue }
        patches.replace(chunk.range, with: PNG.chunk("iTXt", PNGMetadata.xmpHead + turned))
      default: continue
      }
    }
    return patches
  }

  /// The EXIF chunk of a WebP, which gets one if it has none, and its packet.
  ///
  /// Source: RFC 9649 section 2.7.1.4 and 2.7.1.5: the packet may stand before it.
  private func webP(_ source: ByteSource) throws(MetadataError) -> BytePatches {
    let container = try WebPContainer(of: source)
    let chunks = Array(RIFFChunks(source, in: container.content))
    let exif = chunks.first { $0.type == "EXIF" }
    var patches = BytePatches()
    if let packet = chunks.first(where: { $0.type == "XMP " }) {
      try patchPacket(in: packet.data, of: source, &patches)
    }
    var content = block
    if let exif {
      let range = exif.tiff(in: source)
      content = try turned(range, of: source)
      if content.count == range.count {
        patches.replace(range, with: content)
        return patches
      }
      let head = exif.data.lowerBound..<range.lowerBound
      content = (source.bytes(in: head, limit: 6) ?? []) + content
    }
    try FactEmbedder.extend(container, of: source, flag: 0x08, &patches)
    FactEmbedder.put(RIFFChunk.bytes("EXIF", content), inPlaceOf: exif, container, &patches)
    return patches
  }

  /// The orientation of each page of a TIFF, and that in its packet.
  private func tiff(_ source: ByteSource) throws(MetadataError) -> BytePatches {
    guard let block = TIFFBlock(file: source), source.length < Int(UInt32.max) - 1 << 20 else {
      throw MetadataError(.stripUnsupported, "a TIFF of more than 4 GiB")
    }
    var patches = try directories(block, arePages: true)
    var packet: Range<Int>?
    block.forEachEntry(ofDirectoryAt: block.firstDirectory) { entry in
      if entry.tag == TIFFTag.xmp { packet = packet ?? entry.value }
    }
    if let packet { try patchPacket(in: packet, of: source, &patches) }
    return patches
  }

  /// The matrices of a film's tracks of pictures, each with the offset that leaves its picture where it was.
  ///
  /// Source: ISO/IEC 14496-12 section 8.3.2 (tkhd) and 6.2.2 (matrices).
  private func movie(_ source: ByteSource) throws(MetadataError) -> BytePatches {
    guard let moov = ISOBoxes.first("moov", in: 0..<source.length, of: source) else {
      throw MetadataError(.damaged, "no moov")
    }
    let upright: [Int32] = [Self.one, 0, 0, 0, Self.one]
    var patches = BytePatches()
    for box in ISOBoxes(source, in: moov.body) where box.type == "trak" {
      guard let track = VideoTrack(of: source, in: box.body) else { continue }
      let numbers = stride(from: 0, to: 44, by: 4).compactMap {
        source.uint32(at: track.matrix + $0).map { Int32(truncatingIfNeeded: $0) }
      }
      // Elements a, b, u, c, d, v, x, y, w; then width and height.
      guard numbers.count == 11, [numbers[2], numbers[5], numbers[8]] == [0, 0, 1 << 30],
        track.orientation != 1 || Array(numbers[0..<5]) == upright
      else { throw MetadataError(.stripUnsupported, "a film with a track that is distorted") }
      let (one, width, height) = (Self.one, numbers[9], numbers[10])
      let matrix: [Int32] =
        switch Turn.orientation(track.orientation, rotatedBy: degrees) {
        case 6: [0, one, 0, -one, 0, 0, height, 0]
        case 3: [-one, 0, 0, 0, -one, 0, width, height]
        case 8: [0, -one, 0, one, 0, 0, 0, width]
        default: [one, 0, 0, 0, one, 0, 0, 0]
        }
      patches.replace(
        track.matrix..<(track.matrix + 32),
        with: matrix.flatMap { Int(UInt32(bitPattern: $0)).bytes(4) }
      )
    }
    return patches
  }

  /// The number 1 as a matrix of a track has it, 16.16.
  private static let one: Int32 = 0x1_0000
}
