package import MediaModel
internal import MediaSyntax

/// What a file beside an Info.plist says, in one language or in several.
package struct InfoPlistLanguages: Sendable {
  /// 1 MiB.
  package static let maximumStringsByteCount = 1 << 20
  /// 16 MiB.
  package static let maximumCatalogByteCount = 16 << 20

  /// The usage descriptions as written, in the order of the file.
  package var texts: [UsageDescriptionKey: [LocalizedText]] = [:]
  /// The mistakes of the file, sorted by position.
  package var issues: [ManifestIssue] = []

  /// Reads an `InfoPlist.strings`; a pure function of the bytes.
  ///
  /// - Parameters:
  ///   - bytes: The whole file.
  ///   - language: The language of its folder; nil for `Base.lproj`.
  package init(strings bytes: [UInt8], in language: String?) {
    let (reading, text) = StringsFile.read(bytes)
    var issues = reading.issues
    for member in reading.members {
      guard let key = UsageDescriptionKey(named: member.key) else { continue }
      if case .string(let words) = member.value {
        texts[key] = [LocalizedText(words, in: language)]
      } else {
        let path = JSONPath.member(JSONPath.root, member.key)
        let message = "a string is expected, not \(member.value.kind)"
        issues.append(PropertyListIssue(.wrongType, message, at: member.offset, path: path))
      }
    }
    self.issues = PropertyListIssue.positioned(issues, in: text).map { ManifestIssue($0) }
  }

  /// Reads an `InfoPlist.xcstrings`, a JSON file; a pure function of the bytes. What is not translated yet, and what
  /// has variations by device or number, is left out.
  ///
  /// Source: the files that Xcode 15 and later write.
  package init(catalog bytes: [UInt8]) {
    let parsed = JSONParser.parse(bytes)
    issues = parsed.issues.map { ManifestIssue($0) }
    guard let root = parsed.root, let strings = root["strings"] else {
      if issues.isEmpty {
        let issue = ValueIssue(.missingKey, "the key \"strings\" is missing", example: "\"strings\": {}")
        issues.append(
          ManifestIssue(position: parsed.root?.position ?? .start, path: JSONPath.root, issue: issue)
        )
      }
      return
    }
    for key in UsageDescriptionKey.allCases {
      guard case .object(let members)? = strings[key.rawValue]?["localizations"]?.value else { continue }
      for member in members {
        guard let unit = member.value["stringUnit"], case .string(let words)? = unit["value"]?.value else {
          continue
        }
        if case .string("new")? = unit["state"]?.value { continue }
        if LanguageTag.isWellFormed(member.key) {
          texts[key, default: []].append(LocalizedText(words, in: member.key))
        } else {
          let issue = ValueIssue(.invalidText, "\(Spelling.quoted(member.key)) is no language")
          let path = JSONPath.member(JSONPath.member(JSONPath.root, "strings"), key.rawValue)
          issues.append(ManifestIssue(position: member.keyPosition, path: path, issue: issue))
        }
      }
    }
  }

  /// The tag of a language that Apple's tools name: by its tag, with an underscore as before, or in English; nil for no
  /// language.
  ///
  /// Source: NSBundle, the names of folders before there were tags.
  package static func language(named word: String) -> String? {
    let english = [
      "English": "en", "French": "fr", "German": "de", "Italian": "it", "Dutch": "nl", "Spanish": "es",
      "Portuguese": "pt", "Japanese": "ja",
    ]
    return english[word] ?? (LanguageTag.isWellFormed(word) ? word.substituting("_", by: "-") : nil)
  }
}

extension InfoPlist {
  /// Adds what the files beside it say.
  ///
  /// As on a phone, a text in the language of the Info.plist itself takes the place of its own.
  ///
  /// - Parameter texts: Those of all files.
  /// - Returns: The texts that are there already in the same language, with other words.
  package mutating func add(_ texts: [UsageDescriptionKey: [LocalizedText]]) -> [(
    UsageDescriptionKey, LocalizedText
  )] {
    var differing: [(UsageDescriptionKey, LocalizedText)] = []
    for key in UsageDescriptionKey.allCases {
      guard let added = texts[key], usageDescriptions[key] != .notAString else { continue }
      let development = usageDescriptions[key]?.texts.first.map {
        LocalizedText($0.words, in: developmentRegion)
      }
      var translations: [LocalizedText] = []
      for text in added {
        if let other = translations.first(where: { $0.hasLanguage(of: text) }) {
          if !other.hasWords(of: text) { differing.append((key, text)) }
        } else {
          translations.append(text)
        }
      }
      let isFirst = { [developmentRegion] (text: LocalizedText) in
        text.language == nil || LanguageTag.areSame(text.language, developmentRegion)
      }
      let first = translations.filter(isFirst)
      let sorted = translations.filter { !isFirst($0) }.sorted { ($0.language ?? "") < ($1.language ?? "") }
      let base = first.first { $0.language != nil } ?? first.first ?? development
      usageDescriptions[key] = UsageDescription(
        (base.map { [LocalizedText($0.words, in: developmentRegion)] } ?? []) + sorted
      )
    }
    return differing
  }
}
