/// Looks at a stripped PNG with the parser that took the original apart.
enum PNGSecondLook {
  /// Checksums are recomputed where they were written anew, not over the picture, which was copied.
  ///
  /// - Throws: `residue` naming the first thing that should not be there; `damaged` when the output
  ///   is no PNG.
  static func verify<Source: ByteSource>(_ output: Source) throws(MetadataError) {
    let header = try PNGHeader(of: output)
    var parser = try PNGParser(output)
    var state = PNGStripper.State()
    var sawExif = false
    while let chunk = try parser.next() {
      let name = PNG.name(chunk.type)
      if chunk.type != "IDAT", chunk.type != "fdAT" { try parser.check(chunk) }
      if chunk.type == "eXIf" {
        guard !sawExif, let block = output.bytes(in: chunk.data, limit: 64),
          MinimalExif.isMinimal(block)
        else { throw MetadataError(.residue, name) }
        sawExif = true
        continue
      }
      guard try state.accepts(chunk, isWellFormed: true) else {
        throw MetadataError(.residue, name)
      }
      switch try PNGAllowList.judge(chunk, colourType: header.colourType, in: output) {
      case .removed: throw MetadataError(.residue, name)
      case .shortenedProfile: throw MetadataError(.residue, "bytes after the ICC profile")
      case .profile(let stream):
        guard output.holds(PNGStripper.profileName + "\0", at: chunk.data.lowerBound) else {
          throw MetadataError(.residue, "the name of the ICC profile")
        }
        guard stream.upperBound == chunk.data.upperBound else {
          throw MetadataError(.residue, "bytes after the ICC profile")
        }
      case .kept:
        guard chunk.type != "IEND" || chunk.data.isEmpty else {
          throw MetadataError(.residue, "IEND data")
        }
      }
    }
    guard parser.offset == output.length else { throw MetadataError(.residue, "trailer") }
  }
}
