/// The bytes of DV frames that are set to ones, by their places: everything but pictures, sound, and the packs that
/// say how both are coded.
///
/// A frame has blocks of 80 bytes, in sequences of 150: a header, two blocks of subcode, three of auxiliary data of
/// video, and nine times one of sound and fifteen of pictures. Auxiliary data are packs of five bytes, a number and four
/// bytes of values; five bytes of ones are a pack without information. As the mask knows places alone, a process that
/// applies it parses nothing.
///
/// Source: IEC 61834-2 and 61834-4; SMPTE 314M and 370M; libavformat, dv.c (dv_extract_pack).
package struct DIFMask: Sendable, Hashable {
  /// A pack that stays, once in each sequence.
  package enum Pack: Int, CaseIterable {
    case videoSource, videoControl, soundSource, soundControl

    /// The number of the pack, its first byte.
    package var number: UInt8 { [0x60, 0x61, 0x50, 0x51][rawValue] }
    /// The bits of its values that become ones: channel and source of a broadcast, input, number of copies, where a
    /// recording begins and ends, genre.
    fileprivate var cleared: [UInt8] {
      switch self {
      case .videoSource: [0xFF, 0x0F, 0xC0, 0xFF]
      case .videoControl: [0x3F, 0xC8, 0, 0xFF]
      case .soundSource: [0x40, 0, 0x80, 0]
      case .soundControl: [0x3C, 0xC0, 0, 0xFF]
      }
    }

    /// Returns the values of a pack as an output has them.
    package func cleared(_ values: [UInt8]) -> [UInt8] { zip(values, cleared).map { $0 | $1 } }

    /// Returns the number of its block in a sequence, and its offset there, in bytes.
    package func place(inOdd isOdd: Bool) -> (block: Int, offset: Int) {
      switch self {
      case .videoSource: isOdd ? (3, 3) : (5, 48)
      case .videoControl: isOdd ? (3, 8) : (5, 53)
      case .soundSource: isOdd ? (6, 3) : (54, 3)
      case .soundControl: isOdd ? (22, 3) : (70, 3)
      }
    }
  }

  /// The bytes of a block.
  package static let blockLength = 80
  /// The blocks of a sequence.
  package static let sequenceBlocks = 150
  /// The first bytes of blocks by section: header, subcode, data of video, sound, pictures. Their low bits are free.
  private static let sections: [UInt8] = [0x1F, 0x3F, 0x56, 0x76, 0x96]

  /// The sequences of a channel: 10 of 60 fields a second, 12 of 50.
  package let sequenceCount: Int
  /// The channels of a frame: 1 of 25 Mbit/s, 2 of 50 and of 720 lines, 4 of 1080 lines.
  package let channelCount: Int
  /// Whether the picture has 720 lines.
  package let is720: Bool
  /// Whether a pack says how sound is coded; without it nothing can read blocks of sound.
  package let hasSound: Bool
  /// Places of packs that stay at which something else stands, ascending: four times the sequence, and the pack.
  package let foreign: [UInt16]

  /// The most places of packs that stay.
  package static let maximumForeign = 4 * 4 * 12

  /// Creates a mask; nil for channels that no frame has, and for places outside of it.
  package init?(is50: Bool, channelCount: Int, is720: Bool, hasSound: Bool, foreign: [UInt16]) {
    guard [1, 2, 4].contains(channelCount), !is720 || channelCount == 2,
      foreign.allSatisfy({ $0 < Self.maximumForeign })
    else { return nil }
    sequenceCount = is50 ? 12 : 10
    (self.channelCount, self.is720, self.hasSound, self.foreign) = (channelCount, is720, hasSound, foreign)
  }

  /// The bytes of a frame.
  package var frameLength: Int { sequenceCount * channelCount * Self.sequenceBlocks * Self.blockLength }
  /// Whether the field rate is 50.
  package var is50: Bool { sequenceCount == 12 }
  /// Whether the bit that tells the halves of a frame of high definition is used.
  package var isHighDefinition: Bool { channelCount == 4 || is720 }

  /// Applies the mask.
  ///
  /// - Parameters:
  ///   - bytes: A part of frames that follow one another.
  ///   - offset: Its offset from the start of the first of them, in bytes.
  package func apply(to bytes: UnsafeMutableRawBufferPointer, at offset: Int) {
    let (length, blocks) = (Self.blockLength, sequenceCount * channelCount * Self.sequenceBlocks)
    var position = 0
    while position < bytes.count {
      let start = (offset + position) % length
      let part = UnsafeMutableRawBufferPointer(rebasing: bytes[position...].prefix(length - start))
      let block = (offset + position) / length % blocks
      if part.count == length {
        clear(part, block)
      } else {
        withUnsafeTemporaryAllocation(byteCount: length, alignment: 8) { whole in
          whole.initializeMemory(as: UInt8.self, repeating: 0)
          let copy = UnsafeMutableRawBufferPointer(rebasing: whole[start..<(start + part.count)])
          copy.copyMemory(from: UnsafeRawBufferPointer(part))
          clear(whole, block)
          part.copyMemory(from: UnsafeRawBufferPointer(copy))
        }
      }
      position += part.count
    }
  }

  private func clear(_ block: UnsafeMutableRawBufferPointer, _ number: Int) {
    let (sequence, place) = (number / Self.sequenceBlocks, number % Self.sequenceBlocks)
    func fill(_ range: Range<Int>) { for index in range { block[index] = 0xFF } }
    block[1] |= isHighDefinition ? 3 : 7
    switch place {
    case 0:
      block[0] = Self.sections[0]
      block[3] = is50 ? 0xBF : 0x3F
      // Kept are the ID of the track and, for sound, pictures and subcode, another ID and whether they are valid.
      block[4] |= 0xF8
      for index in 5...7 { block[index] |= 0x78 }
      fill(8..<80)
    case 1, 2:
      block[0] = Self.sections[1]
      for index in 0..<6 {
        let (start, part) = (3 + 8 * index, index + 6 * (place - 1))
        // Kept are the half of the frame, and an ID in the parts that have one; marks and a place on the tape are not.
        block[start] |= [0, 6, 11].contains(part) ? 0x0F : 0x7F
        block[start + 1] = 0xF0 | UInt8(truncatingIfNeeded: part)
        fill((start + 2)..<(start + 8))
      }
      fill(51..<80)
    case 3...5:
      block[0] = Self.sections[2]
      for offset in stride(from: 3, to: 78, by: 5) { clearPack(at: offset, of: block, place, sequence) }
      fill(78..<80)
    case _ where (place - 6) % 16 == 0:
      block[0] = Self.sections[3]
      clearPack(at: 3, of: block, place, sequence)
      if !hasSound { fill(8..<80) }
    default:
      block[0] = Self.sections[4]
      if hasNoPicture(sequence) { fill(3..<80) }
    }
  }

  private func clearPack(
    at offset: Int,
    of block: UnsafeMutableRawBufferPointer,
    _ place: Int,
    _ sequence: Int
  ) {
    let pack = Pack.allCases.first { $0.place(inOdd: sequence % 2 == 1) == (place, offset) }
    if let pack, foreign.isEmpty || !foreign.contains(UInt16(4 * sequence + pack.rawValue)) {
      for (index, bits) in pack.cleared.enumerated() { block[offset + 1 + index] |= bits }
    } else {
      for index in offset..<(offset + 5) { block[index] = 0xFF }
    }
  }

  /// Returns whether blocks of pictures are empty: with 50 fields, high definition has more than it needs.
  ///
  /// Source: libavcodec, dv.c (dv_init_dynamic_tables).
  package func hasNoPicture(_ sequence: Int) -> Bool {
    let (channel, number) = (sequence / sequenceCount, sequence % sequenceCount)
    return is50 && (is720 ? number > 9 : channelCount == 4 && channel > 0 && number == 11)
  }
}
