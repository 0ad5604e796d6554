/// What a damaged file lacks or contradicts, such as `APP2 of impossible length, 65533 bytes at byte 4182`: a
/// sentence of a closed table, with at most two names of a closed list and with numbers.
///
/// A worker says it in words, and may be compromised, or pass on those of a decoder, which may quote the file. They
/// are held against the table, and what goes into the log is made from the table. A name that is not in the list,
/// such as the type of a chunk that no format has, becomes `unnamed part`.
package struct Damage: RawRepresentable, Sendable, Hashable {
  package let rawValue: String

  /// Finds the sentence that words mean, with a length in bytes and an offset behind it if they have them; nil where
  /// the table has none.
  package init?(rawValue words: String) {
    guard words.utf8.count <= 300 else { return nil }
    var sentence = words[...]
    let prefix = ItemReason.damaged.rawValue + ": "
    if sentence.hasPrefix(prefix) { sentence = sentence.dropFirst(prefix.count) }
    var numbers = ""
    if let (shortened, offset) = Self.number(in: sentence, behind: " at byte ", before: "") {
      (sentence, numbers) = (shortened, " at byte \(offset)")
    }
    if let (shortened, length) = Self.number(in: sentence, behind: ", ", before: " bytes") {
      (sentence, numbers) = (shortened, ", \(length) bytes" + numbers)
    }
    guard let text = Self.text(sentence) else { return nil }
    rawValue = text + numbers
  }

  /// Words about a damage for a person who does not know the format: what a part is stands behind its name, as in
  /// `no moov, the file's index, that makes sense`.
  package static func explained(_ words: String) -> String {
    let parts = words.split(separator: " ", omittingEmptySubsequences: false)
    return parts.enumerated().map { index, part in
      guard let meaning = DamageTable.meanings[String(part)] else { return String(part) }
      return "\(part), \(meaning)" + (index == parts.count - 1 ? "" : ",")
    }
    .joined(separator: " ")
  }

  /// The number with which a text ends between two words, and the text before it.
  private static func number(
    in text: Substring,
    behind word: String,
    before end: String
  ) -> (prefix: Substring, number: Int)? {
    guard text.hasSuffix(end) else { return nil }
    let left = text.dropLast(end.count)
    let digits = left.utf8.reversed().prefix(while: \.isASCIIDigit)
    let head = left.dropLast(digits.count)
    guard !digits.isEmpty, head.hasSuffix(word), let number = Int(left.suffix(digits.count)) else {
      return nil
    }
    return (head.dropLast(word.count), number)
  }

  /// The sentence of the table that words are; one whose name is known rather than another.
  private static func text(_ words: Substring) -> String? {
    var unnamed: String?
    for sentence in DamageTable.sentences {
      guard let (text, isNamed) = filled(sentence[...], words) else { continue }
      if isNamed { return text }
      unnamed = unnamed ?? text
    }
    return unnamed
  }

  /// A sentence with the names and the number that words have in its places, and whether the names are known; nil
  /// where the words are others.
  private static func filled(_ sentence: Substring, _ words: Substring) -> (String, Bool)? {
    guard let index = sentence.firstIndex(where: { $0 == "%" || $0 == "#" }) else {
      return sentence == words ? (String(words), true) : nil
    }
    let (before, after) = (sentence[..<index], sentence[index...].dropFirst())
    guard words.hasPrefix(before) else { return nil }
    let filling = words.dropFirst(before.count)
    guard after.last != "%" else {
      // The one sentence with two names.
      let joint = after.dropLast()
      guard let split = filling.occurrences(of: String(joint)).first,
        let (first, isNamed) = name(filling[..<split.lowerBound]),
        let (other, isOtherNamed) = name(filling[split.upperBound...])
      else { return nil }
      return (first + joint + other, isNamed && isOtherNamed)
    }
    guard filling.hasSuffix(after), filling.count > after.count else { return nil }
    let part = filling.dropLast(after.count)
    if sentence[index] == "#" {
      guard part.utf8.allSatisfy(\.isASCIIDigit), let number = Int(part) else { return nil }
      return (before + "\(number)" + after, true)
    }
    guard let (name, isNamed) = name(part) else { return nil }
    return (before + name + after, isNamed)
  }

  /// The name that one word or several are; of one that is not in the list what stands for it.
  private static func name(_ words: Substring) -> (String, isNamed: Bool)? {
    if DamageTable.names.contains(String(words)) { return (String(words), true) }
    let isWord = !words.isEmpty && words.utf8.count <= 40 && !words.utf8.contains(UInt8.space)
    return isWord ? ("unnamed part", false) : nil
  }
}
