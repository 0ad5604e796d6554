import Glibc
import MediaModel
import MediaTestSupport

@testable import MediaContainers
@testable import MediaMetadata
@testable import MediaStripping

/// A text in each place that the grammar of a whole file allows: in parts of every type between, ahead of and
/// behind the parts of the file at each depth, at the start, in the middle and at the end of each part, and over
/// the bytes of each field.
enum PlantedPlaces {
  struct Plant {
    /// The types of the parts around it.
    var path: String
    var operation: String
    /// The file with the text; nil where its lengths have no room for it.
    var make: () -> [UInt8]?
    var name: String { "\(path) \(operation)" }
  }

  /// What became of a planted file.
  enum Outcome: Equatable {
    /// The output has the text.
    case left
    /// As the output of the file without it.
    case same
    /// Another output, without it.
    case other
    /// No output.
    case refused
  }

  // MARK: The text

  /// Two halves of 16 bytes, each of which is looked for.
  static let text = Array("Pl4nt3dT3xt#oNe!qZsEc0ndH@lf7w%K".utf8)

  /// The text twice, deflated: it does not stand in these bytes.
  static let deflated: [UInt8] = [
    0x78, 0xDA, 0x0B, 0xC8, 0x31, 0xC9, 0x2B, 0x31, 0x4E, 0x09, 0x31, 0xAE, 0x28, 0x51, 0xCE, 0xF7,
    0x4B, 0x55, 0x2C, 0x8C, 0x2A, 0x76, 0x4D, 0x36, 0xC8, 0x4B, 0xF1, 0x70, 0xC8, 0x49, 0x33, 0x2F,
    0x57, 0xF5, 0x0E, 0x20, 0x20, 0x0F, 0x00, 0xB9, 0x0E, 0x15, 0x45,
  ]

  static let bodies: [(name: String, bytes: [UInt8])] = [
    ("text", text), ("UTF-16", text.flatMap { [$0, 0] }), ("UTF-16 big", text.flatMap { [0, $0] }),
    ("zlib", deflated), ("behind zeros", [0, 0, 0, 0, 0, 0, 0, 0] + text),
  ]

  /// What is looked for: each half as it is and in UTF-16, the deflated text, and the halves at other bits of a
  /// byte.
  private static let needles: [[UInt8]] = {
    var needles: [[UInt8]] = []
    for half in [Array(text.prefix(16)), Array(text.suffix(16))] {
      needles += [
        half, Array(half.flatMap { [$0, 0] }.dropLast()), Array(half.flatMap { [0, $0] }.dropFirst()),
      ]
      for shift in 1...7 {
        needles.append(zip(half, half.dropFirst()).map { UInt8((Int($0) << 8 | Int($1)) >> shift & 0xFF) })
      }
    }
    return needles + [Array(deflated[8..<24])]
  }()

  static func isPresent(in bytes: [UInt8]) -> Bool {
    bytes.withUnsafeBytes { bytes in needles.contains { holds(bytes, $0) } }
  }

  /// Looks for each byte that a needle starts with by memchr: this is not optimized.
  private static func holds(_ bytes: UnsafeRawBufferPointer, _ needle: [UInt8]) -> Bool {
    guard var start = bytes.baseAddress else { return false }
    var left = bytes.count
    while left >= needle.count, let hit = memchr(start, Int32(needle[0]), left - needle.count + 1) {
      if memcmp(hit, needle, needle.count) == 0 { return true }
      left -= UnsafeRawPointer(hit) - start + 1
      start = UnsafeRawPointer(hit) + 1
    }
    return false
  }

  /// Strips a planted file as the worker does, with a second look.
  static func outcome(
    of bytes: [UInt8],
    _ format: MediaFormat,
    _ options: StripOptions = StripOptions(),
    clean: [UInt8]
  ) -> (Outcome, output: [UInt8]) {
    guard let output = try? strip(bytes, format, options).output,
      withSource(
        output,
        { source in
          code { try Stripper.verify(output: source, format: format, options: options) }
        }
      ) == nil
    else { return (.refused, []) }
    if isPresent(in: output) { return (.left, output) }
    return (output == clean ? .same : .other, output)
  }

