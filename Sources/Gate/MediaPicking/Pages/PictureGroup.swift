package import MediaModel
package import MediaWorkerProtocol

/// A group of pictures that look alike, as a person is shown it.
///
/// The coordinator makes every text safe (``TerminalText``).
package struct PictureGroup: Sendable, Hashable {
  /// A picture of a group.
  package struct Picture: Sendable, Hashable {
    package var name: String
    /// Its date, size, format and place, as a line.
    package var facts: String
    /// The words that tell it from a plain photo, as those of `ListedAsset`.
    package var badges: [String] = []
    /// How it is turned against the first; nil where it is not.
    package var turn: PictureTurn?

    /// All that is said of it, in English.
    package var line: String { ([facts] + badges).joined(separator: " · ") }

    package init(name: String, facts: String) { (self.name, self.facts) = (name, facts) }
  }

  /// Whether all look the same, and none is turned.
  package var isExact: Bool
  /// Why the first is the best, as a word of `ComparedPicture.Reason`.
  package var reason: String
  /// The best first; two or more.
  package var pictures: [Picture]

  package init(isExact: Bool, reason: String, pictures: [Picture]) {
    (self.isExact, self.reason, self.pictures) = (isExact, reason, pictures)
  }

  /// What a person reads of the whole group.
  package var kind: String { isExact ? "the same picture" : "pictures that look alike" }
}

/// A person's decision about a group of pictures that look alike.
package struct GroupAnswer: Sendable, Hashable {
  package enum Choice: String, CaseIterable, Sendable, Hashable {
    /// ``numbers`` stay, and the others are withdrawn.
    case keep
    /// They become a stack; the first of ``numbers`` is its cover.
    case stack
    /// They are not the same.
    case distinguish
  }

  /// The place of the group in the list.
  package var group: Int
  package var choice: Choice
  /// Places of pictures in the group, at least one, each once.
  package var numbers: [Int]

  package init(group: Int, _ choice: Choice, _ numbers: [Int]) {
    (self.group, self.choice, self.numbers) = (group, choice, numbers)
  }

  /// Whether it is about pictures of a list.
  package func fits(_ groups: [PictureGroup]) -> Bool {
    guard groups.indices.contains(group) else { return false }
    return !numbers.isEmpty && Set(numbers).count == numbers.count
      && numbers.allSatisfy(groups[group].pictures.indices.contains)
  }
}

extension PictureGroup: WireValue {
  /// The most pictures of all groups together that a page shows.
  package static let mostPictures = 10_000
  private static let mostText = 4096
  private static let mostBadges = 32

  package func put(into writer: inout WireWriter) {
    writer.put(isExact)
    writer.put(reason)
    writer.put(UInt32(clamping: pictures.count))
    for picture in pictures {
      for text in [picture.name, picture.facts] { writer.put(text) }
      writer.put(all: picture.badges) { $0.put($1) }
      writer.put(picture.turn?.text ?? "")
    }
  }

  package init(from reader: inout WireReader) throws(ProtocolError) {
    self.init(isExact: try reader.bool(), reason: try reader.text(limit: Self.mostText), pictures: [])
    for _ in 0..<(try reader.count(limit: Self.mostPictures)) {
      var picture = Picture(
        name: try reader.text(limit: Self.mostText),
        facts: try reader.text(limit: Self.mostText)
      )
      for _ in 0..<(try reader.count(limit: Self.mostBadges)) {
        picture.badges.append(try reader.text(limit: Self.mostText))
      }
      let turn = try reader.text(limit: Self.mostText)
      picture.turn = PictureTurn.all.first { $0.text == turn }
      pictures.append(picture)
    }
    guard pictures.count > 1 else { throw ProtocolError("a group of less than two pictures") }
  }
}

extension GroupAnswer: WireValue {
  package func put(into writer: inout WireWriter) {
    writer.put(UInt32(clamping: group))
    writer.put(choice.rawValue)
    writer.put(all: numbers) { $0.put(UInt32(clamping: $1)) }
  }

  package init(from reader: inout WireReader) throws(ProtocolError) {
    self.init(group: Int(try reader.integer(UInt32.self)), try reader.choice(), [])
    for _ in 0..<(try reader.count(limit: PictureGroup.mostPictures)) {
      numbers.append(Int(try reader.integer(UInt32.self)))
    }
  }
}
