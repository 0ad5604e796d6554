import MediaContainers
import MediaMetadata
import MediaModel

extension DNGStripper {
  static func list(
    _ source: ByteSource,
    into listing: inout MetadataListing
  ) throws(MetadataError) {
    let file = try DNGFile(of: source)
    guard let block = TIFFBlock(source, 0..<source.length) else { return }
    let kept = KeptExifTags(block, options: listing.options)
    for (index, directory) in ([file.image] + file.pictures).enumerated() {
      let path = index == 0 ? "IFD0" : "SubIFD \(index)"
      let isKept = DNGKind(directory) != .other
      for entry in directory.entries {
        let rule = DNGAllowList.rules[entry.tag]
        switch rule?.form {
        case .values, .operations, .gainTable, .kind, .pieces, .pictures:
          if isKept { continue }
        case .profile:
          let bytes = source.bytes(in: entry.value, limit: ICCProfile.maximumLength) ?? []
          listing.addProfile("\(path)/ICC profile", bytes, at: entry.value)
          continue
        case .signature where DNGAllowList.signatures[entry.tag] == directory.bytes(entry.tag):
          continue
        case .model where directory.bytes(entry.tag) == modelName(of: directory, listing.options):
          continue
        default: break
        }
        list(entry, "\(path)/", of: block, index == 0 ? kept : nil, into: &listing)
      }
    }
  }

  private static func list(
    _ entry: TIFFEntry,
    _ path: String,
    of block: TIFFBlock,
    _ kept: KeptExifTags?,
    into listing: inout MetadataListing
  ) {
    let source = block.source
    let name = DNGTagName.name(entry.tag)
    switch entry.tag {
    case TIFFTag.xmp:
      let packet = source.bytes(in: entry.value, limit: FoundMetadata.maximumBlockLength) ?? []
      let isFirst = kept != nil
      listing.addXMP(
        path + "XMP",
        packet,
        at: entry.value,
        isUsed: isFirst,
        keepsProjection: true
      )
    case TIFFTag.iptc:
      let datasets = source.bytes(in: entry.value, limit: FoundMetadata.maximumBlockLength) ?? []
      listing.addIPTC(path + name, datasets, at: entry.value.lowerBound)
    case ExifTagNumber.exifDirectory, ExifTagNumber.locationDirectory:
      let isLocation = entry.tag == ExifTagNumber.locationDirectory
      let directory = isLocation ? "GPS" : "ExifIFD"
      guard let offset = block.number(entry) else { return }
      block.forEachEntry(ofDirectoryAt: offset) { inner in
        let name = ExifTagNames.name(inner.tag, isLocation: isLocation)
        let isKept = kept?.contains(inner, in: directory, of: block) ?? false
        listing.add("\(directory)/\(name)", at: inner.value, isRemoved: !isKept) {
          MetadataListing.text(of: inner, in: block)
        }
      }
    default:
      let isKept = kept?.contains(entry, in: "IFD0", of: block) ?? false
      listing.add(path + name, at: entry.value, isRemoved: !isKept) {
        MetadataListing.text(of: entry, in: block)
      }
    }
  }
}
