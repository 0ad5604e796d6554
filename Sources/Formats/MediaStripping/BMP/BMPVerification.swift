import MediaContainers
import MediaModel

extension BMPStripper {
  static func verify(
    output: ByteSource,
    options: StripOptions
  ) throws(MetadataError) {
    let header = try BMPHeader(of: output)
    let profile = try header.profile.flatMap { (range) throws(MetadataError) in
      try ICCProfile.cleaned(range, of: output)
    }
    // A picture has exactly one possible form of headers.
    let headers = try BMPWriter.headers(header, of: output, profile: profile)
    var walker = PartWalker(
      BMPAllowList.list,
      output,
      expected: [BMPAllowList.headers: headers, BMPAllowList.profile: profile].compactMapValues {
        $0
      }
    )
    try walker.pass(BMPAllowList.headers, at: 0..<header.pixels.lowerBound)
    try walker.pass(BMPAllowList.pixels, at: header.pixels)
    if let range = header.profile { try walker.pass(BMPAllowList.profile, at: range) }
    try walker.finish()
    guard !header.isRunLength else { return }
    let firstPadding = header.width * header.bitCount / 8
    guard firstPadding < header.rowLength else { return }
    for row in 0..<header.height {
      let start = header.pixels.lowerBound + row * header.rowLength
      let padding = (start + firstPadding)..<(start + header.rowLength)
      guard header.cleanPadding(padding, of: output) == nil else {
        throw MetadataError(.residue, "bytes behind a row")
      }
    }
  }
}
