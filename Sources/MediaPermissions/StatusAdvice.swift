internal import MediaModel

/// What a person is told about a source that is not plainly allowed: one sentence, one command.
package struct StatusAdvice: Sendable, Hashable {
  /// What it means and what to change; escaped, without a newline.
  package var sentence: String
  /// What to type next, quoted for a shell.
  package var command: String

  /// The advice for a decided source, or nil when nothing has to be said.
  ///
  /// - Parameters:
  ///   - source: Its reason is what the advice is about.
  ///   - manifestPath: As the person named the manifest.
  package init?(for source: DecidedSource, manifestPath: String) {
    guard let sentence = Self.sentence(for: source) else { return nil }
    self.sentence = sentence
    command = "mediabatch check \(Self.shellQuoted(manifestPath))"
  }

  private static func sentence(for source: DecidedSource) -> String? {
    let name = source.source.displayName
    let key = "sources.\(source.source.rawValue).authorizationStatus"
    switch source.decision.reason {
    case .authorized, .picked: return nil
    case .usageDescriptionMissing:
      let description = UsageDescriptionKey(source: source.source, level: source.level)
      return "The manifest does not say why it wants the \(name): write "
        + "usageDescriptions.\(description.rawValue)."
    case .limitedNotApplicable, .manifestMistake:
      return "What the manifest says about the \(name) is a mistake: mend \(key)."
    case .restricted:
      return "The \(name) is restricted: nothing in it was looked at, and only who set the "
        + "restriction can lift it, at \(key)."
    case .denied:
      return
        "The \(name) is denied: nothing in it was looked at; a person who decides otherwise sets "
        + "\(key) to \"authorized\"."
    case .expired:
      return "The access to the \(name) has expired: a person has to decide again, at \(key)."
    case .levelInsufficient:
      return "The photo library may be added to and not read: a person who decides otherwise sets "
        + "\(key) to \"authorized\"."
    case .notDetermined:
      return "Nobody has decided about the \(name) yet: a person sets \(key) to "
        + (source.source == .library
          ? "\"authorized\", \"limited\" or \"denied\"." : "\"authorized\" or \"denied\".")
    case .unavailable:
      return "The \(name) is allowed, but its folder is not there: mend "
        + "sources.\(source.source.rawValue).path, or attach what holds it."
    case .limitedAlbums:
      return "The photo library is limited, and albums that a person made stay closed with it."
    case .limited:
      return "The photo library is limited: only the items in sources.library.selection exist for "
        + "the run; add a path there to pick another."
    case .microphoneRefused:
      return "The microphone is refused, and with it items that have sound; a person who decides "
        + "otherwise sets \(key) to \"authorized\"."
    }
  }

  /// A word that a shell passes on unchanged.
  ///
  /// Source: POSIX.1-2017, Shell Command Language, 2.2.2 Single-Quotes.
  static func shellQuoted(_ text: String) -> String {
    let printable = EscapedText.printable(text)
    let isPlain =
      !printable.isEmpty && !printable.hasPrefix("-")
      && printable.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "/"), UInt8(ascii: "."),
          UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "+"), UInt8(ascii: "="),
          UInt8(ascii: "@"), UInt8(ascii: ","):
          true
        default: false
        }
      }
    if isPlain { return printable }
    let pieces = printable.split(separator: "'", omittingEmptySubsequences: false)
    let quoted = "'" + pieces.joined(separator: "'\\''") + "'"
    return text.hasPrefix("-") ? "-- " + quoted : quoted
  }
}
