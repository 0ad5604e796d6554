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
    let left = source.length - position
    return (1..<8).contains(left) || left == -1 && end == position ? "a chunk" : nil
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
      let left = source.length - position
      if (1..<8).contains(left), !isOpen(form), end > source.length { return "a chunk" }
      start = max(position, start + 12)
    }
    return hasData ? nil : "movi list"
  }
}
