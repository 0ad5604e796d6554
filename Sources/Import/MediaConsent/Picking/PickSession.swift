internal import MediaModel
internal import MediaPicking

/// A person picks from a list: the picker's process does this once it is confined.
struct PickSession {
  /// A person who says nothing for so long has gone.
  private static let idleMilliseconds: Int64 = 30 * 60 * 1000

  /// A person needs at least this time to read the first page and answer.
  private static let quietMilliseconds: Int64 = 300

  private let text: PickText
  private var list: PickList
  private var stream: TerminalStream
  /// 0-based, among the names that the filter leaves.
  private var start = 0

  init(_ task: PickerTask, _ list: PickList, on stream: TerminalStream) {
    text = PickText(task)
    self.list = list
    self.list.choose(list.indexes(holding: Set(task.earlier)))
    self.stream = stream
  }

  /// Runs until the person is done.
  ///
  /// - Returns: The files in the order of their choice; empty when the person canceled.
  /// - Throws: Any `TerminalStream.End`.
  mutating func run() throws(TerminalStream.End) -> [ItemPath] {
    try stream.write(lines: text.heading)
    try showPage()
    try stream.discardInput(quietMilliseconds: Self.quietMilliseconds)
    while true {
      try stream.write(text.inputLine)
      let line = try stream.line(until: TerminalStream.now() + Self.idleMilliseconds)
      if try stream.wasPasted() {
        try stream.write(lines: [text.pasted])
        continue
      }
      switch PickInput(line) {
      case .done:
        if list.chosen.isEmpty {
          try stream.write(lines: [text.nothing])
        } else if list.chosen.count > text.task.maximumCount {
          // Numbers of names that the filter leaves out would be none.
          list.filter("")
          start = 0
          try stream.write(lines: text.surplus(list))
        } else {
          return list.chosenFiles
        }
      case .help: try stream.write(lines: text.help)
      case .cancel: return []
      case .show: try stream.write(lines: text.choice(list))
      case .numbers(let changes): try change(changes)
      case .all:
        list.chooseAll()
        try showChosenCount()
      case .none:
        list.chooseNone()
        try showChosenCount()
      case .filter(let filter):
        list.filter(filter)
        start = 0
        try showPage()
      case .next:
        if !list.indexes(from: start + text.pageSize, count: 1).isEmpty { start += text.pageSize }
        try showPage()
      case .previous:
        start = max(start - text.pageSize, 0)
        try showPage()
      case .unknown: try stream.write(lines: [text.unknown])
      }
    }
  }

  private mutating func change(_ changes: [PickInput.Change]) throws(TerminalStream.End) {
    for change in changes where !list.change(change) {
      try stream.write(lines: [text.outOfRange])
    }
    try showChosenCount()
  }

  private func showChosenCount() throws(TerminalStream.End) {
    try stream.write(lines: [text.count(list)])
  }

  private mutating func showPage() throws(TerminalStream.End) {
    let shown = list.indexes(from: start, count: text.pageSize)
    var lines: [String] = []
    for index in shown {
      lines += text.row(list.number(of: index), list.items[index], isChosen: list.contains(index))
    }
    lines += text.omissions(list)
    lines.append(text.position(shown, start: start, of: list))
    try stream.write(lines: lines)
  }
}
