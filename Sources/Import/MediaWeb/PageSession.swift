internal import MediaModel
internal import MediaPages
internal import MediaPicking
internal import MediaSyntax

/// A request of a browser, as far as a page looks at it.
struct PageRequest {
  var method: String
  /// The path with its query.
  var target: String
  /// All values of a header, in order.
  var headers: (String) -> [String]
  var body: [UInt8] = []
}

/// The response to a request.
struct PageResponse {
  var status: Int
  var type = "text/plain; charset=utf-8"
  var body: [UInt8] = []
  /// The token of the question behind this one, for the person who has answered.
  var next: String?
  /// Whether what was asked for may still come when it is asked for again.
  var isLate = false
  /// Ends the page with this answer once the response was sent.
  var answer: PickerAnswer?

  static func text(_ status: Int, _ text: String) -> PageResponse {
    PageResponse(status: status, body: Array(text.utf8))
  }

  static func html(_ markup: Markup) -> PageResponse {
    PageResponse(status: 200, type: "text/html; charset=utf-8", body: Array(markup.text.utf8))
  }
}

/// The result of a request.
enum PageOutcome {
  case response(PageResponse)
  /// The same request is to be answered once the viewer has told all names.
  case waitsForNames
  /// The same request is to be answered once the viewer has told this picture.
  case waitsForPicture(Int)
}

/// The state of one question's page, and its answers to requests.
///
/// A browser that knows the first address exchanges its token once for another one, which each further request has
/// in a header. What holds no secret (the frame, its style and its script) needs none.
struct PageSession {
  /// The header of the second token.
  static let tokenHeader = "mediabatch-token"
  /// The header of the language that the page's address names.
  static let languageHeader = "mediabatch-language"
  /// The hexadecimal digits of a token.
  static let tokenLength = 64
  /// The bytes of a body: 100,000 numbers of up to six digits.
  static let maximumBodyLength = 1 << 20
  /// Names in one response.
  private static let pageSize = 200
  /// The seconds without names after which a person is told that something may hang.
  static let slowListSeconds: Int64 = 30

  var task: PageTask
  /// What the viewer tells; nothing where single files cannot be picked.
  var source: ShownSource
  private var accepted: String?
  /// The numbers of the names that were shown.
  private var shown: Set<Int> = []
  /// What is selected and not sent: a page that is opened again has it.
  private var selection = ShownSelection()
  /// The items of an earlier selection that are still there; nil before the names are known.
  private var earlier: Set<Int>?
  /// What is decided of groups of pictures and not sent, by their places: a page that is opened again has it.
  var decisions: [Int: GroupAnswer] = [:]
  /// The items of an answer that selects.
  private(set) var selectedCount = 0
  /// The languages in which the question was told last.
  private(set) var languages: [String] = []
  /// The language of the page in the last request: the first of the person's in which there are pages.
  private(set) var language = PageLanguage(.english)
  /// Whether the last request came from the person's page.
  private(set) var isFromPerson = false

  init(_ task: PageTask) {
    self.task = task
    source = ShownSource(sort: task.sort)
  }

  var idleSeconds: Int { task.idleSeconds }
  var shownCount: Int { shown.count }

  /// Takes the token of a new address: the browser that has answered so far is no longer the person's.
  mutating func renew(_ token: String) {
    task.token = token
    accepted = nil
  }

