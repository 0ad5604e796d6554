import Foundation
import MediaTestSupport

/// A fenced block of a document.
struct DocumentBlock: CustomStringConvertible {
  /// The document's path in the project.
  var document: String
  /// The line of its fence, 1-based.
  var line: Int
  /// The word behind its fence; empty for none.
  var language: String
  var lines: [String]

  var description: String { "\(document):\(line)" }
  var text: String { lines.joined(separator: "\n") }

  /// Whether its commands copy a library to where the variable `copy` says, or use that copy.
  var namesCopy: Bool { language == "sh" && text.contains("\"$copy") }

  /// The project's folder.
  static let project = URL(fileURLWithPath: #filePath)
    .appendingPathComponent("../../../..").standardizedFileURL.path

  /// The documents for people who use the program.
  static func documents() throws -> [String] {
    let names = try FileManager.default.contentsOfDirectory(atPath: project + "/docs")
    return ["README.md", "CONTRIBUTING.md"]
      + names.filter { $0.hasSuffix(".md") }.sorted().map { "docs/" + $0 }
  }

  /// The blocks of a document in their order.
  static func all(in document: String) throws -> [DocumentBlock] {
    let text = String(decoding: try readBytes(project + "/" + document), as: UTF8.self)
    var blocks: [DocumentBlock] = []
    var open: DocumentBlock?
    for (index, line) in text.components(separatedBy: "\n").enumerated() {
      guard line.hasPrefix("```") else {
        open?.lines.append(line)
        continue
      }
      if let block = open {
        blocks.append(block)
        open = nil
      } else {
        let language = String(line.dropFirst(3))
        open = DocumentBlock(document: document, line: index + 1, language: language, lines: [])
      }
    }
    return blocks
  }

  /// A command of a session, and what the document says that it prints.
  struct Step {
    var command: String
    var printed: [String]
  }

  /// The commands of a session, which begin with `$ `.
  var steps: [Step] {
    var steps: [Step] = []
    for line in lines {
      if line.hasPrefix("$ ") {
        steps.append(Step(command: String(line.dropFirst(2)), printed: []))
      } else if !steps.isEmpty {
        steps[steps.count - 1].printed.append(line)
      }
    }
    return steps
  }
}

/// Compares what a document says that a command prints with what it printed.
///
/// Hashes, identifiers, times and durations differ from run to run, and stand for any other. A line
/// `…` stands for any lines, and one that ends with `…` for any line with that beginning.
struct PrintedText {
  /// Hashes of the document, each with that which was printed in its place.
  private(set) var hashes: [String: String] = [:]

  private static let variable: [(String, String)] = [
    ("[0-9a-f]{8,64}…", "<hash>"), ("[0-9a-f]{64}", "<hash>"),
    ("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", "<identifier>"),
    ("[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:.]+Z", "<time>"),
    ("(00000[0-9])-[0-9a-f]{8}", "$1-<run>"), ("\\+[0-9a-f]{8}\\b", "+<key>"),
    ("[0-9.,]+ s, [0-9.,]+ files/s", "<speed>"), ("Landlock ABI [0-9]+", "Landlock ABI <number>"),
    ("[0-9]{4,} bytes", "<number> bytes"),
  ]

  private static func constant(_ line: String) -> String {
    variable.reduce(line.trimmingCharacters(in: .whitespaces)) { line, pattern in
      line.replacingOccurrences(of: pattern.0, with: pattern.1, options: .regularExpression)
    }
  }

  private static func hashes(in line: String) -> [String] {
    line.matches(of: /[0-9a-f]{64}/).map { String($0.output) }
  }

  /// A command of the document with the hashes that were printed in place of its own.
  func command(_ text: String) -> String {
    hashes.reduce(text) { $0.replacingOccurrences(of: $1.key, with: $1.value) }
  }

  /// Finds the first line of the document that was not printed; nil when all were.
  mutating func difference(_ expected: [String], _ printed: [String]) -> String? {
    let expected = expected.filter { !$0.isEmpty }
    var remaining = printed.filter { !$0.isEmpty }[...]
    var skips = false
    for line in expected {
      if line == "…" {
        skips = true
        continue
      }
      let wanted = Self.constant(line)
      let isPrefix = wanted.hasSuffix("…") && !wanted.hasSuffix("<hash>")
      func matches(_ candidate: String) -> Bool {
        let actual = Self.constant(candidate)
        return isPrefix ? actual.hasPrefix(String(wanted.dropLast())) : actual == wanted
      }
      guard let index = skips ? remaining.firstIndex(where: matches) : remaining.indices.first,
        matches(remaining[index])
      else { return "\(line)\nprinted:\n\(remaining.joined(separator: "\n"))" }
      for (old, new) in zip(Self.hashes(in: line), Self.hashes(in: remaining[index])) {
        hashes[old] = new
      }
      remaining = remaining[(index + 1)...]
      skips = false
    }
    return skips || remaining.isEmpty
      ? nil : "the end\nprinted:\n\(remaining.joined(separator: "\n"))"
  }
}
