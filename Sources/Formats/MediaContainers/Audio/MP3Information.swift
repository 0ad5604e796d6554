/// The first frame of an MP3 when it holds no audio but describes the other frames: a Xing or
/// Fraunhofer header, with LAME's extension.
///
/// Only the data that a player needs for seeking and gapless playback are kept; counts and the
/// table of contents are computed anew from the frames.
///
/// Source: Gabriel Bouvigne, "MP3 Info Tag rev 1"; Xing, VBR Header SDK; Fraunhofer IIS, VBRI header as
/// in FFmpeg's libavformat/mp3dec.c.
package struct MP3Information {
  /// The type of header.
  package enum Kind {
    /// A Xing header, named "Xing" for a variable and "Info" for a constant bit rate.
    case xing(name: String)
    /// A Fraunhofer header with the number of frames per table entry, the number of entries, their
    /// unit and width, and the delay.
    case vbri(framesInEntry: Int, entries: Int, scale: Int, width: Int, delay: Int)
  }

  /// The encoder name that is always written: players look for LAME's name before they trust the
  /// delay and padding, and some for a version after it.
  private static let encoder = "LAME3.100"

  /// The type of header.
  package var kind: Kind
  /// The header and side information of the frame.
  package var frame: MPEGAudioFrame
  /// The flags of a Xing header for frames, bytes and table: bits 0 to 2.
  package var fields: UInt8
  /// The number of frames that the header declares.
  package var claimedFrameCount: Int?
  /// The numbers of samples before and after the audio, 12 bits each; nil without LAME's
  /// extension.
  package var gaps: (delay: Int, padding: Int)?

  /// Parses `frame`, which is at `offset`; nil when it holds audio.
  package init?(_ frame: MPEGAudioFrame, of source: ByteSource, at offset: Int) {
    self.frame = frame
    let end = offset + frame.length
    let xing = offset + 4 + frame.sideLength
    let vbri = offset + 36
    if vbri + 26 <= end, source.holds("VBRI", at: vbri), source.uint16(at: vbri + 4) == 1 {
      guard let delay = source.uint16(at: vbri + 6), let frames = source.uint32(at: vbri + 14),
        let entries = source.uint16(at: vbri + 18), let scale = source.uint16(at: vbri + 20),
        let width = source.uint16(at: vbri + 22), let each = source.uint16(at: vbri + 24)
      else { return nil }
      let isTable = scale > 0 && (1...4).contains(width) && each > 0
      let held = isTable ? min(entries, (end - vbri - 26) / width) : 0
      kind = .vbri(framesInEntry: each, entries: held, scale: scale, width: width, delay: delay)
      fields = 0
      claimedFrameCount = frames
      return
    }
    guard xing + 8 <= end, source.holds("Xing", at: xing) || source.holds("Info", at: xing),
      let flags = source.byte(at: xing + 7)
    else { return nil }
    kind = .xing(name: source.holds("Xing", at: xing) ? "Xing" : "Info")
    var position = xing + 8
    if flags & 1 != 0 {
      claimedFrameCount = source.uint32(at: position)
      position += 4
    }
    if flags & 2 != 0 { position += 4 }
    if flags & 4 != 0 { position += 100 }
    if flags & 8 != 0 { position += 4 }
    guard position <= end else { return nil }
    fields = flags & 7
    let writers = ["LAME", "Lavf", "Lavc"]
    if position + 36 <= end, writers.contains(where: { source.holds($0, at: position) }),
      let bits = source.unsigned(at: position + 21, count: 3)
    {
      gaps = (Int(bits >> 12), Int(bits & 0xFFF))
    }
  }

  /// Returns the number of samples that a player skips at both ends.
  package func silentSamples(frameCount: Int) -> Int {
    guard let gaps, isTrusted(frameCount) else { return gaps?.delay ?? 0 }
    return gaps.delay + gaps.padding
  }

  /// Returns whether the header matches the number of frames; some writers count the header's own
  /// frame too.
  ///
  /// A file that was cut or joined has an end that the header does not describe.
  func isTrusted(_ frameCount: Int) -> Bool {
    claimedFrameCount == frameCount || claimedFrameCount == frameCount + 1
  }
}

