import Foundation
import MediaModel
import MediaTestSupport
import Testing

@testable import MediaContainers
@testable import MediaMetadata
@testable import MediaStripping

/// A text of 16 bytes in each field that the allow-lists let through.
///
/// Tags and boxes are planted by the lists themselves, in each length that these allow; the parts of
/// other containers in the outputs of small files, at many offsets.
@Suite("A text of 16 bytes stays in the parts that docs name, and in no other")
struct TextThatStaysTests {
  typealias T = TinyTIFFFile
  private static let words = Array("Jane Doe, 48.1371N 11.5754E, serial 0815-4711; ".utf8)
  private static let mark = Array(words.prefix(16))

  private static func text(_ count: Int) -> [UInt8] {
    (0..<count).map { words[$0 % words.count] }
  }

  /// Whether the output of a file has the first 16 bytes of the text; false for a file that is refused.
  private static func stays(_ bytes: [UInt8], _ format: MediaFormat) -> Bool {
    guard let output = try? strip(bytes, format).output else { return false }
    return Data(output).range(of: Data(mark)) != nil
  }

  /// Compares the parts in which a text stayed with those of the table's rows. A sample of the places finds
  /// some of them.
  private func expect(_ left: Set<String>, _ formats: String..., isSample: Bool = true) {
    let expected = TextThatStays.planted(in: formats)
    #expect(left.subtracting(expected).sorted() == [])
    #expect(!left.isEmpty)
    if Amount.isAll || !isSample { #expect(left == expected) }
  }

  // MARK: Tags and boxes, by their lists

  @Test("Tags of a TIFF")
  func tiff() {
    // Eight samples of a byte, in 4 x 2 pixels.
    let page = T.page(strip: 8, count: 64).filter { ![0x0102, 0x0115].contains($0.tag) }
    let samples: [T.Entry] = [
      T.short(0x0102, 8, 8, 8, 8, 8, 8, 8, 8), T.short(0x0115, 8),
    ]
    let strip = [UInt8](repeating: 7, count: 64)
    var left: Set<String> = []
    for (tag, rule) in TIFFAllowList.rules where rule.form == .values {
      for type in rule.types {
        let size = [3: 2, 4: 4, 5: 8][type] ?? 1
        var count = 8
        if case .exactly(let exact) = rule.count { count = exact }
        guard size * count >= 16 else { continue }
        let entry: T.Entry = (tag, type, count, Self.text(size * count))
        let others = (page + samples).filter { $0.tag != tag }
        if Self.stays(T.file([entry], page: others, strip: strip), .tiff) { left.insert(rule.name) }
      }
    }
    let palette: [T.Entry] = [(0x0140, 3, 768, Self.text(1536)), T.short(0x0106, 3)]
    for compression in [1, 5] {
      let page = T.page(strip: 8, compression: compression).filter { $0.tag != 0x0106 }
      let isLeft = Self.stays(T.file(palette, page: page), .tiff)
      #expect(isLeft == (compression == 5))
      if isLeft { left.insert("ColorMap") }
    }
    expect(left, "TIFF", isSample: false)
  }

  /// The tags of a DNG with room for a text, in each type: the count, and further tags on which the
  /// count depends.
  private static let raws: [(tag: Int, name: String, type: Int, count: Int, others: [T.Entry])] = {
    let sizes = [1: 1, 3: 2, 4: 4, 5: 8, 10: 8, 11: 4, 12: 8]
    let rules = DNGAllowList.rules.sorted { $0.key < $1.key }
    return rules.filter { $0.value.form == .values }.flatMap { tag, rule in
      rule.types.sorted().compactMap { type in
        var (count, others): (Int, [T.Entry]) = (min(rule.counts.upperBound, 16), [])
        switch tag {
        case 50714: others = [T.short(50713, 4, 4)]
        case 50938, 50939: (count, others) = (12, [T.long(50937, 2, 2, 1)])
        case 50982: (count, others) = (12, [T.long(50981, 2, 2, 1)])
        default: break
        }
        guard let size = sizes[type], size * count >= 16 else { return nil }
        return (tag, rule.name, type, count, others)
      }
    }
  }()

  @Test("Tags of a DNG")
  func dng() {
    var left: Set<String> = []
    #expect(Self.raws.count > 20)
    for (tag, name, type, count, others) in Amount.some(12, of: Self.raws) {
      let size = [1: 1, 3: 2, 4: 4, 5: 8, 10: 8, 11: 4, 12: 8][type] ?? 1
      let entry: T.Entry = (tag, type, count, Self.text(size * count))
      // Some tags are in one of the directories already.
      for isRaw in [false, true] {
        var file = TinyDNG()
        if isRaw { file.inRaw = [entry] + others } else { file.inImage = [entry] + others }
        if Self.stays(file.bytes, .dng) { left.insert(name) }
      }
    }
    expect(left, "DNG")
  }

  /// The boxes around those of a list within a sample entry.
  private static let around: [FourCharacterCode: [String]] = [
    "entry": [], "vexu": ["vexu"], "eyes": ["vexu", "eyes"], "cams": ["vexu", "eyes", "cams"],
    "cmfy": ["vexu", "eyes", "cmfy"], "pack": ["vexu", "pack"], "proj": ["sv3d", "proj"],
  ]

  @Test("Boxes of a movie's sample entries")
  func boxes() {
    var left: Set<String> = []
    for (parent, around) in Self.around {
      for (type, rule) in BoxAllowList.movie.rules[parent] ?? [:] {
        guard case .copied(let lengths) = rule, lengths.upperBound >= 16 else { continue }
        let length = min(lengths.upperBound, max(lengths.lowerBound, 64))
        var box = isoBox(type.displayName, Self.text(length))
        for outer in around.reversed() { box = isoBox(outer, box) }
        var movie = TinyMovie.film
        movie.tracks[0].entry = TinyMovie.avc1(box)
        if Self.stays(movie.bytes, .mp4) { left.insert(type.displayName) }
      }
    }
    expect(left, "MP4, MOV", isSample: false)
    // What is copied elsewhere is too short, or a table; "wave" has what an entry has.
    for (parent, rules) in BoxAllowList.movie.rules
    where Self.around[parent] == nil && parent != "wave" {
      for case .copied(let lengths) in rules.values {
        #expect(lengths.upperBound < 16 || lengths.upperBound == .max, "\(parent.displayName)")
      }
    }
  }

  @Test("Chunks of a PNG")
  func png() {
    let control = pngChunk("acTL", big(1) + big(0))
    var left: Set<String> = []
    for part in PNGAllowList.list.parts {
      let type = part.keys.first?.name ?? ""
      // These are decoding itself; the picture's own tests plant behind their data.
      guard !["IHDR", "IDAT", "fdAT", "acTL"].contains(type) else { continue }
      for length in 16...64 {
        let file = TinyPNG.file(control + pngChunk(type, Self.text(length)))
        if Self.stays(file, .png) { left.insert(type) }
      }
    }
    expect(left, "PNG", isSample: false)
  }

  // MARK: Parts of an output

  /// Plants the text at some offsets of each part of 16 bytes and more of a file's output.
  private func planted(
    _ bytes: [UInt8],
    _ format: MediaFormat,
    _ parts: ([UInt8]) -> [(name: String, range: Range<Int>)]
  ) throws -> Set<String> {
    let clean = try strip(bytes, format).output
    var left: Set<String> = []
    for (name, range) in parts(clean) where range.count >= 16 {
      let room = range.count - 16
      let steps = min(room, Amount.of(3, all: 40))
      for step in 0...steps where !left.contains(name) {
        let start = range.lowerBound + (steps == 0 ? 0 : room * step / steps)
        var planted = clean
        planted.replaceSubrange(start..<(start + 16), with: Self.mark)
        if Self.stays(planted, format) { left.insert(name) }
      }
    }
    return left
  }

  private static func number(_ bytes: [UInt8], _ start: Int, _ count: Int, little: Bool) -> Int {
    let part = bytes[start..<(start + count)]
    return (little ? part.reversed() : Array(part)).reduce(0) { $0 << 8 | Int($1) }
  }

  /// The chunks of a RIFF file, also those within lists.
  private static func riff(_ bytes: [UInt8]) -> [(name: String, range: Range<Int>)] {
    var parts: [(name: String, range: Range<Int>)] = []
    var start = 12
    while start + 8 <= bytes.count {
      let type = String(decoding: bytes[start..<(start + 4)], as: UTF8.self)
      let length = number(bytes, start + 4, 4, little: true)
      if type == "LIST" {
        start += 12
        continue
      }
      let end = min(bytes.count, start + 8 + length)
      parts.append((type.filter { $0 != " " }, (start + 8)..<end))
      start += 8 + length + length % 2
    }
    return parts
  }

  @Test("Chunks of WebP, AVI and WAV")
  func riffs() throws {
    // A key frame whose first partition takes 64 bytes.
    let lossy = [0x10, 0x08, 0, 0x9D, 0x01, 0x2A, 1, 0, 1, 0] + [UInt8](1...64)
    let alpha = TinyWebP.file(
      TinyWebP.extended(0x10) + riffChunk("ALPH", [UInt8](repeating: 0, count: 41))
        + riffChunk("VP8 ", lossy)
    )
    let lossless = TinyWebP.lossless + [UInt8](repeating: 0, count: 40)
    let properties = riffChunk("vprp", [UInt8](repeating: 1, count: 68))
    let film = TinyAVI.file(
      streams: TinyAVI.video(properties) + TinyAVI.sound(),
      data: TinyAVI.data + riffChunk("01wb", [UInt8](repeating: 3, count: 40)),
      index: []
    )
    let sound = TinyWAV.file(samples: [UInt8](repeating: 3, count: 80))
    var left = try planted(alpha, .webp, Self.riff)
    left.formUnion(try planted(TinyWebP.file(riffChunk("VP8L", lossless)), .webp, Self.riff))
    left.formUnion(try planted(film, .avi, Self.riff))
    left.formUnion(try planted(sound, .wav, Self.riff))
    expect(left, "WebP", "AVI", "AVI, WAV, AIFF")
  }

  /// The segments of a JPEG up to its first scan, and that scan's data.
  private static func segments(_ bytes: [UInt8]) -> [(name: String, range: Range<Int>)] {
    let names: [UInt8: String] = [0xDB: "DQT", 0xC4: "DHT", 0xDA: "SOS", 0xE2: "APP2"]
    var parts: [(name: String, range: Range<Int>)] = []
    var start = 2
    while start + 4 <= bytes.count {
      let marker = bytes[start + 1]
      let end = start + 2 + number(bytes, start + 2, 2, little: false)
      parts.append((names[marker] ?? "segment \(marker)", (start + 4)..<end))
      start = end
      if marker == 0xDA { break }
    }
    return parts + [("scan data", start..<(bytes.count - 2))]
  }

  @Test("Segments of a JPEG")
  func jpeg() throws {
    let picture = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("../../Manifests/media/Photos/2026/IMG_0050.JPG").path
    expect(try planted(try readBytes(picture), .jpeg, Self.segments), "JPEG")
  }

  /// The elements of a Matroska that have no children.
  private static func elements(_ bytes: [UInt8]) -> [(name: String, range: Range<Int>)] {
    let parents: Set<Int> = [
      0x1853_8067, 0x1549_A966, 0x1654_AE6B, 0xAE, 0xE0, 0xE1, 0x7670, 0x1F43_B675, 0xA0,
    ]
    let names = [0x7672: "ProjectionPrivate", 0xA3: "SimpleBlock", 0xA1: "Block"]
    var parts: [(name: String, range: Range<Int>)] = []
    var start = 0
    while start + 2 <= bytes.count {
      let width = bytes[start].leadingZeroBitCount + 1
      guard width <= 4, start + width < bytes.count else { break }
      let identifier = number(bytes, start, width, little: false)
      start += width
      let size = bytes[start].leadingZeroBitCount + 1
      guard size <= 8, start + size <= bytes.count else { break }
      let length = number(bytes, start, size, little: false) & (1 << (7 * size) - 1)
      start += size
      if parents.contains(identifier) { continue }
      let end = min(bytes.count, start + length)
      parts.append((names[identifier] ?? "element \(identifier)", start..<end))
      start = end
    }
    return parts
  }

  @Test("Elements of a Matroska")
  func matroska() throws {
    let sphere = TinyMatroska.element(
      0x7670,
      TinyMatroska.element(0x7671, [1])
        + TinyMatroska.element(0x7672, [UInt8](repeating: 0, count: 20))
    )
    let frame = TinyMatroska.block(1, 60, [UInt8](repeating: 3, count: 40))
    let film = TinyMatroska.file(
      tracks: TinyMatroska.video(settings: sphere) + TinyMatroska.sound(),
      clusters: TinyMatroska.cluster(TinyMatroska.blocks + frame)
    )
    expect(try planted(film, .mkv, Self.elements), "Matroska")
  }

  // MARK: Documents

  @Test("What the table says to be planted is planted by one of these tests")
  func tested() {
    let formats = TextThatStays.rows.filter { !$0.planted.isEmpty }.map(\.format)
    let tests: Set = [
      "TIFF", "DNG", "MP4, MOV", "PNG", "WebP", "AVI", "AVI, WAV, AIFF", "JPEG", "Matroska",
    ]
    #expect(Set(formats) == tests)
  }

  @Test("The table in the documentation has the same rows; RECORD_SNAPSHOTS=1 writes it")
  func documented() throws {
    let url = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("../../docs/metadata.md")
    let committed = try String(contentsOf: url, encoding: .utf8)
    let head = "<!-- text that stays -->\n"
    let start = try #require(committed.range(of: head)).upperBound
    let end = try #require(
      committed.range(of: "<!-- end -->", range: start..<committed.endIndex)
    ).lowerBound
    let lines = ["| in | part | why it stays |", "| --- | --- | --- |"]
    let table = (lines + TextThatStays.rows.map(\.line)).joined(separator: "\n") + "\n"
    guard ProcessInfo.processInfo.environment["RECORD_SNAPSHOTS"] == "1" else {
      #expect(committed[start..<end] == table, "RECORD_SNAPSHOTS=1 writes docs/metadata.md anew")
      return
    }
    let text = String(committed[..<start]) + table + String(committed[end...])
    try text.write(to: url, atomically: true, encoding: .utf8)
    Issue.record("docs/metadata.md was written")
  }
}
