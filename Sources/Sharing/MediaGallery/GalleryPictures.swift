internal import MediaModel

/// Where the pictures of a gallery are while its pages are made, such as a file.
package protocol GalleryStore: AnyObject {
  /// Adds bytes at the end.
  ///
  /// - Returns: Their range.
  /// - Throws: When they cannot be stored.
  func append(_ bytes: [UInt8]) throws -> Range<Int>

  /// Returns the bytes of a range that ``append(_:)`` gave.
  ///
  /// - Throws: When they cannot be read.
  func bytes(in range: Range<Int>) throws -> [UInt8]
}

/// The pictures of a gallery in their order. Of each, its place in a store, its month and a hash are in memory, since
/// there may be 100,000.
package struct GalleryPictures {
  private struct Place {
    var start = 0
    var length: UInt32 = 0
    /// Among ``months``; -1 of a picture without a date.
    var month: Int32 = -1
  }

  private let store: any GalleryStore
  private var places: [Place] = []
  private var hashes: [UInt64] = []
  private var months: [String] = []
  private var monthIndexes: [String: Int32] = [:]
  /// The first and the last of all dates; nil when no picture has one.
  private(set) var dates: ClosedRange<String>?
  /// The number of pictures of each type.
  private(set) var counts: [MediaType: Int] = [:]
  /// The number of pictures without a tile.
  package private(set) var bareCount = 0

  /// Creates an empty list.
  package init(in store: any GalleryStore) { self.store = store }

  /// The number of pictures, also of those that are not set yet.
  package var count: Int { places.count }

  var isEmpty: Bool { places.isEmpty }

  /// Makes room for one more picture, which is set later.
  ///
  /// - Returns: Its position.
  package mutating func reserve() -> Int {
    places.append(Place())
    hashes.append(0)
    return places.count - 1
  }

  /// Sets the picture of a position, once.
  ///
  /// - Throws: What the store throws.
  package mutating func set(_ picture: GalleryPicture, at position: Int) throws {
    try replace(picture, at: position)
    hashes[position] = Self.shortHash(picture.key)
    counts[picture.mediaType, default: 0] += 1
    if picture.tile == nil { bareCount += 1 }
    guard let date = picture.date, let month = picture.month else { return }
    dates = min(dates?.lowerBound ?? date, date)...max(dates?.upperBound ?? date, date)
    if let index = monthIndexes[month] {
      places[position].month = index
    } else {
      places[position].month = Int32(months.count)
      monthIndexes[month] = Int32(months.count)
      months.append(month)
    }
  }

  /// Gives a picture that was set other files; its key, its date, its type and whether it has a tile stay.
  ///
  /// - Throws: What the store throws.
  package mutating func replace(_ picture: GalleryPicture, at position: Int) throws {
    let range = try store.append(picture.packed)
    places[position].start = range.lowerBound
    places[position].length = UInt32(range.count)
  }

  /// The picture of a position.
  package subscript(position: Int) -> GalleryPicture {
    get throws {
      let stored = places[position]
      return GalleryPicture(packed: try store.bytes(in: stored.start..<(stored.start + Int(stored.length))))
    }
  }

  /// The month of a picture, such as 2019-07; nil when it is undated.
  func month(_ position: Int) -> String? {
    let index = places[position].month
    return index < 0 ? nil : months[Int(index)]
  }

  // MARK: - Identifiers

  /// The letters of a localIdentifier that a selection names: 12 digits and a hyphen.
  static let shortLength = 13

  /// The 64-bit FNV-1a hash of the beginning of a key, of which there may be 100,000.
  static func shortHash(_ key: String) -> UInt64 {
    key.utf8.prefix(shortLength).reduce(0xCBF2_9CE4_8422_2325) {
      ($0 ^ UInt64($1)) &* 0x100_0000_01B3
    }
  }

  /// The hashes of beginnings of keys that several pictures have.
  var ambiguousHashes: Set<UInt64> {
    let sorted = hashes.sorted()
    return Set(zip(sorted, sorted.dropFirst()).lazy.filter { $0 == $1 }.map(\.0))
  }
}