extension MP3Information {
  /// Returns the rewritten frame.
  ///
  /// - Parameters:
  ///   - head: The first four bytes of the frame.
  ///   - summary: The counts of the whole file.
  ///   - points: The offsets of some frames, in bytes from the start of this frame.
  ///   - audioChecksum: The checksum of all frames after this one.
  /// - Returns: As many bytes as the frame has.
  package func bytes(
    head: [UInt8],
    summary: MP3Summary,
    points: MP3Points,
    audioChecksum: UInt32
  ) -> [UInt8] {
    // The rewritten frame has neither a checksum nor the private bit.
    var bytes = [head[0], head[1] | 1, head[2] & 0xFE, head[3]]
    let frames = isTrusted(summary.frameCount) ? claimedFrameCount ?? 0 : summary.frameCount
    switch kind {
    case .vbri(let framesInEntry, let entries, let scale, let width, let delay):
      bytes += [UInt8](repeating: 0, count: 32)
      bytes += Array("VBRI".utf8) + [0, 1] + delay.bytes(2) + [0, 0]
      bytes += summary.byteCount.bytes(4) + frames.bytes(4) + entries.bytes(2) + scale.bytes(2)
      bytes += width.bytes(2) + framesInEntry.bytes(2)
      for entry in 0..<entries {
        let length = points[entry + 1] - points[entry]
        bytes += min(length / scale, 1 << (8 * width) - 1).bytes(width)
      }
    case .xing(let name):
      bytes += [UInt8](repeating: 0, count: frame.sideLength)
      // The quality is 0 if LAME's extension follows: some readers expect it at a fixed offset.
      let quality: UInt8 = gaps != nil ? 8 : 0
      bytes += Array(name.utf8) + [0, 0, 0, fields | quality & fieldsRoom]
      if fields & 1 != 0 { bytes += frames.bytes(4) }
      if fields & 2 != 0 { bytes += summary.byteCount.bytes(4) }
      if fields & 4 != 0 {
        bytes += (0..<100).map { UInt8(min(255, points[$0] * 256 / max(1, summary.byteCount))) }
      }
      if fieldsRoom & quality != 0 { bytes += [0, 0, 0, 0] }
      if let gaps {
        let padding = isTrusted(summary.frameCount) ? gaps.padding : 0
        bytes += Array(Self.encoder.utf8) + [UInt8](repeating: 0, count: 12)
        bytes += (gaps.delay << 12 | padding).bytes(3) + [0, 0, 0, 0]
        bytes += summary.byteCount.bytes(4) + audioChecksum.bytes(2)
        var own = CRC.lame
        own.add(bytes)
        bytes += own.value.bytes(2)
      }
    }
    return bytes + [UInt8](repeating: 0, count: max(0, frame.length - bytes.count))
  }

  /// The flag of the quality field if there is room for its four bytes.
  private var fieldsRoom: UInt8 {
    let before = (fields & 1 != 0 ? 4 : 0) + (fields & 2 != 0 ? 4 : 0) + (fields & 4 != 0 ? 100 : 0)
    return frame.length >= 4 + frame.sideLength + 8 + before + 4 + 36 ? 8 : 0
  }
}

/// The offsets of some frames of an MP3, in bytes from the start of the frame that describes them.
package struct MP3Points {
  private var offsets: [Int] = []

  /// The offset at `index`; the last offset for a larger index.
  package subscript(index: Int) -> Int {
    index < offsets.count ? offsets[index] : offsets.last ?? 0
  }

  /// Collects the offsets that the table of `information` needs.
  package init(
    for information: MP3Information,
    summary: MP3Summary,
    of source: ByteSource,
    trailing: TrailingTags
  ) {
    var wanted: [Int]
    switch information.kind {
    case .vbri(let framesInEntry, let entries, _, _, _):
      wanted = (0...entries).map { min($0 * framesInEntry, summary.frameCount) }
    case .xing:
      wanted = (0..<100).map { $0 * summary.frameCount / 100 }
    }
    wanted.reverse()
    var parts = MP3Parts(source, trailing: trailing)
    var frames = 0
    var position = summary.informationLength
    var isFirst = true
    while let (part, range) = parts.next() {
      guard case .frame = part else { continue }
      if isFirst {
        isFirst = false
        continue
      }
      while let next = wanted.last, next <= frames {
        offsets.append(position)
        wanted.removeLast()
      }
      if wanted.isEmpty { return }
      frames += 1
      position += range.count
    }
    offsets += [Int](repeating: position, count: wanted.count)
  }
}
