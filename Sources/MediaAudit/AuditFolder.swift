internal import Glibc

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

  /// Verifies the whole folder: see ``AuditVerifier/verify(_:expectations:expectedHead:)``.
  ///
  /// - Throws: ``AuditError`` `.cannotRead`.
  package func verify(
    expectations: [AuditExpectation] = [],
    expectedHead: String? = nil
  ) throws(AuditError) -> AuditVerification {
    let descriptor = descriptor
    let files = try names().map { name in
      AuditFile(name: name) { () throws(AuditError) in
        try DescriptorAuditBytes(folder: descriptor, file: name)
      }
    }
    return try AuditVerifier.verify(
      files,
      expectations: expectations,
      expectedHead: expectedHead
    )
  }

  /// Where the log ends, for the first record of the run that starts now; nil for an empty log.
  ///
  /// Accepts a file up to its last newline; what stands behind is torn. Does not check the chain: a
  /// changed record stays for ``verify(expectations:expectedHead:)`` to find.
  ///
  /// - Throws: ``AuditError`` `.cannotRead`.
  package func previousHead() throws(AuditError) -> AuditPreviousHead? {
    let files = try files()
    guard let last = files.last else { return nil }
    var previous = AuditPreviousHead(
      file: last.text,
      head: RecordHash.zero.text,
      bytes: 0,
      tornBytes: 0
    )
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
