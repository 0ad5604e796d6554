internal import MediaAudit
internal import MediaFileSystem
package import MediaLibrary
package import MediaModel

/// The places in the photo library that the log gives to files of an interrupted run.
package struct RecordedAdditions {
  private var paths: [String: ItemPath] = [:]

  /// Reads the log of a run, and of the later ones that began to finish it.
  ///
  /// - Throws: `AuditError`.
  package init(of run: String, in library: Library) throws {
    let folder = AuditFolder(descriptor: library.audit.raw)
    let files = try folder.files()
    guard let first = files.firstIndex(where: { $0.run == run }) else { return }
    var paths: [String: ItemPath] = [:]
    for file in files[first...] {
      try AuditEntry.forEach(in: try folder.bytes(of: file), only: [.added]) { entry in
        guard let addition: AuditAddition = entry.body() else { return }
        paths[Self.key(addition.asset, addition.path)] = addition.addedPath
      }
    }
    self.paths = paths
  }

  /// The place that the last record of a file names; nil without a record.
  package func path(of file: StagedAddition) -> ItemPath? {
    paths[Self.key(file.localIdentifier, file.path)]
  }

  private static func key(_ asset: String, _ path: ItemPath) -> String { asset + "/" + path.text }
}
