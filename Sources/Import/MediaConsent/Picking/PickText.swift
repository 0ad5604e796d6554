internal import MediaModel
internal import MediaPicking

/// The text that a picker writes to the terminal.
struct PickText {
  /// A name takes at most so many characters, beginning and end.
  private static let nameLimit = 1000
  /// The number of names that are listed of chosen items, or of those beyond the limit.
  private static let listLimit = 100

  let task: PickerTask
  let safe: TerminalText

  init(_ task: PickerTask) {
    self.task = task
    safe = TerminalText(isUTF8: task.isUTF8)
  }

  /// Names on a page.
  var pageSize: Int { max(task.rows - 5, 5) }

  /// The heading: the client, the source and the limit.
  var heading: [String] {
    let kinds = PickFilter.allCases.filter(task.filter.contains).map { kind in
      switch kind {
      case .images: "images (live photos too)"
      case .livePhotos: "live photos"
      case .videos: "videos"
      }
    }
    let kind =
      kinds.isEmpty ? "images, live photos, videos and sound" : kinds.joined(separator: ", ")
    let reading =
      task.opensFiles
      ? [
        "Names, sizes and dates are shown here. Dates are read from the files for this list alone; what",
        "you pick, and nothing else, is imported.",
      ]
      : [
        "Names, sizes and dates are shown here. No file is opened for this list; what you pick, and",
        "nothing else, is imported.",
      ]
    return [
      "",
      "Pick from the \(task.sourceName) for \"\(task.clientName)\": \(kind), \(limit).",
    ] + reading
      + (task.earlier.isEmpty
        ? [] : ["What you picked before is chosen, if it is still there."])
  }

  /// The lines of a candidate, several for a long name; `*` marks a chosen one.
  ///
  ///     *   1.2 MB  2026-11-21      7 | 2026/IMG_0042.JPG
  ///       162.8 kB  2026-11-20      8 | IMG_0041.JPG in "Harbor", "Summer"
  ///
  /// Size and date are left out where there is no room for them beside a name. `number` is nil for one
  /// that the filter leaves out.
  func row(_ number: Int?, _ item: PickCandidate, isChosen: Bool) -> [String] {
    let facts =
      task.columns < 60
      ? "" : padded(item.sizeText, to: 8) + "  " + item.dateText + " "
    let start = (isChosen ? "* " : "  ") + facts + padded(number.map { "\($0)" } ?? "", to: 6)
    let albums = item.albums.isEmpty ? "" : " in \(safe.albums(of: item))"
    return WrappedText.lines(
      safe.name(of: item, inFolder: item.albums.isEmpty, limit: Self.nameLimit) + albums,
      columns: task.columns,
      first: start + " | ",
      others: String(repeating: " ", count: start.utf8.count) + " | "
    )
  }

  private func padded(_ text: String, to width: Int) -> String {
    String(repeating: " ", count: max(width - text.utf8.count, 0)) + text
  }

  /// Below a page.
  func position(_ numbers: [Int], start: Int, of list: PickList) -> String {
    let chosen = list.chosen.isEmpty ? "none chosen" : "\(list.chosen.count) chosen"
    guard !numbers.isEmpty else { return "No name here; \(chosen)." }
    return "Names \(start + 1) to \(start + numbers.count) of \(list.shown.count); \(chosen)."
  }

  /// Before which the person types.
  var inputLine: String {
    "Numbers (3 7-9, -3 takes back), /text, n, p, ?, done, q: "
  }

  /// The items that are chosen so far.
  func choice(_ list: PickList) -> [String] {
    if list.chosen.isEmpty { return [nothing] }
    return ["Chosen: \(list.chosen.count), \(limit)."]
      + rows(list.chosen[...], of: list)
  }

  /// More is chosen than may be: what came last is too much.
  func surplus(_ list: PickList) -> [String] {
    let surplus = list.chosen.dropFirst(task.maximumCount)
    return [
      "You chose \(list.chosen.count), but at most \(task.maximumCount) can be picked. "
        + "Too many, in the order you chose them:"
    ] + rows(surplus, of: list) + [
      "Take some back (such as -\((surplus.last ?? 0) + 1)), then \"done\"."
    ]
  }

  /// After a change.
  func count(_ list: PickList) -> String { "\(list.chosen.count) chosen, \(limit)." }

  var nothing: String { "Nothing is chosen: type numbers, or q to leave." }
  var pasted: String { "Several lines came at once, as if pasted; none was taken." }
  var unknown: String { "That is not one of the answers; ? shows them." }
  /// Explains every way to answer.
  var help: [String] {
    let number = task.maximumCount == 1 ? "1" : "\(limit)"
    return [
      "  3 7-9   choose these numbers; -3 takes one back",
      "  all     choose every name that is shown, on all pages; none takes all back",
      "  /text   show only names with this text, numbered from 1; / shows every name",
      "  n, p    the next page, the page before",
      "  Enter   what you have chosen so far (\(number))",
      "  done    take what is chosen, and go on",
      "  q       leave without a choice; Ctrl-C stops the program",
    ]
  }
  var outOfRange: String { "No name that is shown has such a number." }

  /// Notes about items that the list leaves out; none when it is complete.
  func omissions(_ list: PickList) -> [String] {
    var lines: [String] = []
    if list.unlistedCount > 0 {
      lines.append(
        list.unlistedCount == 1
          ? "1 folder could not be listed." : "\(list.unlistedCount) folders could not be listed."
      )
    }
    if list.isFull {
      lines.append("Only the first \(PickRequest.maximumLimit) names can be shown.")
    }
    return lines
  }

  private var limit: String {
    task.maximumCount == PickRequest.maximumLimit ? "any number" : "at most \(task.maximumCount)"
  }

  private func rows(_ indexes: ArraySlice<Int>, of list: PickList) -> [String] {
    let shown = indexes.prefix(Self.listLimit)
    let remaining = indexes.count - shown.count
    return shown.flatMap { row(list.number(of: $0), list.items[$0], isChosen: true) }
      + (remaining > 0 ? ["... and \(remaining) more"] : [])
  }
}
