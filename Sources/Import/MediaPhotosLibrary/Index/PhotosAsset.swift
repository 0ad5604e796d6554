package import MediaModel

/// An asset as a library's database describes it. Every value is the database's claim, checked for its form.
package struct PhotosAsset: Sendable, Hashable {
  /// What is true of an asset.
  package struct Marks: OptionSet, Sendable, Hashable {
    package let rawValue: UInt16

    /// Creates marks from their bits.
    package init(rawValue: UInt16) { self.rawValue = rawValue }

    package static let favorite = Marks(rawValue: 1)
    package static let hidden = Marks(rawValue: 1 << 1)
    package static let trashed = Marks(rawValue: 1 << 2)
    /// It belongs to somebody's shared album.
    package static let shared = Marks(rawValue: 1 << 3)
    /// It was edited, so that there is a rendition.
    package static let edited = Marks(rawValue: 1 << 4)
    /// It is a live photo.
    package static let live = Marks(rawValue: 1 << 5)
    /// Its original lies outside the library.
    package static let referenced = Marks(rawValue: 1 << 6)
    /// The database says that its original is on this disk.
    package static let local = Marks(rawValue: 1 << 7)
    /// It is a video.
    package static let video = Marks(rawValue: 1 << 8)

    /// Others took it: it came by an iCloud link or in a conversation, and nobody saved it.
    package static let ofOthers = Marks(rawValue: 1 << 9)
    /// It is in a library or a collection that several people share, so that its original may be another one's.
    package static let inSharedLibrary = Marks(rawValue: 1 << 10)

    /// It came in a conversation; one that nobody saved has no original.
    package static let inConversation = Marks(rawValue: 1 << 11)

    static let all = Marks(rawValue: (1 << 12) - 1)
  }

  /// Its identifier, with which the names of its files begin.
  package var uuid: String
  /// What is true of it.
  package var marks: Marks = []
  /// The folder of its original beneath that of all originals; nil when it lies outside the library, or
  /// the database names no folder that can be in one.
  package var directory: [UInt8]?
  /// The name of its original in that folder; nil when the database has none that can be one.
  package var fileName: [UInt8]?
  /// The name that the file had when it was added.
  package var originalName: String?
  /// The title that a person gave it.
  package var title: String?
  /// The caption that a person gave it.
  package var caption: String?
  /// The keywords, each once.
  package var keywords: [String] = []
  /// The names of the people whose faces are in it, each once.
  package var people: [String] = []
  /// The time at which it was taken, in microseconds since 1970 in UTC.
  package var taken: Int64?
  /// The offset from UTC where it was taken, in minutes.
  package var offsetMinutes: Int?
  /// The identifier of its burst.
  package var burst: String?
  /// Whether it is a pick of its burst; nil if nothing says so.
  package var isBurstPick: Bool?
  /// The position.
  package var place: MediaDescription.Place?
  /// The subtypes.
  package var subtypes: MediaSubtypes = []

  /// The longest name in bytes.
  static let maximumNameLength = 1024

  /// Creates an asset; nil unless `uuid` can be the beginning of a file's name.
  package init?(uuid: String) {
    guard PhotosText.isIdentifier(uuid) else { return nil }
    self.uuid = uuid
  }

  /// Creates an asset with the identifier of one.
  init(checked uuid: String) { self.uuid = uuid }

  /// The path of its original in the library; nil when it is not in it.
  package var original: ItemPath? {
    guard let directory, let fileName, !marks.contains(.referenced) else { return nil }
    let folder = PhotosLibraryFiles.originals + [UInt8.slash] + directory
    return ItemPath(bytes: folder + [UInt8.slash] + fileName)
  }

  /// The asset with what tells the path of its original and its standing alone.
  var withoutDescription: PhotosAsset {
    var asset = PhotosAsset(checked: uuid)
    (asset.marks, asset.directory, asset.fileName) = (marks, directory, fileName)
    // The extension of a path that the database does not have.
    if original == nil { asset.originalName = originalName }
    return asset
  }

  /// The original name without its extension, as a label has it; nil when there is none.
  package var stem: String? {
    guard let originalName else { return nil }
    let stem = ItemPath(bytes: PhotosText.path(originalName) ?? []).stem
    return stem.isEmpty ? nil : String(decoding: stem, as: UTF8.self)
  }
}

extension PhotosAsset {
  /// The tag of the date that a library's database states.
  package static let dateTag = "Photos.sqlite"

  /// What the database says of the asset, as the description in a sidecar is.
  package var description: MediaDescription {
    var description = MediaDescription()
    // Both are shown beneath a photo; a catalogue has room for one.
    description.caption = caption ?? title
    for keyword in keywords { description.add(keyword: keyword) }
    for person in people { description.add(person: person) }
    // The others are marked neither way.
    if marks.contains(.favorite) { description.isFavorite = true }
    if marks.contains(.hidden) { description.isHidden = true }
    description.place = place
    description.subtypes = subtypes
    description.burst = burst
    description.isBurstPick = isBurstPick
    if let taken {
      let local = taken + Int64(offsetMinutes ?? 0) * 60_000_000
      description.add(
        CaptureDate(
          local: String(CalendarTime(microsecondsSince1970: local).timestamp.prefix(19)),
          offsetMinutes: offsetMinutes ?? 0,
          tag: Self.dateTag
        )
      )
    }
    return description
  }
}
