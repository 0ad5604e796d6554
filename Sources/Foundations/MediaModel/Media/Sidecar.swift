/// The notation of a sidecar, a file that describes another one.
package enum SidecarFormat: String, CaseIterable, Sendable, Hashable, Codable {
  /// An XMP packet in a file of its own. Source: ISO 16684-1.
  case xmp
  /// The adjustments of Apple Photos, a property list.
  case aae
  /// The JSON of Google Takeout, of a picture or of an album.
  case takeout
  /// The subtitles of a film, in which drones write their telemetry.
  case srt
  /// The track of a film's camera.
  case gpx
  /// What a camera of Sony writes beside a film (`C0001M01.XML`).
  case xml

  /// Whether it is a file that a camera writes beside a film, of which nothing is read.
  package var isClipFile: Bool {
    switch self {
    case .srt, .gpx, .xml: true
    case .xmp, .aae, .takeout: false
    }
  }

  /// Whether such a file is published beside its owner, where the policy permits.
  package var isPublished: Bool { self != .takeout }

  /// The most bytes of a sidecar: more than masks and histories of any editor take.
  package static let maximumBytes = 16 << 20

  /// The most bytes of a file of this notation: a drone writes some 300 bytes for each picture of a film.
  package var byteLimit: Int { isClipFile ? 64 << 20 : Self.maximumBytes }

  /// The role of such a file within its asset.
  package var role: ResourceRole {
    switch self {
    case .aae: .adjustmentData
    case .xmp, .takeout, .srt, .gpx, .xml: .sidecar
    }
  }
}

/// The format of a file within an asset.
package enum ResourceFormat: Sendable, Hashable, Codable, RawRepresentable {
  case media(MediaFormat)
  case sidecar(SidecarFormat)

  /// Finds the format by its word; nil for any other word.
  package init?(rawValue: String) {
    if let format = MediaFormat(rawValue: rawValue) {
      self = .media(format)
    } else if let format = SidecarFormat(rawValue: rawValue) {
      self = .sidecar(format)
    } else {
      return nil
    }
  }

  /// Finds the format that published files with this extension have; nil for any other extension.
  package init?(publishedExtension: some StringProtocol) {
    if let format = MediaFormat.allCases.first(where: { $0.fileExtension == publishedExtension }) {
      self = .media(format)
    } else if let format = SidecarFormat(rawValue: String(publishedExtension)), format.isPublished {
      self = .sidecar(format)
    } else {
      return nil
    }
  }

  /// The format's word.
  package var rawValue: String {
    switch self {
    case .media(let format): format.rawValue
    case .sidecar(let format): format.rawValue
    }
  }

  /// The format of media; nil for a sidecar's.
  package var media: MediaFormat? {
    if case .media(let format) = self { format } else { nil }
  }
}

extension ResourceRole {
  /// Whether the file describes another one of its asset.
  package var isSidecar: Bool { self == .sidecar || self == .adjustmentData }
}

