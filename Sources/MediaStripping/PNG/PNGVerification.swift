import MediaContainers
import MediaMetadata
import MediaModel

/// Verifies a stripped PNG with the parser that parsed the original.
enum PNGVerification {
  /// Verifies each chunk of an output. Checksums that were written anew are recomputed; those of
  /// the copied picture data are not.
  ///
  /// - Throws: `residue` naming the first thing that should not be there; `damaged` when the output
  ///   is no PNG.
  static func verify(
    _ output: ByteSource,
    options: StripOptions
  ) throws(MetadataError) {
    let header = try PNGHeader(of: output)
    let pictures = try PNGPictures(of: output)
    var parser = try PNGParser(output)
    var state = PNGStripper.State()
    var written: Set<FourCharacterCode> = []
    var index = 0
    while let chunk = try parser.next() {
      let name = PNG.name(chunk.type)
      if chunk.type != "IDAT", chunk.type != "fdAT" { try parser.check(chunk) }
      if isOwn(chunk, in: output, options: options), written.insert(chunk.type).inserted {
        continue
      }
      guard try state.accepts(chunk, isWellFormed: true) else {
        throw MetadataError(.residue, name)
      }
      switch try PNGAllowList.judge(chunk, colorType: header.colorType, in: output) {
      case .removed: throw MetadataError(.residue, name)
      case .profile(let content):
        guard output.bytes(in: chunk.data, limit: content.count) == content else {
          throw MetadataError(.residue, name)
        }
      case .kept where chunk.type == "IDAT" || chunk.type == "fdAT":
        let part = chunk.type == "fdAT" ? chunk.data.dropFirst(4) : chunk.data
        guard part.isEmpty || part.upperBound <= pictures.stream(of: part, from: &index)?.end ?? 0
        else { throw MetadataError(.residue, "bytes behind the picture data") }
      case .kept:
        guard chunk.type != "IEND" || chunk.data.isEmpty else {
          throw MetadataError(.residue, "IEND data")
        }
      }
    }
    guard parser.offset == output.length else { throw MetadataError(.residue, "trailer") }
  }

  /// Returns whether a chunk holds exactly what is written from values that `options` keep.
  private static func isOwn(
    _ chunk: PNGChunk,
    in output: ByteSource,
    options: StripOptions
  ) -> Bool {
    guard chunk.type == "eXIf" || chunk.type == "iTXt",
      let content = output.bytes(in: chunk.data, limit: 1 << 17)
    else { return false }
    if chunk.type == "eXIf" { return ExifWriter.isOwn(content, under: options) }
    let head = PNGStripper.xmpHead
    return content.starts(with: head)
      && XMPWriter.isOwn(Array(content.dropFirst(head.count)), under: options)
  }
}
