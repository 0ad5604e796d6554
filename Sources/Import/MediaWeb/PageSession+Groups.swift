internal import MediaPicking

/// The page of groups of pictures that look alike.
extension PageSession {
  /// Whether a number is that of a picture of a group: they are counted through all groups.
  func isOfGroup(_ number: Int) -> Bool {
    number >= 0 && number < task.groups.reduce(0) { $0 + $1.pictures.count }
  }

  /// Takes a decision about a group: its place, a word and the places of pictures, such as `3 keep 0 2`; with
  /// `leave` the one of before is forgotten.
  mutating func decide(_ body: [UInt8]) -> PageResponse {
    let words = String(decoding: body, as: UTF8.self).split(separator: " ")
    let mistake = PageResponse.text(400, "That does not decide about a group that is shown.\n")
    guard words.count > 1, let group = Int(words[0]), task.groups.indices.contains(group) else {
      return mistake
    }
    if words[1] == "leave", words.count == 2 {
      decisions[group] = nil
    } else {
      let numbers = words.dropFirst(2).compactMap { Int($0) }
      guard let choice = GroupAnswer.Choice(rawValue: String(words[1])), numbers.count == words.count - 2
      else { return mistake }
      let answer = GroupAnswer(group: group, choice, numbers)
      guard answer.fits(task.groups) else { return mistake }
      decisions[group] = answer
    }
    return .text(200, "\(decisions.count)")
  }
}
