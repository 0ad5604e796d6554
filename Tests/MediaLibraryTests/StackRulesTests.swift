import MediaModel
import MediaTestSupport
import Testing

@testable import MediaLibrary

@Suite("The rules for stacks")
struct StackRulesTests {
  /// A candidate from `name`, `name@seconds`, `name#burst` or `name#burst!` for the pick of a burst.
  private func candidate(_ asset: Int64, _ text: String) throws -> StackCandidate {
    let name = text.prefix { $0 != "@" && $0 != "#" }
    let path = ItemPath(bytes: Array("DCIM/\(name)".utf8))
    let format = try #require(MediaFormat(fileExtension: path.fileExtension))
    var candidate = StackCandidate(asset: asset, path: path, format: format)
    if let at = text.firstIndex(of: "@") {
      let digits = text[text.index(after: at)...].prefix { $0.isNumber || $0 == "." }
      candidate.taken = Double(digits).map { Int64($0 * 1_000_000_000) }
    }
    if let hash = text.firstIndex(of: "#") {
      candidate.burst = Array(text[text.index(after: hash)...].prefix { $0 != "!" }.utf8)
      candidate.isPick = text.hasSuffix("!")
    }
    return candidate
  }

  /// The stacks as `kind: cover, others`, sorted.
  private func stacks(_ texts: [String]) throws -> [String] {
    let candidates = try texts.enumerated().map { try candidate(Int64($0), $1) }
    return StackRules.stacks(of: candidates).map { stack in
      "\(stack.kind): "
        + stack.assets.map { texts[Int($0)].prefix { $0 != "@" && $0 != "#" } }
        .joined(separator: ", ")
    }.sorted()
  }

  @Test(
    "Names, formats, times and bursts decide, in whatever order the files come",
    arguments: [
      // The same picture in several formats.
      (["DSC_1.NEF", "DSC_1.JPG"], ["formats: DSC_1.JPG, DSC_1.NEF"]),
      (["IMG_1.HEIC", "IMG_1.JPG"], ["formats: IMG_1.HEIC, IMG_1.JPG"]),
      (["IMG_1.DNG", "IMG_1.HEIC", "IMG_1.JPG"], ["formats: IMG_1.HEIC, IMG_1.JPG, IMG_1.DNG"]),
      (["DSC_1.NEF@100", "DSC_1.JPG@102"], ["formats: DSC_1.JPG, DSC_1.NEF"]),
      (["DSC_1.NEF@100", "DSC_1.JPG@103"], []),
      (["DSC_1.NEF@100", "DSC_1.JPG"], ["formats: DSC_1.JPG, DSC_1.NEF"]),
      (["DSC_1.NEF", "DSC_2.JPG"], []),
      (["DSC_1.NEF", "dsc_1.JPG"], []),
      (["DSC_1.jpg", "DSC_1.jpeg"], []),
      (["DSC_1.png", "DSC_1.jpg"], []),
      (["DSC_1.MOV", "DSC_1.JPG"], []),
      (["DSC_1.NEF", "DSC_1.JPG", "DSC_1.jpeg"], ["ambiguous: DSC_1.jpeg, DSC_1.JPG, DSC_1.NEF"]),
      (
        ["PXL_20230704_101530123.RAW-01.COVER.jpg", "PXL_20230704_101530123.RAW-02.ORIGINAL.dng"],
        [
          "formats: PXL_20230704_101530123.RAW-01.COVER.jpg, PXL_20230704_101530123.RAW-02.ORIGINAL.dng"
        ]
      ),
      (
        ["PXL_20230704_101530123.dng", "PXL_20230704_101530123.MP.jpg"],
        ["formats: PXL_20230704_101530123.MP.jpg, PXL_20230704_101530123.dng"]
      ),
      // The two pictures of a Pixel's mode, also with a rendition of the first, and cut by Takeout.
      (
        ["PXL_1.PORTRAIT-01.COVER.jpg", "PXL_1.PORTRAIT-02.ORIGINAL.jpg"],
        ["edited: PXL_1.PORTRAIT-01.COVER.jpg, PXL_1.PORTRAIT-02.ORIGINAL.jpg"]
      ),
      (
        ["PXL_1.LONG_EXPOSURE-01.COVER.jpg", "PXL_1.LONG_EXPOSURE-02.ORIGINA.jpg"],
        ["edited: PXL_1.LONG_EXPOSURE-01.COVER.jpg, PXL_1.LONG_EXPOSURE-02.ORIGINA.jpg"]
      ),
      (
        [
          "PXL_1.PORTRAIT-01.COVER-edited.jpg", "PXL_1.PORTRAIT-01.COVER.jpg",
          "PXL_1.PORTRAIT-02.ORIGINAL.jpg",
        ],
        [
          "edited: PXL_1.PORTRAIT-01.COVER-edited.jpg, PXL_1.PORTRAIT-01.COVER.jpg, "
            + "PXL_1.PORTRAIT-02.ORIGINAL.jpg"
        ]
      ),
      (
        ["PXL_1.PORTRAIT-01.COVER-edited.jpg", "PXL_1.PORTRAIT-01.COVER.jpg"],
        ["edited: PXL_1.PORTRAIT-01.COVER-edited.jpg, PXL_1.PORTRAIT-01.COVER.jpg"]
      ),
      (
        ["PXL_1.MP-edited.jpg", "PXL_1.MP.jpg", "PXL_1.dng"],
        ["edited: PXL_1.MP-edited.jpg, PXL_1.MP.jpg, PXL_1.dng"]
      ),
      (["PXL_1.PORTRAIT-01.COVER.jpg", "PXL_1.NIGHT-02.ORIGINAL.jpg"], []),
      (["PXL_1.PORTRAIT-01.COVER.jpg", "PXL_2.PORTRAIT-02.ORIGINAL.jpg"], []),
      (["PXL_1.MP.jpg", "PXL_1.jpg"], []),
      // An edited rendition and its original.
      (["IMG_E1234.JPG", "IMG_1234.HEIC"], ["edited: IMG_E1234.JPG, IMG_1234.HEIC"]),
      (["IMG_E1234.MOV", "IMG_1234.MOV"], ["edited: IMG_E1234.MOV, IMG_1234.MOV"]),
      (["IMG_E1234.JPG", "IMG_1234.MOV"], []),
      (["IMG_E123.JPG", "IMG_123.JPG"], []),
      (["IMG_E1234.JPG@9", "IMG_1234.PNG@1"], ["edited: IMG_E1234.JPG, IMG_1234.PNG"]),
      (
        ["IMG_E1234.JPG", "IMG_1234.HEIC", "IMG_1234.DNG"],
        ["edited: IMG_E1234.JPG, IMG_1234.HEIC, IMG_1234.DNG"]
      ),
      (
        ["IMG_E1234.JPG", "IMG_1234.PNG", "IMG_1234.JPG"],
        ["ambiguous: IMG_1234.JPG, IMG_1234.PNG, IMG_E1234.JPG"]
      ),
      // Bursts.
      (["a.jpg#x", "b.jpg#x!", "c.jpg#x"], ["burst: b.jpg, a.jpg, c.jpg"]),
      (["a.jpg#x", "b.jpg#y"], []),
      (["a.jpg@7", "b.jpg@7"], []),
      (["c.jpg#x", "a.jpg#x"], ["burst: a.jpg, c.jpg"]),
      (["IMG_10.jpg#x", "IMG_9.jpg#x"], ["burst: IMG_9.jpg, IMG_10.jpg"]),
      (["a.jpg@5.9#x", "b.jpg@5.25#x", "c.jpg@5#x"], ["burst: c.jpg, b.jpg, a.jpg"]),
      (["DSC_1.NEF@100.9", "DSC_1.JPG@102.1"], ["formats: DSC_1.JPG, DSC_1.NEF"]),
      (
        ["a.jpg#x", "a.dng#x", "b.jpg#x!", "b.dng#x"],
        ["burst: b.jpg, b.dng, a.jpg, a.dng"]
      ),
      (["a.mp4", "a.wav", "a.jpg"], []),
    ]
  )
  func rules(_ names: [String], _ expected: [String]) throws {
    #expect(try stacks(names) == expected)
    #expect(try stacks(names.reversed()) == expected)
  }

