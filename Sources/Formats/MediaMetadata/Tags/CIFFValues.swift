package import MediaContainers
package import MediaModel

/// The values in the CIFF of an early Canon's JPEG or raw file.
///
/// Source: ExifTool, CanonRaw.pm.
package enum CIFFValues {
  /// A value, by the name that the same one has in an Exif block.
  package struct Value {
    /// The name.
    package let name: String
    /// Whether the value is a text; otherwise it is numbers.
    package var isText = true
    /// What keeps the value; nil if nothing does.
    package var exception: MetadataException?
    /// The range in the source.
    package let range: Range<Int>
  }

  private static let (makeAndModel, date) = (0x080A, 0x180E)
  private static let (text, description) = (0x0805, 0x2804)

  /// Returns the values of a block in the order of its directories.
  package static func values(of block: CIFFBlock) -> [Value] {
    var values: [Value] = []
    block.forEachRecord { record in
      let range = record.value
      switch record.tag {
      case makeAndModel:
        let make = block.text(in: range)
        values.append(Value(name: "Make", exception: .camera, range: make))
        let model = block.text(in: min(make.upperBound + 1, range.upperBound)..<range.upperBound)
        values.append(Value(name: "Model", exception: .camera, range: model))
      case date:
        let name = KeptMetadata.dateTag
        values.append(Value(name: name, isText: false, exception: .creationDate, range: range))
      case text where record.parent == description:
        values.append(Value(name: "ImageDescription", range: block.text(in: range)))
      case text: values.append(Value(name: "UserComment", range: block.text(in: range)))
      case 0x080B: values.append(Value(name: "CameraFirmware", range: block.text(in: range)))
      case 0x0810: values.append(Value(name: "OwnerName", range: block.text(in: range)))
      // Both name the model.
      case 0x0815: values.append(Value(name: "CanonImageType", range: block.text(in: range)))
      case 0x1834: values.append(Value(name: "CanonModelID", isText: false, range: range))
      case 0x180B: values.append(Value(name: "CameraSerialNumber", isText: false, range: range))
      default:
        let name = "0x" + Hexadecimal.text(record.tag, digits: 4)
        values.append(Value(name: name, isText: false, range: range))
      }
    }
    return values
  }

  /// Returns the values that may be kept: the camera, and the date in local time.
  static func read(_ block: CIFFBlock) -> KeptMetadata {
    var kept = KeptMetadata()
    block.forEachRecord { record in
      switch record.tag {
      case makeAndModel where kept.make == nil && kept.model == nil:
        let make = block.text(in: record.value)
        let model = min(make.upperBound + 1, record.value.upperBound)..<record.value.upperBound
        (kept.make, kept.model) = (block.name(in: make), block.name(in: model))
      case date where kept.creationDate == nil:
        kept.creationDate = block.source.uint32(at: record.value.lowerBound, order: block.order)
          .flatMap { DateText.local(secondsSince1970: $0) }
          .map { CaptureDate(local: $0, offsetMinutes: nil, tag: KeptMetadata.dateTag) }
      default: break
      }
    }
    return kept
  }
}

extension CIFFBlock {
  /// The facts of a raw file: camera, date and how the picture is turned.
  var facts: ExifFacts {
    let values = CIFFValues.read(self)
    var facts = ExifFacts()
    (facts.creationDate, facts.names) = (values.creationDate, values)
    forEachRecord { record in
      guard record.tag == 0x1810,
        let degrees = source.uint32(at: record.value.lowerBound + 12, order: order)
      else { return }
      facts.orientation = [90: 6, 180: 3, 270: 8][degrees] ?? 1
    }
    return facts
  }

  /// The range of the largest JPEG of a raw file; nil when there is none.
  var preview: Range<Int>? {
    var previews: [Int: Range<Int>] = [:]
    forEachRecord { previews[$0.tag] = previews[$0.tag] ?? $0.value }
    return previews[0x2007] ?? previews[0x2008]
  }

  /// Returns the part of `range` in front of the first NUL.
  fileprivate func text(in range: Range<Int>) -> Range<Int> {
    range.prefix { source.byte(at: $0) != 0 }
  }

  /// Returns a text of at most 200 bytes in its checked form.
  fileprivate func name(in range: Range<Int>) -> String? {
    let limit = MetadataText.maximumNameLength
    return source.bytes(in: range.prefix(limit), limit: limit).flatMap {
      MetadataText.checked($0, limit: limit)
    }
  }
}
