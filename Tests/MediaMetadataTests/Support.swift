import Foundation
import MediaModel
import MediaTestSupport
import Testing

@testable import MediaContainers
@testable import MediaMetadata
@testable import MediaStripping

/// Bytes in memory, as a source.
func withSource<Result>(
  _ bytes: [UInt8],
  _ body: (ByteSource) throws -> Result
) rethrows -> Result {
  try bytes.withUnsafeBytes { try body(ByteSource($0)) }
}

func format(of bytes: [UInt8]) -> MediaFormat? {
  withSource(bytes) { FormatSniffer.format(of: $0) }
}

func facts(of bytes: [UInt8]) throws -> Facts {
  try withSource(bytes) { source in
    guard let format = FormatSniffer.format(of: source) else {
      throw MetadataError(.damaged, "no format")
    }
    return try MetadataReader.facts(of: source, format: format)
  }
}

/// Whether a file says a place in any form.
func statesPlace(_ bytes: [UInt8]) throws -> Bool {
  let kind = try #require(format(of: bytes))
  return try withSource(bytes) { try MetadataReader.describedFacts(of: $0, format: kind) }.hasLocation
}

/// The output that the edit list makes, and what it says it took out.
func strip(
  _ bytes: [UInt8],
  _ format: MediaFormat,
  _ options: StripOptions = StripOptions()
) throws -> (output: [UInt8], list: EditList) {
  let list = try withSource(bytes) {
    try Stripper.editList(of: $0, format: format, options: options)
  }
  return (apply(list, to: bytes), list)
}

/// Executes an edit list the plain way.
func apply(_ list: EditList, to bytes: [UInt8]) -> [UInt8] {
  var output: [UInt8] = []
  for operation in list.operations {
    switch operation {
    case .copy(let offset, let length): output += bytes[Int(offset)..<Int(offset + length)]
    case .literal(let literal): output += literal
    case .masked(let offset, let length, let mask):
      var part = Array(bytes[Int(offset)..<Int(offset + length)])
      part.withUnsafeMutableBytes { mask.apply(to: $0, at: 0) }
      output += part
    }
  }
  return output
}

func code(_ body: () throws -> Void) -> MetadataError.Code? {
  do {
    try body()
    return nil
  } catch let error as MetadataError {
    return error.code
  } catch {
    return nil
  }
}

extension EditList {
  var removedNames: [String: Int] {
    Dictionary(removed.map { ($0.name, $0.count) }, uniquingKeysWith: +)
  }
}

/// A gray JPEG of 8 × 8 pixels, as parts.
enum TinyJPEG {
  static let soi: [UInt8] = [0xFF, 0xD8]
  static let eoi: [UInt8] = [0xFF, 0xD9]
  static let jfif = segment(0xE0, "JFIF\0", [1, 1, 0, 0, 1, 0, 1, 0, 0])
  static let dqt = segment(0xDB, "", [0] + [UInt8](repeating: 16, count: 64))
  static let sof = segment(0xC0, "", [8, 0, 8, 0, 8, 1, 1, 0x11, 0])
  /// One DC and one AC table; each has one code, "0", for the symbol 0.
  static let dht =
    segment(0xC4, "", [0x00, 1] + [UInt8](repeating: 0, count: 15) + [0])
    + segment(0xC4, "", [0x10, 1] + [UInt8](repeating: 0, count: 15) + [0])
  /// DC difference 0, end of block, filled with ones.
  static let scan = segment(0xDA, "", [1, 1, 0, 0, 63, 0]) + [0x3F]

  static func segment(_ marker: UInt8, _ identifier: String, _ body: [UInt8]) -> [UInt8] {
    let content = Array(identifier.utf8) + body
    return [0xFF, marker] + big(content.count + 2, 2) + content
  }

  /// The whole file, with other segments before its tables and other bytes behind its EOI.
  static func file(_ segments: [UInt8] = [], scan: [UInt8] = scan, after: [UInt8] = []) -> [UInt8] {
    soi + segments + dqt + sof + dht + scan + eoi + after
  }
}

