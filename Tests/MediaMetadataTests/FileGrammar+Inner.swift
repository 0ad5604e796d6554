import MediaTestSupport

/// Grammars within those of files: samples of a movie and their units, configurations of decoders, color profiles.
extension FileGrammar {
  /// How the samples of a track are coded, as far as units of it can be planted.
  enum Coding {
    case avc(Int), hevc(Int), hevcArray, av1, startCodes, jpeg, other

    /// The coding of samples by the type of a movie's sample entry.
    init(_ entry: String, lengthSize: Int) {
      switch entry {
      case "avc1", "avc3": self = .avc(lengthSize)
      case "hvc1", "hev1": self = .hevc(lengthSize)
      case "av01": self = .av1
      case "mp4v", "mp2v", "hdv1", "hdv2", "mx5n": self = .startCodes
      case "jpeg", "mjpg": self = .jpeg
      default: self = .other
      }
    }

    /// The coding of a chunk of an AVI by its first bytes.
    init(chunk: ArraySlice<UInt8>) {
      self = chunk.starts(with: [0xFF, 0xD8]) ? .jpeg : chunk.starts(with: [0, 0, 1]) ? .startCodes : .other
    }
  }

  private struct Track {
    var entry = ""
    var lengthSize = 4
    var (sizes, chunks, runs) = (0..<0, 0..<0, 0..<0)
    var isLong = false
  }

  // MARK: Samples

  /// The samples of each track of a movie without fragments: of many, the first and the last.
  mutating func readSamples() {
    for track in tracks {
      let samples = samples(of: track)
      for sample in samples.count > 6 ? Array(samples[..<4] + samples.suffix(2)) : samples {
        let data = parts.last { $0.path == "mdat" && $0.body.contains(sample.range.lowerBound) }
        guard let data, sample.range.upperBound <= data.body.upperBound else { continue }
        let sizes = data.sizes + [sample.size]
        readUnits(
          sample.range,
          "mdat/\(track.entry)",
          sizes,
          Coding(track.entry, lengthSize: track.lengthSize)
        )
      }
    }
  }

  private var tracks: [Track] {
    var tracks: [Track] = []
    for part in parts {
      if part.path == "moov/trak" { tracks.append(Track()) }
      let names = part.path.split(separator: "/").map { String($0) }
      guard let name = names.last, names.count > 5, names[1] == "trak", !tracks.isEmpty else { continue }
      let last = tracks.count - 1
      switch name {
      case "stsz": tracks[last].sizes = part.body
      case "stsc": tracks[last].runs = part.body
      case "stco", "co64": (tracks[last].chunks, tracks[last].isLong) = (part.body, name == "co64")
      case "avcC": tracks[last].lengthSize = number(part.body.lowerBound + 4, 1) & 3 + 1
      case "hvcC": tracks[last].lengthSize = number(part.body.lowerBound + 21, 1) & 3 + 1
      default: if names[names.count - 2] == "stsd", !name.hasSuffix(" head") { tracks[last].entry = name }
      }
    }
    return tracks
  }

  private func samples(of track: Track) -> [(range: Range<Int>, size: Field)] {
    let (sizes, runs) = (track.sizes.lowerBound, track.runs.lowerBound)
    // Samples of one size cannot grow alone.
    guard track.sizes.count >= 12, number(sizes + 4, 4) == 0, track.runs.count >= 8 else { return [] }
    let count = min(number(sizes + 8, 4), (track.sizes.count - 12) / 4)
    var samples: [(range: Range<Int>, size: Field)] = []
    var run = 0
    let runCount = min(number(runs + 4, 4), (track.runs.count - 8) / 12)
    let width = track.isLong ? 8 : 4
    for chunk in 0..<min(number(track.chunks.lowerBound + 4, 4), (track.chunks.count - 8) / width) {
      while run + 1 < runCount, number(runs + 8 + 12 * (run + 1), 4) <= chunk + 1 { run += 1 }
      var start = number(track.chunks.lowerBound + 8 + width * chunk, width)
      for _ in 0..<number(runs + 12 + 12 * run, 4) {
        guard samples.count < count else { return samples }
        let size = Field(at: sizes + 12 + 4 * samples.count, width: 4)
        let end = start + number(size.at, 4)
        guard end <= bytes.count else { return samples }
        samples.append((start..<end, size))
        start = end
      }
    }
    return samples
  }

