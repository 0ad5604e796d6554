import MediaModel
import MediaTestSupport

@testable import MediaContainers
@testable import MediaMetadata
@testable import MediaStripping

/// The parts of a whole file by its format's grammar, with all that an insertion has to adjust; read without the
/// code under test.
///
/// What it does not understand is a leaf: a text is planted into it, too.
struct FileGrammar {
  enum Family: String {
    case jpeg, png, gif, riff, iff, iso, j2k, ebml, flac, ogg, frames, tiff, icc, plain
  }

  /// A number that says a length or an offset.
  struct Field {
    var at: Int
    var width: Int
    var isLittle = false
    /// What is no number, such as the descriptor of an EBML length.
    var mask = 0
    /// Where the offset counts from; nil for a length.
    var base: Int?
  }

  struct Part {
    /// The types of all parts around it, and its own.
    var path: String
    var start: Int
    var body: Range<Int>
    /// The lengths that grow with it, its own among them.
    var sizes: [Field]
    var isLeaf = true
    /// Whether the part is a coded sample or a unit of one.
    var isCoded = false
  }

  /// A place between two parts.
  struct Gap {
    var path: String
    var at: Int
    var sizes: [Field]
    /// Between the units of a coded sample, how it is coded.
    var coding: Coding?
    /// The number of the parts, one of which is planted.
    var count: Field?
  }

  let family: Family
  let bytes: [UInt8]
  var parts: [Part] = []
  var gaps: [Gap] = []
  var offsets: [Field] = []

  init(_ bytes: [UInt8], _ format: MediaFormat) {
    self.init(bytes, family: Self.family(of: format, bytes))
  }

  init(_ bytes: [UInt8], family: Family) {
    self.family = family
    self.bytes = family == .ebml ? EBMLRewriting.wide(bytes) : bytes
    switch family {
    case .jpeg: readJPEG()
    case .png: readChunks(from: 8, isLittle: false, extra: 4)
    case .gif: readGIF()
    case .riff: readRIFF(0..<bytes.count, path: "", [], isLittle: true)
    case .iff: readRIFF(0..<bytes.count, path: "", [], isLittle: false)
    case .iso:
      readBoxes(0..<bytes.count, path: "", [])
      readConfigurations()
      readSamples()
    case .j2k: readMarkers(0..<bytes.count, path: "", [])
    case .ebml: readElements(0..<self.bytes.count, path: "", [])
    case .flac: readFLAC()
    case .ogg: readPages()
    case .frames: readFrames()
    case .tiff: readDirectories()
    case .icc: readProfile()
    case .plain: readPlain()
    }
    if !gaps.contains(where: { $0.at == 0 }) { gaps.append(Gap(path: "front", at: 0, sizes: [])) }
    gaps.append(Gap(path: "end", at: self.bytes.count, sizes: []))
  }

  private static func family(of format: MediaFormat, _ bytes: [UInt8]) -> Family {
    switch format {
    case .jpeg: .jpeg
    case .png: .png
    case .gif: .gif
    case .webp, .wav, .avi: .riff
    case .aiff: .iff
    case .heic, .avif, .mp4, .mov, .m4a, .threeGP, .threeGA, .jp2: .iso
    case .jxl: bytes.first == 0 ? .iso : .plain
    case .j2k: .j2k
    case .mkv, .webm, .mka, .weba: .ebml
    case .flac: .flac
    case .ogg: .ogg
    case .mp3, .aac: .frames
    case .tiff, .dng: .tiff
    default: .plain
    }
  }

  // MARK: Edits

  func number(_ at: Int, _ width: Int, isLittle: Bool = false, in bytes: [UInt8]? = nil) -> Int {
    let bytes = bytes ?? self.bytes
    guard at >= 0, width <= 8, at + width <= bytes.count else { return 0 }
    let part = bytes[at..<(at + width)]
    return (isLittle ? Array(part.reversed()) : Array(part)).reduce(0) { $0 << 8 | Int($1) }
  }

