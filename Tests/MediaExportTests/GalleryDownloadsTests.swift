import Foundation
import MediaDigest
import MediaFileSystem
import MediaGallery
import MediaModel
import MediaTestSupport
import Testing

@testable import MediaExport

@Suite("\"Download all\" of a gallery", .enabled(if: Tool.exists("python3"), "no python3"))
struct GalleryDownloadsTests {
  private let place: ExportPlace

  init() throws { place = try ExportPlace() }

  /// What Python's zipfile says of a ZIP: a line for each file, with its name, length, CRC-32, date and flags.
  private static func listing(_ path: String) throws -> [String] {
    let script = """
      import sys, zipfile
      with zipfile.ZipFile(sys.argv[1]) as z:
        if z.testzip(): sys.exit("damaged")
        for i in z.infolist():
          print(i.filename, i.file_size, i.compress_type, f"{i.CRC:08x}", *i.date_time, i.flag_bits, i.extract_version)
      """
    let result = try Tool.run("python3", ["-c", script, path])
    try #require(result.status == 0, "\(result.output)\(result.error)")
    return result.output.split(separator: "\n").map(String.init)
  }

  /// A gallery's folder of files of these lengths, as pictures whose rows fall, and a way to make its ZIPs.
  private struct Made {
    let place: ExportPlace
    let folder: ExportFolder
    let gathered = GatheredPictures(in: SpooledBytes())

    init(_ place: ExportPlace, lengths: [Int], names: [String] = []) throws {
      self.place = place
      folder = try place.open(kind: "gallery")
      for (number, length) in lengths.enumerated() {
        var picture = GalleryPicture(key: "0\(number)", title: "", date: nil, mediaType: .image)
        picture.original = GalleryPicture.File(ending: "jpg", size: nil)
        picture.name = names.isEmpty ? "\(number).jpg" : names[number]
        let path = Array(picture.downloads[0].path.utf8)
        let recipe = Hexadecimal.text(SHA256.hash([UInt8(number), UInt8(length & 0xFF)]))
        if try !folder.keep(recipe, at: path) {
          let bytes = [UInt8](repeating: UInt8(number), count: length)
          try folder.write(bytes, to: path, recipe: recipe, modified: 1_700_000_001_000_000_000)
        }
        let position = gathered.begin(picture, row: Int64(lengths.count - number))
        try gathered.finish(position, GalleryFiles.Files())
      }
    }

    func zips(
      _ limits: GalleryDownloads.Limits = GalleryDownloads.Limits(),
      room: Int64? = nil,
      announce: (Int64, Int) -> Void = { _, _ in }
    ) throws -> [GalleryDownload] {
      let downloads = try GalleryDownloads(in: folder, gathered, limits: limits)
      return try downloads.make(titled: "A: b", room: room, announce: announce)
    }
  }

  @Test("Two readers find each file as it is, its name in UTF-8, and its time in UTC")
  func whole() throws {
    let made = try Made(place, lengths: [5, 0, 3 << 20], names: ["Größe 海.jpg", "empty.jpg", "large.jpg"])
    var announced: [(Int64, Int)] = []
    let zips = try made.zips { announced.append(($0, $1)) }
    try made.folder.commit("state")
    let zip = try #require(zips.first)
    #expect(zips.count == 1 && zip.path == "downloads/pictures-1.zip" && zip.name == "A_ b.zip")
    #expect(zip.fileCount == 3 && announced.map(\.1) == [1] && announced.map(\.0) == [zip.bytes])
    let path = place.folder + "/" + zip.path
    #expect(try place.status(path).size == zip.bytes)
    // In the order of their rows; 22:13:21 UTC is 22:13:20 in the steps of DOS; 2048 says UTF-8.
    let listing = try Self.listing(path)
    #expect(listing.map { $0.prefix { $0 != " " } } == ["large.jpg", "empty.jpg", "Größe"])
    #expect(listing.allSatisfy { $0.hasSuffix(" 2023 11 14 22 13 20 2048 10") }, "\(listing)")
    #expect(listing[1].contains(" 0 0 00000000 "))
    if Tool.exists("unzip") {
      let test = try Tool.run("unzip", ["-tq", path])
      #expect(test.status == 0, "\(test.output)\(test.error)")
    }
  }

