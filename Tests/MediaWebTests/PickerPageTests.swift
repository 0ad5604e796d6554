import MediaModel
import MediaPicking
import Testing

@testable import MediaWeb

@Suite("The picker's page shows items as a person knows them")
struct PickerPageTests {
  private static let token = String(repeating: "0a", count: 32)
  private static let own = ["host": ["127.0.0.1:8042"], "origin": ["http://127.0.0.1:8042"]]

  /// A page whose viewer has told its items, with the headers of the person's browser.
  private struct Page {
    var session: PageSession
    var headers: [String: [String]]

    init(
      _ items: [PickCandidate],
      _ change: (inout PageTask) -> Void = { _ in }
    ) throws {
      var task = PageTask()
      task.token = PickerPageTests.token
      task.authority = "127.0.0.1:8042"
      task.choices = [.select, .later]
      change(&task)
      session = PageSession(task)
      headers = PickerPageTests.own
      let second = ask("POST", "/session", PickerPageTests.token).body
      headers[PageSession.tokenHeader] = [String(decoding: second, as: UTF8.self)]
      _ = ask("GET", "/names?from=0")
      try session.source.take(.names(items))
      try session.source.take(.listed(unlistedCount: 0))
      try session.source.take(.times([], isLast: true))
    }

    mutating func ask(_ method: String, _ target: String, _ body: String = "") -> PageResponse {
      let headers = headers
      let request = PageRequest(
        method: method,
        target: target,
        headers: { headers[$0] ?? [] },
        body: Array(body.utf8)
      )
      guard case .response(let response) = session.respond(to: request) else {
        return .text(0, "it waits")
      }
      return response
    }

    mutating func text(_ target: String) -> String {
      String(decoding: ask("GET", target).body, as: UTF8.self)
    }

    /// The numbers of the items of a list, in their order.
    mutating func numbers(_ query: String = "") -> [Int] {
      text("/names?from=0&" + query).components(of: "type=\"checkbox\" value=\"").dropFirst()
        .compactMap { Int($0.prefix { $0.isNumber }) }
    }
  }

  private static func item(_ names: String..., taken: Int64? = nil) -> PickCandidate {
    var item = PickCandidate(
      files: names.map { ItemPath(bytes: Array($0.utf8)) },
      size: 1_000,
      modified: 1_756_555_200_000_000_000
    )
    item.taken = taken
    return item
  }

  @Test(
    "An item has its title, its albums and the date when it was taken; else names, folder, date"
  )
  func facts() throws {
    var titled = Self.item("originals/1/A.heic", taken: 1_577_836_800_000_000_000)
    (titled.title, titled.albums) = ("<b>Sunset", ["Sea & sky", "Best"])
    let plain = Self.item("2025/a.jpg", "2025/a.mov")
    let edited = Self.item("2025/b.jpg", "2025/b_edited.jpg")
    var page = try Page([titled, plain, edited])
    let items = page.text("/names?from=0").components(of: "<li data-month=")
    #expect(items.count == 4)
    let shown = try #require(items.first { $0.hasPrefix("\"2020-01\"") })
    #expect(shown.contains("data-name=\"&lt;b&gt;Sunset\""))
    #expect(
      shown.contains("&quot;Sea &amp; sky&quot;, &quot;Best&quot;\" data-taken=\"2020-01-01\" data-size=\"")
    )
    #expect(!shown.contains("originals") && !shown.contains("EDITED"))
    let live = try #require(items.first { $0.contains("a.mov") })
    #expect(live.hasPrefix("\"2025-08\"") && live.contains("data-name=\"a.jpg + a.mov\""))
    #expect(
      live.contains("data-albums=\"2025\" data-taken=\"2025-08-30\" data-size=\"") && live.contains(">LIVE<")
    )
    #expect(items.contains { $0.contains(">EDITED<") && $0.contains("b_edited") })
  }

  @Test("Albums take the place of folders where the source has them")
  func albums() throws {
    var items = [Self.item("1/a.jpg"), Self.item("1/b.jpg"), Self.item("2/c.jpg")]
    var folders = try Page(items)
    let byFolder = folders.text("/albums")
    #expect(byFolder.contains("All folders") && byFolder.contains("<bdi>1</bdi>"))
    #expect(folders.numbers("album=1") == [2])
    (items[0].albums, items[1].albums) = (["Sea", "<i>"], ["Sea"])
    var page = try Page(items)
    let byTitle = page.text("/albums")
    #expect(byTitle.contains("All albums") && byTitle.contains("Not in an album"))
    #expect(byTitle.contains("&lt;i&gt;") && !byTitle.contains("<i>"))
    #expect(page.numbers("album=0") == [0] && page.numbers("album=1") == [1, 0])
    #expect(page.numbers("album=2") == [2] && page.numbers("search=SEA") == [1, 0])
    #expect(page.ask("GET", "/names?from=0&album=3").status == 400)
  }

  @Test("Items come in the order that the manifest asks for, by name under one heading")
  func order() throws {
    let items = [
      Self.item("b.jpg", taken: 20), Self.item("a.jpg", taken: 10), Self.item("c.jpg", taken: 5),
    ]
    for (sort, expected) in [
      (.newestFirst, [0, 1, 2]), (.oldestFirst, [2, 1, 0]), (.name, [1, 0, 2]),
      (.nameReversed, [2, 0, 1]),
    ] as [(PickOrder, [Int])] {
      var page = try Page(items) { $0.sort = sort }
      #expect(page.numbers() == expected, "\(sort)")
      let html = page.text("/names?from=0")
      #expect(html.contains("data-month=\"ask.byName\"") == !sort.isByDate)
      #expect(html.contains("class=\"day\"") == sort.isByDate)
    }
  }

  @Test("An earlier selection is selected from the start, as far as it is there and goes")
  func earlier() throws {
    let items = [Self.item("a.jpg"), Self.item("b.heic", "b.mov"), Self.item("c.jpg")]
    let files = ["gone.jpg", "b.mov", "a.jpg"].map { ItemPath(bytes: Array($0.utf8)) }
    var page = try Page(items) { $0.earlier = files }
    #expect(page.text("/question").contains("What you selected before is selected."))
    #expect(page.text("/selection") == "1 0")
    #expect(page.ask("POST", "/selection", "remove 0").status == 200)
    #expect(page.text("/selection") == "1")
    let answer = page.ask("POST", "/answer", "select")
    #expect(answer.answer == .picked(items[1].files))
    #expect(
      String(decoding: answer.body, as: UTF8.self).contains("Only this one is copied. That is 2 files.")
    )
    var limited = try Page(items) { ($0.earlier, $0.maximumCount) = (files, 1) }
    #expect(limited.text("/selection") == "1")
    // What was neither shown nor selected before cannot be selected.
    #expect(limited.ask("POST", "/answer", "select 2").status == 400)
    var none = try Page(items)
    #expect(none.text("/selection").isEmpty && !none.text("/question").contains("What you selected"))
  }
}

extension String {
  /// The parts between the places of a text.
  fileprivate func components(of separator: String) -> [Substring] {
    split(separator: separator, omittingEmptySubsequences: false)
  }
}
