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
    // It waits for capture times, of which there are none.
    #expect(source.hasList() == nil && source.takeRequests().isEmpty)
    try source.take(.times([], isLast: true))
    #expect(source.hasList() == true)
    return source
  }

  /// A source of which a viewer has told names, changed at these seconds, and no capture time yet.
  private func untimed(_ seconds: [Int64]) throws -> ShownSource {
    var source = ShownSource()
    #expect(source.hasList() == nil)
    let candidates = seconds.enumerated().map { number, seconds in
      PickCandidate(
        files: [ItemPath(bytes: Array("\(number).jpg".utf8))],
        modified: seconds * 1_000_000_000
      )
    }
    try source.take(.names(candidates))
    try source.take(.listed(unlistedCount: 0))
    return source
  }

  private func time(_ index: Int, _ seconds: Int64) -> ViewerMessage.CaptureTime {
    ViewerMessage.CaptureTime(index: index, taken: seconds * 1_000_000_000)
  }

  @Test("Names are sorted by capture times once all are there, or once nobody waits any longer")
  func times() throws {
    var source = try untimed([10, 20, 30, 40])
    try source.take(.times([time(0, 35), time(2, -5)], isLast: false))
    #expect(source.hasList() == nil)
    try source.take(.times([time(3, 1)], isLast: true))
    #expect(source.hasList() == true)
    #expect(source.list.shown == [0, 1, 3, 2])
    #expect(source.list.items.map(\.taken) == [35_000_000_000, nil, -5_000_000_000, 1_000_000_000])

    source = try untimed([10, 20, 30])
    try source.take(.times([time(0, 40)], isLast: false))
    source.sortByTimes()
    #expect(source.hasList() == true && source.list.shown == [0, 2, 1])
    // What comes later changes nothing that somebody scrolls through.
    try source.take(.times([time(1, 50)], isLast: true))
    #expect(source.list.shown == [0, 2, 1])
    source.sortByTimes()
    #expect(source.list.shown == [1, 0, 2])
  }

  @Test("A time is taken of what was listed without one, once, and none behind the last")
  func foreignTimes() throws {
    var unlisted = ShownSource()
    #expect(throws: ProtocolError.self) { try unlisted.take(.times([], isLast: true)) }
    #expect(unlisted.hasList() == nil)
    try unlisted.take(.names([candidate("a.jpg")]))
    #expect(throws: ProtocolError.self) { try unlisted.take(.times([time(0, 1)], isLast: false)) }

    let source = try untimed([1, 2])
    for wrong in [[time(2, 1)], [time(0, 1), time(0, 1)], [time(Int(UInt32.max), 1)]] {
      var other = source
      #expect(throws: ProtocolError.self) { try other.take(.times(wrong, isLast: false)) }
    }
    var sorted = source
    try sorted.take(.times([time(1, 5)], isLast: false))
    sorted.sortByTimes()
    #expect(throws: ProtocolError.self) { try sorted.take(.times([time(1, 6)], isLast: false)) }
    var last = source
    try last.take(.times([], isLast: true))
    #expect(throws: ProtocolError.self) { try last.take(.times([], isLast: true)) }
    #expect(throws: ProtocolError.self) { try last.take(.times([time(0, 1)], isLast: false)) }

    // What the list itself has told stays.
    var listed = ShownSource()
    #expect(listed.hasList() == nil)
    var photo = candidate("a.jpg")
    photo.taken = 7
    try listed.take(.names([photo]))
    try listed.take(.listed(unlistedCount: 0))
    #expect(throws: ProtocolError.self) { try listed.take(.times([time(0, 1)], isLast: false)) }
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
    var untimed = try untimed([1, 3, 2])
    try untimed.take(.times([time(0, 4)], isLast: false))
    untimed.fail()
    #expect(untimed.hasList() == true && untimed.list.shown == [0, 1, 2])
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
      .picture(0, []), .failed(.folderUnreadable), .times([], isLast: true),
      .times([time(0, -1), time(7, 5)], isLast: false),
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
      .times((0...ViewerMessage.maximumTimes).map { time($0, 1) }, isLast: false),
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
      guardedDevices: [1, .max],
      camera: [0, 1, 0xFF]
    )
    #expect(try ViewerTask(frame: content(task.frame)) == task)
    var large = task
    large.camera = [UInt8](repeating: 0, count: 64 << 10)
    #expect(throws: ProtocolError.self) { try ViewerTask(frame: content(large.frame)) }
  }
}
