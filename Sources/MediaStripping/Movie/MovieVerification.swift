import MediaContainers
import MediaMetadata
import MediaModel

/// Verifies a stripped movie: compares its boxes with the allow-list, and checks that stripping it
/// again would change no byte.
enum MovieVerification {
  /// The allowed children of each box; a type without an entry has none.
  private static let children: [FourCharacterCode: Set<FourCharacterCode>] = [
    "moov": ["mvhd", "trak", "mvex", "meta"],
    "mvex": ["trex", "mehd"],
    "trak": ["tkhd", "tref", "edts", "tapt", "mdia"],
    "tapt": ["clef", "prof", "enof"],
    "edts": ["elst"],
    "mdia": ["mdhd", "hdlr", "minf"],
    "minf": ["vmhd", "smhd", "hdlr", "dinf", "stbl"],
    "dinf": ["dref"],
    "stbl": [
      "stsd", "stts", "ctts", "cslg", "stss", "stps", "sdtp", "stsc", "stsz", "stz2", "stco",
      "co64",
      "sgpd", "sbgp",
    ],
    "moof": ["mfhd", "traf"],
    "traf": ["tfhd", "tfdt", "trun", "sgpd", "sbgp"],
  ]

  /// Verifies the boxes of an output.
  ///
  /// - Throws: `residue` naming the first thing that should not be there; `damaged` when the output
  ///   is no such file.
  static func verify(
    _ output: ByteSource,
    options: StripOptions
  ) throws(MetadataError) {
    let keepsCredentials = options.except.contains(.contentCredentials)
    var end = 0
    for box in ISOBoxes(output, in: 0..<output.length, limit: .max) {
      end = box.range.upperBound
      switch box.type {
      case "ftyp", "mdat", "sidx": continue
      case "moov", "moof": try look(at: box, of: output)
      case "uuid"
      where keepsCredentials
        && output.holds(HEIFContainer.credentialsIdentifier, at: box.body.lowerBound):
        continue
      default: throw MetadataError(.residue, "\(box.type.displayName) box")
      }
    }
    guard end == output.length else { throw MetadataError(.residue, "trailer") }
    let found = MovieValues.own(in: output)
    var kept = found.limited(to: options)
    if options.pairingKey != nil, let identifier = found.contentIdentifier,
      LivePhotoIdentifier.isFresh(identifier)
    {
      kept.contentIdentifier = identifier
    }
    let again = try MovieStripper.editList(
      of: output,
      options: options,
      description: MovieDescription(kept)
    )
    try StableOutput.verify(again, over: output)
  }

  /// Verifies an output without audio.
  ///
  /// - Throws: `residue` when an audio track is left, or bytes that no track needs.
  static func verifyMuted(_ output: ByteSource) throws(MetadataError) {
    try StableOutput.verify(try MovieStripper.muteListAgain(of: output), over: output)
    guard let moov = try MovieFile(of: output).moov else {
      throw MetadataError(.damaged, "no moov")
    }
    for box in ISOBoxes(output, in: moov.body, limit: .max) where box.type == "trak" {
      if ISOBoxes.body(at: ["mdia", "minf", "smhd"], in: box.body, of: output) != nil {
        throw MetadataError(.residue, RemovedMetadata.audioTrack)
      }
    }
  }

  private static func look(
    at box: ISOBox,
    of output: ByteSource
  ) throws(MetadataError) {
    guard let allowed = children[box.type] else { return }
    let name = box.type.displayName
    for child in try box.children(in: output) {
      guard allowed.contains(child.type) else {
        throw MetadataError(.residue, "\(child.type.displayName) in \(name)")
      }
      // A tref has no list of children: its content is verified by writing it again.
      if child.type != "tref" { try look(at: child, of: output) }
    }
  }
}
