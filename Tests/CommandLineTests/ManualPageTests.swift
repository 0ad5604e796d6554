import Foundation
import MediaModel
import MediaTestSupport
import Testing

/// The manual pages, as mandoc and groff read them.
@Suite("Manual pages", .serialized, .enabled(if: Tool.exists("python3"), "no python3"))
struct ManualPageTests {
  private let folder: TemporaryFolder
  private static let project = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().path

  /// The folder of the pages, which are made once.
  private static let sharedFolder = Result {
    let folder = TemporaryFolder.untilExit()
    let result = try Tool.run(
      "python3",
      ["scripts/manual.py", try BuiltProgram.path("mediabatch"), folder.path],
      environment: ["SOURCE_DATE_EPOCH": "1795300000"],
      in: ManualPageTests.project
    )
    try #require(result.status == 0, "\(result.error)")
    return folder
  }

  init() throws { folder = try Self.sharedFolder.get() }

  private func pages() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
  }

  /// The text of pages as a terminal of so many columns shows them.
  private func shown(_ pages: [String], columns: Int = 100) throws -> String {
    let result = try Tool.run("mandoc", ["-Tutf8", "-Owidth=\(columns)"] + pages, in: folder.path)
    try #require(result.status == 0, "\(result.error)")
    // A character and a backspace before the next one are bold or underlined.
    return result.output.replacing(/.\u{8}/, with: "")
  }

  @Test(
    "Every command has a page with each of its options, and the main page every exit code",
    .enabled(if: Tool.exists("mandoc"), "no mandoc")
  )
  func complete() throws {
    let dump = try Scene.program(["--experimental-dump-help"], in: "/")
    try dump.expect(0)
    var count = 0
    func look(_ command: JSON, _ words: [String]) throws {
      guard let name = command["commandName"].string, name != "help",
        command["shouldDisplay"].bool != false
      else { return }
      let words = words + [name]
      let page = words.joined(separator: "-")
      count += 1
      let text = try shown([page + ".1"])
      #expect(text.contains("NAME\n     \(page) – "), "\(page)")
      for section in ["SYNOPSIS", "DESCRIPTION", "ENVIRONMENT", "EXIT STATUS"] {
        #expect(text.contains("\n\(section)\n"), "\(page): \(section)")
      }
      for argument in command["arguments"].array where argument["shouldDisplay"].bool != false {
        for option in argument["names"].array {
          let long = option["kind"].string == "long"
          let typed = (long ? "--" : "-") + (option["name"].string ?? "?")
          #expect(text.contains(typed), "\(page): \(typed)")
        }
      }
      let children = command["subcommands"].array
      if children.isEmpty {
        #expect(text.contains("\n       $ \(words.joined(separator: " "))"), "\(page): EXAMPLES")
      }
      for child in children { try look(child, words) }
    }
    try look(try JSON(text: dump.output)["command"], [])
    try #require(count > 20)
    // And that of the worker.
    #expect(try pages().count == count + 1)
    let main = try shown(["mediabatch.1"])
    for code in RunExitCode.allCases {
      #expect(main.contains("\n     \(code.rawValue) "), "\(code.rawValue)")
    }
  }

  @Test("mandoc finds nothing to say", .enabled(if: Tool.exists("mandoc"), "no mandoc"))
  func mandoc() throws {
    let result = try Tool.run("mandoc", ["-Tlint"] + pages(), in: folder.path)
    #expect(result.status == 0)
    #expect(result.output + result.error == "")
  }

  /// The fewest columns, in which groff 1.23 indents by some more than 1.22.
  private static let narrow: Int = {
    let version = (try? Tool.run("groff", ["--version"]))?.output.split(separator: "\n").first ?? ""
    return version.contains(" 1.22") ? 60 : 64
  }()

  @Test(
    "groff warns of nothing, and no line is wider than the terminal",
    .enabled(if: Tool.exists("groff") && Tool.exists("mandoc"), "no groff or no mandoc"),
    arguments: [narrow, 100]
  )
  func width(columns: Int) throws {
    let arguments = [
      // That a line of a single word cannot be spread is no matter of the page; its width is looked at below.
      "-mdoc", "-Tutf8", "-P-cbou", "-ww", "-Wbreak", "-rLL=\(columns)n", "-rLT=\(columns)n",
    ]
    let groff = try Tool.run("groff", arguments + pages(), in: folder.path)
    #expect(groff.status == 0)
    #expect(groff.error == "")
    try #require(groff.output.count > 10_000)
    // Between two pages groff 1.23 draws a line.
    for line in groff.output.split(separator: "\n") where !line.allSatisfy({ $0 == "─" }) {
      #expect(line.count <= columns, "groff: \(line)")
    }
    for line in try shown(pages(), columns: columns).split(separator: "\n") {
      #expect(line.count <= columns, "mandoc: \(line)")
    }
  }
}
