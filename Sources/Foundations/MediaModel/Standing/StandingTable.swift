/// By which signs a source says that a picture is put away, thrown away, unfinished, others' or made by a program: one
/// row for each.
///
/// A name is a sign wherever it stands. A common one counts only beside another sign, since a person's own folder may be
/// called `Cache` or `Originals` too. The other signs are those of one kind of source.
package enum StandingTable {
  /// Who has words of its own for what a person makes of a picture.
  package enum Origin: Sendable, Hashable {
    /// Google Photos, in the JSON files of a Takeout.
    case takeout
    /// Photos, in the database and the folders of its library.
    case photosLibrary
    /// iCloud Photos, in the CSV files and folders of an export of privacy.apple.com.
    case iCloudExport
  }

  /// A sign.
  package enum Sign: Sendable, Hashable {
    /// The name of a file or folder, or the end of its path: `*` stands for any part of a name, `<n>` for digits; without
    /// case.
    case name(String)
    /// As ``name(_:)``, if one of each list is there too: a name in the folder that has the first part of the path, or a
    /// path beneath that; `{name}` stands for the file's own name.
    case nameBeside(String, [[String]])
    /// A member of a JSON object, with the object's name and a dot in front where it is in another one; a column.
    case flag(String, Origin)
    /// A folder in which a source keeps what has this standing.
    case folder(String, Origin)
  }

  /// A sign with what it says.
  package struct Row: Sendable, Hashable {
    /// The sign.
    package var sign: Sign
    /// What it says.
    package var standing: Standing
    /// Who gives it.
    package var program: String

    fileprivate init(_ sign: Sign, _ standing: Standing, _ program: String) {
      (self.sign, self.standing, self.program) = (sign, standing, program)
    }

    /// The name that is the sign, or the end of the path; nil for one of another kind.
    package var pattern: String? {
      switch sign {
      case .name(let pattern), .nameBeside(let pattern, _): pattern
      case .flag, .folder: nil
      }
    }
  }

  /// All rows.
  ///
  /// Source: exports of Google Photos and immich-go's `googlephotos/json.go`; osxphotos, `photoinfo.py`; Android,
  /// `FileUtils.java` of MediaProvider (PATTERN_EXPIRES_FILE); the manuals of the programs.
  package static let rows: [Row] = flags + trashes + unfinished + derived

  private static let flags: [Row] = [
    Row(.flag("archived", .takeout), .putAway, "Google Photos, archive"),
    Row(.flag("inLockedFolder", .takeout), .putAway, "Google Photos, Locked Folder"),
    Row(.flag("trashed", .takeout), .thrownAway, "Google Photos, trash"),
    Row(.flag("googlePhotosOrigin.fromPartnerSharing", .takeout), .others, "Google Photos, partner sharing"),
    Row(.flag("ZHIDDEN", .photosLibrary), .putAway, "Photos, Hidden"),
    Row(.flag("ZTRASHEDSTATE", .photosLibrary), .thrownAway, "Photos, Recently Deleted"),
    Row(.flag("ZCLOUDBATCHPUBLISHDATE", .photosLibrary), .others, "Photos, shared albums"),
    Row(
      .flag("ZBUNDLESCOPE", .photosLibrary),
      .others,
      "Photos, iCloud links, shared albums, Shared with You"
    ),
    Row(.folder("scopes/cloudsharing", .photosLibrary), .others, "Photos, shared albums"),
    Row(.folder("resources/cloudsharing", .photosLibrary), .others, "Photos, shared albums"),
    Row(.folder("scopes/syndication", .photosLibrary), .others, "Photos, Shared with You"),
    Row(.flag("hidden", .iCloudExport), .putAway, "iCloud Photos, Hidden"),
    Row(.flag("deleted", .iCloudExport), .thrownAway, "iCloud Photos, Recently Deleted"),
    Row(.folder("Recently Deleted", .iCloudExport), .thrownAway, "iCloud Photos, Recently Deleted"),
    Row(.folder("Shared Albums", .iCloudExport), .others, "iCloud Photos, shared albums"),
    Row(.folder("iCloud Shared Albums", .iCloudExport), .others, "iCloud Photos, shared albums"),
    Row(.folder("Hidden", .iCloudExport), .putAway, "iCloud Photos, Hidden"),
  ]

  private static let trashes: [Row] = [
    Row(.name(".trashed-<n>-*"), .thrownAway, "Android"),
    Row(.name(".Trash*"), .thrownAway, "macOS, Linux, Android's galleries"),
    Row(.name(".globalTrash"), .thrownAway, "Android's file managers"),
    Row(.name(".ColorOSGalleryRecycler"), .thrownAway, "Android's galleries"),
    Row(.name(".FileManagerRecycler"), .thrownAway, "Android's file managers"),
    Row(.name(".Gallery2/recycle"), .thrownAway, "Android's galleries"),
    Row(.name("$RECYCLE.BIN"), .thrownAway, "Windows"),
    Row(.name("RECYCLER/S-<n>-*"), .thrownAway, "Windows XP"),
    Row(.name("#recycle"), .thrownAway, "Synology"),
    Row(.name("@Recycle"), .thrownAway, "QNAP"),
    Row(.name(".recycle"), .thrownAway, "Samba"),
    Row(.name(".dtrash"), .thrownAway, "digiKam"),
    Row(.name(".debris"), .thrownAway, "MEGA"),
    Row(.name("_gsdata_"), .thrownAway, "GoodSync"),
    Row(.name("files_trashbin"), .thrownAway, "Nextcloud, ownCloud"),
    Row(.name(".nfs<n>*"), .thrownAway, "NFS"),
    Row(.name(".fuse_hidden*"), .thrownAway, "FUSE"),
  ]

  private static let unfinished: [Row] = [
    Row(.name(".pending-<n>-*"), .unfinished, "Android"),
    Row(.name(".syncthing.*.tmp"), .unfinished, "Syncthing"),
    Row(.name("~syncthing~*.tmp"), .unfinished, "Syncthing"),
    Row(.name("*.!sync"), .unfinished, "Resilio Sync"),
    Row(.name(".getxfer.*.mega"), .unfinished, "MEGA"),
    Row(.name(".*.~*"), .unfinished, "Nextcloud, ownCloud"),
    Row(.name(".tmp.driveupload"), .unfinished, "Google Drive"),
    Row(.name(".tmp.drivedownload"), .unfinished, "Google Drive"),
    Row(.name(".~tmp~"), .unfinished, "rsync"),
    Row(.name(".goutputstream-*"), .unfinished, "GNOME"),
    Row(.name("*.crdownload"), .unfinished, "Chrome"),
    Row(.name("*.part"), .unfinished, "Firefox, Nextcloud"),
    Row(.name("*.partial"), .unfinished, "rclone, Edge"),
    Row(.name("*.filepart"), .unfinished, "WinSCP"),
    Row(.name("*.ffs_tmp"), .unfinished, "FreeFileSync"),
    Row(.name("*.tmp"), .unfinished, "many programs"),
  ]

  private static let derived: [Row] = [
    Row(.name("._*"), .derived, "macOS"),
    Row(.name(".DS_Store"), .derived, "macOS"),
    Row(.name(".DocumentRevisions-V100"), .derived, "macOS"),
    Row(.name(".TemporaryItems"), .derived, "macOS"),
    Row(.name("*.photolibrary/Thumbnails"), .derived, "iPhoto"),
    Row(.name("*.aplibrary/Thumbnails"), .derived, "Aperture"),
    Row(.name("Thumbs.db"), .derived, "Windows"),
    Row(.name("System Volume Information"), .derived, "Windows"),
    Row(.name(".thumbnails"), .derived, "Android, Linux"),
    Row(.name("Android/data/*/cache"), .derived, "Android"),
    Row(.nameBeside("PhotoData/Thumbnails", [["PhotoData/Photos.sqlite"]]), .derived, "iPhone"),
    Row(.nameBeside("PhotoData/PhotoCloudSharingData", [["PhotoData/Photos.sqlite"]]), .others, "iPhone"),
    Row(.name("@eaDir"), .derived, "Synology"),
    Row(.name("#snapshot"), .derived, "Synology"),
    Row(.name(".SynologyWorkingDirectory"), .derived, "Synology"),
    Row(.name("*@SynoEAStream"), .derived, "Synology"),
    Row(.name("*@SynoResource"), .derived, "Synology"),
    Row(.name(".@__thumb"), .derived, "QNAP"),
    Row(.name("@__thumb"), .derived, "QNAP"),
    Row(.name("@Transcode"), .derived, "QNAP"),
    Row(.name("@Recently-Snapshot"), .derived, "QNAP"),
    Row(.name(".@upload_cache"), .derived, "QNAP"),
    Row(.name(".wdmc"), .derived, "Western Digital"),
    Row(.name(".snapshot"), .derived, "NetApp"),
    Row(.name("~snapshot"), .derived, "NetApp"),
    Row(.name(".snapshots"), .derived, "Btrfs"),
    Row(.name(".zfs"), .derived, "ZFS"),
    Row(.name(".stversions"), .derived, "Syncthing"),
    Row(.name(".stfolder"), .derived, "Syncthing"),
    Row(.name(".sync"), .derived, "Resilio Sync"),
    Row(.name(".dropbox.cache"), .derived, "Dropbox"),
    Row(.name(".dropbox"), .derived, "Dropbox"),
    Row(.name("files_versions"), .derived, "Nextcloud, ownCloud"),
    Row(.name("appdata_oc*"), .derived, "Nextcloud, ownCloud"),
    Row(.nameBeside("thumbnails", [["files_trashbin", "files_versions"]]), .derived, "ownCloud"),
    Row(.nameBeside("uploads", [["files_trashbin", "files_versions"]]), .unfinished, "Nextcloud, ownCloud"),
    Row(.name("*.lrdata"), .derived, "Lightroom"),
    Row(.name("CaptureOne/Cache"), .derived, "Capture One"),
    Row(.name("CaptureOne/Proxies"), .derived, "Capture One"),
    Row(.name("CaptureOne/Thumbnails"), .derived, "Capture One"),
    Row(.name("*.cocatalog/Cache"), .derived, "Capture One"),
    Row(.name(".picasaoriginals"), .derived, "Picasa"),
    Row(.nameBeside("Originals/*", [[".picasa.ini", "Picasa.ini"], ["{name}"]]), .derived, "Picasa"),
    Row(.nameBeside("[Originals]/*", [["{name}"]]), .derived, "ACDSee"),
    Row(.name(".photostructure"), .derived, "PhotoStructure"),
    Row(.name(".photoprism"), .derived, "PhotoPrism"),
    Row(.name("pwg_representative"), .derived, "Piwigo"),
    Row(.name("_data/i"), .derived, "Piwigo"),
    Row(.nameBeside("thumbs", [["thumbs/.immich"]]), .derived, "Immich"),
    Row(.nameBeside("encoded-video", [["encoded-video/.immich"]]), .derived, "Immich"),
    Row(.nameBeside("profile", [["profile/.immich"]]), .derived, "Immich"),
  ]

  /// What the member of a JSON object, or a column, says.
  package static func flags(of origin: Origin) -> [(name: String, standing: Standing)] {
    rows.compactMap { row in
      if case .flag(let name, origin) = row.sign { (name, row.standing) } else { nil }
    }
  }

  /// The folders in which a source keeps what has a standing of its own, as paths within it.
  package static func folders(of origin: Origin) -> [(path: String, standing: Standing)] {
    rows.compactMap { row in
      if case .folder(let path, origin) = row.sign { (path, row.standing) } else { nil }
    }
  }

  // MARK: Names

  /// Finds the sign that the name of a file or folder is, or the end of its path.
  ///
  /// Costs two looks into a table for nearly every name of a camera.
  ///
  /// - Parameters:
  ///   - path: The path within the source; of its folders, only those that are part of a sign are looked at.
  ///   - isFolder: Whether it is a folder.
  ///   - isThere: Whether the source has something at a path; asked for a few names alone.
  /// - Returns: The row; nil for any other name.
  package static func row(of path: ItemPath, isFolder: Bool, isThere: (ItemPath) -> Bool) -> Row? {
    let name = path.name
    guard let first = name.first, let last = name.last else { return nil }
    return row(of: path, isFolder, lookup.byFirst[Int(first.asciiLowercased)], isThere)
      ?? row(of: path, isFolder, lookup.byLast[Int(last.asciiLowercased)], isThere)
      ?? row(of: path, isFolder, lookup.others, isThere)
  }

  private static func row(
    of path: ItemPath,
    _ isFolder: Bool,
    _ patterns: [NamePattern],
    _ isThere: (ItemPath) -> Bool
  ) -> Row? {
    for pattern in patterns where !(isFolder && pattern.isOfFiles) && pattern.matches(path, isThere) {
      return rows[pattern.row]
    }
    return nil
  }

  /// Finds the first sign in a path: that of the file, or of a folder on its way.
  package static func row(ofFile path: ItemPath, isThere: (ItemPath) -> Bool) -> Row? {
    for (index, byte) in path.bytes.enumerated() where byte == .slash {
      let folder = ItemPath(bytes: Array(path.bytes[..<index]))
      if let row = row(of: folder, isFolder: true, isThere: isThere) { return row }
    }
    return row(of: path, isFolder: false, isThere: isThere)
  }

  private static let lookup = NameLookup(rows)
}

