import MediaFileSystem
import MediaModel
import MediaPredicate
import MediaTestSupport
import Testing

@testable import MediaListing

@Suite("What fetch options and a memory card leave out of a listing")
struct FetchTests {
  private func options(
    _ predicate: String? = nil,
    sort: [String] = [],
    limit: Int = 0
  ) throws -> FetchOptions {
    var options = FetchOptions()
    options.predicate = try predicate.map { try FetchPredicate($0) }
    options.sortDescriptors = try sort.map { try FetchSortDescriptor($0) }
    options.fetchLimit = limit
    return options
  }

  /// Files whose size and time are the number that their name begins with.
  private func items(_ paths: [String]) -> ListedItems {
    listing(paths) { text in
      let name = text.split(separator: "/").last ?? ""
      let number = Int64(name.prefix { $0.isNumber }) ?? 0
      return FileStatus(kind: .regular, size: number, modified: number * 1_000_000_000)
    }
  }

  @Test(
    "A predicate on what the listing tells leaves out the rest, and no sidecar",
    arguments: [
      ("size > 2", ["3.jpg", "a/5.mov"]), ("name BEGINSWITH \"5\"", ["a/5.mov"]),
      ("path LIKE \"a/*\"", ["a/5.mov"]), ("source == \"camera\"", []),
      ("modificationDate < 1970-01-01T00:00:03Z", ["1.jpg"]),
      ("size == 1 OR size == 5", ["1.jpg", "a/5.mov"]),
      // Only the open file tells: it is decided later.
      ("duration > 3", ["1.jpg", "3.jpg", "a/5.mov"]),
    ]
  )
  func predicate(text: String, expected: [String]) throws {
    var items = items(["1.jpg", "1.xmp", "3.jpg", "a/5.mov", "a/9.jpg"])
    let index = try #require(items.index(of: path("a/9.jpg")))
    items.leaveOut(at: index, because: .hardLinked)
    items.fetch(try options(text), of: .library)
    #expect(items.wanted.filter { $0 != "1.xmp" } == expected)
    // A reason that is there stays, and a sidecar follows its file.
    #expect(items.reason(at: index) == .hardLinked)
    #expect(items.wanted.contains("1.xmp"))
    #expect(items.leftOut.values.allSatisfy { [.hardLinked, .notFetched].contains($0) })
  }

  @Test("A limit counts the files of one stem as one, at the place of the first")
  func limit() throws {
    let paths = ["1.heic", "2.MOV", "2.heic", "2.xmp", "3.heic", "3.mov", "b/2.jpg"]
    for (sort, limit, expected) in [
      ([], 1, ["1.heic"]), ([], 2, ["1.heic", "2.MOV", "2.heic"]),
      (["path:descending"], 2, ["3.heic", "3.mov", "b/2.jpg"]),
      (["size:descending", "path"], 1, ["3.heic", "3.mov"]),
      (["size:descending", "path"], 2, ["2.MOV", "2.heic", "3.heic", "3.mov"]),
      (["modificationDate"], 1, ["1.heic"]), ([], 0, paths.filter { $0 != "2.xmp" }),
      ([], 4, paths.filter { $0 != "2.xmp" }),
      // Only open files are in this order.
      (["creationDate"], 1, paths.filter { $0 != "2.xmp" }),
    ] as [([String], Int, [String])] {
      var items = items(paths)
      items.fetch(try options(sort: sort, limit: limit), of: .camera)
      #expect(items.wanted.filter { $0 != "2.xmp" } == expected, "\(sort) \(limit)")
    }
  }

  @Test("Items that are left out already take no place of a limit")
  func limitOfTheRest() throws {
    var items = items(["1.jpg", "2.jpg", "3.jpg", "4.jpg"])
    items.leaveOut(at: 0, because: .notRegularFile)
    items.fetch(try options("size != 2", limit: 1), of: .camera)
    #expect(items.wanted == ["3.jpg"])
    #expect(items.leftOut == ["1.jpg": .notRegularFile, "2.jpg": .notFetched, "4.jpg": .notFetched])
  }