  // MARK: Places

  /// The places of a file, with about `density` offsets of each part.
  static func plants(of file: FileGrammar, density: Int) -> [Plant] {
    var plants: [Plant] = []
    for gap in file.gaps { plants += gap.coding == nil ? between(gap, file) : coded(gap, file) }
    let isMovable = file.family != .tiff
    for part in file.parts {
      if part.isLeaf { plants += over(part, file, density) }
      if isMovable, part.isLeaf { plants += within(part, file) }
      if part.isLeaf { plants += units(part, file) }
    }
    return plants
  }

  /// Units within a sample or a configuration.
  private static func coded(_ gap: FileGrammar.Gap, _ file: FileGrammar) -> [Plant] {
    let units = gap.coding.map { PlantedUnits.of($0) } ?? []
    return units.map { name, unit in
      Plant(path: gap.path, operation: "+ \(name)") { file.inserting(unit, in: gap) }
    }
  }

  private static func between(_ gap: FileGrammar.Gap, _ file: FileGrammar) -> [Plant] {
    var plants: [Plant] = []
    func add(_ name: String, _ bytes: [UInt8]?) {
      guard let bytes else { return }
      plants.append(
        Plant(path: gap.path, operation: "+ \(name)") { file.inserting(bytes, at: gap.at, sizes: gap.sizes) }
      )
    }
    if file.family == .tiff, !gap.sizes.isEmpty { return tags(gap, file) }
    for (name, body) in bodies { add("bytes, \(name)", body) }
    for type in types(file) {
      let label = type.count == 4 ? String(decoding: type, as: UTF8.self) : "\(type)"
      for (name, body) in bodies { add("\(label), \(name)", file.part(type, body)) }
      // A part of the type within one, and the halves of the text in two.
      if let inner = file.part(type, text) { add("\(label) in \(label)", file.part(type, inner)) }
      if let first = file.part(type, Array(text.prefix(16))),
        let second = file.part(type, Array(text.suffix(16)))
      {
        add("\(label) twice", first + second)
      }
    }
    for (name, bytes) in wholes(file) { add(name, bytes) }
    // Another of each part that the file has, with the text behind its bytes.
    for part in file.parts where part.start < part.body.lowerBound && part.body.count < 512 {
      guard part.isLeaf, let size = part.sizes.last, file.family != .ogg else { continue }
      var copy = Array(file.bytes[part.start..<part.body.upperBound])
      let at = size.at - part.start
      guard at >= 0, at + size.width <= copy.count, size.width <= 7 else { continue }
      let value = file.number(size.at, size.width, isLittle: size.isLittle) + text.count
      let written = size.isLittle ? little(value, size.width) : big(value, size.width)
      copy.replaceSubrange(at..<(at + size.width), with: written)
      add("a longer \(part.path)", copy + text + (file.family == .png ? [0, 0, 0, 0] : []))
    }
    return plants
  }

  private static func within(_ part: FileGrammar.Part, _ file: FileGrammar) -> [Plant] {
    let places = [
      ("start", part.body.lowerBound), ("middle", part.body.lowerBound + part.body.count / 2),
      ("end", part.body.upperBound),
    ]
    return places.flatMap { place, at in
      bodies.map { name, body in
        Plant(path: part.path, operation: "\(place), \(name)") {
          file.inserting(body, at: at, sizes: part.sizes, isWithin: part.isCoded)
        }
      }
    }
  }

  private static func over(_ part: FileGrammar.Part, _ file: FileGrammar, _ density: Int) -> [Plant] {
    var plants: [Plant] = []
    for (name, body) in [("text", text), ("half", Array(text.prefix(16)))] where part.body.count >= body.count
    {
      let room = part.body.count - body.count
      let step = max(1, room / density)
      for offset in stride(from: 0, through: room, by: step) {
        let start = part.body.lowerBound + offset
        plants.append(
          Plant(path: part.path, operation: "over, \(name)") {
            file.replacing(start..<(start + body.count), with: body)
          }
        )
      }
    }
    return plants
  }