/// A PNG of one gray pixel, as parts.
enum TinyPNG {
  static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
  static let header = pngChunk("IHDR", big(1) + big(1) + [8, 0, 0, 0, 0])
  static let data = pngChunk("IDAT", [0x78, 0x9C, 0x63, 0x68, 0x00, 0x00, 0x00, 0x82, 0x00, 0x81])
  static let end = pngChunk("IEND", [])

  static func file(_ before: [UInt8] = [], between: [UInt8] = [], after: [UInt8] = []) -> [UInt8] {
    signature + header + before + data + between + end + after
  }
}

/// Writes TIFF blocks for tests.
enum TinyTIFF {
  struct Entry {
    var tag: Int
    var type: Int
    var count: Int
    var value: [UInt8]

    static func text(_ tag: Int, _ text: String) -> Entry {
      Entry(tag: tag, type: 2, count: text.utf8.count + 1, value: Array(text.utf8) + [0])
    }

    static func short(_ tag: Int, _ value: Int) -> Entry {
      Entry(tag: tag, type: 3, count: 1, value: big(value, 2))
    }

    static func long(_ tag: Int, _ value: Int) -> Entry {
      Entry(tag: tag, type: 4, count: 1, value: big(value))
    }

    /// Three rationals, as a latitude is.
    static func degrees(_ tag: Int) -> Entry {
      Entry(tag: tag, type: 5, count: 3, value: [48, 1, 51, 1, 30, 1].flatMap { big($0) })
    }
  }

  /// Big-endian: IFD0 with pointers to the two others when they have entries.
  static func block(
    _ image: [Entry],
    exif: [Entry] = [],
    location: [Entry] = []
  ) -> [UInt8] {
    var pointers: [Entry] = []
    if !exif.isEmpty { pointers.append(.long(0x8769, 0)) }
    if !location.isEmpty { pointers.append(.long(0x8825, 0)) }
    let exifOffset = 8 + directory(image + pointers, at: 8).count
    let locationOffset = exifOffset + (exif.isEmpty ? 0 : directory(exif, at: 0).count)
    for index in pointers.indices {
      let offset = pointers[index].tag == 0x8769 ? exifOffset : locationOffset
      pointers[index].value = big(offset)
    }
    return Array("MM".utf8) + [0, 42] + big(8) + directory(image + pointers, at: 8)
      + (exif.isEmpty ? [] : directory(exif, at: exifOffset))
      + (location.isEmpty ? [] : directory(location, at: locationOffset))
  }

  private static func directory(_ entries: [Entry], at offset: Int) -> [UInt8] {
    var head = big(entries.count, 2)
    var values: [UInt8] = []
    let start = offset + 2 + 12 * entries.count + 4
    for entry in entries {
      head += big(entry.tag, 2) + big(entry.type, 2) + big(entry.count)
      if entry.value.count > 4 {
        head += big(start + values.count)
        values += entry.value
      } else {
        head += entry.value + [UInt8](repeating: 0, count: 4 - entry.value.count)
      }
    }
    return head + [0, 0, 0, 0] + values
  }
}

/// A JPEG whose Exif segment is `block`.
func jpeg(exif block: [UInt8]) -> [UInt8] {
  TinyJPEG.file(TinyJPEG.segment(0xE1, "Exif\0\0", block))
}

/// What an audio file's tags say.
func audioTags(of source: ByteSource, _ format: MediaFormat) -> FoundMetadata {
  switch format {
  case .aiff: AIFFMetadata.find(in: source)
  case .flac: FLACMetadata.find(in: source)
  case .mp3, .aac: MP3Metadata.find(in: source)
  case .ogg: OggMetadata.find(in: source)
  case .wav: WAVMetadata.find(in: source)
  default: FoundMetadata(tags: MovieValues.all(in: source))
  }
}