// MARK: - Packed pictures

extension GalleryPicture {
  /// The picture in few bytes, for a ``GalleryStore``.
  var packed: [UInt8] {
    var writer = PackedWriter()
    writer.put(key)
    writer.put(title)
    writer.put(date)
    writer.put(MediaType.allCases.firstIndex(of: mediaType) ?? 0)
    writer.put(badges)
    writer.put(isFavorite ? 1 : 0)
    writer.put(camera)
    writer.put(Int(bytes))
    writer.put(pixelSize)
    for file in [tile, view, original, movie] { writer.put(file) }
    writer.put(name)
    writer.put(movieName)
    writer.put(caption)
    writer.put(keywords)
    return writer.bytes
  }

  /// Reads what ``packed`` gave; of bytes that are cut, what is lacking is empty.
  init(packed bytes: [UInt8]) {
    var reader = PackedReader(bytes)
    let (key, title, date) = (reader.text(), reader.text(), reader.optionalText())
    let types = MediaType.allCases
    let type = reader.number()
    self.init(
      key: key,
      title: title,
      date: date,
      mediaType: types.indices.contains(type) ? types[type] : .image
    )
    badges = reader.texts()
    isFavorite = reader.number() == 1
    camera = reader.optionalText()
    self.bytes = Int64(reader.number())
    pixelSize = reader.size()
    (tile, view) = (reader.file(), reader.file())
    (original, movie) = (reader.file(), reader.file())
    (name, movieName) = (reader.text(), reader.text())
    caption = reader.optionalText()
    keywords = reader.texts()
  }
}

/// Numbers have seven bits in each byte, the lowest first, and the highest bit in all bytes but the last.
private struct PackedWriter {
  var bytes: [UInt8] = []

  mutating func put(_ number: Int) {
    var remaining = UInt(bitPattern: number)
    while remaining >= 0x80 {
      bytes.append(UInt8(remaining & 0x7F) | 0x80)
      remaining >>= 7
    }
    bytes.append(UInt8(remaining))
  }

  mutating func put(_ text: String) {
    put(text.utf8.count)
    bytes += text.utf8
  }

  mutating func put(_ text: String?) {
    put(text == nil ? 0 : 1)
    if let text { put(text) }
  }

  mutating func put(_ texts: [String]) {
    put(texts.count)
    for text in texts { put(text) }
  }

  mutating func put(_ size: PixelSize?) {
    put(size == nil ? 0 : 1)
    guard let size else { return }
    put(size.width)
    put(size.height)
  }

  mutating func put(_ file: GalleryPicture.File?) {
    put(file == nil ? 0 : 1)
    guard let file else { return }
    put(file.ending)
    put(file.size)
    put(file.thumbHash)
  }
}

private struct PackedReader {
  private var rest: ArraySlice<UInt8>

  init(_ bytes: [UInt8]) { rest = bytes[...] }

  mutating func number() -> Int {
    var (number, shift) = (UInt(0), UInt(0))
    while let byte = rest.popFirst() {
      number |= UInt(byte & 0x7F) << shift
      shift += 7
      if byte < 0x80 || shift >= UInt(UInt.bitWidth) { break }
    }
    return Int(bitPattern: number)
  }

  mutating func text() -> String {
    let count = min(max(number(), 0), rest.count)
    defer { rest = rest.dropFirst(count) }
    return String(decoding: rest.prefix(count), as: UTF8.self)
  }

  mutating func optionalText() -> String? { number() == 1 ? text() : nil }

  mutating func texts() -> [String] {
    let count = min(max(number(), 0), rest.count)
    return (0..<count).map { _ in text() }
  }

  mutating func size() -> PixelSize? {
    guard number() == 1 else { return nil }
    let (width, height) = (number(), number())
    return PixelSize(width: width, height: height)
  }

  mutating func file() -> GalleryPicture.File? {
    guard number() == 1 else { return nil }
    let (ending, size) = (text(), size())
    return GalleryPicture.File(ending: ending, size: size, thumbHash: optionalText())
  }
}
