import Testing

@testable import MediaModel

@Suite("Language tags")
struct LanguageTagTests {
  @Test("A tag has the form of BCP 47")
  func form() {
    for tag in [
      "de", "de-CH", "de-CH-1996", "zh-Hans-CN", "zh-yue-HK", "sr-Latn-RS", "es-419", "sl-rozaj-biske-1994",
      "de-DE-u-co-phonebk", "en-a-bbb-x-a-ccc", "DE-at", "gsw", "en_US",
    ] {
      #expect(LanguageTag.isWellFormed(tag), "\(tag)")
    }
    for tag in [
      "", "d", "-", "de-", "-de", "de--CH", "x-whatever", "i-klingon", "de-CH-AT", "de-a", "de-x", "d1",
      "de-ä",
      "de-a-bb-a-cc", "deutschland", "German", "de-verylongsubtag", "de CH", "*",
      String(repeating: "de-abcde", count: 20),
    ] {
      #expect(!LanguageTag.isWellFormed(tag), "\(tag)")
    }
  }

  @Test("The text is that of the longest beginning of the first range that has one")
  func lookup() {
    func found(_ ranges: [String], _ tags: [String]) -> String? {
      LanguageRange.lookup(ranges: ranges, in: tags).map { tags[$0] }
    }
    #expect(found(["de-CH-1996"], ["en", "de", "de-CH"]) == "de-CH")
    #expect(found(["de-CH-1996"], ["en", "de"]) == "de")
    #expect(found(["de-at"], ["en", "DE-AT"]) == "DE-AT")
    #expect(found(["fr", "de-DE"], ["en", "de"]) == "de")
    #expect(found(["fr-CA", "en"], ["en", "fr"]) == "fr")
    // A range is never made longer: who reads German has not said that of Swiss German.
    #expect(found(["de"], ["en", "de-CH"]) == nil)
    #expect(found(["*", "tlh", "??", ""], ["en", "de"]) == nil)
    // A singleton goes with what is behind it.
    #expect(found(["zh-Hant-CN-x-private1-private2"], ["zh-Hant-CN"]) == "zh-Hant-CN")
    #expect(found(["de-u-co-phonebk"], ["de-u", "de"]) == "de")
    #expect(found(["iw"], ["en", "he"]) == "he")
    #expect(found(["no"], ["en", "nb"]) == "nb")
    #expect(found(["nb-NO"], ["en", "no"]) == "no")
    #expect(found(["en"], []) == nil)
  }

  @Test("Chinese is found by its script, which its region says where nothing else does")
  func chinese() {
    func found(_ range: String, _ tags: [String]) -> String? {
      LanguageRange.lookup(ranges: [range], in: tags).map { tags[$0] }
    }
    let scripts = ["en", "zh-Hans", "zh-Hant"]
    for range in ["zh-CN", "zh-Hans", "zh-Hans-CN", "zh-SG", "zh", "zh_CN"] {
      #expect(found(range, scripts) == "zh-Hans", "\(range)")
    }
    for range in ["zh-TW", "zh-HK", "zh-MO", "zh-Hant", "zh-Hant-TW", "zh-Hant-HK"] {
      #expect(found(range, scripts) == "zh-Hant", "\(range)")
    }
    let regions = ["zh-CN", "zh-TW", "zh-HK"]
    #expect(found("zh-Hans", regions) == "zh-CN")
    #expect(found("zh-Hant-TW", regions) == "zh-TW")
    #expect(found("zh-HK", regions) == "zh-HK")
    #expect(found("zh-MO", regions) == "zh-TW")
    #expect(found("zh-TW", ["zh-Hans"]) == nil)
    #expect(found("zh-CN", ["zh-Hant"]) == nil)
    for range in ["zh-TW", "zh-CN", "zh"] { #expect(found(range, ["en", "zh"]) == "zh") }
  }

  @Test("A header's languages are in the order of their weights, and then in its own")
  func header() {
    #expect(LanguageRange.acceptLanguage("da, en-gb;q=0.8, en;q=0.7") == ["da", "en-gb", "en"])
    #expect(LanguageRange.acceptLanguage("en;q=0.5,de;q=0.50 , fr ; Q=1.000") == ["fr", "en", "de"])
    #expect(LanguageRange.acceptLanguage("de;q=0,*;q=0.1,en;q=0.001") == ["en"])
    #expect(
      LanguageRange.acceptLanguage("de;q=1.5,en;q=,fr;q=0.1234,it;q=.5,nl;level=1,pl;q=1.001,es") == ["es"]
    )
    #expect(LanguageRange.acceptLanguage("") == [])
    #expect(LanguageRange.acceptLanguage(",;,q=1,;;;,-,\u{0}") == [])
    let many = Array(repeating: "de", count: 1_000_000).joined(separator: ",")
    #expect(LanguageRange.acceptLanguage(many).count == 32)
    #expect(LanguageRange.acceptLanguage(String(repeating: "a", count: 1_000_000)) == [])
  }

  @Test("The locale of messages is LC_ALL, else LC_MESSAGES, else LANG")
  func locale() {
    func found(_ variables: [String: String]) -> [String] { LanguageRange.environment { variables[$0] } }
    #expect(found(["LANG": "de_CH.UTF-8"]) == ["de-ch"])
    #expect(found(["LANG": "de_DE", "LC_MESSAGES": "fr_FR"]) == ["fr-fr"])
    #expect(found(["LC_ALL": "ja_JP.eucJP", "LC_MESSAGES": "fr_FR"]) == ["ja-jp"])
    #expect(found(["LC_ALL": "", "LANG": "pt_BR.UTF-8"]) == ["pt-br"])
    #expect(found(["LC_ALL": "C", "LANG": "de_DE.UTF-8"]) == [])
    #expect(found([:]) == [])
    #expect(LanguageRange.posixLocale("sr_RS.UTF-8@latin") == "sr-latn-rs")
    #expect(LanguageRange.posixLocale("ca_ES@valencia") == "ca-es-valencia")
    #expect(LanguageRange.posixLocale("de_DE@euro") == "de-de")
    for none in [
      "C.UTF-8", "POSIX", "@", "@latin", ".", "/etc/passwd", "de_", String(repeating: "de_", count: 99),
    ] {
      #expect(LanguageRange.posixLocale(none) == nil, "\(none)")
    }
  }
}