  @Test(
    "Files are of one asset by their folder and stem, whatever the case of letters of ASCII",
    arguments: [
      ("IMG_1.HEIC", "img_1.mov", true), ("a/IMG_1.HEIC", "IMG_1.MOV", false),
      ("A/x.heic", "a/x.mov", false), ("IMG_1.CR2", "IMG_1.CR2.xmp", true),
      ("PXL_1.MP", "PXL_1.MP.jpg", true), ("PXL_1.MP", "pxl_1.jpg", true),
      ("PXL_1.MP~2", "PXL_1.MP~2.jpg", true), ("PXL_1.MP~2", "PXL_1.MP.jpg", false),
      ("PXL_1.MP.jpg", "PXL_1.MP.jpg.xmp", true), ("PXL_1.AMP", "PXL_1.A.jpg", false),
      ("IMG_1.heic", "IMG_1.AAE", true), ("IMG_1.heic", "IMG_10.mov", false),
      ("\u{C9}.heic", "\u{E9}.mov", false),
      (
        "1/0F3D6C04-7F5B-4A43-9E1B-2A4C8C3D1E5F.heic",
        "1/0F3D6C04-7F5B-4A43-9E1B-2A4C8C3D1E5F_3.mov", true
      ),
    ]
  )
  func pairing(name: String, other: String, isSame: Bool) {
    #expect((path(name).pairingKey == path(other).pairingKey) == isSame)
    #expect((path(name).pairingHash == path(other).pairingHash) == isSame)
  }

  // MARK: Memory cards

  @Test("What a camera keeps beside its media is left out beneath DCIM alone")
  func card() {
    let card = [
      "DCIM/100CANON/MVI_0001.MP4", "DCIM/100CANON/MVI_0001.THM", "DCIM/100CANON/IMG_0002.CR2",
      "DCIM/100CANON/IMG_0002.THM", "DCIM/100CANON/IMG_0003.JPG", "DCIM/100CANON/IMG_0003.THM",
      "DCIM/100CANON/M0100.CTG", "DCIM/100GOPRO/GL010001.LRV", "DCIM/100GOPRO/GX010001.MP4",
      "DCIM/100GOPRO/GL010002.LRV", "DCIM/100GOPRO/GH010003.MP4", "dcim/100GOPRO/GL010003.lrv",
      "DCIM/100GOPRO/GL010003.LRV", "DCIM/100GOPRO/MVI_4.LRV", "DCIM/100GOPRO/MVI_4.mov",
      "MISC/AUTPRINT.MRK", "DCIM/MISC/x.jpg", "PRIVATE/MISC/x.jpg",
    ]
    let expected = [
      "DCIM/100CANON/MVI_0001.THM", "DCIM/100CANON/IMG_0002.THM", "DCIM/100CANON/M0100.CTG",
      "DCIM/100GOPRO/GL010001.LRV", "DCIM/100GOPRO/GL010003.LRV", "DCIM/100GOPRO/MVI_4.LRV",
      "MISC/AUTPRINT.MRK", "DCIM/MISC/x.jpg",
    ]
    func remaining(
      _ paths: [String],
      _ place: MemoryCardPlace,
      keeping: Set<String> = []
    ) -> Set<String> {
      var items = listing(paths)
      let count = items.leaveOutCardFiles(in: place) { keeping.contains($0.text) }
      #expect(count == paths.count - items.count)
      #expect(items.isInOrder)
      return Set(items.map(\.path.text))
    }
    #expect(remaining(card, .outside) == Set(card).subtracting(expected))
    #expect(
      remaining(card, .outside, keeping: ["MISC/AUTPRINT.MRK"])
        == Set(card).subtracting(expected).union(["MISC/AUTPRINT.MRK"])
    )
    // The same names in a folder that is no card's.
    let plain = card.map { $0.replacing("DCIM", with: "Films").replacing("dcim", with: "films") }
    #expect(remaining(plain, .outside) == Set(plain))
    let inner = ["100/MVI_1.MP4", "100/MVI_1.THM", "MISC/x", "100/MISC/x"]
    #expect(remaining(inner, .outside) == Set(inner))
    #expect(remaining(inner, .imageRoot) == ["100/MVI_1.MP4", "100/MISC/x"])
    #expect(remaining(["MVI_1.MP4", "MVI_1.THM", "MISC/x"], .inside) == ["MVI_1.MP4", "MISC/x"])
  }

  @Test(
    "A source is on a card by the names of its folders, whatever their case",
    arguments: [
      ("/media/card", .outside), ("/media/card/DCIM", .imageRoot),
      ("/media/card/dcim/", .imageRoot),
      ("/media/card/DCIM/100CANON", .inside), ("/DCIM/a/b", .inside), ("/DCIM2", .outside),
      ("/xDCIM", .outside), ("/", .outside),
    ] as [(String, MemoryCardPlace)]
  )
  func place(folder: String, expected: MemoryCardPlace) {
    #expect(MemoryCardPlace(ofFolder: Array(folder.utf8)) == expected)
  }
}
