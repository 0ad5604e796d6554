internal import MediaModel
internal import MediaSyntax

extension AuditRecord {
  /// Records the key that will sign the run's head, and its rotations.
  package static func key(_ signer: AuditSigner, library: String) -> AuditRecord {
    var members = [
      Member(key: "key", value: .string("\(signer.verifierKey)")),
      Member(key: "library", value: safe(library)),
    ]
    if !signer.rotations.isEmpty {
      // Their lines are signed as they are: nothing in them is escaped.
      let notes = signer.rotations.map { JSONValue.string($0.serialized) }
      members.append(Member(key: "rotations", value: .array(notes)))
    }
    return AuditRecord(.key, members)
  }
}