  func type(_ at: Int) -> String {
    guard at + 4 <= bytes.count else { return "" }
    return String(decoding: bytes[at..<(at + 4)], as: UTF8.self)
  }

  private func write(_ value: Int, _ field: Field, at: Int, in bytes: inout [UInt8]) {
    let written = field.isLittle ? little(value, field.width) : big(value, field.width)
    bytes.replaceSubrange(at..<(at + field.width), with: written)
  }

  /// The file with more bytes at a place; nil when a length has no room for them. `isWithin` says that they belong to
  /// the part that begins there.
  func inserting(_ new: [UInt8], at place: Int, sizes: [Field], isWithin: Bool = false) -> [UInt8]? {
    var changed = bytes
    for field in sizes {
      let value = number(field.at, field.width, isLittle: field.isLittle)
      let size = (value & ~field.mask) + new.count
      // An open length stays open.
      if field.width == 4, value == 0xFFFF_FFFF { continue }
      guard size < 1 << min(62, 8 * field.width), size & field.mask == 0 else { return nil }
      write(size | value & field.mask, field, at: field.at, in: &changed)
    }
    for field in offsets {
      guard let base = field.base, base < place || base == 0 else { continue }
      let value = number(field.at, field.width, isLittle: field.isLittle)
      guard value != 0, base + value >= (isWithin ? place + 1 : place) else { continue }
      write(value + new.count, field, at: field.at, in: &changed)
    }
    changed.insert(contentsOf: new, at: place)
    return finished(changed)
  }

  /// The file with a part in a gap, and one part more in its number.
  func inserting(_ new: [UInt8], in gap: Gap) -> [UInt8]? {
    guard var changed = inserting(new, at: gap.at, sizes: gap.sizes, isWithin: gap.coding != nil) else {
      return nil
    }
    if let count = gap.count {
      let value = number(count.at, count.width)
      guard (value & ~count.mask) + 1 < 1 << (8 * count.width) - count.mask else { return nil }
      write(value + 1, count, at: count.at, in: &changed)
    }
    return changed
  }

  func replacing(_ range: Range<Int>, with new: [UInt8]) -> [UInt8] {
    var changed = bytes
    changed.replaceSubrange(range, with: new)
    return finished(changed)
  }

  /// The same bytes with right checksums.
  private func finished(_ bytes: [UInt8]) -> [UInt8] {
    var changed = bytes
    if family == .png {
      var start = 8
      while start + 12 <= changed.count {
        let length = number(start, 4, in: changed)
        guard length <= changed.count - start - 12 else { break }
        let end = start + 8 + length
        changed.replaceSubrange(end..<(end + 4), with: big(Int(crc32(Array(changed[(start + 4)..<end])))))
        start = end + 4
      }
    } else if family == .ogg {
      var start = 0
      while start + 27 <= changed.count, changed[start..<(start + 4)].elementsEqual("OggS".utf8) {
        let count = Int(changed[start + 26])
        guard start + 27 + count <= changed.count else { break }
        let body = changed[(start + 27)..<(start + 27 + count)].reduce(0) { $0 + Int($1) }
        let end = start + 27 + count + body
        guard end <= changed.count else { break }
        changed.replaceSubrange((start + 22)..<(start + 26), with: [0, 0, 0, 0])
        let sum = TinyFLAC.sum(Array(changed[start..<end]), bits: 32, polynomial: 0x04C1_1DB7)
        changed.replaceSubrange((start + 22)..<(start + 26), with: little(sum))
        start = end
      }
    }
    return changed
  }

