internal import MediaAudit
internal import MediaFileSystem
internal import MediaLibrary
internal import MediaModel

/// A library's audit log, seen together with what the catalogue knows of it.
struct LibraryLog {
  private let folder: AuditFolder
  private let descriptor: Descriptor
  /// Nil when it cannot be read: then the chain is checked by itself.
  private let catalogue: CatalogueReader?

  init(root: Descriptor, catalogue: CatalogueReader?) throws {
    descriptor = try FileSystem.openForReading(
      beneath: root,
      [UInt8]("Audit".utf8),
      crossMounts: true,
      isFolder: true
    )
    folder = AuditFolder(descriptor: descriptor.raw)
    self.catalogue = catalogue
  }

  /// Verifies the chain and what the catalogue expects of it.
  func verify(expectedHead: String?) throws -> AuditVerification {
    let expectations = try (catalogue?.auditPositions() ?? []).map { run, position in
      AuditExpectation(
        file: position.file,
        run: run,
        records: position.records,
        bytes: position.bytes,
        head: position.head
      )
    }
    return try folder.verify(expectations: expectations, expectedHead: expectedHead)
  }

  /// Published files of which no outcome record says that they were written with this digest.
  func unrecordedFiles() throws -> [String] {
    var recorded: [String: Set<String>] = [:]
    func note(_ value: JSONValue?) {
      guard case .object(let output)? = value, case .string(let path)? = output["path"],
        case .string(let sha256)? = output["sha256"]
      else { return }
      recorded[path, default: []].insert(sha256)
    }
    for file in try folder.files() {
      try AuditEntry.forEach(in: try folder.bytes(of: file)) { entry in
        guard entry.event == .outcome else { return }
        note(entry.fields["output"])
        guard case .array(let thumbnails)? = entry.fields["thumbnails"] else { return }
        for thumbnail in thumbnails { note(thumbnail) }
      }
    }
    var unrecorded: [String] = []
    for file in try catalogue?.publishedFiles(superseded: false) ?? [] {
      let path = ItemPath(bytes: [UInt8](file.path.utf8)).text
      if recorded[path]?.contains(file.sha256) != true {
        unrecorded.append("\(path): the log has no record that it was written like this")
      }
    }
    return unrecorded
  }
}
