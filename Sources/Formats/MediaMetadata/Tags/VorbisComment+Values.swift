package import MediaContainers
import MediaModel

extension VorbisComment {
  /// Returns the values that may be kept.
  package func values(of source: ByteSource) -> KeptMetadata {
    var values = KeptMetadata()
    var creators: [String] = []
    var comment: String?
    for field in fields {
      guard let text = text(of: field, in: source) else { continue }
      if PlaceStatements.holds("comment header", field.name, Array(text.utf8)) {
        values.hasUnreadPlace = true
      }
      switch field.name {
      case "TITLE": values.title = values.title ?? text
      case "ARTIST": if creators.count < 64 { creators.append(text) }
      case "COPYRIGHT": values.copyright = values.copyright ?? text
      case "DESCRIPTION": values.caption = values.caption ?? text
      case "COMMENT": comment = comment ?? text
      case "DATE": values.creationDate = values.creationDate ?? DateText.date(iso: text)
      case "RATING": values.rating = values.rating ?? MetadataText.rating(text)
      default: break
      }
    }
    values.creator = MetadataText.joined(creators)
    values.caption = values.caption ?? comment
    return values
  }

  /// Returns a comment with these values, without a vendor.
  ///
  /// - Parameters:
  ///   - values: Checked values.
  ///   - others: Fields that are not metadata, such as a channel mask.
  /// - Returns: Vendor, count and fields, with nothing after them.
  package static func bytes(_ values: KeptMetadata, others: [(String, String)] = []) -> [UInt8] {
    var fields = others
    let texts = [
      ("TITLE", values.title), ("ARTIST", values.creator), ("COPYRIGHT", values.copyright),
      ("DESCRIPTION", values.caption), ("DATE", values.creationDate?.text),
      ("RATING", values.rating.map { String($0) }),
    ]
    for (name, text) in texts {
      if let text { fields.append((name, text)) }
    }
    var bytes: [UInt8] = [0, 0, 0, 0] + fields.count.bytes(4, .little)
    for (name, text) in fields {
      let field = Array("\(name)=\(text)".utf8)
      bytes += field.count.bytes(4, .little) + field
    }
    return bytes
  }

  /// Returns the checked text of a field, or nil when nothing is left of it.
  package func text(of field: Field, in source: ByteSource) -> String? {
    source.bytes(in: field.value.prefix(Self.maximumValue), limit: 1 << 16)
      .flatMap { MetadataText.checked($0) }
  }
}