  /// A part of a type that the file may or may not know, to stand in a gap; nil where the grammar has no parts.
  func part(_ type: [UInt8], _ body: [UInt8]) -> [UInt8]? {
    switch family {
    case .jpeg: type.count == 1 ? [0xFF] + type + big(body.count + 2, 2) + body : nil
    case .j2k: type.count == 1 ? [0xFF] + type + big(body.count + 2, 2) + body : nil
    case .png: pngChunk(String(decoding: type, as: UTF8.self), body)
    case .gif: type.count == 1 ? TinyGIF.block(type[0], [], body) : TinyGIF.block(0xFF, type, body)
    case .riff: type + little(body.count) + body + [UInt8](repeating: 0x41, count: body.count % 2)
    case .iff: type + big(body.count) + body + [UInt8](repeating: 0x41, count: body.count % 2)
    case .iso: big(body.count + 8) + type + body
    case .ebml: type + [0x01] + big(body.count, 7) + body
    case .flac: type + big(body.count, 3) + body
    case .ogg, .frames, .tiff, .icc, .plain: nil
    }
  }

  // MARK: Reading

  mutating func add(_ path: String, _ start: Int, _ body: Range<Int>, _ sizes: [Field], isLeaf: Bool = true) {
    parts.append(Part(path: path, start: start, body: body, sizes: sizes, isLeaf: isLeaf))
  }

  mutating func gap(_ path: String, _ at: Int, _ sizes: [Field]) {
    gaps.append(Gap(path: path, at: at, sizes: sizes))
  }

  private mutating func readJPEG() {
    var start = 2
    var path = ""
    while start + 2 <= bytes.count, bytes[start] == 0xFF {
      gap(path, start, [])
      path = ""
      let marker = bytes[start + 1]
      let isProfile = marker == 0xE2 && bytes[(start + 2)...].dropFirst(2).starts(with: "ICC_PROFILE".utf8)
      let name = String(marker, radix: 16, uppercase: true) + (isProfile ? " ICC" : "")
      if marker == 0xD9 {
        start += 2
        break
      }
      let end = start + 2 + number(start + 2, 2)
      guard end <= bytes.count, start + 4 <= end else { return }
      add(name, start, (start + 4)..<end, [Field(at: start + 2, width: 2)])
      start = end
      guard marker == 0xDA else { continue }
      while start + 1 < bytes.count,
        bytes[start] != 0xFF || [0, 0xFF].contains(bytes[start + 1]) || 0xD0...0xD7 ~= bytes[start + 1]
      { start += 1 }
      add("scan", end, end..<start, [])
      path = "scan's end"
    }
    gap("behind", start, [])
  }

  /// Markers of a JPEG 2000 codestream.
  private mutating func readMarkers(_ range: Range<Int>, path: String, _ sizes: [Field]) {
    var start = range.lowerBound + 2
    while start + 4 <= range.upperBound, bytes[start] == 0xFF, bytes[start + 1] != 0xD9 {
      gap(path + "codestream", start, sizes)
      let marker = bytes[start + 1]
      if marker == 0x93 {
        // The next tile-part, or the end.
        let first = start
        start += 2
        while start + 1 < range.upperBound, bytes[start] != 0xFF || ![0x90, 0xD9].contains(bytes[start + 1]) {
          start += 1
        }
        add(path + "tile data", first, (first + 2)..<start, sizes)
        continue
      }
      let end = start + 2 + number(start + 2, 2)
      guard end <= range.upperBound else { return }
      let name = String(marker, radix: 16, uppercase: true)
      add(path + name, start, (start + 4)..<end, sizes + [Field(at: start + 2, width: 2)])
      start = end
    }
    gap(path + "codestream's end", start, sizes)
  }

  private mutating func readChunks(from first: Int, isLittle: Bool, extra: Int) {
    var start = first
    while start + 8 + extra <= bytes.count {
      gap("", start, [])
      let body = (start + 8)..<(start + 8 + number(start, 4))
      guard body.upperBound + extra <= bytes.count else { return }
      add(type(start + 4), start, body, [Field(at: start, width: 4)])
      start = body.upperBound + extra
    }
  }

