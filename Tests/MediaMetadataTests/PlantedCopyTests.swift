import Foundation
import MediaModel
import MediaTestSupport
import Testing

@testable import MediaContainers
@testable import MediaMetadata
@testable import MediaStripping

/// Outputs with parts that a defective stripper would have copied into them.
///
/// The verification does not call the stripper, so these tests compare it with the stripper: what
/// it accepts must be an output that stripping leaves as it is.
@Suite("The verification refuses what a defective stripper would copy")
struct PlantedCopyTests {
  struct Output: CustomStringConvertible, Sendable {
    var description: String
    var format: MediaFormat
    var options: StripOptions
    var bytes: [UInt8]
  }

  static let everything = StripOptions(except: Set(MetadataException.allCases))
  private static let text = Array("planted".utf8)

  /// The outputs of the files that other tests plant texts in, without them, and with values that
  /// `except` keeps.
  static let outputs: [Output] = {
    var outputs: [String: Output] = [:]
    func add(_ bytes: [UInt8], _ format: MediaFormat, _ options: StripOptions) {
      guard let output = try? strip(bytes, format, options).output, output.count < 2500 else {
        return
      }
      let key = "\(format.rawValue) \(output.hashValue)"
      let name = "\(format.rawValue) \(outputs.count) of \(output.count) bytes"
      outputs[key] =
        outputs[key] ?? Output(description: name, format: format, options: options, bytes: output)
    }
    for slot in SoundCanaries.slots + CanariesContainers.slots {
      add(slot.clean, slot.format, StripOptions())
      add(slot.bytes, slot.format, everything)
    }
    for slot in CanariesJPEG.slots {
      add(slot.bytes, .jpeg, StripOptions())
      add(slot.bytes, .jpeg, everything)
    }
    add(ProjectionTests.sphere, .jpeg, StripOptions())
    for (_, bytes) in SoundDamageTests.files {
      guard let format = format(of: bytes) else { continue }
      add(bytes, format, StripOptions())
      add(bytes, format, everything)
    }
    return outputs.values.sorted { $0.description < $1.description }
  }()

  static func isAccepted(_ bytes: [UInt8], _ output: Output) -> Bool {
    withSource(bytes) { source in
      code { try Stripper.verify(output: source, format: output.format, options: output.options) }
        == nil
    }
  }

  /// Returns whether stripping leaves `bytes` as they are.
  ///
  /// The verification of a JPEG and a PNG does not check whether the picture can be decoded, which
  /// the stripper may refuse.
  static func isStable(_ bytes: [UInt8], _ output: Output) -> Bool {
    do {
      return try strip(bytes, output.format, output.options).output == bytes
    } catch {
      return output.format == .jpeg || output.format == .png
    }
  }

  @Test("There are outputs of each format, and they are accepted")
  func real() {
    let formats: Set<MediaFormat> = [
      .jpeg, .png, .gif, .webp, .bmp, .tiff, .jp2, .j2k, .jxl, .mp3, .aac, .wav, .aiff, .flac, .ogg,
    ]
    #expect(Set(Self.outputs.map(\.format)) == formats)
    for output in Self.outputs { #expect(Self.isAccepted(output.bytes, output), "\(output)") }
  }

  @Test("Bytes behind the end are refused", arguments: outputs)
  func trailer(output: Output) {
    let trailers: [[UInt8]] = [
      [0], [0x0A], Self.text, TinyMP3.id3v1(Self.text), TinyMP3.ape([("Title", Self.text)]),
      [UInt8](repeating: 0, count: 64), output.bytes,
    ]
    for trailer in trailers {
      let bytes = output.bytes + trailer
      // Frames and pages may follow others.
      guard Self.isAccepted(bytes, output) else { continue }
      #expect(Self.isStable(bytes, output), "\(output): \(trailer.prefix(8))")
      #expect(trailer.count == output.bytes.count)
    }
  }

  @Test("A part that is not on the list is refused at every boundary", arguments: outputs)
  func parts(output: Output) {
    for planted in Plants.of(output) {
      #expect(
        !Self.isAccepted(planted.bytes, output) || Self.isStable(planted.bytes, output),
        "\(output): \(planted.name)"
      )
    }
  }

  @Test("At least as many parts as the format has kinds are planted")
  func count() {
    for (format, outputs) in Dictionary(grouping: Self.outputs, by: \.format) {
      guard format != .bmp, format != .tiff else { continue }
      let refused = outputs.flatMap { output in
        Plants.of(output).filter { !Self.isAccepted($0.bytes, output) }.map(\.name)
      }
      #expect(Set(refused).count >= 4, "\(format): \(Set(refused))")
    }
  }

