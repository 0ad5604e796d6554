import MediaCodecs
import MediaContainers
import MediaMetadata
import MediaModel

extension MP3Stripper {
  /// Lists bits that no decoder reads. Thousands of frames may have some: one entry counts the bytes
  /// of all.
  static func list(_ unused: MP3UnusedBits, into listing: inout MetadataListing) {
    var unused = unused
    guard let first = unused.nextChange()?.range else { return }
    var end = first.upperBound
    while let change = unused.nextChange() { end += change.range.count }
    listing.add(unusedBits, at: first.lowerBound..<end, isRemoved: true)
  }
}

extension MetadataListing {
  private static let id3Exceptions: [String: MetadataException] = [
    "TIT2": .caption, "TT2": .caption, "COMM": .caption, "COM": .caption, "TPE1": .copyright,
    "TP1": .copyright, "TCOP": .copyright, "TCR": .copyright, "TDRC": .creationDate,
    "TYER": .creationDate, "TYE": .creationDate, "TDAT": .creationDate, "TDA": .creationDate,
    "TIME": .creationDate, "TIM": .creationDate, "POPM": .rating, "POP": .rating,
  ]
  private static let apeExceptions: [String: MetadataException] = [
    "title": .caption, "comment": .caption, "artist": .copyright, "copyright": .copyright,
    "record date": .creationDate,
  ]
  private static let vorbisExceptions: [String: MetadataException] = [
    "TITLE": .caption, "DESCRIPTION": .caption, "COMMENT": .caption, "ARTIST": .copyright,
    "COPYRIGHT": .copyright, "DATE": .creationDate, "RATING": .rating,
  ]

  /// Adds the entries of a tag that an MP3, a FLAC, a WAV or an AIFF has.
  ///
  /// - Parameters:
  ///   - name: The kind of tag, such as `ID3v2` or `APE`.
  ///   - range: The range of the whole tag.
  ///   - source: The file.
  mutating func addAudioTag(
    _ name: String,
    at range: Range<Int>,
    of source: ByteSource
  ) {
    let before = count
    if name == "ID3v2", let tag = ID3Tag(of: source, at: range.lowerBound) {
      tag.forEachFrame(of: source) { frame in
        // C2PA 2.1 section A.3.4: a general object with a type of its own.
        if frame.name == "GEOB",
          String(decoding: frame.content.prefix(64), as: UTF8.self).holds("c2pa")
        {
          return addCredentials("ID3v2/GEOB", at: frame.range, isRemoved: true) { frame.content }
        }
        add(
          // The name of this frame is also that of a chunk of PNG.
          "ID3v2/\(frame.name == "TEXT" ? "lyricist" : frame.name)",
          at: frame.range,
          isRemoved: removes(Self.id3Exceptions[frame.name])
        ) { Self.text(of: frame) }
      }
    } else if name == "APE",
      let tag = APETag(of: source, at: range.lowerBound)
        ?? APETag(of: source, endingAt: range.upperBound, notBefore: 0)
    {
      tag.forEachItem(of: source) { key, value in
        let label = EscapedText.printable(key, limit: 80)
        add("APE/\(label)", at: value, isRemoved: removes(Self.apeExceptions[key.lowercased()])) {
          MetadataListing.text(in: value, of: source)
        }
      }
    } else if name == "ID3v1" {
      addOldTag(at: range, of: source)
    } else if name == "ID3v1 TAG+" {
      FixedFields.enhanced.list(name, in: range, of: source, into: &self)
    } else if name == "Lyrics3" {
      addLyrics(at: range, of: source)
    }
    if count == before { add(name, at: range, isRemoved: true) }
  }

  /// Adds the fields of a comment header, and its vendor.
  ///
  /// - Parameters:
  ///   - path: The path of the header, such as `VORBIS_COMMENT`.
  ///   - comment: The parsed header.
  ///   - source: The bytes that the comment's ranges refer to.
  ///   - offset: The offset of `source` in the file.
  mutating func addComment(
    _ path: String,
    _ comment: VorbisComment,
    of source: ByteSource,
    at offset: Int
  ) {
    if !comment.vendor.isEmpty {
      add("\(path)/vendor", at: comment.vendor.moved(by: offset), isRemoved: true) {
        MetadataListing.text(in: comment.vendor, of: source)
      }
    }
    for field in comment.fields where field.name != FLACChannelMask.name {
      let label = EscapedText.printable(field.name, limit: 80)
      add(
        "\(path)/\(label)",
        at: field.value.moved(by: offset),
        isRemoved: removes(Self.vorbisExceptions[field.name])
      ) { MetadataListing.text(in: field.value, of: source) }
    }
  }

  private static func text(of frame: ID3Frame) -> String? {
    guard let encoding = frame.content.first else { return nil }
    if frame.name.hasPrefix("COM") { return ID3Values.comment(frame.content) }
    guard frame.name.hasPrefix("T") else { return nil }
    return ID3Values.text(frame.content.dropFirst(), encoding: encoding)
  }
}

extension Range<Int> {
  func moved(by distance: Int) -> Range<Int> {
    (lowerBound + distance)..<(upperBound + distance)
  }
}
