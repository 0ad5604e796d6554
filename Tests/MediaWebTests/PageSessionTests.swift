import Foundation
import MediaManifest
import MediaModel
import MediaPages
import MediaPicking
import MediaWorkerProtocol
import Testing

@testable import MediaWeb

@Suite("A page answers one browser, at its own address alone")
struct PageSessionTests {
  private let token = String(repeating: "0a", count: 32)

  private func session(_ change: (inout PageTask) -> Void = { _ in }) -> PageSession {
    var task = PageTask()
    task.token = token
    task.authority = "127.0.0.1:8042"
    task.clientName = "<b>Feed</b>"
    task.usageDescriptions = [LocalizedText("You & \"we\" <script>alert(1)</script>")]
    task.choices = [.allow, .deny, .later]
    change(&task)
    return PageSession(task)
  }

  private func request(
    _ method: String,
    _ target: String,
    _ headers: [String: [String]] = ["host": ["127.0.0.1:8042"]],
    body: String = ""
  ) -> PageRequest {
    PageRequest(method: method, target: target, headers: { headers[$0] ?? [] }, body: Array(body.utf8))
  }

  private let own = ["host": ["127.0.0.1:8042"], "origin": ["http://127.0.0.1:8042"]]

  @Test(
    "A host that is not the page's own is refused, for every path",
    arguments: [
      [], ["evil.example:8042"], ["127.0.0.1:8043"], ["127.0.0.1"], ["localhost:8042"],
      ["127.0.0.1:8042.evil.example"], ["127.0.0.1:8042", "127.0.0.1:8042"],
    ]
  )
  func hosts(host: [String]) {
    var session = session()
    for path in ["/", "/page.js", "/question", "/nothing"] {
      #expect(session.response(to: request("GET", path, ["host": host])).status == 421)
    }
  }

  @Test("Behind a tunnel every port of the person's own machine is, and nothing else")
  func tunnel() {
    var session = session { $0.authority = "" }
    for host in ["127.0.0.1:1", "localhost:8042", "localhost"] {
      #expect(session.response(to: request("GET", "/", ["host": [host]])).status == 200)
    }
    for host in ["evil.example", "localhost.evil.example:80", "localhost:80:80", "localhost:x", ""] {
      #expect(session.response(to: request("GET", "/", ["host": [host]])).status == 421)
    }
  }

  @Test("Another origin is refused, and a change without one")
  func origins() {
    var session = session()
    for origin in [["http://evil.example"], ["null"], ["https://127.0.0.1:8042"], []] {
      let headers = ["host": ["127.0.0.1:8042"], "origin": origin]
      #expect(session.response(to: request("POST", "/session", headers, body: token)).status == 403)
    }
    #expect(session.response(to: request("POST", "/session", own, body: token)).status == 200)
  }