  /// The outputs with few bytes besides the values of `except`. A picture has these in Exif and in
  /// XMP, and after a change of one both are still values that `except` keeps.
  static let plain = outputs.filter { output in
    output.options.except.isEmpty || [.mp3, .aac, .wav, .aiff, .flac, .ogg].contains(output.format)
  }

  @Test(
    "What is accepted after a change of one byte is an output of the stripper",
    arguments: plain
  )
  func everyByte(output: Output) {
    let step = max(1, output.bytes.count / Amount.of(16, all: 1000))
    for offset in stride(from: 0, to: output.bytes.count, by: step) {
      var changes: [[UInt8]] = []
      for planted in [UInt8(0), 0x41] {
        changes.append(Array(output.bytes[..<offset]) + [planted] + output.bytes[offset...])
      }
      changes.append(Array(output.bytes[..<offset]) + output.bytes[(offset + 1)...])
      for change in [UInt8(1), 0x20, 0x80, 0xFF] {
        var bytes = output.bytes
        bytes[offset] ^= change
        changes.append(bytes)
      }
      for bytes in changes where Self.isAccepted(bytes, output) {
        #expect(Self.isStable(bytes, output), "\(output) at \(offset): \(bytes)")
      }
    }
  }

  @Test(
    "The stripped files of the corpus, with parts planted in them",
    .enabled(if: Corpus.folder != nil, "no corpus")
  )
  func corpus() throws {
    var formats: Set<MediaFormat> = []
    for path in Corpus.files(beneath: "visible") {
      let bytes = try readBytes(path)
      guard bytes.count < 1 << 20, let format = format(of: bytes),
        let stripped = try? strip(bytes, format).output
      else { continue }
      let output = Output(description: path, format: format, options: StripOptions(), bytes: stripped)
      for planted in Plants.of(output) + [("trailer", stripped + Self.text)] {
        #expect(
          !Self.isAccepted(planted.bytes, output) || Self.isStable(planted.bytes, output),
          "\(path): \(planted.name)"
        )
      }
      formats.insert(format)
    }
    #expect(formats.count >= 8)
  }
}

/// Parts that no output has, planted between the parts of an output.
enum Plants {
  private static let text = Array("planted".utf8)

