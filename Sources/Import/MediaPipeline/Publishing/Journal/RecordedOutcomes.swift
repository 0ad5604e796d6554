internal import MediaAudit
internal import MediaFileSystem
package import MediaLibrary
package import MediaModel
internal import MediaSources

/// The items of an interrupted run that already have an outcome record.
package struct RecordedOutcomes {
  private var items: Set<String> = []

  /// Reads the run's audit file, if it is there.
  package init(of run: String, in library: Library) throws(RunError) {
    do {
      let folder = AuditFolder(descriptor: library.audit.raw)
      let files = try folder.files()
      // The file of the run, and of runs that began to recover it and were interrupted too.
      guard let first = files.firstIndex(where: { $0.run == run }) else { return }
      var items: Set<String> = []
      for file in files[first...] {
        try AuditEntry.forEach(in: try folder.bytes(of: file)) { entry in
          guard entry.event == .outcome, let source = entry.source, let path = entry.path else {
            return
          }
          items.insert(Self.key(source, path))
        }
      }
      self.items = items
    } catch {
      throw RunError(error)
    }
  }

  package func contains(_ item: PlannedItem) -> Bool {
    items.contains(Self.key(item.source, item.path))
  }

  private static func key(_ source: SourceID, _ path: ItemPath) -> String {
    source.name + "\0" + path.text
  }
}
