internal import MediaAudit
package import MediaFileSystem
internal import MediaLibrary
package import MediaModel

/// The place of a merged library, and the folder beside it in which it grows.
package struct MergePlace: Sendable {
  /// Absolute.
  package let target: [UInt8]
  /// Absolute; removed, or given the library's name.
  package let growing: [UInt8]

  /// - Throws: ``ShardingError``, 74 when there is no folder around it.
  package init(_ path: [UInt8]) throws(ShardingError) {
    var trimmed = path[...]
    while trimmed.count > 1, trimmed.last == .slash { trimmed.removeLast() }
    let name = Self.name(of: Array(trimmed))
    guard let parent = FileSystem.resolved(Self.parent(of: Array(trimmed))), !name.isEmpty else {
      throw ShardingError(
        .cannotWrite,
        "The folder above \"\(EscapedText.percentEscaped(path))\" does not exist. Make it first."
      )
    }
    target = parent + [UInt8.slash] + name
    growing = parent + [UInt8.slash, UInt8.dot] + name + Array(".mediabatch-merge".utf8)
  }

  /// The library's path for a person, escaped.
  package var shown: String { EscapedText.percentEscaped(target) }

  /// The folder around a path.
  package static func parent(of path: [UInt8]) -> [UInt8] {
    guard let split = path.lastIndex(of: UInt8.slash) else { return [UInt8.dot] }
    return split == 0 ? [UInt8.slash] : Array(path[..<split])
  }

  /// The last component of a path.
  package static func name(of path: [UInt8]) -> [UInt8] {
    path.lastIndex(of: UInt8.slash).map { Array(path[($0 + 1)...]) } ?? path
  }

  /// The code with which the merge has ended that has made the library of a plan in this place; nil when there is
  /// nothing.
  ///
  /// - Throws: ``ShardingError``, 78 for a folder with something else in it.
  package func merged(_ plan: Plan) throws(ShardingError) -> RunExitCode? {
    guard let folder = try? FileSystem.openFolder(target) else { return nil }
    if let entries = try? FileSystem.entries(of: folder), entries.isEmpty { return nil }
    if (try? CatalogueReader(library: target).identifier()) == plan.library,
      let audit = try? FileSystem.openFolder(target + Array("/Audit".utf8)),
      let files = try? AuditFolder(descriptor: audit.raw).files()
    {
      for file in files.reversed() {
        var isOfPlan = false
        var code: RunExitCode?
        let bytes = try? AuditFolder(descriptor: audit.raw).bytes(of: file)
        if let bytes {
          try? AuditEntry.forEach(in: bytes, only: [.merged, .end]) { entry in
            if entry.body(of: AuditMerge.self)?.plan == plan.sha256 { isOfPlan = true }
            code = entry.exitCode.flatMap { Int32(exactly: $0) }.flatMap(RunExitCode.init(rawValue:))
          }
        }
        if isOfPlan, let code { return code }
      }
    }
    throw ShardingError(
      .manifestMistake,
      "\"\(shown)\" exists already, and a merge makes a new library. Name another one with --output."
    )
  }

  /// Takes the place for this process, as long as the returned file is open.
  ///
  /// - Throws: ``ShardingError``, 73 while another merge has it, 74.
  package func hold() throws(ShardingError) -> Descriptor {
    do {
      let parent = try FileSystem.openFolder(Self.parent(of: growing))
      while true {
        let file = try FileSystem.openOrCreate(in: parent, lockName, mode: 0o600)
        guard try file.tryLock() else {
          throw ShardingError(.libraryHeld, "Another merge is making \"\(shown)\". Wait until it is done.")
        }
        // The merge before may have removed the file since it was opened.
        let now = try? FileSystem.status(in: parent, name: lockName)
        if let now, try file.status().isSameInode(as: now) { return file }
      }
    } catch {
      throw wrapped(error)
    }
  }

  private func wrapped(_ error: any Error) -> ShardingError {
    error as? ShardingError
      ?? ShardingError(
        .cannotWrite,
        "Nothing can be written beside \"\(shown)\": \(error.reason(besides: shown))."
      )
  }

  /// Removes the file by which the place is held.
  package func release() {
    guard let parent = try? FileSystem.openFolder(Self.parent(of: growing)) else { return }
    try? FileSystem.removeFile(in: parent, lockName)
  }

  private var lockName: [UInt8] { Self.name(of: growing) + Array(".lock".utf8) }

  /// Removes what an earlier merge has left, and makes an empty folder.
  ///
  /// - Throws: ``ShardingError``, 74.
  package func begin() throws(ShardingError) {
    discard()
    do {
      let parent = try FileSystem.openFolder(Self.parent(of: growing))
      guard try FileSystem.makeFolder(in: parent, Self.name(of: growing)) else {
        throw ShardingError(
          .libraryHeld,
          "Another merge writes \"\(EscapedText.percentEscaped(growing))\", or has left it. Wait, or remove it."
        )
      }
    } catch {
      throw wrapped(error)
    }
  }

  /// Removes what was written.
  package func discard() {
    guard let parent = try? FileSystem.openFolder(Self.parent(of: growing)) else { return }
    let name = Self.name(of: growing)
    try? FileSystem.removeFile(in: parent, name + Array(".rest".utf8))
    guard let folder = try? FileSystem.openFolder(growing), !LibraryFolder.isHeld(folder) else {
      return
    }
    try? FileSystem.empty(folder)
    try? FileSystem.removeFolder(in: parent, name)
  }

  /// Gives the library its name.
  ///
  /// - Throws: ``ShardingError``, 74.
  package func finish() throws(ShardingError) {
    do {
      let parent = try FileSystem.openFolder(Self.parent(of: growing))
      let name = Self.name(of: growing)
      try FileSystem.removeFile(in: parent, name + Array(".rest".utf8))
      try FileSystem.flush(fileSystemOf: parent)
      // An empty folder may have the name.
      try? FileSystem.removeFolder(in: parent, Self.name(of: target))
      try FileSystem.rename(from: parent, name, to: parent, Self.name(of: target))
      try parent.flush()
    } catch {
      throw ShardingError(
        .cannotWrite,
        "The library is finished in \"\(EscapedText.percentEscaped(growing))\", and could not be renamed to "
          + "\"\(shown)\": \(error). Rename it yourself."
      )
    }
  }
}
