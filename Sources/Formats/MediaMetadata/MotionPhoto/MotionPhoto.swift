internal import Glibc
package import MediaContainers
package import MediaModel

/// Finds the movie of a motion photo: an MP4 behind the picture of a JPEG, in the `mpvd` box of a HEIC or
/// AVIF, or behind its boxes.
///
/// The movie is found by its own boxes, whatever XMP or a vendor's directory says of its place: phones and
/// editors leave lengths there that are not true, and some write none at all.
///
/// Source: Google, "Motion Photo format specification 1.0" (`GCamera:MotionPhoto`, `mpvd`) and its
/// predecessor with `GCamera:MicroVideoOffset`; ExifTool, Samsung.pm (SEF trailer); files of Pixel, Galaxy,
/// Xiaomi and Motorola phones.
package enum MotionPhoto {
  /// The places that look like the beginning of a movie and are read; a file may repeat four letters.
  private static let maximumCandidates = 64
  private static let maximumBoxes = 65_536
  /// The lengths, in bytes, that the first box of a movie may have.
  private static let fileTypeLengths = 16...1032

  /// Returns the movie of a file of that format; nil for one that has none, and for other formats.
  package static func movie(in source: ByteSource, format: MediaFormat) -> EmbeddedMovie? {
    switch format {
    case .jpeg: movie(inJPEG: source)
    case .heic, .avif: movie(inHEIF: source)
    default: nil
    }
  }

  private static func movie(inJPEG source: ByteSource) -> EmbeddedMovie? {
    // A movie ends with a box, or with a vendor's directory behind it; most files end here.
    if source.holds([0xFF, JPEGMarker.eoi], at: source.length - 2) { return nil }
    guard var parser = try? JPEGParser(source) else { return nil }
    do throws(MetadataError) {
      while try parser.next() != nil {}
    } catch { return nil }
    return movie(in: parser.offset..<source.length, of: source)
  }

  /// The boxes that a picture's file is made of.
  private static let pictureBoxes: Set<FourCharacterCode> = [
    "meta", "mdat", "moov", "idat", "free", "skip", "wide", "uuid", "udta", "jumb",
  ]

  private static func movie(inHEIF source: ByteSource) -> EmbeddedMovie? {
    var end = 0
    for box in ISOBoxes(source, in: 0..<source.length) {
      if box.type == "mpvd" {
        guard var movie = movie(in: box.body, of: source) else { return nil }
        // Items may lie behind it, although the specification wants it last.
        let following = ISOBoxes(source, in: box.range.upperBound..<source.length)
        let isLast = !following.contains { ["mdat", "idat", "meta", "moov"].contains($0.type) }
        movie.stillLength = isLast ? box.range.lowerBound : nil
        return movie
      }
      guard end == 0 || pictureBoxes.contains(box.type) else { break }
      end = box.range.upperBound
    }
    return end == 0 ? nil : movie(in: end..<source.length, of: source)
  }

  /// Returns the first whole movie in a range. The picture ends in front of the first movie that begins there,
  /// whole or not: a movie that is cut may have sound all the same.
  private static func movie(in range: Range<Int>, of source: ByteSource) -> EmbeddedMovie? {
    var position = range.lowerBound
    var firstStart: Int?
    for _ in 0..<maximumCandidates {
      guard let name = offset(ofFileTypeIn: position..<range.upperBound, of: source) else {
        return nil
      }
      position = name + 4
      let start = name - 4
      guard start >= range.lowerBound, let length = source.uint32(at: start) else { continue }
      if firstStart == nil, fileTypeLengths.contains(Int(length)) { firstStart = start }
      guard var movie = movie(at: start, before: range.upperBound, of: source) else { continue }
      if let firstStart { movie.stillLength = endOfStill(before: firstStart, of: source) }
      return movie
    }
    return nil
  }

  /// Returns the next `ftyp` in a range, as far as it lies in one run of memory.
  private static func offset(ofFileTypeIn range: Range<Int>, of source: ByteSource) -> Int? {
    var offset = range.lowerBound
    while offset < range.upperBound {
      let (distance, count): (Int?, Int) = source.withRun(from: offset) { run in
        let run = UnsafeRawBufferPointer(rebasing: run.prefix(range.upperBound - offset))
        guard let base = run.baseAddress, run.count >= 4 else { return (nil, run.count) }
        var next = base
        while let hit = memchr(next, Int32(UInt8(ascii: "f")), base + run.count - 3 - next) {
          if memcmp(hit, "ftyp", 4) == 0 { return (UnsafeRawPointer(hit) - base, run.count) }
          next = UnsafeRawPointer(hit) + 1
        }
        return (nil, run.count)
      }
      if let distance { return offset + distance }
      guard count > 0 else { return nil }
      offset += count
    }
    return nil
  }

  /// The boxes that a movie is made of; another one is what a vendor writes behind it.
  private static let movieBoxes: Set<FourCharacterCode> = [
    "moov", "mdat", "moof", "free", "skip", "wide", "uuid", "udta", "meta", "sidx", "styp", "mfra",
    "emsg", "prft",
  ]

  /// Returns the movie that begins there, if it has pictures and data.
  private static func movie(
    at start: Int,
    before end: Int,
    of source: ByteSource
  ) -> EmbeddedMovie? {
    var (last, pictures, sounds, hasData) = (start, 0, 0, false)
    for box in ISOBoxes(source, in: start..<end, limit: maximumBoxes) {
      if box.range.lowerBound == start {
        guard box.type == "ftyp", fileTypeLengths.contains(box.range.count) else { return nil }
      } else {
        guard movieBoxes.contains(box.type) else { break }
      }
      last = box.range.upperBound
      if box.type == "mdat" { hasData = true }
      guard box.type == "moov" else { continue }
      for track in ISOBoxes(source, in: box.body, limit: 256) where track.type == "trak" {
        guard let handler = ISOBoxes.body(at: ["mdia", "hdlr"], in: track.body, of: source),
          let type = source.code(at: handler.lowerBound + 8)
        else { continue }
        if type == "vide" { pictures += 1 }
        if type == "soun" { sounds += 1 }
      }
    }
    guard pictures > 0, hasData else { return nil }
    return EmbeddedMovie(
      offset: start,
      length: last - start,
      stillLength: endOfStill(before: start, of: source),
      soundTrackCount: sounds
    )
  }

  /// The name of Samsung's block with a movie; in front of it stand two bytes of zero, a type of two bytes
  /// and the name's length of four, little-endian.
  private static let samsungName = "MotionPhoto_Data"

  /// Returns the end of the picture in front of a movie: without the head of a vendor's block.
  private static func endOfStill(before movie: Int, of source: ByteSource) -> Int {
    let name = movie - samsungName.utf8.count
    guard source.holds(samsungName, at: name), source.uint16(at: name - 8) == 0,
      source.uint32(at: name - 4, order: .little) == samsungName.utf8.count
    else { return movie }
    return name - 8
  }
}
