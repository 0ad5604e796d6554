/// Tags that name languages, such as `de-CH`.
///
/// Source: BCP 47 (RFC 5646, 2.1).
package enum LanguageTag {
  /// The longest tag that is taken, in bytes; the longest one that a program must take has 35.
  ///
  /// Source: RFC 5646, 4.4.1.
  package static let maximumLength = 64

  /// Returns whether a text is a tag by its form: a language of 2 or 3 letters, then script, region, variants,
  /// extensions (each once) and what is for private use, in this order.
  ///
  /// Tags that are for private use as a whole (`x-…`), the irregular ones of old (`i-klingon`), and longer words, of
  /// which none is registered, are none.
  package static func isWellFormed(_ text: String) -> Bool {
    guard text.utf8.count <= maximumLength else { return false }
    let parts = subtags(text)
    guard parts.allSatisfy({ 1...8 ~= $0.utf8.count && $0.utf8.allSatisfy(\.isASCIIAlphanumeric) }),
      2...3 ~= parts[0].count, parts[0].utf8.allSatisfy(\.isASCIILetter)
    else { return false }
    var unread = parts.dropFirst()
    func skip(_ most: Int, where fits: (String) -> Bool) {
      var count = 0
      while count < most, let next = unread.first, fits(next) {
        (unread, count) = (unread.dropFirst(), count + 1)
      }
    }
    skip(3) { $0.count == 3 && $0.utf8.allSatisfy(\.isASCIILetter) }
    skip(1, where: isScript)
    skip(1, where: isRegion)
    skip(.max) { $0.count > 4 || $0.count == 4 && $0.utf8.first?.isASCIIDigit == true }
    var singletons: Set<String> = []
    while let singleton = unread.first, singleton.count == 1 {
      if singleton == "x" { return unread.count > 1 }
      guard singletons.insert(singleton).inserted else { return false }
      unread = unread.dropFirst()
      let before = unread.count
      skip(.max) { $0.count > 1 }
      guard unread.count < before else { return false }
    }
    return unread.isEmpty
  }

  /// Returns whether two tags name the same language, however they are written; nil, for a text without a language, is
  /// the same as nil alone.
  package static func areSame(_ tag: String?, _ other: String?) -> Bool {
    guard let tag, let other else { return tag == nil && other == nil }
    return LanguageRange.canonical(tag) == LanguageRange.canonical(other)
  }

  /// The parts of a tag in small letters, at least one; an underscore separates them as a hyphen does.
  fileprivate static func subtags(_ text: String) -> [String] {
    text.utf8.split(omittingEmptySubsequences: false) { $0 == .hyphen || $0 == .underscore }
      .map { String(decoding: $0.map(\.asciiLowercased), as: UTF8.self) }
  }

  private static func isScript(_ part: String) -> Bool {
    part.count == 4 && part.utf8.allSatisfy(\.isASCIILetter)
  }

  fileprivate static func isRegion(_ part: String) -> Bool {
    part.count == 2 && part.utf8.allSatisfy(\.isASCIILetter)
      || part.count == 3 && part.utf8.allSatisfy(\.isASCIIDigit)
  }
}

