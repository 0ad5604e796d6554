/// Facts of a catalogue that are written into a copy of a file.
package struct EmbeddedFacts: Sendable, Hashable {
  /// The longest packet in bytes; one JPEG segment holds a little more.
  package static let mostPacketBytes = 60_000

  /// An XMP packet with all of them; empty when there are none.
  package var packet: [UInt8]
  /// The date of capture, which may be a day alone, where it is one of them.
  package var date: CaptureDate?
  /// The place, where it is one of them.
  package var place: MediaDescription.Place?
  /// Whether a picture that is made anew gets the copyright notice and the creator that its file names.
  package var keepsCopyright = false
  /// The degrees by which the copy is shown turned, clockwise: 0, 90, 180 or 270.
  package var rotation = 0

  /// The date of capture where it has a time of day.
  package var moment: CaptureDate? { date.flatMap { $0.isDateOnly ? nil : $0 } }

  /// Creates facts.
  package init(
    packet: [UInt8],
    date: CaptureDate? = nil,
    place: MediaDescription.Place? = nil
  ) {
    (self.packet, self.date, self.place) = (packet, date, place)
  }
}

extension MediaFormat {
  /// Whether facts can be written into a file of the format.
  package var takesFacts: Bool {
    switch self {
    case .jpeg, .png, .webp, .tiff, .heic, .avif, .mp4, .mov, .m4a: true
    default: false
    }
  }
}
