import MediaModel
import Testing

@testable import MediaContainers
@testable import MediaMetadata
@testable import MediaStripping

@Suite("No canary comes through a PNG, GIF, WebP, BMP, TIFF, JPEG 2000 or JPEG XL")
struct CanariesContainersTests {
  static let everything = StripOptions(except: Set(MetadataException.allCases))

  @Test("The generator plants what the search finds", arguments: CanariesContainers.slots)
  func planted(slot: CanarySlot) {
    // Padding of three bytes a row holds them in pieces.
    guard slot.description != "BMP padding of rows" else { return }
    // The border of two sub-blocks cuts one.
    let least = Canaries.all.count - (slot.format == .gif ? 1 : 0)
    #expect(Canaries.present(in: slot.bytes).count >= least)
  }

  @Test(
    "None is left by strip, and the file is what it is without them",
    arguments: CanariesContainers.slots
  )
  func none(slot: CanarySlot) throws {
    let (output, list) = try strip(slot.bytes, slot.format)
    #expect(Canaries.present(in: output).isEmpty)
    #expect(output == slot.clean)
    #expect(!list.removed.isEmpty)
    #expect(try strip(output, slot.format).output == output)
  }

  @Test(
    "With everything excepted, only what was asked for is left",
    arguments: CanariesContainers.slots
  )
  func excepted(slot: CanarySlot) throws {
    let (output, _) = try strip(slot.bytes, slot.format, Self.everything)
    #expect(Canaries.present(in: output).isEmpty != slot.mayBeKept)
    #expect(try strip(output, slot.format, Self.everything).output == output)
  }

  @Test("The verification finds what an edit list would leave", arguments: CanariesContainers.slots)
  func secondLook(slot: CanarySlot) {
    withSource(slot.bytes) { source in
      let errorCode = code { try Stripper.verify(output: source, format: slot.format) }
      #expect(errorCode == .residue)
    }
    withSource(slot.clean) { source in
      #expect(code { try Stripper.verify(output: source, format: slot.format) } == nil)
    }
  }
}