  /// Units of coded video in front of a frame of a Matroska and behind it.
  private static func units(_ part: FileGrammar.Part, _ file: FileGrammar) -> [Plant] {
    guard file.family == .ebml, part.path.hasSuffix("/A3") || part.path.hasSuffix("/A1"), part.body.count > 4
    else { return [] }
    var units: [(String, [UInt8])] = []
    for type in 0..<64 {
      let kinds: [(String, [UInt8])] = [
        ("H.264 unit", [UInt8(type)] + text), ("HEVC unit", [UInt8(type << 1), 1] + text),
      ]
      for (name, unit) in kinds { units.append(("\(name) \(type)", big(unit.count) + unit)) }
      if type < 16 { units.append(("OBU \(type)", [UInt8(type << 3 | 2), UInt8(text.count)] + text)) }
      let message = [UInt8(type), UInt8(text.count)] + text + [0x80]
      units.append(("SEI \(type)", big(message.count + 1) + [6] + message))
      units.append(("HEVC SEI \(type)", big(message.count + 2) + [78, 1] + message))
    }
    for code in 0...255 { units.append(("start code \(code)", [0, 0, 1, UInt8(code)] + text)) }
    return units.flatMap { name, unit in
      [part.body.lowerBound + 4, part.body.upperBound].map { at in
        Plant(path: part.path, operation: "+ \(name)") { file.inserting(unit, at: at, sizes: part.sizes) }
      }
    }
  }

  private static func tags(_ directory: FileGrammar.Gap, _ file: FileGrammar) -> [Plant] {
    let sizes = [1: 1, 2: 1, 3: 2, 4: 4, 5: 8, 6: 1, 7: 1, 8: 2, 9: 4, 10: 8, 11: 4, 12: 8, 13: 4]
    let others = [
      0x00FE, 0x00FF, 0x0107, 0x010D, 0x010E, 0x010F, 0x0110, 0x011D, 0x0120, 0x0122, 0x0123, 0x0129, 0x012C,
      0x012D, 0x0131, 0x0132, 0x013B, 0x013C, 0x0141, 0x0148, 0x014C, 0x014D, 0x0150, 0x0151, 0x0157, 0x015A,
      0x0200, 0x0201, 0x0202, 0x02BC, 0x1000, 0x4746, 0x80A4, 0x80E3, 0x8298, 0x830E, 0x83BB, 0x847E, 0x8482,
      0x85D8, 0x8649, 0x8773, 0x87AF, 0x87B0, 0x87B1, 0x9286, 0x927C, 0x935C, 0x9C9B, 0x9C9F, 0xA480, 0xA481,
      0xC4A5, 0xC44F, 0xFDE8, 0xFFFF, 0,
    ]
    let known = Set(TIFFAllowList.rules.keys).union(DNGAllowList.rules.keys).union(0xC612...0xC7FF)
    return (Set(others).union(known)).sorted().flatMap { tag in
      sizes.sorted { $0.key < $1.key }.flatMap { type, size in
        bodies.map { name, body in
          Plant(path: directory.path, operation: "+ tag \(tag) of type \(type), \(name)") {
            let padded = body + [UInt8](repeating: 0, count: (size - body.count % size) % size)
            return file.adding(tag: tag, type: type, count: padded.count / size, value: padded, to: directory)
          }
        }
      }
    }
  }

  // MARK: Types of parts

