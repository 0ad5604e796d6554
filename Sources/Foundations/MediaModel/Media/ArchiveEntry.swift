/// A file in an archive, as the archive's directory has it.
package struct ArchiveEntry: Sendable, Hashable {
  /// The path in the archive, as bytes; it may say anything.
  package var name: [UInt8]
  /// In bytes, and not negative.
  package var size: Int64
  /// The bytes that it takes in the archive.
  package var storedSize: Int64
  /// In nanoseconds since 1970.
  package var modified: Int64
  /// The offset of its header.
  package var header: Int64
  /// The number of its compression method: 0 stored, 8 deflated; 65535 for an encrypted one.
  package var method: UInt16
  /// The CRC-32 of its content.
  package var checksum: UInt32

  /// The most files of an archive that are read.
  package static let maximumCount = 1_000_000
  /// The longest name in bytes.
  package static let maximumNameLength = 4096

  package init(
    name: [UInt8],
    size: Int64,
    storedSize: Int64,
    modified: Int64,
    header: Int64,
    method: UInt16,
    checksum: UInt32
  ) {
    self.name = name
    self.size = size
    self.storedSize = storedSize
    self.modified = modified
    self.header = header
    self.method = method
    self.checksum = checksum
  }

  /// The path below the archive; nil for one that leads elsewhere, or is no path.
  package var path: ItemPath? {
    let parts = name.split(separator: UInt8.slash, omittingEmptySubsequences: false)
    guard !name.isEmpty, name.count <= Self.maximumNameLength, !name.contains(0),
      parts.allSatisfy({ part in
        !part.isEmpty && part.count <= 255 && !part.elementsEqual(".".utf8)
          && !part.elementsEqual("..".utf8)
      })
    else { return nil }
    return ItemPath(bytes: name)
  }

  /// Whether a path is that of a ZIP archive by its name.
  package static func isArchive(_ path: ItemPath) -> Bool {
    path.name.count > 4 && path.name.suffix(4).map { $0 | 0x20 }.elementsEqual(".zip".utf8)
  }

  /// Whether a path is that of an archive of tar, compressed by gzip, by its name.
  package static func isTarArchive(_ path: ItemPath) -> Bool {
    let name = String(decoding: path.name, as: UTF8.self).lowercased()
    return name.hasSuffix(".tgz") || name.hasSuffix(".tar.gz")
  }

  /// Whether two entries share bytes: a small archive can have terabytes so.
  package static func overlap(_ entries: [ArchiveEntry]) -> Bool {
    let sorted = entries.sorted { $0.header < $1.header }
    return zip(sorted, sorted.dropFirst()).contains { entry, next in
      entry.storedSize > next.header - entry.header
    }
  }
}
