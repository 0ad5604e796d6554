import MediaModel
import MediaTestSupport
import Testing

@testable import MediaContainers

@Suite("Archives of tar and gzip")
struct TARTests {
  private static let folder = "Takeout/Google Photos/Rome/"

  /// The files of a tar that is taken in pieces.
  private static func files(_ tar: [UInt8], pieces: Int = .max) throws -> [ArchiveEntry] {
    var parser = TARParser()
    var entries: [ArchiveEntry] = []
    for start in stride(from: 0, to: tar.count, by: max(1, min(pieces, tar.count))) {
      try Array(tar[start..<min(tar.count, start + min(pieces, tar.count))]).withUnsafeBytes {
        try parser.take($0) { entries.append($0) }
      }
    }
    try parser.finish()
    return entries
  }

  private static func list(_ file: [UInt8]) throws -> (files: [ArchiveEntry], points: [InflatePoint]) {
    try withSource(file) { source in
      var (entries, points): ([ArchiveEntry], [InflatePoint]) = ([], [])
      try TGZArchive(source).forEachFile {
        entries.append($0)
      } onPoint: {
        points.append($0)
      }
      return (entries, points)
    }
  }

  private static func names(_ entries: [ArchiveEntry]) -> [String] {
    entries.map { String(decoding: $0.name, as: UTF8.self) }
  }