  private static func types(_ file: FileGrammar) -> [[UInt8]] {
    let seen = file.parts.compactMap { part -> String? in
      part.path.split(separator: "/").last.map { String($0) }
    }
    func named(_ names: [String]) -> [[UInt8]] {
      Set(names).sorted().compactMap { name in
        let bytes = name.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) }
        return bytes.count == 4 ? bytes : nil
      }
    }
    switch file.family {
    case .jpeg: return (UInt8(1)...0xFE).filter { !(0xD0...0xD9 ~= $0) }.map { [$0] }
    case .j2k: return (UInt8(0x4F)...0xFE).filter { ![0x90, 0x93, 0xD9].contains($0) }.map { [$0] }
    case .png:
      let known = PNGAllowList.list.parts.flatMap(\.keys).map(\.name)
      return named(
        known + ["tEXt", "zTXt", "iTXt", "tIME", "sPLT", "pHYs", "sCAL", "caBX", "cpIp", "caNv", "zZzZ"]
      )
    case .gif:
      return [1, 0x42, 0xF9, 0xFE, 0xFF].map { [UInt8($0)] }
        + ["NETSCAPE2.0", "ANIMEXTS1.0", "XMP DataXMP", "ICCRGBG1012", "OTHER APP01"].map { Array($0.utf8) }
    case .riff:
      return named(
        seen + [
          "LIST", "JUNK", "PAD ", "bext", "iXML", "axml", "cart", "id3 ", "ID3 ", "_PMX", "XMP ", "EXIF",
          "ICCP",
          "cue ", "plst", "smpl", "inst", "fact", "fmt ", "data", "wavl", "slnt", "note", "labl", "DISP",
          "ds64",
          "PEAK", "acid", "chna", "C2PA", "IDIT", "ISMP", "strd", "strn", "strf", "strh", "strl", "vprp",
          "indx",
          "ix00", "avih", "dmlh", "idx1", "hdrl", "INFO", "movi", "00dc", "01wb", "00db", "00pc", "02tx",
          "00ix",
          "rec ", "VP8X", "VP8 ", "VP8L", "ALPH", "ANIM", "ANMF", "FRGM", "zzzz", "RIFF",
        ]
      )
    case .iff:
      return named(
        seen + [
          "COMM", "SSND", "FVER", "NAME", "AUTH", "(c) ", "ANNO", "COMT", "MARK", "INST", "MIDI", "AESD",
          "APPL",
          "CHAN", "ID3 ", "FORM", "zzzz",
        ]
      )
    case .iso:
      let allowed = BoxAllowList.movie.rules.flatMap { [$0.key] + $0.value.keys }.map(\.displayName)
      return named(
        seen + allowed + [
          "uuid", "xml ", "free", "skip", "wide", "meta", "udta", "mdat", "Exif", "jumb", "XMP_", "\u{A9}xyz",
          "loci", "gps ", "ID32", "cprt", "uinf", "idat", "hdlr", "name", "keys", "ilst", "emsg", "prft",
          "styp",
          "ssix", "pdin", "tfra", "mfra", "iods", "pnot", "PICT", "sefd", "mpvd", "brob", "jbrd", "jxlp",
          "jxlc",
          "jxll", "jxli", "res ", "resc", "jp2i", "jp2c", "jp2h", "bpcc", "colr", "cdef", "pclr", "cmap",
          "ihdr",
          "udes", "infe", "ipro", "iref", "ipma", "ispe", "rloc", "pixi", "auxC", "tmap", "rmcd", "nmhd",
          "sthd",
          "gmhd", "gmin", "text", "code", "load", "imap", "clip", "matt", "kmat", "crgn", "subs", "saiz",
          "saio",
          "senc", "pssh", "sinf", "frma", "schm", "schi", "strk", "trgr", "kind", "elng", "ludt", "loop",
          "zzzz",
        ]
      )
    case .ebml:
      let identifiers = Set(
        EBMLRewriting.parents.union([
          0xEC, 0xBF, 0x4FFF, 0x73A4, 0x7384, 0x3C_B923, 0x3C83AB, 0x3E_B923, 0x3E83BB, 0x4444, 0x6924,
          0x7BA9,
          0x4D80, 0x5741, 0x4461, 0x4489, 0x2AD7B1, 0xD7, 0x73C5, 0x83, 0xB9, 0x88, 0x55AA, 0x55AB, 0x9C,
          0x6DE7,
          0x6DF8, 0x23E383, 0x234E7A, 0x537F, 0x55EE, 0x41F0, 0x41A4, 0x41E7, 0x41ED, 0x536E, 0x22B59C,
          0x22B59D,
          0x86, 0x63A2, 0x258688, 0x7446, 0x3A9697, 0x3B4040, 0x26B240, 0xAA, 0x6FAB, 0x56AA, 0x56BB, 0x6624,
          0x9A,
          0x9D, 0x53B8, 0x53C0, 0x53B9, 0xB0, 0xBA, 0x54AA, 0x54B0, 0x54BA, 0x54B2, 0x54B3, 0x2EB524,
          0x2FB523,
          0x2383E3, 0x55B1, 0x55BC, 0x7671, 0x7672, 0x7673, 0xB5, 0x78B5, 0x9F, 0x7D7B, 0x6264, 0xE2, 0xE9,
          0x4254,
          0x4255, 0x5035, 0x47E1, 0x47E2, 0x1941_A469, 0x61A7, 0x467E, 0x466E, 0x4660, 0x465C, 0x46AE,
          0x1043_A770,
          0xE7, 0x5854, 0xA7, 0xAB, 0xA3, 0xA1, 0xA2, 0xAF, 0x9B, 0xFA, 0xFB, 0xFD, 0xA4, 0x75A2, 0x8E, 0xE8,
          0xC8,
          0xEE, 0xA5, 0xB3, 0xF7, 0xF1, 0xF0, 0xB2, 0x5378, 0xEA, 0xDB, 0x4281, 0x4282, 0x4286, 0x1B53_8667,
        ])
      )
      return identifiers.sorted().map { identifier in
        big(identifier, 4).drop { $0 == 0 }.map { $0 }
      }
    case .flac: return (0...127).map { [UInt8($0)] }
    case .ogg, .frames, .tiff, .icc, .plain: return []
    }
  }

  /// Whole structures of other grammars that stand between the parts of a file.
  private static func wholes(_ file: FileGrammar) -> [(String, [UInt8])] {
    let tags: [(String, [UInt8])] = [
      ("ID3v2", TinyMP3.id3(4, [("TIT2", [3] + text)])), ("ID3v2.3", TinyMP3.id3(3, [("TXXX", [0] + text)])),
      ("APE", TinyMP3.ape([("Title", text)])), ("ID3v1", TinyMP3.id3v1(text)),
    ]
    switch file.family {
    case .jpeg:
      let names = [
        "Exif\0\0", "http://ns.adobe.com/xap/1.0/\0", "http://ns.adobe.com/xmp/extension/\0",
        "ICC_PROFILE\0\u{1}\u{1}",
        "Photoshop 3.0\0", "JFIF\0", "JFXX\0\u{10}", "Adobe", "MPF\0", "JP\0\u{1}", "FPXR\0", "Ducky", "CIFF",
        "urn:iso:std:iso:ts:21496:-1\0", "HDR_RI ",
      ]
      let segments = names.flatMap { name in
        (UInt8(0xE0)...0xEF).map { ("APP\($0 - 0xE0) \(name)", TinyJPEG.segment($0, name, text)) }
      }
      let picture = TinyJPEG.file(TinyJPEG.segment(0xFE, "", text))
      return segments + [("a picture", picture), ("fill", [UInt8](repeating: 0xFF, count: 9) + text)]
    case .png: return [("a picture", TinyPNG.file(pngChunk("tEXt", text)))]
    case .gif:
      let hidden = TinyGIF.descriptor + [2, UInt8(2 + text.count)] + [0x44, 0x01] + text + [0]
      return [("a picture", hidden)]
    case .ogg:
      return (0..<16).flatMap { flags in
        [0, 1, 2, 3, 9].flatMap { serial in
          [0, 1, 2, 99].map { sequence in
            let page = TinyOgg.page([text], flags: UInt8(flags), serial: serial, sequence: sequence)
            return ("page \(flags) of \(serial), \(sequence)", page)
          }
        }
      } + tags
    case .frames, .flac, .riff, .iff: return tags
    case .iso: return [("ID3v2 in uuid", isoBox("uuid", [UInt8](repeating: 7, count: 16) + text))]
    case .j2k, .ebml, .tiff, .icc, .plain: return []
    }
  }
}
