internal import MediaContainers
import MediaMetadata
internal import MediaModel
import MediaStripping

/// Checks the properties that must hold for any input. A violation ends the program, which
/// libFuzzer records as a finding.
enum InputCheck {
  /// The coordinator's own limits of an edit list.
  private static let literalBytes = 1 << 20
  private static let operations = 1000

  private static let optionSets = [
    StripOptions(),
    StripOptions(except: Set(MetadataException.allCases)),
    StripOptions(
      except: [.location, .caption],
      isLocationCoarse: true,
      pairingKey: [UInt8](repeating: 1, count: 32)
    ),
  ]

  static func check(_ input: [UInt8], _ parser: Parser) {
    input.withUnsafeBytes { check($0, parser) }
  }

  static func check(_ input: UnsafeRawBufferPointer, _ parser: Parser) {
    switch parser {
    case .zip: ArchiveCheck.check(ByteSource(input))
    case .tar: ArchiveCheck.checkTAR(input)
    case .tgz: ArchiveCheck.checkTGZ(ByteSource(input))
    case .takeout: SidecarCheck.check(ByteSource(input), .takeout)
    case .track: TrackCheck.check(ByteSource(input))
    case .places: PlacesCheck.check(ByteSource(input))
    case .sidecar: SidecarCheck.check(ByteSource(input), .xmp)
    case .aae: SidecarCheck.check(ByteSource(input), .aae)
    case .photos: PhotosCheck.check(input)
    case .plan: PlanCheck.check(Array(input))
    case .export: ExportCheck.check(Array(input))
    case .parameters: ParametersCheck.check(Array(input))
    case .credentials: CredentialsCheck.check(Array(input))
    case .jpeg, .png, .webp, .gif, .bmp, .tiff, .dng, .heif, .jp2, .jxl, .picture, .exif, .xmp,
      .icc, .iptc, .movie, .audio, .film:
      media(input, parser)
    }
  }

  private static func media(_ input: UnsafeRawBufferPointer, _ parser: Parser) {
    guard let file = parser.file(input) else { return }
    file.withUnsafeBytes { bytes in
      let source = ByteSource(bytes)
      _ = RawFormat.name(of: source)
      guard let format = FormatSniffer.format(of: source), parser.takes(format) else { return }
      let facts = try? MetadataReader.facts(of: source, format: format)
      if facts?.embeddedMovie?.fits(source.length) == false {
        finding("a movie outside of its file")
      }
      _ = MetadataReader.description(of: source, format: format)
      _ = try? MetadataReader.describedFacts(of: source, format: format)
      _ = Completeness.missingPart(of: source, format: format)
      _ = try? MetadataInspector.entries(of: source, format: format, showsValues: true)
      for options in optionSets { stripped(bytes, format, options) }
      if format.mediaType == .video { muted(source, format) }
      if format.takesFacts { embedded(bytes, format) }
    }
  }

  /// Facts, a turn alone, and both.
  private static let copies: [EmbeddedFacts] = {
    let facts = EmbeddedFacts(
      packet: XMPWriter.packet(
        of: XMPWriter.element("xmp:Rating", "4"),
        namespaces: XMPWriter.namespaces(.besideExif, of: KeptMetadata())
      ),
      date: CaptureDate(local: "2019-07-04T10:15:30", offsetMinutes: 120, tag: ""),
      place: MediaDescription.Place(latitude: 481_361_000, longitude: 115_000_000)
    )
    var (turn, both) = (EmbeddedFacts(packet: []), facts)
    (turn.rotation, both.rotation) = (90, 270)
    return [facts, turn, both]
  }()

  /// Checks that a copy with facts is a file of the same format.
  private static func embedded(_ bytes: UnsafeRawBufferPointer, _ format: MediaFormat) {
    for facts in copies {
      let source = ByteSource(bytes)
      guard let list = try? FactEmbedder.editList(of: source, format: format, facts: facts) else {
        continue
      }
      let output = applied(list, bytes)
      let again = output.withUnsafeBytes { FormatSniffer.format(of: ByteSource($0)) }
      if again != format { finding("a copy with facts is \(again?.rawValue ?? "of no format")") }
    }
  }

  private static func muted(_ source: ByteSource, _ format: MediaFormat) {
    do {
      _ = try Stripper.muteList(of: source, format: format)
    } catch {
      if error.code == .residue { finding("sound is left: \(error)") }
    }
  }

  /// Checks that the edit list of a file can be applied, and that stripping its output again
  /// succeeds and changes nothing.
  private static func stripped(
    _ bytes: UnsafeRawBufferPointer,
    _ format: MediaFormat,
    _ options: StripOptions
  ) {
    guard let output = output(of: bytes, format, options, isFirst: true) else { return }
    output.withUnsafeBytes { again in
      guard let second = self.output(of: again, format, options, isFirst: false) else {
        return finding("an output is not stripped again")
      }
      // A content identifier is made anew each time.
      if options.pairingKey == nil, second != output {
        finding("a second strip changes the output")
      }
    }
  }

  private static func output(
    of bytes: UnsafeRawBufferPointer,
    _ format: MediaFormat,
    _ options: StripOptions,
    isFirst: Bool
  ) -> [UInt8]? {
    let list: EditList
    do {
      list = try Stripper.editList(of: ByteSource(bytes), format: format, options: options)
    } catch {
      if error.code == .residue { finding("the verification finds: \(error)") }
      if !isFirst { finding("an output is not stripped again: \(error)") }
      return nil
    }
    return applied(list, bytes)
  }

  private static func applied(_ list: EditList, _ bytes: UnsafeRawBufferPointer) -> [UInt8] {
    var output: [UInt8] = []
    var end: UInt64 = 0
    var literals = 0
    for operation in list.operations {
      switch operation {
      case .copy(let offset, let length), .masked(let offset, let length, _):
        guard offset >= end, length > 0, offset <= UInt64(bytes.count),
          length <= UInt64(bytes.count) - offset
        else {
          finding("a copy of \(length) at \(offset)")
          return output
        }
        end = offset + length
        var part = Array(bytes[Int(offset)..<Int(end)])
        if case .masked(_, _, let mask) = operation {
          if part.count % mask.frameLength != 0 { finding("a mask of a part of a frame") }
          part.withUnsafeMutableBytes { mask.apply(to: $0, at: 0) }
        }
        output += part
      case .literal(let literal):
        literals += literal.count
        output += literal
      }
    }
    if literals > literalBytes + bytes.count / 4 { finding("\(literals) bytes of literals") }
    if list.operations.count > operations + bytes.count / 64 {
      finding("\(list.operations.count) operations")
    }
    return output
  }
}