  private mutating func readGIF() {
    guard bytes.count > 13 else { return }
    let table = { (flags: UInt8) in flags & 0x80 == 0 ? 0 : 3 << (Int(flags & 7) + 1) }
    var start = 13 + table(bytes[10])
    add("screen", 0, 6..<13, [])
    add("colors", 13, 13..<start, [])
    while start < bytes.count {
      gap("", start, [])
      let first = start
      let kind = bytes[start]
      guard kind == 0x21 || kind == 0x2C, start + 10 < bytes.count else { break }
      let label = kind == 0x21 ? String(bytes[start + 1], radix: 16) : "image"
      start += kind == 0x21 ? 2 : 11 + table(bytes[start + 9])
      while start < bytes.count, bytes[start] != 0 { start += 1 + Int(bytes[start]) }
      start += 1
      guard start <= bytes.count else { return }
      add(label, first, (first + 1)..<start, [])
      if start > first + 2 { gap(label + "'s last block", start - 1, []) }
    }
  }

  private mutating func readRIFF(_ range: Range<Int>, path: String, _ sizes: [Field], isLittle: Bool) {
    var start = range.lowerBound
    while start + 8 <= range.upperBound {
      gap(path, start, sizes)
      let kind = type(start)
      let length = number(start + 4, 4, isLittle: isLittle)
      let body = (start + 8)..<min(range.upperBound, start + 8 + length)
      let size = Field(at: start + 4, width: 4, isLittle: isLittle)
      let head = ["RIFF": 4, "RIFX": 4, "RF64": 4, "FORM": 4, "LIST": 4, "ANMF": 16][kind]
      if let head, body.count >= head {
        let name = kind == "ANMF" ? kind : type(start + 8)
        add(path + name, start, body, sizes + [size], isLeaf: false)
        readRIFF(
          (start + 8 + head)..<body.upperBound,
          path: path + name + "/",
          sizes + [size],
          isLittle: isLittle
        )
      } else {
        add(path + kind, start, body, sizes + [size])
        if ["00dc", "00db"].contains(kind) {
          readUnits(body, path + kind, sizes + [size], Coding(chunk: bytes[body]))
        }
      }
      start = body.upperBound + body.count % 2
    }
    gap(path + "end", min(start, range.upperBound), sizes)
  }

  private static let parents: Set<String> = [
    "moov", "trak", "mdia", "minf", "stbl", "dinf", "edts", "udta", "tref", "mvex", "moof", "traf", "iprp",
    "ipco", "gmhd", "wave", "sinf", "schi", "jp2h", "vexu", "eyes", "cams", "sv3d", "proj", "mfra", "grpl",
    "meta", "stsd", "dref", "iinf", "iref", "tapt", "res ", "pack", "cmfy",
  ]

  mutating func readBoxes(_ range: Range<Int>, path: String, _ sizes: [Field]) {
    var start = range.lowerBound
    while start + 8 <= range.upperBound {
      gap(path, start, sizes)
      var (length, head) = (number(start, 4), 8)
      var size = [Field(at: start, width: 4)]
      if length == 1 {
        (length, head) = (number(start + 8, 8), 16)
        size = [Field(at: start + 8, width: 8)]
      } else if length == 0 {
        (length, size) = (range.upperBound - start, [])
      }
      guard length >= head, length <= range.upperBound - start else { return }
      let kind = type(start + 4)
      let body = (start + head)..<(start + length)
      let within = sizes + size
      if kind == "jp2c" {
        add(path + kind, start, body, within, isLeaf: false)
        readMarkers(body, path: path + "jp2c/", within)
      } else if let inner = headLength(of: kind, body, path) {
        add(path + kind, start, body, within, isLeaf: false)
        if inner > 0 { add(path + kind + " head", start, body.lowerBound..<(body.lowerBound + inner), []) }
        readBoxes((body.lowerBound + inner)..<body.upperBound, path: path + kind + "/", within)
      } else {
        add(path + kind, start, body, within)
      }
      readOffsets(kind, body, moof: path.hasPrefix("moof") ? lastFragment : nil)
      start += length
    }
    gap(path + "end", start, sizes)
  }

