internal import MediaModel

/// Holds the signed heads of a log against its records, from the first run to the last.
struct SignatureCheck {
  private let heads: [String: String]
  private let library: String?
  private let trustedKey: VerifierKey?
  /// Who signed the heads that are good, in the order of the runs.
  private var signers: [(file: AuditFileName, key: VerifierKey)] = []
  /// All that any of them names.
  private var rotations: [KeyRotation] = []
  /// The signed head of the newest run that ended.
  private var lastEnded: (file: AuditFileName, isSigned: Bool)?

  /// The newest head that is good, and the key that signed it.
  private(set) var head: SignedHead?
  private(set) var signer: VerifierKey?
  private(set) var state = SignatureState.unsigned

  init(_ witnesses: AuditWitnesses) {
    heads = witnesses.signedHeads
    library = witnesses.library
    trustedKey = witnesses.trustedKey
  }

  /// Returns the difference between a file without differences and its signed head.
  ///
  /// The head of a run that did not come to its end is empty. `isEnded` is whether the catalogue says
  /// that it did: it says so only after the head was written.
  mutating func difference(of check: AuditFileCheck, isEnded: Bool) -> AuditDifference? {
    let name = check.name.headText
    if check.isEnded, check.ownTree == nil { lastEnded = (check.name, false) }
    guard let text = heads[name], !text.isEmpty else {
      guard isEnded, check.signer != nil else { return nil }
      return AuditDifference(
        kind: .missing,
        file: name,
        detail: "the run signed its head, but the signed head is "
          + (heads[name] == nil ? "missing" : "empty")
      )
    }
    func changed(_ detail: String) -> AuditDifference {
      AuditDifference(kind: .changed, file: name, detail: detail)
    }
    guard let head = SignedHead(note: text) else {
      return changed("it can no longer be read as a signed head")
    }
    guard let signer = check.signer, let key = signer.key else {
      return changed("a head is signed, but the run's records name no key")
    }
    guard head.note.isSigned(by: key) else {
      return changed("the signature is not by the key that the run's records name")
    }
    let file = check.ownTree == nil ? check.name : check.name.asFirst
    guard head.file == file?.text, head.library == signer.library,
      library == nil || head.library == library
    else { return changed("it is the signed head of another run or library") }
    let tree = check.ownTree ?? check.tree
    guard head.tree.size <= tree.size else {
      return AuditDifference(
        kind: .rolledBack,
        file: check.name.text,
        line: check.records + 1,
        sequence: check.records + 1,
        detail:
          "the signed head has \(head.tree.size) records, but the log up to here \(tree.size)"
      )
    }
    guard head.tree == tree.head, head.head == check.head.text else {
      return AuditDifference(
        kind: head.tree.size < tree.size ? .added : .changed,
        file: check.name.text,
        detail: "the signed head is not that of its records"
      )
    }
    // The head of a shard is one of its own log; for the whole the merge's speaks.
    if check.ownTree != nil { return nil }
    self.head = head
    self.signer = key
    lastEnded?.isSigned = true
    state = .signed
    signers.append((check.name, key))
    for rotation in signer.rotations where !rotations.contains(rotation) {
      rotations.append(rotation)
    }
    return nil
  }

  /// Whether the last run that came to its end is vouched for, where that is asked for.
  mutating func difference(atEnd tree: TreeFrontier) -> AuditDifference? {
    if let newer = heads.keys.compactMap({ AuditFileName(headText: $0) }).max(),
      let text = heads[newer.headText], let head = SignedHead(note: text),
      head.tree.size > tree.size
    {
      return AuditDifference(
        kind: .rolledBack,
        file: newer.headText,
        detail: "it is the head of \(head.tree.size) records, but the log has \(tree.size)"
      )
    }
    guard let trustedKey else { return nil }
    guard let lastEnded, lastEnded.isSigned else {
      return AuditDifference(
        kind: .missing,
        file: lastEnded?.file.headText ?? "",
        detail: "no head of the last run is signed by the trusted key"
      )
    }
    let keys = line(through: trustedKey)
    var newest = 0
    for signer in signers {
      guard let index = keys.firstIndex(of: signer.key) else {
        return AuditDifference(
          kind: .changed,
          file: signer.file.headText,
          detail: "it is signed by \(signer.key.identifier), which is not the trusted key, and "
            + "the trusted key does not vouch for it"
        )
      }
      // From a key that was rotated out nothing new is believed.
      guard index >= newest else {
        return AuditDifference(
          kind: .changed,
          file: signer.file.headText,
          detail: "it is signed by \(signer.key.identifier), which had been replaced by another key"
        )
      }
      newest = index
    }
    guard let own = keys.firstIndex(of: trustedKey), newest >= own else {
      return AuditDifference(
        kind: .changed,
        file: lastEnded.file.headText,
        detail: "the last run is signed by a key that the trusted one had replaced"
      )
    }
    state = .trusted
    return nil
  }

  /// The keys that vouch for one another, oldest first, a trusted one among them.
  private func line(through key: VerifierKey) -> [VerifierKey] {
    var keys = [key]
    for _ in rotations {
      for rotation in rotations {
        if keys.last == rotation.old, !keys.contains(rotation.new) {
          keys.append(rotation.new)
        } else if keys.first == rotation.new, !keys.contains(rotation.old) {
          keys.insert(rotation.old, at: 0)
        }
      }
    }
    return keys
  }
}
