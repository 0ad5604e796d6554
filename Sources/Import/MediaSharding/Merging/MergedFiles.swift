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
  private var folders = OpenFolders()
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
    guard var time = SaveTime(folder: folder) else {
      throw Self.differs(folder, "is no folder of originals")
    }
    while true {
      let day = try folders.folder(in: originals, named: "Originals", [time.date])
      if try FileSystem.makeFolder(in: day, [UInt8](time.time.utf8)) { return time.folder }
      time.microseconds += 1
    }
  }

  /// Gives a shard's file its place, whose folder is there if it is that of an original.
  mutating func take(
    _ path: String,
    of root: Descriptor,
    to new: String,
    bytes: Int64
  ) throws {
    let status: FileStatus
    do {
      status = try FileSystem.status(in: root, name: [UInt8](path.utf8))
    } catch {
      throw Self.differs(path, "is missing")
    }
    guard status.kind == .regular, status.size == bytes else {
      throw Self.differs(path, "has another length than its catalogue says")
    }
    let parts = new.split(separator: "/").map(String.init)
    guard parts.count == 4 else { throw Self.differs(path, "has no place in a library") }
    let isOriginal = parts[0] == "Originals"
    let folder =
      isOriginal
      ? try folders.folder(in: originals, named: parts[0], [parts[1]])
      : try folders.folder(in: thumbnails, named: parts[0], [parts[1], parts[2]])
    let name = [UInt8]((isOriginal ? "\(parts[2])/\(parts[3])" : parts[3]).utf8)
    if method == .hardlink {
      do {
        try FileSystem.link(from: root, [UInt8](path.utf8), to: folder, name)
        linked += 1
        return
      } catch {
        guard [EXDEV, EMLINK, EPERM, EOPNOTSUPP].contains(error.errno) else { throw error }
      }
    }
    let source = try FileSystem.openForReading(beneath: root, [UInt8](path.utf8), crossMounts: true)
    let copy = try FileSystem.createFile(in: folder, name, mode: 0o644)
    let isCloned = method == .reflink ? try FileSystem.clone(source, to: copy) : false
    if !isCloned {
      guard try FileSystem.copy(source, to: copy) == bytes else {
        throw Self.differs(path, "changed while it was copied")
      }
    }
    try copy.setModified(status.modified)
    copied += 1
  }

  private static func differs(_ path: String, _ how: String) -> LibraryError {
    LibraryError(.inconsistent, "\"\(EscapedText.printable(path))\" \(how)")
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
