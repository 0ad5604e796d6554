internal import MediaCameras
package import MediaFileSystem
package import MediaModel
package import MediaPermissions

/// Checks that the opened root of a source is still the folder that was decided about.
///
/// Its name may lead to another folder than when the manifest was read, if another program renames
/// folders meanwhile. An open descriptor cannot be exchanged.
package enum OpenedRoot {
  /// Opens a folder with O_PATH, if it is still the one that was decided about.
  ///
  /// - Throws: `RunError`, 66, when it is missing or another one.
  package static func open(
    _ path: [UInt8],
    as identity: FolderIdentity?,
    of source: SourceID
  ) throws(RunError) -> Descriptor {
    let root: Descriptor
    let status: FileStatus
    do {
      root = try FileSystem.openPath(path)
      status = try root.status()
    } catch {
      throw missing(source, error)
    }
    // A link may have stood there for the moment in which the folder was looked at, and again now.
    let named = try? FileSystem.openPath(
      beneath: FileSystem.openPath([UInt8.slash]),
      [UInt8.dot] + (identity?.path ?? path)
    ).status()
    // Answers are bound to this folder, and files were picked in it.
    guard status.device == identity?.device, status.inode == identity?.inode,
      named?.isSameInode(as: status) == true
    else {
      throw RunError(
        .sourceReplaced,
        "Not run: the folder of the \(source.displayName) was exchanged while the run began. "
          + "Look who renames folders there, then run again."
      )
    }
    return root
  }

  /// Opens a camera's own file with O_PATH, if it is still the camera that was decided about.
  ///
  /// - Throws: `RunError`, 66, when it is not connected any more or another one is.
  static func open(
    _ camera: CameraSelection,
    as identity: FolderIdentity?,
    of source: SourceID
  ) throws(RunError) -> (device: CameraDevice, file: Descriptor) {
    do {
      let device = try camera.find()
      guard device.identity == identity?.path else { throw CameraError(.notConnected) }
      return (device, try FileSystem.openPath(device.file))
    } catch let error as CameraError {
      throw RunError(.sourceUnavailable, "The \(source.displayName) is gone: \(error). \(error.advice)")
    } catch {
      throw RunError(
        .sourceUnavailable,
        "The \(source.displayName) cannot be opened: \(error). Give this user access to the device."
      )
    }
  }

  /// Compares folders by device and inode, as `SourcesOverlap` does by name; opens none of
  /// `others`.
  ///
  /// - Parameters:
  ///   - root: The folder, opened with O_PATH.
  ///   - source: The source that the folder belongs to.
  ///   - others: Absolute paths of the other sources, refused ones too, and of the library.
  /// - Throws: `RunError`, `sourcesOverlap`, when it is, contains or is inside one of them.
  static func check(
    _ root: Descriptor,
    of source: SourceID,
    others: [[UInt8]]
  ) throws(RunError) {
    let own: [FileStatus]
    do {
      own = try chain(from: root)
    } catch {
      throw missing(source, error)
    }
    for path in others {
      let other = FileSystem.ancestry(ofPath: path)
      guard let first = own.first, let otherFirst = other.first,
        own.contains(where: { $0.isSameInode(as: otherFirst) })
          || other.contains(where: { $0.isSameInode(as: first) })
      else { continue }
      throw RunError(
        .sourcesOverlap,
        "Not run: the folder of the \(source.displayName) was exchanged while the run began, and the new one overlaps "
          + "\"\(EscapedText.percentEscaped(path))\". Look who renames folders there."
      )
    }
  }

  /// Compares a folder of location data with folders that must not hold any, by device and inode.
  ///
  /// - Parameters:
  ///   - folder: The folder, opened with O_PATH.
  ///   - path: Its path, for the message.
  ///   - data: What is in it.
  ///   - refused: Absolute paths of the sources that are not allowed whole, and of the library.
  /// - Throws: `RunError`, `sourcesOverlap`, when it is one of them or inside.
  static func check(
    _ folder: Descriptor,
    shown path: [UInt8],
    of data: LocationData,
    refused: [[UInt8]]
  ) throws(RunError) {
    // What cannot be compared is not read.
    let own = try? chain(from: folder)
    let isRefused = refused.contains { other in
      guard let other = FileSystem.ancestry(ofPath: other).first else { return false }
      return own?.contains { $0.isSameInode(as: other) } != false
    }
    if isRefused { throw misplaced(data, in: path) }
  }

  /// The error of a run whose location data lie where it must not read.
  package static func misplaced(_ data: LocationData, in path: [UInt8]) -> RunError {
    RunError(
      .sourcesOverlap,
      "Not run: the \(data.plural) in \"\(EscapedText.percentEscaped(path))\" lie in the library, or in a source that is "
        + "refused or limited. Move them elsewhere."
    )
  }

  private static func missing(_ source: SourceID, _ error: FileSystemError) -> RunError {
    RunError(
      .sourceUnavailable,
      "The \(source.displayName) is gone: \(error). Attach the disk that it is on."
    )
  }

  /// Returns the status of a folder and of every folder above it, without resolving a name again.
  ///
  /// Source: proc_pid_fd(5): the link leads to the open folder, and `..` to its parent.
  private static func chain(from root: Descriptor) throws(FileSystemError) -> [FileStatus] {
    var chain = [try root.status()]
    var folder = root
    while true {
      let above = try withExtendedLifetime(folder) { () throws(FileSystemError) in
        try FileSystem.openPath([UInt8]("/proc/self/fd/\(folder.raw)/..".utf8))
      }
      let status = try above.status()
      if let last = chain.last, last.isSameInode(as: status) { return chain }
      chain.append(status)
      folder = above
    }
  }
}
