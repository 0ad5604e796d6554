package import MediaModel
internal import MediaSyntax

/// The value under a usage description's key: a text, or one for each of several languages.
package struct UsageDescription: Sendable, Hashable {
  /// In the order in which they were given: who reads none of the languages is told the first. Empty for a value that
  /// is neither a text nor texts.
  package var texts: [LocalizedText]

  package init(_ texts: [LocalizedText]) { self.texts = texts }

  /// One text, whose language nobody has said.
  package static func text(_ words: String) -> Self { Self([LocalizedText(words)]) }

  /// A value that is neither a text nor texts.
  package static let notAString = Self([])

  /// Whether one of its texts has no character that can be seen, or there is none.
  package var isBlank: Bool { texts.isEmpty || texts.contains { Blank.isBlank($0.words) } }

  /// Whether both have the same texts, byte by byte, in the same order.
  func isIdentical(to other: UsageDescription) -> Bool {
    texts.elementsEqual(other.texts) { $0.hasWords(of: $1) && $0.hasLanguage(of: $1) }
  }

  /// Adds the texts that an Info.plist has.
  ///
  /// A text without a language is the same as the other side's first one.
  ///
  /// - Returns: The texts of both, and those of the Info.plist in whose language this one has other words.
  func merging(_ other: UsageDescription) -> (merged: UsageDescription, differing: [LocalizedText]) {
    guard let first = texts.first, let otherFirst = other.texts.first else {
      return (self, texts.isEmpty && other.texts.isEmpty ? [] : [other.texts.first ?? LocalizedText("")])
    }
    var merged = texts
    var differing: [LocalizedText] = []
    for (number, text) in other.texts.enumerated() {
      let isOfFirst = number == 0 && (first.language == nil || otherFirst.language == nil)
      guard let index = texts.firstIndex(where: { $0.hasLanguage(of: text) }) ?? (isOfFirst ? 0 : nil) else {
        merged.append(text)
        continue
      }
      if !texts[index].hasWords(of: text) { differing.append(text) }
      merged[index].language = merged[index].language ?? text.language
    }
    return (UsageDescription(merged), differing)
  }

  /// The value as a reviewer reads it.
  var json: String {
    guard let first = texts.first else { return "not a string" }
    if texts.count == 1, first.language == nil { return ComparisonText.quoted(first.words) }
    let members = texts.map {
      "\(ComparisonText.quoted($0.language ?? "")): \(ComparisonText.quoted($0.words))"
    }
    return "{\(members.joined(separator: ", "))}"
  }
}

extension Manifest {
  /// The usage descriptions that a person is not told in their language though another one has it, each with these
  /// languages, sorted.
  package var missingLanguages: [(key: UsageDescriptionKey, languages: [String])] {
    let texts = UsageDescriptionKey.allCases.flatMap { usageDescriptions[$0]?.texts ?? [] }
    let languages = texts.compactMap(\.language)
    return UsageDescriptionKey.allCases.compactMap { key in
      guard let texts = usageDescriptions[key]?.texts, !texts.isEmpty else { return nil }
      var missing: [String] = []
      for language in languages
      where LanguageRange.lookup(ranges: [language], in: texts.map { $0.language ?? "" } + missing) == nil {
        missing.append(language)
      }
      return missing.isEmpty ? nil : (key, missing.sorted())
    }
  }
}

extension ValueType<UsageDescription> {
  /// A text, or an object with one for each language. Any other value is for deciding, which alone knows which usage
  /// descriptions are needed.
  static var usageDescription: Self {
    Self(
      shape: .anything,
      read: { checker, field in
        switch field.node.value {
        case .string(let text): .text(text)
        case .object(let members): UsageDescription(checker.texts(members, of: field))
        default: .notAString
        }
      },
      json: \.json,
      isSame: { $0.isIdentical(to: $1) }
    )
  }
}

extension ManifestChecker {
  /// The texts of an object whose keys are languages.
  fileprivate mutating func texts(_ members: [JSONMember], of field: Field) -> [LocalizedText] {
    var texts: [LocalizedText] = []
    guard 1...LocalizedText.maximumCount ~= members.count else {
      let limit = LocalizedText.maximumCount
      report(.outOfRange, "texts in 1 to \(limit) languages are expected, not in \(members.count)", at: field)
      return []
    }
    for member in members {
      let value = Field(member, in: field.path)
      guard LanguageTag.isWellFormed(member.key) else {
        let message = "\(Spelling.quoted(member.key)) is no language, as \"de\" or \"pt-BR\" is"
        report(.invalidText, message, at: value, atKey: true)
        continue
      }
      guard let words = text(value, limit: .max, blank: "the text is blank") else { continue }
      let text = LocalizedText(words, in: member.key)
      if texts.contains(where: { $0.hasLanguage(of: text) }) {
        report(
          .duplicateKey,
          "the language \(Spelling.quoted(member.key)) is there twice",
          at: value,
          atKey: true
        )
      } else {
        texts.append(text)
      }
    }
    return texts
  }
}

extension ManifestKey<Manifest> {
  /// A usage description; texts are compared language by language.
  static func usageDescription(_ key: UsageDescriptionKey) -> Self {
    let type = ValueType<UsageDescription?>.optional(.usageDescription)
    return Self(
      key.rawValue,
      type.shape,
      read: { checker, field, manifest in
        if let value = type.read(&checker, field) { manifest.usageDescriptions[key] = value }
      },
      compare: { comparison, old, new, path in
        let (before, now) = (old.usageDescriptions[key], new.usageDescriptions[key])
        old.usageDescriptions[key] = now
        comparison.note(before, now, path)
      }
    )
  }
}

extension ManifestComparison {
  /// Notes what differs between two usage descriptions, language by language.
  fileprivate mutating func note(_ before: UsageDescription?, _ now: UsageDescription?, _ path: String) {
    guard let before, let now else {
      if let before { note(path, before.json, nil, "It is left out.", .usageDescriptionLeftOut) }
      if let now { note(path, nil, now.json, "It is new.") }
      return
    }
    if before.isIdentical(to: now) { return }
    func place(_ text: LocalizedText) -> String { text.language.map { JSONPath.member(path, $0) } ?? path }
    func quoted(_ text: LocalizedText?) -> String? { text.map { ComparisonText.quoted($0.words) } }
    // A text without a language may have got one.
    func counterpart(_ text: LocalizedText, _ texts: [LocalizedText]) -> LocalizedText? {
      texts.first { $0.hasLanguage(of: text) }
        ?? texts.first { ($0.language == nil || text.language == nil) && $0.hasWords(of: text) }
    }
    let noted = widenings.count
    for text in now.texts {
      let earlier = counterpart(text, before.texts)
      if earlier?.hasWords(of: text) == true { continue }
      let isNew = earlier == nil && !before.texts.isEmpty
      let sentence =
        isNew ? "A person who reads this language is told it." : "A person is told something else."
      note(place(text), before.texts.isEmpty ? before.json : quoted(earlier), quoted(text), sentence)
    }
    for text in before.texts where counterpart(text, now.texts) == nil {
      let sentence = "A person who reads this language is told another text."
      note(place(text), quoted(text), now.texts.isEmpty ? now.json : nil, sentence)
    }
    if widenings.count == noted {
      note(path, before.json, now.json, "A person who reads none of the languages is told another one.")
    }
  }
}
