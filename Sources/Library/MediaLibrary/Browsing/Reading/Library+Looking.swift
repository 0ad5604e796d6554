internal import MediaFileSystem
internal import MediaModel

extension Library {
  /// Finds out whether a run could open the library at `path`, or make one there.
  ///
  /// Takes no lock and writes nothing. That a catalogue is damaged is not looked for.
  ///
  /// - Parameter path: Absolute.
  /// - Returns: The error that the run would meet; nil when there is none, or another run holds the
  ///   library now.
  package static func obstacle(path: [UInt8]) -> LibraryError? {
    do {
      let root = try FileSystem.openFolder(path)
      if LibraryFolder.isHeld(root) { return nil }
      let content = try LibraryFolder(of: root)
      if let refusal = content.refusal(at: path) { return refusal }
      if !FileSystem.isWritable(path) { return notWritable(path) }
      guard content == .library else { return nil }
      for name in LibraryFolder.folderNames {
        let status = try? FileSystem.status(in: root, name: [UInt8](name.utf8))
        if let status, status.kind != .folder { return notFolder(path + [UInt8.slash] + name.utf8) }
      }
      return obstacleInCatalogue(path)
    } catch  where error.isMissing {
      return obstacleToMaking(path)
    } catch {
      return LibraryError(error)
    }
  }

  /// Finds out whether a run could open a catalogue that its header recognizes, and the key beside it.
  private static func obstacleInCatalogue(_ path: [UInt8]) -> LibraryError? {
    do throws(LibraryError) {
      guard let damage = try CatalogueReader(library: path).digestKeyDamage(isWhole: true) else {
        return nil
      }
      return LibraryError(.inconsistent, damage)
    } catch {
      return [.unknownSchema, .notALibrary].contains(error.code) ? error : nil
    }
  }

  /// Finds out whether a run could make the folder at a path, and the missing ones above it.
  private static func obstacleToMaking(_ path: [UInt8]) -> LibraryError? {
    var path = path
    while let end = path.lastIndex(of: UInt8.slash), end > 0 {
      if FileSystem.exists(path) { break }
      let above = Array(path[..<end])
      // A link that leads nowhere is in the way of a folder.
      if let folder = try? FileSystem.openPath(above),
        (try? FileSystem.status(in: folder, name: Array(path[(end + 1)...]))) != nil
      {
        return notFolder(path)
      }
      path = above
    }
    guard let status = try? FileSystem.status(ofPath: path) else { return nil }
    if status.kind != .folder { return notFolder(path) }
    return FileSystem.isWritable(path) ? nil : notWritable(path)
  }

  private static func notFolder(_ path: [UInt8]) -> LibraryError {
    LibraryError(
      .cannotWrite,
      "\"\(EscapedText.percentEscaped(path))\" is no folder, and the library needs one there. Move it away, or "
        + "choose another folder under \"output\"."
    )
  }

  private static func notWritable(_ path: [UInt8]) -> LibraryError {
    LibraryError(
      .cannotWrite,
      "Nothing can be written into \"\(EscapedText.percentEscaped(path))\", where the library is to "
        + "be. Get the right to write there, or choose another folder under \"output\"."
    )
  }
}