/// The languages that a person reads, and which of several texts is for them.
package enum LanguageRange {
  /// The ranges that are read of a header; each is compared with each tag.
  package static let maximumCount = 32

  /// Returns the first tag that a person reads, by the scheme "lookup" of RFC 4647 (3.4): each range in its order, cut
  /// from its end until it is a tag (`de-CH-1996`, `de-CH`, `de`).
  ///
  /// Upper and lower case are the same, and so are codes of old and of now (`iw`, `he`). A Chinese range or tag without
  /// a script has that of its region: `zh-CN` is `zh-Hans`, `zh-TW` is `zh-Hant`, and neither finds the other; `zh`
  /// alone finds `zh-Hans` where there is no `zh`.
  ///
  /// - Parameters:
  ///   - ranges: The languages of a person, the one they like best first. `*` and what is no tag find nothing.
  ///   - tags: The languages of the texts.
  /// - Returns: The tag's place; nil when the person reads none of them.
  package static func lookup(ranges: [String], in tags: [String]) -> Int? {
    let canonicalTags = tags.map(canonical)
    for range in ranges where LanguageTag.isWellFormed(range) {
      var parts = canonical(range)
      let whole = parts
      while !parts.isEmpty {
        if let index = canonicalTags.firstIndex(of: parts) { return index }
        parts.removeLast()
        if parts.last?.count == 1 { parts.removeLast() }
      }
      if whole == ["zh"], let index = canonicalTags.firstIndex(of: ["zh", "hans"]) { return index }
    }
    return nil
  }

  /// Returns the languages of a browser's header `Accept-Language`, the most wanted one first.
  ///
  /// What is no range, `*`, and what a person does not want (`q=0`) is left out. The first 32 count.
  ///
  /// Source: RFC 9110, 12.5.4 and 12.4.2.
  package static func acceptLanguage(_ header: String) -> [String] {
    let wanted = header.utf8.prefix(4096).split(separator: .comma).prefix(maximumCount)
      .compactMap { item -> (range: String, weight: Double)? in
        let parts = item.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false)
          .map { String(decoding: $0.filter { $0 != .space && $0 != 0x09 }, as: UTF8.self) }
        guard let range = parts.first, LanguageTag.isWellFormed(range),
          let weight = weight(parts.dropFirst()),
          weight > 0
        else { return nil }
        return (range, weight)
      }
    return wanted.enumerated()
      .sorted { ($1.element.weight, $0.offset) < ($0.element.weight, $1.offset) }
      .map(\.element.range)
  }

  /// Returns the language of this process's person as a list of one: of `LC_ALL`, `LC_MESSAGES` and `LANG` the first
  /// that is set and not empty says it. Empty for `C`, `POSIX`, and what names no language.
  ///
  /// Source: POSIX.1-2024, 8.2.
  package static func environment(_ value: (String) -> String?) -> [String] {
    let locale = ["LC_ALL", "LC_MESSAGES", "LANG"].lazy.compactMap(value).first { !$0.isEmpty }
    return [locale.flatMap(posixLocale)].compactMap(\.self)
  }

  /// Returns the tag of a locale such as `de_CH.UTF-8`, `sr_RS@latin` or `ca_ES@valencia`; nil for one that names no
  /// language.
  ///
  /// Source: glibc, setlocale(3): `language[_territory][.codeset][@modifier]`.
  package static func posixLocale(_ locale: String) -> String? {
    let halves = locale.utf8.prefix(LanguageTag.maximumLength + 1).split(
      separator: UInt8(ascii: "@"),
      maxSplits: 1,
      omittingEmptySubsequences: false
    )
    .map { String(decoding: $0, as: UTF8.self) }
    // C and POSIX are no tags.
    var parts = LanguageTag.subtags(String(Substring(halves[0].utf8.prefix { $0 != .dot })))
    switch halves.dropFirst().first?.lowercased() {
    case "latin": parts.insert("latn", at: 1)
    case "cyrillic": parts.insert("cyrl", at: 1)
    case "devanagari": parts.insert("deva", at: 1)
    case "valencia": parts.append("valencia")
    default: break
    }
    let tag = parts.joined(separator: "-")
    return LanguageTag.isWellFormed(tag) ? tag : nil
  }

  /// A weight from 0 to 1 with at most three decimals; nil for one that is none.
  private static func weight(_ parameters: ArraySlice<String>) -> Double? {
    guard let parameter = parameters.first else { return 1 }
    let number = parameter.utf8.dropFirst(2)
    guard parameters.count == 1, parameter.lowercased().utf8.starts(with: "q=".utf8), number.count <= 5,
      number.allSatisfy({ $0.isASCIIDigit || $0 == .dot }), number.dropFirst().first ?? .dot == .dot,
      let weight = Double(Substring(number)), weight <= 1
    else { return nil }
    return weight
  }

  /// A tag as it is compared: codes of now, a Chinese script in place of the region that it is usual in.
  ///
  /// Source: the language subtag registry of IANA (`Preferred-Value`); CLDR, likelySubtags.
  fileprivate static func canonical(_ tag: String) -> [String] {
    var parts = LanguageTag.subtags(tag)
    let modern = ["iw": "he", "in": "id", "ji": "yi", "no": "nb"]
    parts[0] = modern[parts[0]] ?? parts[0]
    guard parts[0] == "zh", parts.count > 1 else { return parts }
    if LanguageTag.isRegion(parts[1]) {
      parts.insert(["tw", "hk", "mo"].contains(parts[1]) ? "hant" : "hans", at: 1)
    }
    if parts.count > 2, parts[2] == ["hans": "cn", "hant": "tw"][parts[1]] { parts.remove(at: 2) }
    return parts
  }
}
