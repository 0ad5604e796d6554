internal import MediaModel

/// The assets of a library's database, in some 60 bytes each: a library may have a million, and an array of
/// ``PhotosAsset`` takes a kilobyte for each.
///
/// The index of an asset is the order in which its identifier was added first.
package struct PhotosAssets: RandomAccessCollection, Sendable {
  /// The bytes of a chunk; one asset has at most 35,000.
  private static let chunkLength = 1 << 20

  /// Packed assets one after the other, none in two chunks.
  private var chunks: [[UInt8]] = []
  /// Where each asset begins: the chunk times its length, and the byte in it.
  private var starts: [Int] = []
  /// The indexes by the hashes of the identifiers, each in the first free slot behind that of its hash; a power of two of
  /// slots, at least half of which are free.
  private var slots: [UInt32] = []
  private static let free = UInt32.max

  /// Creates an empty collection.
  package init() {}

  package var startIndex: Int { 0 }
  package var endIndex: Int { starts.count }

  package subscript(index: Int) -> PhotosAsset {
    var reader = reader(at: index)
    return reader.asset()
  }

  /// The bytes that it takes in memory.
  package var byteCount: Int {
    chunks.reduce(8 * starts.capacity + 4 * slots.capacity) { $0 + $1.capacity }
  }

  /// The asset with an identifier; nil when there is none.
  package subscript(uuid: String) -> PhotosAsset? {
    index(of: Array(uuid.utf8)[...]).map { self[$0] }
  }

  /// The index of the asset with an identifier; nil when there is none.
  package func index(of uuid: ArraySlice<UInt8>) -> Int? {
    if slots.isEmpty || uuid.isEmpty { return nil }
    let index = slots[slot(of: PackedIdentifier(uuid))]
    return index == Self.free ? nil : Int(index)
  }

  /// The first eight bytes of an identifier that is a UUID, so that UUIDs can be ordered by them; nil for another one.
  func order(at index: Int) -> UInt64? {
    var reader = reader(at: index)
    return reader.identifier().order
  }

  /// Adds an asset, in the place of one with its identifier.
  ///
  /// - Returns: Its index.
  mutating func insert(_ asset: PhotosAsset) -> Int {
    if 2 * (count + 1) > slots.count { grow() }
    let start = Self.append(asset, to: &chunks)
    let slot = slot(of: PackedIdentifier(Array(asset.uuid.utf8)[...]))
    guard slots[slot] == Self.free else {
      starts[Int(slots[slot])] = start
      return Int(slots[slot])
    }
    slots[slot] = UInt32(count)
    starts.append(start)
    return count - 1
  }

  /// Packs an asset behind others.
  ///
  /// - Returns: Where it begins.
  private static func append(_ asset: PhotosAsset, to chunks: inout [[UInt8]]) -> Int {
    var writer = PackedAssetWriter()
    writer.put(asset)
    if (chunks.last?.count ?? chunkLength) + writer.bytes.count > chunkLength {
      chunks.append([])
      chunks[chunks.count - 1].reserveCapacity(chunkLength)
    }
    let start = (chunks.count - 1) * chunkLength + chunks[chunks.count - 1].count
    chunks[chunks.count - 1] += writer.bytes
    return start
  }

  /// Forgets what assets have besides their identifiers, marks and paths, a chunk at a time.
  ///
  /// - Parameter isKept: Of each asset, by its index, whether it stays whole.
  mutating func forgetDescriptions(besides isKept: [Bool]) {
    var lastOfChunk = [Int](repeating: 0, count: chunks.count)
    for (index, start) in starts.enumerated() { lastOfChunk[start / Self.chunkLength] = index }
    var shortened: [[UInt8]] = []
    for index in indices {
      let chunk = starts[index] / Self.chunkLength
      let asset = isKept[index] ? self[index] : self[index].withoutDescription
      starts[index] = Self.append(asset, to: &shortened)
      if lastOfChunk[chunk] == index { chunks[chunk] = [] }
    }
    chunks = shortened
  }

  private mutating func grow() {
    slots = [UInt32](repeating: Self.free, count: Swift.max(64, 2 * slots.count))
    for index in indices {
      var reader = reader(at: index)
      slots[slot(of: reader.identifier())] = UInt32(index)
    }
  }

  /// The slot of an identifier, or the free one that it would have.
  private func slot(of identifier: PackedIdentifier) -> Int {
    var slot = identifier.hashValue & (slots.count - 1)
    while slots[slot] != Self.free {
      var reader = reader(at: Int(slots[slot]))
      if reader.identifier() == identifier { break }
      slot = (slot + 1) & (slots.count - 1)
    }
    return slot
  }

  private func reader(at index: Int) -> PackedAssetReader {
    let start = starts[index]
    return PackedAssetReader(chunks[start / Self.chunkLength], at: start % Self.chunkLength)
  }
}

