internal import CExif
package import MediaContainers
package import MediaModel

/// The facts in an Exif block.
package struct ExifFacts {
  /// The EXIF orientation, 1 to 8.
  package var orientation = 1
  /// The date of capture.
  package var creationDate: CaptureDate?
  /// The make and model of the camera.
  package var camera: String?
  var hasLocation = false
  /// Apple's content identifier of a live photo.
  package var contentIdentifier: String?
}

/// Reads an Exif block through libexif; no other file uses that library.
package enum ExifReader {
  /// Returns the facts of the TIFF block in `range`; malformed values are absent, never an error.
  package static func facts(of source: ByteSource, in range: Range<Int>) -> ExifFacts {
    guard let block = TIFFBlock(source, range) else { return ExifFacts() }
    return facts(of: block)
  }

  /// Returns the facts of a TIFF block; malformed values are absent, never an error.
  package static func facts(of tiff: TIFFBlock) -> ExifFacts {
    let block = ExifBlock(of: tiff)
    var facts = ExifFacts()
    if let note = block.makerNote {
      facts.contentIdentifier = AppleMakerNote.contentIdentifier(of: tiff.source, in: note)
    }
    guard let handle = ExifHandle(block.bytes) else { return facts }
    if let orientation = handle.number(EXIF_IFD_0, EXIF_TAG_ORIENTATION),
      (1...8).contains(orientation)
    {
      facts.orientation = orientation
    }
    facts.creationDate = creationDate(handle)
    facts.camera = CameraName.camera(
      make: handle.text(EXIF_IFD_0, EXIF_TAG_MAKE),
      model: handle.text(EXIF_IFD_0, EXIF_TAG_MODEL)
    )
    // The tags are GPSLatitude and GPSLongitude; libexif's names for these numbers belong to other
    // tags.
    facts.hasLocation =
      handle.has(EXIF_IFD_GPS, ExifTag(rawValue: 2))
      || handle.has(EXIF_IFD_GPS, ExifTag(rawValue: 4))
    return facts
  }

  /// Returns the first valid one of the three dates, with its offset.
  private static func creationDate(_ handle: borrowing ExifHandle) -> CaptureDate? {
    let dates: [(ExifIfd, ExifTag, ExifTag, String)] = [
      (
        EXIF_IFD_EXIF, EXIF_TAG_DATE_TIME_ORIGINAL, EXIF_TAG_OFFSET_TIME_ORIGINAL,
        "DateTimeOriginal"
      ),
      (
        EXIF_IFD_EXIF, EXIF_TAG_DATE_TIME_DIGITIZED, EXIF_TAG_OFFSET_TIME_DIGITIZED,
        "DateTimeDigitized"
      ),
      (EXIF_IFD_0, EXIF_TAG_DATE_TIME, EXIF_TAG_OFFSET_TIME, "DateTime"),
    ]
    for (directory, date, offset, name) in dates {
      guard let text = handle.text(directory, date), let local = DateText.local(exif: text) else {
        continue
      }
      let minutes = handle.text(EXIF_IFD_EXIF, offset).flatMap { DateText.offsetMinutes($0[...]) }
      return CaptureDate(local: local, offsetMinutes: minutes, tag: name)
    }
    return nil
  }
}

/// Owns one `ExifData`; its pointer is private to this file.
private struct ExifHandle: ~Copyable {
  private let data: UnsafeMutablePointer<ExifData>

  /// Loads `bytes`, or returns nil when memory is exhausted.
  ///
  /// Source: `exif_data_load_data`.
  init?(_ bytes: [UInt8]) {
    guard let data = exif_data_new() else { return nil }
    self.data = data
    // With this option, libexif corrects what it reads: it adds tags, and could add the current
    // date.
    exif_data_unset_option(data, EXIF_DATA_OPTION_FOLLOW_SPECIFICATION)
    bytes.withUnsafeBufferPointer {
      exif_data_load_data(data, $0.baseAddress, UInt32(clamping: $0.count))
    }
  }

  deinit {
    exif_data_unref(data)
  }

  func has(_ directory: ExifIfd, _ tag: ExifTag) -> Bool {
    guard let entry = cexif_entry(data, directory, tag)?.pointee else { return false }
    return entry.components > 0 && entry.data != nil
  }

  /// Returns the value of a SHORT, LONG or BYTE.
  func number(_ directory: ExifIfd, _ tag: ExifTag) -> Int? {
    guard let entry = cexif_entry(data, directory, tag)?.pointee, let value = entry.data,
      entry.components >= 1
    else { return nil }
    let order = exif_data_get_byte_order(data)
    switch entry.format {
    case EXIF_FORMAT_SHORT where entry.size >= 2: return Int(exif_get_short(value, order))
    case EXIF_FORMAT_LONG where entry.size >= 4: return Int(exif_get_long(value, order))
    case EXIF_FORMAT_BYTE where entry.size >= 1: return Int(value[0])
    default: return nil
    }
  }

  /// Returns the bytes of a text up to its first NUL.
  func text(_ directory: ExifIfd, _ tag: ExifTag) -> [UInt8]? {
    guard let entry = cexif_entry(data, directory, tag)?.pointee, let value = entry.data,
      entry.format == EXIF_FORMAT_ASCII
    else { return nil }
    let bytes = UnsafeBufferPointer(start: value, count: Int(entry.size))
    return Array(bytes.prefix { $0 != 0 })
  }
}
