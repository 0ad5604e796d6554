internal import MediaModel

/// A result in a batch's row: the journal's members of `Outcome.fields`, with the planned item and the
/// thumbnails as they are staged, and with what only the catalogue has.
extension JSONText {
  mutating func write(_ result: ItemResult) {
    object {
      $0.object("item") { $0.members(of: result.item) }
      $0.member("conditions", result.conditions)
      $0.member("writtenUnder", result.writtenUnder)
      for field in Outcome.fields(in: .journal) { $0.write(field, of: result) }
    }
  }

  private mutating func write(_ field: Outcome.NamedField, of result: ItemResult) {
    let (name, details) = (field.name, result.details)
    switch field.form {
    case .word(let word): member(name, word.text(details))
    case .text(let text): member(name, details[keyPath: text])
    case .flag(let flag): member(name, details[keyPath: flag])
    case .digest(let digest): member(name, details[keyPath: digest])
    case .file(\.output):
      if let file = details.output { write(file, Outcome.outputMembers) }
    case .file(let file):
      if let file = details[keyPath: file] { object(name) { $0.write(file, Outcome.fileMembers) } }
    case .sourceDigest: member(name, result.sourceDigest)
    case .removed:
      array(name, details.removed) { text, removed in
        text.object {
          $0.member("name", removed.name)
          $0.member("count", removed.count)
        }
      }
    case .thumbnails: array(name, result.thumbnails) { $0.write($1) }
    case .path, .mutedTracks, .trailerRemoved: break
    }
  }

  private mutating func write(_ file: OutputFile, _ members: [String]) {
    member(members[0], file.published)
    member(members[1], file.sha256)
    member(members[2], file.bytes)
  }
}

extension ItemResult: Decodable {
  private enum Key: CodingKey { case item, conditions, writtenUnder, thumbnails }

  package init(from decoder: any Decoder) throws {
    let row = try decoder.container(keyedBy: Key.self)
    item = try row.decode(PlannedItem.self, forKey: .item)
    conditions = try row.decodeIfPresent(String.self, forKey: .conditions)
    writtenUnder = try row.decode(String.self, forKey: .writtenUnder)
    thumbnails = try row.decode([StagedThumbnail].self, forKey: .thumbnails)
    details = try Outcome(source: item.source, path: item.path, row: decoder)
    details.thumbnails = thumbnails.map(\.outcome)
  }
}
