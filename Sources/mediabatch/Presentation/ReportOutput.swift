internal import Glibc
internal import MediaFileSystem
internal import MediaModel

/// The destination of a report: standard output, or a file that appears whole or not at all.
struct ReportOutput {
  struct Failure: CommandError, CustomStringConvertible {
    /// Empty when the reader of standard output has gone away: that is no failure.
    var description: String
    var exitCode: RunExitCode = .cannotWrite
  }

  private let descriptor: Descriptor?
  /// The folder, the name that the file has until it is whole, and the one that it then gets.
  private let target: (folder: Descriptor, partial: [UInt8], name: [UInt8])?
  private let displayName: String

  /// Whether a person sees the report as it is written.
  var isTerminal: Bool { isatty(descriptor?.raw ?? STDOUT_FILENO) == 1 }

  /// Standard output.
  init() {
    descriptor = nil
    target = nil
    displayName = "standard output"
  }

  /// A file; one that is there is replaced when the report is whole, a device or a pipe is written to.
  ///
  /// - Throws: ``Failure`` when it cannot be made, or would lie in the library, which is never written.
  init(file: PathArgument, outside library: Descriptor) throws(Failure) {
    let path = file.bytes
    displayName = "\"\(EscapedText.printable(file.text))\""
    let (folderPath, name) = Self.split(path)
    try Self.check(folderPath, outside: library, displayName)
    do {
      if let status = try? FileSystem.status(ofPath: path), status.kind != .regular {
        let raw = Self.withPath(path) { open($0, O_WRONLY | O_CLOEXEC | O_NOCTTY) }
        guard raw >= 0 else { throw FileSystemError(call: "open", path: path, errno: errno) }
        descriptor = Descriptor(owning: raw, path: path)
        target = nil
        return
      }
      let folder = try FileSystem.openFolder(folderPath)
      let partial = Array(".".utf8) + name.prefix(200) + Array(".\(getpid())".utf8)
      try? FileSystem.removeFile(in: folder, partial)
      descriptor = try FileSystem.createFile(in: folder, partial)
      target = (folder, partial, name)
    } catch let error as FileSystemError {
      throw Self.failure(error.errno, displayName)
    } catch {
      throw Failure(description: "\(error)")
    }
  }

  /// The end of a file that others write too, made if it is not there.
  ///
  /// - Throws: ``Failure``, as for a file; a symbolic link and a file with a second name, which may be
  ///   in the library, are refused.
  init(appendingTo file: PathArgument, outside library: Descriptor) throws(Failure) {
    let path = file.bytes
    displayName = "\"\(EscapedText.printable(file.text))\""
    let (folderPath, name) = Self.split(path)
    try Self.check(folderPath, outside: library, displayName)
    let folder: Descriptor
    do {
      folder = try FileSystem.openFolder(folderPath)
    } catch {
      throw Self.failure(error.errno, displayName)
    }
    defer { withExtendedLifetime(folder) {} }
    // By the opened folder, which is still this one when the file in it is opened.
    try Self.check(Array("/proc/self/fd/\(folder.raw)".utf8), outside: library, displayName)
    let raw = Self.withPath(name) {
      openat(folder.raw, $0, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOCTTY | O_NOFOLLOW, 0o644)
    }
    guard raw >= 0 else { throw Self.failure(errno, displayName) }
    let opened = Descriptor(owning: raw, path: path)
    guard let status = try? opened.status(), status.kind != .regular || status.linkCount == 1 else {
      throw Failure(
        description:
          "The report was not written to \(displayName): the file has a second name, which may be in the "
          + "library. Choose another file.",
        exitCode: .usage
      )
    }
    descriptor = opened
    target = nil
  }

  /// Writes all of the bytes.
  ///
  /// - Throws: ``Failure``; what was written of a file is removed.
  func write(_ bytes: [UInt8]) throws(Failure) {
    let raw = descriptor?.raw ?? STDOUT_FILENO
    let number = bytes.withUnsafeBytes { bytes -> Int32 in
      var remaining = bytes
      var interruptions = Interruptions()
      while !remaining.isEmpty {
        let count = Glibc.write(raw, remaining.baseAddress, remaining.count)
        if count < 0, errno == EINTR, interruptions.mayRetry() { continue }
        guard count > 0 else { return errno }
        remaining = UnsafeRawBufferPointer(rebasing: remaining[count...])
      }
      return 0
    }
    guard number != 0 else { return }
    discard()
    if descriptor == nil, number == EPIPE { throw Failure(description: "", exitCode: .success) }
    throw Self.failure(number, displayName)
  }

  /// Gives a file its name.
  ///
  /// - Throws: ``Failure``.
  func commit() throws(Failure) {
    guard let target, let descriptor else { return }
    do throws(FileSystemError) {
      try descriptor.flush()
      try FileSystem.replace(from: target.folder, target.partial, to: target.folder, target.name)
    } catch {
      discard()
      throw Self.failure(error.errno, displayName)
    }
  }

  private func discard() {
    if let target { try? FileSystem.removeFile(in: target.folder, target.partial) }
  }

  private static func failure(_ number: Int32, _ displayName: String) -> Failure {
    Failure(
      description: "The report could not be written to \(displayName): "
        + "\(FileSystemError.text(number)). Choose another place with --output."
    )
  }

  private static func check(
    _ folder: [UInt8],
    outside library: Descriptor,
    _ displayName: String
  ) throws(Failure) {
    guard let status = try? library.status(),
      FileSystem.ancestry(ofPath: folder).contains(where: { $0.isSameInode(as: status) })
    else { return }
    throw Failure(
      description:
        "The report was not written to \(displayName): that is in the library, which a report never "
        + "changes. Choose a place outside it.",
      exitCode: .usage
    )
  }

  private static func split(_ path: [UInt8]) -> (folder: [UInt8], name: [UInt8]) {
    guard let slash = path.lastIndex(of: UInt8.slash) else {
      return ([UInt8.dot], path)
    }
    let folder = slash == 0 ? [UInt8.slash] : Array(path[..<slash])
    return (folder, Array(path[(slash + 1)...]))
  }

  private static func withPath<Value>(
    _ bytes: [UInt8],
    _ body: (UnsafePointer<CChar>) -> Value
  ) -> Value {
    body((bytes + [0]).map { CChar(bitPattern: $0) })
  }
}