  /// Answers a request, or says what it waits for.
  mutating func respond(to request: PageRequest) -> PageOutcome {
    isFromPerson = false
    if let refusal = refusal(of: request) { return .response(refusal) }
    let parts = request.target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    let path = parts.first.map { String($0) } ?? ""
    let query = Query(parts.count > 1 ? String(parts[1]) : "")
    let wanted = Self.languages(of: request, query)
    let tag = PageTag(for: wanted) ?? .english
    if tag.tag != language.tag { language = PageLanguage(tag) }
    if let open = openResponse(to: request, path) { return .response(open) }
    let tokens = request.headers(Self.tokenHeader)
    guard let accepted, tokens.count == 1,
      SecretBytes.areEqual(tokens[0].utf8, accepted.utf8)
    else {
      return .response(.text(403, "This page is open in another window, or its address was used before.\n"))
    }
    isFromPerson = true
    switch (request.method, path) {
    case ("GET", "/question"):
      languages = wanted
      return .response(.html(question))
    case ("GET", "/names"): return listed { $0.names(query) }
    case ("GET", "/albums"): return listed { $0.albums() }
    case ("GET", "/picture"): return picture(query)
    case ("GET", "/selection"):
      return listed { .text(200, $0.selection.numbers.map { "\($0)" }.joined(separator: " ")) }
    case ("POST", "/selection"): return .response(select(request.body))
    case ("POST", "/decision"): return .response(decide(request.body))
    case ("POST", "/answer"): return .response(answer(request.body))
    default: return .response(.text(404, "There is no such page.\n"))
    }
  }

  /// The languages of a person: that which the address names, then the browser's.
  private static func languages(of request: PageRequest, _ query: Query) -> [String] {
    let named = [query["lang"], request.headers(languageHeader).first].compactMap(\.self)
      .filter(LanguageTag.isWellFormed)
    let header = request.headers("accept-language").joined(separator: ",")
    return Array((named + LanguageRange.acceptLanguage(header)).prefix(LanguageRange.maximumCount))
  }

  private var html: PageHTML { PageHTML(words: language, languages: languages) }

  private var question: Markup {
    if !task.groups.isEmpty { return html.groups(task, decisions) }
    return task.rows.isEmpty ? html.question(task) : html.sources(task)
  }

  /// The refusal of a request that leads here by another name, or comes from another page.
  private func refusal(of request: PageRequest) -> PageResponse? {
    let hosts = request.headers("host")
    guard hosts.count == 1, isOwn(hosts[0]) else {
      return .text(421, "This page answers only at its own address.\n")
    }
    let origins = request.headers("origin")
    guard origins.allSatisfy({ $0 == "http://" + hosts[0] }),
      request.method != "POST" || origins.count == 1
    else { return .text(403, "This page answers only to itself.\n") }
    return nil
  }

  /// The response to a request that needs no token.
  private mutating func openResponse(to request: PageRequest, _ path: String) -> PageResponse? {
    switch (request.method, path) {
    case ("GET", "/"): return .html(html.frame)
    case ("GET", "/page.css"):
      return file(PageParts.stylesheet + WebParts.pageCSS, "text/css")
    case ("GET", "/words.js"): return file(PageParts.words, "text/javascript")
    case ("GET", _) where path.hasPrefix("/languages/"):
      guard let tag = PageTag(for: [String(path.dropFirst("/languages/".count).dropLast(".js".count))]) else {
        return nil
      }
      return file(PageLanguage(tag).script(), "text/javascript")
    case ("GET", "/page.js"): return file(WebParts.pageJS, "text/javascript")
    case ("GET", "/picker.js"): return file(WebParts.pickerJS, "text/javascript")
    case ("GET", "/groups.js"): return file(WebParts.groupsJS, "text/javascript")
    case ("GET", "/pictures.js"): return file(WebParts.picturesJS, "text/javascript")
    case ("GET", "/icon.svg"): return file(PageParts.icon, "image/svg+xml")
    case ("POST", "/session"): return exchange(request.body)
    default: return nil
    }
  }

  /// Whether a host is this page's own: a name that leads here by another one's DNS is not.
  private func isOwn(_ host: String) -> Bool {
    if !task.authority.isEmpty { return host == task.authority }
    // Behind a tunnel: any port of the machine that the browser is on.
    let parts = host.split(separator: ":", omittingEmptySubsequences: false)
    return ["127.0.0.1", "localhost"].contains(parts.first)
      && (parts.count == 1 || parts.count == 2 && UInt16(parts[1]) != nil)
  }

  private func file(_ bytes: [UInt8], _ type: String) -> PageResponse {
    PageResponse(status: 200, type: type, body: bytes)
  }

