internal import MediaModel
internal import MediaPages
internal import MediaPicking
internal import MediaSyntax

/// The HTML of a page in a language, made from values alone; every text is escaped by ``MediaSyntax/Markup``.
struct PageHTML {
  let words: PageLanguage
  /// Those of the person, by which a usage description is told.
  let languages: [String]

  /// The frame, which is the same for every question and holds no secret.
  var frame: Markup {
    """
    \(head)\
    <header class="brand"><img src="/icon.svg" alt="">mediabatch<span id="step"></span></header>
    <main id="page" tabindex="-1">
    <section class="sheet">
    <h1>\(words("ask.title"))</h1>
    <p class="lead state" role="status">\(words("ask.loading"))</p>
    <noscript><p>\(words("ask.noScript"))</p></noscript>
    </section>
    </main>
    <template id="elsewhere">\(state("lock", "ask.elsewhere", """
      <p class="lead">\(words("ask.elsewhere.renew"))</p>
      <p class="small faint">\(words("ask.elsewhere.other"))</p>
      """))</template>
    <template id="ended">\(state("clock", "ask.ended", """
      <p class="lead">\(words("ask.ended.why"))</p>
      <p class="small faint">\(words("ask.ended.again"))</p>
      <p><code id="again">mediabatch run MANIFEST --web</code></p>
      """))</template>
    </body>
    </html>

    """
  }

  private var head: Markup {
    .head(
      words("ask.title"),
      in: words,
      metas: "<meta name=\"referrer\" content=\"no-referrer\">\n",
      files: """
        <link rel="icon" href="/icon.svg">
        <link rel="stylesheet" href="/page.css">
        <script src="/words.js" data-languages="\(words.tag)"></script>
        <script type="module" src="/page.js"></script>

        """,
      body: " class=\"ask\"",
      symbols: WebParts.iconsSVG,
      content: "page"
    )
  }

  func label(_ key: String) -> Markup { " aria-label=\"\(words(key))\"" }

  /// A sheet with a sign, the sentence of a key as its heading, and a few lines.
  func state(
    _ sign: String,
    _ heading: String,
    _ lines: Markup,
    class name: String = ""
  ) -> Markup {
    """
    <section class="sheet \(name)"><span class="sign \(sign)">\(icon: sign)</span><h1 tabindex="-1">\(words(heading))</h1>
    \(lines)
    <p class="state" role="status"></p></section>
    """
  }

  /// The question: who would like what, why, what it means, then the answers.
  func question(_ task: PageTask) -> Markup {
    let isExplained = !task.usageDescriptions.isEmpty
    let text = task.usageDescriptions.text(for: languages)
    let why: Markup = """
      <p class="id">\(isolated: task.clientIdentifier)</p>
      <blockquote class="why" id="why"><small>\(words("ask.why"))</small>\
      <p dir="auto"\(language(of: text))>\(text?.words ?? "")</p></blockquote>

      """
    let changes = task.changes.map { words("ask.\($0.rawValue)") }
    let status = task.status.map { [words("ask.status.\($0.name)")] } ?? []
    let reason =
      task.policyReason.isEmpty ? [] : [words("ask.policyReason", nil, ["text": task.policyReason])]
    let notes = [("changes", changes), ("now", status + reason)].map { id, texts -> Markup in
      texts.isEmpty
        ? ""
        : """
        <p id="\(id)" class="changed" role="note">\(icon: "clock")<span>\(texts.joined(separator: " "))</span></p>

        """
    }
    let step = task.count > 1 ? words("ask.step", task.number, ["count": words.grouped(task.count)]) : ""
    func buttons(_ choices: [PageTask.Choice]) -> [Markup] {
      choices.filter(task.choices.contains).map { button($0, task) }
    }
    return """
      \(opening(task, step: step))
      <span class="sign \(task.access.rawValue)">\(icon: iconName(task.access))</span>
      <h1 tabindex="-1">\(wish(isExplained ? task.access.wishWord : "pick", task))</h1>
      \(why, if: isExplained)\(notes)\(meanings(task), if: isExplained)\
      <div class="answers" role="group"\(label("ask.yourAnswer"))>
      \(buttons([.select, .keep, .allow, .each]))<div class="pair">\(buttons([.skip, .deny, .later]))</div>
      </div>
      <p class="state" role="status"></p>
      </section>
      \(picker(task), if: task.choices.contains(.select))
      """
  }

  /// What a client would like; where it has no name its identifier stands for it.
  private func wish(_ key: String, _ task: PageTask) -> Markup {
    let client = task.clientName.isEmpty ? task.clientIdentifier : task.clientName
    return words.markup("ask.wish.\(key)", nil, ["client": .isolated(client)])
  }

  private func opening(_ task: PageTask, step: String) -> Markup {
    """
    <section class="sheet" id="question" data-step="\(step)" data-idle="\(task.idleSeconds)" \
    data-again="mediabatch run \(task.manifest) --web">
    """
  }

