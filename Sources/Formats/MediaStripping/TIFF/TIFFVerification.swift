import MediaContainers
import MediaMetadata
import MediaModel

private typealias Tag = TIFFTag

extension TIFFStripper {
  static func verify(
    output: ByteSource,
    options: StripOptions
  ) throws(MetadataError) {
    let file = try TIFFFile(output)
    guard file.form == .classic else { throw MetadataError(.residue, "BigTIFF") }
    // The header, directories, values at even offsets, and pixels: nothing else lies in the file.
    var needed = file.structure.map { $0.lowerBound..<($0.upperBound + $0.count % 2) }
    for value in file.structure where value.count % 2 == 1 && output.byte(at: value.upperBound) != 0 {
      throw MetadataError(.residue, "padding of a value")
    }
    // Pixels follow all directories.
    let pixels = needed.map(\.upperBound).max() ?? 8
    for (index, directory) in file.pages.enumerated() {
      var page = TIFFPageVerification(directory, order: file.order, in: output)
      if index == 0 {
        var kept = options.kept(of: TIFFMetadata.self, in: output)
        kept.contentIdentifier = nil
        page.excepted.add(kept, order: file.order)
      }
      needed += try page.verify(pixels: pixels)
    }
    try TIFFOutputCheck.verify(output, consistsOf: needed)
  }
}

/// Compares the tags of one page of an output with the allow-list.
private struct TIFFPageVerification {
  private let directory: TIFFDirectory
  private let order: ByteOrder
  private let output: ByteSource
  private var numbers: [Int: [Int]] = [:]
  /// The tags that are written for kept values.
  var excepted = TIFFPage()

  init(_ directory: TIFFDirectory, order: ByteOrder, in output: ByteSource) {
    (self.directory, self.order, self.output) = (directory, order, output)
    let limit = 2 * TIFFPage.maximumPieces + 16
    for field in directory.fields {
      numbers[field.tag] = field.numbers(of: output, order: order, limit: limit)
    }
  }

  /// Checks each tag.
  ///
  /// - Returns: The ranges of the pixels.
  /// - Throws: `residue` naming the first tag that should not be there.
  func verify(pixels: Int) throws(MetadataError) -> [Range<Int>] {
    var last = -1
    for (index, field) in directory.fields.enumerated() {
      let name = TIFFTagName.name(field.tag)
      guard let rule = TIFFAllowList.rules[field.tag], field.tag > last, let value = field.value,
        let bytes = output.bytes(in: value, limit: max(ICCProfile.maximumLength, value.count))
      else { throw MetadataError(.residue, name) }
      last = field.tag
      let entryEnd = directory.range.lowerBound + 2 + 12 * (index + 1)
      guard try allows(field, rule, bytes),
        // A short value lies in the entry itself.
        value.count > 4 || output.isZero(value.upperBound..<entryEnd)
      else { throw MetadataError(.residue, name) }
    }
    return try pieces(from: pixels)
  }

  private func allows(
    _ field: TIFFFileField,
    _ rule: TIFFAllowList.Rule,
    _ bytes: [UInt8]
  ) throws(MetadataError) -> Bool {
    let number = numbers[field.tag]?.first ?? 0
    let isNumber = field.count == 1
    switch rule.form {
    case .values:
      guard rule.allows(field, samples: numbers[Tag.samplesPerPixel]?.first ?? 1) else {
        return false
      }
      guard let allowed = rule.numbers else {
        return rule.plain(bytes, type: field.type, order: order) == bytes
      }
      return numbers[field.tag]?.allSatisfy(allowed.contains) == true
    case .pieces: return field.type == 4
    case .pageKind: return isNumber && field.type == 4 && number & ~6 == 0
    case .orientation: return isNumber && field.type == 3 && (2...8).contains(number)
    case .aspect: return isAspect(field, number)
    case .palette:
      return numbers[Tag.photometricInterpretation]?.first == 3 && field.type == 3
        && field.count == 3 << (numbers[Tag.bitsPerSample]?.first ?? 1)
    case .jpegTables:
      guard field.type == 7, numbers[Tag.compression]?.first == 7 else { return false }
      return try TIFFOutputCheck.areTables(jpeg: ByteSource(bytes))
    case .profile: return field.type == 7 && ICCProfile.cleaned(bytes) == bytes
    case .excepted, .packet:
      let tag = excepted.tags.first { $0.tag == field.tag }
      if let tag { return tag.value == bytes && tag.type == field.type && tag.count == field.count }
      let own = excepted.directories.first { $0.pointer == field.tag }
      guard let own, field.type == 4, isNumber else { return false }
      return output.holds(TIFFWriter.directory(own.fields, at: number, order: order), at: number)
    }
  }

  /// Returns whether a resolution is part of a ratio: two different whole numbers without a common
  /// divisor, and no unit.
  private func isAspect(_ field: TIFFFileField, _ unit: Int) -> Bool {
    let parts = [Tag.xResolution, Tag.yResolution].map { tag in
      directory.fields.first { $0.tag == tag && $0.type == 5 && $0.count == 1 }?.value.flatMap {
        output.uint32(at: $0.lowerBound + 4, order: order) == 1
          ? output.uint32(at: $0.lowerBound, order: order) : nil
      } ?? 0
    }
    var (divisor, remainder) = (parts[0], parts[1])
    while remainder != 0 { (divisor, remainder) = (remainder, divisor % remainder) }
    return divisor == 1 && parts[0] != parts[1] && parts.allSatisfy((1..<4096).contains)
      && (field.type == 5 || field.type == 3 && field.count == 1 && unit == 1)
  }

  /// Returns the ranges of strips or tiles.
  ///
  /// - Throws: `residue` when they hold more than pixels.
  private func pieces(from start: Int) throws(MetadataError) -> [Range<Int>] {
    let isTiled = numbers[Tag.tileWidth] != nil
    let compression = numbers[Tag.compression]?.first ?? 1
    let samples = numbers[Tag.samplesPerPixel]?.first ?? 1
    let layout = try TIFFLayout(numbers, isTiled: isTiled, samples: samples)
    guard TIFFAllowList.compressions.contains(compression) else {
      throw MetadataError(.residue, "strips")
    }
    let pieces = try TIFFOutputCheck.pieces(numbers, isTiled: isTiled, count: layout.count)
    for (index, piece) in pieces.enumerated() where !piece.isEmpty {
      guard piece.lowerBound >= start else { throw MetadataError(.residue, "strips") }
      let isExact = compression == 1 && numbers[Tag.photometricInterpretation]?.first != 6
      let isWhole =
        if compression == 7 {
          try TIFFOutputCheck.isStripped(jpeg: ByteSource(output, piece))
        } else {
          !isExact || piece.count == layout.byteCount(ofPiece: index)
        }
      guard isWhole else { throw MetadataError(.residue, "bytes behind a strip") }
    }
    if let value = directory.fields.first(where: { $0.tag == Tag.colorMap })?.value,
      let palette = output.bytes(in: value, limit: 6 << 16),
      try TIFFPalette.plain(palette, numbers, pieces: pieces, of: output) != palette
    {
      throw MetadataError(.residue, "unused colors")
    }
    return pieces.filter { !$0.isEmpty }
  }
}