  @Test("A ZIP is full at its most bytes and files, and what is longer stands alone")
  func limits() throws {
    let made = try Made(place, lengths: [100, 100, 100, 1000, 100])
    let each = ZIPEntry(name: Array("0.jpg".utf8), size: 100, modified: 1_700_000_001_000_000_000).bytes
    let two = GalleryDownloads.Limits(bytes: 2 * each + ZIPEntry.endLength)
    func counts(_ zips: [GalleryDownload]) -> [Int?] { zips.map(\.fileCount) }
    let exact = try made.zips(two)
    #expect(counts(exact) == [2, 2, nil] && exact.map(\.bytes) == [two.bytes, two.bytes, 1000])
    #expect(exact.last?.path == "originals/03/03.jpg" && exact.last?.name == "3.jpg")
    #expect(exact.first?.name == "A_ b 1 of 2.zip")
    for zip in exact.dropLast() {
      let file = try made.folder.openMade(Array(zip.path.utf8))
      #expect(try file.status().size == zip.bytes)
    }
    var less = two
    less.bytes -= 1
    #expect(try counts(Made(ExportPlace(), lengths: [100, 100, 100]).zips(less)) == [1, 1, 1])
    #expect(
      try counts(Made(ExportPlace(), lengths: [1, 1, 1]).zips(GalleryDownloads.Limits(files: 2))) == [2, 1]
    )
    // A single file has a download of its own.
    #expect(try Made(ExportPlace(), lengths: [100]).zips().isEmpty)
  }

  @Test("65,535 files are in one ZIP, which the format counts to, and 65,536 in two")
  func most() throws {
    let scratch = TemporaryFolder()
    let folder = try FileSystem.openFolder(Array(scratch.path.utf8))
    let file = try FileSystem.createFile(in: folder, Array("file".utf8))
    try file.write(Array("one".utf8))
    let source = try FileSystem.openForReading(beneath: folder, Array("file".utf8), crossMounts: false)
    let zip = try FileSystem.createFile(in: folder, Array("all.zip".utf8))
    var writer = ZIPWriter(to: zip)
    for number in 0..<GalleryDownloads.Limits().files {
      try writer.add(ZIPEntry(name: Array("\(number)".utf8), size: 3, modified: 0), from: source)
    }
    try writer.finish()
    let listing = try Self.listing(scratch.path + "/all.zip")
    #expect(listing.count == 65_535 && listing.last?.hasPrefix("65534 3 0 7a6c86f1 1980 1 1 0 0 0") == true)
    #expect(GalleryDownloads.Limits().bytes + Int64(1 << 20) < Int64(Int32.max))
  }

  @Test("The checksum is that of zlib, whatever the parts are in which bytes come")
  func checksum() throws {
    let bytes = (0..<1000).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ $0 >> 3) }
    let script = "import sys, zlib; print(zlib.crc32(bytes.fromhex(sys.argv[1])))"
    let expected = try Tool.run("python3", ["-c", script, Hexadecimal.text(bytes)])
    for length in [1, 7, 8, 9, 1000] {
      var sum = ZIPChecksum()
      for start in stride(from: 0, to: bytes.count, by: length) {
        Array(bytes[start..<min(start + length, bytes.count)]).withUnsafeBytes { sum.update($0) }
      }
      #expect("\(sum.value)\n" == expected.output, "\(length)")
    }
  }

  @Test("Times that DOS or 32 bits do not have are the nearest, or left out")
  func times() {
    func stored(_ modified: Int64) -> [UInt8] {
      Array(ZIPEntry(name: [], size: 0, modified: modified).header(checksum: 0)[10..<14])
    }
    #expect(stored(-1) == [0, 0, 0x21, 0] && stored(.min) == [0, 0, 0x21, 0])
    #expect(stored(.max) == [0x7D, 0xBF, 0x9F, 0xFF])
    // 2026-11-30T13:10:03Z.
    #expect(stored(1_796_044_203_999_999_999) == [0x41, 0x69, 0x7E, 0x5D])
    #expect(ZIPEntry(name: [], size: 0, modified: .max).header(checksum: 0).count == 30)
    #expect(ZIPEntry(name: [], size: 0, modified: 0).header(checksum: 0).count == 39)
  }

  @Test("Where there is no room it says how much is needed, and nothing is made")
  func noRoom() throws {
    let made = try Made(place, lengths: [1000, 1000])
    var needed: Int64 = 0
    #expect(ExportError.code { _ = try made.zips(room: 2000) { bytes, _ in needed = bytes } } == .failed)
    #expect(needed > 2000)
    #expect(try made.zips(room: needed).count == 1)
  }

  @Test("A ZIP is made anew only where a file of it is another, or has another name; the bytes are the same")
  func incremental() throws {
    let two = GalleryDownloads.Limits(files: 2)
    func make(_ lengths: [Int], names: [String] = []) throws -> (bytes: [[UInt8]], made: Int) {
      let made = try Made(place, lengths: lengths, names: names)
      var count = 0
      let zips = try made.zips(two) { count = $1 }
      try made.folder.commit("-")
      return (try zips.map { try readBytes(place.folder + "/" + $0.path) }, count)
    }
    let first = try make([10, 20, 30, 40])
    #expect(first.made == 2)
    let again = try make([10, 20, 30, 40])
    #expect(again.made == 0 && again.bytes == first.bytes)
    // The first ZIP has the last two.
    let changed = try make([10, 21, 30, 40])
    #expect(changed.made == 1 && changed.bytes[0] == first.bytes[0] && changed.bytes[1] != first.bytes[1])
    let named = try make([10, 21, 30, 40], names: ["0.jpg", "1.jpg", "2.jpg", "other.jpg"])
    #expect(named.made == 1 && named.bytes[1] == changed.bytes[1])
    try FileManager.default.removeItem(atPath: place.folder)
    #expect(try make([10, 20, 30, 40]).bytes == first.bytes)
  }
}
