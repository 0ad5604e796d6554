internal import Glibc
internal import MediaDigest
package import MediaFileSystem
package import MediaModel

/// Gives staged files their final names; what is published is never replaced.
package struct Publisher {
  private let library: Library
  /// Whether it finishes what another process has begun: a file that has left staging was published by
  /// that one, and may have been removed since, as any published file may.
  private let isRecovery: Bool
  /// Folders of days below the library.
  private var folders = OpenFolders()

  package init(library: Library, isRecovery: Bool = false) {
    self.library = library
    self.isRecovery = isRecovery
  }

  /// The batch's folder in staging, made now.
  package func makeStagingFolder(_ batch: Int64) throws(FileSystemError) -> Descriptor {
    let name = [UInt8](String(batch).utf8)
    return try FileSystem.openOrMakeFolder(in: library.staging, name, crossMounts: true)
  }

  /// Removes the batch's folder in staging, with all that is left in it.
  package func removeStagingFolder(_ batch: Int64) throws(FileSystemError) {
    let name = [UInt8](String(batch).utf8)
    let folder: Descriptor
    do {
      folder = try FileSystem.openForReading(
        beneath: library.staging,
        name,
        crossMounts: true,
        isFolder: true
      )
    } catch  where error.isMissing {
      return
    }
    try FileSystem.empty(folder)
    try FileSystem.removeFolder(in: library.staging, name)
  }

  /// Publishes every file of a batch: first the thumbnails, then each asset's folder, so that an
  /// asset appears at once and whole; then one flush.
  ///
  /// Can be repeated after an interruption at any point: a final name with the stored length and
  /// digest is done already, and in a recovery also a file that is in neither place any more.
  ///
  /// - Throws: ``LibraryError`` `.inconsistent` for a final name that holds something else, which
  ///   stays as it is; `.cannotWrite`, `.outOfSpace`.
  package mutating func publish(_ batch: Int64, _ staged: StagedBatch) throws(LibraryError) {
    if staged.assets.isEmpty { return }
    do {
      let folder = try makeStagingFolder(batch)
      for asset in staged.assets {
        for thumbnail in asset.thumbnails {
          let target = try folders.folder(in: library.root, ["Thumbnails", thumbnail.name, thumbnail.date])
          try publish(
            [UInt8](thumbnail.stagedName.utf8),
            in: folder,
            as: thumbnail.fileName,
            in: target,
            holding: [(path: [], bytes: thumbnail.bytes, sha256: thumbnail.sha256)]
          )
        }
        if let folderName = asset.restoredFolder {
          try restore(asset, to: folderName, from: folder)
          continue
        }
        if asset.isKnown { continue }
        let target = try folders.folder(in: library.root, ["Originals", asset.saveTime.date])
        try publish(
          [UInt8](asset.stagedName.utf8),
          in: folder,
          as: asset.saveTime.time,
          in: target,
          holding: asset.resources.map { ([UInt8]($0.fileName.utf8), $0.bytes, $0.sha256) }
        )
      }
      // On a descriptor of this publishing's own: an older one still has an older failure to tell.
      try FileSystem.flush(fileSystemOf: folder)
    } catch {
      throw LibraryError(wrapping: error)
    }
  }

  /// Gives the lost originals of an asset their names again, in the folder that the asset had or still
  /// has.
  private mutating func restore(
    _ asset: StagedAsset,
    to folderName: String,
    from folder: Descriptor
  ) throws {
    let components = folderName.split(separator: "/").map(String.init)
    guard components.count == 2 else {
      throw LibraryError(.inconsistent, "An asset's folder has no name.")
    }
    let target = try folders.folder(in: library.root, ["Originals", components[0], components[1]])
    for resource in asset.resources {
      try publish(
        [UInt8]("\(asset.stagedName)/\(resource.fileName)".utf8),
        in: folder,
        as: resource.fileName,
        in: target,
        holding: [(path: [], bytes: resource.bytes, sha256: resource.sha256)]
      )
    }
  }

  /// The first time from `time` on whose folder no asset has.
  package mutating func freeSaveTime(from time: SaveTime) throws(LibraryError) -> SaveTime {
    var time = time
    do {
      while true {
        let name = [UInt8](time.folder.utf8)
        do {
          _ = try FileSystem.status(in: library.originals, name: name)
        } catch  where error.isMissing {
          return time
        }
        time.microseconds += 1
      }
    } catch {
      throw LibraryError(error)
    }
  }

  private func publish(
    _ staged: [UInt8],
    in folder: Descriptor,
    as name: String,
    in target: Descriptor,
    holding content: [(path: [UInt8], bytes: Int64, sha256: String)]
  ) throws {
    let hasLeftStaging: Bool
    do {
      try FileSystem.rename(from: folder, staged, to: target, [UInt8](name.utf8))
      return
    } catch {
      guard error.errno == EEXIST || error.errno == ENOTEMPTY || error.isMissing else {
        throw error
      }
      hasLeftStaging = error.isMissing
    }
    for file in content {
      let path =
        file.path.isEmpty
        ? [UInt8](name.utf8) : [UInt8](name.utf8) + [UInt8.slash] + file.path
      // The catalogue gets its row, so that the run restores it as any lost file.
      let isThere = path.withUnsafeBytes { FileSystem.exists(beneath: target, $0) }
      if isRecovery, hasLeftStaging, !isThere { continue }
      let digest = try? FileDigest.of(path, beneath: target)
      guard let digest, digest.bytes == file.bytes, digest.sha256 == file.sha256 else {
        throw LibraryError(
          .inconsistent,
          "\"\(EscapedText.printable(name))\" in the library has another content than was to be "
            + "published there; it was left as it is. Run `mediabatch verify` on the library."
        )
      }
    }
  }
}

