import MediaModel
import MediaTestSupport
import Testing

@testable import MediaContainers
@testable import MediaMetadata
@testable import MediaStripping

/// Numbers of 64 bits in directories: a sum, a product or a difference of them may have no value.
@Suite("Numbers of TIFF and DNG at their ends")
struct TIFFNumbersTests {
  /// An entry of a directory.
  ///
  /// Source: TIFF 6.0, section 2; the BigTIFF File Format Proposal.
  struct Entry {
    /// The offset of its tag, in bytes.
    var offset: Int
    var isBig: Bool
    var order: ByteOrder

    /// The file in which it has so many numbers of LONG8 or SLONG8: one twice, and then twice the one that is as far
    /// on the other side of zero.
    func replaced(in bytes: [UInt8], type: Int, by value: Int, count: Int) -> [UInt8] {
      var bytes = bytes
      let end = bytes.count
      let numbers = (0..<count).flatMap { ($0 & 2 == 0 ? value : ~value).bytes(8, order) }
      let isInPlace = isBig && count == 1
      var entry = type.bytes(2, order) + count.bytes(isBig ? 8 : 4, order)
      entry += isInPlace ? numbers : end.bytes(isBig ? 8 : 4, order)
      bytes.replaceSubrange((offset + 2)..<(offset + 2 + entry.count), with: entry)
      return isInPlace ? bytes : bytes + numbers
    }

    /// The file in which it has the highest count.
    func counted(in bytes: [UInt8]) -> [UInt8] {
      var bytes = bytes
      let count = [UInt8](repeating: 0xFF, count: isBig ? 8 : 4)
      bytes.replaceSubrange((offset + 4)..<(offset + 4 + count.count), with: count)
      return bytes
    }
  }

  /// All entries of all directories, found without the code under test.
  static func entries(of bytes: [UInt8]) -> [Entry] {
    let order: ByteOrder = bytes[0] == UInt8(ascii: "I") ? .little : .big
    func number(_ offset: Int, _ count: Int) -> Int {
      let part = bytes[offset..<(offset + count)]
      return (order == .big ? Array(part) : part.reversed()).reduce(0) { $0 << 8 | Int($1) }
    }
    let isBig = number(2, 2) == 43
    let (countSize, entrySize, wordSize) = isBig ? (8, 20, 8) : (2, 12, 4)
    var directories = [number(isBig ? 8 : 4, wordSize)]
    var entries: [Entry] = []
    var index = 0
    while index < directories.count {
      let start = directories[index]
      index += 1
      let count = number(start, countSize)
      for position in 0..<count {
        let offset = start + countSize + position * entrySize
        entries.append(Entry(offset: offset, isBig: isBig, order: order))
        // SubIFDs, and the directories of Exif and GPS.
        guard [330, 0x8769, 0x8825].contains(number(offset, 2)) else { continue }
        let (values, place) = (number(offset + 4, wordSize), offset + 4 + wordSize)
        let first = values == 1 ? place : number(place, wordSize)
        directories += (0..<values).map { number(first + wordSize * $0, wordSize) }
      }
      let next = number(start + countSize + count * entrySize, wordSize)
      if next != 0 { directories.append(next) }
    }
    return entries
  }

  /// A DNG with tags whose numbers of values other tags give.
  static let counted: TinyDNG = {
    typealias T = TinyTIFFFile
    var file = TinyDNG()
    file.inRaw = [
      T.short(50713, 1, 1), T.short(50714, 2056), T.short(50829, 0, 0, 96, 128),
      TinyDNG.fractions(50715, 10, [Int](repeating: 0, count: 128)),
      TinyDNG.fractions(50716, 10, [Int](repeating: 0, count: 96)),
    ]
    file.inImage = [50937, 50981].flatMap { tag -> [T.Entry] in
      let sizes: T.Entry = (tag, 4, 3, little(1) + little(1) + little(1))
      return [sizes, (tag + 1, 11, 3, [UInt8](repeating: 0, count: 12))]
    }
    return file
  }()

  static let files: [[UInt8]] = {
    let raws = [
      DNGStripperTests.planted(HEIFCanaryTests.Canaries()), TinyDNG(), DNGStripperTests.codestream,
      counted,
    ]
    return [TinyBigTIFF.file(.big), TinyBigTIFF.file(.little)] + raws.map(\.bytes)
  }()

  @Test("What a tag needs in the length that another one gives is kept")
  func counts() throws {
    let output = try strip(Self.counted.bytes, .dng).output
    try withSource(output) { source in
      let raw = try DNGFile(of: source).pictures[0]
      for tag in [50713, 50714, 50715, 50716, 50829] {
        #expect(raw.bytes(tag) != nil, "\(tag)")
      }
    }
  }

  @Test("Any of them in any entry ends no process", arguments: files.indices)
  func everyEntry(index: Int) {
    let file = Self.files[index]
    let entries = Self.entries(of: file)
    #expect(entries.count >= 9)
    for entry in entries {
      Self.useAll(entry.counted(in: file))
      for value in [Int.max, .max - 7, .min, -1, 1 << 32, 0] {
        for (type, count) in [(16, 1), (16, 4), (17, 1), (17, 4)] {
          Self.useAll(entry.replaced(in: file, type: type, by: value, count: count))
        }
      }
    }
  }

  private static func useAll(_ bytes: [UInt8]) {
    HostileInputTests.useAll(bytes)
    withSource(bytes) { source in
      // As a file of another camera's format, of which previews alone are read.
      _ = try? MetadataReader.facts(of: source, format: .nef)
      guard let format = FormatSniffer.format(of: source) else { return }
      _ = try? MetadataInspector.entries(of: source, format: format, showsValues: true)
    }
  }
}
