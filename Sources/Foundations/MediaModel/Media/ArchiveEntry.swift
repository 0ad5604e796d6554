/// The kinds of archives that an export comes as.
package enum ArchiveFormat: String, Sendable, Hashable, CaseIterable {
  case zip
  /// A tar that gzip has compressed, which has no list of its files.
  case tgz

  private var endings: [String] { self == .zip ? [".zip"] : [".tgz", ".tar.gz"] }

  /// The kind of a file by its name; nil for what is no archive.
  package init?(of path: ItemPath) {
    self.init(ofName: path.name)
  }

  /// As ``init(of:)``, by the last part of a path.
  package init?(ofName name: ArraySlice<UInt8>) {
    let format = Self.allCases.first { format in
      format.endings.contains { ending in
        name.count > ending.utf8.count
          && name.suffix(ending.utf8.count).lazy.map(\.asciiLowercased).elementsEqual(ending.utf8)
      }
    }
    guard let format else { return nil }
    self = format
  }
}

/// A file in an archive, as the archive has it.
package struct ArchiveEntry: Sendable, Hashable {
  /// The path in the archive, as bytes; it may say anything.
  package var name: [UInt8]
  /// In bytes, and not negative.
  package var size: Int64
  /// The bytes that it takes in the archive.
  package var storedSize: Int64
  /// In nanoseconds since 1970.
  package var modified: Int64
  /// The offset of its header; of a file in a tar that of its content in what gzip has compressed.
  package var header: Int64
  /// The number of its compression method: 0 stored, 8 deflated; 65535 for an encrypted one, ``noFile``.
  package var method: UInt16
  /// The CRC-32 of its content.
  package var checksum: UInt32
  /// The content of a small JSON file of a tar, which is read along with the list; nil for other files.
  package var text: [UInt8]?

  /// The most files of an archive that are read.
  package static let maximumCount = 1_000_000
  /// The longest name in bytes.
  package static let maximumNameLength = 4096
  /// The most bytes of a ``text``.
  package static let maximumTextLength = 64 << 10
  /// The most bytes of the texts of an archive together; other files of it are read as pictures are.
  package static let mostTextBytes = 256 << 20
  /// The ``method`` of what is no file of its own: a link, a device, a sparse file.
  package static let noFile: UInt16 = 65534

  package init(
    name: [UInt8],
    size: Int64,
    storedSize: Int64,
    modified: Int64,
    header: Int64,
    method: UInt16,
    checksum: UInt32,
    text: [UInt8]? = nil
  ) {
    self.name = name
    self.size = size
    self.storedSize = storedSize
    self.modified = modified
    self.header = header
    self.method = method
    self.checksum = checksum
    self.text = text
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

  /// Whether two entries share bytes: a small archive can have terabytes so.
  package static func overlap(_ entries: [ArchiveEntry]) -> Bool {
    let sorted = entries.sorted { $0.header < $1.header }
    return zip(sorted, sorted.dropFirst()).contains { entry, next in
      entry.storedSize > next.header - entry.header
    }
  }
}

/// A place within gzip's data from which on they can be inflated without what stands before.
package struct InflatePoint: Sendable, Hashable {
  /// The offset of the first byte that is not used up, in the compressed file.
  package var input: Int64
  /// The bits of the byte before it that are not used up, 0 to 7; 8 where a member of gzip begins.
  package var bits: UInt8
  /// The bytes that all before it become.
  package var output: Int64
  /// The bytes before it that what follows may repeat, at most ``windowLength``.
  package var window: [UInt8]

  /// The most bytes of a window.
  package static let windowLength = 32 << 10
  /// The fewest bytes between two points, in the compressed file and in what it becomes. By the first, windows take at
  /// most an eighth of the file; by the second, a 250th of one of pictures, each of which costs 4 MiB of inflating besides
  /// its own.
  package static let (inputStep, outputStep): (Int64, Int64) = (256 << 10, 8 << 20)
  /// The most bytes between a point and a file that is read from it: only data that were made for it have more.
  package static let longestWay: Int64 = 512 << 20
  /// The ``bits`` of the beginning of a member.
  package static let memberStart: UInt8 = 8

  package init(input: Int64, bits: UInt8, output: Int64, window: [UInt8]) {
    (self.input, self.bits, self.output, self.window) = (input, bits, output, window)
  }
}
