import MediaContainers
import MediaMetadata

extension AIFFStripper: ContainerInspector {
  static func list(
    _ source: ByteSource,
    into listing: inout MetadataListing
  ) throws(MetadataError) {
    let container = try AIFFContainer(of: source)
    for chunk in container.others {
      if chunk.type == "ID3 " || chunk.type == "id3 " {
        listing.addAudioTag("ID3v2", at: chunk.data, of: source)
        continue
      }
      let isRemoved = listing.removes(AIFFTexts.exceptions[chunk.type])
      listing.add(chunk.name.filter { $0 != " " }, at: chunk.data, isRemoved: isRemoved) {
        source.bytes(in: chunk.data.prefix(1024), limit: 1024).flatMap(MetadataListing.text)
      }
    }
    for part in container.slack {
      listing.add("\(part.name) slack", at: part.place, isRemoved: true)
    }
    if container.end < source.length {
      listing.add("trailer", at: container.end..<source.length, isRemoved: true)
    }
  }
}
