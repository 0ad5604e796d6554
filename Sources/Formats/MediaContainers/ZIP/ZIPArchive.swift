package import MediaModel

/// The central directory of a ZIP archive, and the content of its entries.
///
/// Archives in one file are read, with and without ZIP64; entries are stored or deflated. What the local
/// headers say besides where the data begin does not count: readers that trust both take different files out
/// of one archive.
///
/// Source: PKWARE APPNOTE 6.3.10, sections 4.3 to 4.5.
package struct ZIPArchive {
  private let source: ByteSource
  private let directory: Range<Int>

  private static let endLength = 22
  private static let headerLength = 46
  private static let localLength = 30
  private static let bufferLength = 128 << 10

  /// Finds the central directory.
  ///
  /// - Throws: `damaged` for a file that has none, such as one whose end is missing.
  package init(_ source: ByteSource) throws(MetadataError) {
    self.source = source
    guard let end = Self.end(of: source) else {
      throw MetadataError(.damaged, "it is cut off: the list of its files is missing")
    }
    guard source.uint16(at: end + 4, order: .little) == 0 else {
      throw MetadataError(.damaged, "it is one of several parts")
    }
    var length = source.uint32(at: end + 12, order: .little) ?? 0
    var offset = source.uint32(at: end + 16, order: .little) ?? 0
    if offset == 0xFFFF_FFFF || length == 0xFFFF_FFFF,
      source.uint32(at: end - 20, order: .little) == 0x0706_4B50,
      let record = source.uint64(at: end - 12, order: .little), record >= 0, record < source.length,
      source.uint32(at: record, order: .little) == 0x0606_4B50
    {
      length = source.uint64(at: record + 40, order: .little) ?? -1
      offset = source.uint64(at: record + 48, order: .little) ?? -1
    }
    guard offset >= 0, length >= 0, offset <= end, length <= end - offset else {
      throw MetadataError(.damaged, "it is damaged: the list of its files lies outside of it")
    }
    directory = offset..<(offset + length)
  }

  /// Calls `body` with each entry that is a file, in the order of the directory.
  ///
  /// - Throws: `damaged` where the directory is none, after `body` got the entries before; what `body` throws.
  package func forEachFile(
    _ body: (ArchiveEntry) throws(MetadataError) -> Void
  ) throws(MetadataError) {
    var offset = directory.lowerBound
    while offset < directory.upperBound {
      guard source.uint32(at: offset, order: .little) == 0x0201_4B50,
        let nameLength = source.uint16(at: offset + 28, order: .little),
        let extraLength = source.uint16(at: offset + 30, order: .little),
        let commentLength = source.uint16(at: offset + 32, order: .little),
        let name = source.bytes(
          in: (offset + Self.headerLength)..<(offset + Self.headerLength + nameLength),
          limit: nameLength
        )
      else { throw MetadataError(.damaged, "it is damaged: the list of its files is cut off") }
      let next = offset + Self.headerLength + nameLength + extraLength + commentLength
      guard next <= directory.upperBound else {
        throw MetadataError(.damaged, "it is damaged: the list of its files is cut off")
      }
      if name.last != .slash {
        guard let entry = entry(at: offset, name, extraLength) else {
          throw MetadataError(.damaged, "it is damaged: a file in it has an impossible size")
        }
        try body(entry)
      }
      offset = next
    }
  }

  private func entry(at offset: Int, _ name: [UInt8], _ extraLength: Int) -> ArchiveEntry? {
    guard let flags = source.uint16(at: offset + 8, order: .little),
      let method = source.uint16(at: offset + 10, order: .little),
      let time = source.uint16(at: offset + 12, order: .little),
      let date = source.uint16(at: offset + 14, order: .little),
      let checksum = source.uint32(at: offset + 16, order: .little),
      var stored = source.uint32(at: offset + 20, order: .little),
      var size = source.uint32(at: offset + 24, order: .little),
      var header = source.uint32(at: offset + 42, order: .little)
    else { return nil }
    var seconds = Self.seconds(date: date, time: time)
    var field = offset + Self.headerLength + name.count
    let end = field + extraLength
    while field + 4 <= end, let kind = source.uint16(at: field, order: .little),
      let length = source.uint16(at: field + 2, order: .little), field + 4 + length <= end
    {
      var position = field + 4
      if kind == 1 {
        // Only what does not fit has a value here, in this order.
        for fits in [size != 0xFFFF_FFFF, stored != 0xFFFF_FFFF, header != 0xFFFF_FFFF].enumerated()
        where !fits.element {
          guard position + 8 <= field + 4 + length,
            let value = source.uint64(at: position, order: .little)
          else { return nil }
          switch fits.offset {
          case 0: size = value
          case 1: stored = value
          default: header = value
          }
          position += 8
        }
      } else if kind == 0x5455, length >= 5,
        (source.bytes(in: position..<(position + 1), limit: 1)?[0] ?? 0) & 1 == 1,
        let modified = source.uint32(at: position + 1, order: .little)
      {
        seconds = Int64(Int32(truncatingIfNeeded: modified))
      }
      field += 4 + length
    }
    guard size >= 0, stored >= 0, header >= 0 else { return nil }
    return ArchiveEntry(
      name: name,
      size: Int64(size),
      storedSize: Int64(stored),
      modified: seconds * 1_000_000_000,
      header: Int64(header),
      method: flags & 1 == 0 ? UInt16(method) : .max,
      checksum: UInt32(checksum)
    )
  }

  /// Calls `body` with the content of an entry, a piece after the other.
  ///
  /// - Throws: `damaged` when it is not of the entry's size or checksum; `unknownFormat` when it is encrypted
  ///   or compressed by another method.
  package func content(
    of entry: ArchiveEntry,
    _ body: (UnsafeRawBufferPointer) -> Void
  ) throws(MetadataError) {
    let header = Int(clamping: entry.header)
    guard source.uint32(at: header, order: .little) == 0x0403_4B50,
      let nameLength = source.uint16(at: header + 26, order: .little),
      let extraLength = source.uint16(at: header + 28, order: .little)
    else { throw MetadataError(.damaged, "the file is not where the archive's list says") }
    let start = header + Self.localLength + nameLength + extraLength
    guard start <= source.length, entry.storedSize <= source.length - start else {
      throw MetadataError(.damaged, "the archive is cut off within the file")
    }
    let data = ByteSource(source, start..<(start + Int(entry.storedSize)))
    var sum = CRC32()
    var length: Int64 = 0
    func take(_ piece: UnsafeRawBufferPointer) {
      sum.update(piece)
      length += Int64(piece.count)
      body(piece)
    }
    switch entry.method {
    case 0:
      guard entry.storedSize == entry.size else {
        throw MetadataError(.damaged, "the archive states two sizes of the file")
      }
      data.forEachRun(in: 0..<data.length) { run in
        for offset in stride(from: 0, to: run.count, by: Self.bufferLength) {
          take(UnsafeRawBufferPointer(rebasing: run[offset...].prefix(Self.bufferLength)))
        }
      }
    case 8:
      guard let stream = ZlibStream(data, isRaw: true) else {
        throw MetadataError(.overLimit, "there is no memory to unpack it")
      }
      let count = stream.pieces(limit: Int(clamping: entry.size), take)
      guard stream.state == .ended, count <= entry.size else {
        throw MetadataError(.damaged, "its compressed data are damaged")
      }
    default:
      throw MetadataError(
        .damaged,
        entry.method == .max ? "it is encrypted" : "it has an unknown compression method, \(entry.method)"
      )
    }
    guard length == entry.size, sum.value == entry.checksum else {
      throw MetadataError(.damaged, "its content has another size or checksum than the archive says")
    }
  }

  /// The offset of the end record: a comment of up to 64 KiB may stand behind it.
  private static func end(of source: ByteSource) -> Int? {
    let last = source.length - endLength
    guard last >= 0 else { return nil }
    return (max(0, last - 0xFFFF)...last).reversed().first { offset in
      source.uint32(at: offset, order: .little) == 0x0605_4B50
        && source.uint16(at: offset + 20, order: .little) == source.length - offset - endLength
    }
  }

  /// Seconds since 1970 of a time of MS-DOS, taken as UTC, since nothing tells its zone.
  private static func seconds(date: Int, time: Int) -> Int64 {
    let days = CalendarTime.days(
      year: Int64(1980 + (date >> 9)),
      month: Int64(max(1, (date >> 5) & 15)),
      day: Int64(max(1, date & 31))
    )
    return days * 86_400 + Int64((time >> 11) * 3600 + ((time >> 5) & 63) * 60 + (time & 31) * 2)
  }
}