  private var lastFragment: Int? { parts.last { $0.path == "moof" }?.start }

  /// The number of bytes ahead of the boxes in a box; nil for one without.
  private func headLength(of kind: String, _ body: Range<Int>, _ path: String) -> Int? {
    if path.hasSuffix("stsd/") {
      return [78, 28, 44, 64].first {
        holdsBoxes((body.lowerBound + $0)..<max(body.lowerBound + $0, body.upperBound))
      }
    }
    guard Self.parents.contains(kind) else { return nil }
    switch kind {
    case "meta": return type(body.lowerBound + 4) == "hdlr" ? 0 : 4
    case "stsd", "dref": return 8
    case "iinf": return number(body.lowerBound, 1) == 0 ? 6 : 8
    case "iref": return 4
    default: return holdsBoxes(body) ? 0 : nil
    }
  }

  private func holdsBoxes(_ range: Range<Int>) -> Bool {
    guard range.upperBound <= bytes.count else { return false }
    var start = range.lowerBound
    while start + 8 <= range.upperBound {
      let length = number(start, 4)
      guard length >= 8, length <= range.upperBound - start, type(start + 4).utf8.count == 4 else {
        return false
      }
      start += length
    }
    return range.upperBound - start < 8 && !range.isEmpty
  }

  private mutating func readOffsets(_ kind: String, _ body: Range<Int>, moof: Int?) {
    let first = body.lowerBound
    switch kind {
    case "stco", "co64":
      let width = kind == "stco" ? 4 : 8
      for index in 0..<min(number(first + 4, 4), body.count / width) {
        offsets.append(Field(at: first + 8 + width * index, width: width, base: 0))
      }
    case "tfhd" where number(first + 3, 1) & 1 == 1:
      offsets.append(Field(at: first + 8, width: 8, base: 0))
    case "trun" where number(first + 3, 1) & 1 == 1:
      offsets.append(Field(at: first + 8, width: 4, base: moof ?? 0))
    case "iloc": readLocations(body)
    default: break
    }
  }

  private mutating func readLocations(_ body: Range<Int>) {
    let version = number(body.lowerBound, 1)
    let widths = number(body.lowerBound + 4, 2)
    let (offset, length, base) = (widths >> 12, widths >> 8 & 15, widths >> 4 & 15)
    let index = version > 0 ? widths & 15 : 0
    let wide = version == 2 ? 4 : 2
    var at = body.lowerBound + 6 + wide
    for _ in 0..<number(body.lowerBound + 6, wide) {
      at += wide
      let method = version > 0 ? number(at, 2) & 15 : 0
      at += version > 0 ? 4 : 2
      let hasBase = base > 0 && number(at, base) != 0
      if method == 0, hasBase { offsets.append(Field(at: at, width: base, base: 0)) }
      at += base
      let extents = number(at, 2)
      at += 2
      for _ in 0..<extents {
        guard at + index + offset + length <= body.upperBound else { return }
        if method == 0, !hasBase, offset > 0 { offsets.append(Field(at: at + index, width: offset, base: 0)) }
        at += index + offset + length
      }
    }
  }

  private mutating func readElements(_ range: Range<Int>, path: String, _ sizes: [Field]) {
    var start = range.lowerBound
    while start + 9 <= range.upperBound {
      gap(path, start, sizes)
      let width = bytes[start].leadingZeroBitCount + 1
      guard width <= 4, start + width + 8 <= range.upperBound, bytes[start + width] == 1 else { return }
      let identifier = number(start, width)
      let length = number(start + width + 1, 7)
      let body = (start + width + 8)..<(start + width + 8 + length)
      guard body.upperBound <= range.upperBound else { return }
      let size = sizes + [Field(at: start + width + 1, width: 7)]
      let name = String(identifier, radix: 16, uppercase: true)
      let isParent = EBMLRewriting.parents.contains(identifier)
      add(path + name, start, body, size, isLeaf: !isParent)
      if isParent { readElements(body, path: path + name + "/", size) }
      start = body.upperBound
    }
    gap(path + "end", start, sizes)
  }

