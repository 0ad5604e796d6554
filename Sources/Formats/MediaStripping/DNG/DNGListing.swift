import MediaContainers
import MediaMetadata
import MediaModel

extension DNGStripper {
  /// Lists the tags that no picture needs; a picture that is refused has some, too.
  static func list(
    _ file: DNGFile,
    of source: ByteSource,
    into listing: inout MetadataListing
  ) {
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
          listing.addProfile("\(path)/ICC profile", at: entry.value, of: source)
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
      let (value, isUsed) = (entry.value, kept != nil)
      listing.addXMP(path + "XMP", at: value, of: source, isUsed: isUsed, keepsProjection: true)
    case TIFFTag.iptc:
      let datasets = source.bytes(in: entry.value, limit: FoundMetadata.maximumBlockLength) ?? []
      listing.addIPTC(path + name, datasets, at: entry.value.lowerBound)
    case ExifTagNumber.exifDirectory, ExifTagNumber.locationDirectory:
      guard let offset = block.number(entry) else { return }
      listing.addDirectory(entry.tag, at: offset, "", of: block, kept)
    default:
      listing.addTag(entry, path + name, in: "IFD0", of: block, kept)
    }
  }
}
