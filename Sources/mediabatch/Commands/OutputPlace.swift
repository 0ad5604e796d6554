internal import ArgumentParser
internal import MediaAudit
internal import MediaFileSystem
internal import MediaManifest
internal import MediaModel
internal import MediaPipeline
internal import MediaVerification

/// The folders of sources, within which no command writes: sources do not change.
struct SourceFolders {
  private var folders: [ClosedFolders.Folder]

  /// All sources of a manifest that are folders, whatever their status is.
  init(of loaded: LoadedManifest) {
    folders = loaded.manifest.sources.keys.compactMap { source in
      loaded.path(of: source).map { (Self.name(source), $0) }
    }
  }

  /// The folders that the runs of a library listed last, and those that its newest run was not allowed whole, for a
  /// command without a manifest; none where there is no log.
  ///
  /// - Throws: `AuditError` `.cannotRead`.
  init(listedFor library: [UInt8]) throws {
    let log = try? LibraryLog(root: FileSystem.openFolder(library), catalogue: nil)
    self.init(try log?.listedSources() ?? [:], of: library)
  }

  /// The same folders, where the log was read already.
  init(_ listed: [SourceID: ListedSource], of library: [UInt8]) {
    folders = listed.sorted { $0.key < $1.key }.compactMap { source, listed in
      listed.folder.map { (Self.name(source), $0) }
    }
    folders += ClosedFolders(ofLibrary: library).folders
  }

  private static func name(_ source: SourceID) -> String { "the \(source.displayName)" }

  /// Adds the folder of one more source; it counts before those that are there.
  mutating func add(_ source: SourceID, at path: [UInt8]) {
    folders.insert((Self.name(source), path), at: 0)
  }

  /// Stops a command that was told to write within a source, before anything is made.
  ///
  /// - Parameters:
  ///   - path: The path, absolute or relative to the working directory.
  ///   - option: The person's own word for it, such as `--output`.
  /// - Throws: `ExitCode` 64, when the source was named.
  func requireOutside(_ path: [UInt8], option: String) throws {
    guard let text = refusal(of: path, option: option) else { return }
    Console.note(text)
    throw RunExitCode.usage.end
  }

  /// The sentence that refuses to write within a source and names it; nil for a path outside of them all.
  ///
  /// - Parameters: As those of ``requireOutside(_:option:)``.
  func refusal(of path: [UInt8], option: String) -> String? {
    let mounts = MountTable()
    let location = mounts.location(ofPath: Self.existing(path))
    // One that is gone cannot change, and its path may have become another folder's.
    let match = folders.first { source in
      guard FileSystem.exists(source.path) else { return false }
      if SourcesOverlap.isWithin(path, folder: source.path) { return true }
      guard let location, let folder = mounts.location(ofPath: source.path) else { return false }
      return location.isWithin(folder)
    }
    return match.map { source in
      "\(option) \"\(EscapedText.percentEscaped(path))\" lies within \(source.name) "
        + "(\"\(EscapedText.percentEscaped(source.path))\"), and sources do not change. Nothing was made; "
        + "name a place outside of it."
    }
  }

  /// The nearest part of a path that is there.
  private static func existing(_ path: [UInt8]) -> [UInt8] {
    var prefix = path[...]
    while !prefix.isEmpty, !FileSystem.exists(Array(prefix)) {
      prefix = prefix.lastIndex(of: UInt8.slash).map { prefix[..<$0] } ?? []
    }
    if !prefix.isEmpty { return Array(prefix) }
    return [path.first == .slash ? UInt8.slash : UInt8.dot]
  }
}
