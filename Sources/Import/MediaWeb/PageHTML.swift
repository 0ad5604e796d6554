internal import MediaModel
internal import MediaPages
internal import MediaPicking
internal import MediaSyntax

/// The HTML of a page, made from values alone; every text is escaped by ``MediaSyntax/Markup``.
enum PageHTML {
  /// The frame, which is the same for every question and holds no secret.
  static let frame: Markup = """
    \(head)\
    <header class="brand"><img src="/icon.svg" alt="">mediabatch<span id="step"></span></header>
    <main id="page" tabindex="-1">
    <section class="sheet">
    <h1>mediabatch asks</h1>
    <p class="lead state" role="status">The question is loaded.</p>
    <noscript><p>This page needs JavaScript, its own. Without it, answer at the terminal.</p></noscript>
    </section>
    </main>
    <template id="elsewhere">\(state("lock", "This page is open elsewhere", """
      <p class="lead">Only one browser can answer. To go on here, press Enter where mediabatch runs: it prints \
      a new address, and ends the other page. What is selected comes along.</p>
      <p class="small faint">If somebody else has opened the page, end the run with Control-C.</p>
      """))</template>
    <template id="ended">\(state("clock", "This question has ended", """
      <p class="lead">Nobody answered in time, or the run was stopped. Look at the terminal.</p>
      <p class="small faint">To be asked again, run</p>
      <p><code id="again">mediabatch run MANIFEST --web</code></p>
      """))</template>
    </body>
    </html>

    """

  private static var head: Markup {
    .head(
      "mediabatch asks",
      metas: "<meta name=\"referrer\" content=\"no-referrer\">\n",
      files: """
        <link rel="icon" href="/icon.svg">
        <link rel="stylesheet" href="/page.css">
        <script type="module" src="/page.js"></script>

        """,
      body: " class=\"ask\"",
      symbols: WebParts.iconsSVG,
      content: "page"
    )
  }

  /// A sheet with a sign, a heading and a few lines.
  static func state(
    _ sign: String,
    _ heading: String,
    _ lines: Markup,
    class name: String = ""
  ) -> Markup {
    """
    <section class="sheet \(name)"><span class="sign \(sign)">\(icon: sign)</span><h1 tabindex="-1">\(heading)</h1>
    \(lines)
    <p class="state" role="status"></p></section>
    """
  }

  /// The question: who would like what, why, what it means, then the answers.
  static func question(_ task: PageTask) -> Markup {
    let isExplained = !task.usageDescription.isEmpty
    let why: Markup = """
      <p class="id">\(isolated: task.clientIdentifier)</p>
      <blockquote class="why" id="why"><small>Why</small><p dir="auto"\(language(task.language))>\(task.usageDescription)</p></blockquote>

      """
    let notes = [("changes", task.changes), ("now", task.status)].map { id, text -> Markup in
      text.isEmpty
        ? ""
        : """
        <p id="\(id)" class="changed" role="note">\(icon: "clock")<span>\(text)</span></p>

        """
    }
    func buttons(_ choices: [PageTask.Choice]) -> [Markup] {
      choices.filter(task.choices.contains).map { button($0, task) }
    }
    return """
      \(opening(task, step: task.count > 1 ? "Question \(task.number) of \(task.count)" : ""))
      <span class="sign \(task.access.rawValue)">\(icon: iconName(task.access))</span>
      <h1 tabindex="-1">\("\(isolated: task.clientName) ", if: !task.clientName.isEmpty)\(task.heading)</h1>
      \(why, if: isExplained)\(notes)\(meanings(task), if: isExplained)\
      <div class="answers" role="group" aria-label="Your answer">
      \(buttons([.select, .keep, .allow, .each]))<div class="pair">\(buttons([.skip, .deny, .later]))</div>
      </div>
      <p class="state" role="status"></p>
      </section>
      \(picker(task), if: task.choices.contains(.select))
      """
  }

  private static func opening(_ task: PageTask, step: String) -> Markup {
    """
    <section class="sheet" id="question" data-step="\(step)" data-idle="\(task.idleSeconds)" \
    data-again="mediabatch run \(task.manifest) --web">
    """
  }