  @Test("A token that differs in one byte, wherever it is, is refused")
  func nearTokens() {
    for offset in 0..<token.utf8.count {
      for byte in UInt8(ascii: "0")...UInt8(ascii: "f") where byte != Array(token.utf8)[offset] {
        var bytes = Array(token.utf8)
        bytes[offset] = byte
        let wrong = String(decoding: bytes, as: UTF8.self)
        var session = session()
        #expect(
          session.response(to: request("POST", "/session", own, body: wrong)).status == 403,
          "\(wrong)"
        )
      }
    }
    var session = session()
    let exchanged = session.response(to: request("POST", "/session", own, body: token))
    var accepted = 0
    for _ in 0..<10_000 {
      let wrong = own.merging([PageSession.tokenHeader: [PageTask.makeToken()]]) { $1 }
      if session.response(to: request("GET", "/question", wrong)).status != 403 { accepted += 1 }
    }
    #expect(exchanged.status == 200 && accepted == 0)
  }

  @Test("The token counts once, and nothing is told without the one that it was exchanged for")
  func tokens() throws {
    var session = session()
    #expect(session.response(to: request("POST", "/session", own, body: "")).status == 403)
    let wrong = String(repeating: "0b", count: 32)
    #expect(session.response(to: request("POST", "/session", own, body: wrong)).status == 403)
    let exchanged = session.response(to: request("POST", "/session", own, body: token))
    let second = String(decoding: exchanged.body, as: UTF8.self)
    #expect(exchanged.status == 200 && second.utf8.count == 64 && second != token)
    #expect(session.response(to: request("POST", "/session", own, body: token)).status == 403)
    for wrong in [[], [token], [second, second], [""]] {
      let headers = own.merging([PageSession.tokenHeader: wrong]) { $1 }
      let asked = session.response(to: request("GET", "/question", headers))
      #expect(asked.status == 403)
      let answered = session.response(to: request("POST", "/answer", headers, body: "allow"))
      #expect(answered.status == 403 && answered.answer == nil)
    }
    let headers = own.merging([PageSession.tokenHeader: [second]]) { $1 }
    let html = String(
      decoding: session.response(to: request("GET", "/question", headers)).body,
      as: UTF8.self
    )
    #expect(html.contains("&lt;script&gt;") && !html.contains("<script>") && !html.contains("<b>"))
    #expect(!html.contains("Select photos"))
    for wrong in ["", "keep", "select 1", "allow 1", "ALLOW", "select"] {
      #expect(session.response(to: request("POST", "/answer", headers, body: wrong)).status == 400)
    }
    #expect(session.response(to: request("POST", "/answer", headers, body: "deny")).answer == .denied)
  }

  /// A session whose viewer has told three names, changed at these seconds, and maybe that it knows no other time.
  private func listed(
    _ seconds: [Int64],
    limit: Int = 3,
    hasTimes: Bool = true,
    showsPictures: Bool = false
  ) throws -> (PageSession, [String: [String]]) {
    var session = session {
      $0.choices = [.select, .later]
      $0.maximumCount = limit
      $0.showsPictures = showsPictures
    }
    let exchanged = session.response(to: request("POST", "/session", own, body: token))
    let second = String(decoding: exchanged.body, as: UTF8.self)
    let headers = own.merging([PageSession.tokenHeader: [second]]) { $1 }
    _ = session.respond(to: request("GET", "/names?from=0", headers))
    try session.source.take(
      .names(
        seconds.enumerated().map { number, seconds in
          PickCandidate(
            files: [ItemPath(bytes: Array("\(number).jpg".utf8))],
            modified: seconds * 1_000_000_000
          )
        }
      )
    )
    try session.source.take(.listed(unlistedCount: 0))
    if hasTimes { try session.source.take(.times([], isLast: true)) }
    return (session, headers)
  }

  @Test("The first names wait for capture times; later ones are for the next listing")
  func times() throws {
    let (start, headers) = try listed(Array(1...250), hasTimes: false)
    var session = start
    func numbers(_ query: String) -> [Int] {
      let response = session.response(to: request("GET", "/names?" + query, headers))
      let parts = String(decoding: response.body, as: UTF8.self)
        .components(separatedBy: " value=\"").dropFirst()
      return parts.compactMap { Int($0.prefix { $0 != "\"" }) }
    }
    func time(_ index: Int, _ seconds: Int64) -> ViewerMessage.CaptureTime {
      ViewerMessage.CaptureTime(index: index, taken: seconds * 1_000_000_000)
    }
    for target in ["/names?from=0", "/albums"] {
      guard case .waitsForNames = session.respond(to: request("GET", target, headers)) else {
        Issue.record("\(target) does not wait")
        continue
      }
    }
    try session.source.take(.times([time(0, 1_000)], isLast: false))
    session.source.sortByTimes()
    let first = numbers("from=0")
    #expect(first.count == 200 && first.prefix(3) == [0, 249, 248])
    // Of 249 and 1 the times come while somebody scrolls: each name is shown once all the same.
    try session.source.take(.times([time(249, 2), time(1, 2_000)], isLast: true))
    let remaining = numbers("from=200")
    #expect(Set(first + remaining) == Set(0..<250) && remaining.count == 50 && remaining.last == 1)
    #expect(numbers("search=.jpg&from=0").prefix(3) == [1, 0, 248])
    #expect(numbers("from=200").last == 249)
  }

  @Test("A picture of before 1970 has its day and month")
  func early() throws {
    let (start, headers) = try listed([5], hasTimes: false)
    var session = start
    // 31 December 1969, a Wednesday, in the last second.
    let time = ViewerMessage.CaptureTime(index: 0, taken: -1_000_000_000)
    try session.source.take(.times([time], isLast: true))
    let names = String(
      decoding: session.response(to: request("GET", "/names?from=0", headers)).body,
      as: UTF8.self
    )
    #expect(names.contains("\"1969-12\"") && names.contains("\"1969-12-31\""), "\(names)")
  }

  @Test("Names come newest first, by months and days, those without a date last")
  func order() throws {
    // 30 August 2025, no date, 31 August, 30 August.
    let (start, headers) = try listed([1_756_555_200, 0, 1_756_641_600, 1_756_555_201])
    var session = start
    let names = String(
      decoding: session.response(to: request("GET", "/names?from=0", headers)).body,
      as: UTF8.self
    )
    let parts = names.components(separatedBy: "<li data-month=").dropFirst()
    #expect(parts.map { $0.hasPrefix("\"2025-08\"") } == [true, true, true, false])
    let order = ["2.jpg", "3.jpg", "0.jpg", "1.jpg"]
    for (part, name) in zip(parts, order) { #expect(part.contains("<bdi>\(name)</bdi>")) }
    let days = parts.map { $0.contains("class=\"day\"") }
    #expect(days == [true, true, false, false], "\(names)")
    #expect(names.contains("data-date=\"2025-08-31\"") && names.contains("data-date=\"2025-08-30\""))
  }

  @Test("What is selected stays in the session until it is sent, up to the limit")
  func selection() throws {
    let (start, headers) = try listed([1, 2, 3], limit: 2)
    var session = start
    func post(_ words: String) -> PageResponse {
      session.response(to: request("POST", "/selection", headers, body: words))
    }
    func selected() -> String {
      String(decoding: session.response(to: request("GET", "/selection", headers)).body, as: UTF8.self)
    }
    // Nothing was shown yet.
    #expect(post("add 0").status == 400)
    _ = session.response(to: request("GET", "/names?from=0", headers))
    #expect(session.response(to: request("POST", "/answer", headers, body: "select")).status == 400)
    for words in ["", "add x", "add 3", "take 1", "add 1 -1"] { #expect(post(words).status == 400) }
    #expect(post("add 2 0").status == 200 && selected() == "2 0")
    #expect(post("add 1").status == 400 && selected() == "2 0")
    #expect(post("remove 2").status == 200 && post("add 1").status == 200 && selected() == "0 1")
    let only = session.response(to: request("GET", "/names?only=selected&from=0", headers))
    #expect(String(decoding: only.body, as: UTF8.self).contains("data-total=\"2\""))
    #expect(session.response(to: request("POST", "/selection", own, body: "clear")).status == 403)
    let answer = session.response(to: request("POST", "/answer", headers, body: "select")).answer
    let files = ["0.jpg", "1.jpg"].map { ItemPath(bytes: Array($0.utf8)) }
    #expect(answer == .picked(files))
    #expect(post("clear").status == 200 && selected() == "")
  }

  @Test("A picture that does not come is late, which keeps no page, and is there once it has come")
  func late() throws {
    let (start, headers) = try listed([1, 2], showsPictures: true)
    var session = start
    _ = session.response(to: request("GET", "/names?from=0", headers))
    func isWaiting(_ index: Int) -> Bool {
      let outcome = session.respond(to: request("GET", "/picture?name=\(index)", headers))
      if case .waitsForPicture(index) = outcome { return true }
      return false
    }
    #expect(isWaiting(0) && session.isFromPerson)
    let late = session.late(0)
    #expect(late.status == 204 && late.isLate && late.body.isEmpty)
    // The page's script asks again by itself, and another picture is asked for by the person who scrolls.
    #expect(isWaiting(0) && !session.isFromPerson)
    #expect(isWaiting(1) && session.isFromPerson)
    try session.source.take(.picture(0, [0xFF, 0xD8, 0xFF, 0xD9]))
    let picture = session.response(to: request("GET", "/picture?name=0", headers))
    #expect(picture.status == 200 && !picture.isLate && session.isFromPerson)
    // A file without a picture is not late: it is not asked for again.
    try session.source.take(.picture(1, []))
    let none = session.response(to: request("GET", "/picture?name=1", headers))
    #expect(none.status == 204 && !none.isLate)
    #expect(PageServer.pictureSeconds <= 3)
  }

  @Test("Who waits for the names is told when none have come for long")
  func slowList() {
    for (seconds, isSlow) in [(0, false), (29, false), (30, true), (95, true)] {
      let response = session().slowList(after: Int64(seconds))
      let text = String(decoding: response.body, as: UTF8.self)
      #expect(response.status == 202)
      #expect(text.contains("for \(seconds) seconds") == isSlow, "\(text)")
      #expect(text.contains("The names are being read.") == !isSlow, "\(text)")
    }
  }

  @Test("A page ends ten minutes behind the last request of the person's page, and not before")
  func idleTime() {
    let second: UInt64 = 1_000_000_000
    var idle = IdleTime(seconds: session().idleSeconds, from: 5 * second)
    #expect(!idle.isOver(at: 5 * second) && !idle.isOver(at: 605 * second - 1))
    #expect(idle.isOver(at: 605 * second))
    idle.begin(at: 604 * second)
    #expect(!idle.isOver(at: 1_203 * second) && idle.isOver(at: 1_204 * second))
    // A clock that is read by two processors may be a little behind.
    #expect(!idle.isOver(at: 0))
  }

  @Test("The scripts are 20,600 bytes at most, and the frame has no style or script of its own")
  func sizes() {
    var session = session()
    let scripts = ["/page.js", "/picker.js", "/pictures.js"].map {
      session.response(to: request("GET", $0)).body.count
    }
    #expect(scripts.allSatisfy { $0 > 1_000 } && scripts.reduce(0, +) <= 20_600, "\(scripts)")
    let frame = String(decoding: session.response(to: request("GET", "/")).body, as: UTF8.self)
    #expect(!frame.contains("<style") && !frame.contains("style=") && !frame.contains("onload"))
    #expect(frame.components(separatedBy: "<script").count == 3)
  }

  @Test("A new token ends the first browser's page, and what is selected comes along")
  func renews() throws {
    let (start, headers) = try listed([1, 2, 3])
    var session = start
    _ = session.response(to: request("GET", "/names?from=0", headers))
    let added = session.response(to: request("POST", "/selection", headers, body: "add 2 0"))
    #expect(added.status == 200)
    let renewed = String(repeating: "0c", count: 32)
    session.renew(renewed)
    #expect(session.response(to: request("GET", "/question", headers)).status == 403)
    #expect(session.response(to: request("POST", "/answer", headers, body: "later")).answer == nil)
    #expect(session.response(to: request("POST", "/session", own, body: token)).status == 403)
    let exchanged = session.response(to: request("POST", "/session", own, body: renewed))
    let second = String(decoding: exchanged.body, as: UTF8.self)
    let others = own.merging([PageSession.tokenHeader: [second]]) { $1 }
    let selection = session.response(to: request("GET", "/selection", others))
    #expect(exchanged.status == 200 && String(decoding: selection.body, as: UTF8.self) == "2 0")
  }

  @Test("Sources are shown as text, none is ticked, and one that cannot be used cannot be chosen")
  func sources() throws {
    var session = session {
      $0.choices = [.proceed, .none, .later]
      $0.rows = [
        .init(.camera, usageDescriptions: [LocalizedText("<i>why</i>")], folder: "/<b>"),
        .init(.microphone, obstacle: .policy),
      ]
    }
    let exchanged = session.response(to: request("POST", "/session", own, body: token))
    let second = String(decoding: exchanged.body, as: UTF8.self)
    let headers = own.merging([PageSession.tokenHeader: [second]]) { $1 }
    let html = String(
      decoding: session.response(to: request("GET", "/question", headers)).body,
      as: UTF8.self
    )
    #expect(html.contains("&lt;i&gt;why") && !html.contains("<i>") && !html.contains("checked"))
    #expect(html.components(separatedBy: "type=\"checkbox\"").count == 2)
    #expect(html.contains("Your organization does not allow this."))
    for wrong in ["proceed 1", "proceed 0 1", "proceed 7", "proceed"] {
      #expect(session.response(to: request("POST", "/answer", headers, body: wrong)).status == 400)
    }
    let chosen = session.response(to: request("POST", "/answer", headers, body: "proceed 0"))
    #expect(chosen.answer == .sources([0]))
  }

  @Test("The last page has every answer, as text, and none that was not given")
  func answered() throws {
    func last(_ choice: String, _ change: (inout PageTask) -> Void = { _ in }) -> String {
      var session = session {
        $0.manifest = "'<a>.json'"
        $0.folder = "/<b>"
        var denied = AnsweredQuestion(.camera, .deny)
        denied.folder = "/c"
        $0.answered = [denied]
        change(&$0)
      }
      let exchanged = session.response(to: request("POST", "/session", own, body: token))
      let second = String(decoding: exchanged.body, as: UTF8.self)
      let headers = own.merging([PageSession.tokenHeader: [second]]) { $1 }
      let response = session.response(to: request("POST", "/answer", headers, body: choice))
      return String(decoding: response.body, as: UTF8.self)
    }
    let allowed = last("allow")
    #expect(allowed.contains("Everything in <bdi>/&lt;b&gt;</bdi> is copied"), "\(allowed)")
    for source in ["library", "camera"] {
      let command = "mediabatch access reset &#39;&lt;a&gt;.json&#39; \(source)</code>"
      #expect(allowed.contains(command), "\(allowed)")
    }
    #expect(allowed.contains("goes on now") && allowed.contains("Not allowed</span>"))
    #expect(!last("allow") { $0.goesOn = false }.contains("goes on now"))
    let later = last("later")
    #expect(later.contains("Nothing is stored about it") && !later.contains(" library</code>"))
    #expect(later.contains(" camera</code>"))
    let kept = last("later") { $0.status = .limited }
    #expect(kept.contains("Nothing was changed") && !kept.contains("asked again"))
    #expect(last("later") { $0.answered = [] }.contains("Nothing was decided"))
    #expect(last("deny") { $0.next = String(repeating: "1", count: 64) }.contains("next question"))
  }

  @Test("Several sources of a kind are one question, which names each, and may become one for each")
  func severalSources() throws {
    func asked(_ choice: String, _ change: (inout PageTask) -> Void = { _ in }) -> (
      html: String, PageResponse
    ) {
      var session = session {
        ($0.manifest, $0.next, $0.isLastUnlessEach) = ("m.json", String(repeating: "1", count: 64), true)
        $0.choices = [.allow, .each, .deny, .later]
        $0.sources = [
          AskedSource(name: "<Anna>", folder: "/a", words: "--source '<Anna>'"),
          AskedSource(name: "Bob", folder: "", words: "--source Bob"),
        ]
        change(&$0)
      }
      let exchanged = session.response(to: request("POST", "/session", own, body: token))
      let headers = own.merging([PageSession.tokenHeader: [String(decoding: exchanged.body, as: UTF8.self)]])
      { $1 }
      let question = session.response(to: request("GET", "/question", headers))
      let response = session.response(to: request("POST", "/answer", headers, body: choice))
      return (String(decoding: question.body, as: UTF8.self), response)
    }
    let (html, each) = asked("each")
    #expect(html.contains("photos and videos in <b><bdi>&lt;Anna&gt;</bdi></b>, <bdi>/a</bdi>."), "\(html)")
    #expect(html.contains("The folder of <b><bdi>Bob</bdi></b> is not there"), "\(html)")
    #expect(html.contains("Choose for each…") && html.contains("Allow all of them"))
    // Only who wants to be asked about each has another question.
    #expect(each.answer == .each && each.next != nil)
    let allowed = asked("allow").1
    let page = String(decoding: allowed.body, as: UTF8.self)
    #expect(allowed.answer == .allowed && allowed.next == nil)
    #expect(page.contains("Photo library: <bdi>&lt;Anna&gt;</bdi>, <bdi>Bob</bdi>"), "\(page)")
    #expect(page.contains("reset m.json --source &#39;&lt;Anna&gt;&#39;</code>"), "\(page)")
    #expect(page.contains("reset m.json --source Bob</code>"), "\(page)")
    // A denial is one of the kind.
    let denied = String(decoding: asked("deny").1.body, as: UTF8.self)
    #expect(denied.components(separatedBy: "access reset").count == 2, "\(denied)")
    let (single, left) = asked("skip") {
      $0.choices = [.select, .allow, .skip, .later]
      ($0.sources, $0.isLastUnlessEach) = ([$0.sources[0]], false)
    }
    #expect(single.contains("Leave this one out") && !single.contains("data-choice=\"deny\""))
    #expect(single.contains("Select photos of <bdi>&lt;Anna&gt;</bdi>"), "\(single)")
    #expect(left.answer == .skipped && left.next != nil)
  }

  @Test("The usage description is told in the language of the browser that asks, and the reply says by which")
  func languages() {
    let texts = [
      LocalizedText("Why <b>", in: "en"), LocalizedText("Warum", in: "de"), LocalizedText("لماذا", in: "ar"),
    ]
    func told(_ header: [String], _ change: (inout PageTask) -> Void = { _ in }) -> (String, [String]) {
      var session = session {
        $0.usageDescriptions = texts
        change(&$0)
      }
      let token = session.response(to: request("POST", "/session", own, body: token))
      let headers = own.merging(
        [PageSession.tokenHeader: [String(decoding: token.body, as: UTF8.self)], "accept-language": header]
      ) { $1 }
      let page = session.response(to: request("GET", "/question", headers))
      return (String(decoding: page.body, as: UTF8.self), session.languages)
    }
    let german = told(["fr;q=0.5, de-AT;q=0.9"])
    #expect(german.0.contains("<p dir=\"auto\" lang=\"de\">Warum</p>"), "\(german.0)")
    #expect(german.1 == ["de-AT", "fr"])
    #expect(told(["ar"]).0.contains("lang=\"ar\">لماذا"))
    for other in [[], ["ja"], ["*"], ["\u{0};;q=9"]] {
      #expect(told(other).0.contains("<p dir=\"auto\" lang=\"en\">Why &lt;b&gt;</p>"))
    }
    // Text alone is in no language that is known.
    #expect(
      told(["de"]) { $0.usageDescriptions = [LocalizedText(texts[0].words)] }.0.contains(
        "<p dir=\"auto\">Why &lt;b&gt;</p>"
      )
    )
    let rows = told(["de"]) { task in
      task.choices = [.proceed, .none, .later]
      let plain = [LocalizedText("Plain")]
      task.rows = [.init(.camera, usageDescriptions: texts), .init(.library, usageDescriptions: plain)]
    }
    #expect(rows.0.contains("<q dir=\"auto\" lang=\"de\">Warum</q>"), "\(rows.0)")
    #expect(rows.0.contains("<q dir=\"auto\">Plain</q>"))
  }

  @Test("A task and a reply are what they were, behind their bytes")
  func messages() throws {
    var task = PageTask()
    task.token = token
    task.usageDescriptions = [LocalizedText("a\nb"), LocalizedText("b", in: "de")]
    task.clientIdentifier = "org.example.feed"
    task.choices = [.select, .later]
    task.maximumCount = 3
    task.showsPictures = true
    task.access = .adding
    task.policy = MetadataPolicy(except: [.location, .camera], isLocationCoarse: true)
    (task.number, task.count) = (2, 3)
    task.answered = [AnsweredQuestion(.camera, .deny), AnsweredQuestion(.adding, .allow)]
    (task.manifest, task.goesOn) = ("'a b.json'", false)
    task.rows = [
      .init(.sound, usageDescriptions: task.usageDescriptions),
      .init(.library, folder: "b", obstacle: .missing),
    ]
    task.rows[1].sources = [AskedSource(name: "Anna", folder: "/a", words: "--source Anna")]
    (task.sources, task.isLastUnlessEach) = (task.rows[1].sources, true)
    task.answered[1].sources = task.sources
    #expect(try PageTask(frame: task.frame.dropFirst(4)) == task)
    for answer in [
      .allowed, .denied, .kept, .picked([ItemPath(bytes: [0x61])]), .sources([2, 0]), .each, .skipped,
    ] as [PickerAnswer] {
      let reply = PageReply(shownCount: 500, answer: answer, selectedCount: 7, languages: ["de", "en"])
      #expect(try PageReply(frame: reply.frame.dropFirst(4)) == reply)
      #expect(throws: ProtocolError.self) { try PageReply(frame: (reply.frame + [1]).dropFirst(4)) }
    }
  }

  @Test("The page is in the first of the browser's languages that there is, or in that of its address")
  func pageLanguages() {
    var session = session()
    func text(_ path: String, _ language: String...) -> String {
      let headers = own.merging(["accept-language": language]) { $1 }
      return String(decoding: session.response(to: request("GET", path, headers)).body, as: UTF8.self)
    }
    #expect(text("/").contains("<html lang=\"en\">") && text("/").contains("data-languages=\"en\""))
    #expect(text("/", "xx, de-AT;q=0.8, fr;q=0.5").contains("<html lang=\"de\">"))
    #expect(text("/", "de").contains("Diese Seite ist anderswo geöffnet"))
    #expect(text("/?lang=he", "de").contains("<html lang=\"he\" dir=\"rtl\">"))
    // The script of a table is asked for by its name, whatever the browser's language is.
    #expect(text("/languages/fr.js", "de").contains("\"ask.selectAll\":\"Tout sélectionner\""))
    #expect(text("/languages/xx.js").isEmpty || !text("/languages/xx.js").contains("words.take"))
    let exchanged = session.response(to: request("POST", "/session", own, body: token))
    let token = [
      PageSession.tokenHeader: [String(decoding: exchanged.body, as: UTF8.self)], "accept-language": ["ja"],
    ]
    let question = session.response(to: request("GET", "/question", own.merging(token) { $1 }))
    let html = String(decoding: question.body, as: UTF8.self)
    #expect(html.contains("<bdi>&lt;b&gt;Feed&lt;/b&gt;</bdi> が写真へのアクセスを求めています") && html.contains(">許可しない<"))
    // The page's script says which one its address names.
    let named = own.merging(token) { $1 }.merging([PageSession.languageHeader: ["uk"]]) { $1 }
    let ukrainian = session.response(to: request("GET", "/question", named))
    #expect(String(decoding: ukrainian.body, as: UTF8.self).contains(">Не дозволяти<"))
  }

  @Test("The terminal and the English page have the same words")
  func commonWords() {
    let words = PageLanguage(.english)
    for access in AskedAccess.allCases {
      #expect(words("ask.wish.\(access.wishWord)", nil, ["client": "A"]) == "A would like to \(access.wish)")
      #expect(words("ask.name.\(access.wishWord)") == access.name)
      let deed = words("ask.deed.\(access == .camera ? "library" : access.rawValue)", nil, ["folder": "F"])
      #expect(deed == (access == .sound ? access.deed : access.deed + " F."))
      for policy in [.keep, .strip, MetadataPolicy(except: [.location], isLocationCoarse: false)] {
        for meaning in access.meanings(policy) { #expect(words("ask.\(meaning.word)") == meaning.text) }
      }
    }
    for code in ConsentError.Code.allCases where code.isOfSource {
      #expect(words("ask.failure.\(code.rawValue)") == "\(ConsentError(code))")
    }
  }

  @Test("Groups are decided about one by one, what is decided stays, and Done sends it")
  func groups() throws {
    var session = session { task in
      task.usageDescriptions = []
      task.choices = [.decide, .later]
      task.groups = (0..<2).map { number in
        PictureGroup(
          isExact: number == 0,
          reason: "pixels",
          pictures: ["<b>", "two", "three"].map { PictureGroup.Picture(name: $0, facts: "640 × 400") }
        )
      }
      task.showsPictures = true
    }
    let token = session.response(to: request("POST", "/session", own, body: token))
    let known = own.merging([PageSession.tokenHeader: [String(decoding: token.body, as: UTF8.self)]]) { $1 }
    func post(_ path: String, _ body: String) -> PageResponse {
      session.response(to: request("POST", path, known, body: body))
    }
    func page() -> String {
      String(decoding: session.response(to: request("GET", "/question", known)).body, as: UTF8.self)
    }
    #expect(
      page().contains("Group 1: the same picture") && !page().contains("<b>\"") && page().contains("&lt;b")
    )
    #expect(session.response(to: request("POST", "/decision", own, body: "0 keep 0")).status == 403)
    #expect(post("/answer", "decide").status == 400)
    #expect(post("/decision", "1 keep 2").status == 200)
    #expect(post("/decision", "0 stack 1 0").status == 200)
    #expect(page().components(separatedBy: "value=\"stack\" checked").count == 2)
    #expect(post("/decision", "0 leave").status == 200)
    for wrong in ["2 keep 0", "1 keep", "1 keep 3", "1 keep 0 x", "keep", "1 leave 0"] {
      #expect(post("/decision", wrong).status == 400, "\(wrong)")
    }
    // Six pictures are counted through all groups.
    #expect(session.response(to: request("GET", "/picture?name=6", known)).status == 404)
    #expect(post("/answer", "allow").status == 400)
    let done = post("/answer", "decide")
    #expect(done.answer == .decided([GroupAnswer(group: 1, .keep, [2])]))
    #expect(String(decoding: done.body, as: UTF8.self).contains("Quarantine"))
  }
}

extension PageSession {
  /// The response to a request that waits for nothing.
  fileprivate mutating func response(to request: PageRequest) -> PageResponse {
    guard case .response(let response) = respond(to: request) else { return .text(0, "it waits") }
    return response
  }
}
