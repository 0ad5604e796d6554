/// A rule of a manifest about a source that nothing met; every rule of which that can be told reports it by this value.
package struct UnmatchedRule: Sendable, Hashable {
  /// The rules, by the key that has them in the manifest.
  package enum Kind: String, CaseIterable, Sendable, Hashable {
    case ignore
    case selection
    case labels
    case tracks
    case shift = "dates.shift"
    case except = "metadata.except"
  }

  package let kind: Kind
  package let source: SourceID
  /// The rule as the manifest has it; of a labels file the path of the first row.
  package let text: String
  /// The number of rules that it stands for: more than one only for rows of a labels file.
  package let count: Int
  /// The word for it within a sentence.
  private let noun: String

  /// Creates one of `count` rules; `noun` is what people call it.
  package init(
    _ kind: Kind,
    of source: SourceID,
    _ text: String,
    count: Int = 1,
    noun: String = "pattern"
  ) {
    (self.kind, self.source, self.text) = (kind, source, text)
    (self.count, self.noun) = (count, noun)
  }

  /// What a person reads: one sentence, and for labels what to do.
  package var message: String {
    let name = source.displayName
    // A source without a name of its own is mostly the only one.
    let whichSource = source.ownName == nil ? "" : " in the \(name)"
    let rule = EscapedText.printable(text)
    return switch kind {
    case .ignore: "The \(noun) \"\(rule)\" under \"ignore\" matches nothing in the \(name)."
    case .selection: "The \(noun) \"\(rule)\" of the selection matches nothing\(whichSource)."
    case .tracks: "The \(noun) \"\(rule)\" of \"tracks\" matches nothing\(whichSource)."
    case .shift: "The shift \(rule) under \"dates\" corrects no date of the \(name)."
    case .except:
      "\"\(rule)\" under \"except\" has no effect: no file of the \(name) in the library has it."
    case .labels:
      Quantity.text(count, "row") + " of the labels file " + (count == 1 ? "names" : "name")
        + " no file of the \(name), the first \"\(text)\". Correct its path."
    }
  }

  /// The code of the problem that it is.
  var code: ProblemCode {
    switch kind {
    case .ignore, .selection: .listing
    case .labels: .labelsNotMet
    case .tracks: .tracksNotUsed
    case .shift: .shiftsNotUsed
    case .except: .exceptNotUsed
    }
  }
}
