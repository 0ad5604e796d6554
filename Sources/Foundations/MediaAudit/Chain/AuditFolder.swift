internal import Glibc
internal import MediaModel

/// The folder of a library's log, which holds one file for each run.
package struct AuditFolder: Sendable {
  /// Open for reading, the caller's to close.
  package let descriptor: Int32

  package init(descriptor: Int32) {
    self.descriptor = descriptor
  }

  /// All names in the folder but `.` and `..`, in no order.
  ///
  /// - Throws: ``AuditError`` `.cannotRead`. A name that is not UTF-8 is given with replaced
  ///   characters: it is no audit file's.
  ///
  /// Source: fdopendir(3), readdir(3).
  package func names() throws(AuditError) -> [String] {
    let copy = openat(descriptor, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard copy >= 0, let folder = fdopendir(copy) else {
      let number = errno
      if copy >= 0 { close(copy) }
      throw AuditError(.cannotRead, file: "", errorNumber: number)
    }
    defer { closedir(folder) }
    var names: [String] = []
    errno = 0
    while let entry = readdir(folder) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) { tuple in
        tuple.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if name != ".", name != ".." { names.append(name) }
      errno = 0
    }
    if errno != 0 { throw AuditError(.cannotRead, file: "", errorNumber: errno) }
    return names
  }

  /// The audit files, in the order of their runs.
  ///
  /// - Throws: ``AuditError`` `.cannotRead`.
  package func files() throws(AuditError) -> [AuditFileName] {
    try names().compactMap { AuditFileName(text: $0) }.sorted()
  }

  /// The bytes of one of the files; the descriptor closes with the last reference.
  ///
  /// - Throws: ``AuditError`` `.cannotRead`, also for a symlink or anything but a regular file.
  package func bytes(of file: AuditFileName) throws(AuditError) -> any AuditBytes {
    try DescriptorAuditBytes(folder: descriptor, file: file.text)
  }

  /// Whether a file that the catalogue does not know can be that of a run which was stopped as it
  /// began.
  ///
  /// - Throws: ``AuditError`` `.cannotRead`.
  package func hasOnlyOpening(_ file: AuditFileName) throws(AuditError) -> Bool {
    try bytes(of: file).hasOnlyOpening()
  }

  /// Whether a run was stopped before it signed its head: it made the file for it as it began.
  ///
  /// Such a run has not come to its end, also where its last record is there.
  ///
  /// Source: fstatat(2).
  package func hasUnsignedHead(_ file: AuditFileName) -> Bool {
    var status = stat()
    return fstatat(descriptor, file.headText, &status, AT_SYMLINK_NOFOLLOW) == 0
      && status.st_mode & S_IFMT == S_IFREG && status.st_size == 0
  }

  /// Verifies the whole folder: see ``AuditVerifier/verify(_:_:)``.
  ///
  /// The signed heads are read from the folder, beside those that `witnesses` has.
  ///
  /// - Throws: ``AuditError`` `.cannotRead`.
  package func verify(_ witnesses: AuditWitnesses) throws(AuditError) -> AuditVerification {
    let descriptor = descriptor
    var witnesses = witnesses
    witnesses.signedHeads.merge(try signedHeads()) { given, _ in given }
    let files = try names().map { name in
      AuditFile(name: name) { () throws(AuditError) in
        try DescriptorAuditBytes(folder: descriptor, file: name)
      }
    }
    var verification = try AuditVerifier.verify(files, witnesses)
    try addOtherNames(to: &verification)
    return verification
  }

  /// Adds the names that no run gives to the result of a verification.
  ///
  /// One that ends as the names of a log do is a difference: a program that ships `*.ndjson`, or follows the chain
  /// by the names, takes it for a part of the log.
  ///
  /// - Throws: ``AuditError`` `.cannotRead`.
  package func addOtherNames(to verification: inout AuditVerification) throws(AuditError) {
    let names = try names()
    // Listed behind them: the file of a run is there before what stands beside it.
    let files = try files()
    let own = Set(files.flatMap { [$0.text, $0.headText, $0.timestampText] })
    verification.otherNames = names.filter { name in
      !own.contains(name) && AuditFileName(text: name) == nil && name != ManifestTexts.folderName
    }
    .sorted().map { EscapedText.printable($0) }
    let other = verification.otherNames.first { name in
      [".ndjson", ".head", ".tsr"].contains { name.hasSuffix($0) }
    }
    guard verification.difference == nil, let other else { return }
    verification.difference = AuditDifference(
      kind: .added,
      file: other,
      detail: "no run writes a file of this name"
    )
  }

  /// The signed heads of all runs that have one, by the names of their files; of what is no regular file a text that is
  /// none.
  ///
  /// - Throws: ``AuditError`` `.cannotRead`.
  package func signedHeads() throws(AuditError) -> [String: String] {
    var heads: [String: String] = [:]
    for name in try names() where AuditFileName(headText: name) != nil {
      heads[name] = try ifFile { () throws(AuditError) in try text(of: name) } ?? "no regular file"
    }
    return heads
  }

  /// What `read` returns; nil for what is no regular file.
  private func ifFile<Value>(
    _ read: () throws(AuditError) -> Value
  ) throws(AuditError) -> Value? {
    do {
      return try read()
    } catch {
      guard error.isNoFile else { throw error }
      return nil
    }
  }

  /// The text of a run's signed head as it stands beside its file, empty for a run that did not come
  /// to its end; nil when there is none.
  ///
  /// - Throws: ``AuditError`` `.cannotRead`, also for anything but a regular file.
  package func signedHead(of file: AuditFileName) throws(AuditError) -> String? {
    try names().contains(file.headText) ? try text(of: file.headText) : nil
  }

  /// Reads the timestamps of signed heads.
  ///
  /// - Parameter limit: The most bytes that are read of one, plus one by which a longer one is known.
  /// - Returns: Their bytes by the names of their files, none of what is no regular file.
  /// - Throws: ``AuditError`` `.cannotRead`.
  package func timestamps(limit: Int) throws(AuditError) -> [String: [UInt8]] {
    var timestamps: [String: [UInt8]] = [:]
    for name in try names() where AuditFileName(timestampText: name) != nil {
      timestamps[name] =
        try ifFile { () throws(AuditError) in try bytes(of: name, limit: limit + 1) } ?? []
    }
    return timestamps
  }

  private func text(of name: String) throws(AuditError) -> String {
    String(decoding: try bytes(of: name, limit: SignedNote.maximumByteCount + 1), as: UTF8.self)
  }

  private func bytes(of name: String, limit: Int) throws(AuditError) -> [UInt8] {
    let bytes = try DescriptorAuditBytes(folder: descriptor, file: name)
    var buffer = [UInt8](repeating: 0, count: min(bytes.size, limit))
    let count = try buffer.withUnsafeMutableBytes { buffer in
      Result { () throws(AuditError) in try bytes.read(at: 0, into: buffer) }
    }.get()
    return Array(buffer[..<count])
  }

  /// Where the log ends, for the first record of the run that starts now; nil for an empty log.
  ///
  /// Accepts a file up to its last newline; what stands behind is torn. Does not check the chain: a
  /// changed record stays for ``verify(_:)`` to find.
  ///
  /// - Throws: ``AuditError`` `.cannotRead`.
  package func previousHead() throws(AuditError) -> AuditPreviousHead? {
    let files = try files()
    guard let last = files.last else { return nil }
    var previous = AuditPreviousHead(file: last.text, head: RecordHash.zero.text, bytes: 0, tornBytes: 0)
    // A run that was killed before its first flush leaves a file without a record.
    for file in files.reversed() {
      let source = try bytes(of: file)
      let tail = try AuditTail(source)
      if file == last {
        previous.bytes = tail.end
        previous.tornBytes = source.size - tail.end
      }
      if let head = tail.head {
        previous.head = head.text
        break
      }
    }
    return previous
  }
}
