import MediaContainers

private typealias Tag = TIFFTag

/// Makes a page from a directory.
struct TIFFPageReader {
  let source: ByteSource
  private let order: ByteOrder
  private(set) var fields: [Int: TIFFFileField] = [:]
  private(set) var numbers: [Int: [Int]] = [:]
  private(set) var tags: [TIFFField] = []
  private var removed: [String] = []

  init(_ source: ByteSource, order: ByteOrder) {
    self.source = source
    self.order = order
  }

  /// Reads the page that `directory` describes.
  ///
  /// - Throws: `damaged` when a tag that decoding needs is missing or impossible, or pixels lie
  ///   outside the file; `stripUnsupported` for old-style JPEG and an unknown compression;
  ///   `overLimit` for absurdly many strips.
  mutating func page(_ directory: TIFFDirectory) throws(MetadataError) -> TIFFPage {
    // Decoders use the first of two fields with the same tag.
    for field in directory.fields where fields[field.tag] == nil { fields[field.tag] = field }
    // The tables of old-style JPEG lie apart from the strips, in places that each writer chose.
    guard number(Tag.compression) != 6 else {
      throw MetadataError(.stripUnsupported, "TIFF with old-style JPEG (compression 6)")
    }
    let samples = number(Tag.samplesPerPixel) ?? 1
    guard (1...4096).contains(samples) else {
      throw MetadataError(.damaged, "\(TIFFTagName.name(Tag.samplesPerPixel)) that cannot be")
    }
    let aspect = self.aspect()
    for field in directory.fields {
      if try !take(field, samples: samples), !isAspect(field, aspect) {
        removed.append(TIFFTagName.name(field.tag))
      }
    }
    let isTiled = fields[Tag.tileWidth] != nil
    let compression = numbers[Tag.compression]?.first ?? 1
    guard TIFFAllowList.compressions.contains(compression) else {
      throw MetadataError(.stripUnsupported, "TIFF with compression \(compression)")
    }
    let pieces = try pieces(isTiled: isTiled, compression: compression, samples: samples)
    try clearPalette(pieces: pieces)
    if let aspect { append(aspect) }
    tags.sort { $0.tag < $1.tag }
    return TIFFPage(
      tags: tags,
      isTiled: isTiled,
      pieces: pieces,
      isJPEG: compression == 7,
      removed: removed
    )
  }

  /// Records the name of something that the page will not have.
  mutating func note(_ name: String) { removed.append(name) }

  /// Returns the number of a SHORT or LONG field, or nil.
  private func number(_ tag: Int) -> Int? {
    fields[tag].flatMap { values($0, limit: 1)?.first }
  }

  /// Appends a tag if it is allowed, and returns false if its removal must be reported.
  private mutating func take(
    _ field: TIFFFileField,
    samples: Int
  ) throws(MetadataError) -> Bool {
    guard numbers[field.tag] == nil else { return false }
    guard let rule = TIFFAllowList.rules[field.tag] else { return false }
    switch rule.form {
    case .pageKind:
      // Reduced pages are left out as a whole.
      guard let kind = number(field.tag), kind & 6 != 0 else { return true }
      append(Tag.newSubfileType, type: 4, [kind & 6])
      return kind & ~7 == 0
    case .orientation:
      if let value = number(field.tag), (2...8).contains(value) {
        append(Tag.orientation, type: 3, [value])
      }
      return true
    case .pieces: return true
    case .palette: return try colorMap(field)
    case .jpegTables: return try jpegTables(field)
    case .profile: return profile(field)
    // The reader's caller adds these anew.
    case .aspect, .excepted, .packet: return false
    case .values: break
    }
    guard rule.allows(field, samples: samples, inAnyType: true), let value = field.value,
      let bytes = source.bytes(in: value, limit: 8 * 4096),
      let standard = rule.numbers == nil ? [] : values(field, limit: 4096).map(rule.standard),
      rule.numbers.map({ standard.allSatisfy($0.contains) }) ?? true
    else {
      guard !TIFFAllowList.essential.contains(field.tag) else {
        throw MetadataError(.damaged, "\(TIFFTagName.name(field.tag)) that cannot be")
      }
      return false
    }
    if rule.numbers != nil {
      // Readers take numbers of any length.
      let type = rule.types.contains(field.type) ? field.type : rule.types.max() ?? 3
      append(field.tag, type: type, standard)
      return true
    }
    guard let plain = rule.plain(bytes, type: field.type, order: order) else { return false }
    numbers[field.tag] = standard
    tags.append(TIFFField(tag: field.tag, type: field.type, count: field.count, value: plain))
    return plain == bytes
  }

  private mutating func keep(_ tag: Int, type: Int, _ value: [UInt8], width: Int = 1) {
    numbers[tag] = []
    tags.append(TIFFField(tag: tag, type: type, count: value.count / width, value: value))
  }

  private mutating func append(_ tag: Int, type: Int, _ values: [Int]) {
    numbers[tag] = values
    let value = values.flatMap { $0.bytes(type == 3 ? 2 : 4, order) }
    tags.append(TIFFField(tag: tag, type: type, count: values.count, value: value))
  }

