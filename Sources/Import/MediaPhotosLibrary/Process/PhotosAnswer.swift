internal import MediaWorkerProtocol

/// What was received so far, within the bounds of an index.
struct PhotosAnswer {
  private(set) var index = PhotosIndex()
  private(set) var isWhole = false
  /// The indexes of the assets in the order in which they came: of two with one identifier they are the same.
  private var indexes: [UInt32] = []
  private var album: PhotosAlbum?
  private var albums = 0
  private var members = 0

  /// Takes one message.
  ///
  /// - Throws: `ProtocolError` for one that must not come now; ``PhotosLibraryError`` that the process sent.
  mutating func take(_ message: PhotosMessage) throws {
    guard !isWhole else { throw ProtocolError("a message behind the end") }
    switch message {
    case .assets(let assets):
      guard albums == 0, indexes.count + assets.count <= PhotosIndex.maximumAssets else {
        throw ProtocolError("assets that must not come")
      }
      for asset in assets { indexes.append(UInt32(index.add(asset))) }
    case .album(let next, let members):
      finishAlbum()
      albums += 1
      guard albums <= PhotosIndex.maximumAlbums else { throw ProtocolError("too many albums") }
      album = next
      try add(members)
    case .members(let members):
      guard album != nil else { throw ProtocolError("members of no album") }
      try add(members)
    case .end(let version, let rows):
      finishAlbum()
      index.modelVersion = version
      index.unusableRows += rows
      isWhole = true
    case .failed(let error): throw error
    }
  }

  private mutating func add(_ numbers: [UInt32]) throws(ProtocolError) {
    members += numbers.count
    guard members <= PhotosIndex.maximumMembers else { throw ProtocolError("too many members") }
    for number in numbers {
      guard Int(number) < indexes.count else { throw ProtocolError("no such member") }
      album?.members.append(indexes[Int(number)])
    }
  }

  private mutating func finishAlbum() {
    if let album { index.add(album) }
    album = nil
  }
}
