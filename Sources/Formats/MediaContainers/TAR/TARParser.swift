package import MediaModel

/// Finds the files of a tar whose bytes are given one after the other, in pieces of any length.
///
/// ustar, pax and GNU's long names are read. What is no file of its own (a link, a device, a sparse file, a part of
/// another volume) is told of with ``ArchiveEntry/noFile``; folders are not. A wrong header ends the parser: nothing
/// says where the next one would stand.
///
/// Source: POSIX.1-2017, pax, "ustar Interchange Format" and "pax Extended Header"; tar(5) of libarchive; GNU tar 1.35,
/// "Basic Tar Format" and "Storing Sparse Files".
package struct TARParser {
  private enum Part {
    /// The next header.
    case header
    /// The content of a file, or of what is none.
    case content(ArchiveEntry, sum: CRC32)
    /// The value of an extended header of this type.
    case extended(UInt8)
    /// More of the map of a sparse file, before its content.
    case sparseMap(ArchiveEntry)
    /// Nothing of this archive any more.
    case end
  }

  /// What extended headers say of the next file.
  private struct Extension {
    var name: [UInt8]?
    var size: Int64?
    var modified: Int64?
    var isSparse = false
  }

  private static let blockLength = 512
  /// The longest extended header; a path has at most 4096 bytes.
  private static let longestExtension: Int64 = 1 << 20
  private var part = Part.header
  /// Bytes of a header, an extended header or a text that is not whole yet.
  private var held: [UInt8] = []
  /// The bytes of the part's content that are still to come, and the zeros behind it.
  private var remaining: Int64 = 0
  private var padding: Int64 = 0
  /// The bytes before the next one.
  private var offset: Int64 = 0
  private var next = Extension()
  private var count = 0
  private var freeTextBytes = ArchiveEntry.mostTextBytes

  package init() {}

  /// Takes the next bytes.
  ///
  /// - Parameters:
  ///   - bytes: Any number of them.
  ///   - body: Gets each file when its last byte was taken.
  /// - Throws: `damaged` for what is no tar, and where anything but zeros stands behind its end, `overLimit` beyond
  ///   ``ArchiveEntry/maximumCount`` files, and what `body` throws.
  package mutating func take(
    _ bytes: UnsafeRawBufferPointer,
    _ body: (ArchiveEntry) throws(MetadataError) -> Void
  ) throws(MetadataError) {
    var bytes = bytes[...]
    while !bytes.isEmpty {
      if case .end = part {
        // Of two archives that were joined, the second one would be left out without a word.
        guard bytes.allSatisfy({ $0 == 0 }) else {
          throw MetadataError(.damaged, "more stands behind its end, as of archives that were joined")
        }
        return
      }
      let length: Int
      if remaining > 0 {
        length = Int(min(remaining, Int64(bytes.count)))
        remaining -= Int64(length)
        use(UnsafeRawBufferPointer(rebasing: bytes.prefix(length)))
      } else if padding > 0 {
        length = Int(min(padding, Int64(bytes.count)))
        padding -= Int64(length)
      } else {
        length = min(Self.blockLength - held.count, bytes.count)
        held += bytes.prefix(length)
      }
      bytes = bytes.dropFirst(length)
      offset += Int64(length)
      try finishPart(body)
    }
  }

  /// Ends the archive.
  ///
  /// - Throws: `damaged` when its end was not taken.
  package func finish() throws(MetadataError) {
    guard case .end = part else { throw MetadataError(.damaged, "the archive is cut off") }
  }

  /// Takes bytes of the part's content.
  private mutating func use(_ bytes: UnsafeRawBufferPointer) {
    switch part {
    case .content(let entry, var sum):
      sum.update(bytes)
      part = .content(entry, sum: sum)
      if entry.text != nil { held += bytes }
    case .extended: held += bytes
    case .header, .sparseMap, .end: break
    }
  }

  /// Goes on to the next part where this one is whole.
  private mutating func finishPart(
    _ body: (ArchiveEntry) throws(MetadataError) -> Void
  ) throws(MetadataError) {
    guard remaining == 0, padding == 0 else { return }
    switch part {
    case .header:
      guard held.count == Self.blockLength else { return }
      let block = held
      held = []
      try begin(block)
      if remaining > 0 { return }
      // A folder, or a file of no length.
      if case .header = part { return }
      try finishPart(body)
    case .sparseMap(let entry):
      guard held.count == Self.blockLength else { return }
      let isLast = held[504] == 0
      held = []
      guard isLast else { return }
      begin(.content(entry, sum: CRC32()), length: entry.size)
      try finishPart(body)
    case .content(var entry, let sum):
      entry.checksum = sum.value
      if entry.text != nil { entry.text = held }
      (held, part) = ([], .header)
      try body(entry)
    case .extended(let type):
      let value = held
      (held, part) = ([], .header)
      try extend(type, value)
    case .end: break
    }
  }

  private mutating func begin(_ part: Part, length: Int64) {
    self.part = part
    remaining = length
    padding = -length & Int64(Self.blockLength - 1)
  }

  /// Reads a header.
  private mutating func begin(_ block: [UInt8]) throws(MetadataError) {
    if block.allSatisfy({ $0 == 0 }) {
      part = .end
      return
    }
    guard Self.hasItsChecksum(block), let stated = Self.number(block[124..<136]),
      // A link has no content, whatever its size says. Source: GNU tar, list.c.
      case let type = block[156], case let size = type == UInt8(ascii: "1") ? 0 : next.size ?? stated,
      size >= 0, size <= Int64.max - offset - Int64(Self.blockLength)
    else { throw MetadataError(.damaged, "it is damaged: the header of a file is missing") }
    switch type {
    case UInt8(ascii: "x"), UInt8(ascii: "g"), UInt8(ascii: "L"), UInt8(ascii: "K"):
      guard stated >= 0, stated <= Self.longestExtension else {
        throw MetadataError(
          .overLimit,
          "bytes of an extended header: at most \(Self.longestExtension) are read"
        )
      }
      begin(.extended(type), length: stated)
      return
    default: break
    }
    let extended = next
    next = Extension()
    count += 1
    guard count <= ArchiveEntry.maximumCount else {
      throw MetadataError(.overLimit, "files: at most \(ArchiveEntry.maximumCount) are read")
    }
    var entry = ArchiveEntry(
      name: Self.path(extended.name ?? Self.name(of: block)),
      size: size,
      storedSize: size,
      modified: extended.modified ?? Self.nanoseconds(Self.number(block[136..<148]) ?? 0),
      header: offset,
      method: 0,
      checksum: 0
    )
    let isFolder = type == UInt8(ascii: "5") || entry.name.isEmpty || entry.name.last == .slash
    let isFile = [0, UInt8(ascii: "0"), UInt8(ascii: "7")].contains(type) && !extended.isSparse
    if !isFile { entry.method = ArchiveEntry.noFile }
    if isFolder {
      // It has no content as a rule.
      begin(.header, length: size)
    } else if type == UInt8(ascii: "S"), block[482] != 0 {
      part = .sparseMap(entry)
    } else {
      if isFile, TakeoutNames.isSidecar(entry.name),
        size <= min(ArchiveEntry.maximumTextLength, freeTextBytes)
      {
        freeTextBytes -= Int(size)
        entry.text = []
      }
      begin(.content(entry, sum: CRC32()), length: size)
    }
  }

  /// Takes the value of an extended header.
  private mutating func extend(_ type: UInt8, _ value: [UInt8]) throws(MetadataError) {
    switch type {
    case UInt8(ascii: "L"): next.name = Array(value.prefix { $0 != 0 })
    // The target of a link.
    case UInt8(ascii: "K"): break
    default: try extend(by: value[...], isGlobal: type == UInt8(ascii: "g"))
    }
  }

  /// Takes records of pax: a length in decimal digits, which counts itself, a space, `key=value` and a line feed.
  private mutating func extend(by records: ArraySlice<UInt8>, isGlobal: Bool) throws(MetadataError) {
    var records = records
    while !records.isEmpty {
      let digits = records.prefix { $0 != .space }
      guard digits.count < 8, let length = Self.decimal(digits), length > digits.count + 1,
        length <= records.count, records[records.startIndex + length - 1] == 0x0A
      else { throw MetadataError(.damaged, "an extended header that makes no sense") }
      let record = records.prefix(length).dropFirst(digits.count + 1).dropLast()
      records = records.dropFirst(length)
      guard let equals = record.firstIndex(of: UInt8(ascii: "=")) else {
        throw MetadataError(.damaged, "an extended header that makes no sense")
      }
      let (key, value) = (String(decoding: record[..<equals], as: UTF8.self), record[(equals + 1)...])
      if isGlobal {
        // One that gives all files the same name or size is of no archive; the others say nothing that is used.
        guard key != "path", key != "size" else {
          throw MetadataError(.damaged, "a global header of names or sizes")
        }
      } else {
        try note(key, value)
      }
    }
  }

  private mutating func note(_ key: String, _ value: ArraySlice<UInt8>) throws(MetadataError) {
    switch key {
    case "path": next.name = Array(value)
    case "size":
      guard let size = Self.decimal(value) else { throw MetadataError(.damaged, "a size that is no number") }
      next.size = Int64(size)
    case "mtime":
      // What stands behind the point is left out.
      let isNegative = value.first == UInt8(ascii: "-")
      let digits = (isNegative ? value.dropFirst() : value).prefix { $0 != .dot }
      next.modified = Self.decimal(digits).map { Self.nanoseconds(Int64(isNegative ? -$0 : $0)) }
    default: if key.hasPrefix("GNU.sparse.") { next.isSparse = true }
    }
  }

  // MARK: Fields

  /// The name that a header itself has.
  private static func name(of block: [UInt8]) -> [UInt8] {
    let name = Array(block[..<100].prefix { $0 != 0 })
    // GNU's own headers have times where ustar has the folder.
    guard block[257..<263].elementsEqual("ustar\0".utf8) else { return name }
    let folder = Array(block[345..<500].prefix { $0 != 0 })
    return folder.isEmpty ? name : folder + [UInt8.slash] + name
  }

  /// A name without the `./` that tar writes for a folder that is packed as `.`, and no longer than is read.
  private static func path(_ name: [UInt8]) -> [UInt8] {
    var name = name[...]
    while name.starts(with: [UInt8.dot, UInt8.slash]) { name = name.dropFirst(2).drop { $0 == .slash } }
    if name.elementsEqual([UInt8.dot]) { name = [] }
    // A longer one is no path.
    return Array(name.prefix(ArchiveEntry.maximumNameLength + 1))
  }

  /// The sum of all bytes, with spaces in its own place; some programs have counted them as signed.
  private static func hasItsChecksum(_ block: [UInt8]) -> Bool {
    var (unsigned, signed): (Int64, Int64) = (0, 0)
    for (position, byte) in block.enumerated() {
      let byte = (148..<156).contains(position) ? UInt8.space : byte
      unsigned += Int64(byte)
      signed += Int64(Int8(bitPattern: byte))
    }
    let stated = number(block[148..<156])
    return stated == unsigned || stated == signed
  }

  /// A number in octal digits, or in binary, the highest byte first, where the highest bit is set; nil for what is
  /// neither, or does not fit.
  private static func number(_ field: ArraySlice<UInt8>) -> Int64? {
    guard let first = field.first else { return nil }
    if first & 0x80 != 0 {
      // The bit behind the mark is the sign.
      var value = Int64(Int8(bitPattern: first << 1) >> 1)
      for byte in field.dropFirst() {
        let (product, overflows) = value.multipliedReportingOverflow(by: 256)
        if overflows { return nil }
        value = product | Int64(byte)
      }
      return value
    }
    let text = field.drop { $0 == .space || $0 == 0 }
    let digits = text.prefix { (UInt8(ascii: "0")...UInt8(ascii: "7")).contains($0) }
    guard text.dropFirst(digits.count).allSatisfy({ $0 == .space || $0 == 0 }) else { return nil }
    return digits.reduce(0) { $0 << 3 | Int64($1 & 7) }
  }

  /// A number of at most 18 decimal digits.
  private static func decimal(_ digits: ArraySlice<UInt8>) -> Int? {
    guard !digits.isEmpty, digits.count <= 18, digits.allSatisfy(\.isASCIIDigit) else { return nil }
    return digits.reduce(0) { $0 * 10 + Int($1 & 15) }
  }

  /// Seconds since 1970 as nanoseconds; 0 for those that do not fit.
  private static func nanoseconds(_ seconds: Int64) -> Int64 {
    let (product, overflows) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
    return overflows ? 0 : product
  }
}
