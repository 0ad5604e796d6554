import MediaModel
import Testing

@Suite("Names that Apple Photos gives files")
struct PhotosFileNameTests {
  private static let uuid = "6191423D-8DB8-4D4C-92BE-9BBBA308AAC4"

  private func part(_ stem: String) -> PhotosFileName.Part? {
    PhotosFileName(stem: Array(stem.utf8)[...])?.part
  }

  @Test("A name tells what its file is of its asset")
  func parts() {
    #expect(part(Self.uuid) == .original)
    #expect(part(Self.uuid + "_3") == .pairedMovie)
    #expect(part(Self.uuid + "_4") == .raw)
    #expect(part(Self.uuid + "_1_201_a") == .rendition)
    #expect(part(Self.uuid + "_2_0_a") == .rendition)
    #expect(part(Self.uuid + "_2_100_a") == .renderedMovie)
    for other in ["", "IMG_0001", Self.uuid.lowercased(), Self.uuid + "_1_105_c", Self.uuid + "x"] {
      #expect(part(other) == nil, "\(other)")
    }
  }

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

  @Test(
    "A rendition is stacked with its original, and the halves of live photos have names of their own"
  )
  func pairs() {
    #expect(
      StackRules.originalStem(of: Array("\(Self.uuid)_1_201_a".utf8)) == Array(Self.uuid.utf8)
    )
    #expect(StackRules.originalStem(of: Array("\(Self.uuid)_3".utf8)) == nil)
    let names = ["", "_3", "_1_201_a", "_2_100_a"].compactMap {
      PhotosFileName(stem: Array((Self.uuid + $0).utf8)[...])?.pairingStem
    }
    #expect(names[0] == names[1])
    #expect(names[2] == names[3])
    #expect(names[0] != names[2])
  }
}
