import Foundation
import MediaModel
import MediaSyntax
import MediaTestSupport
import Testing

@testable import MediaPages

@Suite("Pages in a person's language")
struct PageLanguageTests {
  private static let project = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appendingPathComponent("../..").standardized.path

  /// A table as its file has it: the texts of each key by plural category.
  private static func table(_ tag: String) throws -> [String: [String: String]] {
    let path = Self.project + "/Sources/Foundations/MediaPages/Web/languages/\(tag).json"
    let object = try JSONSerialization.jsonObject(with: Data(contentsOf: URL(fileURLWithPath: path)))
    return try #require(object as? [String: Any]).mapValues { value in
      (value as? [String: String]) ?? ["other": value as? String ?? ""]
    }
  }

  private static func placeholders(_ text: String) -> Set<String> {
    let parts = text.split(separator: "{", omittingEmptySubsequences: false).dropFirst()
    return Set(parts.compactMap { $0.split(separator: "}").first.map(String.init) })
  }

  /// The plural categories of whole numbers. Source: CLDR, plural rules.
  private static let categories: [String: Set<String>] = [
    "pl": ["one", "few", "many", "other"], "uk": ["one", "few", "many", "other"],
    "he": ["one", "two", "other"],
    "ar": ["zero", "one", "two", "few", "many", "other"], "ja": ["other"], "ko": ["other"],
    "zh-Hans": ["other"],
  ]

  @Test(
    "A table has each key of the English one and no other, each plural form, and the same placeholders",
    arguments: PageTag.all
  )
  func tables(tag: String) throws {
    let (english, own) = (try Self.table("en"), try Self.table(tag))
    #expect(Set(own.keys) == Set(english.keys), "\(Set(own.keys).symmetricDifference(english.keys))")
    for (key, texts) in own {
      guard let model = english[key] else { continue }
      #expect(texts.values.allSatisfy { !$0.isEmpty }, "\(key)")
      let isPlural = model.count > 1
      #expect(Set(texts.keys) == (isPlural ? Self.categories[tag] ?? ["one", "other"] : ["other"]), "\(key)")
      let wanted = model.values.reduce(into: Set()) { $0.formUnion(Self.placeholders($1)) }
      for text in texts.values {
        // A form of one number alone may leave it out.
        let lacking = wanted.symmetricDifference(Self.placeholders(text))
        #expect(lacking.isEmpty || isPlural && lacking == ["n"], "\(key): \(text)")
      }
    }
    // What a translator would have left as it was.
    let same = own.filter { key, texts in
      texts == english[key] && texts.count == 1 && (texts["other"]?.count ?? 0) > 24
    }
    #expect(tag == "en" || same.isEmpty, "\(same.keys.sorted())")
  }

  @Test("Each key is used by Swift or a script, and each that they use is there")
  func keys() throws {
    let root = Self.project + "/Sources"
    let paths = ["Foundations/MediaPages", "Import/MediaWeb", "Sharing/MediaGallery"].flatMap { folder in
      (FileManager.default.subpaths(atPath: "\(root)/\(folder)") ?? []).filter {
        $0.hasSuffix(".swift") || $0.hasSuffix(".js")
      }
      .map { "\(root)/\(folder)/\($0)" }
    }
    let source = try paths.map { try String(contentsOfFile: $0, encoding: .utf8) }.joined(separator: "\n")
    let english = try Self.table("en")
    // Keys that are put together end with a value of Swift.
    let made = [
      "badge.", "album.", "neutral.", "cannotPlay.", "ask.badge.", "ask.name.", "ask.wish.",
      "ask.deed.",
      "ask.choice.", "ask.policy.", "ask.obstacle.", "ask.before.", "ask.changed.", "ask.status.", "ask.tag.",
      "ask.effect.", "ask.failure.", "ask.group.", "ask.reason.", "ask.unchanged", "ask.undecided",
      "ask.unanswered",
      "ask.goesOn", "ask.runGoesOn", "ask.closePage", "ask.onlyYou", "ask.refusedBefore", "ask.earlier",
      "ask.folderMissing", "ask.copies", "ask.undo", "ask.chooseSource",
    ]
    for key in english.keys where !made.contains(where: key.hasPrefix) {
      #expect(source.contains("\"\(key)\""), "\(key) is used nowhere")
    }
    let used = source.components(separatedBy: "words(\"").dropFirst().compactMap {
      $0.split(separator: "\"").first.map(String.init)
    }
    for key in used where !key.contains("\\") && !key.hasSuffix(".") {
      #expect(english[key] != nil, "\(key) is in no table")
    }
  }

  @Test("The words of values have their sentences")
  func values() {
    let words = PageLanguage(.english)
    let albums = [
      "Favorites", "Videos", "Screenshots", "Selfies", "Live Photos", "Panoramas", "Slo-mo", "Bursts",
      "Animated", "RAW",
    ]
    #expect(albums.allSatisfy { words("album.\($0)") == $0 })
    for status in AuthorizationStatus.allCases { #expect(words("ask.status.\(status.name)").hasSuffix(".")) }
    for type in MediaType.allCases { #expect(words("neutral.\(type.rawValue)", 7).hasSuffix("7")) }
  }

  @Test(
    "Numbers have the plural forms of CLDR",
    arguments: [
      ("en", [0: "other", 1: "one", 2: "other", 21: "other"]), ("fr", [0: "one", 1: "one", 2: "other"]),
      ("pl", [1: "one", 2: "few", 5: "many", 12: "many", 21: "many", 22: "few", 112: "many"]),
      ("uk", [1: "one", 2: "few", 5: "many", 11: "many", 21: "one", 22: "few", 111: "many"]),
      ("he", [1: "one", 2: "two", 3: "other", 20: "other"]), ("ja", [1: "other"]),
      (
        "ar",
        [
          0: "zero", 1: "one", 2: "two", 3: "few", 10: "few", 11: "many", 99: "many", 100: "other",
          103: "few",
        ]
      ),
    ] as [(String, [Int: String])]
  )
  func plurals(tag: String, forms: [Int: String]) throws {
    let words = PageLanguage(try #require(PageTag(for: [tag])))
    let texts = try #require(try Self.table(tag)["photoCount"])
    for (number, form) in forms {
      #expect(
        words("photoCount", number) == texts[form]?.replacingOccurrences(of: "{n}", with: "\(number)"),
        "\(number)"
      )
    }
  }

  @Test("A sentence has its values, as text and as markup, and in attributes by which a script finds it")
  func sentences() {
    let words = PageLanguage(.english)
    #expect(words("nothingFound", nil, ["text": "<a>"]) == "Nothing found for “<a>”")
    #expect(words.markup("nothingFound", nil, ["text": "<b>a</b>"]).text == "Nothing found for “<b>a</b>”")
    #expect(
      words.element("nothingFound", nil, ["text": "\"<"]).text
        == "<bdi data-text=\"nothingFound\" data-values=\"{&quot;text&quot;:&quot;\\&quot;&lt;&quot;}\">"
        + "Nothing found for “&quot;&lt;”</bdi>"
    )
    #expect(
      words.attribute(.hint, "favorite", "F").text
        == " data-hint=\"favorite\" data-key=\"F\" title=\"Favorite (F)\""
    )
    #expect(words.number(12_345).text == "<bdi data-number=\"12345\">12,345</bdi>")
    #expect(words("photoCount", 1_234) == "1,234 photos" && words("no such key") == "no such key")
  }

  @Test("Dates are written as people write them, and what is none is left as it is")
  func dates() throws {
    let words = PageLanguage(.english)
    func range(_ first: String, _ last: String) -> String? { words.range(first, last)?.text }
    #expect(
      range("2025-05-02T10:00:00", "2025-08-30")
        == "<bdi data-date=\"2025-05-02/2025-08-30\">May 2, 2025 – Aug 30, 2025</bdi>"
    )
    #expect(range("2025-08-02", "2025-08-02T09:00:00")?.hasSuffix(">Aug 2, 2025</bdi>") == true)
    #expect(
      range("1998-06-01", "2025-08-30") == "<bdi data-date=\"1998-06/2025-08\">June 1998 – August 2025</bdi>"
    )
    #expect(range("1998", "2025-08-30") == "<bdi>1998</bdi> – <bdi data-date=\"2025-08\">August 2025</bdi>")
    #expect(range("", "2025-08-30") == nil)
    for (date, weekday, day) in [
      ("2025-08-30", "Sat,", "Aug 30"), ("2024-02-29T08:00:00", "Thu,", "Feb 29"),
      ("2000-01-01", "Sat,", "Jan 1"),
    ] {
      #expect(words.day(date)?.text.hasSuffix("<span>\(weekday) </span><span>\(day)</span></span>") == true)
    }
    #expect(words.day("2025-13-01") == nil && words.monthName("2025-13") == "2025-13")
    #expect(words.monthName("2025-08") == "August 2025" && words.monthName("--08") == "August")
    let german = PageLanguage(try #require(PageTag(for: ["de-AT"])))
    #expect(german.monthName("2025-03") == "März 2025" && german.grouped(12_345) == "12.345")
  }

  @Test("A browser's language finds its table, and right to left is said")
  func tags() {
    for (ranges, tag) in [
      (["pt-PT"], "pt"), (["zh-CN"], "zh-Hans"), (["iw"], "he"), (["xx", "de-AT"], "de"),
      (["en-XA"], "en-XA"),
    ] {
      #expect(PageTag(for: ranges)?.tag == tag)
    }
    #expect(PageTag(for: ["zh-TW"]) == nil && PageTag(for: ["xx"]) == nil && PageTag(for: []) == nil)
    #expect(PageTag(for: ["ar"]).map { PageLanguage($0).attributes.text } == "lang=\"ar\" dir=\"rtl\"")
  }

  @Test("The pseudo-language has each sentence between brackets, and 40 % longer")
  func pseudo() throws {
    let words = PageLanguage(try #require(PageTag(for: [PageTag.pseudo])))
    #expect(words("ask.choice.allow") == "[Allow~~~]" && words.monthName("2025-08") == "August 2025")
    #expect(words("photoCount", 2) == "[2 photos~~~]")
    let script = String(decoding: words.script(without: ["ask."]), as: UTF8.self)
    #expect(script.hasPrefix("words.take({") && script.hasSuffix("});\n") && !script.contains("\"ask."))
  }
}