/// The name of a sidecar, and the files it may belong to.
///
/// A sidecar belongs to a file of its folder. Its name is the whole name of that file and its own
/// extension (`IMG_1.CR2.xmp`: digiKam, darktable, exiftool), or only the stem and its own extension
/// (`IMG_1.xmp`: Adobe; `IMG_1.AAE`: Apple; `DJI_1.SRT`: a drone). Extensions are compared without case (ASCII),
/// the rest by its bytes, or as the same text in other normalizations: macOS writes names in NFD that others
/// write in NFC.
package struct SidecarName: Sendable, Hashable {
  /// The format that the name promises.
  package let format: SidecarFormat
  /// The folder and the stem of the files it may belong to.
  package let stem: ArraySlice<UInt8>
  /// The extension of the only file it may belong to, as in the name; nil where any extension fits.
  package let ownerExtension: ArraySlice<UInt8>?
  /// What tells it from the file's first sidecar, see ``marked``; `M01` of Sony's `C0001M01.XML`; empty for most.
  package private(set) var mark: ArraySlice<UInt8> = []

  /// Reads a path; nil for that of another file.
  package init?(_ path: ItemPath) {
    guard let format = path.bytes.withUnsafeBytes(Self.format) else { return nil }
    let whole = path.bytes.dropLast(4)
    let name = whole[(whole.lastIndex(of: UInt8.slash).map { $0 + 1 } ?? whole.startIndex)...]
    self.format = format
    if format == .xml {
      stem = whole.dropLast(3)
      ownerExtension = nil
      mark = whole.suffix(3)
    } else if let dot = name.lastIndex(of: UInt8.dot), dot > name.startIndex,
      MediaFormat(fileExtension: String(decoding: name[(dot + 1)...], as: UTF8.self).lowercased()) != nil
    {
      stem = whole[..<dot]
      ownerExtension = name[(dot + 1)...]
    } else {
      stem = whole
      ownerExtension = nil
    }
  }

  private init(
    _ format: SidecarFormat,
    stem: ArraySlice<UInt8>,
    ownerExtension: ArraySlice<UInt8>?,
    mark: ArraySlice<UInt8>
  ) {
    (self.format, self.stem, self.ownerExtension) = (format, stem, ownerExtension)
    self.mark = mark
  }

  /// The name of a sidecar of one file; nil for another file's.
  package init?(_ path: ItemPath, of owner: ItemPath) {
    guard let own = SidecarName(path) else { return nil }
    let names = [own, own.marked].compactMap { $0 }
    guard let name = names.first(where: { $0.owner(among: [owner]) == .one(0) }) else { return nil }
    self = name
  }

  /// The name read as that of one more sidecar of a file: `IMG_1_01.CR2.xmp` of `IMG_1.CR2`, whose mark is `_01`,
  /// and `IMG_O1234.AAE` of `IMG_1234.HEIC`, whose mark is `O`; nil for a name without a mark. It counts only
  /// where no file has the whole name.
  ///
  /// Source: darktable, `dt_image_path_append_version`; the names that iOS gives to the adjustments of an original.
  package var marked: SidecarName? {
    let slash = UInt8.slash
    let name = stem[(stem.lastIndex(of: slash).map { $0 + 1 } ?? stem.startIndex)...]
    let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
    let start = name.startIndex
    if format == .aae {
      guard name.count == 9, name[start + 3] == .underscore,
        name[start + 4] == UInt8(ascii: "O"), name[(start + 5)...].allSatisfy(digits.contains)
      else { return nil }
      let bare = ArraySlice(stem[..<(start + 4)] + stem[(start + 5)...])
      return SidecarName(format, stem: bare, ownerExtension: nil, mark: [name[start + 4]])
    }
    guard format == .xmp, ownerExtension != nil, name.count > 3,
      name[name.endIndex - 3] == .underscore, name.suffix(2).allSatisfy(digits.contains)
    else { return nil }
    return SidecarName(format, stem: stem.dropLast(3), ownerExtension: ownerExtension, mark: name.suffix(3))
  }

  /// Whether one sidecar of a file counts before another: one with a mark counts last, and of two others the
  /// longer name, which has the file's extension.
  package static func precedes(_ path: ItemPath, _ other: ItemPath, of owner: ItemPath) -> Bool {
    let marks = [path, other].map { SidecarName($0, of: owner)?.mark.count ?? 0 }
    return marks[0] == marks[1] ? path.bytes.count > other.bytes.count : marks[0] < marks[1]
  }

  /// Whether a path ends with the extension of a sidecar, whatever else is in its folder.
  package static func isSidecar(_ path: ItemPath) -> Bool {
    path.bytes.withUnsafeBytes(format)?.isClipFile == false
  }

  /// The format that the bytes of a path promise; a clip file is a sidecar only where its film is.
  ///
  /// Not generic, since a run asks it of every file.
  package static func format(_ path: UnsafeRawBufferPointer) -> SidecarFormat? {
    let end = path.count
    guard end > 4, path[end - 4] == .dot,
      let format = format(of: (path[end - 3], path[end - 2], path[end - 1]))
    else { return nil }
    let slash = path.lastIndex(of: UInt8.slash)
    let name = path[(slash.map { $0 + 1 } ?? 0)..<(end - 4)]
    // macOS writes files of its own beside others, which begin with a dot.
    guard let first = name.first, first != .dot else { return nil }
    guard format == .xml else { return format }
    let isOfClip =
      name.count > 3 && path[end - 7] == UInt8(ascii: "M")
      && name.suffix(2).allSatisfy { $0.isASCIIDigit }
    return isOfClip ? .xml : nil
  }

  /// The format whose word is an extension, in any case.
  private static func format(of letters: (UInt8, UInt8, UInt8)) -> SidecarFormat? {
    // Setting this bit makes ASCII letters lower-case, and no other byte a letter of these.
    switch (letters.0 | 0x20, letters.1 | 0x20, letters.2 | 0x20) {
    case (UInt8(ascii: "x"), UInt8(ascii: "m"), UInt8(ascii: "p")): .xmp
    case (UInt8(ascii: "a"), UInt8(ascii: "a"), UInt8(ascii: "e")): .aae
    case (UInt8(ascii: "s"), UInt8(ascii: "r"), UInt8(ascii: "t")): .srt
    case (UInt8(ascii: "g"), UInt8(ascii: "p"), UInt8(ascii: "x")): .gpx
    case (UInt8(ascii: "x"), UInt8(ascii: "m"), UInt8(ascii: "l")): .xml
    default: nil
    }
  }

  /// The file that the sidecar belongs to.
  package enum Owner: Sendable, Hashable {
    /// The index among the candidates.
    case one(Int)
    case none
    /// Nothing tells to which of several files it belongs.
    case ambiguous
  }

  /// Finds the owner among files of its folder.
  ///
  /// A name with the owner's extension belongs to that file. Where any extension fits, it belongs to the
  /// only camera raw file, since the programs that write such names describe other files within them; then
  /// to the only picture, as in a live photo; then to the only file. Files that are no media by their names
  /// do not count, nor for a clip file those that are no films.
  ///
  /// - Parameter candidates: Paths in any order; those with another stem do not count.
  /// - Returns: The owner, whatever the order.
  package func owner(among candidates: [ItemPath]) -> Owner {
    var owners: [(index: Int, format: MediaFormat)] = []
    for (index, path) in candidates.enumerated() {
      guard let ending = ending(of: path), ending.first == .dot, ending.count > 1,
        !ending.dropFirst().contains(UInt8.dot),
        let format = MediaFormat(fileExtension: path.fileExtension),
        !self.format.isClipFile || format.mediaType == .video
      else { continue }
      if let ownerExtension, !Self.isSame(ending.dropFirst(), ownerExtension) { continue }
      owners.append((index, format))
    }
    if owners.isEmpty { return .none }
    let choices = [
      owners.filter { $0.format.isRaw }, owners.filter { $0.format.mediaType == .image }, owners,
    ]
    for choice in choices where !choice.isEmpty {
      guard choice.count == 1, let only = choice.first else { return .ambiguous }
      return .one(only.index)
    }
    return .none
  }

  /// The bytes behind the stem in a path; nil for a path with another stem.
  private func ending(of path: ItemPath) -> ArraySlice<UInt8>? {
    if path.bytes.starts(with: stem) { return path.bytes[stem.count...] }
    let own = ItemPath(bytes: Array(stem))
    // Two texts are equal that are canonically equivalent.
    guard own.folder.elementsEqual(path.folder),
      let text = String(validating: own.name, as: UTF8.self),
      let other = String(validating: path.stem, as: UTF8.self), text == other
    else { return nil }
    return path.name.dropFirst(path.stem.count)
  }

  /// Compares two extensions without case (ASCII).
  private static func isSame(_ bytes: ArraySlice<UInt8>, _ other: ArraySlice<UInt8>) -> Bool {
    bytes.elementsEqual(other) { lower($0) == lower($1) }
  }

  private static func lower(_ byte: UInt8) -> UInt8 {
    byte.asciiLowercased
  }

  /// Returns the end of a published sidecar's name, behind its asset's label: `.xmp`, `.cr2.xmp`, `_01.cr2.xmp`,
  /// `.aae`, `M01.xml`.
  ///
  /// - Parameter published: The format of the published file that it belongs to.
  /// - Returns: The end, with its dots.
  package func suffix(of published: MediaFormat) -> String {
    (format == .aae ? "" : String(decoding: mark, as: UTF8.self))
      + (ownerExtension == nil ? "" : "." + published.fileExtension) + "." + format.rawValue
  }
}
