internal import MediaModel

extension DecisionReason {
  /// What becomes of a source, in a few words.
  var decisionText: String {
    switch self {
    case .usageDescriptionMissing: "refused, its usage description is missing"
    case .limitedNotApplicable: "refused, it cannot be limited"
    case .manifestMistake: "refused, the manifest has a mistake about it"
    case .restricted: "restricted"
    case .picked: "allowed, only the picked items"
    case .denied: "denied"
    case .expired: "refused, the permission has expired"
    case .levelInsufficient: "refused, only adding to it is allowed"
    case .notDetermined: AuthorizationStatus.undecidedText
    case .unavailable: "allowed, but nothing is there"
    case .limited: "allowed, only the selected items"
    case .authorized: "allowed"
    case .microphoneRefused: "refused, its sound needs the microphone"
    }
  }
}

extension AuthorizationStatus {
  /// What people read for the status of a source about which nobody has decided.
  static let undecidedText = "not decided"
}
