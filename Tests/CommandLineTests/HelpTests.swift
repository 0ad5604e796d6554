import Foundation
import MediaTestSupport
import Testing

@Suite("Help")
struct HelpTests {
  /// A command, as ArgumentParser describes it.
  private struct Command {
    var words: [String]
    var json: JSON

    /// Names of its options, with their hyphens.
    var options: Set<String> {
      Set(
        json["arguments"].array.flatMap { argument in
          argument["names"].array.compactMap { name in
            name["name"].string.map { (name["kind"].string == "long" ? "--" : "-") + $0 }
          }
        }
      )
    }
  }

  /// Every command that people call and that has no subcommands.
  private func commands() throws -> [Command] {
    let dump = try Scene.program(["--experimental-dump-help"], in: "/")
    try dump.expect(0)
    func leaves(_ json: JSON, _ words: [String]) -> [Command] {
      guard let name = json["commandName"].string, json["shouldDisplay"].bool != false,
        name != "help"
      else { return [] }
      let children = json["subcommands"].array.flatMap { leaves($0, words + [name]) }
      return children.isEmpty ? [Command(words: words + [name], json: json)] : children
    }
    return leaves(try JSON(text: dump.output)["command"], [])
  }

  @Test("Every command shows at least two examples, of itself and of options that it has")
  func examples() throws {
    let commands = try commands()
    try #require(commands.count > 15)
    for command in commands {
      let call = command.words.joined(separator: " ")
      let lines = (command.json["discussion"].string ?? "").components(separatedBy: "\n")
      let examples = lines.filter { $0.hasPrefix("  " + call) }
      #expect(examples.count >= 2, "\(call): \(lines)")
      for example in examples {
        for word in example.components(separatedBy: " ") where word.hasPrefix("-") {
          #expect(command.options.contains(word), "\(example)")
        }
      }
    }
  }

  @Test(
    "No default is shown as a number that stands for a word",
    arguments: ["grant", "deny", "explain"]
  )
  func levels(command: String) throws {
    let help = try Scene.program(["access", command, "--help"], in: "/")
    let words = help.output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    #expect(words.contains("by default readWrite. (values: addOnly, readWrite)"), "\(words)")
  }

  @Test("Manifests, libraries and files are completed", arguments: ["bash", "zsh", "fish"])
  func completions(shell: String) throws {
    let script = try Scene.program(["--generate-completion-script", shell], in: "/")
    try script.expect(0)
    #expect(script.output.contains("json"))
    for command in try commands() {
      for argument in command.json["arguments"].array {
        guard argument["kind"].string == "positional", let name = argument["valueName"].string,
          ["manifest", "library", "files", "folder"].contains(name)
        else { continue }
        #expect(!argument["completionKind"].object.isEmpty, "\(command.words) \(name)")
      }
    }
  }
}
