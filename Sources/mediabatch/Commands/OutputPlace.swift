internal import ArgumentParser
internal import MediaFileSystem
internal import MediaManifest
internal import MediaModel
internal import MediaPipeline

extension LoadedManifest {
  /// Stops a command that was told to write within a source, before anything is made: sources do not
  /// change.
  ///
  /// - Parameters:
  ///   - path: The path, absolute or relative to the working directory.
  ///   - option: The person's own word for it, such as `--output`.
  /// - Throws: `ExitCode` 64, when the source was named.
  func requireOutsideOfSources(_ path: [UInt8], option: String) throws {
    let found =
      SourcesOverlap.source(holding: path, manifest: manifest, manifestFolder: folder)
      ?? mountedSource(holding: path)
    guard let found else { return }
    Console.note(
      "\(option) \"\(EscapedText.percentEscaped(path))\" lies within the \(found.displayName), and sources do "
        + "not change. Nothing was made; name a place outside of it."
    )
    throw ExitCode(RunExitCode.usage.rawValue)
  }

  /// The source that holds a path by another mount of its file system.
  private func mountedSource(holding path: [UInt8]) -> SourceKind? {
    var there = path[...]
    while !there.isEmpty, !FileSystem.exists(Array(there)) {
      there = there.lastIndex(of: UInt8(ascii: "/")).map { there[..<$0] } ?? []
    }
    let table = MountTable()
    guard let place = table.location(ofPath: there.isEmpty ? [UInt8(ascii: ".")] : Array(there))
    else { return nil }
    return SourceKind.allCases.first { kind in
      self.path(of: kind).flatMap { table.location(ofPath: $0) }.map { place.isWithin($0) } ?? false
    }
  }
}
