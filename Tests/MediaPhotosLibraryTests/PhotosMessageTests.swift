import MediaModel
import MediaTestSupport
import MediaWorkerProtocol
import Testing

@testable import MediaPhotosLibrary

@Suite("Messages of the process that reads a Photos library's database")
struct PhotosMessageTests {
  private static func messages() throws -> [PhotosMessage] {
    var asset = try #require(PhotosAsset(uuid: Made.first))
    asset.marks = [.favorite, .hidden, .video]
    asset.directory = Array("0".utf8)
    asset.fileName = Array("x.jpeg".utf8)
    asset.originalName = "Grüße.JPG"
    (asset.title, asset.caption) = ("T", "A caption\nof two lines")
    asset.keywords = ["a", "b"]
    asset.people = ["Ann", "Бо"]
    (asset.taken, asset.offsetMinutes) = (-5, -240)
    (asset.burst, asset.isBurstPick) = ("BURST-0001", false)
    asset.place = MediaDescription.Place(latitude: -1, longitude: 1)
    asset.subtypes = [.photoPanorama]
    let plain = try #require(PhotosAsset(uuid: Made.second))
    let album = try #require(PhotosAlbum(uuid: "ALBUM-0001", title: "Summer"))
    return [
      .assets([asset, plain]), .album(album, members: [1, 0]), .members([0]),
      .end(modelVersion: 16320, unusableRows: 2), .end(modelVersion: nil, unusableRows: 0),
      .failed(PhotosLibraryError(.damaged, "why")),
    ]
  }

  @Test("Each message comes back as it was sent, and no beginning of one is a message")
  func roundTrip() throws {
    for message in try Self.messages() {
      let content = message.frame.dropFirst(4)
      #expect(try PhotosMessage(frame: content) == message)
      for count in 0..<content.count {
        #expect(throws: ProtocolError.self) {
          _ = try PhotosMessage(frame: content.prefix(count))
        }
      }
    }
  }

  @Test("No changed byte brings in a value that was not checked")
  func changed() throws {
    for message in try Self.messages() {
      let content = Array(message.frame.dropFirst(4))
      for index in content.indices {
        for byte in [0, 1, 0x2E, 0x2F, 0x7F, 0xFF] as [UInt8] {
          var changed = content
          changed[index] = byte
          guard case .assets(let assets)? = try? PhotosMessage(frame: changed[...]) else {
            continue
          }
          for asset in assets {
            #expect(PhotosText.isIdentifier(asset.uuid))
            for path in [asset.directory, asset.fileName].compactMap({ $0 }) {
              #expect(PhotosText.path(String(decoding: path, as: UTF8.self)) == path)
            }
            #expect(asset.people.allSatisfy { PhotosText.checked($0, limit: 200) == $0 })
            #expect(asset.caption.flatMap { PhotosText.checked($0, limit: 2000) } == asset.caption)
          }
        }
      }
    }
  }

  @Test("A number that no sum can take is a breach")
  func extremeNumbers() throws {
    var asset = try #require(PhotosAsset(uuid: Made.first))
    for taken in [Int64.min, .max] {
      asset.taken = taken
      let frame = PhotosMessage.assets([asset]).frame.dropFirst(4)
      #expect(throws: ProtocolError.self) { try PhotosMessage(frame: frame) }
    }
    let frame = PhotosMessage.end(modelVersion: nil, unusableRows: .max).frame.dropFirst(4)
    #expect(throws: ProtocolError.self) { try PhotosMessage(frame: frame) }
  }

  @Test("Messages that must not come now are a breach")
  func order() throws {
    let album = try #require(PhotosAlbum(uuid: "ALBUM-0001", title: "Summer"))
    let asset = try #require(PhotosAsset(uuid: Made.first))
    var answer = PhotosAnswer()
    #expect(throws: ProtocolError.self) { try answer.take(.members([])) }
    #expect(throws: ProtocolError.self) { try answer.take(.album(album, members: [0])) }
    answer = PhotosAnswer()
    try answer.take(.assets([asset]))
    try answer.take(.album(album, members: [0]))
    #expect(throws: ProtocolError.self) { try answer.take(.assets([asset])) }
    #expect(throws: PhotosLibraryError.self) { try answer.take(.failed(.init(.changed))) }
    #expect(!answer.isWhole)
    try answer.take(.end(modelVersion: nil, unusableRows: 0))
    #expect(answer.isWhole)
    #expect(throws: ProtocolError.self) {
      try answer.take(.end(modelVersion: nil, unusableRows: 1))
    }
    #expect(answer.index.albums.first?.members == [0])
    #expect(answer.index.assets.map(\.uuid) == [Made.first])
  }
}
