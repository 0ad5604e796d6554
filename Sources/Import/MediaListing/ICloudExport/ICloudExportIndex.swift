package import MediaModel

/// What the CSV files of an export of iCloud Photos say of its files.
///
/// Names are not unique: two parts may have an `IMG_0100.MOV` each, and a folder two rows of one name, of which the
/// second file is called `IMG_0100-1.MOV`. A row is looked for among those of the file's folder, then of the folder
/// around it, then of the whole export if there is no other row of that name.
package struct ICloudExportIndex: Sendable {
  private typealias Row = ICloudExportTable.Row

  /// The rows of the CSV files of a folder, by the names; texts compare whichever their normalization form. Those of one
  /// name are joined.
  private var folders: [ItemPath: [String: Row]] = [:]
  /// The rows whose name the whole export has once; of another name nil.
  private var unique: [String: Row?] = [:]
  /// The names of rows that are about a file in their folder, and so about no other.
  private var claimed: Set<String> = []
  /// What lists say that are no albums.
  private var listed: [String: Row.Marks] = [:]
  private var albums: [(path: ItemPath, names: [String])] = []
  private var count = 0
  /// What a person has to know.
  package private(set) var warnings: [String] = []

  /// The most rows of all CSV files.
  package static let maximumRows = 1_000_000
  /// The most bytes of a CSV file that is read.
  package static let maximumBytes = 64 << 20
  private static let maximumWarnings = 10

  package init() {}

  // MARK: Reading

  /// Takes the content of a CSV file.
  package mutating func read(_ bytes: [UInt8], of path: ItemPath) {
    guard !ICloudExportNames.isMemory(path) else { return }
    let room = Self.maximumRows - count
    switch ICloudExportTable.content(bytes, limit: room) {
    case .details(let rows):
      count += rows.count
      let folder = ItemPath(bytes: Array(path.folder))
      for (name, row) in rows { enter(row, name, in: folder) }
    case .names(let names):
      count += names.count
      if let marks = Self.marks(ofList: path) {
        for name in names { listed[name, default: []].formUnion(marks) }
      } else if !names.isEmpty {
        albums.append((path, names))
      }
    case .unknown(let header):
      warn(
        "The file \"\(path.text)\" of the export is not used: its first line is "
          + "\"\(EscapedText.printable(String(decoding: header, as: UTF8.self)))\", which is not known. Please report it "
          + "with this line."
      )
    }
    if count >= Self.maximumRows {
      warn("The CSV files of the export have more than \(Self.maximumRows) rows; the others are not read.")
    }
  }

  /// Notes a CSV file that cannot be read.
  package mutating func failed(_ path: ItemPath, _ detail: String) {
    warn("The file \"\(path.text)\" of the export cannot be read: \(EscapedText.printable(detail)).")
  }

  private mutating func warn(_ text: String) {
    if warnings.count < Self.maximumWarnings { warnings.append(text) }
  }

  private mutating func enter(_ row: Row, _ name: String, in folder: ItemPath) {
    let earlier = unique[name]
    unique.updateValue(earlier == nil || earlier == .some(row) ? row : nil, forKey: name)
    let namesake = folders[folder]?[name]
    folders[folder, default: [:]][name] = namesake.map { Self.joined($0, row) } ?? row
  }

  /// Takes note of the files of the export, once all CSV files are read.
  package mutating func note(_ items: ListedItems) {
    for index in items.indices {
      let path = items.path(at: index)
      let name = String(decoding: path.name, as: UTF8.self)
      if rows(near: path).contains(where: { $0[name] != nil }) { claimed.insert(name) }
    }
  }

  /// What is true of a file that one of two rows describes: it is hidden if one of them is, and deleted or a favorite if
  /// both are, since the deleted one lies in a folder of its own.
  private static func joined(_ first: Row, _ second: Row) -> Row {
    var row = Row()
    row.marks = first.marks.intersection(second.marks)
      .union(first.marks.union(second.marks).intersection(.hidden))
    row.taken = first.taken == second.taken ? first.taken : nil
    return row
  }

  /// Of the lists in `Albums` that Photos makes, what they say; nil for an album.
  private static func marks(ofList path: ItemPath) -> Row.Marks? {
    switch String(decoding: path.stem, as: UTF8.self).lowercased() {
    case "hidden": .hidden
    case "favorites": .favorite
    // Its files lie in a folder of their own.
    case "recently deleted": []
    default: nil
    }
  }

  // MARK: A file

  /// The rows of the CSV files in a file's folder, and in the one around it.
  private func rows(near path: ItemPath) -> [[String: Row]] {
    let folder = ItemPath(bytes: Array(path.folder))
    let around = ItemPath(bytes: Array(folder.folder))
    return [folders[folder], around == folder ? nil : folders[around]].compactMap { $0 }
  }

  private func row(of path: ItemPath) -> Row? {
    let name = String(decoding: path.name, as: UTF8.self)
    let near = rows(near: path)
    for rows in near {
      if let row = rows[name] { return row }
    }
    if !claimed.contains(name), let row = unique[name] ?? nil { return row }
    let stem = path.stem
    if let original = Self.withoutNumber(stem) {
      let unnumbered = Self.text(original) + Self.text(path.name.dropFirst(stem.count))
      for rows in near {
        if let row = rows[unnumbered] { return row }
      }
    }
    return rowOfStill(stem, of: path, near)
  }

  /// What keeps the still out of sight, whose movie or sidecar a file may be, also in another part; without the date,
  /// which may be that of another picture.
  private func rowOfStill(_ stem: ArraySlice<UInt8>, of path: ItemPath, _ near: [[String: Row]]) -> Row? {
    guard MediaFormat(fileExtension: path.fileExtension)?.mediaType == .video || SidecarName.isSidecar(path)
    else {
      return nil
    }
    for stem in [stem, Self.withoutNumber(stem)].compactMap({ $0 }).map(Self.text) {
      for ending in Self.stills {
        let name = stem + ending
        if let row = near.lazy.compactMap({ $0[name] }).first ?? unique[name] ?? nil {
          return Row(marks: row.marks.intersection([.hidden, .deleted]))
        }
      }
    }
    return nil
  }

  private static let stills = [".HEIC", ".JPG", ".JPEG", ".heic", ".jpg", ".jpeg", ".PNG", ".DNG"]

  /// A stem without the number behind a name that is there twice, such as `IMG_1-1`; nil for any other.
  private static func withoutNumber(_ stem: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
    let digits = stem.reversed().prefix(while: \.isASCIIDigit).count
    let beginning = stem.dropLast(digits)
    let isNumbered = (1...3).contains(digits) && beginning.last == .hyphen && beginning.count > 1
    return isNumbered ? beginning.dropLast() : nil
  }

  private static func text(_ bytes: ArraySlice<UInt8>) -> String { String(decoding: bytes, as: UTF8.self) }

  private func marks(of path: ItemPath, _ row: Row?) -> Row.Marks {
    let list = listed[String(decoding: path.name, as: UTF8.self)] ?? []
    // A list knows no parts, so that a row of the same name knows better which one is a favorite.
    let stated = row.map { $0.marks.union(list.intersection(.hidden)) } ?? list
    // A movie shows what its still does, whatever its own row says.
    return stated.union(rowOfStill(path.stem, of: path, rows(near: path))?.marks ?? [])
  }

  /// Whether a row is about a file.
  package func describes(_ path: ItemPath) -> Bool { row(of: path) != nil }

  /// What is made of a file, by its row and by its folder; that which keeps it out of a library first.
  package func standing(of path: ItemPath) -> Standing? { standing(of: path, marks(of: path, row(of: path))) }

  private func standing(of path: ItemPath, _ marks: Row.Marks) -> Standing? {
    let folder = ICloudExportNames.standing(of: path)
    if folder == .thrownAway || marks.contains(.deleted) { return .thrownAway }
    return folder ?? (marks.contains(.hidden) ? .putAway : nil)
  }

  /// The tag of the date that an export states.
  package static let dateTag = "originalCreationDate"

  /// What the export says of a file; nil where it says nothing.
  package func description(of path: ItemPath) -> MediaDescription? {
    let row = row(of: path)
    let marks = marks(of: path, row)
    var description = MediaDescription()
    if marks.contains(.favorite) { description.isFavorite = true }
    if standing(of: path, marks) == .putAway { description.isHidden = true }
    if let taken = row?.taken, let local = CivilDate.local(seconds: Int(taken)) {
      description.add(CaptureDate(local: local, offsetMinutes: 0, tag: Self.dateTag))
    }
    return description == MediaDescription() ? nil : description
  }

  // MARK: Albums

  /// An album with the files of a listing that are in it.
  package struct Album: Sendable, Hashable {
    /// Its CSV file.
    package var key: ItemPath
    /// At most 1,000 bytes.
    package var title: String
    /// The paths of the files, in the album's order.
    package var members: [ItemPath]
  }

  /// The albums with their files among those of a listing that are imported: of a name that several files have, the one
  /// of the album's own part, or none.
  package func albums(of items: ListedItems) -> [Album] {
    let wanted = Set(albums.flatMap(\.names))
    if wanted.isEmpty { return [] }
    var paths: [String: [ItemPath]] = [:]
    for index in items.indices where items.reason(at: index) == nil && !items.isSidecar(at: index) {
      let path = items.path(at: index)
      let name = String(decoding: path.name, as: UTF8.self)
      if wanted.contains(name) { paths[name, default: []].append(path) }
    }
    return albums.map { album in
      let part = Array(ItemPath(bytes: Array(album.path.folder)).folder) + [UInt8.slash]
      let members = album.names.compactMap { name -> ItemPath? in
        guard let candidates = paths[name] else { return nil }
        let fitting = candidates.count == 1 ? candidates : candidates.filter { $0.bytes.starts(with: part) }
        return fitting.count == 1 ? fitting[0] : nil
      }
      let title = ItemPath.prefix(of: Array(album.path.stem), length: 1000)
      return Album(key: album.path, title: String(decoding: title, as: UTF8.self), members: members)
    }
  }
}