/// Length and SHA-256 of a file in the library.
package enum FileDigest {
  /// The length of the buffer that a reader of many files passes in.
  package static let bufferLength = 1 << 18

  /// Reads the whole file once, in constant memory.
  ///
  /// The path is below `folder`.
  ///
  /// - Returns: Bytes, and 64 lower-case hexadecimal digits.
  /// - Throws: `FileSystemError` when it is not there or cannot be read.
  package static func of(
    _ path: [UInt8],
    beneath folder: Descriptor
  ) throws(FileSystemError) -> (bytes: Int64, sha256: String) {
    let file = try FileSystem.openForReading(beneath: folder, path, crossMounts: true)
    return try of(file)
  }

  /// Reads the file once, or its `first` bytes, in constant memory.
  package static func of(
    _ file: Descriptor,
    first limit: Int64 = .max
  ) throws(FileSystemError) -> (bytes: Int64, sha256: String) {
    var buffer = [UInt8](repeating: 0, count: bufferLength)
    return try of(file, first: limit, &buffer)
  }

  /// Reads the file once, or its `first` bytes, into a buffer that can be used again: making one takes
  /// longer than reading a small file.
  package static func of(
    _ file: Descriptor,
    first limit: Int64 = .max,
    _ buffer: inout [UInt8]
  ) throws(FileSystemError) -> (bytes: Int64, sha256: String) {
    var hash = SHA256()
    var offset: UInt64 = 0
    var reader = SparseReader(file)
    while offset < limit {
      let wanted = min(buffer.count, Int(clamping: limit - Int64(offset)))
      let count = try buffer.withUnsafeMutableBytes { bytes in
        Result { () throws(FileSystemError) in
          // A small file is read whole: its holes are not looked for.
          let room = UnsafeMutableRawBufferPointer(rebasing: bytes[..<wanted])
          return offset == 0
            ? try file.read(into: room, at: 0) : try reader.read(into: room, at: offset).count
        }
      }.get()
      buffer.withUnsafeBytes { hash.update(.init(rebasing: $0[..<count])) }
      offset += UInt64(count)
      // Less than was asked for at the start is the whole file.
      if count == 0 || offset == count && count < wanted { break }
    }
    return (Int64(offset), Hexadecimal.text(hash.finalize()))
  }
}