  static func of(_ output: PlantedCopyTests.Output) -> [(name: String, bytes: [UInt8])] {
    let bytes = output.bytes
    switch output.format {
    case .wav: return riff(bytes, ["LIST", "bext", "iXML", "id3 ", "cue ", "JUNK", "fact", "fmt "])
    case .webp:
      return riff(bytes, ["EXIF", "XMP ", "ICCP", "ANIM", "JUNK", "VP8X", "ALPH", "VP8L"])
    case .jp2: return boxes(bytes, ["uuid", "xml ", "jp2i", "res ", "zzzz", "jp2c", "jp2h"])
    case .jxl:
      // A codestream alone has no place for a part.
      guard bytes.first == 0 else { return [] }
      return boxes(bytes, ["Exif", "xml ", "jbrd", "brob", "jumb", "jxlp", "jxlc", "zzzz"])
    case .j2k:
      let boundaries = boundaries(of: bytes, from: 2) { bytes, offset in
        bytes[offset + 1] == 0x90 ? nil : bigEndian(bytes, at: offset + 2, count: 2).map { $0 + 2 }
      }
      return plant(["d", "U", "W", "Y", "X"], at: boundaries, in: bytes) {
        TinyJ2K.segment(Array($0.utf8)[0], text)
      }
    case .aiff:
      return aiff(bytes, ["NAME", "ANNO", "COMT", "MARK", "APPL", "ID3 ", "SSND", "FVER"])
    case .png:
      let boundaries = boundaries(of: bytes, from: 8) {
        bigEndian($0, at: $1, count: 4).map { $0 + 12 }
      }
      return plant(
        ["tEXt", "iTXt", "eXIf", "tIME", "iCCP", "pHYs", "prVt", "gAMA"],
        at: boundaries,
        in: bytes
      ) {
        pngChunk($0, text)
      }
    case .flac:
      let boundaries = boundaries(of: bytes, from: 4) { bytes, offset in
        offset > 4 && bytes[offset] & 0x7F == 0x7F || bytes[offset] == 0xFF
          ? nil : bigEndian(bytes, at: offset + 1, count: 3).map { $0 + 4 }
      }
      let types: [UInt8] = [0, 1, 2, 3, 4, 5, 6, 9]
      return types.flatMap { type in
        boundaries.filter { $0 < bytes.count && bytes[$0] != 0xFF }.map { offset in
          let block = TinyFLAC.block(type, type == 4 ? TinyFLAC.comment(["TITLE=planted"]) : text)
          return ("block \(type)", insert(block, at: offset, in: bytes))
        }
      } + [("vendor", vendor(bytes))]
    case .jpeg:
      let segments: [(String, [UInt8])] = [
        ("COM", TinyJPEG.segment(0xFE, "", text)),
        ("APP1", TinyJPEG.segment(0xE1, "Exif\0\0", text)),
        ("XMP", TinyJPEG.segment(0xE1, "http://ns.adobe.com/xap/1.0/\0", text)),
        ("APP13", TinyJPEG.segment(0xED, "Photoshop 3.0\0", text)),
        ("JFIF", TinyJPEG.segment(0xE0, "JFIF\0", [1, 1, 0, 0, 1, 0, 1, 1, 1, 9, 9, 9])),
        ("fill", [0xFF]), ("text", text),
      ]
      let boundaries = boundaries(of: bytes, from: 2) { bytes, offset in
        bytes[offset] == 0xFF && bytes[offset + 1] != 0xDA
          ? bigEndian(bytes, at: offset + 2, count: 2).map { $0 + 2 } : nil
      }
      return segments.flatMap { name, segment in
        boundaries.map { (name, insert(segment, at: $0, in: bytes)) }
      }
    case .gif:
      let blocks: [(String, [UInt8])] = [
        ("comment", TinyGIF.block(0xFE, [], text)),
        ("application", TinyGIF.block(0xFF, Array("ANOTHER1234".utf8), text)),
        ("plain text", TinyGIF.block(0x01, [UInt8](repeating: 0, count: 12), text)),
        ("padding", [0]), ("loop", TinyGIF.loop + TinyGIF.loop), ("control", TinyGIF.control),
      ]
      return blocks.map { ($0.0, insert($0.1, at: bytes.count - 1, in: bytes)) }
    case .mp3, .aac:
      let tags: [(String, [UInt8])] = [
        ("ID3v2", TinyMP3.id3(4, [("TIT2", [3] + text)])), ("APE", TinyMP3.ape([("Title", text)])),
        ("ID3v1", TinyMP3.id3v1(text)), ("text", text),
        ("information", TinyMP3.information()),
        ("frame", TinyAAC.frame(TinyAAC.bytes(TinyAAC.data(text, from: 0) + TinyAAC.sound))),
      ]
      return tags.flatMap { name, tag in
        [0, bytes.count / 2, bytes.count].map { (name, insert(tag, at: $0, in: bytes)) }
      }
    case .ogg:
      let pages: [(String, [UInt8])] = [
        (
          "Skeleton",
          TinyOgg.page([Array("fishead\0".utf8) + text], flags: 2, serial: 9, sequence: 0)
        ),
        ("page of no stream", TinyOgg.page([text], serial: 9, sequence: 1)),
        ("text", text),
        ("page out of sequence", TinyOgg.page([text], sequence: 77)),
        ("page with flags", TinyOgg.page([text], flags: 0x80, sequence: 4)),
      ]
      let boundaries = boundaries(of: bytes, from: 0) { bytes, offset in
        guard offset + 27 < bytes.count else { return nil }
        let count = Int(bytes[offset + 26])
        return 27 + count + bytes[(offset + 27)..<(offset + 27 + count)].reduce(0) { $0 + Int($1) }
      }
      return pages.flatMap { name, page in
        boundaries.prefix(12).map { (name, insert(page, at: $0, in: bytes)) }
      }
    case .tiff: return tiff(bytes)
    default:
      return [("gap", insert(text, at: min(54, bytes.count), in: bytes))]
    }
  }

  /// Returns the output with a comment block that names its encoder.
  private static func vendor(_ bytes: [UInt8]) -> [UInt8] {
    var changed = bytes
    changed[4] &= 0x7F
    let comment = TinyFLAC.block(4, TinyFLAC.comment([], vendor: "encoder"), isLast: true)
    return insert(comment, at: 42, in: changed)
  }

