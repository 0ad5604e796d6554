internal import Glibc
package import MediaFileSystem
internal import MediaLibrary
internal import MediaListing
package import MediaModel

/// The photo library as a place to which files are added.
///
/// A file is written in ``incoming`` and renamed from there without replacing anything. A confined process
/// has all rights in ``incoming`` and `LandlockRights.addOnly` elsewhere, so that it can neither read, list,
/// change nor remove what is in the photo library.
package final class PhotoLibraryFolder {
  /// The name of the folder in the photo library that holds the incoming files of all libraries.
  package static let incomingName = Array(".mediabatch-incoming".utf8)
  /// The bytes that a name may have on the file systems of Linux. Source: NAME_MAX.
  private static let maximumNameLength = 255

  /// The photo library, opened with O_PATH.
  package let root: Descriptor
  /// The folder of this library's files that wait for their names.
  package let incoming: Descriptor
  /// The path of the photo library, every symbolic link resolved.
  package let path: [UInt8]
  /// Folders of days that were opened already; few, since each has a descriptor.
  private var days: [String: Descriptor] = [:]
  private static let maximumDays = 16
  /// The last number that the files of an asset got, by their paths without one: cards have a thousand files of one
  /// name and day.
  var lastNumbers: [[ItemPath]: Int] = [:]
  /// The hashes of those to which this run has given stems, see ``owner(of:)``, by the hashes of these.
  var stemOwners: [Int: Int] = [:]

  /// Makes the folder of incoming files where it is missing, and tries that files can be added.
  ///
  /// Must be called before the process is confined.
  ///
  /// - Parameters:
  ///   - root: The photo library, opened with O_PATH.
  ///   - path: The resolved path of it.
  ///   - library: The identifier of the library whose captured files are added.
  /// - Throws: `FileSystemError` when this user may not write there, or the file system does not rename
  ///   without replacing.
  package init(root: Descriptor, path: [UInt8], library: String) throws(FileSystemError) {
    guard FileSystem.isWritable([UInt8]("/proc/self/fd/\(root.raw)".utf8)) else {
      throw FileSystemError(call: "write", path: path, errno: errno)
    }
    self.root = root
    self.path = path
    let all = try FileSystem.openOrMakeFolder(in: root, Self.incomingName, mode: 0o700, crossMounts: false)
    let name = Array(library.utf8)
    incoming = try FileSystem.openOrMakeFolder(in: all, name, mode: 0o700, crossMounts: false)
    let (trial, tried) = ([UInt8]("try".utf8), [UInt8]("tried".utf8))
    try remove(trial)
    try remove(tried)
    _ = try FileSystem.createFile(in: incoming, trial)
    try FileSystem.rename(from: incoming, trial, to: incoming, tried)
    try remove(tried)
  }

  /// Whether an incoming file waits for its name.
  package func isWaiting(_ name: [UInt8]) throws(FileSystemError) -> Bool {
    do {
      _ = try FileSystem.status(in: incoming, name: name)
      return true
    } catch  where error.isMissing {
      return false
    }
  }

  /// Removes an incoming file; a missing one is no error.
  package func remove(_ name: [UInt8]) throws(FileSystemError) {
    try FileSystem.removeFile(in: incoming, name)
  }

  /// Removes the incoming files that an interrupted run has left.
  ///
  /// - Parameter names: The files that still get their names.
  /// - Throws: `FileSystemError`.
  package func removeLeftovers(except names: Set<[UInt8]>) throws(FileSystemError) {
    for entry in try FileSystem.entries(of: incoming) where !names.contains(entry.name) {
      try remove(entry.name)
    }
  }

  /// Flushes what was written and renamed.
  package func flush() throws(FileSystemError) { try FileSystem.flush(fileSystemOf: incoming) }

  /// The path below the photo library of a file that was captured on a day, `yyyy-MM-dd`.
  ///
  /// A number from 2 on stands behind the name, as in `IMG_1 (2).HEIC`.
  package static func path(of name: [UInt8], on day: String, number: Int) -> ItemPath {
    var path = [UInt8]("\(day.prefix(4))/\(day)/".utf8)
    guard number > 1 else {
      path.append(contentsOf: name)
      return ItemPath(bytes: path)
    }
    let dot: Int = name.lastIndex(of: UInt8.dot) ?? 0
    let end: Int = dot == 0 ? name.count : dot
    var suffix = [UInt8](" (\(number))".utf8)
    suffix.append(contentsOf: name[end...])
    let length = min(end, max(0, maximumNameLength - suffix.count))
    path.append(contentsOf: ItemPath.prefix(of: name, length: length))
    path.append(contentsOf: suffix)
    return ItemPath(bytes: path)
  }

  /// The hash of the folder and the stem of a path, by which other programs pair files, in small letters (ASCII).
  static func stem(of path: ItemPath) -> Int {
    var hasher = Hasher()
    for byte in path.folder + [UInt8.slash] + path.stem { hasher.combine(byte.asciiLowercased) }
    return hasher.finalize()
  }

  /// The hash of what files of a source have in common that belong together by their folder and stem.
  static func owner(of file: StagedAddition) -> Int {
    var hasher = Hasher()
    hasher.combine(file.source)
    hasher.combine(file.path.pairingHash)
    return hasher.finalize()
  }

  /// Whether nothing has a path below the photo library.
  package func isFree(_ path: ItemPath) throws(FileSystemError) -> Bool {
    do {
      _ = try FileSystem.status(in: root, name: path.bytes)
      return false
    } catch  where error.isMissing {
      return true
    }
  }

  /// Gives an incoming file its name in the photo library.
  ///
  /// - Throws: `FileSystemError` `EEXIST` when something has that name; it is not replaced.
  package func add(_ name: [UInt8], as path: ItemPath) throws(FileSystemError) {
    let slash = path.bytes.lastIndex(of: UInt8.slash) ?? 0
    let folder = try folder(of: String(decoding: path.bytes[..<slash], as: UTF8.self))
    try FileSystem.rename(from: incoming, name, to: folder, Array(path.bytes[(slash + 1)...]))
  }

  private func folder(of path: String) throws(FileSystemError) -> Descriptor {
    if let cached = days[path] { return cached }
    var folder = root
    for component in path.split(separator: "/") {
      let name = Array(component.utf8)
      try FileSystem.makeFolder(in: folder, name)
      folder = try FileSystem.openPath(beneath: folder, name, crossMounts: false)
    }
    if days.count == Self.maximumDays { days = [:] }
    days[path] = folder
    return folder
  }
}
