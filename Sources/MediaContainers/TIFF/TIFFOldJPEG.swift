package import MediaModel

/// A page of old-style JPEG compression (6), described as streams of JPEG compression (7).
///
/// Old-style pages keep the tables apart from the strips: in tags of their own, or in a JPEG stream
/// that also holds the strips, or only precedes them. Each strip or tile starts without the DC
/// values of the one before, as after a restart marker.
///
/// Source: TIFF 6.0 section 22; TIFF Technical Note 2; `tif_ojpeg.c` of libtiff 4.5.
package struct TIFFOldJPEG {
  /// A strip or tile: the entropy-coded data in the source, and the segments around them.
  package struct Stream {
    /// The bytes before the data: SOI, frame, restart interval, scan.
    package var head: [UInt8]
    /// The range of the data in the source.
    package var data: Range<Int>
  }

  /// The arrangement of the streams.
  package enum Coding {
    /// Complete JPEG streams in the source: one of the whole page, or one for each strip or tile.
    case complete([Range<Int>])
    /// The data of each strip or tile, and the tables of all of them, from SOI to EOI.
    case separate([Stream], tables: [UInt8])
  }

  /// The streams.
  package let coding: Coding
  /// The sampling factors of the first component, horizontal and vertical.
  package let sampling: [Int]

  /// The tags of old-style JPEG: JPEGProc, JPEGInterchangeFormat and its length, JPEGRestartInterval,
  /// and the offsets of quantization, DC and AC tables.
  package static let tags: Set<Int> = [
    0x0200, 0x0201, 0x0202, 0x0203, 0x0205, 0x0206, 0x0207, 0x0208, 0x0209,
  ]

  /// Reads the streams of a page.
  ///
  /// - Parameters:
  ///   - source: The file.
  ///   - numbers: The values of ``tags``, and YCbCrSubSampling, by tag.
  ///   - pieces: The range of each strip or tile.
  ///   - sizes: The size of each strip or tile in pixels.
  ///   - size: The size of the page in pixels.
  ///   - samples: The number of samples per pixel, all in one plane.
  /// - Throws: `damaged` for missing or impossible tables; `stripUnsupported` for another process
  ///   than baseline, and for an arrangement that is not known.
  package init(
    of source: ByteSource,
    _ numbers: [Int: [Int]],
    pieces: [Range<Int>],
    sizes: [PixelSize],
    size: PixelSize,
    samples: Int
  ) throws(MetadataError) {
    let stream = numbers[0x0201]?.first.flatMap {
      try? Header(source, from: $0, until: source.length)
    }
    if let stream, let end = stream.endOfPicture(in: source), stream.frame.size == size,
      pieces.count == 1 || stream.interval > 0,
      pieces.allSatisfy({ stream.start <= $0.lowerBound && $0.lowerBound < end })
    {
      coding = .complete([stream.start..<end])
      sampling = stream.sampling
      return
    }
    let areStreams = zip(pieces, sizes).allSatisfy { piece, size in
      let own = try? Header(source, from: piece.lowerBound, until: piece.upperBound)
      return own?.frame.size == size
    }
    if areStreams, let first = pieces.first {
      coding = .complete(pieces)
      sampling =
        try Header(source, from: first.lowerBound, until: first.upperBound).sampling
      return
    }
    let header: Header
    if let stream {
      header = stream
    } else {
      header = try Header(source, numbers, samples: samples)
    }
    guard header.isPlain(samples), sizes.allSatisfy({ $0.width < 1 << 16 && $0.height < 1 << 16 })
    else {
      throw MetadataError(.stripUnsupported, "old-style JPEG that is not baseline")
    }
    let parts = pieces.map { Part($0, behind: header, in: source) }
    let hasRestarts = parts.contains { $0.restart != nil }
    guard !hasRestarts || header.interval > 0,
      parts.allSatisfy({ $0.restart == nil || $0.restart == 0xD0 })
    else {
      throw MetadataError(.stripUnsupported, "old-style JPEG whose strips share restart markers")
    }
    let interval = hasRestarts ? JPEGMarker.segment(JPEGMarker.dri, header.interval.bytes(2)) : []
    let streams = zip(parts, sizes).map { part, size in
      Stream(
        head: [0xFF, JPEGMarker.soi] + header.frameSegment(of: size) + interval
          + JPEGMarker.segment(JPEGMarker.sos, header.scan),
        data: part.data
      )
    }
    let tables = [0xFF, JPEGMarker.soi] + header.tables + [0xFF, JPEGMarker.eoi]
    coding = .separate(streams, tables: tables)
    sampling = header.sampling
  }
}