/// The patterns of names by the bytes that they begin or end with.
private struct NameLookup: Sendable {
  var byFirst = [[NamePattern]](repeating: [], count: 256)
  var byLast = [[NamePattern]](repeating: [], count: 256)
  /// Those of any name in a folder.
  var others: [NamePattern] = []

  init(_ rows: [StandingTable.Row]) {
    for (index, row) in rows.enumerated() {
      guard let text = row.pattern else { continue }
      var beside: [[String]] = []
      if case .nameBeside(_, let lists) = row.sign { beside = lists }
      let pattern = NamePattern(text, beside: beside, row: index, row.standing)
      if let first = pattern.name.first, case .byte(let byte) = first {
        byFirst[Int(byte)].append(pattern)
      } else if let last = pattern.name.last, case .byte(let byte) = last {
        byLast[Int(byte)].append(pattern)
      } else {
        others.append(pattern)
      }
    }
  }
}

/// The end of a path, part by part.
private final class NamePattern: Sendable {
  enum Element: Sendable, Hashable {
    /// Of a letter the small one.
    case byte(UInt8)
    case digits
    case any
  }

  /// Of the last part.
  let name: [Element]
  /// Whether it is no sign of a folder: that of an unfinished file is an ending, which a person's folder may have.
  let isOfFiles: Bool
  /// Of the folders before it, the nearest first.
  private let folders: [[Element]]
  private let beside: [[[UInt8]]]
  let row: Int

