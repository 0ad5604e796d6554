internal import ArgumentParser
internal import MediaAudit
internal import MediaModel

/// What is kept outside a library, and shows that it was not replaced as a whole.
struct WitnessOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "A head of the log that was kept elsewhere; may be repeated.",
      details:
        "It is SIZE:ROOT, the file of a signed head, or the head or root that a run's summary printed.",
      valueName: "head"
    )
  )
  var expectHead: [String] = []

  @Option(help: "The public key that must have signed the log, or a file with it.")
  var trust: String?

  var isEmpty: Bool { expectHead.isEmpty && trust == nil }

  /// Reads the key and the heads, which may be files: only after ``NamedFiles/check(_:)``.
  ///
  /// - Throws: ``OptionWordError``.
  func witnesses() throws -> AuditWitnesses {
    var witnesses = AuditWitnesses()
    witnesses.trustedKey = try trust.map(VerifierKey.init(option:))
    witnesses.expectedHeads = try expectHead.map(TrustedHead.init(option:))
    return witnesses
  }
}

extension AuditVerification {
  /// A line for each name in the folder that no run gives.
  var otherNameLines: [String] { otherNames.map { "Audit/\($0) is no file of the log." } }

  /// What JSON calls the signature.
  var signatureText: String { isTrustedInPart ? "trustedInPart" : signature.rawValue }

  /// Who signed how much of the log.
  var signatureLines: [String] {
    guard let signedHead else { return ["No head is signed."] }
    var lines = [
      "The first " + Quantity.text(signedHead.tree.size, "record", "is", "are")
        + " signed by \(signer?.identifier ?? "")"
        + (signature == .trusted
          ? ", which is trusted." : ". Only --trust checks whose key that is."),
      "The signed head is of \(signedHead.time), library \(signedHead.library).",
    ]
    if unsignedRecords > 0 {
      lines.append(
        "The last " + Quantity.text(unsignedRecords, "record", "is", "are")
          + " covered by no signature."
      )
    }
    return lines
  }

  /// Where the expected heads are, or that there was none.
  var expectedHeadLines: [String] {
    if signature == .trusted, expectedHeads.isEmpty {
      return [
        "Whether a newer log existed cannot be known from the library and a key: --expect-head with a "
          + "head kept elsewhere shows it."
      ]
    }
    return expectedHeads.map { position in
      switch position {
      case .endOfRun(let file):
        "The expected head is the end of \(file); the log went on after it."
      case .tree(let size):
        "The expected head is that of the first \(Quantity.text(size, "record"))."
      case .last: "The expected head is the end of the log."
      }
    }
  }
}

extension AuditHeadPosition {
  /// What JSON calls it.
  var text: String {
    switch self {
    case .last: "last"
    case .endOfRun(let file): file
    case .tree(let size): "record \(size)"
    }
  }
}
