internal import MediaModel
package import MediaWorkerProtocol

/// A message of the process that reads a library's database.
///
/// The process may be what a damaged database has made of it, so that each count, text and word is checked again as it
/// is received.
package enum PhotosMessage: Sendable, Hashable {
  case assets([PhotosAsset])
  /// An album with its first members, as numbers in the order in which assets were sent, from 0.
  case album(PhotosAlbum, members: [UInt32])
  /// Further members of the last album.
  case members([UInt32])
  /// All was read.
  case end(modelVersion: Int?, unusableRows: Int)
  case failed(PhotosLibraryError)

  /// The bytes of assets in one message, about; one asset has at most 35,000.
  static let partLength = 256 << 10
  /// The most members in one message.
  static let partMembers = 100_000

  private enum Kind: UInt8 {
    case assets = 1
    case album, members, end, failed
  }
}

extension PhotosMessage: WireValue {
  package func put(into writer: inout WireWriter) {
    switch self {
    case .assets(let assets):
      writer.put(Kind.assets.rawValue)
      writer.put(UInt32(clamping: assets.count))
      for asset in assets { writer.put(asset) }
    case .album(let album, let members):
      writer.put(Kind.album.rawValue)
      writer.put(album.uuid)
      writer.put(album.title)
      writer.put(members)
    case .members(let members):
      writer.put(Kind.members.rawValue)
      writer.put(members)
    case .end(let version, let rows):
      writer.put(Kind.end.rawValue)
      writer.put(Int64(version ?? -1))
      writer.put(Int64(rows))
    case .failed(let error):
      writer.put(Kind.failed.rawValue)
      writer.put(error.code.rawValue)
      writer.put(error.detail)
    }
  }

  package init(from reader: inout WireReader) throws(ProtocolError) {
    guard let kind = Kind(rawValue: try reader.integer()) else {
      throw ProtocolError("unknown kind of message")
    }
    switch kind {
    case .assets:
      var assets: [PhotosAsset] = []
      for _ in 0..<(try reader.count(limit: FrameReader.maximumLength)) {
        assets.append(try reader.asset())
      }
      self = .assets(assets)
    case .album:
      let uuid = try reader.text(limit: 64)
      let title = try reader.text(limit: PhotosAlbum.maximumTitleLength)
      guard let album = PhotosAlbum(uuid: uuid, title: title), album.title == title else {
        throw ProtocolError("an album that is none")
      }
      self = .album(album, members: try reader.members())
    case .members: self = .members(try reader.members())
    case .end:
      let version = try reader.integer(Int64.self)
      let rows = try reader.integer(Int64.self)
      guard (0...Int64(UInt32.max)).contains(rows) else {
        throw ProtocolError("a number of rows that cannot be")
      }
      self = .end(modelVersion: version < 0 ? nil : Int(version), unusableRows: Int(rows))
    case .failed:
      self = .failed(PhotosLibraryError(try reader.choice(), try reader.text(limit: 4096)))
    }
  }
}

extension WireWriter {
  fileprivate mutating func put(_ members: [UInt32]) {
    put(UInt32(clamping: members.count))
    for member in members { put(member) }
  }

  fileprivate mutating func put(_ asset: PhotosAsset) {
    put(asset.uuid)
    put(asset.marks.rawValue)
    put(asset.directory) { $0.put($1) }
    put(asset.fileName) { $0.put($1) }
    put(asset.originalName) { $0.put($1) }
    put(asset.title) { $0.put($1) }
    put(asset.caption) { $0.put($1) }
    put(UInt32(asset.keywords.count))
    for keyword in asset.keywords { put(keyword) }
    put(UInt32(asset.people.count))
    for person in asset.people { put(person) }
    put(asset.taken) { $0.put($1) }
    put(asset.offsetMinutes) { $0.put(Int32(clamping: $1)) }
    put(asset.burst) { $0.put($1) }
    put(asset.isBurstPick) { $0.put($1) }
    put(asset.place) { $0.put($1) }
    put(UInt32(clamping: asset.subtypes.rawValue))
  }
}

extension WireReader {
  fileprivate mutating func members() throws(ProtocolError) -> [UInt32] {
    var members: [UInt32] = []
    for _ in 0..<(try count(limit: PhotosMessage.partMembers)) { members.append(try integer()) }
    return members
  }

  /// Text that has its checked form already.
  private mutating func checked(limit: Int) throws(ProtocolError) -> String {
    let text = try text(limit: limit)
    guard PhotosText.checked(text, limit: limit) == text else {
      throw ProtocolError("text that is not in its checked form")
    }
    return text
  }

  fileprivate mutating func asset() throws(ProtocolError) -> PhotosAsset {
    guard var asset = PhotosAsset(uuid: try text(limit: 64)) else {
      throw ProtocolError("no identifier of an asset")
    }
    asset.marks = PhotosAsset.Marks(rawValue: try integer())
    guard asset.marks.isSubset(of: .all) else { throw ProtocolError("unknown marks") }
    asset.directory = try optional { (reader) throws(ProtocolError) in
      try reader.path(PhotosText.path)
    }
    asset.fileName = try optional { (reader) throws(ProtocolError) in
      try reader.path(PhotosText.name)
    }
    asset.originalName = try optional { (reader) throws(ProtocolError) in
      try reader.checked(limit: PhotosAsset.maximumNameLength)
    }
    asset.title = try optional { (reader) throws(ProtocolError) in
      try reader.checked(limit: MediaDescription.maximumCaptionLength)
    }
    asset.caption = try optional { (reader) throws(ProtocolError) in
      try reader.checked(limit: MediaDescription.maximumCaptionLength)
    }
    for _ in 0..<(try count(limit: MediaDescription.maximumKeywords)) {
      let keyword = try checked(limit: MediaDescription.maximumKeywordLength)
      guard !asset.keywords.contains(keyword) else { throw ProtocolError("a keyword twice") }
      asset.keywords.append(keyword)
    }
    for _ in 0..<(try count(limit: MediaDescription.maximumPeople)) {
      let person = try checked(limit: MediaDescription.maximumNameLength)
      guard !asset.people.contains(person) else { throw ProtocolError("a person twice") }
      asset.people.append(person)
    }
    asset.taken = try optional { (reader) throws(ProtocolError) in try reader.integer() }
    asset.offsetMinutes = try optional { (reader) throws(ProtocolError) in
      Int(try reader.integer(Int32.self))
    }
    guard (asset.taken ?? 0).magnitude < 9_000_000_000_000_000,
      abs(asset.offsetMinutes ?? 0) <= 1080
    else {
      throw ProtocolError("a time that is none")
    }
    asset.burst = try optional { (reader) throws(ProtocolError) in try reader.text(limit: 64) }
    guard asset.burst.map(PhotosText.isIdentifier) != false else {
      throw ProtocolError("no identifier of a burst")
    }
    asset.isBurstPick = try optional { (reader) throws(ProtocolError) in try reader.bool() }
    asset.place = try optional { (reader) throws(ProtocolError) in try reader.location() }
    asset.subtypes = MediaSubtypes(rawValue: Int(try integer(UInt32.self)))
    guard asset.subtypes.isSubset(of: .all) else { throw ProtocolError("unknown subtypes") }
    return asset
  }

  private mutating func path(_ check: (String) -> [UInt8]?) throws(ProtocolError) -> [UInt8] {
    guard let path = check(try text(limit: 1024)) else { throw ProtocolError("no plain path") }
    return path
  }
}
