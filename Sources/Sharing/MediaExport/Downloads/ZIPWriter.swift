internal import Glibc
internal import MediaFileSystem
internal import MediaModel

/// A file of a ZIP: its name, and what stands around its bytes.
///
/// Source: PKWARE's APPNOTE.TXT 6.3.10, sections 4.3 and 4.4; 0x5455 of Info-ZIP's extrafld.txt.
struct ZIPEntry {
  /// UTF-8.
  var name: [UInt8]
  /// Bytes.
  var size: Int64
  /// Nanoseconds since 1970.
  var modified: Int64

  private static let localLength: Int64 = 30
  private static let centralLength: Int64 = 46
  /// The length of what ends a ZIP.
  static let endLength: Int64 = 22

  /// The bytes that it takes in a ZIP, with its place in the directory.
  var bytes: Int64 {
    size + Self.localLength + Self.centralLength + 2 * Int64(name.count + stamp.count)
  }

  /// The time in UTC to the second, since that of DOS is in no zone, and even; empty beyond 2038.
  private var stamp: [UInt8] {
    let (quotient, rest) = modified.quotientAndRemainder(dividingBy: 1_000_000_000)
    guard let seconds = Int32(exactly: rest < 0 ? quotient - 1 : quotient) else { return [] }
    var extra = LittleEndian()
    extra.put(0x5455 as UInt16)
    extra.put(5 as UInt16)
    // The time of the last change alone.
    extra.put(1 as UInt8)
    extra.put(seconds)
    return extra.bytes
  }

  /// Time and date of DOS, from 1980 to 2107, in UTC, so that they are the same on each machine.
  private var dosTime: (time: UInt16, date: UInt16) {
    let calendar = CalendarTime(microsecondsSince1970: modified / 1000)
    guard calendar.year >= 1980 else { return (0, 0x0021) }
    guard calendar.year <= 2107 else { return (0xBF7D, 0xFF9F) }
    let second = calendar.microsecondOfDay / 1_000_000
    let time = ((second / 3600) << 11) | ((second / 60 % 60) << 5) | (second % 60 / 2)
    let date = ((calendar.year - 1980) << 9) | (calendar.month << 5) | calendar.day
    return (UInt16(truncatingIfNeeded: time), UInt16(truncatingIfNeeded: date))
  }

  /// What stands in front of the bytes.
  func header(checksum: UInt32) -> [UInt8] {
    var header = LittleEndian()
    header.put(0x0403_4B50 as UInt32)
    header.bytes += common(checksum) + name + stamp
    return header.bytes
  }

  /// The record of the directory; the offset is that of the header.
  func record(checksum: UInt32, offset: Int64) -> [UInt8] {
    var record = LittleEndian()
    record.put(0x0201_4B50 as UInt32)
    // By version 3.0, with the attributes of Unix.
    record.put(0x031E as UInt16)
    record.bytes += common(checksum)
    // No comment, the first disk, not known to be text; a file that its owner may change, and all may read.
    for _ in 0..<3 { record.put(0 as UInt16) }
    record.put(0o100644 << 16 as UInt32)
    record.put(UInt32(truncatingIfNeeded: offset))
    record.bytes += name + stamp
    return record.bytes
  }

  /// The fields that header and record have in common.
  private func common(_ checksum: UInt32) -> [UInt8] {
    var fields = LittleEndian()
    // By version 1.0 it can be read; names are UTF-8; it is stored.
    for field in [10, 1 << 11, 0, dosTime.time, dosTime.date] as [UInt16] { fields.put(field) }
    fields.put(checksum)
    for _ in 0..<2 { fields.put(UInt32(truncatingIfNeeded: size)) }
    fields.put(UInt16(truncatingIfNeeded: name.count))
    fields.put(UInt16(truncatingIfNeeded: stamp.count))
    return fields.bytes
  }
}

/// Writes files into a ZIP, stored and not compressed, since media do not get shorter, and without ZIP64, which not each
/// phone reads: it has at most 65,535 files, and less than 4 GiB. The same files give the same bytes.
struct ZIPWriter {
  /// The most bytes that are in memory: a file that is not longer is read once, other ones are read again by the kernel.
  private static let bufferLength = 8 << 20

  private let zip: Descriptor
  private var directory: [UInt8] = []
  private var count = 0
  /// The number of bytes before the next header.
  private var length: Int64 = 0
  private var buffer = [UInt8](repeating: 0, count: bufferLength)

  /// - Parameter zip: An empty file.
  init(to zip: Descriptor) { self.zip = zip }

  /// Adds a file.
  ///
  /// - Parameters:
  ///   - entry: What is said of it; all that are added have less than 4 GiB.
  ///   - file: The file, whose offset is moved.
  /// - Throws: `FileSystemError`; `EIO` where the file has another length.
  mutating func add(_ entry: ZIPEntry, from file: Descriptor) throws {
    var checksum = ZIPChecksum()
    var read: Int64 = 0
    var count: Int
    repeat {
      let offset = UInt64(read)
      count = try buffer.withUnsafeMutableBytes { bytes throws(FileSystemError) in
        try file.read(into: bytes, at: offset)
      }
      buffer.withUnsafeBytes { checksum.update(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
      read += Int64(count)
    } while count == buffer.count
    guard read == entry.size else { throw FileSystemError(call: "read", path: file.path, errno: EIO) }
    try zip.write(entry.header(checksum: checksum.value))
    if read <= Int64(buffer.count) {
      try zip.write(Array(buffer.prefix(Int(read))))
    } else {
      try file.seek(to: 0)
      guard try FileSystem.copy(file, to: zip, most: read) == read else {
        throw FileSystemError(call: "read", path: file.path, errno: EIO)
      }
    }
    let record = entry.record(checksum: checksum.value, offset: length)
    directory += record
    length += entry.bytes - Int64(record.count)
    self.count += 1
  }

  /// Writes the directory behind the files.
  ///
  /// - Throws: `FileSystemError`.
  func finish() throws(FileSystemError) {
    var end = LittleEndian()
    end.put(0x0605_4B50 as UInt32)
    for _ in 0..<2 { end.put(0 as UInt16) }
    for _ in 0..<2 { end.put(UInt16(truncatingIfNeeded: count)) }
    end.put(UInt32(truncatingIfNeeded: directory.count))
    end.put(UInt32(truncatingIfNeeded: length))
    end.put(0 as UInt16)
    try zip.write(directory + end.bytes)
  }
}

/// Numbers with the lowest byte first.
private struct LittleEndian {
  var bytes: [UInt8] = []

  mutating func put(_ number: some FixedWidthInteger) {
    withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) }
  }
}
