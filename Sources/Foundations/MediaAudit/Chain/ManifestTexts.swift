internal import Glibc
internal import MediaDigest
package import MediaFileSystem
internal import MediaModel

/// The texts of the manifests by which a log's runs were made, in the folder `manifests` of the log's folder: each a
/// file for its owner alone, named by its SHA-256, as the first record of a run names it.
///
/// Of their content no record has more than that digest and the number of bytes, and so no head, export or proof.
package enum ManifestTexts {
  /// The name of the folder.
  package static let folderName = "manifests"
  /// In bytes; a larger manifest is a mistake.
  package static let maximumByteCount = 16 << 20

  /// What the log's folder has under a digest.
  package enum Text: Sendable, Hashable {
    /// The bytes whose digest it is.
    case whole([UInt8])
    /// Other bytes, more than a manifest has, or no regular file.
    case changed
    case missing
    /// This user may not read it.
    case unreadable(FileSystemError)
  }

  /// The path of a manifest's text within the log's folder, by its SHA-256.
  package static func path(_ sha256: String) -> String { "\(folderName)/\(name(sha256))" }

  private static func name(_ sha256: String) -> String { "\(sha256).json" }

  /// Keeps a text durably, before the record that names it is written. One that is there with other bytes is
  /// replaced in one step.
  ///
  /// - Parameters:
  ///   - text: The manifest's bytes.
  ///   - sha256: Their digest, 64 hexadecimal digits.
  ///   - audit: The log's folder, whose library this process holds.
  ///   - wasKept: Whether a run that has begun has kept it: then it is compared, and flushed only where it is not
  ///     there as it was.
  /// - Throws: `FileSystemError`; then the text may be missing, and nothing else is.
  package static func keep(
    _ text: [UInt8],
    sha256: String,
    in audit: Descriptor,
    wasKept: Bool
  ) throws(FileSystemError) {
    try FileSystem.makeFolder(in: audit, Array(folderName.utf8))
    let folder = try opened(in: audit)
    // What a run that was killed has left; what other programs put here under hidden names stays.
    for entry in try FileSystem.entries(of: folder)
    where entry.name.first == .dot && entry.name.suffix(4) == Array(".new".utf8)[...] {
      try? FileSystem.removeFile(in: folder, entry.name)
    }
    let final = Array(name(sha256).utf8)
    if let there = try? FileSystem.openForReading(beneath: folder, final, crossMounts: true),
      (try? FileSystem.readSmallFile(there, limit: maximumByteCount)) == text
    {
      // A copy of the library may have been made with other permissions.
      try? there.setMode(0o600)
      if wasKept { return }
      try there.flush()
    } else {
      let partial = Array(".\(sha256).new".utf8)
      let file = try FileSystem.createFile(in: folder, partial, mode: 0o600)
      try file.write(text)
      try file.flush()
      try FileSystem.replace(from: folder, partial, to: folder, final)
    }
    // Both names are there after a power cut too.
    try folder.flush()
    try audit.flush()
  }

  /// Reads a text and compares it with its digest.
  package static func text(_ sha256: String, in audit: Descriptor) -> Text {
    do {
      let path = Array(path(sha256).utf8)
      let file = try FileSystem.openForReading(beneath: audit, path, crossMounts: true)
      let bytes = try FileSystem.readSmallFile(file, limit: maximumByteCount)
      return Hexadecimal.text(SHA256.hash(bytes)) == sha256 ? .whole(bytes) : .changed
    } catch {
      if error.isMissing { return .missing }
      return isUnreadable(error) ? .unreadable(error) : .changed
    }
  }

  /// Whether an error says that this user may not read what is there.
  package static func isUnreadable(_ error: FileSystemError) -> Bool {
    [EACCES, EPERM].contains(error.errno)
  }

  /// The names in the folder, without those of files that are being written; none where there is no folder.
  ///
  /// - Throws: `FileSystemError`.
  package static func names(in audit: Descriptor) throws(FileSystemError) -> [[UInt8]] {
    do {
      return try FileSystem.entries(of: try opened(in: audit)).map(\.name)
        .filter { $0.first != .dot }
    } catch {
      if error.isMissing { return [] }
      throw error
    }
  }

  /// Copies the texts of another log that are what their names say into a log that is being made.
  ///
  /// - Throws: `FileSystemError` when one cannot be written.
  package static func copy(
    from other: Descriptor,
    to audit: Descriptor
  ) throws(FileSystemError) {
    for bytes in (try? names(in: other)) ?? [] {
      let name = String(decoding: bytes, as: UTF8.self)
      guard name.hasSuffix(".json"),
        case .whole(let text) = text(String(name.dropLast(5)), in: other)
      else { continue }
      try FileSystem.makeFolder(in: audit, Array(folderName.utf8))
      let folder = try opened(in: audit)
      do {
        let file = try FileSystem.createFile(in: folder, bytes, mode: 0o600)
        try file.write(text)
        try file.flush()
      } catch {
        guard error.isExisting else { throw error }
      }
    }
  }

  private static func opened(in audit: Descriptor) throws(FileSystemError) -> Descriptor {
    try FileSystem.openForReading(beneath: audit, Array(folderName.utf8), crossMounts: true, isFolder: true)
  }
}