  /// The sources from which a person chooses; none is ticked. Nothing of a source is counted or opened.
  static func sources(_ task: PageTask) -> Markup {
    let rows = task.rows.enumerated().map { number, row -> Markup in
      let isFree = row.obstacle.isEmpty
      let lines: Markup =
        isFree
        ? """
        <span dir="auto"\(language(row.language))>“\(row.usageDescription)”</span>\
        \("<span>\(isolated: row.folder)</span>", if: row.sources.isEmpty && !row.folder.isEmpty)\
        \(row.sources.map { "<span>\(named($0))</span>" as Markup })
        """ : "\(row.sources.map { "<span>\(named($0))</span>" as Markup })<span>\(row.obstacle)</span>"
      let sign: Markup = """
        <span class="sign small \(isFree ? row.access.rawValue : "")">\(icon: iconName(row.access))</span>\
        <span><b>\(row.access.name)</b>\(lines)</span>
        """
      return isFree
        ? "<li><label>\(sign)<input type=\"checkbox\" value=\"\(number)\"></label></li>\n"
        : "<li><div class=\"cannot\">\(sign)\(icon: "lock")</div></li>\n"
    }
    return """
      \(opening(task, step: ""))
      <h1 tabindex="-1">\(isolated: task.clientName) \(task.heading)</h1>
      <p class="id">\(isolated: task.clientIdentifier)</p>
      <ul class="sources" aria-label="Sources">
      \(rows)</ul>
      <div class="answers" role="group" aria-label="Your answer">
      \(button(.proceed, task))<div class="pair">\(button(.none, task))\(button(.later, task))</div>
      </div>
      <p class="hint">You are asked about each one. What you leave out is not opened.</p>
      <p class="state" role="status"></p>
      </section>

      """
  }

  /// The attribute that says the language of a text; nothing where nobody says it.
  private static func language(_ tag: String) -> Markup { "\(" lang=\"\(tag)\"", if: !tag.isEmpty)" }

  /// A source by its name, with its folder.
  private static func named(_ source: AskedSource) -> Markup {
    "\(isolated: source.name)\(": \(isolated: source.folder)", if: !source.folder.isEmpty)"
  }

  /// The name of the icon of an access.
  static func iconName(_ access: AskedAccess) -> String {
    switch access {
    case .library, .adding: "library"
    case .camera: "camera"
    case .microphone, .sound: "microphone"
    }
  }

  /// What an answer that allows means.
  private static func meanings(_ task: PageTask) -> Markup {
    let access = task.access
    func folder(_ path: String, _ name: Markup) -> Markup {
      path.isEmpty
        ? "The folder\(" of \(name)", if: !task.sources.isEmpty) is not there at this time."
        : "\(access.deed) \("\(name), ", if: !task.sources.isEmpty)\(isolated: path)."
    }
    let folders: [Markup] =
      access == .sound
      ? ["\(access.deed)"]
      : task.sources.isEmpty
        ? [folder(task.folder, "")]
        : task.sources.map { folder($0.folder, "<b>\(isolated: $0.name)</b>") }
    let lines =
      folders.map { (iconName: access == .sound ? "microphone" : "folder", text: $0) }
      + access.meanings(task.policy).map { (iconName: $0.icon, text: "\($0.text)" as Markup) }
    let items = lines.map { "<li>\(icon: $0.iconName)<span>\($0.text)</span></li>\n" as Markup }
    return "<ul class=\"means\" aria-label=\"What it means\">\n\(items)</ul>\n"
  }

  /// The button of an answer; selecting is filled, since it gives least. Source: the alerts of iOS.
  private static func button(_ choice: PageTask.Choice, _ task: PageTask) -> Markup {
    let hasSelection = task.choices.contains(.select)
    let (look, label) =
      switch choice {
      case .select: ("primary wide", "Select photos…")
      case .keep: ("tinted wide", "Keep my selection")
      case .allow where task.choices.contains(.each): ("tinted wide", "Allow all of them")
      case .allow where !hasSelection: ("primary wide", "Allow")
      case .allow: (task.choices.contains(.keep) ? "wide" : "tinted wide", "Allow all")
      case .each: ("primary wide", "Choose for each…")
      case .skip: ("plain", "Leave this one out")
      case .deny: ("danger", "Don’t allow")
      case .later: ("plain", "Not now")
      case .proceed: ("primary wide", "Choose a source")
      case .none: ("danger", "Don’t allow any")
      case .decide: ("primary", "Done")
      }
    return
      "<button type=\"button\" class=\"button \(look)\" data-choice=\"\(choice.rawValue)\">\(label)</button>\n"
  }
}
