import MediaCodecs
package import MediaContainers
import MediaMetadata
package import MediaModel

extension MP3Stripper {
  package static func verify(
    output: ByteSource,
    options: StripOptions
  ) throws(MetadataError) {
    let trailing = TrailingTags(of: output, behind: LeadingTags(of: output).end)
    let summary = try MP3Summary(of: output, trailing: trailing)
    let tag = ID3Values.tag(options.kept(of: MP3Metadata.find(in: output)))
    let expected = tag.map { ["ID3v2": $0] } ?? [:]
    var walker = PartWalker(MP3AllowList.list, output, expected: expected)
    var parts = MP3Parts(output, trailing: trailing)
    var isFirst = true
    while let (part, range) = parts.next() {
      switch part {
      case .tag(let name), .other(let name): try walker.pass(name, at: range)
      case .cutFrame: try walker.pass(MP3AllowList.cutFrame, at: range)
      case .frame:
        if isFirst, let information = summary.information {
          let bytes = information.bytes(
            head: output.bytes(in: range.prefix(4), limit: 4) ?? [0, 0, 0, 0],
            summary: summary,
            points: MP3Points(for: information, summary: summary, of: output, trailing: trailing),
            audioChecksum: checksum(range.upperBound..<output.length, of: output)
          )
          let isOwn = output.bytes(in: range, limit: bytes.count) == bytes
          try walker.pass(MP3AllowList.information, at: range, isOwn: isOwn)
        } else {
          try walker.pass(MP3AllowList.frame, at: range)
        }
        isFirst = false
      }
    }
    try walker.finish()
    var unused = MP3UnusedBits(of: output, trailing: trailing, hasInformation: summary.information != nil)
    guard unused.nextChange() == nil else {
      throw MetadataError(.residue, unusedBits)
    }
  }
}
