package import MediaModel
internal import MediaSyntax

/// That the log of an older head is the beginning of that of a newer one.
///
///     {"hashes":["5f1c…"],"new":{"root":"…","size":1084},"old":{"root":"…","size":620},
///      "schema":"mediabatch.consistency/1"}
package struct ConsistencyProof: Sendable, Hashable {
  package static let schema = "mediabatch.consistency/1"

  package var old: AuditTreeHead
  package var new: AuditTreeHead
  private var hashes: [RecordHash]

  init(old: AuditTreeHead, new: AuditTreeHead, hashes: [RecordHash]) {
    self.old = old
    self.new = new
    self.hashes = hashes
  }

  /// One line, without its newline.
  package var serialized: [UInt8] {
    func head(_ tree: AuditTreeHead) -> JSONValue {
      ["root": .string(tree.root), "size": JSONValue(tree.size)]
    }
    return JSONValue.object([
      "schema": .string(Self.schema), "old": head(old), "new": head(new),
      "hashes": .array(hashes.map { .string($0.text) }),
    ]).serialized
  }

  /// The proof that ``serialized`` wrote.
  ///
  /// - Throws: ``ProofError`` for anything else.
  package init(_ bytes: [UInt8]) throws(ProofError) {
    func head(_ value: JSONValue?) -> AuditTreeHead? {
      guard case .object(let members)? = value, case .integer(let size)? = members["size"],
        size >= 0, case .string(let root)? = members["root"]
      else { return nil }
      return AuditTreeHead(size: Int(size), root: root)
    }
    guard let members = CanonicalJSON.members(of: bytes),
      members["schema"] == .string(Self.schema), let old = head(members["old"]),
      let new = head(members["new"]), case .array(let values)? = members["hashes"]
    else { throw ProofError("it is no proof of \(Self.schema)") }
    hashes = values.compactMap { value in
      guard case .string(let text) = value else { return nil }
      return RecordHash(hexadecimal: text)
    }
    guard hashes.count == values.count else {
      throw ProofError("it is no proof of \(Self.schema)")
    }
    self.old = old
    self.new = new
  }

  /// Checks that the proof is of two heads, and that its hashes lead from the older root to the newer.
  ///
  /// - Throws: ``ProofError`` when they do not.
  package func check(from old: AuditTreeHead, to new: AuditTreeHead) throws(ProofError) {
    guard self.old == old, self.new == new else {
      throw ProofError("the heads are not those of the log, or of the proof")
    }
    try check()
  }

  /// Checks that the hashes lead from the older root to the newer one.
  ///
  /// - Throws: ``ProofError`` when they do not.
  func check() throws(ProofError) {
    guard let oldRoot = RecordHash(hexadecimal: old.root),
      let newRoot = RecordHash(hexadecimal: new.root),
      TreeProof.isConsistent(old: (old.size, oldRoot), new: (new.size, newRoot), path: hashes)
    else {
      throw ProofError("the log of \(old.size) records is not the beginning of that of \(new.size) records")
    }
  }
}
