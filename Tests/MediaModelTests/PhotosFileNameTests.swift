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

  @Test("The halves of live photos have names of their own, those of a rendition too")
  func pairs() {
    let names = ["", "_3", "_1_201_a", "_2_100_a"].compactMap {
      PhotosFileName(stem: Array((Self.uuid + $0).utf8)[...])?.pairingStem
    }
    #expect(names[0] == names[1])
    #expect(names[2] == names[3])
    #expect(names[0] != names[2])
  }
}
