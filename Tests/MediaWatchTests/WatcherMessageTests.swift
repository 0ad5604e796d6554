import MediaWorkerProtocol
import Testing

@testable import MediaWatch

@Suite("What a watch and its watcher say to each other")
struct WatcherMessageTests {
  @Test("A task comes back with the rules of each source, and none is read that is cut or goes on")
  func tasks() throws {
    let task = WatcherTask(
      sources: [
        .init(ignored: ["*.tmp", "drafts/**"], ignoresDefaults: false),
        .init(ignored: [], ignoresDefaults: true),
      ],
      enforcesByKernel: true
    )
    let content = task.frame.dropFirst(4)
    #expect(try WatcherTask(frame: content) == task)
    for end in content.indices {
      #expect(throws: ProtocolError.self) { try WatcherTask(frame: content[..<end]) }
    }
    #expect(throws: ProtocolError.self) { try WatcherTask(frame: content + [0]) }
    var other = task
    other.sources[1].ignored = [""]
    #expect(throws: ProtocolError.self) { try WatcherTask(frame: other.frame.dropFirst(4)) }
  }

  @Test("A watcher says three words")
  func messages() throws {
    for byte in UInt8.min...UInt8.max {
      let expected = WatcherMessage.allCases.first { $0.rawValue == byte }
      #expect((try? WatcherMessage(frame: [byte])) == expected)
    }
  }
}
