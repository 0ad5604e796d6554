import MediaManifest
import MediaModel
import MediaTestSupport
import MediaWorkerProtocol
import Testing

@testable import MediaPicking

@Suite("The messages of a picker, a page and its viewer")
struct PickMessageTests {
  /// Paths of any bytes but NUL.
  private static let paths = [
    ItemPath(bytes: [0xFF, 0x0A, 0x2F, 0x80]), ItemPath(bytes: Array("a b\u{301}.jpg".utf8)),
    ItemPath(bytes: [UInt8](repeating: 0x61, count: 4096)),
  ]

  @Test("An answer is what was sent, and one that is cut or goes on is none")
  func answers() throws {
    let answers: [PickerAnswer] = [
      .picked(Self.paths), .picked([Self.paths[0]]), .canceled, .interrupted, .allowed, .denied,
      .kept,
      .decided([GroupAnswer(group: 0, .keep, [2, 0]), GroupAnswer(group: 7, .distinguish, [0])]),
    ]
    for answer in answers + ConsentError.Code.allCases.map({ .failed($0) }) {
      let content = try content(answer.frame)
      #expect(try PickerAnswer(frame: content) == answer)
      #expect(throws: ProtocolError.self) { try PickerAnswer(frame: content + [0]) }
      for length in content.indices.prefix(100) {
        #expect(throws: ProtocolError.self) { try PickerAnswer(frame: content[..<length]) }
      }
    }
    #expect(throws: ProtocolError.self) {
      try PickerAnswer(frame: try content(PickerAnswer.picked([]).frame))
    }
    for wrong in [[0], [8], [4, 1, 0, 0, 0, 0x58], [1, 0xFF, 0xFF, 0xFF, 0xFF]] as [[UInt8]] {
      #expect(throws: ProtocolError.self) { try PickerAnswer(frame: wrong[...]) }
    }
  }

  @Test("Groups of pictures are what was sent, and none has less than two")
  func groups() throws {
    var task = PageTask()
    task.token = PageTask.makeToken()
    var picture = PictureGroup.Picture(name: "a", facts: "640 × 400")
    (picture.badges, picture.turn) = (["live", "HDR"], PictureTurn.all.last)
    task.groups = [PictureGroup(isExact: true, reason: "most pixels", pictures: [picture, picture])]
    #expect(try PageTask(frame: try content(task.frame)) == task)
    task.groups[0].pictures.removeLast()
    #expect(throws: ProtocolError.self) { try PageTask(frame: try content(task.frame)) }
    let group = PictureGroup(isExact: false, reason: "", pictures: [picture, picture, picture])
    for numbers in [[0], [2, 1], [0, 1, 2]] {
      #expect(GroupAnswer(group: 0, .keep, numbers).fits([group]), "\(numbers)")
    }
    for numbers in [[], [3], [-1], [1, 1]] {
      #expect(!GroupAnswer(group: 0, .keep, numbers).fits([group]), "\(numbers)")
    }
    #expect(!GroupAnswer(group: 1, .keep, [0]).fits([group]))
    var viewer = ViewerTask(
      filter: [],
      crossMounts: false,
      showsPictures: true,
      guardedDevices: [],
      files: Self.paths
    )
    #expect(try ViewerTask(frame: try content(viewer.frame)) == viewer)
    viewer.files = nil
    #expect(try ViewerTask(frame: try content(viewer.frame)) == viewer)
  }

  @Test("A page says how many names it has shown, and never more than there can be")
  func replies() throws {
    for count in [0, 1, 255, 256, PickRequest.maximumLimit] {
      let reply = PageReply(shownCount: count, answer: .picked([Self.paths[0]]))
      #expect(try PageReply(frame: try content(reply.frame)) == reply)
    }
    let tooMany = PageReply(shownCount: PickRequest.maximumLimit + 1, answer: .denied)
    for wrong in [Array(try content(tooMany.frame)), [0, 0, 0, 0], [0, 0, 0, 0, 0x58]] {
      #expect(throws: ProtocolError.self) { try PageReply(frame: wrong[...]) }
    }
  }

  @Test("A page's task comes back with each of its fields; one with other numbers is none")
  func tasks() throws {
    var task = PageTask()
    task.token = PageTask.makeToken()
    (task.next, task.authority, task.policyReason) = ("n", "127.0.0.1:8042", "No\nsuch")
    (task.clientName, task.folder, task.usageDescriptions) = ("c", "/f", [LocalizedText("Why.\u{1F600}")])
    (task.changes, task.status) = (PageTask.Change.allCases, .limited)
    task.choices = PageTask.Choice.allCases.reversed()
    (task.maximumCount, task.showsPictures, task.idleSeconds) = (7, true, 5)
    (task.sort, task.earlier) = (.nameReversed, Self.paths)
    var answered = AnsweredQuestion(.library, .select)
    (answered.count, answered.fileCount) = (20, 21)
    task.answered = [answered]
    func read(_ task: PageTask) -> PageTask? {
      (try? content(task.frame)).flatMap { try? PageTask(frame: $0) }
    }
    #expect(read(task) == task)
    #expect(PageTask.makeToken() != task.token && task.token.utf8.count == 64)
    // No byte ends a field.
    task.policyReason = "a\0b"
    #expect(read(task) == task)
    for change: (inout PageTask) -> Void in [
      { $0.maximumCount = 0 }, { $0.maximumCount = PickRequest.maximumLimit + 1 },
      { $0.idleSeconds = 0 }, { $0.token.removeLast() },
    ] {
      var other = task
      change(&other)
      #expect(read(other) == nil)
    }
    let whole = try content(task.frame)
    for wrong in [whole.dropLast(), whole + [0]] {
      #expect(throws: ProtocolError.self) { try PageTask(frame: wrong) }
    }
  }

  // MARK: Viewer

  /// The content of a frame, as its receiver gets it.
  private func content(_ frame: [UInt8]) throws -> ArraySlice<UInt8> {
    var reader = FrameReader()
    frame.withUnsafeBytes { reader.append($0) }
    return try #require(try reader.next())
  }

  @Test("A viewer's messages and requests come back, and none is read that is cut or goes on")
  func viewer() throws {
    let candidates = [
      PickCandidate(files: [Self.paths[0]], size: -1, modified: .min),
      PickCandidate(files: [Self.paths[1], Self.paths[2]], size: .max, modified: 5),
    ]
    let messages: [ViewerMessage] =
      [
        .names(candidates), .names([]), .listed(unlistedCount: 3), .picture(7, []),
        .picture(8, [0xFF, 0xD8, 0xFF, 1]),
      ] + ConsentError.Code.allCases.map { .failed($0) }
    for message in messages {
      let content = try content(message.frame)
      #expect(try ViewerMessage(frame: content) == message)
      for length in 0..<min(content.count, 64) {
        #expect(throws: ProtocolError.self) { try ViewerMessage(frame: content.prefix(length)) }
      }
      #expect(throws: ProtocolError.self) { try ViewerMessage(frame: content + [0]) }
    }
    for request in [ViewerRequest.list, .picture(0), .picture(99_999)] {
      let content = try content(request.frame)
      #expect(try ViewerRequest(frame: content) == request)
      #expect(throws: ProtocolError.self) { try ViewerRequest(frame: content + [0]) }
      #expect(throws: ProtocolError.self) { try ViewerRequest(frame: content.dropLast()) }
    }
    for filter in [[], [.videos], [.images, .videos], Set(PickFilter.allCases)]
      as [Set<PickFilter>]
    {
      let task = ViewerTask(
        filter: filter,
        crossMounts: filter.isEmpty,
        showsPictures: filter == [.videos],
        guardedDevices: [.max, 1]
      )
      let content = try content(task.frame)
      #expect(try ViewerTask(frame: content) == task)
      #expect(throws: ProtocolError.self) { try ViewerTask(frame: content + [0]) }
    }
  }

  @Test("A viewer sends one to four files of a name, and pictures that begin like a JPEG")
  func hostileViewer() throws {
    let file = Self.paths[0]
    let pictures: [[UInt8]] = [[0xFF, 0xD8], [0x89, 0x50, 0x4E, 0x47], [0]]
    var messages: [ViewerMessage] = pictures.map { .picture(1, $0) }
    for files in [
      [], [file, file, file, file, file], [ItemPath(bytes: [])], [ItemPath(bytes: [0x61, 0])],
      [ItemPath(bytes: [UInt8](repeating: 0x61, count: 4097))],
    ] { messages.append(.names([PickCandidate(files: files)])) }
    let large =
      [0xFF, 0xD8, 0xFF] + [UInt8](repeating: 0, count: ViewerMessage.maximumPictureLength)
    messages.append(.picture(1, large))
    for message in messages {
      let content = try content(message.frame)
      #expect(throws: ProtocolError.self) { try ViewerMessage(frame: content) }
    }
  }
}