extension TIFFOldJPEG {
  /// Everything before the entropy-coded data of a JPEG stream.
  private struct Header {
    /// The offset of the SOI; zero for a header from tags.
    var start = 0
    /// The offset after the SOS; zero for a header from tags.
    var end = 0
    /// DQT and DHT segments.
    var tables: [UInt8] = []
    var frame: JPEGFrame
    var interval = 0
    /// The parameters of the SOS.
    var scan: [UInt8] = []

    /// The sampling factors of the first component.
    var sampling: [Int] {
      frame.components.first.map { [$0.horizontal, $0.vertical] } ?? [1, 1]
    }

    /// Reads the segments of the stream at `start` up to its first scan, which is before `limit`.
    ///
    /// - Throws: `damaged` without a frame and a scan.
    init(_ source: ByteSource, from start: Int, until limit: Int) throws(MetadataError) {
      guard start >= 8, start < limit else { throw MetadataError(.damaged, "no SOI") }
      var parser = try JPEGParser(ByteSource(source, start..<limit))
      var frame: JPEGFrame?
      while let element = try parser.next() {
        guard case .segment(let inner) = element else { continue }
        let segment = inner.moved(by: start)
        switch segment.marker {
        case JPEGMarker.dqt, JPEGMarker.dht:
          guard JPEGTables.isExact(segment, in: source) else {
            throw MetadataError(.damaged, "JPEG tables that cannot be")
          }
          tables += source.bytes(in: segment.range, limit: 1 << 16) ?? []
        case JPEGMarker.dri: interval = source.uint16(at: segment.body.lowerBound) ?? 0
        case JPEGMarker.sos:
          guard let frame, JPEGTables.isExact(segment, in: source) else {
            throw MetadataError(.damaged, "a scan without a frame")
          }
          self.frame = frame
          scan = source.bytes(in: segment.body, limit: 64) ?? []
          (self.start, end) = (start, segment.range.upperBound)
          return
        case let code where JPEGMarker.isFrame(code): frame = JPEGFrame(segment, in: source)
        default: continue
        }
      }
      throw MetadataError(.damaged, "no scan")
    }

    /// Makes the segments from tables that tags point to.
    ///
    /// - Throws: `damaged` for tables that are not there; `stripUnsupported` for lossless JPEG.
    init(
      _ source: ByteSource,
      _ numbers: [Int: [Int]],
      samples: Int
    ) throws(MetadataError) {
      guard (1...4).contains(samples), numbers[0x0200]?.first ?? 1 == 1 else {
        throw MetadataError(.stripUnsupported, "old-style JPEG that is not baseline")
      }
      var tables: [(distinct: [[UInt8]], numbers: [Int])] = []
      for tag in [0x0207, 0x0208, 0x0209] {
        tables.append(try Self.tables(tag, numbers[tag] ?? [], samples: samples, of: source))
      }
      let sampling = samples == 3 ? numbers[0x0212] ?? [2, 2] : [1, 1]
      guard sampling.count == 2, sampling.allSatisfy([1, 2, 4].contains) else {
        throw MetadataError(.damaged, "sampling factors that cannot be")
      }
      for (kind, numbered) in tables.enumerated() {
        for (index, table) in numbered.distinct.enumerated() {
          let head = UInt8(kind == 2 ? 0x10 | index : index)
          let marker = kind == 0 ? JPEGMarker.dqt : JPEGMarker.dht
          self.tables += JPEGMarker.segment(marker, [head] + table)
        }
      }
      let components = (0..<samples).map { (index: Int) -> JPEGFrame.Component in
        JPEGFrame.Component(
          identifier: UInt8(index + 1),
          horizontal: index == 0 ? sampling[0] : 1,
          vertical: index == 0 ? sampling[1] : 1,
          quantization: tables[0].numbers[index]
        )
      }
      // Baseline has two Huffman tables of a kind; the extended process has four.
      let isExtended = tables.dropFirst().contains { $0.distinct.count > 2 }
      frame = JPEGFrame(
        marker: isExtended ? 0xC1 : 0xC0,
        precision: 8,
        size: PixelSize(width: 0, height: 0),
        components: components
      )
      interval = numbers[0x0203]?.first ?? 0
      scan = [UInt8(samples)]
      for index in 0..<samples {
        let selector = tables[1].numbers[index] << 4 | tables[2].numbers[index]
        scan += [UInt8(index + 1), UInt8(selector)]
      }
      scan += [0, 63, 0]
    }

