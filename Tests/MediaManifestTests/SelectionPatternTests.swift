import Foundation
import MediaManifest
import MediaModel
import MediaTestSupport
import Testing

@Suite("Selections")
struct SelectionPatternTests {
  private func path(_ text: String) -> ItemPath {
    ItemPath(bytes: EscapedText.bytes(percentEscaped: text))
  }

  @Test("The path of a literal pattern is the one that it was made of; one with wildcards has none")
  func literalPaths() {
    for bytes in [
      Array("2026/a [1]*.jpg".utf8), [0xFF, 0x25, 0x34, 0x31], Array("\u{E9}/b?.mov".utf8),
    ] {
      let path = ItemPath(bytes: bytes)
      #expect(SelectionPattern.literalPath(of: SelectionPattern.literalText(of: path)) == path)
    }
    for text in ["*.jpg", "2026/IMG_?.jpg", "[ab].jpg", "**/a", ""] {
      #expect(SelectionPattern.literalPath(of: text) == nil, "\(text)")
    }
  }

  @Test(
    "A pattern matches these paths and no others",
    arguments: [
      ("2026/harbour.heic", ["2026/harbour.heic"], ["2026/harbour.HEIC", "harbour.heic", "2026"]),
      (
        "IMG_00*.JPG", ["IMG_00.JPG", "IMG_0042.JPG", "IMG_00.JPG.JPG"],
        ["IMG_0042.jpg", "a/IMG_00.JPG"]
      ),
      ("*", ["a", ".hidden", "a b", "%FF"], ["a/b", ""]),
      ("*/*", ["a/b"], ["a", "a/b/c"]),
      ("**", ["a", "a/b", "a/b/c"], [""]),
      ("**/x.jpg", ["x.jpg", "a/x.jpg", "a/b/x.jpg"], ["ax.jpg", "x.jpg/a"]),
      ("a/**", ["a/b", "a/b/c"], ["a", "ab", "b/a/c"]),
      ("a/**/b", ["a/b", "a/x/b", "a/x/b/b"], ["a/b/x", "ab", "a"]),
      ("**/a/**/b/*.jpg", ["a/b/1.jpg", "x/a/y/z/b/.jpg"], ["b/a/1.jpg", "a/b/c/1.jpg"]),
      ("?.jpg", ["a.jpg", "?.jpg", "%FF.jpg"], [".jpg", "ab.jpg", "é.jpg"]),
      ("[a-c]", ["a", "b", "c"], ["d", "-", "ab", ""]),
      ("[!a-c]x", ["dx", "-x", "%FFx"], ["ax", "x"]),
      ("[^a]", ["b"], ["a"]),
      ("[]a]", ["]", "a"], ["[", "b"]),
      ("[!]]", ["a"], ["]"]),
      ("[a-]", ["a", "-"], ["b"]),
      ("[%80-%FF]*", ["é", "%FF"], ["e"]),
      ("caf%E9.jpg", ["caf%E9.jpg"], ["café.jpg", "caf%25E9.jpg"]),
      ("caf\u{E9}.jpg", ["caf\u{E9}.jpg"], ["cafe\u{301}.jpg"]),
      ("100%.jpg", ["100%.jpg"], ["100.jpg"]),
      ("%2A.jpg", ["*.jpg"], ["a.jpg"]),
      ("a\\b", ["a\\b"], ["ab"]),
      ("...", ["..."], ["abc"]),
    ]
  )
  func matches(_ text: String, _ inside: [String], _ outside: [String]) throws {
    let pattern = try SelectionPattern(text)
    for item in inside { #expect(pattern.matches(path(item)), "\(text) against \(item)") }
    for item in outside { #expect(!pattern.matches(path(item)), "\(text) against \(item)") }
    // What a listing may not enter can hold nothing that matches.
    for item in inside {
      var folder = path(item).folder
      while true {
        #expect(pattern.couldMatchBeneath(ItemPath(bytes: Array(folder))), "\(text), \(item)")
        if folder.isEmpty { break }
        folder = ItemPath(bytes: Array(folder)).folder
      }
    }
  }

  @Test("Every pattern and path of a small alphabet agree with another matcher, and so do folders")
  func exhaustive() throws {
    // A reference that tries everything, on components and on bytes.
    func reference(_ pattern: ArraySlice<String>, _ names: ArraySlice<String>) -> Bool {
      guard let first = pattern.first else { return names.isEmpty }
      let remaining = pattern.dropFirst()
      if first == "**" {
        let least = remaining.isEmpty ? 1 : 0
        guard names.count >= least else { return false }
        return (least...names.count).contains { reference(remaining, names.dropFirst($0)) }
      }
      guard let name = names.first, glob(first[...], name[...]) else { return false }
      return reference(remaining, names.dropFirst())
    }
    func glob(_ pattern: Substring, _ name: Substring) -> Bool {
      guard let first = pattern.first else { return name.isEmpty }
      let remaining = pattern.dropFirst()
      if first == "*" { return (0...name.count).contains { glob(remaining, name.dropFirst($0)) } }
      guard let letter = name.first, first == "?" || first == letter else { return false }
      return glob(remaining, name.dropFirst())
    }
    func all(_ words: [String], upTo length: Int) -> [[String]] {
      var result: [[String]] = [[]]
      var last = result
      for _ in 0..<length {
        last = last.flatMap { list in words.map { list + [$0] } }
        result += last
      }
      return result.filter { !$0.isEmpty }
    }
    let patterns = all(["a", "*b", "**", "a*a?"], upTo: 4)
    let paths = all(["a", "ab", "aaa"], upTo: 4)
    var matched = 0
    for parts in patterns {
      let pattern = try SelectionPattern(parts.joined(separator: "/"))
      var enterable: Set<String> = []
      for names in paths {
        let expected = reference(parts[...], names[...])
        if expected {
          matched += 1
          for length in 0..<names.count {
            enterable.insert(names.prefix(length).joined(separator: "/"))
          }
        }
        let item = ItemPath(bytes: Array(names.joined(separator: "/").utf8))
        #expect(pattern.matches(item) == expected, "\(pattern.text) \(names)")
      }
      for folder in enterable {
        #expect(pattern.couldMatchBeneath(ItemPath(bytes: Array(folder.utf8))))
      }
    }
    #expect(matched > 1000)
  }

  @Test("A listing enters only folders that can hold a match")
  func pruning() throws {
    func beneath(_ pattern: String, _ folder: String) throws -> Bool {
      try SelectionPattern(pattern).couldMatchBeneath(path(folder))
    }
    #expect(try beneath("2026/a.jpg", ""))
    #expect(try beneath("2026/a.jpg", "2026"))
    #expect(try !beneath("2026/a.jpg", "2025"))
    #expect(try !beneath("2026/a.jpg", "2026/a.jpg"))
    #expect(try !beneath("*.jpg", "a"))
    #expect(try beneath("a/**/b", "a/x/y"))
    #expect(try !beneath("a/**/b", "b"))
    #expect(try beneath("**", "a/b/c"))
  }

  @Test("Patterns that try to make matching slow do not")
  func hostile() throws {
    let stars = try SelectionPattern(String(repeating: "*a", count: 2000) + "b")
    let name = ItemPath(bytes: [UInt8](repeating: UInt8(ascii: "a"), count: 255))
    let doubles = try SelectionPattern(String(repeating: "**/a/", count: 800) + "b")
    let deep = ItemPath(bytes: Array(String(repeating: "a/", count: 2000).utf8.dropLast()))
    let seconds = processorSeconds {
      for _ in 0..<20 {
        #expect(!stars.matches(name))
        #expect(!doubles.matches(deep))
      }
      #expect(!doubles.couldMatchBeneath(deep) || doubles.isLiteral == false)
    }
    // Exponential work would take longer than the universe has.
    #expect(seconds < 60)
  }

  @Test("A pattern without a wildcard is a name")
  func literals() throws {
    #expect(try SelectionPattern("a/caf%E9").literalBytes == Array("a/caf".utf8) + [0xE9])
    #expect(try SelectionPattern("a/%2A%3F").literalBytes == Array("a/*?".utf8))
    #expect(try SelectionPattern("a/*").literalBytes == nil)
    #expect(try SelectionPattern("**").isLiteral == false)
  }

  @Test("What a path is written as selects that path and nothing else")
  func roundTrip() throws {
    for byte in UInt8.min...UInt8.max where byte != 0 && byte != UInt8(ascii: "/") {
      for prefix in [[], Array("x".utf8), Array("%4".utf8)] {
        let item = ItemPath(bytes: prefix + [byte, UInt8(ascii: "z")])
        if "*?[".utf8.contains(byte) { continue }
        #expect(try SelectionPattern(item.text).literalBytes == item.bytes, "\(byte)")
      }
    }
  }

  @Test("A selection of many names answers as its patterns do")
  func selection() throws {
    let patterns = try ["2026/a.jpg", "2026/a.jpg", "b/c/d.jpg", "*.png", "x/**/y"].map {
      try SelectionPattern($0)
    }
    let selection = Selection(patterns)
    #expect(selection.literals.map(\.text) == ["2026/a.jpg", "b/c/d.jpg"])
    #expect(selection.patterns.map(\.text) == ["*.png", "x/**/y"])
    for item in ["2026/a.jpg", "b/c/d.jpg", "b/c", "q.png", "q/q.png", "x/y", "x/1/2/y", "b"] {
      let each = patterns.contains { $0.matches(path(item)) }
      #expect(selection.contains(path(item)) == each, "\(item)")
    }
    for folder in ["", "2026", "b", "b/c", "b/c/d.jpg", "x", "x/1", "q", "2025"] {
      let each = patterns.contains { $0.couldMatchBeneath(path(folder)) }
      #expect(selection.couldMatchBeneath(path(folder)) == each, "\(folder)")
    }
    #expect(!Selection([]).couldMatchBeneath(path("")))
  }

  @Test("What is ignored is what a bare name matches at any depth, and what a path matches whole")
  func ignored() throws {
    let patterns = try ["a.jpg", "2026/b.jpg", "*.tmp", "x/**/y", "a.jpg", "%FF", "q/r"].map {
      try SelectionPattern($0)
    }
    let rules = IgnoreRules(patterns)
    for (text, indexes) in [
      ("a.jpg", [0, 4]), ("2026/a.jpg", [0, 4]), ("2026/b.jpg", [1]), ("b.jpg", []),
      ("1/2026/b.jpg", []), ("q/z.tmp", [2]), ("x/1/2/y", [3]), ("y", []), ("1/%FF", [5]),
      ("q/r", [6]), ("q/r/s", []), ("r", []),
    ] {
      let item = path(text)
      let name = Array(item.name)
      #expect(Set(rules.matching(name, at: item)) == Set(indexes), "\(text)")
      let isIgnored = rules.ignores(name, at: item, isFolder: false, isInBundle: false)
      #expect(isIgnored == !indexes.isEmpty, "\(text)")
    }
  }

  @Test("Many names and paths that are ignored are not compared with each file")
  func manyIgnored() throws {
    let patterns = try (0..<20_000).map { number in
      try SelectionPattern(number.isMultiple(of: 2) ? "\(number).jpg" : "a/\(number).jpg")
    }
    let rules = IgnoreRules(patterns)
    var count = 0
    let seconds = processorSeconds {
      for number in 0..<20_000 {
        let name = Array("\(number).jpg".utf8)
        let item = ItemPath(bytes: Array("a/".utf8) + name)
        if rules.ignores(name, at: item, isFolder: false, isInBundle: false) { count += 1 }
        count += rules.matching(name, at: item).count
      }
    }
    #expect(seconds < 5)
    #expect(count == 40_000)
  }

  @Test(
    "A shell that expands the same patterns finds the same files",
    .enabled(if: Tool.exists("bash"), "no bash")
  )
  func againstShell() throws {
    let folder = TemporaryFolder()
    let files = [
      "a.jpg", "b.JPG", "d/a.jpg", "d/e/a.jpg", "d/e/-.jpg", "[.jpg", "d/ab.jpg", "%.jpg",
    ]
    for file in files {
      let path = folder.path + "/" + file
      try FileManager.default.createDirectory(
        atPath: URL(fileURLWithPath: path).deletingLastPathComponent().path,
        withIntermediateDirectories: true
      )
      try writeBytes([], path)
    }
    for text in ["*.jpg", "**/*.jpg", "d/*/*", "d/[!a]*/?.jpg", "[a-b]*", "[[].jpg", "?.???"] {
      let script =
        "LC_ALL=C; shopt -s globstar nullglob dotglob; "
        + "for f in \(text); do [ -f \"$f\" ] && echo \"$f\"; done; true"
      let shell = try Tool.run("bash", ["-c", script], in: folder.path)
      let pattern = try SelectionPattern(text)
      let ours = files.filter { pattern.matches(ItemPath(bytes: Array($0.utf8))) }
      #expect(Set(shell.output.split(separator: "\n").map(String.init)) == Set(ours), "\(text)")
      #expect(!ours.isEmpty, "\(text)")
    }
  }
}
