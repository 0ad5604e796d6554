internal import MediaModel
package import MediaSyntax

/// A record as somebody outside the library gets it: in its committed form, with those names opened
/// that he may see.
///
///     {"index":41,"openings":{"/path":{"key":"5f1c…","value":"IMG_0001.JPG"}},"record":{…}}
///
/// (A proof's line has the member `path` too.)
package struct DisclosedRecord: Sendable, Hashable {
  /// 0-based, over all records of the library.
  package var index: Int
  /// The committed form.
  let record: JSONValue
  var openings: [Opening]

  /// The key and the value that open one keyed digest.
  struct Opening: Sendable, Hashable {
    var field: RedactableField
    var key: RecordHash
    var value: JSONValue
  }

  /// A record's line, without its newline, with the names of some kinds held back; nil when the line
  /// is no record, or has such a name and no salt.
  init?(_ line: UnsafeRawBufferPointer, index: Int, hiding hidden: Set<RedactableKind>) {
    guard let scan = ParsedRecord(line) else { return nil }
    self.index = index
    guard let salt = RedactedRecord.Salt(line, scan) else {
      guard !scan.names.contains(where: { hidden.contains($0.field.kind) }),
        let record = CanonicalJSON.value(of: line)
      else { return nil }
      (self.record, openings) = (record, [])
      return
    }
    var committed: [UInt8] = []
    RedactedRecord.forEachPiece(of: line, scan) { committed.append(contentsOf: $0) }
    let record = committed.withUnsafeBytes { CanonicalJSON.value(of: $0) }
    guard let record else { return nil }
    self.record = record
    openings = scan.names.compactMap { name -> Opening? in
      guard !hidden.contains(name.field.kind),
        let value = CanonicalJSON.value(of: UnsafeRawBufferPointer(rebasing: line[name.value]))
      else { return nil }
      return Opening(field: name.field, key: salt.key(of: name.field), value: value)
    }
  }

  /// As the tree has it.
  var leaf: RecordHash { record.serialized.withUnsafeBytes { TreeHash.leaf($0) } }

  /// The record with the opened names in their places and the digests of the others.
  ///
  /// - Throws: ``ProofError`` when a name is not the one that was committed to.
  package func revealed() throws(ProofError) -> JSONValue {
    var record = record
    for opening in openings {
      let name = opening.value.serialized
      let digest = name.withUnsafeBytes { RedactedRecord.digest($0, key: opening.key) }
      let hidden = ["hmac": .string(digest.text)] as JSONValue
      guard let revealed = record.replacing(hidden, at: opening.field, by: opening.value) else {
        throw ProofError(
          "record \(index): the name at \(opening.field.pointer) is not the one that was recorded"
        )
      }
      record = revealed
    }
    return record
  }

  /// The members of a line of a proof or an export.
  var members: [String: JSONValue] {
    var opened: [String: JSONValue] = [:]
    for opening in openings {
      opened[opening.field.pointer] = ["key": .string(opening.key.text), "value": opening.value]
    }
    return ["index": JSONValue(index), "openings": .object(opened), "record": record]
  }

  /// The record that ``members`` are of; nil for any others.
  init?(_ members: [String: JSONValue]) {
    guard members.count == 3, case .integer(let number)? = members["index"], number >= 0,
      let index = Int(exactly: number), let record = members["record"], case .object = record,
      case .object(let opened)? = members["openings"]
    else { return nil }
    (self.index, self.record, openings) = (index, record, [])
    for (pointer, opening) in opened.sorted(by: { $0.key < $1.key }) {
      guard let field = RedactableField(pointer: pointer), case .object(let parts) = opening,
        parts.count == 2,
        case .string(let text)? = parts["key"], let key = RecordHash(hexadecimal: text),
        let value = parts["value"], case .string = value
      else { return nil }
      openings.append(Opening(field: field, key: key, value: value))
    }
  }
}

extension JSONValue {
  /// The number of names in a record that are held back: digests without an opening.
  package var hiddenNames: Int {
    switch self {
    case .object(let members):
      members.count == 1 && members["hmac"] != nil
        ? 1 : members.values.reduce(0) { $0 + $1.hiddenNames }
    case .array(let values): values.reduce(0) { $0 + $1.hiddenNames }
    default: 0
    }
  }
}

/// Why a proof, or an export, proves nothing.
package struct ProofError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The mismatch, without a full stop.
  package var description: String

  init(_ description: String) {
    self.description = description
  }
}

extension JSONValue {
  /// Returns the record with one name replaced; nil when the field does not have the value `old`.
  fileprivate func replacing(
    _ old: JSONValue,
    at field: RedactableField,
    by name: JSONValue
  ) -> JSONValue? {
    guard case .object(var members) = self else { return nil }
    func replace(_ key: String, in members: inout [String: JSONValue]) -> Bool {
      guard members[key] == old else { return false }
      members[key] = name
      return true
    }
    switch field {
    case .path, .resolvedPath, .list, .sourceName, .previousPath, .addedPath, .host, .user:
      guard replace(String(field.pointer.dropFirst()), in: &members) else { return nil }
    case .outputPath:
      guard case .object(var output)? = members["output"], replace("path", in: &output) else {
        return nil
      }
      members["output"] = .object(output)
    case .thumbnailPath(let number):
      guard case .array(var thumbnails)? = members["thumbnails"],
        thumbnails.indices.contains(number), case .object(var thumbnail) = thumbnails[number],
        replace("path", in: &thumbnail)
      else { return nil }
      thumbnails[number] = .object(thumbnail)
      members["thumbnails"] = .array(thumbnails)
    }
    return .object(members)
  }
}
