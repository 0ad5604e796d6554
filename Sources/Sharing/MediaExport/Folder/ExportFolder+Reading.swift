internal import Glibc
internal import MediaFileSystem
internal import MediaLibrary
internal import MediaModel

/// Files of the library, of the folder that was there before, and of the new one, as they are read.
extension ExportFolder {
  /// The content of a file of the earlier folder; nil where it is none, cannot be read, or somebody has changed it.
  func earlierContent(of path: [UInt8]) -> [UInt8]? {
    let name = seal?.name(of: path)
    let storedPath = name.map { FolderSeal.path(of: $0) } ?? path
    guard let old, let listed = try? oldList?.file(at: storedPath),
      let file = try? FileSystem.openForReading(beneath: old, storedPath, crossMounts: false),
      let status = try? file.status(), Self.isSame(status, listed),
      let content = try? file.readToEnd(limit: Int(status.size))
    else { return nil }
    guard let seal, let name else { return content }
    return seal.opened(content, named: name)
  }

  /// Returns the content of a file that is in the new folder already.
  ///
  /// - Throws: ``ExportError``.
  func content(of path: [UInt8]) throws(ExportError) -> [UInt8] {
    do {
      return try openMade(path).readToEnd(limit: .max)
    } catch {
      throw ExportError(wrapping: error, shown)
    }
  }

  /// Opens a file that is in the new folder already; not through a symbolic link.
  ///
  /// - Throws: ``ExportError``.
  func openMade(_ path: [UInt8]) throws(ExportError) -> Descriptor {
    do {
      return try FileSystem.openForReading(beneath: staging, path, crossMounts: false)
    } catch {
      throw ExportError(error, shown)
    }
  }

  /// The list of the files that are in the new folder by now, to be used before the next one is written.
  ///
  /// - Throws: ``ExportError``.
  func made() throws(ExportError) -> ExportList {
    do {
      try flushList()
      return try ExportList(of: records) ?? list
    } catch {
      throw ExportError(error, shown)
    }
  }

  /// The bytes that its file system has room for; nil where that does not tell.
  func room() -> Int64? {
    guard let room = try? FileSystem.room(fileSystemOf: staging), room.bytes > 0 || room.files > 0 else {
      return nil
    }
    return Int64(clamping: room.bytes)
  }

  /// Returns the length and the digest of a file that is in the new folder already, read in constant memory.
  ///
  /// - Throws: ``ExportError``.
  func digest(of path: [UInt8]) throws(ExportError) -> (bytes: Int64, sha256: String) {
    do {
      return try FileDigest.of(path, beneath: staging)
    } catch {
      throw ExportError(error, shown)
    }
  }

  /// Opens a file of the library, and reads whether it has the bytes that the catalogue says; if not, it is in
  /// ``damaged``.
  ///
  /// - Parameters:
  ///   - source: The file.
  ///   - isReadLater: Whether its content is not read now: only its length is compared.
  /// - Returns: The file, from its start; nil for one that is damaged, or missing.
  /// - Throws: ``ExportError`` when this process can open no file.
  func open(
    _ source: Source,
    isReadLater: Bool = false
  ) throws(ExportError) -> (file: Descriptor, status: FileStatus)? {
    if damaged[source.path] != nil { return nil }
    do throws(FileSystemError) {
      let (file, status) = try opened(source)
      if status.size != source.bytes {
        damaged[source.path] = "it has \(status.size) bytes, but \(source.bytes) in the catalogue"
      } else if !isReadLater, try FileDigest.of(file, &buffer).sha256 != source.sha256 {
        damaged[source.path] = Damage.content
      } else {
        // To look for holes moves the offset.
        try file.seek(to: 0)
        return (file, status)
      }
    } catch {
      // These tell nothing of the file.
      if [EMFILE, ENFILE, ENOMEM].contains(error.errno) { throw ExportError(error, shown) }
      let path = EscapedText.percentEscaped(source.path)
      damaged[source.path] = error.isMissing ? "it is missing" : error.reason(besides: path)
    }
    return nil
  }

  /// Opens a file of the library that ``open(_:)`` has read before.
  ///
  /// - Throws: ``ExportError`` where it cannot be opened any more.
  func reopen(
    _ source: Source
  ) throws(ExportError) -> (file: Descriptor, status: FileStatus) {
    do {
      return try opened(source)
    } catch {
      throw ExportError(.failed, "A file of the library was removed while it was read: \(error).")
    }
  }

  private func opened(
    _ source: Source
  ) throws(FileSystemError) -> (file: Descriptor, status: FileStatus) {
    let file = try FileSystem.openForReading(beneath: library, place(of: source), crossMounts: true)
    return (file, try file.status())
  }

  /// The path below the library of a file, which may be renamed by now.
  func place(of source: Source) -> [UInt8] {
    guard let new = renamed[source.path],
      !source.path.withUnsafeBytes({ FileSystem.exists(beneath: library, $0) })
    else { return source.path }
    return new
  }
}
