import MediaContainers
import MediaModel

extension ExifHandle {
  private typealias Tag = ExifTagNumber

  /// Adds what an Exif block says beside the values that may be kept; nothing to nil.
  ///
  /// Source: Exif 2.32 tables 8 and 15; exiftool `Exif.pm`, CustomRendered, and `Apple.pm`. Apple's
  /// phones write "Screenshot" as the user comment.
  func describe(_ block: TIFFBlock, into description: inout MediaDescription?) {
    guard var found = description else { return }
    for date in allDates { found.add(date) }
    found.locationTime = found.locationTime ?? locationTime
    if bytes(Tag.make, in: .image)?.starts(with: "Apple".utf8) == true {
      switch number(Tag.customRendered, in: .exif) {
      case 2, 3: found.subtypes.insert(.photoHDR)
      case 6: found.subtypes.insert(.photoPanorama)
      case 7: found.subtypes.formUnion([.photoHDR, .photoDepthEffect])
      case 8: found.subtypes.insert(.photoDepthEffect)
      default: break
      }
    }
    if note.isHDR { found.subtypes.insert(.photoHDR) }
    found.burst = found.burst ?? note.burst
    if isScreenshot(block) { found.subtypes.insert(.photoScreenshot) }
    if case .numbers(let bytes) = value(Tag.xpKeywords, in: .image) {
      let units = stride(from: 0, to: bytes.count - 1, by: 2).map {
        UInt16(truncatingIfNeeded: bytes[$0] | bytes[$0 + 1] << 8)
      }
      let text = String(decoding: units.prefix { $0 != 0 }, as: UTF16.self)
      for word in text.split(separator: ";") { XMPValues.add(String(word), to: &found) }
    }
    description = found
  }

  /// The time of the GPS fix, which is always UTC; fractions of a second are cut.
  private var locationTime: String? {
    guard case .fractions(let parts) = value(Tag.locationTime, in: .location), parts.count == 3,
      let hour = parts[0].quotient, let minute = parts[1].quotient, let second = parts[2].quotient,
      (0..<24).contains(hour), (0..<60).contains(minute), (0..<61).contains(second),
      let text = bytes(Tag.locationDate, in: .location),
      let date = DateText.date(String(decoding: text, as: UTF8.self), tag: ""), date.isDateOnly,
      let time = CivilDate.time(hour: Int(hour), minute: Int(minute), second: min(59, Int(second)))
    else { return nil }
    return date.local + "T" + time
  }

  private func isScreenshot(_ block: TIFFBlock) -> Bool {
    guard let offset = number(Tag.exifDirectory, in: .image) else { return false }
    var isScreenshot = false
    block.forEachEntry(ofDirectoryAt: offset) { entry in
      // Eight bytes name the character set.
      guard entry.tag == Tag.userComment, entry.value.count <= 64 else { return }
      isScreenshot = block.source.holds("Screenshot", at: entry.value.lowerBound + 8)
    }
    return isScreenshot
  }
}