    /// Returns the tables at the offsets of one tag, each once, and the number of the table of each
    /// component.
    private static func tables(
      _ tag: Int,
      _ offsets: [Int],
      samples: Int,
      of source: ByteSource
    ) throws(MetadataError) -> (distinct: [[UInt8]], numbers: [Int]) {
      var distinct: [[UInt8]] = []
      var numbers: [Int] = []
      for index in 0..<samples {
        // A component without an offset of its own has the table of the one before.
        guard let offset = index < offsets.count ? offsets[index] : offsets.last, offset >= 8,
          source.has(16, at: offset),
          let counts = source.bytes(in: offset..<(offset + 16), limit: 16)
        else { throw MetadataError(.damaged, "JPEG tables that are not there") }
        let length = tag == 0x0207 ? 64 : 16 + counts.reduce(0) { $0 + Int($1) }
        guard length <= 272, let table = source.bytes(in: offset..<(offset + length), limit: 272)
        else { throw MetadataError(.damaged, "JPEG tables that cannot be") }
        if !distinct.contains(table) { distinct.append(table) }
        numbers.append(distinct.firstIndex(of: table) ?? 0)
      }
      return (distinct, numbers)
    }

    /// Whether the frame is sequential with 8 bits per sample, and its only scan has all components.
    func isPlain(_ samples: Int) -> Bool {
      frame.precision == 8 && (0xC0...0xC1).contains(frame.marker)
        && frame.components.count == samples && scan.first.map { Int($0) } == samples
        && Array(scan.suffix(3)) == [0, 63, 0] && frame.areFactorsValid
    }

    func frameSegment(of size: PixelSize) -> [UInt8] {
      let components = frame.components.flatMap { component in
        [
          component.identifier, UInt8(component.horizontal << 4 | component.vertical),
          UInt8(component.quantization),
        ]
      }
      let body = [8] + size.height.bytes(2) + size.width.bytes(2) + [UInt8(frame.components.count)]
      return JPEGMarker.segment(frame.marker, body + components)
    }

    /// Returns the offset after the EOI of a stream that also holds the picture, or nil.
    func endOfPicture(in source: ByteSource) -> Int? {
      guard var parser = try? JPEGParser(ByteSource(source, start..<source.length)) else {
        return nil
      }
      var hasData = false
      do throws(MetadataError) {
        while let element = try parser.next() {
          if case .entropyCodedData = element { hasData = true }
        }
      } catch { return nil }
      return hasData ? start + parser.offset : nil
    }
  }

  /// The entropy-coded data of a strip or tile.
  private struct Part {
    var data: Range<Int>
    /// The code of the first restart marker between two intervals.
    var restart: UInt8?

    /// Finds the data in `piece`: after the header, if the piece holds it too, and up to a marker
    /// that ends a scan. Restart markers at the start and at the end belong to no interval.
    init(_ piece: Range<Int>, behind header: Header, in source: ByteSource) {
      var start = piece.lowerBound
      if header.start <= start, start < header.end { start = min(header.end, piece.upperBound) }
      if source.byte(at: start) == 0xFF,
        source.byte(at: start + 1).map(JPEGMarker.isRestart) == true
      {
        start = min(start + 2, piece.upperBound)
      }
      var end = piece.upperBound
      var offset = start
      var restarts: [(offset: Int, code: UInt8)] = []
      while let marker = source.firstOffset(of: [0xFF], in: offset..<end) {
        guard marker + 1 < end, let code = source.byte(at: marker + 1) else {
          end = marker
          break
        }
        if code == 0xFF {
          offset = marker + 1
          continue
        }
        offset = marker + 2
        if JPEGMarker.isRestart(code) {
          // The first tells the numbering, the last may be the end.
          if restarts.count == 2 { restarts.removeLast() }
          restarts.append((marker, code))
        } else if code != 0 {
          end = marker
          break
        }
      }
      if let last = restarts.last, last.offset + 2 == end {
        end = last.offset
        restarts.removeLast()
      }
      while end > start, source.byte(at: end - 1) == 0xFF { end -= 1 }
      data = start..<end
      restart = restarts.first?.code
    }
  }
}

extension JPEGSegment {
  /// Returns the segment of a source that starts `offset` bytes later.
  fileprivate func moved(by offset: Int) -> JPEGSegment {
    JPEGSegment(
      marker: marker,
      range: (range.lowerBound + offset)..<(range.upperBound + offset),
      body: (body.lowerBound + offset)..<(body.upperBound + offset)
    )
  }
}
