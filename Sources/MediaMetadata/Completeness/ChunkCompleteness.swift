import MediaContainers

/// Tells whether files of chunks have the chunks that they say they have: WAV, AIFF, AVI.
///
/// A length that a recorder leaves open, to fill it in at the end, promises nothing. A length of the
/// whole file counts only where bytes of an incomplete chunk stand at the end: writers get it wrong.
///
/// Source: Microsoft, Multimedia Programming Interface and Data Specifications 1.0, AVI RIFF File
/// Reference; EBU Tech 3306 (RF64); Apple, Audio Interchange File Format 1.3.
enum ChunkCompleteness {
  /// Returns whether a length stands for one that was not known: 0, and those that programs write into
  /// a pipe. sox, espeak and mplayer write 0x7FFFF000, arecord 0x7FFFFF00, FFmpeg 0xFFFFFFFF.
  private static func isOpen(_ length: Int) -> Bool {
    length == 0 || (0x7FFF_F000...0x8000_0000).contains(length) || length >= 0xFFFF_F000
  }

  /// Returns the chunk of a WAV that ends behind the file.
  static func missingPart(ofWAV source: ByteSource) -> String? {
    guard let form = source.uint32(at: 4, order: .little) else { return nil }
    var long: Int?
    if !source.holds("RIFF", at: 0), source.holds("ds64", at: 12) {
      long = source.uint64(at: 28, order: .little)
    }
    return missingPart(of: source, form: form, order: .little, sound: "data", soundLength: long)
  }

  /// Returns the chunk of an AIFF that ends behind the file.
  static func missingPart(ofAIFF source: ByteSource) -> String? {
    guard let form = source.uint32(at: 4) else { return nil }
    return missingPart(of: source, form: form, order: .big, sound: "SSND", soundLength: nil)
  }

  private static func missingPart(
    of source: ByteSource,
    form: Int,
    order: ByteOrder,
    sound: FourCharacterCode,
    soundLength: Int?
  ) -> String? {
    let end = 8 + form
    var position = 12
    var hasSound = false
    while source.length - position >= 8, let type = source.code(at: position),
      var length = source.uint32(at: position + 4, order: order),
      type.bytes.allSatisfy({ 0x20...0x7E ~= $0 })
    {
      if type == sound {
        if length == 0xFFFF_FFFF, let soundLength { length = soundLength }
        if isOpen(length) { return nil }
      }
      if length > source.length - position - 8 {
        // Bytes behind the form are a trailer that looks like a chunk.
        return !hasSound || !isOpen(form) && end > position ? "\(type.name) chunk" : nil
      }
      hasSound = hasSound || type == sound
      position += 8 + length + length % 2
    }
    guard !isOpen(form), end > source.length else { return nil }
    // Some writers leave out the byte behind a chunk of odd length, and do not count it either.
    let rest = source.length - position
    return (1..<8).contains(rest) || rest == -1 && end == position ? "a chunk" : nil
  }

  /// Returns the chunk or list of an AVI that ends behind the file.
  static func missingPart(ofAVI source: ByteSource) -> String? {
    var start = 0
    var hasData = false
    // A file of more than 1 GiB has several RIFF chunks.
    while source.holds("RIFF", at: start), let form = source.uint32(at: start + 4, order: .little) {
      let end = start + 8 + form + form % 2
      var position = start + 12
      while position < end || isOpen(form), source.length - position >= 8,
        let type = source.code(at: position),
        let length = source.uint32(at: position + 4, order: .little), type != "RIFF",
        type.bytes.allSatisfy({ 0x20...0x7E ~= $0 })
      {
        let left = source.length - position - 8
        let isData = type == "LIST" && source.holds("movi", at: position + 8)
        hasData = hasData || isData
        if isData, isOpen(length) || length <= 4 && left > 4 { return nil }
        if length > left { return isData ? "movi list" : "\(type.name) chunk" }
        position += 8 + length + length % 2
      }
      let rest = source.length - position
      if (1..<8).contains(rest), !isOpen(form), end > source.length { return "a chunk" }
      start = max(position, start + 12)
    }
    return hasData ? nil : "movi list"
  }
}

/// Tells whether an ASF has the objects that it says it has.
///
/// Source: Microsoft, Advanced Systems Format specification 01.20.06 sections 2, 3.2 and 5.
enum ASFCompleteness {
  private static let data: [UInt8] = [
    0x36, 0x26, 0xB2, 0x75, 0x8E, 0x66, 0xCF, 0x11, 0xA6, 0xD9, 0, 0xAA, 0, 0x62, 0xCE, 0x6C,
  ]
  private static let simpleIndex: [UInt8] = [
    0x90, 0x08, 0x00, 0x33, 0xB1, 0xE5, 0xCF, 0x11, 0x89, 0xF4, 0, 0xA0, 0xC9, 0x03, 0x49, 0xCB,
  ]
  private static let index: [UInt8] = [
    0xD3, 0x29, 0xE2, 0xD6, 0xDA, 0x35, 0xD1, 0x11, 0x90, 0x34, 0, 0xA0, 0xC9, 0x03, 0x49, 0xBE,
  ]
  private static let maximumObjects = 1024

  /// Returns the object that ends behind the file; a broadcast states no length. The length of the
  /// whole file counts only where the objects do not follow one another to its end.
  static func missingPart(of source: ByteSource) -> String? {
    let properties = properties(of: source)
    let flags = properties.flatMap { source.uint32(at: $0 + 88, order: .little) } ?? 0
    guard flags & 1 == 0 else { return nil }
    let names = [
      (ASFObject.header, "header object"), (data, "data object"), (simpleIndex, "index object"),
      (index, "index object"),
    ]
    var position = 0
    for _ in 0..<maximumObjects {
      guard position < source.length else { return nil }
      guard let name = names.first(where: { source.holds($0.0, at: position) })?.1,
        let length = source.unsigned(at: position + 16, count: 8, order: .little), length >= 24
      else { break }
      guard length <= UInt64(source.length - position) else { return name }
      position += Int(length)
    }
    let said = properties.flatMap { source.uint64(at: $0 + 40, order: .little) } ?? 0
    return said > source.length ? "bytes that its header counts" : nil
  }

  /// Returns the offset of the object with the properties of the whole file.
  private static func properties(of source: ByteSource) -> Int? {
    var position = 30
    for _ in 0..<maximumObjects {
      if source.holds(ASFObject.fileProperties, at: position) { return position }
      guard let length = source.uint64(at: position + 16, order: .little), length >= 24,
        length <= source.length - position
      else { return nil }
      position += length
    }
    return nil
  }
}
