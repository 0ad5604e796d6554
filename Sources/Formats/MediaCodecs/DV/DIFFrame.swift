package import MediaContainers
package import MediaModel

/// A frame of DV: its blocks are checked, and of its packs only those stay that say how pictures and sound are coded.
///
/// Packs of all other numbers become packs without information: dates of recording, time codes, binary groups, texts,
/// captions, settings of a camera. Bits that the standard reserves become ones, and so do a place on the tape, and
/// blocks that no decoder reads.
///
/// Source: IEC 61834-2 and 61834-4; SMPTE 314M and 370M; libavformat, dv.c; libavcodec, dv_profile.c.
package enum DIFFrame {
  /// The name of packs that say nothing of a time.
  package static let packs = "packs of DV"
  /// The bytes of the longest frame: four channels of twelve sequences.
  private static let longest = 4 * 12 * sequenceLength
  private static let sequenceLength = DIFMask.sequenceBlocks * DIFMask.blockLength

  /// Returns what becomes of a frame: its mask, and the names of what goes; nil where nothing does.
  ///
  /// - Throws: `damaged` for a frame of another length, or one of whose blocks is not in its place;
  ///   `stripUnsupported` for an unknown system; `residue` when the masked frame has what it should not.
  package static func mask(
    of frame: Range<Int>,
    in source: ByteSource
  ) throws(MetadataError) -> (mask: DIFMask, names: [String])? {
    guard let bytes = source.bytes(in: frame, limit: longest), bytes.count >= 10 * sequenceLength else {
      throw MetadataError(.damaged, "a DV frame of impossible length")
    }
    let mask = try mask(of: bytes)
    var output = bytes
    output.withUnsafeMutableBytes { mask.apply(to: $0, at: 0) }
    let isClean = output.withUnsafeBytes { DIFAllowList.allows($0, mask) }
    guard isClean else { throw MetadataError(.residue, packs) }
    return output == bytes ? nil : (mask, names(in: bytes))
  }

  private static func mask(of bytes: [UInt8]) throws(MetadataError) -> DIFMask {
    guard bytes[3] & 0x7F == 0x3F else { throw MetadataError(.damaged, "a DV frame without a header") }
    let is50 = bytes[3] & 0x80 != 0
    // The first pack of pictures tells the system; decoders take one without it for 25 Mbit/s.
    let source = 5 * DIFMask.blockLength + 48
    let isStated = bytes[source] == DIFMask.Pack.videoSource.number
    let channelCount: Int
    switch (isStated, bytes[source + 3] & 0x1F) {
    case (true, 0): channelCount = 1
    case (true, 1) where is50: channelCount = 1
    case (false, _) where bytes[source + 3] == 0xFF: channelCount = 1
    case (true, 4), (true, 0x18): channelCount = 2
    case (true, 0x14): channelCount = 4
    default: throw MetadataError(.stripUnsupported, "DV of an unknown system")
    }
    let is720 = isStated && bytes[source + 3] & 0x1F == 0x18
    var (foreign, hasSound): ([UInt16], Bool) = ([], false)
    let sequences = channelCount * (is50 ? 12 : 10)
    guard bytes.count == sequences * sequenceLength else {
      throw MetadataError(.damaged, "a DV frame of impossible length")
    }
    for sequence in 0..<sequences {
      for pack in DIFMask.Pack.allCases {
        let place = pack.place(inOdd: sequence % 2 == 1)
        let start = sequence * sequenceLength + place.block * DIFMask.blockLength + place.offset
        if bytes[start] == pack.number {
          if pack == .soundSource { hasSound = true }
        } else if bytes[start..<(start + 5)].contains(where: { $0 != 0xFF }) {
          foreign.append(UInt16(4 * sequence + pack.rawValue))
        }
      }
    }
    guard
      let mask = DIFMask(
        is50: is50,
        channelCount: channelCount,
        is720: is720,
        hasSound: hasSound,
        foreign: foreign
      )
    else { throw MetadataError(.stripUnsupported, "DV of an unknown system") }
    try checkBlocks(bytes, mask)
    return mask
  }

  /// Checks the section, sequence, channel and number of each block.
  private static func checkBlocks(_ bytes: [UInt8], _ mask: DIFMask) throws(MetadataError) {
    // Halves of a frame of 720 lines are told apart by a bit that all blocks share.
    let half = bytes[1] & 4
    for number in 0..<(bytes.count / DIFMask.blockLength) {
      let (sequence, place) = (number / DIFMask.sequenceBlocks, number % DIFMask.sequenceBlocks)
      let (channel, start) = (sequence / mask.sequenceCount, number * DIFMask.blockLength)
      let (section, index) = DIFAllowList.section(of: place)
      let isInPlace =
        bytes[start] >> 5 == section && Int(bytes[start + 1] >> 4) == sequence % mask.sequenceCount
        && Int(bytes[start + 1] >> 3 & 1) == channel & 1 && Int(bytes[start + 2]) == index
        && (!mask.is720 || bytes[start + 1] & 4 == half)
        && (mask.channelCount < 4 || (bytes[start + 1] & 4 != 0) == (channel < 2))
      guard isInPlace else { throw MetadataError(.damaged, "a DIF block that is not in its place") }
    }
  }

  /// Returns the names of what a frame has beside what stays: dates, time codes, other packs or bits.
  private static func names(in bytes: [UInt8]) -> [String] {
    var names: Set<String> = []
    for number in 0..<(bytes.count / DIFMask.blockLength) {
      let start = number * DIFMask.blockLength
      let offsets: StrideTo<Int>
      switch number % DIFMask.sequenceBlocks {
      case 1, 2: offsets = stride(from: 6, to: 54, by: 8)
      case 3...5: offsets = stride(from: 3, to: 78, by: 5)
      case let place where place > 5 && (place - 6) % 16 == 0: offsets = stride(from: 3, to: 4, by: 5)
      default: continue
      }
      for offset in offsets {
        switch bytes[start + offset] {
        case 0x50, 0x51, 0x60, 0x61, 0xFF: continue
        case 0x52, 0x53, 0x62, 0x63: names.insert("creation time")
        case 0x13, 0x14: names.insert("time code")
        default: names.insert(packs)
        }
      }
    }
    return names.isEmpty ? ["reserved bits of DV"] : names.sorted()
  }
}

