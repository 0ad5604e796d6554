package import MediaModel

extension PickCandidate {
  /// The size with at most three digits before the point: `999 B`, `1.2 MB`.
  package var sizeText: String {
    if size < 1000 { return "\(max(size, 0)) B" }
    var tenths = size / 100
    var units = ["kB", "MB", "GB", "TB", "PB", "EB"][...]
    while tenths >= 10_000, units.count > 1 {
      tenths /= 1000
      units.removeFirst()
    }
    return "\(tenths / 10).\(tenths % 10) \(units.first ?? "")"
  }

  /// The time by which it is sorted, in nanoseconds since 1970: when it was taken, else when its first file changed;
  /// nil for none.
  package var shownTime: Int64? { taken ?? (modified > 0 ? modified : nil) }

  /// The date when it was taken, else when its first file changed, such as `2026-11-21`; that of a file in UTC.
  package var dateText: String {
    let time = CalendarTime(microsecondsSince1970: (taken ?? modified) / 1000)
    func digits(_ number: Int64, _ count: Int) -> String {
      let text = "\(number)"
      return String(repeating: "0", count: max(count - text.utf8.count, 0)) + text
    }
    return "\(digits(time.year, 4))-\(digits(time.month, 2))-\(digits(time.day, 2))"
  }

  /// Whether it has more files than a still, its movie and the raw file beside it, which are its edited renditions.
  package var isEdited: Bool {
    let count = files.count { PhotosFileName(stem: $0.stem)?.part != .raw }
    return count > (kind == .livePhotos ? 2 : 1)
  }

  /// The kind of item, as far as its names tell; nil for sound, which no filter leaves.
  package var kind: PickFilter? {
    let types = files.map(PickCandidates.mediaType)
    if types.contains(.image), types.contains(.video) { return .livePhotos }
    return switch files.first.flatMap(PickCandidates.mediaType) {
    case .video: .videos
    case .audio: nil
    case .image, nil: .images
    }
  }
}

extension TerminalText {
  /// The most characters of an album's title.
  private static let albumLimit = 60
  /// The most albums that are named.
  private static let maximumAlbums = 3

  /// The title of an item, else the names of its files, joined by plus signs.
  ///
  /// - Parameters:
  ///   - item: The item.
  ///   - inFolder: Whether the path of the first file stands for its name.
  ///   - limit: The most characters of a title, and of each file's name.
  /// - Returns: A name that can stand in a line.
  package func name(of item: PickCandidate, inFolder: Bool = false, limit: Int) -> String {
    if let title = item.title { return self.title(title, limit: limit) }
    return item.files.enumerated().map { number, file in
      // The other files are in the same folder.
      shortPath(inFolder && number == 0 ? file.bytes[...] : file.name, limit: limit)
    }.joined(separator: " + ")
  }

  /// A title of the source, cut behind so many characters.
  package func title(_ title: String, limit: Int, isBetweenQuotes: Bool = false) -> String {
    let prose = prose(title, limit: limit, isBetweenQuotes: isBetweenQuotes)
    return prose.isWhole ? prose.text : prose.text + "..."
  }

  /// The titles of an item's first albums between quotation marks, else its folder, where its name is that of a file;
  /// empty for none.
  package func albums(of item: PickCandidate) -> String {
    if item.albums.isEmpty {
      guard item.title == nil, let file = item.files.first else { return "" }
      return shortPath(file.folder, limit: 200)
    }
    // On a page the titles stand in an element of their own, in which nothing else can be imitated.
    let shown = item.albums.prefix(Self.maximumAlbums).map {
      "\"" + title($0, limit: Self.albumLimit, isBetweenQuotes: !keepsJoiners) + "\""
    }
    let hiddenCount = item.albums.count - shown.count
    return shown.joined(separator: ", ") + (hiddenCount > 0 ? " +\(hiddenCount)" : "")
  }
}
