package import MediaContainers
import MediaEditing
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
      case .frame(let frame):
        if isFirst, let information = summary.information {
          let bytes = rewritten(information, summary, at: range, of: output, trailing: trailing)
          let isOwn = output.bytes(in: range, limit: bytes.count) == bytes
          try walker.pass(MP3AllowList.information, at: range, isOwn: isOwn)
        } else if isDescription(frame, of: output, at: range.lowerBound) {
          throw MetadataError(.residue, "encoder information")
        } else {
          try walker.pass(MP3AllowList.frame, at: range)
        }
        isFirst = false
      }
    }
    try walker.finish()
  }
}
