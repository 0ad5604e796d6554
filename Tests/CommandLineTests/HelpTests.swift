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

  @Test(
    "A command that is typed wrong is told with the one that may be meant",
    arguments: [
      ("chek x", "check"), ("albms", "albums"), ("audit verfy Library", "verify"), ("access grnt", "grant"),
      ("xyzzy", nil),
    ] as [(String, String?)]
  )
  func mistypedCommand(words: String, meant: String?) throws {
    let outcome = try Scene.program(words.split(separator: " ").map(String.init), in: "/")
    try outcome.expect(64)
    #expect(outcome.error.contains("Did you mean") == (meant != nil), "\(outcome.error)")
    if let meant {
      #expect(outcome.error.contains(". Did you mean '\(meant)'?\nUsage: "), "\(outcome.error)")
    }
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
    let help = try Scene.program(["access", command, "--help-hidden"], in: "/")
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

  /// The completions that are installed.
  private func installedCompletions(_ shell: String) throws -> String {
    let made = try Tool.run(
      "python3",
      ["scripts/completions.py", try Scene.executable(), shell],
      in: DocumentBlock.project
    )
    try #require(made.status == 0, "\(made.error)")
    return made.output
  }

  @Test(
    "Bash offers no option that does not combine with one of the line",
    .enabled(if: Has.python, "no python3"),
    arguments: [
      ("repair L --", ["--from", "--superseded", "--enforcement", "--wait"], []),
      ("repair L --superseded --", ["--wait"], ["--from", "--enforcement"]),
      ("repair --from m L --", ["--wait"], ["--superseded"]),
      ("repair L --unsigned --", ["--from"], ["--key"]),
      ("shards plan m --facts --", ["--shards"], ["--listing"]),
      ("run m --superseded --", ["--dry-run", "--web"], []),
    ]
  )
  func bashExclusions(line: String, offered: [String], missing: [String]) throws {
    let call = """
      COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)) COMP_LINE="$*" COMP_POINT=${#COMP_LINE}
      _mediabatch mediabatch "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}"
      printf '%s\\n' "${COMPREPLY[@]}"
      """
    let script = try installedCompletions("bash") + call
    let words = ["mediabatch"] + line.components(separatedBy: " ")
    let result = try Tool.run("bash", ["-c", script, "bash"] + words)
    let reply = result.output.components(separatedBy: "\n")
    for option in offered { #expect(reply.contains(option), "\(option): \(result)") }
    for option in missing { #expect(!reply.contains(option), "\(option): \(result)") }
  }

  @Test("Zsh and fish know the same rules", .enabled(if: Has.python, "no python3"))
  func otherExclusions() throws {
    let zsh = try installedCompletions("zsh")
    #expect(zsh.contains("'(--enforcement --from)--superseded[Only"))
    #expect(zsh.contains("'(--selection)*--id[Only"))
    let fish = try installedCompletions("fish")
    let condition = "superseded; and not __fish_seen_argument -l enforcement -l from'"
    #expect(fish.contains("\"mediabatch repair\" \(condition) -l 'superseded'"))
  }

  @Test("Exit codes are one column, whatever the width", arguments: ["60", "80", "100"])
  func exitCodes(columns: String) throws {
    let help = try Tool.run(
      try Scene.executable(),
      ["help", "exit-codes"],
      environment: ["COLUMNS": columns, "LC_ALL": "C.UTF-8"],
      in: "/"
    )
    let lines = help.output.components(separatedBy: "\n")
    let table = lines.prefix { !$0.hasPrefix("Any other") }
    #expect(table.filter { $0.first?.isNumber == true }.count > 10)
    for line in table {
      #expect(line.count <= Int(columns) ?? 0, "\(line)")
      let number = line.prefix(5)
      let isContinued = number == "     " && line.count > 5 && !line.dropFirst(5).hasPrefix(" ")
      #expect(isContinued || (number.first?.isNumber == true && number.last == " "), "\(line)")
    }
  }

  @Test("The program alone shows common commands on a screen, and --help all, a line each")
  func screens() throws {
    let environment = ["COLUMNS": "80", "LC_ALL": "C.UTF-8"]
    func lines(_ arguments: [String]) throws -> [String] {
      let outcome = try Tool.run(try Scene.executable(), arguments, environment: environment, in: "/")
      return (outcome.output + outcome.error).components(separatedBy: "\n")
    }
    let (short, long) = (try lines([]), try lines(["--help"]))
    #expect(short.count <= 40 && long.count <= 60, "\(short.count), \(long.count)")
    for line in short + long { #expect(line.count <= 80, "\(line)") }
    let common = short.filter { $0.hasPrefix("  ") }
    #expect((10...14).contains(common.count), "\(common)")
    let others = short.drop { !$0.hasPrefix("Others: ") }.joined(separator: " ")
    let names = Set(try commands().map { $0.words[1] })
    for name in names {
      #expect(long.count { $0.hasPrefix("  \(name) ") } == 1, "\(name)")
      let isCommon = common.contains { $0.hasPrefix("  \(name) ") }
      let isOther = others.contains(" \(name),") || others.contains(" \(name).")
      #expect(isCommon != isOther, "\(name)")
    }
    // A line that goes on would begin below the texts.
    #expect(!long.contains { $0.hasPrefix(String(repeating: " ", count: 20)) }, "\(long)")
    #expect(long.contains { $0.hasPrefix("PROVE") }, "\(long)")
  }

  @Test("A command's help is short, and leads to the full one, which has every option and example")
  func shortHelp() throws {
    let environment = ["COLUMNS": "80", "LC_ALL": "C.UTF-8"]
    let document = String(decoding: try readBytes(DocumentBlock.project + "/docs/commands.md"), as: UTF8.self)
    var shortened = 0
    for command in try commands() {
      let call = command.words.joined(separator: " ")
      func lines(_ option: String) throws -> [String] {
        let words = command.words.dropFirst() + [option]
        let outcome = try Tool.run(try Scene.executable(), Array(words), environment: environment, in: "/")
        return outcome.output.components(separatedBy: "\n")
      }
      let (short, full) = (try lines("--help"), try lines("--help-hidden"))
      #expect(short.count <= 70, "\(call): \(short.count)")
      for line in short { #expect(line.count <= 80, "\(line)") }
      // A line that goes on would not begin with the command.
      let examples = short.drop { $0 != "EXAMPLES" }.dropFirst().prefix { !$0.isEmpty }
      #expect((2...3).contains(examples.count), "\(call): \(examples)")
      for example in examples { #expect(example.hasPrefix("  mediabatch "), "\(example)") }
      // Neither says how options combine.
      #expect(!short.contains { $0.contains(" combine with --") }, "\(call)")
      #expect(short.contains("All options and details: \(call) --help-hidden"), "\(call): \(short)")
      if !Set(full).isSubset(of: short) { shortened += 1 }
      for argument in command.json["arguments"].array where argument["shouldDisplay"].bool != false {
        for name in argument["names"].array where name["kind"].string == "long" {
          let option = "--" + (name["name"].string ?? "?")
          #expect(full.contains { $0.contains(option) }, "\(call): \(option)")
          #expect(document.contains(option), "docs/commands.md: \(option)")
        }
      }
    }
    #expect(shortened > 20)
  }

  @Test("What a description says of options that do not combine names options of the command")
  func rules() throws {
    var count = 0
    for command in try commands() {
      let paragraphs = (command.json["discussion"].string ?? "").components(separatedBy: "\n\n")
      guard let rules = paragraphs.last, rules.hasPrefix("--") else { continue }
      for word in rules.split(whereSeparator: { " ,.".contains($0) }) where word.hasPrefix("--") {
        #expect(command.options.contains(String(word)), "\(command.words): \(word)")
        count += 1
      }
    }
    try #require(count > 60)
  }

  @Test(
    "Options that do not combine, and numbers out of their range, end with the rule and 64",
    arguments: [
      ("repair L --replaced", "--replaced goes with --superseded."),
      ("repair L --superseded --from=m", "--superseded does not combine with --from and"),
      ("repair --enforcement kernel L --superseded", "--superseded does not combine with --from"),
      ("run m --dry-run --events", "--dry-run does not combine with --events and --web."),
      ("run m --settle=-1", "--settle takes a number from 0 to 86400."),
      ("run m --settle 1 --settle=-1", "--settle takes a number from 0 to 86400."),
      ("watch m --every 0.01", "--every takes a number from 0.1 to 604800."),
      ("report L --run last --until 2026-11-21", "--run does not combine with --since, --until"),
      ("export L F --license text", "--title and --license go with --ro-crate."),
      ("list L --id a --selection f", "--id does not combine with --selection."),
      ("shards plan m --shards 2 --output P --facts --listing l --source camera", "--facts does"),
      ("shards plan m --shards 2 --output P --source camera", "--source goes with --listing."),
      ("shards plan m", "Name --shards and --output for a new plan, or --files or --emit for one"),
      ("shards run P --workers 0", "--workers takes a number from 1 to 256."),
      ("access ask m --socket s", "--socket goes with --web."),
      ("access ask m --language de", "--language goes with --web."),
      ("report L --sign", "--sign goes with --format in-toto."),
      ("report L --format json --page 1", "--page and --thumbnails go with --format html."),
      ("report L --format html --format csv --with-manifest", "--with-manifest goes with --format"),
      ("report L --format json --step-summary f", "--step-summary goes with --format github."),
      ("export L F --neutral --as symlink", "--neutral leaves labels out, and a symbolic link"),
      ("export L F --embed date --as=hardlink", "--embed changes copies of the files: name --as"),
      ("export L F --except camera", "--except and --record go with --strip."),
      ("gallery L F --strip --unsigned", "--unsigned and --key go with --record."),
      ("gallery L F --strip --private-facts", "--strip does not combine with --private-facts."),
      ("gallery L F --strip --as symlink", "--strip changes copies of the files: name --as reflink"),
      ("export L F --strip --embed rating", "--strip takes the rating away: name rating in --except"),
      ("export L F --strip --embed keywords", "--strip takes keywords away: leave that out of"),
      ("export L F --strip --layout {created:yyyy}/{label}", "--strip takes the date away, and the layout"),
      ("export L F --layout {label", "'--layout <path>': \"{\" without \"}\""),
      ("list L --limit=-1", "--limit takes a number from 0."),
      ("list L --where xx>1", "'--where <predicate>': column 1: \"xx\" is no key of an asset"),
      ("access limit m --add /a", "'--add <add>': "),
      ("report L --until yesterday", "'--until <date>': it takes 2026-11-21 or"),
      ("list L --sort xx", "'--sort <key>': \"xx\" is no key of an asset."),
      ("rotate L a --by 45", "--by takes 90, 180 or 270."),
      ("changes L --since x", "'--since <since>': it takes a token that `changes` printed."),
      ("audit prove L", "Say one of --asset, --path and --record."),
      ("audit prove L --path p --record 1", "Say one of --asset, --path and --record."),
      ("audit check-proof f", "Say which head you trust with --head, or whose with --trust."),
      ("audit timestamp L", "Say where to write the request with --query, or give a --reply."),
      ("audit consistency a b", "\"a\" is no head: give SIZE:ROOT"),
      ("verify L --trust nosuch", "\"nosuch\" is no key: give what"),
    ]
  )
  func brokenRules(command: String, message: String) throws {
    let words = command.components(separatedBy: " ")
    let outcome = try Scene.program(words, in: "/")
    #expect(outcome.code == 64, "\(outcome.streams)")
    #expect(outcome.error.contains(message), "\(outcome.streams)")
    let sentence = outcome.error.prefix { $0 != "\n" }
    for word in words where word.hasPrefix("--") {
      let option = word.prefix { $0 != "=" }
      #expect(sentence.ranges(of: option).count <= 1, "\(option) is named once: \(outcome.streams)")
    }
  }

  @Test("Behind two hyphens nothing is an option")
  func noRules() throws {
    let outcome = try Scene.program(["check", "--", "--relocated"], in: "/")
    #expect(outcome.code == 78 && !outcome.error.contains("goes with"), "\(outcome.streams)")
  }

  @Test(
    "What keeps the rules is refused for another reason, that there is no library",
    arguments: [
      "report nosuch --page 2 --with-manifest", "report nosuch --format=json --with-manifest",
      "report nosuch --format csv --format html --thumbnails 3",
      "export nosuch F --neutral --as copy", "audit prove nosuch --record 1 --record 2",
      "shards plan nosuch --emit slurm --source camera",
    ]
  )
  func keptRules(command: String) throws {
    let outcome = try Scene.program(command.components(separatedBy: " "), in: "/")
    #expect(outcome.code != 0 && !outcome.error.contains("Usage:"), "\(outcome.streams)")
  }

  @Test(
    "A usage error shows the usage of its own command, whenever it is found",
    arguments: [
      ["access", "grant", "m.json", "camera", "--level", "addOnly"],
      ["audit", "verify", "L", "--trust", "nosuch"], ["audit", "consistency", "a", "b"],
      ["audit", "check-proof", "/dev/null", "--trust", "nosuch"],
      ["run", "m.json", "--unsigned", "--key", "k"], ["repair", "L", "--replaced"],
      ["rebuild", "L", "--unsigned", "--key", "k"], ["repair", "L", "--unsigned", "--key", "k"],
      ["audit", "key", "show", "--unsigned"], ["audit", "key", "rotate", "--unsigned"],
    ]
  )
  func usage(arguments: [String]) throws {
    let scene = Scene()
    try scene.declare("camera")
    try scene.writeManifest()
    let files = ["m.json": "manifest.json"]
    let outcome = try scene.command(arguments.map { files[$0] ?? $0 })
    try outcome.expect(64)
    let words = arguments.prefix(["access", "audit"].contains(arguments[0]) ? 2 : 1)
    let name = "mediabatch " + words.joined(separator: " ")
    #expect(outcome.error.contains("Error: "), "\(outcome.error)")
    #expect(outcome.error.contains("\nUsage: \(name) "), "\(outcome.error)")
    #expect(outcome.error.contains("See '\(name)"), "\(outcome.error)")
    #expect(outcome.output.isEmpty)
  }
}
