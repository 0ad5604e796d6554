import MediaModel
import Testing

@testable import MediaContainers
@testable import MediaMetadata
@testable import MediaStripping

@Suite("No canary comes through an MP3, WAV, AIFF, FLAC or Ogg")
struct SoundCanariesTests {
  static let slots = SoundCanaries.slots

  @Test("The generator plants what the search finds", arguments: slots)
  func planted(slot: CanarySlot) {
    let count = Canaries.present(in: slot.bytes).count
    // LAME's version is cut at nine bytes.
    guard !slot.description.hasSuffix("LAME's version") else { return }
    #expect(count >= (slot.isSmall ? 4 : Canaries.all.count - 3))
    #expect(format(of: slot.bytes) == slot.format)
  }

  @Test("None is left by strip, and the file is what it is without them", arguments: slots)
  func none(slot: CanarySlot) throws {
    let (output, list) = try strip(slot.bytes, slot.format)
    #expect(Canaries.present(in: output).isEmpty)
    #expect(output == slot.clean)
    #expect(!list.removed.isEmpty)
    #expect(try strip(output, slot.format).output == output)
    #expect(try strip(output, slot.format).list.removed.isEmpty)
  }

  @Test("With everything excepted, a second strip changes nothing", arguments: slots)
  func excepted(slot: CanarySlot) throws {
    let everything = StripOptions(except: Set(MetadataException.allCases))
    let (output, _) = try strip(slot.bytes, slot.format, everything)
    #expect(try strip(output, slot.format, everything).output == output)
    #expect(try strip(output, slot.format).output == slot.clean)
  }

  @Test("The verification finds what an edit list would leave", arguments: slots)
  func secondLook(slot: CanarySlot) {
    withSource(slot.bytes) { source in
      #expect(code { try Stripper.verify(output: source, format: slot.format) } == .residue)
    }
    withSource(slot.clean) { source in
      #expect(code { try Stripper.verify(output: source, format: slot.format) } == nil)
    }
  }

  @Test("Every canary is listed as removed", arguments: slots)
  func listed(slot: CanarySlot) throws {
    let entries = try withSource(slot.bytes) {
      try MetadataInspector.entries(of: $0, format: slot.format)
    }
    #expect(entries.contains { $0.isRemoved }, "\(slot)")
  }
}
