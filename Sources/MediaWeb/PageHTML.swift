internal import MediaModel
internal import MediaPicking
internal import MediaSyntax

/// The HTML of a page, made from values alone; every text is escaped by ``MediaSyntax/Markup``.
enum PageHTML {
  /// Folders that the list of albums has.
  private static let albumLimit = 2_000

  /// The frame, which is the same for every question and holds no secret.
  static let frame: Markup = """
    <!DOCTYPE html>
    <html lang="en">
    <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="referrer" content="no-referrer">
    <title>mediabatch asks</title>
    <link rel="icon" href="/icon.svg">
    <link rel="stylesheet" href="/page.css">
    <script type="module" src="/page.js"></script>
    </head>
    <body>
    <main id="page" tabindex="-1">
    <h1>mediabatch asks</h1>
    <p id="state" role="status">The question is loaded.</p>
    <noscript><p>This page needs JavaScript, its own. Without it, answer at the terminal.</p></noscript>
    </main>
    </body>
    </html>

    """

  /// The question: why, then the status, then the answers.
  static func question(_ task: PageTask) -> Markup {
    let name: Markup = task.clientName.isEmpty ? "" : Markup.isolated(task.clientName) + " "
    var html: Markup = "<h1>\(name)\(task.heading)</h1>\n"
    if !task.usageDescription.isEmpty {
      html += "<blockquote id=\"why\"><p dir=\"auto\">\(task.usageDescription)</p></blockquote>\n"
      html += "<dl>\n<dt>Client</dt><dd>\(Markup.isolated(task.clientIdentifier))</dd>\n"
      if !task.folder.isEmpty {
        html += "<dt>Folder</dt><dd>\(Markup.isolated(task.folder))</dd>\n"
      }
      html += "</dl>\n"
    }
    if !task.changes.isEmpty {
      html += "<p id=\"changes\" class=\"note\">\(task.changes)</p>\n"
    }
    if !task.status.isEmpty {
      html += "<p id=\"now\" class=\"note\" role=\"note\">\(task.status)</p>\n"
    }
    html += "<div class=\"answers\" role=\"group\" aria-label=\"Your answer\">\n"
    for choice in task.choices {
      html +=
        "<button type=\"button\" data-choice=\"\(choice.rawValue)\">\(label(choice))</button>\n"
    }
    html += "</div>\n<p id=\"state\" role=\"status\"></p>\n"
    if task.choices.contains(.select) { html += picker(task) }
    return html
  }

  /// The words of an answer. Source: the alerts of iOS for the photo library.
  private static func label(_ choice: PageTask.Choice) -> String {
    switch choice {
    case .allow: "Allow all"
    case .select: "Select photos…"
    case .keep: "Keep current selection"
    case .deny: "Don’t allow"
    case .later: "Not now"
    }
  }

  private static func picker(_ task: PageTask) -> Markup {
    let pictures =
      task.showsPictures
      ? "" : "Somebody has refused this source, so that no file of it is opened for pictures. "
    let limit =
      task.maximumCount == PickRequest.maximumLimit
      ? "" : "At most \(task.maximumCount) can be selected. "
    let kinds: [(value: String, name: String)] =
      [("", "All")] + PickFilter.allCases.map { ($0.rawValue, kindName($0)) }
    let options = kinds.map { kind -> Markup in
      "<option value=\"\(kind.value)\">\(kind.name)</option>"
    }.joined()
    return """
      <section id="picker" data-limit="\(task.maximumCount)" hidden aria-labelledby="picker-title">
      <h2 id="picker-title" tabindex="-1">Select photos</h2>
      <p class="faint">\(limit)\(pictures)What you see here is for you alone: it is not given to whoever asks.</p>
      <form id="find">
      <label>Search <input type="search" id="search" autocomplete="off"></label>
      <label>Show <select id="kind">\(options)</select></label>
      <label>Album <select id="album"><option value="">All folders</option></select></label>
      </form>
      <ul id="names" class="grid" aria-label="Names"></ul>
      <button type="button" id="more" hidden>Show more</button>
      <div class="bar">
      <p id="count" role="status">None selected</p>
      <button type="button" id="done" disabled>Allow selected</button>
      <button type="button" id="clear" disabled>Select none</button>
      <button type="button" id="back">Back</button>
      </div>
      </section>

      """
  }

  private static func kindName(_ kind: PickFilter) -> String {
    switch kind {
    case .images: "Images"
    case .livePhotos: "Live photos"
    case .videos: "Videos"
    }
  }

  /// The names from the one at `start` on, as items of a list.
  static func names(
    _ names: [(index: Int, item: PickCandidate)],
    hasPictures: Bool,
    start: Int,
    total: Int,
    unlistedCount: Int
  ) -> Markup {
    let safe = TerminalText(isUTF8: true, keepsJoiners: true)
    let rows = names.map { index, item -> Markup in
      let files = item.files.map { safe.shortPath($0.name, limit: 200) }.joined(separator: " + ")
      let folder = item.files.first.map { safe.shortPath($0.folder, limit: 200) } ?? ""
      let facts = ([folder].filter { !$0.isEmpty } + [item.dateText, item.sizeText])
        .map { Markup.isolated($0) }.joined(separator: " · ")
      let picture: Markup = hasPictures ? " data-picture=\"\(index)\"" : ""
      return """
        <li><label><input type="checkbox" value="\(index)">\
        <span class="tile"\(picture) aria-hidden="true">\(item.kind.map(kindName) ?? "Sound")</span>\
        <b>\(Markup.isolated(files))</b><span class="faint">\(facts)</span></label></li>

        """
    }
    let end = start + names.count
    let unlisted: Markup =
      unlistedCount == 0 ? "" : " data-unlisted=\"\(unlistedCount)\""
    return rows.joined()
      + "<li hidden id=\"range\" data-end=\"\(end)\" data-total=\"\(total)\"\(unlisted)></li>\n"
  }

  /// The folders of a source, as options of a list; their numbers are their places in it.
  static func albums(_ folders: [(path: [UInt8], count: Int)]) -> Markup {
    let safe = TerminalText(isUTF8: true, keepsJoiners: true)
    let options = folders.prefix(albumLimit).enumerated().map { number, folder -> Markup in
      let name =
        folder.path.isEmpty ? "Not in a folder" : safe.shortPath(folder.path[...], limit: 60)
      return "<option value=\"\(number)\">\(name) (\(folder.count))</option>\n"
    }
    let rest: Markup =
      folders.count > albumLimit
      ? "<option disabled>\(folders.count - albumLimit) more: search for them</option>\n" : ""
    return options.joined() + rest
  }

  /// The last words.
  static func thanks(_ choice: PageTask.Choice, hasNext: Bool) -> Markup {
    let done =
      switch choice {
      case .allow: "Allowed."
      case .select: "Only what you have selected is allowed."
      case .keep: "What you had selected stays allowed."
      case .deny: "Not allowed."
      case .later: "Not decided; nothing is stored."
      }
    let rest = hasNext && choice != .later ? "The next question comes." : "You can close this page."
    return "<h1>\(done)</h1>\n<p id=\"state\" role=\"status\">\(rest)</p>\n"
  }
}
