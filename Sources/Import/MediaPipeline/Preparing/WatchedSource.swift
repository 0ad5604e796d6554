package import MediaFileSystem
internal import MediaManifest
package import MediaModel
internal import MediaPermissions
internal import MediaSources

/// The folder of a granted source, for the process that notices changes in it.
package struct WatchedSource: Sendable {
  /// Opened with O_PATH.
  package var root: Descriptor
  /// The manifest's own patterns of what is left out, as text.
  package var ignored: [String]
  /// Whether the names that are left out by default are.
  package var ignoresDefaults: Bool
}

extension AccessState {
  /// Opens the folders of the sources that are allowed as a whole; opens nothing in them.
  ///
  /// A limited source is not among them: who watches its folder sees names that were not selected. A camera
  /// tells of no changes.
  ///
  /// - Throws: `RunError`, 66, when a folder is missing or another one than was decided about.
  package func watchedSources() throws(RunError) -> [WatchedSource] {
    try plannedSources().filter { $0.selection == nil && $0.media.isFolder }.map { planned in
      let declaration = loaded.manifest.sources[planned.id]
      return WatchedSource(
        root: planned.root,
        ignored: declaration?.ignore.map(\.text) ?? [],
        ignoresDefaults: declaration?.ignoresDefaults ?? true
      )
    }
  }

  /// The moment, in seconds since 1970, at which the first of the answers that count now expires; nil when
  /// none does.
  package var expiry: Int64? {
    permissions.sources.filter { $0.isRead && $0.decidedBy == .storedAnswer }
      .compactMap { $0.answer?.expiresAt }.min()
  }

  /// The paths of what the decisions rest on: the manifest with its signature, the stored answers and the folders.
  package var basis: [[UInt8]] {
    let store = (try? AnswerStore.ownLocation()) ?? []
    let folders = loaded.manifest.sources.keys.compactMap { loaded.path(of: $0) }
    let signature = SignatureRules.signaturePath(of: loaded.resolvedPath)
    return [loaded.resolvedPath, signature, store, store + Array("-wal".utf8)] + folders
  }
}
