import MediaContainers
import MediaMetadata
import MediaModel

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

  static func list(
    _ source: ByteSource,
    into listing: inout MetadataListing
  ) throws(MetadataError) {
    let file = try TIFFFile(source)
    guard let block = TIFFBlock(file: source) else { return }
    for (index, page) in file.pages.enumerated() {
      let number = { (tag: Int) in
        page.fields.first { $0.tag == tag }?.value
          .flatMap { source.uint16(at: $0.lowerBound, order: file.order) } ?? 1
      }
      let (compression, samples) = (number(0x0103), number(0x0115))
      for field in page.fields {
        guard let value = field.value,
          !isNeeded(field, compression: compression, samples: max(1, samples))
        else { continue }
        list(field, value, path: "page \(index + 1)", of: source, block: block, into: &listing)
      }
    }
  }

  private static func list(
    _ field: TIFFFileField,
    _ value: Range<Int>,
    path: String,
    of source: ByteSource,
    block: TIFFBlock,
    into listing: inout MetadataListing
  ) {
    let isFirst = path == "page 1"
    let count = listing.entries.count
    let bytes = { source.bytes(in: value, limit: ICCProfile.maximumLength) ?? [] }
    switch field.tag {
    case 0x02BC: listing.addXMP("\(path)/XMP", bytes(), at: value)
    case 0x83BB, 0x8649:
      let name = "\(path)/\(TIFFTagName.name(field.tag))"
      if field.tag == 0x83BB {
        listing.addIPTC(name, bytes(), at: value.lowerBound)
      } else {
        listing.addPhotoshop(name, bytes(), at: value.lowerBound)
      }
      if listing.entries.count == count { listing.add(name, at: value, isRemoved: true) }
    case 0x8773: listing.addProfile("\(path)/ICC profile", bytes(), at: value)
    case ExifTagNumber.exifDirectory, ExifTagNumber.locationDirectory:
      guard let offset = source.uint32(at: value.lowerBound, order: block.order) else { return }
      let isLocation = field.tag == ExifTagNumber.locationDirectory
      block.forEachEntry(ofDirectoryAt: offset) { entry in
        let name = ExifTagNames.name(entry.tag, isLocation: isLocation)
        let exception: MetadataException? =
          isLocation ? location(entry.tag, listing) : dates(entry.tag)
        listing.add(
          "\(path)/\(isLocation ? "GPS" : "ExifIFD")/\(name)",
          at: entry.value,
          isRemoved: !isFirst || listing.removes(exception)
        ) {
          MetadataListing.text(of: entry, in: block)
        }
      }
    case ExifTagNumber.orientation: return
    default:
      let isRemoved = !isFirst || listing.removes(texts[field.tag])
      listing.add("\(path)/\(TIFFTagName.name(field.tag))", at: value, isRemoved: isRemoved) {
        let entry = TIFFEntry(tag: field.tag, type: field.type, count: field.count, value: value)
        return MetadataListing.text(of: entry, in: block)
      }
    }
  }

  private static let texts: [Int: MetadataException] = [
    ExifTagNumber.make: .camera, ExifTagNumber.model: .camera, ExifTagNumber.artist: .copyright,
    ExifTagNumber.copyright: .copyright, ExifTagNumber.imageDescription: .caption,
    ExifTagNumber.xpTitle: .caption, ExifTagNumber.rating: .rating,
  ]

  private static func dates(_ tag: Int) -> MetadataException? {
    tag == ExifTagNumber.dateTimeOriginal || tag == ExifTagNumber.offsetTimeOriginal
      ? .creationDate : nil
  }

  private static func location(_ tag: Int, _ listing: MetadataListing) -> MetadataException? {
    let isAltitude = (5...6).contains(tag) && !listing.options.isLocationCoarse
    return (1...4).contains(tag) || isAltitude ? .location : nil
  }
}
