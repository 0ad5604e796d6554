/// The name that Apple Photos gives a file in its library: the identifier of its asset, and what the file is of it.
///
/// Source: the libraries of Photos 5 (macOS 10.15) and later; osxphotos, "photoinfo.py".
package struct PhotosFileName: Sendable, Hashable {
  /// What a file is of its asset.
  package enum Part: Sendable, Hashable {
    /// `UUID.heic`
    case original
    /// `UUID_3.mov`: the movie of a live photo.
    case pairedMovie
    /// `UUID_4.dng`: the raw file of a pair of raw and JPEG.
    case raw
    /// `UUID_1_201_a.jpeg`, of a video `UUID_2_0_a.mov`: the edited rendition.
    case rendition
    /// `UUID_2_100_a.mov`: the movie of an edited live photo.
    case renderedMovie
  }

  /// The bytes of the identifier.
  package let uuid: ArraySlice<UInt8>
  /// What the file is of its asset.
  package let part: Part

  /// Reads the name of a file without its extension; nil for any other name.
  package init?(stem: ArraySlice<UInt8>) {
    guard stem.count >= 36, Self.isIdentifier(stem.prefix(36)) else { return nil }
    uuid = stem.prefix(36)
    let end = stem.dropFirst(36)
    if end.isEmpty {
      part = .original
    } else if end.elementsEqual("_3".utf8) {
      part = .pairedMovie
    } else if end.elementsEqual("_4".utf8) {
      part = .raw
    } else if end.elementsEqual("_1_201_a".utf8) || end.elementsEqual("_2_0_a".utf8) {
      part = .rendition
    } else if end.elementsEqual("_2_100_a".utf8) {
      part = .renderedMovie
    } else {
      return nil
    }
  }

  /// What the files of one asset of a Photos library have in common, as far as their names tell: the identifier that
  /// they begin with; of a file with any other name its path.
  package static func asset(of file: ItemPath) -> [UInt8] {
    PhotosFileName(stem: file.stem).map { Array($0.uuid) } ?? file.bytes
  }

  /// Whether bytes are an identifier as in `6191423D-8DB8-4D4C-92BE-9BBBA308AAC4`.
  private static func isIdentifier(_ bytes: ArraySlice<UInt8>) -> Bool {
    bytes.enumerated().allSatisfy { index, byte in
      [8, 13, 18, 23].contains(index)
        ? byte == .hyphen
        : byte.isASCIIDigit
          || (UInt8(ascii: "A")...UInt8(ascii: "F")).contains(byte)
    }
  }

  /// The name, without an extension, that both halves of the same live photo have: of an edited one another than of
  /// its original, since the four files have one content identifier.
  package var pairingStem: [UInt8] {
    switch part {
    case .original, .pairedMovie: Array(uuid)
    case .rendition, .renderedMovie: uuid + Array("_a".utf8)
    case .raw: uuid + Array("_4".utf8)
    }
  }
}
