internal import MediaModel
internal import MediaPages
internal import MediaPicking
internal import MediaSyntax

/// The HTML of the picker: its controls, then names and albums as they are asked for.
extension PageHTML {
  /// Albums that the list of them has, and that are shown side by side.
  private static let albumLimit = 2_000
  private static let chipLimit = 12

  /// The picker without names, hidden until it is opened.
  static func picker(_ task: PageTask) -> Markup {
    let isFree = task.maximumCount == PickRequest.maximumLimit
    let note =
      (task.showsPictures
        ? "Only you see this page." : "This was refused before, so that no file of it is opened.")
      + (task.earlier.isEmpty ? "" : " What you selected before is selected.")
    let kinds: [(value: String, name: String)] =
      [("", "All")] + PickFilter.allCases.map { ($0.rawValue, kindName($0)) }
    let segments = kinds.map { kind -> Markup in
      """
      <label><input type="radio" name="kind" value="\(kind.value)"\(" checked", if: kind.value.isEmpty)>\
      \(kind.name)</label>
      """
    }
    return """
      <section id="picker" class="pick" data-limit="\(isFree ? 0 : task.maximumCount)" hidden \
      aria-labelledby="picker-title">
      <form class="picktop" id="find">
      <div class="line"><button type="button" class="icon" id="back" aria-label="Back to the question">\
      \(icon: "close")</button>
      <div class="title"><h1 id="picker-title" tabindex="-1">Select photos\
      \(task.sources.first.map { " of \(isolated: $0.name)" as Markup } ?? "")</h1>\
      <p class="small faint">\(note)</p></div>
      <label class="sizes"><span class="sr">Size of the pictures</span>\
      <input type="range" id="size" min="90" max="320" value="158"></label>
      \(search: "Search", label: "Search names and albums")</div>
      <div class="chips scroll"><div class="segments" role="radiogroup" aria-label="Kind">\(segments)</div>
      <div id="albums"></div></div>
      <p class="state" role="status"></p>
      </form>
      <p class="sr" role="status" id="found"></p>
      <p class="sr" id="keys">Arrow keys move, Enter selects, Space shows the picture larger, Shift and an arrow key \
      select a range.</p>
      <div id="names" role="group" aria-label="Photos" aria-describedby="keys"></div>
      <button type="button" class="button" id="more" hidden>Show more</button>
      <div class="pickbar" role="group" aria-label="Selection">
      <p class="count" role="status"><span id="count">None selected</span><small id="most"></small></p>
      <button type="button" class="button plain" id="clear" disabled>Clear</button>
      <button type="button" class="button plain" id="only" aria-pressed="false" disabled>Show</button>
      <button type="button" class="button primary" id="done" disabled>Select photos</button>
      </div>
      <dialog class="big" id="big" aria-label="Larger view"><img alt=""><p><span><bdi></bdi><small></small></span>\
      <button type="button" class="button" id="bigclose">Close</button>\
      <button type="button" class="button primary" id="bigtick">Select</button></p></dialog>
      </section>

      """
  }

  private static func kindName(_ kind: PickFilter) -> String {
    switch kind {
    case .images: "Photos"
    case .livePhotos: "Live"
    case .videos: "Videos"
    }
  }

  /// The names from one on, as items of a list, and where they end.
  ///
  /// - Parameters:
  ///   - names: The items, with their numbers.
  ///   - before: The item that stands before them.
  ///   - isByDate: Whether they come by months and days.
  ///   - hasPictures: Whether files are opened for pictures.
  ///   - end: The place behind the last.
  ///   - total: How many there are.
  ///   - unlistedCount: The folders and archives that could not be listed.
  /// - Returns: The items, with a hidden one that has the numbers.
  static func names(
    _ names: [(index: Int, item: PickCandidate)],
    after before: PickCandidate?,
    isByDate: Bool,
    hasPictures: Bool,
    end: Int,
    total: Int,
    unlistedCount: Int
  ) -> Markup {
    var day = before?.day
    let rows = names.map { index, item -> Markup in
      defer { day = item.day }
      return cell(
        index,
        item,
        month: isByDate ? item.month : "By name",
        day: isByDate && item.day != day ? item.day : nil,
        hasPicture: hasPictures
      )
    }
    return """
      \(rows)<li hidden id="range" data-end="\(end)" data-total="\(total)"\
      \(" data-unlisted=\"\(unlistedCount)\"", if: unlistedCount > 0)></li>

      """
  }

  private static func cell(
    _ index: Int,
    _ item: PickCandidate,
    month: String,
    day: String?,
    hasPicture: Bool
  ) -> Markup {
    let safe = TerminalText(isUTF8: true, keepsJoiners: true)
    let name = safe.name(of: item, limit: 200)
    let facts = [
      safe.albums(of: item), item.shownTime == nil ? "" : item.dateText, item.sizeText,
    ].filter { !$0.isEmpty }.joined(separator: " · ")
    let sign =
      switch item.kind {
      case .videos: "video"
      case nil: "microphone"
      case .images, .livePhotos: "library"
      }
    let kind = item.kind == .livePhotos ? "LIVE" : item.kind == .videos ? "VIDEO" : ""
    let words = [kind, item.isEdited ? "EDITED" : ""].filter { !$0.isEmpty }
    let label = item.day.map { "\(name), \($0)" } ?? name
    return """
      <li data-month="\(month)"><label class="cell"\(" data-picture=\"\(index)\"", if: hasPicture) \
      data-name="\(name)" data-facts="\(facts)">\
      <span class="noimg">\(icon: sign)\(isolated: name)</span>\(day.map { "<span class=\"day\">\($0)</span>" })\
      \("<span class=\"badge\">\(words.joined(separator: " · "))</span>", if: !words.isEmpty)\
      <input type="checkbox" value="\(index)" aria-label="\(label)"></label></li>

      """
  }

  /// The albums or folders of a source, to choose one of; their numbers are their places in the list.
  static func albums(_ albums: [(album: PickAlbum, count: Int)]) -> Markup {
    let safe = TerminalText(isUTF8: true, keepsJoiners: true)
    guard albums.count > 1 else { return "" }
    let all = albums.prefix(albumLimit).enumerated().map { number, entry in
      let name =
        switch entry.album {
        case .titled(let title): safe.title(title, limit: 60)
        case .folder(let path):
          path.isEmpty ? "Not in a folder" : safe.shortPath(path, limit: 60)
        case .others: "Not in an album"
        }
      return (number, name, entry.count)
    }
    let isInFolders = if case .folder = albums[0].album { true } else { false }
    let what = isInFolders ? "folder" : "album"
    if albums.count <= chipLimit {
      let chips = all.map { number, name, count -> Markup in
        """
        <label class="chip"><input type="radio" name="album" value="\(number)">\(isolated: name) \
        <span class="num">\(count)</span></label>

        """
      }
      return """
        <div class="chips" role="radiogroup" aria-label="By \(what)"><label class="chip">\
        <input type="radio" name="album" value="" checked>All \(what)s</label>
        \(chips)</div>
        """
    }
    let options = all.map { number, name, count -> Markup in
      "<option value=\"\(number)\">\(name) (\(count))</option>\n"
    }
    let more = albums.count - albumLimit
    return """
      <select name="album" class="chip" aria-label="By \(what)"><option value="">All \(what)s</option>
      \(options)\("<option disabled>\(more) more: search for them</option>\n", if: more > 0)</select>
      """
  }
}