  /// The units of a coded sample, each a part, and the places between them.
  mutating func readUnits(_ range: Range<Int>, _ path: String, _ sizes: [Field], _ coding: Coding) {
    var start = range.lowerBound
    var count = 0
    switch coding {
    case .avc(let width), .hevc(let width):
      while start + width < range.upperBound, count < 12 {
        let body = (start + width)..<(start + width + number(start, width))
        guard body.upperBound <= range.upperBound, !body.isEmpty else { break }
        unitGap(path, start, sizes, coding)
        let name = "\(path)/\(unitName(at: body.lowerBound, coding))"
        let length = [Field(at: start, width: width)]
        parts.append(Part(path: name, start: start, body: body, sizes: sizes + length, isCoded: true))
        (start, count) = (body.upperBound, count + 1)
      }
    case .av1:
      while start + 2 < range.upperBound, count < 12, bytes[start] & 6 == 2, bytes[start + 1] < 0x80 {
        unitGap(path, start, sizes, coding)
        let body = (start + 2)..<(start + 2 + Int(bytes[start + 1]))
        guard body.upperBound <= range.upperBound else { break }
        let name = "\(path)/OBU \(bytes[start] >> 3 & 15)"
        let length = [Field(at: start + 1, width: 1, mask: 0x80)]
        parts.append(Part(path: name, start: start, body: body, sizes: sizes + length, isCoded: true))
        (start, count) = (body.upperBound, count + 1)
      }
    case .startCodes:
      while start + 4 < range.upperBound, count < 12 {
        if bytes[start..<(start + 3)].elementsEqual([0, 0, 1]) {
          unitGap(path, start, sizes, coding)
          count += 1
        }
        start += 1
      }
    case .jpeg:
      start += 2
      while start + 4 < range.upperBound, bytes[start] == 0xFF, bytes[start + 1] != 0xD9 {
        unitGap(path, start, sizes, coding)
        let end = start + 2 + number(start + 2, 2)
        guard end <= range.upperBound, start + 4 <= end else { break }
        let name = "\(path)/\(String(bytes[start + 1], radix: 16, uppercase: true))"
        let length = [Field(at: start + 2, width: 2)]
        parts.append(
          Part(path: name, start: start, body: (start + 4)..<end, sizes: sizes + length, isCoded: true)
        )
        if bytes[start + 1] == 0xDA { break }
        start = end
      }
    case .hevcArray, .other: break
    }
    unitGap(path, range.upperBound, sizes, coding)
    parts.append(Part(path: path, start: range.lowerBound, body: range, sizes: sizes, isCoded: true))
  }

  private func unitName(at start: Int, _ coding: Coding) -> String {
    if case .avc = coding { return "H.264 unit \(bytes[start] & 0x1F)" }
    return "HEVC unit \(bytes[start] >> 1 & 0x3F)"
  }

  private mutating func unitGap(_ path: String, _ at: Int, _ sizes: [Field], _ coding: Coding) {
    gaps.append(Gap(path: path, at: at, sizes: sizes, coding: coding))
  }

  // MARK: Configurations of decoders

  /// The parameter sets of `avcC` and `hvcC`, whose numbers grow with another one, and the descriptors of `esds`.
  mutating func readConfigurations() {
    for part in parts where part.isLeaf {
      let names = part.path.split(separator: "/")
      switch names.last {
      case "avcC" where part.body.count > 7: readAVC(part)
      case "hvcC" where part.body.count > 23: readHEVC(part)
      case "esds" where part.body.count > 4:
        readDescriptors(
          (part.body.lowerBound + 4)..<part.body.upperBound,
          path: part.path + "/",
          part.sizes
        )
      default: break
      }
    }
  }

  private mutating func readAVC(_ part: Part) {
    var start = part.body.lowerBound + 5
    // Three bits of ones, and five with the number of sequence parameter sets; then that of picture parameter sets.
    for mask in [0xE0, 0] {
      guard let end = readSets(part, Field(at: start, width: 1, mask: mask), .avc(2)) else { return }
      start = end
    }
  }

