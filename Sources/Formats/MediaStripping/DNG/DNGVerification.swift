import MediaContainers
import MediaMetadata
import MediaModel

private typealias Tag = TIFFTag

extension DNGStripper {
  static func verify(
    output: ByteSource,
    options: StripOptions
  ) throws(MetadataError) {
    let file = try DNGFile(of: output)
    var kept = options.kept(of: TIFFMetadata.self, in: output)
    kept.contentIdentifier = nil
    let exif = ExifWriter.fields(of: kept, order: file.order)
    var own = exif.image
    if let packet = XMPWriter.packet(kept: kept) {
      own.append(TIFFField(tag: Tag.xmp, type: 1, count: packet.count, value: packet))
    }
    let model = modelName(of: file.image, options)
    own.append(TIFFField(tag: Tag.uniqueCameraModel, type: 2, count: model.count, value: model))
    var needed = [0..<8]
    for (pointer, fields) in exif.directories {
      guard let offset = file.image.number(pointer) else { throw MetadataError(.residue, "Exif") }
      let bytes = TIFFWriter.directory(fields, at: offset, order: file.order)
      guard output.holds(bytes, at: offset) else { throw MetadataError(.residue, "Exif") }
      own.append(.long(pointer, offset, file.order))
      needed.append(offset..<(offset + bytes.count))
    }
    var raws = 0
    for (index, directory) in ([file.image] + file.pictures).enumerated() {
      let kind = DNGKind(directory)
      if kind == .raw { raws += 1 }
      let check = DNGDirectoryCheck(directory, order: file.order, in: output)
      needed += try check.tags(own: index == 0 ? own : [])
      needed += try check.pieces()
      guard kind != .other else { throw MetadataError(.residue, "other picture") }
    }
    guard raws == 1, file.image.range.lowerBound == 8 else {
      throw MetadataError(.residue, "directory")
    }
    try TIFFOutputCheck.verify(output, consistsOf: needed)
  }
}

/// Compares one directory of an output with the allow-list.
private struct DNGDirectoryCheck {
  private let directory: DNGDirectory
  private let order: ByteOrder
  private let output: ByteSource

  init(_ directory: DNGDirectory, order: ByteOrder, in output: ByteSource) {
    (self.directory, self.order, self.output) = (directory, order, output)
  }

  /// Checks each tag; `own` has those that are written from kept values.
  ///
  /// - Returns: The ranges of the directory and of its values.
  /// - Throws: `residue` naming the first tag that should not be there.
  func tags(own: [TIFFField]) throws(MetadataError) -> [Range<Int>] {
    guard directory.isPlain else { throw MetadataError(.residue, "directory") }
    var needed = [directory.range]
    var last = -1
    for (index, entry) in directory.entries.enumerated() {
      let name = DNGTagName.name(entry.tag)
      guard let rule = DNGAllowList.rules[entry.tag], entry.tag > last,
        try allows(entry, rule, own)
      else { throw MetadataError(.residue, name) }
      last = entry.tag
      if entry.value.count > 4 {
        let pad = entry.value.count % 2
        guard output.isZero(entry.value.upperBound..<(entry.value.upperBound + pad)) else {
          throw MetadataError(.residue, "padding of a value")
        }
        needed.append(entry.value.lowerBound..<(entry.value.upperBound + pad))
      } else {
        // A short value lies in the entry itself.
        let entryEnd = directory.range.lowerBound + 2 + 12 * (index + 1)
        guard output.isZero(entry.value.upperBound..<entryEnd) else {
          throw MetadataError(.residue, name)
        }
      }
    }
    return needed
  }

  private func allows(
    _ entry: TIFFEntry,
    _ rule: DNGAllowList.Rule,
    _ own: [TIFFField]
  ) throws(MetadataError) -> Bool {
    let limit = ICCProfile.maximumLength
    guard let bytes = output.bytes(in: entry.value, limit: limit) else { return false }
    switch rule.form {
    case .values, .operations, .gainTable:
      guard entry.tag != Tag.orientation || (1...8).contains(directory.number(entry.tag) ?? 0)
      else {
        return false
      }
      return DNGAllowList.allows(entry, rule, in: directory, of: output, order: order)
        && DNGAllowList.plain(bytes, type: entry.type, order: order) == bytes
    case .kind: return entry.type == 4 && entry.count == 1
    case .pieces, .pictures: return entry.type == 4
    case .profile: return entry.type == 7 && ICCProfile.cleaned(bytes) == bytes
    case .signature: return entry.type == 2 && DNGAllowList.signatures[entry.tag] == bytes
    case .model, .excepted, .packet:
      return own.contains { field in
        field.tag == entry.tag && field.type == entry.type && field.value == bytes
      }
    }
  }

  /// Returns the ranges of strips or tiles.
  ///
  /// - Throws: `residue` when they hold more than pixels.
  func pieces() throws(MetadataError) -> [Range<Int>] {
    var numbers: [Int: [Int]] = [:]
    for entry in directory.entries {
      numbers[entry.tag] = directory.numbers(entry.tag, limit: TIFFPage.maximumPieces)
    }
    let isTiled = numbers[Tag.tileWidth] != nil
    let compression = numbers[Tag.compression]?.first ?? 1
    let layout = try DNGPicture.layout(
      numbers,
      isTiled: isTiled,
      samples: numbers[Tag.samplesPerPixel]?.first ?? 1
    )
    guard DNGAllowList.compressions.contains(compression) else {
      throw MetadataError(.residue, "strips")
    }
    let pieces = try TIFFOutputCheck.pieces(numbers, isTiled: isTiled, count: layout.count)
    for (index, piece) in pieces.enumerated() {
      guard piece.upperBound <= output.length else { throw MetadataError(.residue, "strips") }
      let isWhole =
        if DNGAllowList.jpeg.contains(compression) {
          try TIFFOutputCheck.isStripped(jpeg: ByteSource(output, piece))
        } else {
          compression != 1 || piece.count == layout.byteCount(ofPiece: index)
        }
      if compression == DNGAllowList.jpegXL { try DNGCodestream.verify(ByteSource(output, piece)) }
      guard isWhole else { throw MetadataError(.residue, "bytes in a strip") }
    }
    return pieces
  }
}
