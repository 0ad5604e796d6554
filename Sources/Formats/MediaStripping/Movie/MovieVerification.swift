import MediaContainers
import MediaMetadata
import MediaModel

/// Verifies a stripped movie: compares its boxes with the allow-list, and checks that stripping it
/// again would change no byte.
enum MovieVerification {
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
      let isCredentials =
        box.type == "uuid"
        && output.holds(HEIFContainer.credentialsIdentifier, at: box.body.lowerBound)
      if keepsCredentials, isCredentials { continue }
      try BoxAllowList.movie.verify(box, of: output)
    }
    guard end == output.length else { throw MetadataError(.residue, "trailer") }
    let values = MovieValues.own(in: output)
    var kept = values.limited(to: options)
    if options.pairingKey != nil, let identifier = values.contentIdentifier,
      LivePhotoIdentifier.isFresh(identifier)
    {
      kept.contentIdentifier = identifier
    }
    var again = EditListBuilder(sourceLength: output.length, options: options)
    try MovieStripper.strip(output, MovieDescription(kept), into: &again)
    try StableOutput.verify(again.finish(), over: output)
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
}
