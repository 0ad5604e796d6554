/// The arrangement of a source's files, which tells what belongs together.
package enum SourceLayout: String, CaseIterable, Sendable, Hashable, Codable {
  /// Files in folders, as a person or a camera has put them there.
  case folder
  /// What Google Takeout has exported of Google Photos: folders, or the archives as they come.
  case takeout
  /// A library of Apple Photos.
  case photosLibrary
  /// What privacy.apple.com has exported of iCloud Photos: folders, or the zip files as they come.
  case iCloudExport
  /// A camera or phone that speaks PTP (ISO 15740).
  case ptp

  /// The layouts that a source may have.
  package static func allowed(for source: SourceKind) -> [SourceLayout] {
    switch source {
    case .camera: [.folder, .ptp]
    case .library: allCases
    case .microphone: [.folder]
    }
  }

  // What a kind can do: a column each. All other code asks for these, and not for the kind's word.

  /// Whether the source is a folder of this machine.
  package var isFolder: Bool { self != .ptp }

  /// Whether the files in the archives of the source's folder are files of the source.
  package var readsArchives: Bool { self == .takeout || self == .iCloudExport }

  /// Whether the source has albums of its own.
  package var hasAlbums: Bool { self == .takeout || self == .photosLibrary || self == .iCloudExport }

  /// Whether the source says which of its items are hidden.
  package var hidesItems: Bool { hasAlbums }

  /// Whether hidden items are left out under every policy unless a manifest says otherwise, as in PhotoKit.
  package var leavesOutHidden: Bool { self == .photosLibrary }

  /// Whether a sidecar of the source says what is hidden or in the trash, and may belong to no file.
  package var hasLooseSidecars: Bool { self == .takeout }

  /// Whether a person picks assets that an index of the source names, each with all of its files.
  package var picksByAsset: Bool { self == .photosLibrary }
}
