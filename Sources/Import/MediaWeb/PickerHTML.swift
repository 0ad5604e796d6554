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
  func picker(_ task: PageTask) -> Markup {
    let isFree = task.maximumCount == PickRequest.maximumLimit
    let notes = [task.showsPictures ? "onlyYou" : "refusedBefore"] + (task.earlier.isEmpty ? [] : ["earlier"])
    let note = notes.map { words("ask.\($0)") }.joined(separator: " ")
    let kinds: [(value: String, name: String)] =
      [("", words("ask.all"))] + PickFilter.allCases.map { ($0.rawValue, kindName($0)) }
    let title =
      task.sources.first.map { words.markup("ask.pickerOf", nil, ["name": name(of: $0, task.access)]) }
      ?? .plain(words("ask.picker"))
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
      <div class="line"><button type="button" class="icon" id="back"\(label("ask.backToQuestion"))>\
      \(icon: "close")</button>
      <div class="title"><h1 id="picker-title" tabindex="-1">\(title)</h1>\
      <p class="small faint">\(note)</p></div>
      <label class="sizes"><span class="sr">\(words("ask.sizeOfPictures"))</span>\
      <input type="range" id="size" min="90" max="320" value="158"></label>
      \(search: words.attribute(.place, "search") + label("ask.searchNames"))</div>
      <div class="chips scroll"><div class="segments" role="radiogroup"\(label("ask.kind"))>\(segments)</div>
      <div id="albums"></div></div>
      <p class="state" role="status"></p>
      </form>
      <p class="sr" role="status" id="found"></p>
      <p class="sr" id="keys">\(words("ask.keys"))</p>
      <div id="names" role="group"\(label("ask.photos")) aria-describedby="keys"></div>
      <button type="button" class="button" id="more" hidden>\(words("showMore"))</button>
      <div class="pickbar" role="group"\(label("selection"))>
      <p class="count" role="status"><span id="count">\(words("ask.noneSelected"))</span><small id="most"></small></p>
      <button type="button" class="button plain" id="clear" disabled>\(words("ask.clear"))</button>
      <button type="button" class="button plain" id="only" aria-pressed="false" disabled>\(words("show"))</button>
      <button type="button" class="button primary" id="done" disabled>\(words("ask.picker"))</button>
      </div>
      <dialog class="big" id="big"\(label("larger"))><img alt=""><p><span><bdi></bdi><small></small></span>\
      <button type="button" class="button" id="bigclose">\(words("close"))</button>\
      <button type="button" class="button primary" id="bigtick">\(words("ask.select"))</button></p></dialog>
      </section>

      """
  }

  private func kindName(_ kind: PickFilter) -> String {
    switch kind {
    case .images: words("ask.photos")
    case .livePhotos: words("ask.live")
    case .videos: words("ask.videos")
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
  func names(
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
        month: isByDate ? item.month ?? "noDate" : "ask.byName",
        day: isByDate && item.day != day ? item.day : nil,
        hasPicture: hasPictures
      )
    }
    return """
      \(rows)<li hidden id="range" data-end="\(end)" data-total="\(total)"\
      \(" data-unlisted=\"\(unlistedCount)\"", if: unlistedCount > 0)></li>

      """
  }

  private func cell(
    _ index: Int,
    _ item: PickCandidate,
    month: String,
    day: String?,
    hasPicture: Bool
  ) -> Markup {
    let safe = TerminalText(isUTF8: true, keepsJoiners: true)
    let name = safe.name(of: item, limit: 200)
    let sign =
      switch item.kind {
      case .videos: "video"
      case nil: "microphone"
      case .images, .livePhotos: "library"
      }
    let kind = item.kind == .livePhotos ? "live" : item.kind == .videos ? "video" : ""
    let badges = [kind, item.isEdited ? "edited" : ""].filter { !$0.isEmpty }.map { words("ask.badge.\($0)") }
    let label = item.day.map { "\(name), \($0)" } ?? name
    let chip = day.map {
      "<span class=\"day\" data-date=\"\($0)\"><span></span><span></span></span>" as Markup
    }
    return """
      <li data-month="\(month)"><label class="cell"\(" data-picture=\"\(index)\"", if: hasPicture) \
      data-name="\(name)" data-albums="\(safe.albums(of: item))" data-taken="\(item.day ?? "")" \
      data-size="\(String(item.size))">\
      <span class="noimg">\(icon: sign)\(isolated: name)</span>\(chip)\
      \("<span class=\"badge\">\(badges.joined(separator: " · "))</span>", if: !badges.isEmpty)\
      <input type="checkbox" value="\(index)" aria-label="\(label)"></label></li>

      """
  }

  /// The albums or folders of a source, to choose one of; their numbers are their places in the list.
  func albums(_ albums: [(album: PickAlbum, count: Int)]) -> Markup {
    let safe = TerminalText(isUTF8: true, keepsJoiners: true)
    guard albums.count > 1 else { return "" }
    let all = albums.prefix(Self.albumLimit).enumerated().map { number, entry in
      let name =
        switch entry.album {
        case .titled(let title): safe.title(title, limit: 60)
        case .folder(let path):
          path.isEmpty ? words("ask.noFolder") : safe.shortPath(path, limit: 60)
        case .others: words("ask.noAlbum")
        }
      return (number, name, entry.count)
    }
    let isInFolders = if case .folder = albums[0].album { true } else { false }
    let (label, whole) =
      isInFolders
      ? (label("ask.byFolder"), words("ask.allFolders")) : (label("ask.byAlbum"), words("ask.allAlbums"))
    if albums.count <= Self.chipLimit {
      let chips = all.map { number, name, count -> Markup in
        """
        <label class="chip"><input type="radio" name="album" value="\(number)">\(isolated: name) \
        <span class="num">\(words.grouped(count))</span></label>

        """
      }
      return """
        <div class="chips" role="radiogroup"\(label)><label class="chip">\
        <input type="radio" name="album" value="" checked>\(whole)</label>
        \(chips)</div>
        """
    }
    let options = all.map { number, name, count -> Markup in
      "<option value=\"\(number)\">\(name) (\(words.grouped(count)))</option>\n"
    }
    let more = albums.count - Self.albumLimit
    return """
      <select name="album" class="chip"\(label)><option value="">\(whole)</option>
      \(options)\("<option disabled>\(words("ask.moreAlbums", more))</option>\n", if: more > 0)</select>
      """
  }
}
