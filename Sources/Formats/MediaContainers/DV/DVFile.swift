package import MediaModel

/// The DIF blocks of a DV recording, each of 80 bytes, as camcorders write them to tape: frames of one length.
///
/// Source: IEC 61834-2; SMPTE 314M and 370M; exiftool `lib/Image/ExifTool/DV.pm`.
package struct DVFile {
  /// The bytes of a block.
  private static let blockLength = 80
  /// The bits of a frame's first bytes that say which block it is, and what they are: others are free, and of high
  /// definition one tells its halves apart.
  private static let frameStart: [(bits: UInt8, value: UInt8)] = [(0xF0, 0x10), (0xF8, 0), (0xFF, 0)]

  /// A date as a pack of 5 bytes has it: its numbers in binary-coded decimals.
  package struct RecordingTime: Equatable {
    /// Year, month and day.
    package var day: [Int]
    /// Hour, minute and second; nil where only the day is stated.
    package var time: [Int]?
  }

  /// The bytes of a frame.
  package let frameLength: Int
  /// The size in pixels as stored.
  package let size: PixelSize
  /// The number of frames in 1,000 seconds.
  package let frameRateMilli: Int
  /// The number of samples of sound per second; nil where the first frame tells none.
  package let sampleRate: Int?
  /// The recording date of the first frame; nil where it tells none.
  package let recordingTime: RecordingTime?

  /// Reads the first blocks; nil for a file that does not begin with a frame.
  package init?(of source: ByteSource) {
    // A header, two blocks of subcode, three of auxiliary data; sound, and the first of 135 blocks of video.
    let kinds = [0, 1, 1, 2, 2, 2, 3, 4, 4]
    for (index, kind) in kinds.enumerated() {
      guard let first = source.uint8(at: Self.blockLength * index), first >> 5 == kind,
        let sequence = source.uint8(at: Self.blockLength * index + 1), sequence >> 4 == 0
      else { return nil }
    }
    guard Self.beginsFrame(source, at: 0), let system = source.uint8(at: 3), system & 0x7F == 0x3F else {
      return nil
    }
    let is50 = system & 0x80 != 0
    let sourcePack = Self.blockLength * 5 + 48
    let kind = source.byte(at: sourcePack) == 0x60 ? (source.uint8(at: sourcePack + 3) ?? 0) & 0x1F : 0
    let wide = is50 ? 144_000 : 120_000
    let rate = is50 ? 25_000 : 29_970
    switch kind {
    case 4: (frameLength, frameRateMilli, size) = (2 * wide, rate, Self.size(720, is50 ? 576 : 480))
    case 0x14: (frameLength, frameRateMilli, size) = (4 * wide, rate, Self.size(is50 ? 1440 : 1280, 1080))
    case 0x18: (frameLength, frameRateMilli, size) = (2 * wide, 2 * rate, Self.size(960, 720))
    default: (frameLength, frameRateMilli, size) = (wide, rate, Self.size(720, is50 ? 576 : 480))
    }
    sampleRate = Self.sampleRate(of: source)
    recordingTime = Self.recordingTime(of: source)
  }

  /// Returns whether a frame begins at an offset, as far as there are bytes.
  package static func beginsFrame(_ source: ByteSource, at offset: Int) -> Bool {
    frameStart.enumerated().allSatisfy { index, start in
      source.byte(at: offset + index).map { $0 & start.bits == start.value } ?? true
    }
  }

  /// The duration of whole frames in milliseconds.
  package func milliseconds(of source: ByteSource) -> Int {
    source.length / frameLength * 1_000_000 / frameRateMilli
  }

  private static func size(_ width: Int, _ height: Int) -> PixelSize {
    PixelSize(width: width, height: height)
  }

  /// Reads the pack that describes sound.
  private static func sampleRate(of source: ByteSource) -> Int? {
    let pack = blockLength * (6 + 16 * 3) + 3
    guard source.byte(at: pack) == 0x50, let fields = source.uint8(at: pack + 4) else { return nil }
    return [48_000, 44_100, 32_000].dropFirst(fields >> 3 & 7).first
  }

  /// Reads the first date among the packs of auxiliary data, and the time in the next one.
  private static func recordingTime(of source: ByteSource) -> RecordingTime? {
    for block in 3...5 {
      for pack in 0..<15 {
        let position = blockLength * block + 3 + 5 * pack
        guard source.byte(at: position) == 0x62,
          let bytes = source.bytes(in: (position + 2)..<(position + 10), limit: 8),
          let day = decimal(bytes[0] & 0x3F), let month = decimal(bytes[1] & 0x1F),
          let year = decimal(bytes[2]),
          // The first camera is of 1995, and FFmpeg writes 1970 for no date.
          !(70..<95).contains(year)
        else { continue }
        let date = [year < 95 ? 2000 + year : 1900 + year, month, day]
        let time = [bytes[7] & 0x3F, bytes[6] & 0x7F, bytes[5] & 0x7F].compactMap { decimal($0) }
        let hasTime = bytes[3] == 0x63 && time.count == 3
        return RecordingTime(day: date, time: hasTime ? time : nil)
      }
    }
    return nil
  }

  private static func decimal(_ byte: UInt8) -> Int? {
    byte >> 4 < 10 && byte & 15 < 10 ? Int(byte >> 4) * 10 + Int(byte & 15) : nil
  }
}
