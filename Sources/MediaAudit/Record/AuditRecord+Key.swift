internal import MediaModel
internal import MediaSyntax

extension AuditRecord {
  /// Records the key that will sign the run's head, and its rotations.
  package static func key(_ signer: AuditSigner, library: String) -> AuditRecord {
    AuditRecord(
      .key,
      [
        "key": .string("\(signer.verifierKey)"),
        "library": safe(library),
        "rotations": signer.rotations.isEmpty
          ? nil : .array(signer.rotations.map { .string($0.serialized) }),
      ]
    )
  }
}