/// What a frame of an output may have, block by block: the verification of masks, written apart from them.
enum DIFAllowList {
  /// Returns the section of a block by its place in a sequence, and its number in the section.
  static func section(of place: Int) -> (section: Int, index: Int) {
    switch place {
    case 0: (0, 0)
    case 1...2: (1, place - 1)
    case 3...5: (2, place - 3)
    default: (place - 6) % 16 == 0 ? (3, (place - 6) / 16) : (4, (place - 6) / 16 * 15 + (place - 6) % 16 - 1)
    }
  }

  /// Returns whether all blocks of a frame have nothing but what stays.
  static func allows(_ frame: UnsafeRawBufferPointer, _ mask: DIFMask) -> Bool {
    for number in 0..<(frame.count / 80) {
      let block = UnsafeRawBufferPointer(rebasing: frame[(80 * number)..<(80 * number + 80)])
      let (sequence, place) = (number / 150, number % 150)
      let (section, index) = section(of: place)
      let isAllowed =
        switch section {
        case 0: hasHeader(block, mask)
        case 1: hasSubcode(block, index)
        case 2: hasVideoPacks(block, index, isOdd: sequence % 2 == 1)
        case 3:
          hasSoundPack(block, index, isOdd: sequence % 2 == 1) && (mask.hasSound || isEmpty(block, 8..<80))
        default: block[0] == 0x96 && (!mask.hasNoPicture(sequence) || isEmpty(block, 3..<80))
        }
      guard isAllowed, block[1] & 3 == 3 else { return false }
    }
    return true
  }

  private static func isEmpty(_ block: UnsafeRawBufferPointer, _ range: Range<Int>) -> Bool {
    range.allSatisfy { block[$0] == 0xFF }
  }

  private static func hasHeader(_ block: UnsafeRawBufferPointer, _ mask: DIFMask) -> Bool {
    block[0] == 0x1F && block[3] == (mask.is50 ? 0xBF : 0x3F) && block[4] & 0xF8 == 0xF8
      && (5...7).allSatisfy { block[$0] & 0x78 == 0x78 } && isEmpty(block, 8..<80)
  }

  private static func hasSubcode(_ block: UnsafeRawBufferPointer, _ index: Int) -> Bool {
    let areEmpty = (0..<6).allSatisfy { part in
      let (start, number) = (3 + 8 * part, 6 * index + part)
      let hasID = number % 6 == 0 || number == 11
      return block[start] & 15 == 15 && (hasID || block[start] & 0x70 == 0x70)
        && Int(block[start + 1]) == 0xF0 + number && isEmpty(block, (start + 2)..<(start + 8))
    }
    return block[0] == 0x3F && areEmpty && isEmpty(block, 51..<80)
  }

  /// The main area of auxiliary data begins with source and control: in odd sequences with the first pack, in others
  /// with the tenth of the last block.
  private static func hasVideoPacks(_ block: UnsafeRawBufferPointer, _ index: Int, isOdd: Bool) -> Bool {
    let first = isOdd ? (index == 0 ? 0 : nil) : (index == 2 ? 9 : nil)
    let areAllowed = (0..<15).allSatisfy { pack in
      let start = 3 + 5 * pack
      let isPlaced = first.map { pack == $0 || pack == $0 + 1 } ?? false
      if isEmpty(block, start..<(start + 5)) { return true }
      guard isPlaced, block[start + 4] == 0xFF else { return false }
      return pack == first
        ? block[start] == 0x60 && block[start + 1] == 0xFF && block[start + 2] & 15 == 15
          && block[start + 3] >> 6 == 3
        : block[start] == 0x61 && block[start + 1] & 0x3F == 0x3F && block[start + 2] & 0xC8 == 0xC8
    }
    return block[0] == 0x56 && areAllowed && isEmpty(block, 78..<80)
  }

  private static func hasSoundPack(_ block: UnsafeRawBufferPointer, _ index: Int, isOdd: Bool) -> Bool {
    guard block[0] == 0x76 else { return false }
    switch (block[3], index - (isOdd ? 0 : 3)) {
    case (0x50, 0): return block[4] & 0x40 != 0
    case (0x51, 1): return block[4] & 0x3C == 0x3C && block[5] & 0xC0 == 0xC0 && block[7] == 0xFF
    default: return isEmpty(block, 3..<8)
    }
  }
}