  private static let ownName = Array("{name}".utf8)

  init(_ text: String, beside: [[String]], row: Int, _ standing: Standing) {
    let parts = text.utf8.split(separator: UInt8.slash).map { Self.elements(Array($0)) }
    name = parts.last ?? []
    isOfFiles = parts.last?.first == .any && standing == .unfinished
    folders = parts.dropLast().reversed()
    self.beside = beside.map { $0.map { Array($0.utf8) } }
    self.row = row
  }

  private static func elements(_ part: [UInt8]) -> [Element] {
    var elements: [Element] = []
    var unread = part[...]
    while let byte = unread.first {
      if unread.starts(with: "<n>".utf8) {
        elements.append(.digits)
        unread = unread.dropFirst(3)
      } else {
        elements.append(byte == UInt8(ascii: "*") ? .any : .byte(byte.asciiLowercased))
        unread = unread.dropFirst()
      }
    }
    return elements
  }

  func matches(_ path: ItemPath, _ isThere: (ItemPath) -> Bool) -> Bool {
    guard Self.matches(path.name, name[...]) else { return false }
    var folder = path.folder
    for pattern in folders {
      if folder.isEmpty { return false }
      let start = folder.lastIndex(of: UInt8.slash).map { $0 + 1 } ?? folder.startIndex
      guard Self.matches(folder[start...], pattern[...]) else { return false }
      folder = folder[..<max(folder.startIndex, start - 1)]
    }
    if beside.isEmpty { return true }
    let root = ItemPath(bytes: Array(folder))
    return beside.allSatisfy { names in
      names.contains { isThere(root.appending($0 == Self.ownName ? Array(path.name) : $0)) }
    }
  }

  /// Whether a name has the form of a pattern: at each `*` and `<n>` all lengths are tried, of a name of at most 255
  /// bytes and of at most two of them.
  private static func matches(_ name: ArraySlice<UInt8>, _ pattern: ArraySlice<Element>) -> Bool {
    var (name, pattern) = (name, pattern)
    while let element = pattern.first {
      pattern = pattern.dropFirst()
      switch element {
      case .byte(let byte):
        guard name.first?.asciiLowercased == byte else { return false }
        name = name.dropFirst()
      case .digits:
        let count = name.prefix { $0.isASCIIDigit }.count
        guard count > 0 else { return false }
        name = name.dropFirst(count)
      case .any:
        if pattern.isEmpty { return true }
        return (name.startIndex...name.endIndex).contains { matches(name[$0...], pattern) }
      }
    }
    return name.isEmpty
  }
}
