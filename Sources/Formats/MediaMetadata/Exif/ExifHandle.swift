internal import CExif
import MediaContainers

/// Exif entries that libexif holds, decodes and writes; no other file uses that library.
///
/// ``TIFFBlock`` finds the entries: docs/decisions/0007-libexif-decodes-and-writes.md says why. Of
/// the entries of a directory that have the same tag, only the first is added.
struct ExifHandle: ~Copyable {
  /// The maximum length in bytes of a value; what a longer one has after them is left out.
  private static let maximumLength = 8 * MetadataText.maximumLength

  private let memory: OpaquePointer
  private let data: UnsafeMutablePointer<ExifData>
  /// The values of Apple's maker note, for which libexif has no directory.
  var note = AppleMakerNote()
  /// Whether the GPS directory says a place that is not understood.
  var hasUnreadPlace = false

  /// Creates empty directories that are written in `order`.
  init(order: ByteOrder = .big) {
    memory = cexif_memory()
    data = cexif_data(memory)
    exif_data_set_byte_order(data, order.number)
  }

  deinit {
    exif_data_unref(data)
    exif_mem_unref(memory)
  }

  // MARK: Reading

  /// Adds those entries of the directory at `offset` whose tags are in `tags`.
  func read(_ directory: ExifDirectory, tags: Set<Int>, at offset: Int, of block: TIFFBlock) {
    exif_data_set_byte_order(data, block.order.number)
    block.forEachEntry(ofDirectoryAt: offset) { entry in
      if tags.contains(entry.tag) { read(entry, of: block, into: directory) }
    }
  }

  private func read(
    _ entry: TIFFEntry,
    of block: TIFFBlock,
    into directory: ExifDirectory,
    limit: Int = maximumLength
  ) {
    // libexif does not know type 13, an offset, which has the form of a LONG.
    let format = ExifFormat(rawValue: UInt32(entry.type == 13 ? 4 : entry.type))
    let size = Int(exif_format_get_size(format))
    guard size > 0 else { return }
    let count = min(entry.count, limit / size)
    guard let bytes = block.source.bytes(in: entry.value.prefix(count * size), limit: limit) else {
      return
    }
    add(entry.tag, format, bytes, count: count, to: directory)
  }

  /// Returns whether there is an entry with at least one value.
  func contains(_ tag: Int, in directory: ExifDirectory) -> Bool {
    entry(tag, in: directory).map { $0.components > 0 } ?? false
  }

  /// Returns whether the entry of a tag is a text.
  func isText(_ tag: Int, in directory: ExifDirectory) -> Bool {
    entry(tag, in: directory)?.format == EXIF_FORMAT_ASCII
  }

  private func entry(_ tag: Int, in directory: ExifDirectory) -> ExifEntry? {
    let content = cexif_content(data, directory.number)
    return exif_content_get_entry(content, ExifTag(UInt32(tag)))?.pointee
  }

  /// Returns the value of a tag; nil when there is none, or none that ``ExifValue`` represents.
  ///
  /// Not inlined: where a caller had no use for a text, Swift 6.3.1 released its array before it copied the bytes
  /// into it, as the address sanitizer has found.
  @inline(never)
  func value(_ tag: Int, in directory: ExifDirectory) -> ExifValue? {
    guard let entry = entry(tag, in: directory) else { return nil }
    switch entry.format {
    case EXIF_FORMAT_ASCII:
      return .text(Array(UnsafeBufferPointer(start: entry.data, count: Int(entry.size))))
    case EXIF_FORMAT_BYTE: return .numbers(values(of: entry) { bytes, _ in Int(bytes[0]) })
    case EXIF_FORMAT_SHORT: return .numbers(values(of: entry) { Int(exif_get_short($0, $1)) })
    case EXIF_FORMAT_SSHORT: return .numbers(values(of: entry) { Int(exif_get_sshort($0, $1)) })
    case EXIF_FORMAT_SLONG: return .numbers(values(of: entry) { Int(exif_get_slong($0, $1)) })
    case EXIF_FORMAT_LONG: return .numbers(values(of: entry) { Int(exif_get_long($0, $1)) })
    case EXIF_FORMAT_RATIONAL:
      return .fractions(
        values(of: entry) {
          let value = exif_get_rational($0, $1)
          return ExifValue.Fraction(above: Int(value.numerator), below: Int(value.denominator))
        }
      )
    case EXIF_FORMAT_SRATIONAL:
      return .signedFractions(
        values(of: entry) {
          let value = exif_get_srational($0, $1)
          return ExifValue.Fraction(above: Int(value.numerator), below: Int(value.denominator))
        }
      )
    default: return nil
    }
  }

  /// Returns the bytes of a value of type UNDEFINED or ASCII; nil for another type.
  func bytes(ofUndefined tag: Int, in directory: ExifDirectory) -> [UInt8]? {
    guard let entry = entry(tag, in: directory), let bytes = entry.data,
      entry.format == EXIF_FORMAT_UNDEFINED || entry.format == EXIF_FORMAT_ASCII
    else { return nil }
    return Array(UnsafeBufferPointer(start: bytes, count: Int(entry.size)))
  }