  private mutating func exchange(_ body: [UInt8]) -> PageResponse {
    guard SecretBytes.areEqual(body, task.token.utf8) else {
      return .text(403, "The address is not that of this page.\n")
    }
    guard accepted == nil else {
      return .text(403, "This page is open in another window, or its address was used before.\n")
    }
    let token = PageTask.makeToken()
    accepted = token
    isFromPerson = true
    return .text(200, token)
  }

  /// Answers with the list, which is read only now.
  private mutating func listed(_ answer: (inout Self) -> PageResponse) -> PageOutcome {
    guard task.choices.contains(.select) else {
      return .response(.text(404, "Nothing can be picked here.\n"))
    }
    switch source.hasList() {
    case nil: return .waitsForNames
    case false:
      return .response(.text(503, language("ask.failure.\(source.failure.rawValue)") + "\n"))
    case true:
      selectEarlier()
      return .response(answer(&self))
    }
  }

  /// Selects what is still there of an earlier selection, once.
  private mutating func selectEarlier() {
    guard earlier == nil else { return }
    let numbers = source.list.indexes(holding: Set(task.earlier)).prefix(task.maximumCount)
    earlier = Set(numbers)
    selection.add(Array(numbers))
  }

  /// Whether the person has seen an item, now or when they selected it before: nothing else can be selected.
  private func isKnown(_ number: Int) -> Bool {
    shown.contains(number) || earlier?.contains(number) == true
  }

  private mutating func names(_ query: Query) -> PageResponse {
    let start = max(0, query["from"].flatMap { Int($0) } ?? 0)
    guard start <= PickRequest.maximumLimit else {
      return .text(400, "There is no such page.\n")
    }
    if start == 0 { source.sortByTimes() }
    var list = source.list
    list.filter(query["search"] ?? "")
    if let kind = query["kind"].flatMap({ PickFilter(rawValue: $0) }) { list.filter(kind: kind) }
    if let number = query["album"].flatMap({ Int($0) }) {
      guard source.albums.indices.contains(number) else {
        return .text(400, "There is no such album.\n")
      }
      list.filter(album: source.albums[number].album)
    }
    var all = list.shown
    if query["only"] == "selected" { all.removeAll { !selection.contains($0) } }
    let indexes = all.dropFirst(start).prefix(Self.pageSize)
    shown.formUnion(indexes)
    return .html(
      html.names(
        indexes.map { ($0, list.items[$0]) },
        after: start > 0 && start <= all.count ? list.items[all[start - 1]] : nil,
        isByDate: task.sort.isByDate,
        hasPictures: task.showsPictures,
        end: indexes.endIndex,
        total: all.count,
        unlistedCount: list.unlistedCount
      )
    )
  }

  /// Takes a change of what is selected: `add 1 2`, `remove 1 2`, `clear`. Only what was shown can be.
  private mutating func select(_ body: [UInt8]) -> PageResponse {
    let words = String(decoding: body, as: UTF8.self).split(separator: " ")
    let numbers = words.dropFirst().compactMap { Int($0) }
    guard task.choices.contains(.select), numbers.count == max(words.count - 1, 0),
      numbers.allSatisfy(isKnown)
    else { return .text(400, "Nothing that is shown was selected.\n") }
    var changed = selection
    switch words.first {
    case "add": changed.add(numbers)
    case "remove": changed.remove(numbers)
    case "clear": changed = ShownSelection()
    default: return .text(400, "That is no selection.\n")
    }
    guard changed.numbers.count <= task.maximumCount else { return tooMany }
    selection = changed
    return .text(200, "\(selection.numbers.count)")
  }

  private var tooMany: PageResponse {
    .text(400, language("ask.tooMany", task.maximumCount))
  }

  private func albums() -> PageResponse { .html(html.albums(source.albums)) }

  /// The picture of a name that was shown, and of no other.
  private mutating func picture(_ query: Query) -> PageOutcome {
    guard task.showsPictures, let index = query["name"].flatMap({ Int($0) }),
      shown.contains(index) || isOfGroup(index)
    else {
      return .response(.text(404, "There is no such picture.\n"))
    }
    // A list is asked for before its pictures; of groups the pictures are all that is asked for.
    if isOfGroup(index), source.hasList() == nil { return .waitsForNames }
    guard let bytes = source.picture(of: index) else {
      // The page asks by itself for what is late: a person who has left it does not keep it.
      isFromPerson = !source.isLate(index)
      return .waitsForPicture(index)
    }
    // No error, which a browser would print: many a file has no picture.
    guard !bytes.isEmpty else { return .response(PageResponse(status: 204)) }
    return .response(PageResponse(status: 200, type: "image/jpeg", body: bytes))
  }

