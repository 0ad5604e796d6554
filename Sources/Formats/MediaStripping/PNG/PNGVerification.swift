import MediaCodecs
import MediaContainers
import MediaMetadata
import MediaModel

extension PNGStripper {
  /// Verifies each chunk of an output. Checksums that were written anew are recomputed; those of
  /// the copied picture data are not.
  static func verify(
    output: ByteSource,
    options: StripOptions,
    cache: PictureDataCache
  ) throws(MetadataError) {
    let header = try PNGHeader(of: output)
    let pictures = try PNGPictures(of: output, cache: cache)
    var parser = try PNGParser(output)
    var walker = PartWalker(PNGAllowList.list, output, from: PNG.signature.count)
    var state = State(header)
    var index = 0
    while let chunk = try parser.next() {
      var isOwn: Bool?
      switch chunk.type {
      case "IDAT", "fdAT":
        let part = chunk.type == "fdAT" ? chunk.data.dropFirst(4) : chunk.data
        guard part.isEmpty || part.upperBound <= pictures.stream(of: part, from: &index)?.end ?? 0
        else { throw MetadataError(.residue, "bytes behind the picture data") }
      case "iCCP":
        let content = try PNGAllowList.profile(chunk, in: output)
        isOwn = content != nil && output.bytes(in: chunk.data, limit: 1 << 23) == content
      case "eXIf", "iTXt":
        let content = output.bytes(in: chunk.data, limit: 1 << 17) ?? []
        isOwn =
          chunk.type == "eXIf"
          ? ExifWriter.isOwn(content, under: options)
          : content.starts(with: PNGMetadata.xmpHead)
            && XMPWriter.isOwn(
              Array(content.dropFirst(PNGMetadata.xmpHead.count)),
              under: options,
              keepsProjection: true
            )
      case "PLTE" where isPalette(chunk, header), "tRNS" where isPalette(chunk, header):
        let content = try pictures.colors.cleared(chunk, of: output)
        guard output.bytes(in: chunk.data, limit: content.count) == content else {
          throw MetadataError(.residue, "unused colors")
        }
      default: isOwn = chunk.type == "IEND" ? true : nil
      }
      try walker.pass(
        chunk.type,
        at: chunk.range,
        content: chunk.data,
        kind: header.colorType,
        isOwn: isOwn
      )
      guard try state.accepts(chunk, isWellFormed: true) else {
        throw MetadataError(.residue, chunk.type.name)
      }
      if chunk.type != "IDAT", chunk.type != "fdAT" { try parser.check(chunk) }
    }
    try walker.finish()
  }
}
