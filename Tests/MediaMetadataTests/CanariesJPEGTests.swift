import MediaModel
import Testing

@testable import MediaContainers
@testable import MediaMetadata
@testable import MediaStripping

@Suite("No canary comes through a JPEG")
struct CanariesJPEGTests {
  static let everything = StripOptions(
    except: Set(MetadataException.allCases),
    pairingKey: [UInt8](repeating: 1, count: 32)
  )
  /// Where what stands is what `except` asks for.
  static let kept: Set<String> = [
    "IFD0 270", "IFD0 271", "IFD0 272", "IFD0 315", "IFD0 33432", "IFD0 40091", "IFD0 40092", "ExifIFD 37510",
    "XMP 0", "XMP 1", "IPTC 5", "IPTC 80", "IPTC 116", "IPTC 120", "C2PA",
  ]

  @Test("The generator plants what the search finds", arguments: CanariesJPEG.slots)
  func planted(slot: CanariesJPEG.Slot) {
    // Of a header field, four bytes are too few to be looked for; the output is compared below.
    guard !slot.description.hasPrefix("ICC header") else { return }
    #expect(Canaries.present(in: slot.bytes).count == Canaries.all.count)
  }

  @Test("None is left by strip", arguments: CanariesJPEG.slots)
  func none(slot: CanariesJPEG.Slot) throws {
    let (output, list) = try strip(slot.bytes, .jpeg)
    #expect(Canaries.present(in: output).isEmpty)
    #expect(!list.removed.isEmpty || slot.description.hasPrefix("Adobe"))
    // What is left is the file without the slot, or with the orientation or profile that it had.
    var expected = [TinyJPEG.file()]
    let turned = TinyTIFF.block([.short(0x0112, 6)])
    expected.append(jpeg(exif: turned))
    let scans = TinyJPEG.scan + TinyJPEG.scan
    expected.append(TinyJPEG.file(scan: scans))
    expected.append(TinyJPEG.file(TinyJPEG.jfif))
    expected.append(TinyJPEG.file(TinyJPEG.segment(0xEE, "Adobe", [0, 100, 0, 0, 0, 0, 1])))
    if let clean = ICCProfile.cleaned(TinyICC.profile()) {
      expected.append(TinyJPEG.file(TinyJPEG.segment(0xE2, "ICC_PROFILE\0", [1, 1] + clean)))
    }
    #expect(expected.contains(output))
  }

  @Test("With everything excepted, only what was asked for is left", arguments: CanariesJPEG.slots)
  func excepted(slot: CanariesJPEG.Slot) throws {
    let (output, _) = try strip(slot.bytes, .jpeg, Self.everything)
    #expect(Canaries.present(in: output).isEmpty != Self.kept.contains(slot.description))
  }

  @Test("None is left of all slots at once, and a second strip changes nothing")
  func allAtOnce() throws {
    // Segments can stand behind one another; each slot's own are what differs from the bare file.
    let bare = TinyJPEG.file()
    var segments: [UInt8] = []
    for slot in CanariesJPEG.slots {
      let extra = slot.bytes.count - bare.count
      guard extra > 0, slot.bytes[(2 + extra)...].elementsEqual(bare[2...]) else { continue }
      segments += slot.bytes[2..<(2 + extra)]
    }
    let (output, _) = try strip(TinyJPEG.file(segments, after: Canaries.ascii), .jpeg)
    #expect(Canaries.present(in: output).isEmpty)
    #expect(try strip(output, .jpeg).output == output)
  }
}