  /// Returns the output with one tag more in its first directory, which is then at the end.
  private static func tiff(_ bytes: [UInt8]) -> [(name: String, bytes: [UInt8])] {
    let isBig = bytes[0] == 0x4D
    let number = { (offset: Int, count: Int) -> Int in
      let part = bytes[offset..<(offset + count)]
      return (isBig ? Array(part) : part.reversed()).reduce(0) { $0 << 8 | Int($1) }
    }
    let written = { (value: Int, count: Int) -> [UInt8] in
      isBig ? big(value, count) : little(value, count)
    }
    let start = number(4, 4)
    let count = number(start, 2)
    let tags: [(Int, Int)] = [
      (0x010E, 2), (0x010F, 2), (0x0110, 2), (0x0131, 2), (0x0132, 2), (0x013B, 2), (0x8298, 2),
      (0x8769, 4), (0x8825, 4), (0x014A, 4), (0x02BC, 1), (0x83BB, 7), (0x8649, 7), (0x8773, 7),
      (0x0112, 3), (0x00FE, 4), (0x011A, 5), (0x0140, 3), (0x015B, 7), (0xC4A5, 7), (0x0111, 4),
    ]
    return tags.map { tag, type in
      var entries = (0..<count).map { index in
        Array(bytes[(start + 2 + 12 * index)..<(start + 14 + 12 * index)])
      }
      let planted =
        written(tag, 2) + written(type, 2) + written(4 / [1, 1, 1, 2, 4, 8][type % 6], 4)
      let index = entries.firstIndex { entry in
        (isBig ? Int(entry[0]) << 8 | Int(entry[1]) : Int(entry[1]) << 8 | Int(entry[0])) > tag
      }
      entries.insert(planted + [0x41, 0x42, 0x43, 0], at: index ?? count)
      let end = bytes.count + bytes.count % 2
      var changed = bytes + [UInt8](repeating: 0, count: bytes.count % 2)
      changed.replaceSubrange(4..<8, with: written(end, 4))
      changed += written(count + 1, 2) + entries.flatMap { $0 }
      changed += bytes[(start + 2 + 12 * count)..<(start + 6 + 12 * count)]
      return ("tag \(tag)", changed)
    }
  }

  private static func riff(
    _ bytes: [UInt8],
    _ types: [String]
  ) -> [(name: String, bytes: [UInt8])] {
    let boundaries = boundaries(of: bytes, from: 12) { bytes, offset in
      littleEndian(bytes, at: offset + 4).map { 8 + $0 + $0 % 2 }
    }
    return plant(types, at: boundaries, in: bytes) { riffChunk($0, text) }.map { planted in
      var changed = planted.bytes
      if changed[4..<8] != [0xFF, 0xFF, 0xFF, 0xFF] {
        changed.replaceSubrange(4..<8, with: little(changed.count - 8))
      }
      return (planted.name, changed)
    }
  }

  private static func boxes(
    _ bytes: [UInt8],
    _ types: [String]
  ) -> [(name: String, bytes: [UInt8])] {
    let boundaries = boundaries(of: bytes, from: 0) { bigEndian($0, at: $1, count: 4) }
    return plant(types, at: boundaries, in: bytes) { isoBox($0, text) }
  }

  private static func aiff(
    _ bytes: [UInt8],
    _ types: [String]
  ) -> [(name: String, bytes: [UInt8])] {
    let boundaries = boundaries(of: bytes, from: 12) { bytes, offset in
      bigEndian(bytes, at: offset + 4, count: 4).map { 8 + $0 + $0 % 2 }
    }
    return plant(types, at: boundaries, in: bytes) { iffChunk($0, text) }.map { planted in
      var changed = planted.bytes
      changed.replaceSubrange(4..<8, with: big(changed.count - 8))
      return (planted.name, changed)
    }
  }

  private static func plant(
    _ types: [String],
    at boundaries: [Int],
    in bytes: [UInt8],
    _ part: (String) -> [UInt8]
  ) -> [(name: String, bytes: [UInt8])] {
    types.flatMap { type in
      boundaries.map { (type, insert(part(type), at: $0, in: bytes)) }
    }
  }

  /// Returns the offsets of the first parts, each of the length that `length` gives.
  private static func boundaries(
    of bytes: [UInt8],
    from start: Int,
    _ length: (_ bytes: [UInt8], _ offset: Int) -> Int?
  ) -> [Int] {
    var boundaries = [start]
    while boundaries.count < 24, let last = boundaries.last, last + 8 < bytes.count,
      let length = length(bytes, last), last + length <= bytes.count
    {
      boundaries.append(last + length)
    }
    return boundaries
  }

  private static func insert(_ part: [UInt8], at offset: Int, in bytes: [UInt8]) -> [UInt8] {
    Array(bytes[..<offset]) + part + bytes[offset...]
  }

  private static func bigEndian(_ bytes: [UInt8], at offset: Int, count: Int) -> Int? {
    guard offset + count <= bytes.count else { return nil }
    return bytes[offset..<(offset + count)].reduce(0) { $0 << 8 | Int($1) }
  }

  private static func littleEndian(_ bytes: [UInt8], at offset: Int) -> Int? {
    guard offset + 4 <= bytes.count else { return nil }
    return bytes[offset..<(offset + 4)].reversed().reduce(0) { $0 << 8 | Int($1) }
  }
}