  /// Keeps the palette of a picture that has one.
  private mutating func colorMap(_ field: TIFFFileField) throws(MetadataError) -> Bool {
    guard number(Tag.photometricInterpretation) == 3 else { return false }
    let bits = number(Tag.bitsPerSample) ?? 1
    guard (1...16).contains(bits), field.type == 3, field.count == 3 << bits,
      let value = field.value, let bytes = source.bytes(in: value, limit: 6 << 16)
    else { throw MetadataError(.damaged, "a color map that cannot be") }
    keep(field.tag, type: 3, bytes, width: 2)
    return true
  }

  /// Makes the colors of the palette zero that no pixel uses, where pixels can be read.
  private mutating func clearPalette(pieces: [Range<Int>]) throws(MetadataError) {
    guard let index = tags.firstIndex(where: { $0.tag == Tag.colorMap }) else { return }
    let palette = tags[index].value
    let plain = try TIFFPalette.plain(palette, numbers, pieces: pieces, of: source)
    guard plain != palette else { return }
    note("unused colors")
    tags[index] = TIFFField(tag: Tag.colorMap, type: 3, count: plain.count / 2, value: plain)
  }

  private mutating func jpegTables(_ field: TIFFFileField) throws(MetadataError) -> Bool {
    guard number(Tag.compression) == 7 else { return false }
    guard field.type == 7 || field.type == 1, let value = field.value,
      let tables = try TIFFJPEG.tables(value, of: source)
    else { throw MetadataError(.damaged, "JPEG tables that cannot be") }
    keep(field.tag, type: 7, tables)
    if tables.count != value.count { removed.append("JPEG segments") }
    return true
  }

  private mutating func profile(_ field: TIFFFileField) -> Bool {
    guard field.type == 7 || field.type == 1, let value = field.value,
      let bytes = source.bytes(in: value, limit: ICCProfile.maximumLength),
      let clean = ICCProfile.cleaned(bytes)
    else { return false }
    keep(field.tag, type: 7, clean)
    return clean == bytes
  }

  /// Returns the aspect ratio of a pixel that is not square, in lowest terms; the size on paper is
  /// removed.
  private func aspect() -> (x: Int, y: Int)? {
    guard let x = fraction(Tag.xResolution), let y = fraction(Tag.yResolution) else { return nil }
    let (a, b) = (x.0 * y.1, y.0 * x.1)
    guard a > 0, b > 0, a != b else { return nil }
    var (divisor, remainder) = (a, b)
    while remainder != 0 { (divisor, remainder) = (remainder, divisor % remainder) }
    // A ratio that needs more digits is no plausible pixel aspect.
    guard a / divisor < 4096, b / divisor < 4096 else { return nil }
    return (a / divisor, b / divisor)
  }

  /// Appends the aspect as XResolution and YResolution, with a ResolutionUnit of none.
  private mutating func append(_ aspect: (x: Int, y: Int)) {
    for (tag, value) in [(Tag.xResolution, aspect.x), (Tag.yResolution, aspect.y)] {
      let bytes = [value, 1].flatMap { $0.bytes(4, order) }
      tags.append(TIFFField(tag: tag, type: 5, count: 1, value: bytes))
    }
    append(Tag.resolutionUnit, type: 3, [1])
  }

  /// Returns whether a field already is what ``append(_:)`` writes.
  private func isAspect(_ field: TIFFFileField, _ aspect: (x: Int, y: Int)?) -> Bool {
    guard let aspect else { return false }
    switch field.tag {
    case Tag.xResolution: return fraction(Tag.xResolution).map { $0 == (aspect.x, 1) } ?? false
    case Tag.yResolution: return fraction(Tag.yResolution).map { $0 == (aspect.y, 1) } ?? false
    case Tag.resolutionUnit: return number(Tag.resolutionUnit) == 1
    default: return false
    }
  }

  private func fraction(_ tag: Int) -> (Int, Int)? {
    guard let field = fields[tag], field.type == 5, field.count == 1, let value = field.value,
      let numerator = source.uint32(at: value.lowerBound, order: order),
      let denominator = source.uint32(at: value.lowerBound + 4, order: order),
      numerator < 1 << 24, denominator < 1 << 24
    else { return nil }
    return (numerator, denominator)
  }

  func values(_ field: TIFFFileField, limit: Int) -> [Int]? {
    field.numbers(of: source, order: order, limit: limit)
  }
}

extension TIFFAllowList.Rule {
  /// Returns whether the field has a type and a count of the rule; `inAnyType` also allows integers
  /// of another length.
  func allows(_ field: TIFFFileField, samples: Int, inAnyType: Bool = false) -> Bool {
    let isInteger = numbers != nil && TIFFFileField.integerTypes.contains(field.type)
    guard types.contains(field.type) || inAnyType && isInteger else { return false }
    switch count {
    case .exactly(let count): return field.count == count
    case .samples: return field.count == samples || field.count == 1
    case .upToSamples: return (1...samples).contains(field.count)
    }
  }
}
