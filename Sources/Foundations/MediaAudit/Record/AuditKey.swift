internal import MediaSyntax

/// The key that will sign the head of a run, and the rotations by which it came to be the one.
package struct AuditKey: RecordBody {
  package static let events = [AuditEvent.key]

  /// Nil until it is set.
  private(set) var key: VerifierKey?
  /// The library's identifier.
  package private(set) var library = ""
  private var signed: SignedRotations?

  package init() {}

  package init(_ signer: AuditSigner, library: String) {
    (key, self.library) = (signer.verifierKey, library)
    if !signer.rotations.isEmpty { signed = SignedRotations(signer.rotations) }
  }

  package mutating func list(_ fields: inout RecordFields) {
    fields.field("key", &key)
    fields.needed("library", &library)
    fields.whole("rotations", &signed)
    // The last of them led to this key: another key's do not vouch for it.
    if key == nil || rotations.last.map({ $0.new != key }) == true { fields.lacks() }
  }

  /// Oldest first.
  var rotations: [KeyRotation] { signed?.rotations ?? [] }
}

/// Notes of rotations, each signed by both keys.
private struct SignedRotations: RecordValue {
  let notes: [SignedNote]
  let rotations: [KeyRotation]

  // Their lines are signed as they are: nothing in them is escaped.
  var json: JSONValue { .array(notes.map { .string($0.serialized) }) }

  init(_ notes: [SignedNote]) {
    self.notes = notes
    rotations = notes.compactMap { KeyRotation($0) }
  }

  init?(_ json: JSONValue, _ clean: ((String) -> String)?) {
    guard case .array(let values) = json else { return nil }
    self.init(values.compactMap { if case .string(let text) = $0 { SignedNote(text) } else { nil } })
    if rotations.count < values.count { return nil }
  }
}

extension VerifierKey: RecordValue {
  var json: JSONValue { .string("\(self)") }

  init?(_ json: JSONValue, _ clean: ((String) -> String)?) {
    guard case .string(let text) = json else { return nil }
    self.init(text)
  }
}