  private mutating func readFLAC() {
    var start = 4
    while start + 4 <= bytes.count, bytes[start] != 0xFF {
      if start > 4 { gap("", start, []) }
      let body = (start + 4)..<(start + 4 + number(start + 1, 3))
      guard body.upperBound <= bytes.count else { return }
      add("block \(bytes[start] & 0x7F)", start, body, [Field(at: start + 1, width: 3)])
      start = body.upperBound
      if bytes[body.lowerBound - 4] & 0x80 != 0 { break }
    }
    add("frames", start, start..<bytes.count, [])
    gap("frames", start, [])
  }

  private mutating func readPages() {
    var start = 0
    while start + 27 <= bytes.count, type(start) == "OggS" {
      let count = Int(bytes[start + 26])
      guard start + 27 + count <= bytes.count else { return }
      let lacing = bytes[(start + 27)..<(start + 27 + count)]
      let body = (start + 27 + count)..<(start + 27 + count + lacing.reduce(0) { $0 + Int($1) })
      guard body.upperBound <= bytes.count else { return }
      gap("", start, [])
      add("page head", start, (start + 4)..<(start + 27), [])
      // The first packet of a page whose last part can grow, by one value of its lacing.
      let first = lacing.firstIndex { $0 < 255 }
      let size = first.map { [Field(at: $0, width: 1)] } ?? []
      let page = number(start + 18, 4, isLittle: true)
      add(page < 3 ? "page \(page)" : "pages", start, body, size)
      start = body.upperBound
    }
  }

  private mutating func readFrames() {
    var start = 0
    if type(0).hasPrefix("ID3"), bytes.count > 10 {
      start = 10 + bytes[6..<10].reduce(0) { $0 << 7 | Int($1 & 0x7F) }
      guard start <= bytes.count else { return }
      add("ID3v2", 0, 3..<start, [])
    }
    var last = start
    for offset in start..<max(start, bytes.count - 1)
    where bytes[offset] == 0xFF && bytes[offset + 1] & 0xE0 == 0xE0 && offset - last > 3 {
      gap("frame", offset, [])
      add("frame", last, last..<offset, [])
      last = offset
    }
    add("frame", last, last..<bytes.count, [])
  }

  private mutating func readPlain() {
    add("all", 0, 0..<bytes.count, [])
    for offset in stride(from: 1, to: bytes.count, by: max(1, bytes.count / 200)) { gap("", offset, []) }
  }
}

/// A Matroska whose elements all have lengths of eight bytes.
enum EBMLRewriting {
  static let parents: Set<Int> = [
    0x1A45_DFA3, 0x1853_8067, 0x114D_9B74, 0x4DBB, 0x1549_A966, 0x1654_AE6B, 0xAE, 0xE0, 0xE1, 0x55B0,
    0x55D0, 0x7670, 0x6D80, 0x6240, 0x5034, 0x1F43_B675, 0xA0, 0x75A1, 0xA6, 0x1C53_BB6B, 0xBB, 0xB7, 0x41E4,
    0x1254_C367, 0x7373, 0x67C8,
  ]

  static func wide(_ bytes: [UInt8]) -> [UInt8] {
    var written: [UInt8] = []
    var start = 0
    while start + 2 <= bytes.count {
      let width = bytes[start].leadingZeroBitCount + 1
      guard width <= 4, start + width < bytes.count else { break }
      let sizes = bytes[start + width].leadingZeroBitCount + 1
      let head = start + width + sizes
      guard sizes <= 8, head <= bytes.count else { break }
      let identifier = bytes[start..<(start + width)].reduce(0) { $0 << 8 | Int($1) }
      let mask = 1 << (7 * sizes) - 1
      let value = bytes[(start + width)..<head].reduce(0) { ($0 << 8 | Int($1)) & (1 << 57 - 1) } & mask
      let length = value == mask ? bytes.count - head : value
      guard length <= bytes.count - head else { break }
      var body = Array(bytes[head..<(head + length)])
      if parents.contains(identifier) { body = wide(body) }
      written += bytes[start..<(start + width)] + [1] + big(body.count, 7) + body
      start = head + length
    }
    return written + bytes[min(start, bytes.count)...]
  }
}

