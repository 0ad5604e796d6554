import MediaContainers
import MediaMetadata
import MediaModel

/// Verifies a stripped HEIC or AVIF: compares its boxes with the allow-list, and checks that
/// stripping it again would change no byte.
enum HEIFVerification {
  private static let layouts: [[FourCharacterCode]] = [
    ["ftyp", "meta", "mdat"], ["ftyp", "meta", "moov", "mdat"], ["ftyp", "moov", "mdat"],
  ]

  /// Verifies the boxes and the coded data of an output.
  ///
  /// - Throws: `residue` naming the first thing that should not be there; `damaged` when the output
  ///   is no such file.
  static func verify(
    _ output: ByteSource,
    options: StripOptions
  ) throws(MetadataError) {
    let all = try ISOBox.children(of: "file", in: 0..<output.length, of: output, isStrict: true)
    let keepsCredentials = options.except.contains(.contentCredentials)
    let top = all.filter { box in
      !keepsCredentials || box.type != "uuid"
        || !output.holds(HEIFContainer.credentialsIdentifier, at: box.body.lowerBound)
    }
    guard top.count >= all.count - 1, layouts.contains(top.map(\.type)) else {
      throw MetadataError(.residue, "another box beside ftyp, meta, moov and mdat")
    }
    for box in top { try BoxAllowList.picture.verify(box, of: output) }
    var description = HEIFDescription()
    if let box = top.first(where: { $0.type == "meta" }) {
      let meta = try HEIFMetaReader.read(box.body, of: output)
      description = try HEIFDescription.checked(of: output, meta, options: options)
    }
    var again = EditListBuilder(sourceLength: output.length, options: options)
    try HEIFStripper.strip(output, into: &again) { _ in description }
    try StableOutput.verify(again.finish(), over: output)
  }
}
