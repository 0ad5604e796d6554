import MediaContainers
import MediaMetadata
import MediaModel

private typealias Tag = TIFFTag

extension TIFFStripper {
  /// Returns whether a page needs a field, or the field only locates pixels.
  private static func isNeeded(_ field: TIFFFileField, compression: Int, samples: Int) -> Bool {
    guard let rule = TIFFAllowList.rules[field.tag] else { return false }
    return switch rule.form {
    case .pageKind, .pieces: true
    case .palette: field.type == 3
    case .jpegTables: field.type == 7 && compression == 7
    default: rule.allows(field, samples: samples, inAnyType: true)
    }
  }

  /// Lists the fields that no page needs; a page that is refused has some, too.
  static func list(
    _ file: TIFFFile,
    of source: ByteSource,
    into listing: inout MetadataListing
  ) {
    guard let block = TIFFBlock(file: source) else { return }
    let kept = KeptExifTags(block, options: listing.options)
    for (index, page) in file.pages.enumerated() {
      let number = { (tag: Int) in
        page.fields.first { $0.tag == tag }?.value
          .flatMap { source.uint16(at: $0.lowerBound, order: file.order) } ?? 1
      }
      let (compression, samples) = (number(Tag.compression), number(Tag.samplesPerPixel))
      for field in page.fields {
        guard let value = field.value,
          !isNeeded(field, compression: compression, samples: max(1, samples)),
          !isAspect(field, of: page, in: block)
        else { continue }
        let path = "page \(index + 1)"
        list(field, value, path, of: block, index == 0 ? kept : nil, into: &listing)
      }
    }
  }

  private static func list(
    _ field: TIFFFileField,
    _ value: Range<Int>,
    _ path: String,
    of block: TIFFBlock,
    _ kept: KeptExifTags?,
    into listing: inout MetadataListing
  ) {
    let source = block.source
    let count = listing.count
    let bytes = { source.bytes(in: value, limit: ICCProfile.maximumLength) ?? [] }
    switch field.tag {
    case Tag.xmp:
      let isUsed = kept != nil
      listing.addXMP("\(path)/XMP", at: value, of: source, isUsed: isUsed, keepsProjection: true)
    case Tag.iptc, Tag.photoshop:
      let name = "\(path)/\(TIFFTagName.name(field.tag))"
      if field.tag == Tag.iptc {
        listing.addIPTC(name, bytes(), at: value.lowerBound)
      } else {
        listing.addPhotoshop(name, bytes(), at: value.lowerBound)
      }
      if listing.count == count { listing.add(name, at: value, isRemoved: true) }
    case Tag.contentCredentials: listing.addCredentials(path, at: value, of: source)
    case Tag.iccProfile: listing.addProfile("\(path)/ICC profile", at: value, of: source)
    case ExifTagNumber.exifDirectory, ExifTagNumber.locationDirectory:
      guard let offset = source.uint32(at: value.lowerBound, order: block.order) else { return }
      listing.addDirectory(field.tag, at: offset, "\(path)/", of: block, kept)
    case ExifTagNumber.orientation: return
    default:
      let entry = TIFFEntry(tag: field.tag, type: field.type, count: field.count, value: value)
      let name = ExifTagNames.pageName(field.tag)
      listing.addTag(entry, "\(path)/\(name)", in: "IFD0", of: block, kept)
    }
  }

  /// Returns whether a resolution is what strip writes for pixels that are not square: two
  /// different whole numbers, and no unit.
  private static func isAspect(
    _ field: TIFFFileField,
    of page: TIFFDirectory,
    in block: TIFFBlock
  ) -> Bool {
    guard TIFFAllowList.rules[field.tag]?.form == .aspect else { return false }
    let first = { (tag: Int, offset: Int) -> Int? in
      page.fields.first { $0.tag == tag && $0.count == 1 }?.value.flatMap { value in
        offset == 0 && value.count == 2
          ? block.source.uint16(at: value.lowerBound, order: block.order)
          : block.source.uint32(at: value.lowerBound + offset, order: block.order)
      }
    }
    return first(Tag.resolutionUnit, 0) == 1 && first(Tag.xResolution, 4) == 1
      && first(Tag.yResolution, 4) == 1
      && first(Tag.xResolution, 0) != first(Tag.yResolution, 0)
  }
}

extension MetadataListing {
  /// Adds the tags of the directory that `pointer` points to, of Exif or of a place.
  mutating func addDirectory(
    _ pointer: Int,
    at offset: Int,
    _ path: String,
    of block: TIFFBlock,
    _ kept: KeptExifTags?
  ) {
    let isLocation = pointer == ExifTagNumber.locationDirectory
    let directory = isLocation ? "GPS" : "ExifIFD"
    block.forEachEntry(ofDirectoryAt: offset) { entry in
      let name = ExifTagNames.name(entry.tag, isLocation: isLocation)
      addTag(entry, "\(path)\(directory)/\(name)", in: directory, of: block, kept)
    }
  }

  /// Adds a tag of a directory with its text.
  mutating func addTag(
    _ entry: TIFFEntry,
    _ path: String,
    in directory: String,
    of block: TIFFBlock,
    _ kept: KeptExifTags?
  ) {
    let isKept = kept?.contains(entry, in: directory, of: block) ?? false
    add(path, at: entry.value, isRemoved: !isKept) { Self.text(of: entry, in: block) }
  }
}
