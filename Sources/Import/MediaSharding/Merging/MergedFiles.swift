internal import Glibc
internal import MediaFileSystem
internal import MediaLibrary
internal import MediaModel

/// Gives the files of shards their places in a merged library.
package struct MergedFiles {
  /// How the content of a shard's file gets into the library.
  package enum Method: String, CaseIterable, Sendable {
    /// The file gets a second name; where that is not possible, it is copied.
    case hardlink
    /// A copy that shares its content with the shard's file until one of both is changed, where the file system has
    /// that; else a copy.
    case reflink
    case copy
  }

  private let originals: Descriptor
  private let thumbnails: Descriptor
  private let method: Method
  /// The folders of days in the library, and in the one of the shard whose files come.
  private var days = DayFolders()
  private var shardDays = DayFolders()
  private var shard: Descriptor?
  private(set) var linked = 0
  private(set) var copied = 0

  init(of library: Library, method: Method) {
    originals = library.originals
    thumbnails = library.thumbnails
    self.method = method
  }

  /// Makes the folder of an asset, under the first time of saving from its own on that no other asset has.
  ///
  /// - Parameter folder: As `2026-11-21/014439.123456`.
  /// - Returns: The folder's name in the same form.
  /// - Throws: `LibraryError` when the folder is none of a time of saving, or cannot be made.
  mutating func makeFolder(_ folder: String) throws -> String {
    let path = [UInt8](folder.utf8)
    // Most folders have the name that they had. It is read as a time where another one is needed.
    if Self.hasFormOfTime(path),
      try FileSystem.makeFolder(
        in: openDay((Array("Originals/".utf8) + path[..<10])[...]),
        Array(path[11...])
      )
    {
      return folder
    }
    guard var time = SaveTime(folder: folder) else {
      throw Self.differs(path, "is no folder of originals")
    }
    while true {
      let day = try openDay(Array("Originals/\(time.date)".utf8)[...])
      if try FileSystem.makeFolder(in: day, [UInt8](time.time.utf8)) { return time.folder }
      time.microseconds += 1
    }
  }

  /// Whether a path has digits and signs where `2026-11-21/014439.123456` has them.
  private static func hasFormOfTime(_ path: [UInt8]) -> Bool {
    let form = "0000-00-00/000000.000000".utf8
    return path.count == form.count
      && zip(path, form).allSatisfy { $1.isASCIIDigit ? $0.isASCIIDigit : $0 == $1 }
  }

  /// Gives a shard's file its place, whose folder is there if it is that of an original.
  mutating func take(_ file: MergedFile, of root: Descriptor) throws {
    if shard !== root { (shard, shardDays) = (root, DayFolders()) }
    guard let (oldDay, oldName) = Self.parts(of: file.path), let (day, name) = Self.parts(of: file.new)
    else { throw Self.differs(file.path, "has no place in a library") }
    let from: Descriptor
    let status: FileStatus
    do {
      from = try shardDays.folder(oldDay) { () throws(FileSystemError) in
        try FileSystem.openForReading(beneath: root, Array(oldDay), crossMounts: true, isFolder: true)
      }
      status = try FileSystem.status(in: from, name: oldName)
    } catch {
      throw Self.differs(file.path, "is missing")
    }
    guard status.kind == .regular, status.size == file.bytes else {
      throw Self.differs(file.path, "has another length than its catalogue says")
    }
    let folder = try openDay(day)
    if method == .hardlink {
      do {
        try FileSystem.link(from: from, oldName, to: folder, name)
        linked += 1
        return
      } catch {
        guard [EXDEV, EMLINK, EPERM, EOPNOTSUPP].contains(error.errno) else { throw error }
      }
    }
    let source = try FileSystem.openForReading(beneath: root, file.path, crossMounts: true)
    let copy = try FileSystem.createFile(in: folder, name, mode: 0o644)
    let isCloned = method == .reflink ? try FileSystem.clone(source, to: copy) : false
    if !isCloned {
      guard try FileSystem.copy(source, to: copy) == file.bytes else {
        throw Self.differs(file.path, "changed while it was copied")
      }
    }
    try copy.setModified(status.modified)
    copied += 1
  }

  /// Makes the folder of a day where it is missing, and opens it; `path` is below the library.
  private mutating func openDay(_ path: ArraySlice<UInt8>) throws(FileSystemError) -> Descriptor {
    let (originals, thumbnails) = (originals, thumbnails)
    return try days.folder(path) { () throws(FileSystemError) in
      let parts = path.split(separator: UInt8.slash)
      var folder = parts[0].elementsEqual("Originals".utf8) ? originals : thumbnails
      for part in parts.dropFirst() {
        folder = try FileSystem.openOrMakeFolder(in: folder, Array(part), crossMounts: true)
      }
      return folder
    }
  }

  /// The folder of a file's day, below a library, and the file's path below that; nil for a path of another form.
  private static func parts(of path: [UInt8]) -> (day: ArraySlice<UInt8>, name: [UInt8])? {
    let slashes = path.indices.filter { path[$0] == UInt8.slash }
    guard slashes.count == 3 else { return nil }
    let end = path.starts(with: "Originals/".utf8) ? slashes[1] : slashes[2]
    return (path[..<end], Array(path[(end + 1)...]))
  }

  private static func differs(_ path: [UInt8], _ how: String) -> LibraryError {
    LibraryError(.inconsistent, "\"\(EscapedText.printable(String(decoding: path, as: UTF8.self)))\" \(how)")
  }

  /// The path of a file below the library when its folder has moved.
  ///
  /// - Parameters:
  ///   - path: The path below the shard's library.
  ///   - moved: The folders of assets that have others, as `2026-11-21/014439.123456`.
  /// - Returns: The path below the merged library.
  static func path(_ path: String, _ moved: [String: String]) -> String {
    if moved.isEmpty { return path }
    var parts = path.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 4 else { return path }
    if parts[0] == "Originals" {
      return moved["\(parts[1])/\(parts[2])"].map { "Originals/\($0)/\(parts[3])" } ?? path
    }
    // The name of a thumbnail begins with the time of saving.
    guard let space = parts[3].firstIndex(of: " "),
      let folder = moved["\(parts[2])/\(parts[3][..<space])"],
      let time = SaveTime(folder: folder)
    else { return path }
    parts[2] = time.date
    parts[3] = time.time + parts[3][space...]
    return parts.joined(separator: "/")
  }
}

/// Folders of days, which stay open while files of these days come.
private struct DayFolders {
  /// With the rest of a merge below ``DescriptorLimit/needed``.
  private static let limit = 16

  private var folders: [ArraySlice<UInt8>: Descriptor] = [:]

  /// The folder of a path, which is opened unless it is open.
  mutating func folder(
    _ path: ArraySlice<UInt8>,
    _ open: () throws(FileSystemError) -> Descriptor
  ) throws(FileSystemError) -> Descriptor {
    if let folder = folders[path] { return folder }
    if folders.count >= Self.limit { folders.removeAll(keepingCapacity: true) }
    let folder = try open()
    folders[path] = folder
    return folder
  }
}
