import MediaContainers
import MediaModel

extension ExifHandle {
  private typealias Tag = ExifTagNumber

  /// Adds what an Exif block says beside the values that may be kept; nothing to nil.
  ///
  /// Source: Exif 2.32 tables 8 and 15; exiftool `Exif.pm`, CustomRendered, and `Apple.pm`. Apple's
  /// phones write "Screenshot" as the user comment; theirs and Google's name the lens of the camera on
  /// the side of the screen "… front camera …" or "… front TrueDepth camera …".
  func describe(_ block: TIFFBlock, into description: inout MediaDescription?) {
    guard var described = description else { return }
    for date in allDates { described.add(date) }
    described.locationTime = described.locationTime ?? locationTime
    let make = bytes(Tag.make, in: .image) ?? []
    let isApple = make.starts(with: "Apple".utf8)
    if isApple {
      switch number(Tag.customRendered, in: .exif) {
      case 2, 3: described.subtypes.insert(.photoHDR)
      case 6: described.subtypes.insert(.photoPanorama)
      case 7: described.subtypes.formUnion([.photoHDR, .photoDepthEffect])
      case 8: described.subtypes.insert(.photoDepthEffect)
      default: break
      }
    }
    if note.isHDR { described.subtypes.insert(.photoHDR) }
    described.burst = described.burst ?? note.burst
    let namesLens = isApple || make.starts(with: "Google".utf8)
    described.subtypes.formUnion(subtypes(of: block, namesLens: namesLens))
    for word in wide(Tag.xpKeywords)?.split(separator: ";") ?? [] {
      XMPValues.add(String(word), to: &described)
    }
    description = described
  }

  /// The time of the GPS fix, which is always UTC; fractions of a second are cut.
  private var locationTime: String? {
    guard case .fractions(let parts) = value(Tag.locationTime, in: .location), parts.count == 3,
      let hour = parts[0].quotient, let minute = parts[1].quotient, let second = parts[2].quotient,
      (0..<24).contains(hour), (0..<60).contains(minute), (0..<61).contains(second),
      let text = bytes(Tag.locationDate, in: .location),
      let date = DateText.date(String(decoding: text, as: UTF8.self), tag: ""), date.precision == .day,
      let time = CivilDate.time(hour: Int(hour), minute: Int(minute), second: min(59, Int(second)))
    else { return nil }
    return date.local + "T" + time
  }

  /// Returns what the texts of two tags tell that are read for nothing else.
  private func subtypes(of block: TIFFBlock, namesLens: Bool) -> MediaSubtypes {
    guard let offset = block.pointer(Tag.exifDirectory) else { return [] }
    var subtypes: MediaSubtypes = []
    block.forEachEntry(ofDirectoryAt: offset) { entry in
      guard entry.value.count <= 64 else { return }
      switch entry.tag {
      // Eight bytes name the character set.
      case Tag.userComment:
        if block.source.holds("Screenshot", at: entry.value.lowerBound + 8) {
          subtypes.insert(.photoScreenshot)
        }
      case Tag.lensModel where namesLens:
        let name = block.source.bytes(in: entry.value, limit: 64) ?? []
        if String(decoding: name, as: UTF8.self).holds(" front ") { subtypes.insert(.photoSelfie) }
      default: break
      }
    }
    return subtypes
  }
}