/// The identifier of an asset: a UUID as its 16 bytes, any other one as its text.
private struct PackedIdentifier: Hashable {
  private static let textLength = 36

  var high: UInt64 = 0
  var low: UInt64 = 0
  /// Empty for a UUID.
  var text: [UInt8] = []

  var order: UInt64? { text.isEmpty ? high : nil }

  init(high: UInt64, low: UInt64) { (self.high, self.low) = (high, low) }

  private static func isHyphen(at position: Int) -> Bool {
    switch position {
    case 8, 13, 18, 23: true
    default: false
    }
  }

  /// Packs an identifier; of UUIDs those with capital letters, as Photos writes them.
  init(_ uuid: ArraySlice<UInt8>) {
    guard uuid.count == Self.textLength else {
      text = Array(uuid)
      return
    }
    for (position, byte) in uuid.enumerated() {
      let isHyphen = Self.isHyphen(at: position)
      let digit = byte.isASCIILowercase ? nil : Hexadecimal.value(of: byte)
      guard isHyphen ? byte == .hyphen : digit != nil else {
        (high, low, text) = (0, 0, Array(uuid))
        return
      }
      if let digit, !isHyphen {
        (high, low) = (high << 4 | low >> 60, low << 4 | UInt64(digit))
      }
    }
  }

  var uuid: [UInt8] {
    if !text.isEmpty { return text }
    var result: [UInt8] = []
    result.reserveCapacity(Self.textLength)
    for number in 0..<32 {
      if Self.isHyphen(at: result.count) { result.append(UInt8.hyphen) }
      let half = number < 16 ? high : low
      let digit = UInt8(truncatingIfNeeded: half >> UInt64(60 - 4 * (number % 16))) & 0xF
      result.append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "A") + digit - 10)
    }
    return result
  }
}

/// What a packed asset has.
private struct PackedParts: OptionSet {
  let rawValue: UInt16

  static let isUUID = PackedParts(rawValue: 1)
  static let directory = PackedParts(rawValue: 1 << 1)
  /// The folder is the first character of the identifier, and is not there.
  static let usualDirectory = PackedParts(rawValue: 1 << 2)
  static let fileName = PackedParts(rawValue: 1 << 3)
  /// The name begins with the identifier, and what follows is there.
  static let usualFileName = PackedParts(rawValue: 1 << 4)
  static let originalName = PackedParts(rawValue: 1 << 5)
  static let title = PackedParts(rawValue: 1 << 6)
  static let caption = PackedParts(rawValue: 1 << 7)
  static let keywords = PackedParts(rawValue: 1 << 8)
  static let people = PackedParts(rawValue: 1 << 9)
  static let taken = PackedParts(rawValue: 1 << 10)
  static let offsetMinutes = PackedParts(rawValue: 1 << 11)
  static let burst = PackedParts(rawValue: 1 << 12)
  static let burstPick = PackedParts(rawValue: 1 << 13)
  static let isBurstPick = PackedParts(rawValue: 1 << 14)
  static let place = PackedParts(rawValue: 1 << 15)
}

/// Packs an asset: its parts in a word, its identifier, then each part that it has, in the order of the members. Numbers
/// have seven bits in each byte, the lowest first; those with a sign have it in the lowest bit.
private struct PackedAssetWriter {
  private(set) var bytes: [UInt8] = []

  mutating func put(_ asset: PhotosAsset) {
    let uuid = Array(asset.uuid.utf8)
    let identifier = PackedIdentifier(uuid[...])
    let parts = Self.parts(of: asset, uuid, identifier)
    put(fixed: parts.rawValue)
    if parts.contains(.isUUID) {
      put(fixed: identifier.high)
      put(fixed: identifier.low)
    } else {
      put(uuid[...])
    }
    put(UInt64(asset.marks.rawValue))
    put(UInt64(UInt32(clamping: asset.subtypes.rawValue)))
    if let directory = asset.directory, parts.contains(.directory) { put(directory[...]) }
    if let name = asset.fileName {
      put(parts.contains(.usualFileName) ? name.dropFirst(uuid.count) : name[...])
    }
    for text in [asset.originalName, asset.title, asset.caption] {
      if let text { put(text) }
    }
    for texts in [asset.keywords, asset.people] where !texts.isEmpty {
      put(UInt64(texts.count))
      for text in texts { put(text) }
    }
    if let taken = asset.taken { put(signed: taken) }
    if let offset = asset.offsetMinutes { put(signed: Int64(offset)) }
    if let burst = asset.burst { put(burst) }
    if let place = asset.place {
      put(signed: Int64(place.latitude))
      put(signed: Int64(place.longitude))
    }
  }