  private mutating func readHEVC(_ part: Part) {
    let arrays = Field(at: part.body.lowerBound + 22, width: 1)
    var start = arrays.at + 1
    for _ in 0..<number(arrays.at, 1) {
      gaps.append(Gap(path: part.path, at: start, sizes: part.sizes, coding: .hevcArray, count: arrays))
      guard let end = readSets(part, Field(at: start + 1, width: 2), .hevc(2)) else { return }
      start = end
    }
    gaps.append(Gap(path: part.path, at: start, sizes: part.sizes, coding: .hevcArray, count: arrays))
  }

  /// Reads so many sets as `count` says, which stand behind it; returns where they end.
  private mutating func readSets(_ part: Part, _ count: Field, _ coding: Coding) -> Int? {
    var start = count.at + count.width
    for _ in 0..<(number(count.at, count.width) & ~count.mask) {
      gaps.append(Gap(path: part.path, at: start, sizes: part.sizes, coding: coding, count: count))
      let body = (start + 2)..<(start + 2 + number(start, 2))
      guard body.upperBound <= part.body.upperBound, !body.isEmpty else { return nil }
      let path = "\(part.path)/\(unitName(at: body.lowerBound, coding))"
      parts.append(
        Part(
          path: path,
          start: start,
          body: body,
          sizes: part.sizes + [Field(at: start, width: 2)],
          isCoded: true
        )
      )
      start = body.upperBound
    }
    gaps.append(Gap(path: part.path, at: start, sizes: part.sizes, coding: coding, count: count))
    return start
  }

  /// Descriptors of MPEG-4 systems, with lengths of one byte or of four of which three are empty.
  private mutating func readDescriptors(_ range: Range<Int>, path: String, _ sizes: [Field]) {
    var start = range.lowerBound
    while start + 2 <= range.upperBound {
      gap(path + "descriptors", start, sizes)
      var last = start + 1
      while last < start + 4, last + 1 < range.upperBound, bytes[last] == 0x80 { last += 1 }
      guard bytes[last] < 0x80 else { return }
      let body = (last + 1)..<(last + 1 + Int(bytes[last]))
      guard body.upperBound <= range.upperBound else { return }
      let within = sizes + [Field(at: last, width: 1, mask: 0x80)]
      let head = [3: 3, 4: 13][bytes[start]]
      add(path + "descriptor \(bytes[start])", start, body, within, isLeaf: head == nil)
      if let head, head <= body.count {
        add(path + "descriptor \(bytes[start]) head", start, body.prefix(head), [])
        readDescriptors(body.dropFirst(head), path: path + "descriptor \(bytes[start])/", within)
      }
      start = body.upperBound
    }
    gap(path + "descriptors", range.upperBound, sizes)
  }

  // MARK: Color profiles

  /// The header of an ICC profile, its table of tags, the data of each, and the places between them.
  mutating func readProfile() {
    let whole = Field(at: 0, width: 4)
    add("profile's header", 0, 4..<128, [])
    let count = number(128, 4)
    guard count < 100, 132 + 12 * count <= bytes.count else { return }
    add("profile's table", 128, 132..<(132 + 12 * count), [])
    var starts: Set<Int> = []
    for entry in stride(from: 132, to: 132 + 12 * count, by: 12) {
      let offset = Field(at: entry + 4, width: 4, base: 0)
      offsets.append(offset)
      let start = number(offset.at, 4)
      let end = start + number(entry + 8, 4)
      guard start >= 132, end <= bytes.count, start + 8 <= end, starts.insert(start).inserted else {
        continue
      }
      gap("profile", start, [whole])
      add("profile/\(type(start))", start, start..<end, [whole, Field(at: entry + 8, width: 4)])
    }
    gap("profile's end", bytes.count, [whole])
  }

  /// The profile with one tag more.
  func adding(tag: String, _ data: [UInt8]) -> [UInt8] {
    let count = number(128, 4)
    let table = bytes[132..<(132 + 12 * count)]
    var entries: [UInt8] = []
    for start in stride(from: table.startIndex, to: table.endIndex, by: 12) {
      entries +=
        table[start..<(start + 4)] + big(number(start + 4, 4) + 12) + table[(start + 8)..<(start + 12)]
    }
    let padding = [UInt8](repeating: 0, count: (4 - bytes.count % 4) % 4)
    entries += Array(tag.utf8) + big(bytes.count + padding.count + 12) + big(data.count)
    let body = bytes[4..<128] + big(count + 1) + entries + bytes[(132 + 12 * count)...] + padding + data
    return big(body.count + 4) + body
  }
}