  /// The sources from which a person chooses; none is ticked. Nothing of a source is counted or opened.
  func sources(_ task: PageTask) -> Markup {
    let rows = task.rows.enumerated().map { number, row -> Markup in
      let isFree = row.obstacle == nil
      let text = row.usageDescriptions.text(for: languages)
      let lines: Markup =
        isFree
        ? """
        <q dir="auto"\(language(of: text))>\(text?.words ?? "")</q>\
        \("<span>\(isolated: row.folder)</span>", if: row.sources.isEmpty && !row.folder.isEmpty)\
        \(row.sources.map { "<span>\(named($0, row.access))</span>" as Markup })
        """
        : """
        \(row.sources.map { "<span>\(named($0, row.access))</span>" as Markup })\
        <span>\(words("ask.obstacle.\(row.obstacle?.rawValue ?? "")"))</span>
        """
      let sign: Markup = """
        <span class="sign small \(isFree ? row.access.rawValue : "")">\(icon: iconName(row.access))</span>\
        <span><b>\(name(of: row.access))</b>\(lines)</span>
        """
      return isFree
        ? "<li><label>\(sign)<input type=\"checkbox\" value=\"\(number)\"></label></li>\n"
        : "<li><div class=\"cannot\">\(sign)\(icon: "lock")</div></li>\n"
    }
    return """
      \(opening(task, step: ""))
      <h1 tabindex="-1">\(wish("sources", task))</h1>
      <p class="id">\(isolated: task.clientIdentifier)</p>
      <ul class="sources"\(label("ask.sources"))>
      \(rows)</ul>
      <div class="answers" role="group"\(label("ask.yourAnswer"))>
      \(button(.proceed, task))<div class="pair">\(button(.none, task))\(button(.later, task))</div>
      </div>
      <p class="hint">\(words("ask.sourcesHint"))</p>
      <p class="state" role="status"></p>
      </section>

      """
  }

  /// The attribute that says the language of a text; nothing where nobody says it.
  private func language(of text: LocalizedText?) -> Markup { text?.language.map { " lang=\"\($0)\"" } ?? "" }

  /// A source by its name, with its folder.
  private func named(_ source: AskedSource, _ access: AskedAccess) -> Markup {
    "\(name(of: source, access))\(": \(isolated: source.folder)", if: !source.folder.isEmpty)"
  }

  /// A source by its name, or by that of its kind.
  func name(of source: AskedSource, _ access: AskedAccess) -> Markup {
    source.name.isEmpty ? .plain(name(of: access)) : .isolated(source.name)
  }

  /// The source of an access as a title.
  func name(of access: AskedAccess) -> String {
    words("ask.name.\(access.wishWord)")
  }

  /// The name of the icon of an access.
  func iconName(_ access: AskedAccess) -> String {
    switch access {
    case .library, .adding: "library"
    case .camera: "camera"
    case .microphone, .sound: "microphone"
    }
  }

  /// What an answer that allows means.
  private func meanings(_ task: PageTask) -> Markup {
    let access = task.access
    func folder(_ path: String, _ name: Markup) -> Markup {
      if path.isEmpty {
        return words.markup("ask.folderMissing\(name.isEmpty ? "" : "Of")", nil, ["name": name])
      }
      let folder: Markup = "\("\(name), ", if: !name.isEmpty)\(isolated: path)"
      return words.markup(
        "ask.deed.\(access == .camera ? "library" : access.rawValue)",
        nil,
        ["folder": folder]
      )
    }
    let folders: [Markup] =
      access == .sound
      ? [words.markup("ask.deed.sound")]
      : task.sources.isEmpty
        ? [folder(task.folder, "")]
        : task.sources.map { folder($0.folder, "<b>\(name(of: $0, access))</b>") }
    let lines =
      folders.map { (iconName: access == .sound ? "microphone" : "folder", text: $0) }
      + access.meanings(task.policy).map { (iconName: $0.icon, text: words.markup("ask.\($0.word)")) }
    let items = lines.map { "<li>\(icon: $0.iconName)<span>\($0.text)</span></li>\n" as Markup }
    return "<ul class=\"means\"\(label("ask.meanings"))>\n\(items)</ul>\n"
  }

  /// The button of an answer; selecting is filled, since it gives least. Source: the alerts of iOS.
  private func button(_ choice: PageTask.Choice, _ task: PageTask) -> Markup {
    let hasSelection = task.choices.contains(.select)
    let (look, word) =
      switch choice {
      case .select: ("primary wide", "choice.select")
      case .keep: ("tinted wide", "choice.keep")
      case .allow where task.choices.contains(.each): ("tinted wide", "choice.allowEach")
      case .allow where !hasSelection: ("primary wide", "choice.allow")
      case .allow: (task.choices.contains(.keep) ? "wide" : "tinted wide", "choice.allowAll")
      case .each: ("primary wide", "choice.each")
      case .skip: ("plain", "choice.skip")
      case .deny: ("danger", "choice.deny")
      case .later: ("plain", "choice.later")
      case .proceed: ("primary wide", "chooseSource")
      case .none: ("danger", "choice.none")
      case .decide: ("primary", "choice.decide")
      }
    return """
      <button type="button" class="button \(look)" data-choice="\(choice.rawValue)">\(words("ask.\(word)"))</button>

      """
  }
}
