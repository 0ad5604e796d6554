import Foundation
import Testing

/// The recipe for a format in `CONTRIBUTING.md`, which is the commit that added QOI.
@Suite("The recipe for a format")
struct RecipeTests {
  private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appendingPathComponent("../..")

  /// The files that items of the section begin with: those of numbered items, and those of others.
  private static func files() throws -> (changed: [String], new: [String]) {
    let text = try String(contentsOf: root.appendingPathComponent("CONTRIBUTING.md"), encoding: .utf8)
    var files: (changed: [String], new: [String]) = ([], [])
    var isInSection = false
    for line in text.split(separator: "\n") {
      if line.hasPrefix("## ") { isInSection = line == "## Adding a format" }
      let parts = line.split(separator: "`", maxSplits: 2, omittingEmptySubsequences: false)
      guard isInSection, parts.count == 3, parts[1].contains("/") else { continue }
      if parts[0] == "- " {
        files.new.append(String(parts[1]))
      } else if parts[0].first?.isNumber == true, parts[0].hasSuffix(". ") {
        files.changed.append(String(parts[1]))
      }
    }
    return files
  }

  @Test("Each file that it names exists and is about the format")
  func exists() throws {
    let files = try Self.files()
    #expect(files.new.count == 6)
    for path in files.changed + files.new {
      let text = try? String(contentsOf: Self.root.appendingPathComponent(path), encoding: .utf8)
      #expect(text?.lowercased().contains("qoi") == true, "\(path)")
    }
  }

  @Test("It changes at most five files that are there, and the tables are among them")
  func count() throws {
    let changed = try Self.files().changed
    #expect((1...5).contains(changed.count), "\(changed)")
    #expect(changed.contains("Sources/Foundations/MediaModel/Media/MediaFormat.swift"))
    #expect(changed.contains("docs/formats.md"))
  }

  @Test("No other file of Sources names the format, but those that stand for it")
  func complete() throws {
    let files = try Self.files()
    let listed = Set(files.changed + files.new)
    let sources = Self.root.appendingPathComponent("Sources")
    let walk = FileManager.default.enumerator(atPath: sources.path)
    while let path = walk?.nextObject() as? String {
      guard path.hasSuffix(".swift") else { continue }
      let text = try Data(contentsOf: sources.appendingPathComponent(path))
      guard ["qoi", "QOI"].contains(where: { text.range(of: Data($0.utf8)) != nil }) else {
        continue
      }
      #expect(listed.contains("Sources/" + path), "\(path)")
    }
  }
}
