import Foundation
import MediaModel
import MediaSyntax
import MediaTestSupport
import Testing

@Suite("JSON values")
struct JSONValueTests {
  private static let values: [JSONValue] = {
    let controls = String(String.UnicodeScalarView((0..<0x80).compactMap(Unicode.Scalar.init)))
    var values: [JSONValue] = [
      .null, true, false, 0, .integer(.max), .integer(.min), "", .string(controls),
      "\u{2028}\u{FFFF}\u{10FFFF}é\u{E9}e\u{301}", [], [1, [2, []]], ["b": 1, "a": ["z": .null]],
      ["é": 1, "z": 2, "Z": 3, "": 4, "\u{1F600}": 5, "\u{FF5E}": 6],
    ]
    values += (0..<200).map { .string(String(Unicode.Scalar(UInt8($0)))) }
    return values
  }()

  @Test("What is displayed is the same value, with all that shows nothing escaped")
  func displayed() throws {
    for value in Self.values + ["\u{202E}a\u{2066}\u{E0041}\u{9B}", "a\u{200D}b", ["\u{7F}": 1]] {
      let (plain, shown) = (JSONValue.array([value]).serialized, JSONValue.array([value]).displayed)
      let text = String(decoding: shown, as: UTF8.self)
      #expect(
        text.unicodeScalars.allSatisfy {
          EscapedText.isPrintable($0) || $0.properties.isJoinControl
        },
        "\(text)"
      )
      let read = try JSONSerialization.jsonObject(with: Data(plain)) as? NSArray
      #expect(try JSONSerialization.jsonObject(with: Data(shown)) as? NSArray == read, "\(text)")
    }
    #expect(
      String(decoding: JSONValue.string("\u{202E}é\u{E0041}").displayed, as: UTF8.self)
        == #""\u202eé\udb40\udc41""#
    )
  }

  @Test(
    "What we write is what python3 writes without spaces, keys in the order of their bytes",
    .enabled(if: Tool.exists("python3"), "no python3")
  )
  func sameAsPython() throws {
    let folder = TemporaryFolder()
    let lines = Self.values.map { String(decoding: $0.serialized, as: UTF8.self) + "\n" }
    try Data(lines.joined().utf8).write(to: URL(fileURLWithPath: folder.path + "/lines"))
    let script = """
      import json, sys
      def key(pair): return pair[0].encode()
      def canonical(v):
        if isinstance(v, dict):
          return "{" + ",".join(json.dumps(k, ensure_ascii=False) + ":" + canonical(w)
            for k, w in sorted(v.items(), key=key)) + "}"
        if isinstance(v, list): return "[" + ",".join(map(canonical, v)) + "]"
        return json.dumps(v, ensure_ascii=False)
      lines = open(sys.argv[1], "rb").read().decode().split("\\n")[:-1]
      for line in lines:
        if canonical(json.loads(line)) != line: print(repr(line))
      print(len(lines))
      """
    let result = try Tool.run("python3", ["-c", script, folder.path + "/lines"])
    #expect(result.status == 0, "\(result.error)")
    #expect(result.output == "\(Self.values.count)\n")
  }

  @Test("A text is read back, wherever in it a byte stands that needs an escape or is no ASCII")
  func readBack() {
    let characters =
      (0..<0x180).compactMap { Unicode.Scalar($0 as UInt32).map(String.init) } + ["😀", ""]
    for count in 0...17 {
      for character in characters {
        let text =
          String(repeating: "a", count: count) + character + String(repeating: "~", count: 9)
        let line = JSONValue.object(["k": .string(text)]).serialized
        #expect(CanonicalJSON.members(of: line) == ["k": .string(text)])
        #expect(CanonicalJSON.members(of: line, keys: []) == [:])
      }
    }
  }

  @Test("A byte that no text may have as it is, or a cut text, is refused wherever it stands")
  func refused() {
    for count in 0...17 {
      let before = Array("{\"k\":\"".utf8) + [UInt8](repeating: 0x61, count: count)
      for byte in Array(0..<0x20) + [0x80, 0xC0, 0xFF] as [UInt8] {
        #expect(CanonicalJSON.members(of: before + [byte] + Array("aaaaaaaaa\"}".utf8)) == nil)
      }
      #expect(CanonicalJSON.members(of: before) == nil)
      #expect(CanonicalJSON.members(of: before + [UInt8(ascii: "\\")]) == nil)
    }
  }

  @Test(
    "Thousandths are written with three digits",
    arguments: [
      (0, "0.000"), (1, "0.001"), (999, "0.999"), (1000, "1.000"), (-1, "-0.001"),
      (-12_345, "-12.345"), (.min, "-9223372036854775.808"), (.max, "9223372036854775.807"),
    ] as [(Int64, String)]
  )
  func thousandths(_ value: Int64, _ text: String) {
    #expect(String(decoding: JSONValue.decimal(thousandths: value).serialized, as: UTF8.self) == text)
  }

  @Test(
    "Degrees are written with as many of seven digits as they need",
    arguments: [
      (0, "0"), (48.856, "48.856"), (-2, "-2"), (0.000_000_1, "0.0000001"), (-0.000_01, "-0.00001"),
      (179.999_999_96, "180"), (-0.000_000_01, "0"), (.infinity, "360"),
    ] as [(Double, String)]
  )
  func degrees(_ value: Double, _ text: String) {
    #expect(String(decoding: JSONValue.degrees(value).serialized, as: UTF8.self) == text)
  }
}