  @Test("No asset is in two stacks, and work grows with the number of files alone")
  func manyFiles() throws {
    var random = SeededGenerator()
    var candidates: [StackCandidate] = []
    let endings = ["JPG", "NEF", "HEIC", "MOV", "PNG"]
    var names: Set<String> = []
    for asset in 0..<40_000 {
      let number = 1000 + Int.random(in: 0..<9000, using: &random)
      let ending = endings.randomElement(using: &random) ?? "JPG"
      let edited = Bool.random(using: &random) ? "E" : ""
      let name = "IMG_\(edited)\(number).\(ending)"
      guard names.insert(name).inserted else { continue }
      var candidate = try candidate(Int64(asset), name)
      if asset % 3 == 0 { candidate.burst = [UInt8(asset % 251), UInt8(asset % 7)] }
      candidates.append(candidate)
    }
    var stacks: [Stack] = []
    let seconds = processorSeconds { stacks = StackRules.stacks(of: candidates) }
    let members = stacks.flatMap(\.assets)
    #expect(Set(members).count == members.count)
    #expect(stacks.allSatisfy { $0.assets.count > 1 })
    #expect(stacks.contains { $0.kind == .ambiguous } && stacks.contains { $0.kind == .burst })
    #expect(seconds < 20)
    let isSame = StackRules.stacks(of: candidates.shuffled(using: &random)) == stacks
    #expect(isSame)
  }

  /// A name that Apple Photos gives a file.
  private static let uuid = "6191423D-8DB8-4D4C-92BE-9BBBA308AAC4"

  @Test(
    "Files of one library are stacked across its folders, and those of others within theirs",
    arguments: [
      ("originals/6/\(uuid).jpeg", "originals"),
      ("resources/renders/6/\(uuid)_1_201_a.jpeg", "originals"),
      ("a/b/originals/6/\(uuid)_4.dng", "a/b/originals"),
      ("a/resources/renders/6/\(uuid)_2_0_a.mov", "a/originals"),
      ("originals/7/\(uuid).jpeg", "originals/7"), ("originals/6/IMG_1.jpeg", "originals/6"),
      ("my-originals/6/\(uuid).jpeg", "my-originals/6"), ("6/\(uuid).jpeg", "6"),
      ("\(uuid).jpeg", ""),
    ]
  )
  func folders(_ path: String, _ folder: String) {
    let path = ItemPath(bytes: Array(path.utf8))
    #expect(path.stackFolder.bytes == Array(folder.utf8))
    // Where it is looked for, it is found.
    #expect(path.stackFolder.foldersOfStacks.contains(ItemPath(bytes: Array(path.folder))))
  }

  @Test("A rendition of Photos is stacked with its original")
  func photosRendition() {
    let original = Array(Self.uuid.utf8)
    #expect(StackRules.originalStem(of: original + "_1_201_a".utf8) == original)
    #expect(StackRules.originalStem(of: original + "_3".utf8) == nil)
  }
}
