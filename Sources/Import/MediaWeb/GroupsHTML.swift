internal import MediaPages
internal import MediaPicking
internal import MediaSyntax

/// The HTML of groups of pictures that look alike, and of the page behind what was decided.
extension PageHTML {
  /// All groups, each with what was decided about it so far.
  static func groups(_ task: PageTask, _ decisions: [Int: GroupAnswer]) -> Markup {
    var first = 0
    let items = task.groups.enumerated().map { index, group -> Markup in
      defer { first += group.pictures.count }
      return item(index, group, first: first, decisions[index])
    }
    return """
      <section class="pick" id="question" data-step="" data-idle="\(task.idleSeconds)" data-again="\(task.manifest)">
      <div class="picktop"><div class="line"><div class="title"><h1 tabindex="-1">\(task.heading)</h1>
      <p class="small faint">Only you see this page. Nothing is changed before you press Done.</p></div></div>
      <p class="state" role="status"></p></div>
      <ol class="alike" aria-label="Groups">
      \(items)</ol>
      <div class="pickbar" role="group" aria-label="Your answer">
      <p class="count" role="status"><span id="count"></span></p>
      <button type="button" class="button plain" data-choice="later">Not now</button>
      <button type="button" class="button primary" data-choice="decide" disabled>Done</button>
      </div>
      <dialog class="big" id="big" aria-label="Larger view"><img alt=""><p><span><bdi></bdi><small></small></span>\
      <button type="button" class="button" id="bigback">Back</button>\
      <button type="button" class="button" id="bignext">Next</button>\
      <button type="button" class="button primary" id="bigclose">Close</button></p></dialog>
      </section>

      """
  }

  private static func item(
    _ index: Int,
    _ group: PictureGroup,
    first: Int,
    _ decision: GroupAnswer?
  ) -> Markup {
    let ticked = Set(decision?.numbers ?? [0])
    let pictures = group.pictures.enumerated().map { number, picture -> Markup in
      let badges = [number == 0 ? "best" : "", picture.turn].filter { !$0.isEmpty }
      return """
        <li><label class="cell" data-picture="\(first + number)" data-name="\(picture.name)" \
        data-facts="\(picture.facts)"><span class="noimg">\(icon: "library")\(isolated: picture.name)</span>\
        \("<span class=\"badge\">\(badges.joined(separator: " · "))</span>", if: !badges.isEmpty)\
        <input type="checkbox" value="\(number)"\(" checked", if: ticked.contains(number)) \
        aria-label="Keep \(picture.name)"></label>
        <p><b>\(isolated: picture.name)</b><small>\(isolated: picture.facts)</small></p>
        <button type="button" class="button plain larger" aria-label="Larger: \(picture.name)">Larger</button></li>

        """
    }
    let choices: [(word: String, name: String)] = [
      ("leave", "Leave"), ("keep", "Keep what is ticked"), ("stack", "Stack"),
      ("distinguish", "Not the same"),
    ]
    let segments = choices.map { word, name -> Markup in
      let isChosen = word == decision?.choice.rawValue ?? "leave"
      return """
        <label><input type="radio" name="group-\(index)" value="\(word)"\(" checked", if: isChosen)>\(name)</label>
        """
    }
    return """
      <li class="group" data-group="\(index)"><h2 id="group-\(index)">Group \(index + 1): \(group.kind)</h2>
      <p class="small faint">The first is the best: \(group.reason).</p>
      <ul class="cells" aria-labelledby="group-\(index)">
      \(pictures)</ul>
      <div class="segments" role="radiogroup" aria-label="What becomes of group \(index + 1)">\(segments)</div></li>

      """
  }

  /// The page behind what was decided.
  static func decided(_ task: PageTask, _ choice: PageTask.Choice) -> Markup {
    choice == .later
      ? state(
        "clock",
        "Nothing was changed",
        "<p class=\"lead\">All pictures stay as they are. You can close this page.</p>\n"
      )
      : state(
        "check",
        "Thank you",
        """
        <p class="lead">It is done now; the terminal says how it went. What you did not keep is in the folder Quarantine \
        of the library, and comes back from there by hand. You can close this page.</p>

        """
      )
  }
}