  @Test("Names of ustar, pax and GNU are read, with sizes, times and the content of JSON files")
  func names() throws {
    let tar = TinyTAR.export.bytes
    let files = try Self.files(tar)
    #expect(
      Self.names(files)
        == [
          "IMG_1.jpg", "IMG_1.jpg.json", "Piazza del Popolo è.jpg",
          String(repeating: "l", count: 200) + ".jpg",
          "link.jpg",
        ].map { Self.folder + $0 }
    )
    #expect(files.map(\.size) == [7, 21, 12, 12, 0])
    #expect(files.map(\.method) == [0, 0, 0, 0, ArchiveEntry.noFile])
    #expect(files.map(\.text) == [nil, Array("{\"title\":\"IMG_1.jpg\"}".utf8), nil, nil, nil])
    #expect(files.allSatisfy { $0.modified == 1_562_233_530_000_000_000 })
    for file in files where file.size > 0 {
      var sum = CRC32()
      tar[Int(file.header)..<Int(file.header + file.size)].withUnsafeBytes { sum.update($0) }
      #expect(file.checksum == sum.value)
    }
    #expect(!ArchiveEntry.overlap(files))
  }

  @Test("Pieces of any length give the same files", arguments: [1, 7, 511, 512, 513, 4096])
  func pieces(length: Int) throws {
    let tar = TinyTAR.export.bytes
    #expect(try Self.files(tar, pieces: length) == Self.files(tar))
  }

  @Test("An archive that is cut anywhere is damaged, as a tar and as gzip")
  func cut() throws {
    let blocks = TinyTAR.export.blocks
    for length in 0...blocks.count where length % 64 == 0 || blocks.count - length < 3 {
      #expect(throws: MetadataError.self, "\(length)") { try Self.files(Array(blocks.prefix(length))) }
      #expect(throws: MetadataError.self, "\(length)") {
        try Self.list(TinyTAR.gzip(Array(blocks.prefix(length))))
      }
    }
    let file = TinyTAR.gzip(TinyTAR.export.bytes)
    #expect(try Self.list(file).files.count == 5)
    for length in 0..<file.count {
      #expect(throws: MetadataError.self, "\(length)") { try Self.list(Array(file.prefix(length))) }
    }
    // One zero block is an end.
    #expect(try Self.files(blocks + [UInt8](repeating: 0, count: 512)).count == 5)
  }

  @Test("Zeros may stand behind the end, and a second archive there is told of")
  func joined() throws {
    let tar = TinyTAR.export.bytes
    #expect(try Self.files(tar + [UInt8](repeating: 0, count: 9000), pieces: 700).count == 5)
    #expect(throws: MetadataError.self) { try Self.files(tar + tar) }
    #expect(throws: MetadataError.self) { try Self.list(TinyTAR.gzip(tar) + TinyTAR.gzip(tar)) }
  }

  @Test("What is no file of its own is told of as such, and what stands behind it is read")
  func others() throws {
    for type in ["1", "2", "3", "4", "6", "M", "V", "N", "Q", "S"] as [Character] {
      var tar = TinyTAR()
      let content: [UInt8] = ["1", "3", "4", "6"].contains(type) ? [] : [1, 2, 3]
      // A link may state a size, and has no content.
      tar.add("other.jpg", content, type: type, size: type == "1" ? TinyTAR.octal(5000) : nil)
      tar.add("a.jpg", [4, 5])
      let files = try Self.files(tar.bytes)
      #expect(Self.names(files) == ["other.jpg", "a.jpg"], "\(type)")
      #expect(files.map(\.method) == [ArchiveEntry.noFile, 0], "\(type)")
      #expect(files[1].size == 2)
    }
    // The map of a sparse file goes on in blocks of its own.
    var tar = TinyTAR()
    tar.add("sparse.jpg", [], type: "S", size: TinyTAR.octal(700)) { $0[482] = 1 }
    var map = [UInt8](repeating: 0, count: 1024)
    map[504] = 1
    tar.blocks += map + [UInt8](repeating: 7, count: 1024)
    tar.extend([("GNU.sparse.major", "1"), ("GNU.sparse.name", "b.jpg"), ("path", "GNUSparseFile.1/b.jpg")])
    tar.add("GNUSparseFile.1/b.jpg", [1])
    tar.add("a.jpg", [4, 5])
    let files = try Self.files(tar.bytes)
    #expect(Self.names(files) == ["sparse.jpg", "GNUSparseFile.1/b.jpg", "a.jpg"])
    #expect(files.map(\.method) == [ArchiveEntry.noFile, ArchiveEntry.noFile, 0])
  }

  @Test(
    "A name that leads out, is absolute or holds a zero is no path; what tar writes for a folder is left out"
  )
  func paths() throws {
    var tar = TinyTAR()
    let names = [
      "../a.jpg", "/etc/a.jpg", "b/../../a.jpg", "a//b.jpg", ".//./c/d.jpg", "./e.jpg", "b/./a.jpg",
    ]
    for name in names { tar.add(name, [1]) }
    tar.extend([("path", "nul\0.jpg")])
    tar.add("a", [1])
    tar.extend([("path", String(repeating: "x/", count: 2049) + "x.jpg")])
    tar.add("a", [1])
    tar.add("./", type: "5")
    tar.add("old/", type: "\0")
    let paths = try Self.files(tar.bytes).map { $0.path?.text }
    #expect(paths == [nil, nil, nil, nil, "c/d.jpg", "e.jpg", nil, nil, nil])
  }

  @Test("Sizes in octal, in binary and of pax are read; impossible ones are damaged")
  func sizes() throws {
    for size in [
      TinyTAR.octal(3), Array("         3  ".utf8), Array("3\0          ".utf8), [0x80] + big(3, 11),
    ] {
      var tar = TinyTAR()
      tar.add("a.jpg", [1, 2, 3], size: size)
      #expect(try Self.files(tar.bytes).map(\.size) == [3], "\(size)")
    }
    var large = TinyTAR()
    large.extend([("size", "3")])
    large.add("a.jpg", [1, 2, 3], size: TinyTAR.octal(0))
    #expect(try Self.files(large.bytes).map(\.size) == [3])
    for size in [
      Array("00000000008\0".utf8), Array("-0000000003\0".utf8), Array("3 3        \0".utf8),
      [UInt8](repeating: 0xFF, count: 12), [0x80] + [UInt8](repeating: 0xFF, count: 11),
      [0x80, 0, 0, 0] + big(.max, 8), [0xBF] + [UInt8](repeating: 0xFF, count: 11),
    ] {
      var tar = TinyTAR()
      tar.add("a.jpg", [1, 2, 3], size: size)
      #expect(throws: MetadataError.self, "\(size)") { try Self.files(tar.bytes) }
    }
    for value in ["", "-1", "x", "99999999999999999999", "0x10", "1e9"] {
      var tar = TinyTAR()
      tar.extend([("size", value)])
      tar.add("a.jpg", [1])
      #expect(throws: MetadataError.self, "\(value)") { try Self.files(tar.bytes) }
    }
    // One that fits no archive of this length ends before its end.
    var tar = TinyTAR()
    tar.extend([("size", "999999999999999999")])
    tar.add("a.jpg", [1])
    #expect(throws: MetadataError.self) { try Self.files(tar.bytes) }
  }

  @Test("A wrong checksum, records that make no sense and global names are damaged")
  func headers() throws {
    var wrong = TinyTAR.export
    wrong.blocks[512 + 5] ^= 1
    #expect(throws: MetadataError.self) { try Self.files(wrong.bytes) }
    // Some programs have summed up signed bytes.
    var signed = TinyTAR()
    signed.add("é.jpg", [1])
    let sum = (0..<512).reduce(0) { sum, offset in
      sum + ((148..<156).contains(offset) ? 32 : Int(Int8(bitPattern: signed.blocks[offset])))
    }
    signed.blocks.replaceSubrange(148..<155, with: TinyTAR.octal(sum, digits: 7))
    #expect(try Self.files(signed.bytes).count == 1)
    for records in [
      "0 path=a\n", "99 path=a\n", "9 path=ab", "path=a\n", "9 pathax\n", " 9 path=a\n", "-9 path=a\n",
    ] {
      var tar = TinyTAR()
      tar.add("PaxHeaders/a", Array(records.utf8), type: "x")
      tar.add("a.jpg", [1])
      #expect(throws: MetadataError.self, "\(records)") { try Self.files(tar.bytes) }
    }
    for (key, isDamaged) in [("path", true), ("size", true), ("comment", false), ("mtime", false)] {
      var tar = TinyTAR()
      tar.extend([(key, "1")], type: "g")
      tar.add("a.jpg", [1])
      #expect((try? Self.files(tar.bytes).count) == (isDamaged ? nil : 1), "\(key)")
    }
    var long = TinyTAR()
    long.add("PaxHeaders/a", type: "x", size: TinyTAR.octal((1 << 20) + 1))
    #expect(throws: MetadataError.self) { try Self.files(long.bytes) }
  }

  @Test(
    "All members of gzip are read, and what stands behind them is none; a wrong checksum or length is damaged"
  )
  func members() throws {
    let tar = TinyTAR.export.bytes
    let halves = [Array(tar.prefix(1000)), Array(tar.dropFirst(1000))]
    let file = halves.flatMap { TinyTAR.gzip($0) } + TinyTAR.gzip([])
    #expect(try Self.list(file).files == Self.files(tar))
    for junk in [[UInt8](repeating: 0, count: 700), [0x1F], Array("junk".utf8)] {
      #expect(try Self.list(file + junk).files.count == 5)
    }
    // Another member that is none.
    #expect(throws: MetadataError.self) { try Self.list(file + [0x1F, 0x8B, 8, 0]) }
    let fields = little(3, 2) + [1, 2, 3] + Array("name\0comment\0".utf8) + [0, 0]
    #expect(try Self.list(TinyTAR.gzip(tar, flags: 0x1E, fields)).files.count == 5)
    #expect(throws: MetadataError.self) { try Self.list(TinyTAR.gzip(tar, flags: 0x20)) }
    let whole = TinyTAR.gzip(tar)
    for offset in 1...8 {
      var wrong = whole
      wrong[wrong.count - offset] ^= 1
      #expect(throws: MetadataError.self, "\(offset)") { try Self.list(wrong) }
    }
    #expect(throws: MetadataError.self) { try Self.list(tar) }
    #expect(throws: MetadataError.self) { try Self.list([]) }
  }

  @Test("Each file is read from the point before it, with its checksum, in one member and in several")
  func points() throws {
    var generator = SeededGenerator(seed: 61)
    // What repeats lies within a window as a rule, and is inflated fast.
    let words = (0..<256).map { _ in (0..<64).map { _ in UInt8(truncatingIfNeeded: generator.next()) } }
    var noise: [UInt8] = []
    while noise.count < 3 << 20 { noise += words[Int(generator.next() & 0xFF)] }
    var tar = TinyTAR()
    for number in 0..<10 { tar.add("\(number).jpg", Array(noise[(number * 1000)...])) }
    let bytes = tar.bytes
    for memberLength in [bytes.count, bytes.count / 2, 1 << 15] {
      var file: [UInt8] = []
      for start in stride(from: 0, to: bytes.count, by: memberLength) {
        file += TinyTAR.gzip(Array(bytes[start...].prefix(memberLength)), level: 1)
      }
      let (files, points) = try Self.list(file)
      #expect(files.count == 10 && points.count == 3)
      #expect(points.allSatisfy { $0.output >= InflatePoint.outputStep })
      // A member of 32 KiB has one block.
      let isOfBlocks = memberLength == 1 << 15
      #expect(points.allSatisfy { ($0.bits == InflatePoint.memberStart) == isOfBlocks })
      #expect(points.allSatisfy { $0.window.count == (isOfBlocks ? 0 : InflatePoint.windowLength) })
      try withSource(file) { source in
        for (number, entry) in files.enumerated() {
          let point = points.last { $0.output <= entry.header }
          var content: [UInt8] = []
          try TGZArchive(source).content(of: entry, from: point) { content += $0 }
          #expect(content == Array(noise[(number * 1000)...]))
        }
        // What follows a point within a member repeats what the window has.
        var bare = points[2]
        bare.window = []
        let isRead = (try? TGZArchive(source).content(of: files[9], from: bare) { _ in }) != nil
        #expect(isRead == isOfBlocks)
        var wrong = files[9]
        wrong.checksum ^= 1
        #expect(throws: MetadataError.self) {
          try TGZArchive(source).content(of: wrong, from: points.last) { _ in }
        }
        // A point behind the file, and a file behind the end.
        #expect(throws: MetadataError.self) {
          try TGZArchive(source).content(of: files[0], from: points.last) { _ in }
        }
        wrong.header = 1 << 40
        #expect(throws: MetadataError.self) {
          try TGZArchive(source).content(of: wrong, from: points.last) { _ in }
        }
        (wrong.header, wrong.size) = (.max, .max)
        #expect(throws: MetadataError.self) { try TGZArchive(source).content(of: wrong, from: nil) { _ in } }
      }
    }
  }
}
