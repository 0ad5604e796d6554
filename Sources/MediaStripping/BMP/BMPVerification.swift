import MediaContainers
import MediaModel

/// Verifies a stripped BMP with the parser that parsed the original.
enum BMPVerification {
  /// Verifies the headers, the rows' padding and the profile of an output.
  ///
  /// - Throws: `residue` naming the first thing that should not be there; `damaged` when the output
  ///   is no BMP.
  static func verify(
    _ output: ByteSource,
    options: StripOptions
  ) throws(MetadataError) {
    let header = try BMPHeader(of: output)
    let profile = header.profile.flatMap { output.bytes(in: $0, limit: ICCProfile.maximumLength) }
    if let profile {
      guard ICCProfile.cleaned(profile) == profile else {
        throw MetadataError(.residue, "ICC profile")
      }
    }
    // A picture has exactly one possible form of headers: compare with what would be written for
    // it.
    let headers = try BMPWriter.headers(header, of: output, profile: profile)
    guard output.bytes(in: 0..<headers.count, limit: 4096) == headers else {
      throw MetadataError(.residue, "headers")
    }
    guard header.pixels.lowerBound == headers.count else { throw MetadataError(.residue, "gap") }
    let end = header.pixels.upperBound
    guard header.profile.map({ $0.lowerBound == end }) ?? true,
      output.length == header.profile?.upperBound ?? end
    else { throw MetadataError(.residue, "trailer") }
    guard !header.isRunLength else { return }
    let firstPadding = header.width * header.bitCount / 8
    guard firstPadding < header.rowLength else { return }
    for row in 0..<header.height {
      let start = header.pixels.lowerBound + row * header.rowLength
      let padding = (start + firstPadding)..<(start + header.rowLength)
      guard BMPRows.cleanPadding(padding, header: header, of: output) == nil else {
        throw MetadataError(.residue, "bytes behind a row")
      }
    }
  }
}