// MARK: TIFF

extension FileGrammar {
  private var isLittle: Bool { bytes.first == 0x49 }

  /// The directories of a TIFF that the header and pointers lead to: each entry is a part, each value another.
  mutating func readDirectories() {
    guard bytes.count > 8, number(2, 2, isLittle: isLittle) == 42 else { return readPlain() }
    var known: Set<Int> = []
    var next: [(at: Int, path: String)] = [(4, "IFD")]
    while let pointer = next.popLast() {
      let start = number(pointer.at, 4, isLittle: isLittle)
      guard start >= 8, start + 6 <= bytes.count, known.insert(start).inserted else { continue }
      let count = number(start, 2, isLittle: isLittle)
      let end = start + 2 + 12 * count
      guard end + 4 <= bytes.count else { continue }
      // The field is where the directory is pointed to.
      gap(pointer.path, start, [Field(at: pointer.at, width: 4, isLittle: isLittle)])
      for entry in stride(from: start + 2, to: end, by: 12) {
        let tag = number(entry, 2, isLittle: isLittle)
        let values = number(entry + 4, 4, isLittle: isLittle)
        let kind = number(entry + 2, 2, isLittle: isLittle)
        let sizes = [0, 1, 1, 2, 4, 8, 1, 1, 2, 4, 8, 4, 8, 4]
        let length = kind < sizes.count ? values &* sizes[kind] : 0
        let at = length > 4 ? number(entry + 8, 4, isLittle: isLittle) : entry + 8
        let path = "\(pointer.path)/\(tag)"
        if length > 0, at + length <= bytes.count { add(path, entry, at..<(at + length), []) }
        if [0x014A, 0x8769, 0x8825, 0xA005].contains(tag), length >= 4, at + length <= bytes.count {
          next += stride(from: at, to: at + length - 3, by: 4).map { (at: $0, path: path) }
        }
      }
      next.append((at: end, path: pointer.path + " next"))
    }
    add("all", 0, 8..<bytes.count, [])
  }

  /// The file with one entry more in a directory, which is then at the end.
  func adding(tag: Int, type: Int, count: Int, value: [UInt8], to directory: Gap) -> [UInt8]? {
    guard let pointer = directory.sizes.first else { return nil }
    let start = directory.at
    let entries = number(start, 2, isLittle: isLittle)
    let written = { (value: Int, width: Int) in isLittle ? little(value, width) : big(value, width) }
    var rows = (0..<entries).map { Array(bytes[(start + 2 + 12 * $0)..<(start + 14 + 12 * $0)]) }
    var changed = bytes + [UInt8](repeating: 0, count: bytes.count % 2)
    let place = changed.count
    changed += value + [UInt8](repeating: 0, count: value.count % 2)
    let row =
      written(tag, 2) + written(type, 2) + written(count, 4)
      + (value.count > 4 ? written(place, 4) : value + [UInt8](repeating: 0, count: 4 - value.count))
    let index = rows.firstIndex { number(0, 2, isLittle: isLittle, in: $0) >= tag } ?? rows.count
    if index < rows.count, number(0, 2, isLittle: isLittle, in: rows[index]) == tag { rows.remove(at: index) }
    rows.insert(row, at: index)
    changed.replaceSubrange(pointer.at..<(pointer.at + 4), with: written(changed.count, 4))
    let end = start + 2 + 12 * entries
    return changed + written(rows.count, 2) + rows.flatMap { $0 } + bytes[end..<(end + 4)]
  }
}