  /// The response to a request that has waited too long for a picture: its place shows the name until it comes.
  mutating func late(_ index: Int) -> PageResponse {
    source.noteLate(index)
    var response = PageResponse(status: 204)
    response.isLate = true
    return response
  }

  /// The response to a request that has waited for the names, in words for the person.
  ///
  /// - Parameter seconds: The time since the names were asked for.
  /// - Returns: 202: the names are to be asked for again.
  func slowList(after seconds: Int64) -> PageResponse {
    let isSlow = seconds >= Self.slowListSeconds
    return .text(202, isSlow ? language("ask.slow", Int(seconds)) : language("ask.reading"))
  }

  private mutating func answer(_ body: [UInt8]) -> PageResponse {
    let words = String(decoding: body, as: UTF8.self).split(separator: " ")
    guard let choice = words.first.flatMap({ PageTask.Choice(rawValue: String($0)) }),
      task.choices.contains(choice), [.select, .proceed].contains(choice) || words.count == 1
    else { return .text(400, "That is not one of the answers.\n") }
    let answer: PickerAnswer
    var files: [ItemPath] = []
    switch choice {
    case .allow: answer = .allowed
    case .deny, .none: answer = .denied
    case .keep: answer = .kept
    case .skip: answer = .skipped
    case .each: answer = .each
    case .later: answer = .canceled
    case .decide:
      let decided = decisions.keys.sorted().compactMap { decisions[$0] }
      guard !decided.isEmpty else { return .text(400, "Nothing is decided yet.\n") }
      answer = .decided(decided)
    case .proceed:
      let rows = words.dropFirst().compactMap { Int($0) }
      guard rows.count == words.count - 1, !rows.isEmpty, Set(rows).count == rows.count,
        rows.allSatisfy({ task.rows.indices.contains($0) && task.rows[$0].obstacle == nil })
      else { return .text(400, "That is not one of the sources.\n") }
      answer = .sources(rows)
    case .select:
      // Only what was shown can be picked; without numbers it is what was selected before.
      let sent = words.dropFirst().compactMap { Int($0) }
      let numbers = words.count == 1 ? selection.numbers : sent
      guard sent.count == words.count - 1, !numbers.isEmpty,
        Set(numbers).count == numbers.count, numbers.allSatisfy(isKnown)
      else { return .text(400, "Nothing that is shown was selected.\n") }
      guard numbers.count <= task.maximumCount else { return tooMany }
      selectedCount = numbers.count
      files = numbers.flatMap { source.list.items[$0].files }
      answer = .picked(files)
    }
    var response = PageResponse.html(
      task.groups.isEmpty
        ? html.answered(task, choice, count: selectedCount, fileCount: files.count)
        : html.decided(task, choice)
    )
    response.answer = answer
    if task.hasNext(after: choice) { response.next = task.next }
    return response
  }
}

/// The fields of a query: `search=a%20b&from=0`.
private struct Query {
  private var fields: [String: String] = [:]

  init(_ text: String) {
    for field in text.split(separator: "&") {
      let parts = field.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 2 else { continue }
      fields[String(parts[0])] = Self.decoded(parts[1])
    }
  }

  subscript(name: String) -> String? { fields[name] }

  private static func decoded(_ text: Substring) -> String {
    var bytes: [UInt8] = []
    var encoded = text.utf8[...]
    while let byte = encoded.popFirst() {
      if byte == UInt8(ascii: "%"), encoded.count >= 2,
        let value = UInt8(String(decoding: encoded.prefix(2), as: UTF8.self), radix: 16)
      {
        bytes.append(value)
        encoded = encoded.dropFirst(2)
      } else {
        bytes.append(byte == UInt8(ascii: "+") ? UInt8.space : byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
