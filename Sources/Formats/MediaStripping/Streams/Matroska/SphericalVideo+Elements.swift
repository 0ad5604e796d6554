import MediaContainers
import MediaMetadata

/// The first format of spherical video, which in a Matroska is a tag with a packet of texts, as the
/// elements of the second one, which are numbers.
///
/// Source: Google, "Spherical Video RFC" and "Spherical Video V2 RFC", sections on Matroska and WebM;
/// RFC 9559 sections 5.1.4.1.28 (StereoMode, Projection) and 5.1.8.1 (targets of a tag).
extension SphericalVideo {
  private static let maximumTags = 4096
  /// The version of Matroska that has the elements.
  static let documentVersion: UInt64 = 4

  /// Reads the first tag of the format that is about a track or about the whole film; nil without one,
  /// and for a film that is not spherical.
  init?(ofTrack identifier: UInt64, _ parts: [EBMLElement], in source: ByteSource) {
    for part in parts where part.type == .tags {
      for tag in EBMLElements(source, in: part.data).prefix(Self.maximumTags) {
        guard tag.type == .tag else { continue }
        let fields = Array(EBMLElements(source, in: tag.data).prefix(Self.maximumTags))
        guard let packet = Self.packet(fields, of: source),
          Self.isAbout(identifier, fields.first(.targets), of: source)
        else { continue }
        self.init(packet)
        return
      }
    }
    return nil
  }

  /// Returns the text of the tag's element of the format, at most 64 KiB.
  private static func packet(_ fields: [EBMLElement], of source: ByteSource) -> [UInt8]? {
    for simple in fields where simple.type == .simpleTag {
      let values = Array(EBMLElements(source, in: simple.data).prefix(64))
      guard values.first(.tagName)?.ascii(of: source)?.lowercased() == "spherical-video",
        let text = values.first(.tagString)
      else { continue }
      return source.bytes(in: text.data, limit: 1 << 16)
    }
    return nil
  }

  /// Returns whether a tag names the track, or names no track, chapter or attachment: then it is about
  /// the film. The number 0 names all tracks.
  private static func isAbout(
    _ identifier: UInt64,
    _ targets: EBMLElement?,
    of source: ByteSource
  ) -> Bool {
    guard let targets else { return true }
    let named = EBMLElements(source, in: targets.data).prefix(maximumTags).filter {
      0x63C4...0x63C9 ~= $0.identifier
    }
    return named.isEmpty
      || named.contains { element in
        guard element.type == .tagTrackUID, let number = element.unsigned(of: source) else {
          return false
        }
        return number == 0 || number == identifier
      }
  }

  /// Returns the elements that a Video element with children of these types lacks: none if it has a
  /// projection.
  func elements(beside types: Set<MatroskaID>) -> [(type: MatroskaID, bytes: [UInt8])] {
    if types.contains(.projection) { return [] }
    // The borders are the content of `equi`, with its version and flags.
    let borders = [UInt8](repeating: 0, count: 4) + bounds.flatMap { $0.bytes(4) }
    let projection =
      EBMLWriter.unsigned(.projectionType, 1) + EBMLWriter.element(.projectionPrivate, borders)
    var elements = [(MatroskaID.projection, EBMLWriter.element(.projection, projection))]
    // Here 1 is side by side and 3 one above the other, both with the left eye first.
    if stereoMode != 0, !types.contains(.stereoMode) {
      let mode: UInt64 = stereoMode == 1 ? 3 : 1
      elements.append((.stereoMode, EBMLWriter.unsigned(.stereoMode, mode)))
    }
    return elements
  }
}
