/// Reads a binary property list: the outermost dictionary, and the keys of every other one.
///
/// References between objects are followed only for keys and for the values of the outermost
/// dictionary, so a list that contains itself does no harm.
///
/// Source: CFBinaryPList.c of Apple's CoreFoundation, whose layout this is: a header of 8 bytes,
/// objects, a table of their offsets, a trailer of 32 bytes; numbers are big-endian.
struct BinaryPropertyList {
  static let magic = Array("bplist".utf8)
  private static let maximumObjectCount = 1_000_000
  /// Counts the keys of all dictionaries together, because dictionaries may share bytes.
  private static let maximumKeyCount = 1_000_000
  private static let maximumKeyByteCount = 1024

  private let bytes: [UInt8]
  private var offsetSize = 0
  private var referenceSize = 0
  private var objectCount = 0
  private var top = 0
  private var tableStart = 0

  private init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }

  static func read(_ bytes: [UInt8]) -> PropertyListReading {
    var reader = BinaryPropertyList(bytes)
    do throws(PropertyListIssue) {
      try reader.trailer()
      return try reader.objects()
    } catch {
      return PropertyListReading(issues: [error])
    }
  }

  private func damage(_ what: String) -> PropertyListIssue {
    PropertyListIssue(.syntax, "the binary property list is damaged: \(what)")
  }

  /// A big-endian number of 1 to 8 bytes; nil beyond the end, and beyond `Int`.
  private func number(at offset: Int, size: Int) -> Int? {
    guard offset >= 0, size <= bytes.count, offset <= bytes.count - size else { return nil }
    let value = bytes[offset..<(offset + size)].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    return Int(exactly: value)
  }

  private mutating func trailer() throws(PropertyListIssue) {
    let end = bytes.count - 32
    guard end >= 9, bytes[6...7].elementsEqual("00".utf8) else {
      throw damage("it is too short, or of another version")
    }
    offsetSize = Int(bytes[end + 6])
    referenceSize = Int(bytes[end + 7])
    guard (1...8).contains(offsetSize), (1...8).contains(referenceSize),
      let count = number(at: end + 8, size: 8), let top = number(at: end + 16, size: 8),
      let table = number(at: end + 24, size: 8),
      count > 0, top < count, table >= 8, table < end, count <= (end - table) / offsetSize
    else { throw damage("its trailer makes no sense") }
    guard count <= Self.maximumObjectCount else {
      throw PropertyListIssue(.tooManyValues, "more than 1,000,000 values")
    }
    objectCount = count
    self.top = top
    tableStart = table
  }

  /// The upper half of a marker is the kind of the object; the lower half, or a number behind the
  /// marker, is its length.
  private struct Object {
    var kind: UInt8
    var detail: UInt8
    var count: Int
    /// The offset of its content.
    var start: Int
  }

  private func object(_ reference: Int) throws(PropertyListIssue) -> Object {
    guard reference < objectCount,
      let offset = number(at: tableStart + reference * offsetSize, size: offsetSize),
      offset >= 8, offset < tableStart
    else { throw damage("an object lies outside of it") }
    let kind = bytes[offset] >> 4
    let detail = bytes[offset] & 0x0F
    var object = Object(kind: kind, detail: detail, count: Int(detail), start: offset + 1)
    if detail == 0x0F, [0x4, 0x5, 0x6, 0xA, 0xC, 0xD].contains(kind) {
      let size = object.start < tableStart ? bytes[object.start] : 0
      guard size >> 4 == 0x1, size & 0x0F <= 3,
        let count = number(at: object.start + 1, size: 1 << Int(size & 0x0F))
      else { throw damage("an object's length makes no sense") }
      object.count = count
      object.start += 1 + 1 << Int(size & 0x0F)
    }
    let width =
      switch kind {
      case 0x4, 0x5: 1
      case 0x6: 2
      case 0xA, 0xC: referenceSize
      case 0xD: 2 * referenceSize
      default: 0
      }
    guard width == 0 || object.count <= (tableStart - object.start) / width else {
      throw damage("an object reaches beyond the end")
    }
    return object
  }

  private func string(_ object: Object, limit: Int = .max) throws(PropertyListIssue) -> String? {
    guard object.kind == 0x5 || object.kind == 0x6 else { return nil }
    let width = object.kind == 0x5 ? 1 : 2
    guard object.count <= limit / width else {
      throw PropertyListIssue(.invalidText, "a key is longer than \(limit) bytes")
    }
    let content = bytes[object.start..<(object.start + width * object.count)]
    if object.kind == 0x5 {
      guard content.allSatisfy({ $0 < 0x80 }) else { throw damage("text that is not ASCII") }
      return String(decoding: content, as: UTF8.self)
    }
    let units = stride(from: content.startIndex, to: content.endIndex, by: 2).map {
      UInt16(bytes[$0]) << 8 | UInt16(bytes[$0 + 1])
    }
    guard let text = String(validating: units, as: UTF16.self) else {
      throw PropertyListIssue(.loneSurrogate, "half of a surrogate pair in a text")
    }
    return text
  }

  private func objects() throws(PropertyListIssue) -> PropertyListReading {
    var result = PropertyListReading()
    var keyCount = 0
    for reference in 0..<objectCount {
      let dictionary = try object(reference)
      guard dictionary.kind == 0xD else { continue }
      keyCount += dictionary.count
      guard keyCount <= Self.maximumKeyCount else {
        throw PropertyListIssue(.tooManyValues, "more than 1,000,000 keys")
      }
      let path = reference == top ? JSONPath.root : ""
      var keys = PropertyListKeys()
      for index in 0..<dictionary.count {
        let offset = dictionary.start + index * referenceSize
        guard let keyReference = number(at: offset, size: referenceSize),
          let key = try string(object(keyReference), limit: Self.maximumKeyByteCount)
        else { throw damage("a key that is no text") }
        if !keys.insert(key), result.issues.count < SyntaxIssue.maximumCount {
          result.issues.append(PropertyListKeys.duplicate(key, at: offset, path: path))
        }
        guard reference == top else { continue }
        let valueOffset = offset + dictionary.count * referenceSize
        guard let valueReference = number(at: valueOffset, size: referenceSize) else {
          throw damage("a value lies outside of it")
        }
        let value = try value(object(valueReference))
        result.members.append(PropertyListMember(key: key, offset: offset, value: value))
      }
    }
    let root = try object(top)
    if root.kind != 0xD {
      throw PropertyListIssue(.wrongType, "a dictionary is expected, not \(try value(root).kind)")
    }
    return result
  }

  /// Numbers of 1, 2 and 4 bytes have no sign; those of 8 have one.
  private func integer(_ object: Object) -> Int? {
    let size = 1 << Int(object.detail)
    guard object.start <= tableStart - size else { return nil }
    if size < 8 { return number(at: object.start, size: size) }
    let bytes = bytes[object.start..<(object.start + size)]
    return Int(truncatingIfNeeded: bytes.reduce(UInt64(0)) { $0 << 8 | UInt64($1) })
  }

  private func value(_ object: Object) throws(PropertyListIssue) -> PropertyListValue {
    switch (object.kind, object.detail) {
    case (0x0, 0x8): return .boolean(false)
    case (0x0, 0x9): return .boolean(true)
    case (0x0, 0x0): return .other("null")
    case (0x1, 0...3): return integer(object).map(PropertyListValue.integer) ?? .other("a number")
    case (0x1, _), (0x2, _): return .other("a number")
    case (0x3, _): return .other("a date")
    case (0x4, _): return .other("data")
    case (0x5, _), (0x6, _): return .string(try string(object) ?? "")
    case (0xA, _), (0xC, _): return .other("a list")
    case (0xD, _): return .other("a dictionary")
    default: throw damage("an object of no known kind")
    }
  }
}
