package import MediaManifest
internal import MediaModel
internal import MediaSyntax

/// One answer of a person, or its end, as a record of consent or of refusal.
///
/// Source: W3C's Data Privacy Vocabularies and Controls Community Group, Consent Records and Receipts as per ISO/IEC TS
/// 27560:2023 using DPV.
package struct ConsentReceipt: Sendable {
  /// The words of DPV for what an answer means.
  package enum Status: String, Sendable, Hashable {
    case given = "ConsentGiven"
    /// A grant in the place of another one.
    case renewed = "RenewedConsentGiven"
    case refused = "ConsentRefused"
    case withdrawn = "ConsentWithdrawn"
    /// The run that it was for has begun.
    case expired = "ConsentExpired"
    /// A refusal was taken back, and nobody has answered since.
    case unknown = "ConsentUnknown"
  }

  /// What the manifest of an answer says by now.
  package struct Present: Sendable {
    package var manifest: Manifest
    /// The SHA-256 of its bytes, hexadecimal.
    package var sha256: String

    package init(manifest: Manifest, sha256: String) {
      (self.manifest, self.sha256) = (manifest, sha256)
    }
  }

  package let transition: StoredTransition
  /// At least one; a refusal of what was granted withdraws it too.
  package let statuses: [Status]
  /// What was asked and answered, which of an end is the answer that it ends; nil where the chain does not tell it.
  let answer: ToldAnswer?
  /// The words of the question; nil where they are kept nowhere any more.
  package internal(set) var words: String?
  /// The patterns of the selection; empty where they are not to be told, or not stored any more.
  var selected: [String] = []
  /// Nil for a manifest that cannot be read.
  var present: Present?
  /// Whether names of files, folders and sources are told.
  var tellsNames = false

  /// Whether something may be done by it: there is a receipt of consent, and otherwise a record alone.
  var isConsent: Bool { statuses.contains { $0 == .given || $0 == .renewed } }
  /// Whether a person has said yes or no, which holds until it is taken back.
  var isAnswer: Bool { isConsent || statuses.contains(.refused) }
  /// Whether it is about a consent, which it gives or ends.
  var isOfConsent: Bool { isConsent || statuses == [.withdrawn] || statuses == [.expired] }

  /// Nil for a change that is no person's answer and ends none.
  init?(_ transition: StoredTransition, after before: ToldAnswer?) {
    let wasGranted = transition.from == .authorized || transition.from == .limited
    switch (transition.to, transition.cause) {
    case (.authorized, _), (.limited, _): statuses = [wasGranted ? .renewed : .given]
    case (.denied, _): statuses = wasGranted ? [.refused, .withdrawn] : [.refused]
    case (_, "takenUp"): statuses = [.expired]
    case _ where wasGranted: statuses = [.withdrawn]
    case (_, "reset"): statuses = [.unknown]
    default: return nil
    }
    self.transition = transition
    answer = transition.answer ?? before
  }

  /// What the manifest does not say, and the store has not kept, by the names of these things.
  var notStated: [String] {
    let manifest = present?.manifest
    let stated: [(String, String?)] = [
      ("controller.name", manifest?.controller.name), ("controller.contact", manifest?.controller.contact),
      ("privacyNotice", manifest?.privacyNotice), ("jurisdiction", manifest?.jurisdiction),
      ("language", answer?.language), ("words", words),
    ]
    return stated.filter { $0.1 == nil }.map(\.0)
  }

  /// How long the answer holds, in words.
  var duration: String {
    if answer?.isForOneRun == true { return "for the next run only" }
    if let end = answer?.expiresAt {
      return "until \(StoredAnswer.timestamp(end)), unless it is taken back before"
    }
    return isConsent
      ? "until it is taken back, or the question or the folder changes" : "until it is taken back"
  }

  /// The command that takes the answer back; it names the source by its kind where names are not told.
  var takingBack: String {
    let source = tellsNames ? transition.source.name : transition.source.kind.rawValue
    return "mediabatch access reset \(ShellWord.option("--client", transition.client)) "
      + ShellWord.option("--source", source)
  }

  /// The source as people call it; by its kind where names are not told.
  var sourceText: String {
    (tellsNames ? transition.source : SourceID(transition.source.kind)).displayName
      + (transition.source.kind == .library ? ", \(transition.level.name)" : "")
  }

  /// Lines for a person.
  package var lines: [String] {
    let words = statuses.map { status in
      switch status {
      case .given: "consent given"
      case .renewed: "consent renewed"
      case .refused: "consent refused"
      case .withdrawn: "consent withdrawn"
      case .expired: "consent used up by the run that it was for"
      case .unknown: "refusal taken back"
      }
    }
    let how = answer?.reason.map { ", \($0.text)" } ?? ""
    var lines = [
      "\(EscapedText.printable(transition.client)), \(sourceText): \(words.joined(separator: ", "))"
    ]
    func add(_ name: String, _ text: String) {
      lines.append("  " + name + String(repeating: " ", count: 10 - name.utf8.count) + text)
    }
    add("when", transition.time + (transition.cause == "answered" ? how : ""))
    if let text = self.words {
      add("asked", "\"\(EscapedText.printable(text))\"" + (answer?.language.map { " (\($0))" } ?? ""))
    }
    if let count = answer?.shownCount { add("shown", Quantity.text(count, "name")) }
    if let selection = answer?.selection { add("selected", Quantity.text(selection.count, "pattern")) }
    for pattern in selected { add("", EscapedText.printable(pattern)) }
    if isAnswer {
      add("holds", duration)
      add("take back", takingBack)
    }
    let absent = notStated
    if !absent.isEmpty { add("not said", absent.joined(separator: ", ")) }
    add("record", "\(transition.sequence), \(transition.hash)")
    return lines
  }
}
