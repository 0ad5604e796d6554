/// The keywords below which programs keep people.
///
/// Source: digiKam, `FaceTags` and its translations; Lightroom Classic, person keywords; Photoshop Elements, categories;
/// ACDSee, People.
package enum PeopleKeyword {
  /// In small letters.
  private static let words: Set<String> = Set(
    """
    people person persons faces · menschen personen gesichter leute · personnes visages gens · personas gente · \
    persone volti · pessoas rostos · persones · persoas xente · pertsonak jendea · mensen gezichten · mense · homoj · \
    osoby ludzie twarze · lidé tváře · ľudia · osobe ljudi ljudje · emberek személyek · oameni persoane · \
    ihmiset henkilöt · personer mennesker ansigter människor folk ansikten ansikter · inimesed · žmonės · cilvēki · \
    fólk · люди персоны лица особи обличчя людзі · хора · луѓе људи особе · άτομα πρόσωπα άνθρωποι · \
    kişiler insanlar yüzler · אנשים · أشخاص الأشخاص ناس · افراد مردم · लोग · người · orang · บุคคล ผู้คน · \
    人物 人 人々 人们 人們 人员 人員 · 인물 사람 사람들
    """.split(separator: " ").lazy.filter { $0 != "·" }.map(String.init)
  ).union(["mọi người"])

  /// What separates the parts of a keyword with its path, in the programs that write some.
  private static let separators: Set<Character> = ["/", "|", "\\"]

  /// The parts of a keyword with its path, without spaces around them.
  package static func parts(of keyword: String) -> [String] {
    keyword.split { separators.contains($0) }.map { trimmed($0) }.filter { !$0.isEmpty }
  }

  /// The parts of a path that stand below people, such as a group and a name; none of any other path.
  package static func names(in path: [String]) -> ArraySlice<String> {
    let root = path.dropLast().firstIndex { words.contains(KnownPeople.folded($0)) }
    guard let root else { return [] }
    return path[(root + 1)...]
  }

  fileprivate static func trimmed(_ text: some StringProtocol) -> String {
    let start = text.drop { $0.isWhitespace }
    return String(start.reversed().drop { $0.isWhitespace }.reversed())
  }
}

/// The names by which the people in pictures are known, to find those that stand among keywords.
///
/// Of each name there is a hash alone, since hostile files may name millions: in one of 2⁶⁴ cases another word is taken
/// for a name.
package struct KnownPeople: Sendable {
  private var names: Set<Int> = []

  package init() {}

  /// Adds a person.
  package mutating func add(person: String) { names.insert(Self.folded(person).hashValue) }

  /// Adds what a keyword with its path says below people.
  package mutating func add(keyword: String) {
    for name in PeopleKeyword.names(in: PeopleKeyword.parts(of: keyword)) { add(person: name) }
  }

  /// Whether a keyword is a name, in letters of any case, or has one as a part of its path.
  package func isName(_ keyword: String) -> Bool {
    let path = PeopleKeyword.parts(of: keyword)
    return !PeopleKeyword.names(in: path).isEmpty
      || ([keyword] + path).contains { names.contains(Self.folded($0).hashValue) }
  }

  /// A word as it is compared: in small letters, and with the Turkish `İ` as any other `i`.
  fileprivate static func folded(_ word: some StringProtocol) -> String {
    var folded = String.UnicodeScalarView()
    for scalar in PeopleKeyword.trimmed(word).lowercased().unicodeScalars {
      if scalar != "\u{307}" || folded.last != "i" { folded.append(scalar) }
    }
    return String(folded)
  }
}

extension MediaDescription {
  /// Takes names of people out of the keywords.
  package mutating func removeNames(of people: KnownPeople) { keywords.removeAll(where: people.isName) }
}
