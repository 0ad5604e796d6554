import MediaModel
import MediaTestSupport
import Testing

@testable import MediaManifest

@Suite("An Info.plist in several languages")
struct InfoPlistLanguagesTests {
  private static func strings(_ words: String, in language: String?) -> InfoPlistLanguages {
    InfoPlistLanguages(
      strings: Array("NSCameraUsageDescription = \"\(words)\"; Other = x;".utf8),
      in: language
    )
  }

  /// The texts for the camera once files were added to an Info.plist, and the languages that differ.
  private static func added(
    _ files: [InfoPlistLanguages],
    to base: String? = "base",
    region: String? = nil
  ) -> String {
    var infoPlist = InfoPlist()
    infoPlist.developmentRegion = region
    if let base { infoPlist.usageDescriptions[.camera] = .text(base) }
    let differing = infoPlist.add([.camera: files.flatMap { $0.texts[.camera] ?? [] }])
    let texts = infoPlist.usageDescriptions[.camera]?.texts ?? []
    return texts.map { "\($0.language ?? "-"):\($0.words)" }.joined(separator: " ")
      + differing.map { " !\($0.1.language ?? "-")" }.joined()
  }

  @Test(
    "The text of the Info.plist is the first, unless its own language has a file, and others follow by their tags"
  )
  func order() {
    let files = [Self.strings("f", in: "fr"), Self.strings("d", in: "de")]
    #expect(Self.added(files) == "-:base de:d fr:f")
    #expect(Self.added(files, region: "en") == "en:base de:d fr:f")
    #expect(Self.added(files, region: "fr") == "fr:f de:d")
    #expect(Self.added(files + [Self.strings("b", in: nil)], region: "en") == "en:b de:d fr:f")
    #expect(Self.added(files, to: nil) == "de:d fr:f")
    #expect(Self.added(files, to: nil, region: "fr") == "fr:f de:d")
    #expect(Self.added(files + [Self.strings("d", in: "DE")]) == "-:base de:d fr:f")
    #expect(Self.added(files + [Self.strings("x", in: "DE")]) == "-:base de:d fr:f !DE")
  }

  @Test("A value that is no text stays one, whatever the files beside it say")
  func noText() {
    var infoPlist = InfoPlist(usageDescriptions: [.camera: .notAString])
    #expect(infoPlist.add([.camera: [LocalizedText("d", in: "de")]]).isEmpty)
    #expect(infoPlist.usageDescriptions[.camera] == .notAString)
  }

  @Test("A catalog of Xcode has each language that is translated, and no variation")
  func catalog() {
    let json = """
      { "sourceLanguage" : "en", "strings" : {
        "CFBundleName" : { "localizations" : { "en" : { "stringUnit" : { "state" : "translated", "value" : "x" } } } },
        "NSCameraUsageDescription" : { "comment" : "Privacy", "extractionState" : "manual", "localizations" : {
          "en" : { "stringUnit" : { "state" : "translated", "value" : "Why." } },
          "pt-BR" : { "stringUnit" : { "state" : "needs_review", "value" : "Por quê." } },
          "it" : { "stringUnit" : { "state" : "new", "value" : "" } },
          "de" : { "variations" : { "device" : { "other" : { "stringUnit" : { "value" : "y" } } } } } } },
        "NSMicrophoneUsageDescription" : { } }, "version" : "1.0" }
      """
    let languages = InfoPlistLanguages(catalog: Array(json.utf8))
    #expect(languages.issues.isEmpty)
    #expect(
      languages.texts == [.camera: [LocalizedText("Why.", in: "en"), LocalizedText("Por quê.", in: "pt-BR")]]
    )
  }

  @Test("Mistakes of a file are told with their places")
  func mistakes() {
    func codes(_ languages: InfoPlistLanguages) -> [String] {
      languages.issues.map { "\($0.line):\($0.column) \($0.code.rawValue)" }
    }
    func catalog(_ text: String) -> [String] { codes(InfoPlistLanguages(catalog: Array(text.utf8))) }
    #expect(catalog("{}") == ["1:1 missingKey"] && catalog("[") == ["1:1 syntax"])
    #expect(catalog("{\"strings\": 7, \"strings\": 7}").contains { $0.hasSuffix("duplicateKey") })
    let unit = "{\"stringUnit\": {\"value\": \"x\"}}"
    let wrong = "{\"strings\": {\"NSCameraUsageDescription\": {\"localizations\": {\"German\": \(unit)}}}}"
    #expect(catalog(wrong) == ["1:61 invalidText"])
    for odd in [
      "7", "null", "{\"NSCameraUsageDescription\": 7}",
      "{\"NSCameraUsageDescription\": {\"localizations\": []}}",
    ] {
      #expect(catalog("{\"strings\": \(odd)}") == [], "\(odd)")
    }
    #expect(
      codes(InfoPlistLanguages(strings: Array("NSCameraUsageDescription = a".utf8), in: "de")) == [
        "1:29 syntax"
      ]
    )
    let number = "<plist><dict><key>NSCameraUsageDescription</key><integer>7</integer></dict></plist>"
    #expect(codes(InfoPlistLanguages(strings: Array(number.utf8), in: "de")) == ["1:14 wrongType"])
  }

  @Test("Folders are named by tags, with an underscore as before, or in English")
  func folders() {
    let names = ["de", "pt-BR", "zh_CN", "zh-Hans", "German", "Japanese", "Base", "", "..", "Klingon"]
    let tags = names.map { InfoPlistLanguages.language(named: $0) ?? "-" }
    #expect(tags == ["de", "pt-BR", "zh-CN", "zh-Hans", "de", "ja", "-", "-", "-", "-"])
  }

  @Test("A property list says the language of its own texts, unless it is a variable of an app's sources")
  func region() {
    func region(_ value: String) -> String? {
      let text =
        "<plist version=\"1.0\"><dict><key>CFBundleDevelopmentRegion</key>\(value)</dict></plist>"
      return InfoPlist.read(Array(text.utf8)).infoPlist?.developmentRegion
    }
    #expect(region("<string>en_GB</string>") == "en-GB" && region("<string>German</string>") == "de")
    #expect(region("<string>$(DEVELOPMENT_LANGUAGE)</string>") == nil && region("<true/>") == nil)
  }

  @Test("A damaged catalog ends in a result")
  func damage() {
    var random = SeededGenerator()
    let seed = Array(
      "{\"strings\":{\"NSCameraUsageDescription\":{\"localizations\":{\"de\":{\"stringUnit\":{\"value\":\"d\"}}}}}}"
        .utf8
    )
    for _ in 0..<5_000 {
      var bytes = seed
      for _ in 0..<3 {
        bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(in: 0x20...0x7E, using: &random)
      }
      let languages = InfoPlistLanguages(catalog: bytes)
      #expect(languages.texts[.camera]?.isEmpty != true)
    }
  }
}
