import Glibc
import MediaModel
import MediaPicking
import MediaSandbox
import MediaWorkerProtocol
import Testing

@testable import MediaConsent

@Suite("The names that a picker gets from a viewer")
struct ViewerNamesTests {
  private static func candidate(_ name: String) -> PickCandidate {
    PickCandidate(files: [ItemPath(bytes: Array(name.utf8))])
  }

  /// Reads what a viewer says; it closes its end where its messages do not suffice.
  private func read(_ bytes: [UInt8], isClosed: Bool = false) throws -> ViewerNames {
    let ends = try DescriptorPassing.pair()
    defer { close(ends.unblocking) }
    #expect(DescriptorPassing.sendAll(bytes, over: ends.blocking))
    // Nothing can be sent to a closed end, so that only its other direction is closed.
    if isClosed { shutdown(ends.blocking, Int32(SHUT_WR)) }
    defer { close(ends.blocking) }
    var names = ViewerNames(from: ends.unblocking)
    try names.read { Issue.record("It waits.") }
    // It was asked for the list.
    let request = ViewerRequest.list.frame
    #expect(DescriptorPassing.receiveAll(request.count, over: ends.blocking)?.bytes == request)
    return names
  }

  private static let messages: [ViewerMessage] = [
    .names([candidate("a.jpg"), candidate("b.jpg")]), .names([]), .names([candidate("c.jpg")]),
  ]

  @Test("Names come in parts, with the folders that could not be listed, and times behind them")
  func parts() throws {
    let listed = Self.messages + [.listed(unlistedCount: 4)]
    let times: [ViewerMessage] = [
      .times([.init(index: 2, taken: 5)], isLast: false),
      .times([.init(index: 0, taken: -7)], isLast: true),
    ]
    let names = try read((listed + times).flatMap(\.frame))
    let files = ["a.jpg", "b.jpg", "c.jpg"].map(Self.candidate).flatMap(\.files)
    #expect(names.candidates.flatMap(\.files) == files && names.unlistedCount == 4)
    #expect(names.candidates.map(\.taken) == [-7, nil, 5])
    // Who waits for times that do not come goes on without them.
    let early = try read((listed + times.prefix(1)).flatMap(\.frame))
    #expect(early.candidates.map(\.taken) == [nil, nil, 5])
  }

  @Test("A viewer that cannot list says why, and what is no list, or ends early, fails")
  func failures() {
    let many = ViewerMessage.names((0..<60_000).map { _ in Self.candidate("a") })
    let wrong: [(messages: [UInt8], code: ConsentError.Code)] = [
      (ViewerMessage.failed(.folderUnreadable).frame, .folderUnreadable),
      (ViewerMessage.picture(0, []).frame, .pickerFailed),
      (Self.messages.flatMap(\.frame), .pickerFailed), ([], .pickerFailed),
      (
        [.listed(unlistedCount: 0), .times([.init(index: 0, taken: 1)], isLast: true)]
          .flatMap { (message: ViewerMessage) in message.frame }, .pickerFailed
      ),
      ([1, 0, 0, 0, 9], .pickerFailed), (Array(many.frame.prefix(2_000)), .pickerFailed),
    ]
    for (messages, code) in wrong {
      do {
        _ = try read(messages, isClosed: true)
        Issue.record("\(code) was not thrown")
      } catch {
        #expect((error as? ConsentError)?.code == code)
      }
    }
  }
}
