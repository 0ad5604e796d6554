import Foundation
import Glibc
import MediaModel
import MediaTestSupport
import Testing

extension RunningProgram {
  /// Waits for the end.
  func outcome() throws -> Outcome {
    Outcome(try #require(end(seconds: 240), "it did not end"))
  }

  /// The process that this program, or what it runs, has started with a word in its command line, or starts
  /// within a minute: the page answers before the others that run beside it are there.
  func child(named word: String) -> Int32? {
    func find(_ pid: Int32) -> Int32? {
      for child in Self.children(of: pid) {
        let line = FileManager.default.contents(atPath: "/proc/\(child)/cmdline") ?? Data()
        let words = line.split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
        if words.contains(where: { $0 == word || $0.hasSuffix("/" + word) }), child != self.pid {
          return child
        }
        if let descendant = find(child) { return descendant }
      }
      return nil
    }
    let limit = Date.now.addingTimeInterval(60)
    while true {
      if let child = find(pid) { return child }
      guard Date.now < limit else { return nil }
      usleep(10_000)
    }
  }
}

extension PageVisitor {
  /// Asks for a picture, and does not wait for it: the connection, nil when it is refused.
  func begin(picture number: Int) -> Int32? {
    let descriptor = connection()
    guard descriptor >= 0 else { return nil }
    let request =
      "GET /picture?name=\(number) HTTP/1.1\r\nHost: \(authority)\r\n"
      + "Mediabatch-Token: \(accepted ?? "")\r\n\r\n"
    _ = send(descriptor, request, request.utf8.count, Int32(MSG_NOSIGNAL))
    return descriptor
  }

