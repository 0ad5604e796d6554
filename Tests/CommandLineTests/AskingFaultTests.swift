import Foundation
import Glibc
import MediaModel
import MediaSyntax
import MediaTestSupport
import Testing

extension PageVisitor {
  /// What a browser leaves that is killed: half a request, and one whose response nobody reads, both reset.
  fileprivate func vanish() {
    let whole =
      "GET /names?from=0 HTTP/1.1\r\nHost: \(authority)\r\nMediabatch-Token: \(accepted ?? "")\r\n\r\n"
    for request in [String(whole.prefix(20)), whole] {
      let descriptor = connection()
      guard descriptor >= 0 else { continue }
      _ = send(descriptor, request, request.utf8.count, Int32(MSG_NOSIGNAL))
      // Closing then resets the connection. Source: socket(7), SO_LINGER.
      var now = linger(l_onoff: 1, l_linger: 0)
      let size = socklen_t(MemoryLayout<linger>.size)
      setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &now, size)
      close(descriptor)
    }
  }
}

@Suite("A page whose viewer hangs or whose browser is gone", .enabled(if: Has.sqlite, "no sqlite3"))
struct AskingFaultTests {
  /// Takes seconds: the page waits for three before it says so.
  @Test("A picture whose viewer hangs is late within seconds, and there once the viewer goes on")
  func stoppedViewer() throws {
    let scene = try Scene.asking()
    let program = try scene.askedRun()
    var visitor = try PageVisitor(of: program)
    try visitor.enter()
    _ = visitor.ask("GET", "/names?from=0")
    let viewer = try #require(program.child(named: "viewer"))
    #expect(kill(viewer, SIGSTOP) == 0)
    // The limit is three seconds, and a connection ends after 15; on a busy machine one of three is in time.
    var shortest = Duration.seconds(60)
    for name in 0..<3 where shortest >= .seconds(12) {
      let begin = ContinuousClock.now
      let late = try #require(visitor.ask("GET", "/picture?name=\(name)"))
      #expect(late.status == 204 && late.head.contains("mediabatch-late: 1"), "\(late)")
      shortest = min(shortest, begin.duration(to: .now))
    }
    #expect(shortest < .seconds(12))
    #expect(visitor.ask("GET", "/question")?.status == 200)
    #expect(kill(viewer, SIGCONT) == 0)
    let isThere = program.waits { visitor.picture("0")?.status == 200 }
    #expect(isThere)
    // An answer waits for no viewer, and ends it as it stands.
    #expect(kill(viewer, SIGSTOP) == 0)
    #expect(visitor.ask("POST", "/answer", body: "allow")?.status == 200)
    try program.outcome().expect(0)
    #expect(try scene.originals().count == 3)
  }

  /// Takes seconds, as the one before.
  @Test("A picture whose worker hangs is late, and there once the worker goes on")
  func stoppedWorker() throws {
    let scene = try Scene.asking()
    for number in 0..<20 {
      try scene.put("sources/library/more/\(number).jpg", copyOf: Samples.photo(number % 8 + 1))
    }
    let program = try scene.askedRun()
    var visitor = try PageVisitor(of: program)
    try visitor.enter()
    _ = visitor.ask("GET", "/names?from=0")
    let viewer = try #require(program.child(named: "viewer"))
    // A worker that has drawn its picture before it is stopped shows nothing: the next picture has another one.
    var late: PageVisitor.Response?
    var lateName = 0
    for name in 0..<20 where late == nil {
      // Those that have read dates.
      let others = Set(RunningProgram.children(of: viewer))
      let descriptor = visitor.connection()
      try #require(descriptor >= 0)
      defer { close(descriptor) }
      let request =
        "GET /picture?name=\(name) HTTP/1.1\r\nHost: \(visitor.authority)\r\n"
        + "Mediabatch-Token: \(visitor.accepted ?? "")\r\n\r\n"
      let length = request.utf8.count
      #expect(send(descriptor, request, length, Int32(MSG_NOSIGNAL)) == length)
      var worker: Int32?
      let isBegun = program.waits {
        worker = RunningProgram.children(of: viewer).first { !others.contains($0) }
        var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return worker != nil || poll(&entry, 1, 0) > 0
      }
      try #require(isBegun)
      if let worker { kill(worker, SIGSTOP) }
      let response = try #require(PageVisitor.response(from: descriptor))
      if let worker { kill(worker, SIGCONT) }
      if worker != nil, response.status != 200 { (late, lateName) = (response, name) }
    }
    let response = try #require(late)
    #expect(response.status == 204 && response.head.contains("mediabatch-late: 1"), "\(response)")
    #expect(visitor.picture("\(lateName)")?.status == 200)
    #expect(visitor.ask("POST", "/answer", body: "later")?.status == 200)
    try program.outcome().expect(75)
  }

  @Test("When its browser is killed a run waits, and goes on with the same browser's next request")
  func killedBrowser() throws {
    let scene = try Scene.asking()
    let program = try scene.askedRun()
    var visitor = try PageVisitor(of: program)
    try visitor.enter()
    _ = visitor.ask("GET", "/names?from=0")
    #expect(visitor.ask("POST", "/selection", body: "add 2")?.status == 200)
    visitor.vanish()
    // The address's token was used; what the browser has kept counts.
    #expect(visitor.ask("POST", "/session", body: visitor.token)?.status == 403)
    #expect(visitor.ask("GET", "/question")?.status == 200)
    #expect(visitor.ask("GET", "/selection")?.body == "2")
    #expect(!program.hasEnded())
    #expect(try scene.stored("SELECT status FROM answers") == [])
    #expect(visitor.ask("POST", "/answer", body: "select")?.status == 200)
    try program.outcome().expect(0)
    #expect(try scene.importedPaths() == ["c.jpg"])
  }

  /// Takes seconds: the time for which a page stays unused.
  @Test("When the browser does not come back, the page ends by itself without an answer")
  func lostBrowser() throws {
    let folder = TemporaryFolder()
    for _ in 0..<5 {
      let begin = ContinuousClock.now
      let program = try RunningProgram(
        BuiltProgram.path("consent-probe"),
        ["page", "idle=3"],
        environment: [:],
        in: folder.path
      )
      var visitor = try PageVisitor(of: program)
      let session = visitor.ask("POST", "/session", body: visitor.token)
      // A browser that comes so late finds no page.
      if begin.duration(to: .now) >= .seconds(3) { continue }
      #expect(session?.status == 200)
      visitor.accepted = session?.body
      visitor.vanish()
      let outcome = Outcome(try #require(program.end(seconds: 240), "it did not end"))
      #expect(outcome.output == "undecided\n", "\(outcome.streams)")
      return
    }
    Issue.record("this process stood still each time")
  }
}
