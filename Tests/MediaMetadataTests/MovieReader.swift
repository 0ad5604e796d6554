/// Reads the samples of a movie the plain way, to see where an output's offsets lead; not the code
/// under test.
struct MovieReader {
  /// By track, each sample's bytes.
  private(set) var samples: [Int: [[UInt8]]] = [:]
  /// By track, the type of its handler.
  private(set) var handlers: [Int: String] = [:]
  /// The types of all boxes, each with those around it.
  private(set) var paths: [String] = []

  private let bytes: [UInt8]
  private var defaultSizes: [Int: Int] = [:]

  private static let parents: Set<String> = [
    "moov", "trak", "mdia", "minf", "stbl", "mvex", "moof", "traf", "edts", "dinf", "udta",
  ]

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    walk(0..<bytes.count, "")
  }

  /// The boxes in a range: type, start, body.
  func boxes(_ range: Range<Int>) -> [(type: String, start: Int, body: Range<Int>)] {
    var boxes: [(type: String, start: Int, body: Range<Int>)] = []
    var offset = range.lowerBound
    while offset + 8 <= range.upperBound {
      var size = number(offset, 4)
      var head = 8
      if size == 1 {
        size = number(offset + 8, 8)
        head = 16
      } else if size == 0 {
        size = range.upperBound - offset
      }
      guard size >= head, offset + size <= range.upperBound else { break }
      let type = String(decoding: bytes[(offset + 4)..<(offset + 8)], as: Unicode.ASCII.self)
      boxes.append((type, offset, (offset + head)..<(offset + size)))
      offset += size
    }
    return boxes
  }

  func body(_ types: [String], in range: Range<Int>) -> Range<Int>? {
    var range = range
    for type in types {
      guard let box = boxes(range).first(where: { $0.type == type }) else { return nil }
      range = box.body
    }
    return range
  }

  func number(_ offset: Int, _ count: Int) -> Int {
    bytes[offset..<(offset + count)].reduce(0) { $0 << 8 | Int($1) }
  }

  private mutating func walk(_ range: Range<Int>, _ path: String) {
    for box in boxes(range) {
      let name = path + "/" + box.type
      paths.append(name)
      if box.type == "trak" { readTrack(box.body) }
      if box.type == "trex" {
        defaultSizes[number(box.body.lowerBound + 4, 4)] = number(box.body.lowerBound + 16, 4)
      }
      if box.type == "moof" { readFragment(box.start, box.body) }
      if Self.parents.contains(box.type) { walk(box.body, name) }
    }
  }

  private mutating func readTrack(_ trak: Range<Int>) {
    guard let tkhd = body(["tkhd"], in: trak), let hdlr = body(["mdia", "hdlr"], in: trak),
      let stbl = body(["mdia", "minf", "stbl"], in: trak), let stsz = body(["stsz"], in: stbl),
      let stsc = body(["stsc"], in: stbl)
    else { return }
    let track = number(tkhd.lowerBound + 12, 4)
    let type = (hdlr.lowerBound + 8)..<(hdlr.lowerBound + 12)
    handlers[track] = String(decoding: bytes[type], as: UTF8.self)
    let width = body(["co64"], in: stbl) == nil ? 4 : 8
    guard let offsets = body([width == 8 ? "co64" : "stco"], in: stbl) else { return }
    let constant = number(stsz.lowerBound + 4, 4)
    let count = number(stsz.lowerBound + 8, 4)
    var sample = 0
    var sampleBytes: [[UInt8]] = []
    let runs = number(stsc.lowerBound + 4, 4)
    for chunk in 0..<number(offsets.lowerBound + 4, 4) {
      var perChunk = 0
      for run in 0..<runs where number(stsc.lowerBound + 8 + 12 * run, 4) <= chunk + 1 {
        perChunk = number(stsc.lowerBound + 12 + 12 * run, 4)
      }
      var offset = number(offsets.lowerBound + 8 + width * chunk, width)
      for _ in 0..<min(perChunk, count - sample) {
        let size = constant > 0 ? constant : number(stsz.lowerBound + 12 + 4 * sample, 4)
        sampleBytes.append(Array(bytes[offset..<(offset + size)]))
        offset += size
        sample += 1
      }
    }
    samples[track, default: []] += sampleBytes
  }

  private mutating func readFragment(_ start: Int, _ moof: Range<Int>) {
    var end = start
    for traf in boxes(moof) where traf.type == "traf" {
      guard let tfhd = body(["tfhd"], in: traf.body) else { continue }
      let flags = number(tfhd.lowerBound, 4)
      let track = number(tfhd.lowerBound + 4, 4)
      var base = end
      if flags & 1 != 0 { base = number(tfhd.lowerBound + 8, 8) }
      if flags & 0x20000 != 0 { base = start }
      for trun in boxes(traf.body) where trun.type == "trun" {
        let flags = number(trun.body.lowerBound, 4)
        // The fixture's runs, and what becomes of them, all have these.
        guard flags & 0x301 == 0x301 else { continue }
        var offset = base + Int(Int32(truncatingIfNeeded: number(trun.body.lowerBound + 8, 4)))
        for sample in 0..<number(trun.body.lowerBound + 4, 4) {
          let size = number(trun.body.lowerBound + 16 + 8 * sample, 4)
          samples[track, default: []].append(Array(bytes[offset..<(offset + size)]))
          offset += size
        }
        end = offset
      }
    }
  }
}

func read(_ movie: [UInt8]) -> MovieReader { MovieReader(movie) }
