extension Outcome {
  /// The published file, whose path, digest and size are three members of a batch's row.
  package static let outputMembers = ["outputPath", "outputSHA256", "outputBytes"]
  /// The members of any other file of a batch's row, which are in an object of their own.
  package static let fileMembers = ["path", "sha256", "bytes"]

  /// Reads the members that ``Writer/journal`` has, but for the thumbnails, which a batch has with more of them.
  ///
  /// - Throws: `DecodingError` for a member that is missing, or that has a word which none of its values is.
  package init(source: SourceKind, path: ItemPath, row decoder: any Decoder) throws {
    let row = try decoder.container(keyedBy: Key.self)
    self.init(
      source: source,
      path: path,
      outcome: try row.decode(ItemOutcome.self, forKey: Key("outcome"))
    )
    for field in Outcome.fields(in: .journal) { try read(field, in: row) }
    // Known only now, whatever the order of the fields.
    sourceDigest?.isKeyed = policy != .keep
  }

  private struct Key: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(_ name: String) { stringValue = name }
    init?(stringValue: String) { self.init(stringValue) }
    init?(intValue: Int) { nil }
  }

  private mutating func read(_ field: NamedField, in row: KeyedDecodingContainer<Key>) throws {
    let key = Key(field.name)
    switch field.form {
    case .word(let word):
      guard let text = try row.decodeIfPresent(String.self, forKey: key) else { break }
      guard word.set(&self, text) else {
        throw DecodingError.dataCorruptedError(forKey: key, in: row, debugDescription: text)
      }
    case .text(let text): self[keyPath: text] = try row.decodeIfPresent(String.self, forKey: key)
    case .flag(let flag):
      self[keyPath: flag] = try row.decodeIfPresent(Bool.self, forKey: key) ?? false
    case .digest(let digest):
      self[keyPath: digest] = try row.decodeIfPresent([UInt8].self, forKey: key)
    case .file(\.output): output = try Self.file(in: row, Self.outputMembers)
    case .file(let file):
      guard row.contains(key) else { break }
      let members = try row.nestedContainer(keyedBy: Key.self, forKey: key)
      self[keyPath: file] = try Self.file(in: members, Self.fileMembers)
    case .sourceDigest:
      sourceDigest = try row.decodeIfPresent([UInt8].self, forKey: key)
        .map { SourceDigest($0, isKeyed: true) }
    case .removed: removed = try row.decode([RemovedMetadata].self, forKey: key)
    case .path, .mutedTracks, .trailerRemoved, .thumbnails: break
    }
  }

  private static func file(
    in row: KeyedDecodingContainer<Key>,
    _ members: [String]
  ) throws -> OutputFile? {
    let keys = members.map { Key($0) }
    guard let path = try row.decodeIfPresent(String.self, forKey: keys[0]) else { return nil }
    return OutputFile(
      published: path,
      sha256: try row.decode(String.self, forKey: keys[1]),
      bytes: try row.decode(Int64.self, forKey: keys[2])
    )
  }
}