  /// The byte order of the values.
  var order: ByteOrder { exif_data_get_byte_order(data) == EXIF_BYTE_ORDER_MOTOROLA ? .big : .little }

  private func values<Value>(
    of entry: ExifEntry,
    _ decode: (UnsafePointer<UInt8>, ExifByteOrder) -> Value
  ) -> [Value] {
    guard let bytes = entry.data else { return [] }
    let size = Int(exif_format_get_size(entry.format))
    let order = exif_data_get_byte_order(data)
    return (0..<Int(entry.components)).map { decode(bytes + size * $0, order) }
  }

  /// Returns the value of `entry`, or of its first 1024 bytes.
  static func value(of entry: TIFFEntry, in block: TIFFBlock) -> ExifValue? {
    let handle = ExifHandle(order: block.order)
    handle.read(entry, of: block, into: .image, limit: 1024)
    return handle.value(entry.tag, in: .image)
  }

  // MARK: Writing

  /// Adds an ASCII entry with the text's UTF-8, which readers accept, and a NUL; nothing for nil.
  func add(_ tag: Int, _ text: String?, to directory: ExifDirectory) {
    guard let bytes = text.map({ Array($0.utf8) }) else { return }
    add(tag, EXIF_FORMAT_ASCII, bytes, count: bytes.count + 1, to: directory)
  }

  /// Adds an entry with one SHORT.
  func add(_ tag: Int, short value: Int, to directory: ExifDirectory) {
    let order = exif_data_get_byte_order(data)
    add(tag, EXIF_FORMAT_SHORT, count: 1, to: directory) {
      exif_set_short($0, order, ExifShort(clamping: value))
    }
  }

  /// Adds an entry of BYTEs or of UNDEFINED bytes.
  func add(_ tag: Int, bytes: [UInt8], isUndefined: Bool = false, to directory: ExifDirectory) {
    let format = isUndefined ? EXIF_FORMAT_UNDEFINED : EXIF_FORMAT_BYTE
    add(tag, format, bytes, count: bytes.count, to: directory)
  }

  /// Adds an entry of RATIONALs.
  func add(_ tag: Int, _ fractions: [ExifValue.Fraction], to directory: ExifDirectory) {
    let order = exif_data_get_byte_order(data)
    add(tag, EXIF_FORMAT_RATIONAL, count: fractions.count, to: directory) { bytes in
      for (index, fraction) in fractions.enumerated() {
        let value = ExifRational(
          numerator: ExifLong(clamping: fraction.above),
          denominator: ExifLong(clamping: fraction.below)
        )
        exif_set_rational(bytes + 8 * index, order, value)
      }
    }
  }

  /// Adds an entry that starts with `bytes`; the rest of its value is zero.
  private func add(
    _ tag: Int,
    _ format: ExifFormat,
    _ bytes: [UInt8],
    count: Int,
    to directory: ExifDirectory
  ) {
    add(tag, format, count: count, to: directory) { $0.update(from: bytes, count: bytes.count) }
  }

  private func add(
    _ tag: Int,
    _ format: ExifFormat,
    count: Int,
    to directory: ExifDirectory,
    fill: (UnsafeMutablePointer<UInt8>) -> Void
  ) {
    let content = cexif_content(data, directory.number)
    guard let value = cexif_add(content, memory, CInt(tag), format, UInt(count))?.pointee.data
    else { return }
    fill(value)
  }

  /// Returns the entries of a directory in the order in which they were added, with their values in
  /// the byte order of the handle.
  func fields(in directory: ExifDirectory) -> [TIFFField] {
    let content = cexif_content(data, directory.number).pointee
    return UnsafeBufferPointer(start: content.entries, count: Int(content.count)).compactMap {
      guard let entry = $0?.pointee else { return nil }
      return TIFFField(
        tag: Int(entry.tag.rawValue),
        type: Int(entry.format.rawValue),
        count: Int(entry.components),
        value: Array(UnsafeBufferPointer(start: entry.data, count: Int(entry.size)))
      )
    }
  }

  /// Returns a TIFF structure with the directories, or nil when all of them are empty.
  ///
  /// Source: `exif_data_save_data`, which writes `Exif\0\0` before the structure.
  func block() -> [UInt8]? {
    guard ExifDirectory.allCases.contains(where: { !fields(in: $0).isEmpty }) else { return nil }
    var bytes: UnsafeMutablePointer<UInt8>?
    var count: UInt32 = 0
    exif_data_save_data(data, &bytes, &count)
    defer { exif_mem_free(memory, bytes) }
    return Array(UnsafeBufferPointer(start: bytes, count: Int(count)).dropFirst(6))
  }
}

extension ExifDirectory {
  fileprivate var number: ExifIfd {
    switch self {
    case .image: EXIF_IFD_0
    case .exif: EXIF_IFD_EXIF
    case .location: EXIF_IFD_GPS
    }
  }
}

extension ByteOrder {
  fileprivate var number: ExifByteOrder {
    self == .big ? EXIF_BYTE_ORDER_MOTOROLA : EXIF_BYTE_ORDER_INTEL
  }
}
