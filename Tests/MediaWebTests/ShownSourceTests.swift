import MediaManifest
import MediaModel
import MediaPicking
import MediaWorkerProtocol
import Testing

@testable import MediaWeb

@Suite("A page accepts from its viewer only what it asked for")
struct ShownSourceTests {
  private let jpeg: [UInt8] = [0xFF, 0xD8, 0xFF, 0xD9]

  private func candidate(_ path: String) -> PickCandidate {
    PickCandidate(files: [ItemPath(bytes: Array(path.utf8))], size: 1, modified: 0)
  }

  private func listed(_ count: Int) throws -> ShownSource {
    var source = ShownSource()
    #expect(source.hasList() == nil)
    #expect(source.takeRequests() == [.list])
    try source.take(.names((0..<count).map { candidate("f\($0 % 3)/\($0).jpg") }))
    #expect(source.hasList() == nil)
    try source.take(.listed(unlistedCount: 2))
    #expect(source.hasList() == true)
    return source
  }

  @Test("Nothing is listed before somebody asks, and then once")
  func list() throws {
    var source = ShownSource()
    #expect(source.takeRequests().isEmpty)
    #expect(throws: ProtocolError.self) { try source.take(.names([candidate("a.jpg")])) }
    #expect(throws: ProtocolError.self) { try source.take(.listed(unlistedCount: 0)) }
    source = try listed(7)
    #expect(source.hasList() == true && source.takeRequests().isEmpty)
    #expect(source.list.items.count == 7 && source.list.unlistedCount == 2)
    #expect(source.albums.map(\.count) == [3, 2, 2])
    #expect(throws: ProtocolError.self) { try source.take(.names([candidate("a.jpg")])) }
  }

  @Test("Four pictures are asked for at once, in order, and each once")
  func pictures() throws {
    var source = try listed(20)
    for index in 0..<10 { #expect(source.picture(of: index) == nil) }
    #expect(source.picture(of: 0) == nil)
    #expect(source.takeRequests() == (0..<4).map { .picture($0) })
    #expect(throws: ProtocolError.self) { try source.take(.picture(9, jpeg)) }
    try source.take(.picture(2, jpeg))
    #expect(source.picture(of: 2) == jpeg)
    #expect(throws: ProtocolError.self) { try source.take(.picture(2, jpeg)) }
    #expect(source.takeRequests() == [.picture(4)])
    // Nobody waits for the others any more.
    source.leaveOut(except: [7])
    for index in [0, 1, 3] { try source.take(.picture(index, [])) }
    #expect(source.takeRequests() == [.picture(7)])
    #expect(source.picture(of: 0) == [])
  }

  @Test("No more than 128 pictures wait, and no more than 64 MiB are kept")
  func bounds() throws {
    var source = try listed(2_000)
    var answered = 0
    for index in 0..<500 where source.picture(of: index) != nil { answered += 1 }
    #expect(answered == 500 - 132)
    source.leaveOut(except: [])
    for case .picture(let index) in source.takeRequests() { try source.take(.picture(index, [])) }
    let large = jpeg + [UInt8](repeating: 0, count: ViewerMessage.maximumPictureLength - 4)
    for index in 600..<1_000 {
      #expect(source.picture(of: index) == nil)
      #expect(source.takeRequests() == [.picture(index)])
      try source.take(.picture(index, large))
    }
    #expect(source.picture(of: 999) == large)
    let kept = (600..<1_000).filter { source.picture(of: $0) == large }
    #expect((200...256).contains(kept.count), "\(kept.count)")
  }

  @Test("A viewer that ends leaves what it told, and nothing waits for it")
  func ended() throws {
    var source = try listed(9)
    #expect(source.picture(of: 1) == nil)
    _ = source.takeRequests()
    source.fail()
    #expect(source.picture(of: 1) == [] && source.hasList() == true)
    var early = ShownSource()
    #expect(early.hasList() == nil)
    early.fail()
    #expect(early.hasList() == false && early.picture(of: 0) == [])
  }

  @Test("Messages are what they were behind their bytes, and nothing else is one")
  func messages() throws {
    func content(_ frame: [UInt8]) -> ArraySlice<UInt8> { frame[4...] }
    let pair = PickCandidate(
      files: [ItemPath(bytes: [0xFF, 0x2F, 0x61]), ItemPath(bytes: [0x62])],
      size: .max,
      modified: -1
    )
    for message in [
      .names([pair, candidate("x")]), .names([]), .listed(unlistedCount: 3), .picture(7, jpeg),
      .picture(0, []), .failed(.folderUnreadable),
    ] as [ViewerMessage] {
      #expect(try ViewerMessage(frame: content(message.frame)) == message)
      #expect(throws: ProtocolError.self) { try ViewerMessage(frame: content(message.frame + [0])) }
      #expect(throws: ProtocolError.self) {
        try ViewerMessage(frame: content(message.frame).dropLast())
      }
    }
    let wrong: [ViewerMessage] = [
      .picture(1, Array("<svg>".utf8)), .names([candidate("")]), .names([candidate("a\0b")]),
      .names([PickCandidate(files: [])]),
      .picture(1, jpeg + [UInt8](repeating: 0, count: ViewerMessage.maximumPictureLength)),
    ]
    for message in wrong {
      #expect(throws: ProtocolError.self) { try ViewerMessage(frame: content(message.frame)) }
    }
    for request in [.list, .picture(5)] as [ViewerRequest] {
      #expect(try ViewerRequest(frame: content(request.frame)) == request)
      #expect(throws: ProtocolError.self) { try ViewerRequest(frame: content(request.frame + [0])) }
    }
    let task = ViewerTask(
      filter: [.videos, .images],
      crossMounts: true,
      showsPictures: true,
      guardedDevices: [1, .max]
    )
    #expect(try ViewerTask(frame: content(task.frame)) == task)
  }
}