  /// Asks for the picture of a name, and again while it is late, as the page's script does.
  func picture(_ name: String) -> Response? {
    let limit = Date.now.addingTimeInterval(240)
    while true {
      let response = ask("GET", "/picture?name=\(name)")
      let isLate = response?.head.contains("mediabatch-late") ?? false
      guard isLate, Date.now < limit else { return response }
    }
  }
}

@Suite("A person sees pictures of what may be selected", .enabled(if: Has.sqlite, "no sqlite3"))
struct AskingPicturesTests {
  @Test("A name that was shown has a picture, and nothing else has one")
  func shown() throws {
    let scene = try Scene.asking()
    try scene.put("sources/library/broken.jpg", Array("no picture".utf8))
    try scene.put("sources/library/cut.jpg", Array(try readBytes(Samples.photo(1)).prefix(3_000)))
    let program = try scene.askedRun()
    var visitor = try PageVisitor(of: program)
    #expect(visitor.picture("0")?.status == 403)
    try visitor.enter()
    // Nothing was shown yet, so nothing is to be seen.
    #expect(visitor.picture("0")?.status == 404)
    #expect(visitor.ask("GET", "/albums")?.body.contains("<bdi>b-canary</bdi>") == true)
    #expect(visitor.picture("0")?.status == 404)
    let filtered = try #require(visitor.ask("GET", "/names?search=a.jpg&from=0"))
    #expect(filtered.body.contains("data-picture=\"0\"") && filtered.body.contains("data-total=\"1\""))
    let picture = try #require(visitor.picture("0"))
    #expect(picture.status == 200)
    #expect(picture.head.contains("content-type: image/jpeg"))
    #expect(picture.head.contains("x-content-type-options: nosniff"))
    #expect(picture.head.contains("cache-control: no-store"))
    #expect(picture.head.contains("cross-origin-resource-policy: same-origin"))
    #expect(picture.head.contains("img-src 'self' blob:;"))
    for name in ["1", "-1", "99", "100000", "18446744073709551616", "0x0", "", "0%00", "../0"] {
      #expect(visitor.picture(name)?.status == 404, "\(name)")
    }
    #expect(visitor.ask("POST", "/picture?name=0")?.status == 404)
    #expect(visitor.ask("GET", "/picture?name=0") { $0["Mediabatch-Token"] = nil }?.status == 403)
    #expect(
      visitor.ask("GET", "/picture?name=0") { $0["Mediabatch-Token"] = visitor.token }?.status
        == 403
    )
    #expect(visitor.ask("GET", "/picture?name=0") { $0["Host"] = "evil.example" }?.status == 421)
    #expect(
      visitor.ask("GET", "/picture?name=0") { $0["Origin"] = "http://evil.example" }?.status == 403
    )
    let album = try #require(visitor.ask("GET", "/names?album=1&from=0"))
    #expect(album.body.contains("b.jpg") && album.body.contains("data-total=\"1\""))
    #expect(visitor.ask("GET", "/names?album=2&from=0")?.status == 400)
    let all = try #require(visitor.ask("GET", "/names?from=0"))
    #expect(all.body.contains("data-total=\"5\""))
    // A file that cannot be decoded costs its own picture alone.
    let statuses = (0..<5).map { visitor.picture("\($0)")?.status ?? 0 }
    let names = ["a.jpg", "b.jpg", "broken.jpg", "c.jpg", "cut.jpg"]
    #expect(statuses[2] == 204, "\(zip(names, statuses))")
    #expect([0, 1, 3].allSatisfy { statuses[$0] == 200 }, "\(statuses)")
    #expect(visitor.ask("POST", "/answer", body: "select 1")?.status == 200)
    try program.outcome().expect(0)
    #expect(try scene.importedPaths() == ["b-canary/b.jpg"])
    let records = try scene.lastLog().filter { $0["event"].string == "shown" }
    #expect(records.map { $0["count"].int } == [5])
  }

  @Test(
    "Names come by the day on which they were taken, whatever the files' times say",
    .enabled(if: Has.exiftool, "no exiftool")
  )
  func dated() throws {
    let scene = try Scene.asking()
    // The oldest file has the newest picture; a name tells a date too; one is no picture; one has no date.
    let dates = ["a.jpg": "2021:05:06 07:08:09", "b-canary/b.jpg": "2003:02:01 04:05:06"]
    for (name, date) in dates {
      let path = scene.at("sources/library/" + name)
      try Independent.make(
        "exiftool",
        ["-q", "-overwrite_original", "-all=", "-DateTimeOriginal=" + date, path]
      )
    }
    let plain = scene.at("sources/library/c.jpg")
    try Independent.make("exiftool", ["-q", "-overwrite_original", "-all=", plain])
    try scene.put("sources/library/IMG_20190704_101530.jpg", Array("no picture".utf8))
    let times: [(name: String, seconds: Double)] = [
      ("a.jpg", 1_000_000_000), ("b-canary/b.jpg", 1_700_000_000), ("c.jpg", 1_300_000_000),
      ("IMG_20190704_101530.jpg", 1_600_000_000),
    ]
    for (name, seconds) in times {
      try FileManager.default.setAttributes(
        [.modificationDate: Date(timeIntervalSince1970: seconds)],
        ofItemAtPath: scene.at("sources/library/" + name)
      )
    }
    let wanted = ["2021-05", "2019-07", "2011-03", "2003-02"]
    var months: [String] = []
    // A list waits two seconds for the dates: on a busy machine one of five has them.
    for _ in 0..<5 where months != wanted {
      let program = try scene.askedRun()
      var visitor = try PageVisitor(of: program)
      try visitor.enter()
      let names = try #require(visitor.ask("GET", "/names?from=0")).body
      months = names.components(separatedBy: "<li data-month=\"").dropFirst()
        .map { String($0.prefix { $0 != "\"" }) }
      #expect(visitor.ask("POST", "/answer", body: "later")?.status == 200)
      _ = try program.outcome()
    }
    #expect(months == wanted)
  }

  @Test("A picture is what the file shows, small", .enabled(if: Has.magick, "no ImageMagick"))
  func content() throws {
    let scene = try Scene.asking()
    let program = try scene.askedRun()
    var visitor = try PageVisitor(of: program)
    try visitor.enter()
    _ = visitor.ask("GET", "/names?from=0")
    #expect(visitor.picture("0")?.status == 200)
    let bytes = try #require(visitor.bytes(of: "/picture?name=0"))
    let file = scene.at("picture.jpg")
    try Data(bytes).write(to: URL(fileURLWithPath: file))
    let result = try Tool.run("identify", ["-format", "%m %w %h", file])
    #expect(result.output == "JPEG 320 320", "\(result)")
    #expect(visitor.ask("POST", "/answer", body: "later")?.status == 200)
    _ = try program.outcome()
  }

  @Test(
    "Only the viewer opens a file: one of the list for its date, and again for its picture",
    .enabled(if: Has.strace, "no strace")
  )
  func traced() throws {
    let scene = try Scene.asking()
    try scene.declare("camera", "denied")
    try scene.put("sources/camera/secret.jpg", copyOf: Samples.photo(5))
    let trace = try scene.traced(["run", "manifest.json", "--format", "json", "--web"])
    var visitor = try PageVisitor(of: trace.program)
    try visitor.enter()
    _ = visitor.ask("GET", "/question")
    #expect(try trace.opened("b-canary").isEmpty)
    #expect(try trace.lines().filter { $0.contains("getdents") && $0.contains("sources/") }.isEmpty)
    for name in ["a.jpg", "b.jpg", "c.jpg"] { #expect(try trace.opened(name).isEmpty) }
    _ = visitor.ask("GET", "/names?from=0")
    for name in ["0", "2", "2"] { #expect(visitor.picture(name)?.status == 200) }
    #expect(visitor.ask("POST", "/answer", body: "deny")?.status == 200)
    _ = try trace.program.outcome()
    let lines = try trace.lines()
    let start = try #require(lines.first { $0.contains("execve(") && $0.contains("\"viewer\"") })
    let viewer = try #require(start.split(separator: " ").first)
    for (name, count) in [("a.jpg", 2), ("b.jpg", 1), ("c.jpg", 2)] {
      let opened = try trace.opened(name)
      #expect(opened.count == count && opened.allSatisfy { $0.hasPrefix("\(viewer) ") }, "\(opened)")
    }
    // For its picture each file has a worker of its own; for their dates the three have one, on a slow machine two.
    let workers = lines.filter { $0.contains("execve(") && $0.contains("mediabatch-worker\"") }
    #expect((3...4).contains(workers.count), "\(workers)")
    #expect(try trace.opened("secret.jpg").isEmpty)
    #expect(lines.filter { $0.contains("getdents") && $0.contains("sources/camera") }.isEmpty)
    let listed = lines.filter { $0.contains("getdents") && $0.contains("sources/library") }
    #expect(!listed.isEmpty && listed.allSatisfy { $0.hasPrefix("\(viewer) ") })
  }

  @Test(
    "Of a source that is denied names are shown and no file is opened",
    .enabled(if: Has.strace, "no strace")
  )
  func denied() throws {
    let scene = try Scene.asking()
    try scene.writeManifest()
    try scene.access("deny", "manifest.json", "library").expect(0)
    let trace = try scene.traced(["access", "ask", "manifest.json", "library", "--web"])
    var visitor = try PageVisitor(of: trace.program)
    try visitor.enter()
    #expect(try #require(visitor.ask("GET", "/question")).body.contains("no file of it is opened"))
    let names = try #require(visitor.ask("GET", "/names?from=0"))
    #expect(names.body.contains("a.jpg") && !names.body.contains("data-picture"))
    for index in 0..<3 { #expect(visitor.picture("\(index)")?.status == 404) }
    #expect(visitor.ask("POST", "/answer", body: "select 0")?.status == 200)
    try trace.program.outcome().expect(0)
    for name in ["a.jpg", "b.jpg", "c.jpg"] {
      #expect(try trace.opened(name).isEmpty, "\(name)")
    }
  }

  @Test("A file that is exchanged after the listing, or is another source's too, has no picture")
  func exchanged() throws {
    let scene = try Scene.asking()
    try scene.declare("camera", "denied")
    try scene.put("sources/camera/secret.jpg", copyOf: Samples.photo(5))
    for name in ["link", "folder/x", "fifo", "second"] {
      try scene.put("sources/library/\(name).jpg", copyOf: Samples.photo(4))
    }
    let program = try scene.askedRun()
    var visitor = try PageVisitor(of: program)
    try visitor.enter()
    let names = try #require(visitor.ask("GET", "/names?from=0"))
    #expect(names.body.contains("data-total=\"7\""))
    let secret = scene.at("sources/camera/secret.jpg")
    func exchange(_ name: String, _ make: (String) -> Int32) {
      let path = scene.at("sources/library/" + name)
      #expect(rename(path, scene.at("was-" + name)) == 0)
      #expect(make(path) == 0)
    }
    exchange("link.jpg") { symlink(secret, $0) }
    exchange("folder") { symlink(scene.at("sources/camera"), $0) }
    try FileManager.default.copyItem(atPath: secret, toPath: scene.at("sources/camera/x.jpg"))
    exchange("fifo.jpg") { mkfifo($0, 0o600) }
    exchange("second.jpg") { link(secret, $0) }
    // In the order of the names: a, b-canary/b, c, fifo, folder/x, link, second.
    let statuses = (0..<7).map { visitor.picture("\($0)")?.status ?? 0 }
    #expect(statuses == [200, 200, 200, 204, 204, 204, 204])
    #expect(visitor.ask("POST", "/answer", body: "later")?.status == 200)
    _ = try program.outcome()
  }

  @Test("A picture that is a bomb costs its own, and bounded memory")
  func bombs() throws {
    let scene = try Scene.asking()
    try scene.put("sources/library/bomb.png", Bombs.png(side: 60_000))
    try scene.put("sources/library/frames.png", Bombs.apng(frames: 20_000))
    try scene.put("sources/library/text.png", Bombs.png(kind: "zTXt", unpackingTo: 200 << 20))
    let program = try scene.askedRun()
    var visitor = try PageVisitor(of: program)
    try visitor.enter()
    _ = visitor.ask("GET", "/names?from=0")
    let page = try #require(program.child(named: "asking-page"))
    let viewer = try #require(program.child(named: "viewer"))
    for index in 0..<6 { _ = visitor.picture("\(index)") }
    #expect(visitor.picture("2")?.status == 204)
    #expect(visitor.picture("0")?.status == 200)
    for process in [page, viewer] {
      #expect(RunningProgram.memory("VmHWM", of: process) < 128 << 20)
    }
    #expect(visitor.ask("POST", "/answer", body: "allow")?.status == 200)
    _ = try program.outcome()
  }

  @Test("Thousands of requests for pictures at once keep nobody from answering")
  func crowds() throws {
    let scene = try Scene.asking()
    for number in 0..<300 {
      try scene.put("sources/library/many/\(number).jpg", copyOf: Samples.photo(number % 8 + 1))
    }
    let program = try scene.askedRun()
    var visitor = try PageVisitor(of: program)
    try visitor.enter()
    _ = visitor.ask("GET", "/names?from=0")
    _ = visitor.ask("GET", "/names?from=200")
    let page = try #require(program.child(named: "asking-page"))
    let viewer = try #require(program.child(named: "viewer"))
    var open: [Int32] = []
    defer { for descriptor in open { close(descriptor) } }
    var mostWorkers = 0
    for number in 0..<Amount.of(400, all: 10_000) {
      guard let descriptor = visitor.begin(picture: number % 303) else { continue }
      open.append(descriptor)
      if open.count > 200 { close(open.removeFirst()) }
      if number % 25 == 0 {
        mostWorkers = max(mostWorkers, RunningProgram.children(of: viewer).count)
      }
    }
    // The requests may all be sent before the first worker has begun, or the last one may have ended by now.
    if mostWorkers == 0 {
      #expect(program.waits { !RunningProgram.children(of: viewer).isEmpty })
    }
    #expect(max(mostWorkers, RunningProgram.children(of: viewer).count) <= 4)
    #expect(visitor.ask("GET", "/question")?.status == 200)
    // The page refuses connections for as long as it has not seen that others were closed.
    #expect(program.waits { visitor.picture("302")?.status == 200 })
    #expect(RunningProgram.memory("VmHWM", of: page) < 128 << 20)
    #expect(RunningProgram.memory("VmHWM", of: viewer) < 128 << 20)
    #expect(visitor.ask("POST", "/answer", body: "select 0")?.status == 200)
    try program.outcome().expect(0)
    #expect(try scene.importedPaths() == ["a.jpg"])
  }

  @Test("Workers that have ended by the time the viewer looks keep no other picture waiting")
  func endedAtOnce() throws {
    let scene = try Scene.asking()
    for number in 0..<4 {
      try scene.put("sources/library/many/\(number).jpg", copyOf: Samples.photo(number + 1))
    }
    let program = try scene.askedRun()
    var visitor = try PageVisitor(of: program)
    try visitor.enter()
    _ = visitor.ask("GET", "/names?from=0")
    let viewer = try #require(program.child(named: "viewer"))
    // The capture times are read.
    #expect(program.waits { RunningProgram.children(of: viewer).isEmpty })
    #expect(kill(viewer, SIGSTOP) == 0)
    let open = (0..<4).compactMap { visitor.begin(picture: $0) }
    #expect(open.count == 4)
    defer { for descriptor in open { close(descriptor) } }
    #expect(visitor.ask("GET", "/question")?.status == 200)
    #expect(kill(viewer, SIGCONT) == 0)
    let workers = min(2, ProcessInfo.processInfo.activeProcessorCount)
    // On a busy machine all may have ended before they were seen.
    _ = program.waits(seconds: 5) { RunningProgram.children(of: viewer).count >= workers }
    #expect(kill(viewer, SIGSTOP) == 0)
    // The time in which they make their pictures.
    usleep(500_000)
    #expect(kill(viewer, SIGCONT) == 0)
    for number in 0..<4 {
      let head = try #require(visitor.picture("\(number)")).head
      #expect(!head.contains("mediabatch-late"), "\(number)")
    }
    #expect(visitor.ask("POST", "/answer", body: "later")?.status == 200)
    try program.outcome().expect(75)
  }

  @Test("A connection has one request: what is sent behind it while it waits is not read")
  func pipelined() throws {
    let scene = try Scene.asking()
    let program = try scene.askedRun()
    var visitor = try PageVisitor(of: program)
    try visitor.enter()
    _ = visitor.ask("GET", "/names?from=0")
    let viewer = try #require(program.child(named: "viewer"))
    #expect(kill(viewer, SIGSTOP) == 0)
    func request(_ line: String, _ body: String = "") -> String {
      "\(line) HTTP/1.1\r\nHost: \(visitor.authority)\r\nOrigin: http://\(visitor.authority)\r\n"
        + "Mediabatch-Token: \(visitor.accepted ?? "")\r\nContent-Length: \(body.utf8.count)\r\n\r\n"
        + body
    }
    let both = request("GET /picture?name=0") + request("POST /answer", "later")
    let descriptor = visitor.connection()
    defer { close(descriptor) }
    #expect(send(descriptor, both, both.utf8.count, Int32(MSG_NOSIGNAL)) == both.utf8.count)
    // The page reads in the order of arrival, so that the answer would have ended it.
    #expect(visitor.ask("GET", "/question")?.status == 200)
    #expect(kill(viewer, SIGCONT) == 0)
    let response = try #require(PageVisitor.response(from: descriptor))
    // A busy machine takes longer than the page waits for a picture.
    let isPicture = response.status == 200 && response.head.contains("content-type: image/jpeg")
    #expect(isPicture || response.head.contains("mediabatch-late"), "\(response.head)")
    #expect(visitor.ask("POST", "/answer", body: "later")?.status == 200)
    try program.outcome().expect(75)
  }

  /// Takes seconds: the page waits for ten before it says so.
  @Test("Who waits for a long list is told to ask again, and gets it when it is there")
  func slowList() throws {
    let scene = try Scene.asking()
    let program = try scene.askedRun()
    var visitor = try PageVisitor(of: program)
    try visitor.enter()
    let viewer = try #require(program.child(named: "viewer"))
    #expect(kill(viewer, SIGSTOP) == 0)
    #expect(visitor.ask("GET", "/names?from=0")?.status == 202)
    #expect(visitor.ask("GET", "/question")?.status == 200)
    #expect(kill(viewer, SIGCONT) == 0)
    #expect(visitor.ask("GET", "/names?from=0")?.status == 200)
    #expect(visitor.ask("POST", "/answer", body: "later")?.status == 200)
    _ = try program.outcome()
  }

  @Test("Without its viewer a page answers on, without pictures; nothing of it outlives the answer")
  func killed() throws {
    let scene = try Scene.asking()
    let program = try scene.askedRun()
    var visitor = try PageVisitor(of: program)
    try visitor.enter()
    _ = visitor.ask("GET", "/names?from=0")
    #expect(visitor.picture("0")?.status == 200)
    let viewer = try #require(program.child(named: "viewer"))
    #expect(kill(viewer, SIGKILL) == 0)
    // What was seen stays.
    #expect(program.waits { visitor.picture("1")?.status == 204 })
    #expect(visitor.picture("0")?.status == 200)
    #expect(visitor.ask("GET", "/names?from=0")?.status == 200)
    #expect(visitor.ask("POST", "/answer", body: "select 0")?.status == 200)
    try program.outcome().expect(0)
    #expect(try scene.importedPaths() == ["a.jpg"])

    let other = try Scene.asking()
    let asking = try other.askedRun()
    visitor = try PageVisitor(of: asking)
    try visitor.enter()
    let listing = try #require(asking.child(named: "viewer"))
    #expect(kill(listing, SIGKILL) == 0)
    #expect(visitor.ask("GET", "/names?from=0")?.status == 503)
    #expect(visitor.ask("POST", "/answer", body: "select 0")?.status == 400)
    #expect(visitor.ask("POST", "/answer", body: "deny")?.status == 200)
    _ = try asking.outcome()
  }
}

/// A program under strace.
struct Traced {
  let program: RunningProgram
  let path: String

  func lines() throws -> [String] {
    String(decoding: try readBytes(path), as: UTF8.self).split(separator: "\n").map(String.init)
  }

  /// The calls that open a name, whether or not they succeed; a place alone (O_PATH) is not opened.
  func opened(_ name: String) throws -> [String] {
    try lines().filter {
      $0.contains(" open") && $0.contains(name + "\"") && !$0.contains("O_PATH")
    }
  }
}

extension Scene {
  func traced(_ arguments: [String]) throws -> Traced {
    try writeManifest()
    let path = at("trace")
    let program = try RunningProgram(
      "strace",
      ["-f", "-y", "-s", "400", "-o", path, Scene.executable()] + arguments,
      environment: Scene.environment(in: self.path),
      in: self.path
    )
    return Traced(program: program, path: path)
  }
}

extension PageVisitor {
  /// The body of a response, as bytes.
  func bytes(of target: String) -> [UInt8]? {
    let descriptor = connection()
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    let request =
      "GET \(target) HTTP/1.1\r\nHost: \(authority)\r\nMediabatch-Token: \(accepted ?? "")\r\n\r\n"
    guard send(descriptor, request, request.utf8.count, Int32(MSG_NOSIGNAL)) > 0 else { return nil }
    var received: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = recv(descriptor, &buffer, buffer.count, 0)
      guard count > 0 else { break }
      received += buffer.prefix(count)
    }
    guard let end = received.firstRange(of: Array("\r\n\r\n".utf8)) else { return nil }
    return Array(received[end.upperBound...])
  }
}
