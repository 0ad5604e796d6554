internal import MediaAudit
internal import MediaModel

/// The sentences about in whose name a run acted, and by whose signature.
extension ReportWording {
  /// A run's first record.
  static func beginning(_ run: ReportRun) -> String {
    "The run began, for \(run.clientName)"
      + (run.clientName == run.clientIdentifier ? "" : " (\(run.clientIdentifier))") + ", \(machine(run))."
      + (run.signature.map { " Its manifest is signed by \(signer($0))." } ?? "")
  }

  /// `by the user zoe on the machine ci-3`, as the machine said it.
  static func machine(_ run: ReportRun) -> String { "by the user \(run.user) on the machine \(run.host)" }

  /// Who signed a manifest, with what, and for which time that was judged.
  static func signer(_ signature: ManifestSignature) -> String {
    "\(signature.signedBy) (key \(signature.fingerprint), line \(signature.allowedSignersLine) of the allowed signers, "
      + "serial \(signature.serial), valid at \(signature.verifiedAt)"
      + (signature.signedAt.map { "; signed at \($0), as the signer says)" } ?? ")")
  }

  static let signatureDiffers =
    "The records of a run differ about the signature of its manifest, or it is of another manifest."

  /// Who was asked, as a sentence with a space before it; nothing where it is not known.
  static func asked(_ question: ReportQuestion) -> String {
    question.user.map { " It was the user \($0)." } ?? ""
  }
}
