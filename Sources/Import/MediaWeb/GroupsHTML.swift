internal import MediaModel
internal import MediaPages
internal import MediaPicking
internal import MediaSyntax

/// The HTML of groups of pictures that look alike, and of the page behind what was decided.
extension PageHTML {
  /// All groups, each with what was decided about it so far.
  func groups(_ task: PageTask, _ decisions: [Int: GroupAnswer]) -> Markup {
    var first = 0
    let items = task.groups.enumerated().map { index, group -> Markup in
      defer { first += group.pictures.count }
      return item(index, group, first: first, decisions[index])
    }
    return """
      <section class="pick" id="question" data-step="" data-idle="\(task.idleSeconds)" data-again="\(task.manifest)">
      <div class="picktop"><div class="line"><div class="title"><h1 tabindex="-1">\(words("ask.groups", task.groups.count))</h1>
      <p class="small faint">\(words("ask.groupsLead"))</p></div></div>
      <p class="state" role="status"></p></div>
      <ol class="alike"\(label("ask.groupsList"))>
      \(items)</ol>
      <div class="pickbar" role="group"\(label("ask.yourAnswer"))>
      <p class="count" role="status"><span id="count"></span></p>
      <button type="button" class="button plain" data-choice="later">\(words("ask.choice.later"))</button>
      <button type="button" class="button primary" data-choice="decide" disabled>\(words("ask.choice.decide"))</button>
      </div>
      <dialog class="big" id="big"\(label("larger"))><img alt=""><p><span><bdi></bdi><small></small></span>\
      <button type="button" class="button" id="bigback">\(words("back"))</button>\
      <button type="button" class="button" id="bignext">\(words("next"))</button>\
      <button type="button" class="button primary" id="bigclose">\(words("close"))</button></p></dialog>
      </section>

      """
  }

  private func item(
    _ index: Int,
    _ group: PictureGroup,
    first: Int,
    _ decision: GroupAnswer?
  ) -> Markup {
    let ticked = Set(decision?.numbers ?? [0])
    let pictures = group.pictures.enumerated().map { number, picture -> Markup in
      let badges = [number == 0 ? words("ask.badge.best") : "", turn(picture)].filter { !$0.isEmpty }
      let facts = ([picture.facts] + picture.badges.map { words("badge.\($0)") }).joined(separator: " · ")
      let name = ["name": picture.name]
      return """
        <li><label class="cell" data-picture="\(first + number)" data-name="\(picture.name)" \
        data-facts="\(facts)"><span class="noimg">\(icon: "library")\(isolated: picture.name)</span>\
        \("<span class=\"badge\">\(badges.joined(separator: " · "))</span>", if: !badges.isEmpty)\
        <input type="checkbox" value="\(number)"\(" checked", if: ticked.contains(number)) \
        aria-label="\(words("ask.keepName", nil, name))"></label>
        <p><b>\(isolated: picture.name)</b><small>\(isolated: facts)</small></p>
        <button type="button" class="button plain larger" aria-label="\(words("ask.largerName", nil, name))">\
        \(words("larger"))</button></li>

        """
    }
    let segments = ["leave", "keep", "stack", "distinguish"].map { word -> Markup in
      let isChosen = word == decision?.choice.rawValue ?? "leave"
      return """
        <label><input type="radio" name="group-\(index)" value="\(word)"\(" checked", if: isChosen)>\
        \(words("ask.group.\(word)"))</label>
        """
    }
    let best = words("ask.best", nil, ["reason": words("ask.reason.\(group.reason)")])
    return """
      <li class="group" data-group="\(index)"><h2 id="group-\(index)">\
      \(words("ask.group.\(group.isExact ? "same" : "alike")", index + 1))</h2>
      <p class="small faint">\(best)</p>
      <ul class="cells" aria-labelledby="group-\(index)">
      \(pictures)</ul>
      <div class="segments" role="radiogroup" aria-label="\(words("ask.becomes", index + 1))">\(segments)</div></li>

      """
  }

  /// How a picture is turned against the first of its group, or nothing.
  private func turn(_ picture: PictureGroup.Picture) -> String {
    guard let turn = picture.turn else { return "" }
    let degrees = turn.degrees == 0 ? "" : words("ask.turned", turn.degrees)
    return [turn.isMirrored ? words("ask.mirrored") : "", degrees].filter { !$0.isEmpty }.joined(
      separator: " · "
    )
  }

  /// The page behind what was decided.
  func decided(_ task: PageTask, _ choice: PageTask.Choice) -> Markup {
    choice == .later
      ? state("clock", "ask.unchanged", "<p class=\"lead\">\(words("ask.groupsUnchanged"))</p>\n")
      : state("check", "ask.thanks", "<p class=\"lead\">\(words("ask.groupsDone"))</p>\n")
  }
}