/// The names of files and folders in an export of iCloud Photos.
package enum ICloudExportNames {
  /// Whether a path is that of a CSV file.
  package static func isTable(_ path: ItemPath) -> Bool { path.fileExtension == "csv" }

  /// Whether a file is the export's own, and none of a person: its CSV files, what it says of shared albums, and its
  /// record of use.
  package static func isOfExportItself(_ path: ItemPath) -> Bool {
    let name = String(decoding: path.name, as: UTF8.self).lowercased()
    return isTable(path) || name == "albuminfo.json"
      || name.hasSuffix(".zip") && name.contains("icloudusagedata")
  }

  /// Whether a CSV file is of a memory, which Photos makes and nobody else.
  static func isMemory(_ path: ItemPath) -> Bool { folders(of: path).contains("memories") }

  /// What the folders say in which a file lies; that of hidden files has them itself.
  static func standing(of path: ItemPath) -> Standing? {
    let folders = folders(of: path)
    let sign = signs.first { sign in
      sign.standing == .putAway ? folders.last == sign.name : folders.contains(sign.name)
    }
    return sign?.standing
  }

  private static let signs = StandingTable.folders(of: .iCloudExport).map { sign in
    (name: sign.path.lowercased(), standing: sign.standing)
  }

  private static func folders(of path: ItemPath) -> [String] {
    path.folder.split(separator: UInt8.slash).map { String(decoding: $0, as: UTF8.self).lowercased() }
  }
}