  private static func parts(
    of asset: PhotosAsset,
    _ uuid: [UInt8],
    _ identifier: PackedIdentifier
  ) -> PackedParts {
    var parts: PackedParts = []
    func note(_ part: PackedParts, _ isThere: Bool) { if isThere { parts.insert(part) } }
    note(.isUUID, identifier.text.isEmpty)
    let isUsual = asset.directory.map { $0.elementsEqual(uuid.prefix(1)) } ?? false
    note(.usualDirectory, isUsual)
    note(.directory, asset.directory != nil && !isUsual)
    note(.fileName, asset.fileName != nil)
    note(.usualFileName, asset.fileName?.starts(with: uuid) ?? false)
    note(.originalName, asset.originalName != nil)
    note(.title, asset.title != nil)
    note(.caption, asset.caption != nil)
    note(.keywords, !asset.keywords.isEmpty)
    note(.people, !asset.people.isEmpty)
    note(.taken, asset.taken != nil)
    note(.offsetMinutes, asset.offsetMinutes != nil)
    note(.burst, asset.burst != nil)
    note(.burstPick, asset.isBurstPick != nil)
    note(.isBurstPick, asset.isBurstPick == true)
    note(.place, asset.place != nil)
    return parts
  }

  private mutating func put<Value: FixedWidthInteger>(fixed value: Value) {
    withUnsafeBytes(of: value.littleEndian) { bytes.append(contentsOf: $0) }
  }

  private mutating func put(_ number: UInt64) {
    var remaining = number
    while remaining >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: remaining) | 0x80)
      remaining >>= 7
    }
    bytes.append(UInt8(remaining))
  }

  private mutating func put(signed number: Int64) {
    put(UInt64(bitPattern: number << 1 ^ number >> 63))
  }

  private mutating func put(_ content: ArraySlice<UInt8>) {
    put(UInt64(content.count))
    bytes += content
  }

  private mutating func put(_ text: String) { put(Array(text.utf8)[...]) }
}

/// Reads what ``PackedAssetWriter`` has packed in this process.
private struct PackedAssetReader {
  private let chunk: [UInt8]
  private var position: Int
  private var parts: PackedParts = []

  init(_ chunk: [UInt8], at position: Int) { (self.chunk, self.position) = (chunk, position) }

  mutating func identifier() -> PackedIdentifier {
    parts = PackedParts(rawValue: fixed())
    guard parts.contains(.isUUID) else { return PackedIdentifier(content()) }
    return PackedIdentifier(high: fixed(), low: fixed())
  }

  mutating func asset() -> PhotosAsset {
    let uuid = identifier().uuid
    var asset = PhotosAsset(checked: String(decoding: uuid, as: UTF8.self))
    asset.marks = PhotosAsset.Marks(rawValue: UInt16(truncatingIfNeeded: number()))
    asset.subtypes = MediaSubtypes(rawValue: Int(truncatingIfNeeded: number()))
    if parts.contains(.usualDirectory) { asset.directory = Array(uuid.prefix(1)) }
    if parts.contains(.directory) { asset.directory = Array(content()) }
    if parts.contains(.fileName) {
      asset.fileName = (parts.contains(.usualFileName) ? uuid : []) + content()
    }
    if parts.contains(.originalName) { asset.originalName = text() }
    if parts.contains(.title) { asset.title = text() }
    if parts.contains(.caption) { asset.caption = text() }
    if parts.contains(.keywords) { asset.keywords = texts() }
    if parts.contains(.people) { asset.people = texts() }
    if parts.contains(.taken) { asset.taken = signed() }
    if parts.contains(.offsetMinutes) { asset.offsetMinutes = Int(signed()) }
    if parts.contains(.burst) { asset.burst = text() }
    if parts.contains(.burstPick) { asset.isBurstPick = parts.contains(.isBurstPick) }
    if parts.contains(.place) {
      let latitude = Int(signed())
      asset.place = MediaDescription.Place(latitude: latitude, longitude: Int(signed()))
    }
    return asset
  }

  private mutating func fixed<Value: FixedWidthInteger>() -> Value {
    var value: Value = 0
    for byte in 0..<Value.bitWidth / 8 {
      value |= Value(truncatingIfNeeded: chunk[position]) << Value(8 * byte)
      position += 1
    }
    return value
  }

  private mutating func number() -> UInt64 {
    var (value, shift): (UInt64, UInt64) = (0, 0)
    while true {
      let byte = chunk[position]
      position += 1
      value |= UInt64(byte & 0x7F) << shift
      if byte < 0x80 { return value }
      shift += 7
    }
  }

  private mutating func signed() -> Int64 {
    let number = number()
    return Int64(bitPattern: number >> 1) ^ -Int64(bitPattern: number & 1)
  }

  private mutating func content() -> ArraySlice<UInt8> {
    let count = Int(number())
    defer { position += count }
    return chunk[position..<position + count]
  }

  private mutating func text() -> String { String(decoding: content(), as: UTF8.self) }

  private mutating func texts() -> [String] { (0..<Int(number())).map { _ in text() } }
}
