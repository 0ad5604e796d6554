package import MediaAudit
internal import MediaFileSystem
package import MediaLibrary
internal import MediaListing
internal import MediaModel

/// Gives incoming files their names in the photo library, each behind its record.
package struct PhotoLibraryAdder {
  private let folder: PhotoLibraryFolder
  private let audit: AuditWriter

  package init(folder: PhotoLibraryFolder, audit: AuditWriter) {
    (self.folder, self.audit) = (folder, audit)
  }

  /// Adds files: chooses free names, writes and flushes the records, renames, and flushes the renames.
  ///
  /// Can be repeated after an interruption at any point: a file that does not wait any more has its name.
  /// Files of one asset get the same number, and so do those of one stem in one folder, such as a raw file and its JPEG; in
  /// one run no others get their stem.
  ///
  /// - Parameters:
  ///   - files: The files, those of one asset beside each other.
  ///   - recorded: What the log says of them, if they are those of an interrupted run.
  /// - Returns: The number of files that were waiting.
  /// - Throws: `FileSystemError`, `AuditError`.
  package func add(_ files: [StagedAddition], recorded: RecordedAdditions? = nil) throws -> Int {
    var chosen: [(file: StagedAddition, path: ItemPath)] = []
    var taken: Set<ItemPath> = []
    let waiting = try files.filter { try folder.isWaiting($0.incomingName) }
    for group in Self.groups(of: waiting) {
      var unrecorded: [StagedAddition] = []
      for file in group {
        if let path = recorded?.path(of: file) {
          chosen.append((file, path))
          taken.insert(path)
        } else {
          unrecorded.append(file)
        }
      }
      let owner = group.first.map(PhotoLibraryFolder.owner)
      let paths = try freePaths(of: unrecorded, taken, owner)
      taken.formUnion(paths)
      for path in paths { folder.stemOwners[PhotoLibraryFolder.stem(of: path)] = owner }
      for (file, path) in zip(unrecorded, paths) {
        record(file, at: path)
        chosen.append((file, path))
      }
    }
    if chosen.isEmpty { return 0 }
    try audit.flush()
    for (file, path) in chosen { try add(file, at: path) }
    try folder.flush()
    return chosen.count
  }

  /// Puts files together that get one number; no two of a group have one name.
  private static func groups(of files: [StagedAddition]) -> [[StagedAddition]] {
    var groups: [[StagedAddition]] = []
    var (assets, owners): ([String: Int], [Int: Int]) = ([:], [:])
    for file in files {
      let owner = PhotoLibraryFolder.owner(of: file)
      let shared = owners[owner].flatMap { index in
        groups[index].contains { $0.path.name == file.path.name } ? nil : index
      }
      let index = assets[file.localIdentifier] ?? shared ?? groups.count
      if index == groups.count { groups.append([]) }
      groups[index].append(file)
      (assets[file.localIdentifier], owners[owner]) = (index, index)
    }
    return groups
  }

  /// Removes files that are not to be added any more.
  ///
  /// - Returns: The number of those that were waiting.
  /// - Throws: `FileSystemError`.
  package func drop(_ files: [StagedAddition]) throws -> Int {
    let waiting = try files.filter { try folder.isWaiting($0.incomingName) }
    for file in waiting { try folder.remove(file.incomingName) }
    return waiting.count
  }

  private func add(_ file: StagedAddition, at first: ItemPath) throws {
    if try give(file, first) { return }
    // Something else got the name since the record was written.
    var number = 2
    while true {
      let path = PhotoLibraryFolder.path(of: Array(file.path.name), on: file.date, number: number)
      if try folder.isFree(path) {
        record(file, at: path)
        try audit.flush()
        if try give(file, path) { return }
      }
      number += 1
    }
  }

  /// Gives a file its name, unless something has it.
  private func give(_ file: StagedAddition, _ path: ItemPath) throws(FileSystemError) -> Bool {
    do {
      try folder.add(file.incomingName, as: path)
    } catch {
      guard error.isExisting else { throw error }
      return false
    }
    return true
  }

  /// The first places with one number at which nothing is, from the last number of this run on.
  private func freePaths(
    of files: [StagedAddition],
    _ taken: Set<ItemPath>,
    _ owner: Int?
  ) throws -> [ItemPath] {
    func paths(_ number: Int) -> [ItemPath] {
      files.map { PhotoLibraryFolder.path(of: Array($0.path.name), on: $0.date, number: number) }
    }
    let unnumbered = paths(1)
    var number = folder.lastNumbers[unnumbered] ?? 1
    while true {
      let paths = paths(number)
      var isFree = Set(paths).count == paths.count
      for path in paths where isFree {
        let other = folder.stemOwners[PhotoLibraryFolder.stem(of: path)]
        isFree = try (other == nil || other == owner) && !taken.contains(path) && folder.isFree(path)
      }
      if isFree {
        if number > 1 { folder.lastNumbers[unnumbered] = number }
        return paths
      }
      number += 1
    }
  }

  private func record(_ file: StagedAddition, at path: ItemPath) {
    var addition = AuditAddition()
    (addition.source, addition.path) = (file.source, file.path)
    (addition.asset, addition.addedPath) = (file.localIdentifier, path)
    addition.bytes = Int(file.bytes)
    addition.sourceDigest = SourceDigest(file.sourceDigest, isKeyed: file.isDigestKeyed)
    audit.append(addition)
  }
}
