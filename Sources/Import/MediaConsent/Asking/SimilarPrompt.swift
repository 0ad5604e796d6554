internal import MediaLibrary
internal import MediaModel
package import MediaPicking

/// Asks a person at a terminal what becomes of pictures that look alike.
package enum SimilarPrompt {
  /// The most pictures of a group that are shown.
  private static let mostPictures = 30

  /// Shows one group after the other, then what was decided, and waits for a yes.
  ///
  /// - Parameters:
  ///   - groups: Their texts are safe for a terminal that understands UTF-8.
  ///   - terminal: See ``Terminal``.
  /// - Returns: What was decided; nothing without the yes, and when the terminal is closed.
  /// - Throws: `.interrupted` after Ctrl-C, `.terminated`, `.noTerminal`.
  package static func ask(
    _ groups: [PictureGroup],
    on terminal: Terminal
  ) throws(ConsentError) -> [GroupAnswer] {
    let groups = terminal.isUTF8 ? groups : groups.map(ascii)
    return try terminal.whileAsking { (stream) throws(ConsentError) in
      do throws(TerminalStream.End) {
        return try ask(groups, on: &stream)
      } catch {
        try? stream.write("\nNothing was changed.\n")
        switch error {
        case .interrupted: throw ConsentError(.interrupted)
        case .terminated: throw ConsentError(.terminated)
        case .closed, .timedOut: return []
        }
      }
    }
  }

  private static func ask(
    _ groups: [PictureGroup],
    on stream: inout TerminalStream
  ) throws(TerminalStream.End) -> [GroupAnswer] {
    var answers: [GroupAnswer] = []
    walk: for (index, group) in groups.enumerated() {
      try stream.write(lines: lines(of: group, number: index + 1, of: groups.count))
      while true {
        try stream.discardInput(quietMilliseconds: 100)
        try stream.write(
          "k keep 1 and withdraw the others, s stack, n not the same, Enter leave, q quit, ? help: "
        )
        switch answer(try stream.line(until: nil), to: group, index) {
        case .decided(let answer):
          answers.append(answer)
          continue walk
        case .left: continue walk
        case .quit: break walk
        case .unknown: try stream.write(lines: help)
        }
      }
    }
    if answers.isEmpty {
      try stream.write("Nothing was decided.\n")
      return []
    }
    try stream.write(lines: ["", "Decided: \(summary(answers, of: groups))."])
    try stream.discardInput(quietMilliseconds: 100)
    try stream.write("Type y to do this; anything else changes nothing: ")
    if try stream.line(until: nil).trimmed == "y" { return answers }
    try stream.write("Nothing was changed.\n")
    return []
  }

  /// A group for a terminal that does not understand UTF-8.
  private static func ascii(_ group: PictureGroup) -> PictureGroup {
    func text(_ text: String) -> String {
      let plain = text.map { $0 == "·" ? "-" : $0 == "×" ? "x" : $0 }
      return TerminalText(isUTF8: false).prose(String(plain), limit: 400, isBetweenQuotes: false).text
    }
    var group = group
    for index in group.pictures.indices {
      group.pictures[index].name = text(group.pictures[index].name)
      group.pictures[index].facts = text(group.pictures[index].line)
      group.pictures[index].badges = []
    }
    return group
  }

  private static let help = [
    "  k      keeps the best; its copies go to Quarantine. \"k 2\" keeps the second, \"k 1 3\" two of them",
    "  w 2    withdraws the second, and keeps the others",
    "  s      makes them a stack with the best in front. \"s 2\" puts the second in front",
    "  n      they are not the same: no group has them together again",
    "  Enter  leaves them as they are, and they are asked about again",
    "  q      ends the walk. Nothing is done before the last question is answered with y",
  ]

  /// The lines that show a group.
  private static func lines(of group: PictureGroup, number: Int, of count: Int) -> [String] {
    let reason = ComparedPicture.Reason(rawValue: group.reason)?.text ?? group.reason
    var lines = ["", "Group \(number) of \(count): \(group.kind). The best is 1: \(reason)."]
    for (index, picture) in group.pictures.prefix(mostPictures).enumerated() {
      let turn = picture.turn.map { ", \($0.text)" } ?? ""
      lines.append("  \(index + 1) \"\(picture.name)\"\(turn)")
      lines.append("    \(picture.line)")
    }
    let more = group.pictures.count - mostPictures
    return more > 0 ? lines + ["  and \(more) more"] : lines
  }

  /// What a line says.
  enum Said: Hashable {
    case decided(GroupAnswer)
    case left
    case quit
    case unknown
  }

  /// Reads a line such as `k` or `w 2 3`.
  static func answer(_ line: String, to group: PictureGroup, _ index: Int) -> Said {
    let words = line.split { $0 == " " || $0 == "," }
    guard let letter = words.first?.lowercased() else { return .left }
    let numbers = words.dropFirst().compactMap { Int($0) }.map { $0 - 1 }
    let all = Array(group.pictures.indices)
    let isPlain = words.count == 1
    guard numbers.count == words.count - 1, Set(numbers).count == numbers.count,
      numbers.allSatisfy(all.contains)
    else { return .unknown }
    switch letter {
    case "k":
      // With all of them nothing would go.
      if numbers.count == all.count { return .left }
      return .decided(GroupAnswer(group: index, .keep, isPlain ? [0] : numbers.sorted()))
    case "w" where !isPlain && numbers.count < all.count:
      return .decided(GroupAnswer(group: index, .keep, all.filter { !numbers.contains($0) }))
    case "s": return .decided(GroupAnswer(group: index, .stack, isPlain ? [0] : numbers))
    case "n" where isPlain: return .decided(GroupAnswer(group: index, .distinguish, [0]))
    case "q" where isPlain: return .quit
    default: return .unknown
    }
  }

  /// Such as `3 pictures go to Quarantine, 1 group becomes a stack`.
  private static func summary(_ answers: [GroupAnswer], of groups: [PictureGroup]) -> String {
    let withdrawn = answers.filter { $0.choice == .keep }
      .reduce(0) { $0 + groups[$1.group].pictures.count - $1.numbers.count }
    let stacks = answers.count { $0.choice == .stack }
    let others = answers.count { $0.choice == .distinguish }
    return [
      (withdrawn, "\(withdrawn) \(withdrawn == 1 ? "picture goes" : "pictures go") to Quarantine"),
      (stacks, "\(stacks) \(stacks == 1 ? "group becomes a stack" : "groups become stacks")"),
      (others, "\(others) \(others == 1 ? "group is" : "groups are") not the same"),
    ].filter { $0.0 > 0 }.map(\.1).joined(separator: ", ")
  }
}

extension String {
  fileprivate var trimmed: String {
    String(drop { $0 == " " }.reversed().drop { $0 == " " }.reversed()).lowercased()
  }
}
