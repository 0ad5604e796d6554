import Foundation
import Glibc
import MediaModel
import MediaSyntax
import MediaTestSupport
import Testing

/// Paths that somebody names: an option, a key of the manifest, a variable. None leads into a source that is not allowed
/// whole.
@Suite("Paths that somebody names")
struct NamedPathTests {
  /// What becomes of a path.
  private enum Rule {
    /// Refused with a code where it leads into a source that is denied, limited or not decided. `%` stands for the path
    /// in the call.
    case refused(Int32, String)
    /// It says which sources there are: nothing is known before it is read.
    case manifest
    /// The library itself, a proof, or what is made outside of the sources that its log lists.
    case library
    /// The folder of sources that are looked at, or the person's own files.
    case own
    /// No path.
    case value
  }

  /// Each option and argument that takes a value, where it is not the same for all commands with the command.
  private static let table: [String: Rule] = [
    "--against": .refused(78, "check manifest.json --against %"),
    "--listing": .refused(
      78,
      "shards plan manifest.json --shards 1 --output Plan --no-input --source library --listing %"
    ),
    "--policy": .refused(78, "run manifest.json --no-input --policy %"),
    "--key": .refused(78, "run manifest.json --no-input --key %"),
    "--output": .refused(64, "shards plan manifest.json --shards 1 --no-input --output %.new"),
    "--socket": .refused(64, "run manifest.json --web --socket %.new"),
    "--from": .manifest, "<manifest>": .manifest, "<plan>": .manifest, "<path>": .manifest,
    "shards run --manifest": .manifest, "shards merge --manifest": .manifest,
    // Of a plan, which says where all lies: the library that is made, and where it is assembled.
    "--merged-library": .manifest, "--assemble-in": .manifest, "shards merge --output": .manifest,
    "--selection": .refused(78, "list Library --selection %"),
    "--selected-in": .refused(78, "list Library --selection none.txt --selected-in %"),
    "--password-file": .refused(78, "gallery Library site --password-file %"),
    "--trust": .refused(78, "verify Library --trust=%"),
    "--expect-head": .refused(78, "verify Library --expect-head %"),
    "--tsa-ca": .refused(78, "audit verify Library --tsa-ca %"),
    "--reply": .refused(78, "audit timestamp Library --reply %"),
    "--query": .refused(78, "audit timestamp Library --query %"),
    "rebuild --key": .refused(78, "rebuild Library --key %"),
    "<library>": .library, "--head": .library, "--proof": .library, "--step-summary": .library,
    "<old>": .library, "<new>": .library,
    "report --output": .library, "audit consistency --output": .library,
    "audit consistency --library": .library, "audit check-proof <file>": .library,
    "<folder>": .own, "<files>": .own, "init --library": .own, "init --manifest": .own,
    // In a job file alone.
    "shards plan --library": .value, "--media": .value, "demo --media": .own, "--results": .value,
    "audit verify --library": .value, "audit check-proof --library": .value,
    "access receipt --library": .library, "audit key rotate --library": .library, "init --policy": .value,
    "<file>": .value,
  ]

  /// Those that are no path in any command.
  private static let values: Set<String> = [
    "--add", "--album", "--as", "--asset", "--background", "--bag-description",
    "--bag-organization", "--by",
    "--choose", "--client", "--client-name", "--columns", "--convert", "--convert-video", "--cover",
    "--embed",
    "--emit",
    "--enforcement", "--every", "--except", "--files", "--for", "--format", "--grid", "--id",
    "--items-failed-exit", "--keep", "--labels", "--language",
    "--large-thumbnail", "--layout", "--level", "--license",
    "--limit",
    "--months", "--motion", "--note", "--page", "--path", "--reason", "--record", "--redact", "--remove",
    "--rows",
    "--run", "--settle", "--shard", "--shard-attempt", "--shards", "--sidecars", "--since",
    "--size",
    "--sort", "--source", "--spacing", "--thumbnail", "--thumbnails", "--title", "--until",
    "--where",
    "--within", "--workers", "<asset>", "<assets>", "<label>", "<pattern>", "<source>",
  ]

  @Test("Each option that takes a value is known: as a path with its rule, or as none")
  func allAreKnown() throws {
    let dump = try Scene.program(["--experimental-dump-help"], in: "/")
    func names(_ json: JSON, _ words: [String]) -> [(command: String, name: String)] {
      guard let command = json["commandName"].string, json["shouldDisplay"].bool != false else {
        return []
      }
      let words = words + [command]
      let own = json["arguments"].array.filter { $0["kind"].string != "flag" }.map { argument in
        let name = argument["preferredName"]["name"].string.map { "--" + $0 }
        let text = name ?? "<\(argument["valueName"].string ?? "")>"
        return (command: words.dropFirst().joined(separator: " "), name: text)
      }
      return own + json["subcommands"].array.flatMap { names($0, words) }
    }
    let all = names(try JSON(text: dump.output)["command"], []).filter { $0.command != "help" }
    #expect(all.count > 100)
    for (command, name) in all {
      let isKnown = [name, "\(command) \(name)"].contains {
        Self.table[$0] != nil || Self.values.contains($0)
      }
      #expect(isKnown, "\(command) \(name): is it a path? Give it a rule in the table")
    }
  }

  /// The states in which nothing of the source is read that is not among what is imported.
  static let states = ["denied", "limited", "undecided"]

  /// A manifest with a source that is not allowed whole, in which a file is named.
  private func scene(_ state: String) throws -> (scene: Scene, path: String) {
    let scene = Scene()
    try scene.declare("camera")
    try scene.putPhotos(1...1)
    switch state {
    case "limited": try scene.declare("library", "limited", ["selection": ["a.jpg"]])
    case "denied": try scene.declare("library", "denied", ["required": false])
    default: try scene.declare("library", nil, ["required": false])
    }
    let path = try scene.put("sources/library/x.json", "SECRET first line\n")
    try scene.put("sources/library/a.jpg", try Media.photo("a"))
    return (scene, path)
  }

  /// Runs a command, under strace if that is there, and looks whether the file was opened.
  private func run(_ scene: Scene, _ call: String, code: Int32?, _ path: String) throws {
    let trace = scene.at("trace")
    let strace = Has.strace ? "strace -f -qq -o trace -e trace=open,openat,openat2 " : ""
    let outcome = try scene.shell("timeout 60 \(strace)\"$mediabatch\" \(call) < /dev/null")
    if let code { #expect(outcome.code == code, "\(call): \(outcome.streams)") }
    #expect(!outcome.streams.contains("SECRET"), "\(call): \(outcome.streams)")
    guard Has.strace else { return }
    let opened = String(decoding: try readBytes(trace), as: UTF8.self).split(separator: "\n")
      .filter { $0.contains("x.json") && !$0.contains("O_PATH") && !$0.contains(" = -1 ") }
    #expect(opened.isEmpty, "\(call): \(opened)")
  }

  @Test("An option leads into no source that is not allowed whole", arguments: states)
  func options(state: String) throws {
    // What is refused leaves the scene as it is, for the next option.
    let (scene, path) = try scene(state)
    try scene.run().expect(0)
    symlink(path, scene.at("link"))
    for case (let option, .refused(let code, let call)) in Self.table {
      try run(scene, call.replacing("%", with: path), code: code, path)
      let names = try FileManager.default.contentsOfDirectory(atPath: scene.at("sources/library"))
      #expect(names.sorted() == ["a.jpg", "x.json"], "\(option)")
      // So does a link.
      if call.hasSuffix(".new") { continue }
      try run(scene, call.replacing("%", with: scene.at("link")), code: code, path)
    }
    try run(scene, "run manifest.json --no-input --key \(path).new", code: 78, path)
  }

  @Test("A command on a library writes nothing there, and looks for no key", arguments: states)
  func outputs(state: String) throws {
    let (scene, path) = try scene(state)
    try scene.writeManifest()
    try scene.run().expect(0)
    let heads = try FileManager.default.contentsOfDirectory(atPath: scene.at("Library/Audit"))
    let head = "Library/Audit/" + (try #require(heads.first { $0.hasSuffix(".head") }))
    for (code, call) in [
      (64, "report Library --output %"), (64, "report Library --format github --step-summary %"),
      (64, "audit timestamp Library --query %"), (64, "export Library %"), (64, "gallery Library %"),
      (64, "audit consistency \(head) \(head) --library Library --output %"),
      (64, "contact-sheet Library %"), (64, "audit key rotate --library Library --key %"),
      (78, "rebuild Library --key %"), (78, "repair Library --superseded --key %"),
    ] as [(Int32, String)] {
      try run(scene, call.replacing("%", with: path + ".new"), code: code, path)
    }
    // What is there already stays as it is.
    try run(scene, "report Library --output \(path)", code: 64, path)
    #expect(try readBytes(path) == Array("SECRET first line\n".utf8))
    let names = try FileManager.default.contentsOfDirectory(atPath: scene.at("sources/library"))
    #expect(names.sorted() == ["a.jpg", "x.json"])
  }

  @Test("Nor where the output leads to the library by another way", arguments: ["./", "../", "../../"])
  func outputs(way: String) throws {
    let (scene, _) = try scene("denied")
    scene.manifest["output"] = ["path": .string(way + "Library")]
    try scene.writeManifest()
    let folder = ["./": "", "../": "jobs/", "../../": "jobs/one/"][way] ?? ""
    try scene.makeFolder(folder + "beside")
    for name in ["sources", "manifest.json"] where !folder.isEmpty {
      try FileManager.default.moveItem(atPath: scene.at(name), toPath: scene.at(folder + name))
    }
    try scene.command("run", folder + "manifest.json").expect(0)
    let path = scene.at(folder + "sources/library/x.json")
    try run(scene, "export Library \(path).new", code: 64, path)
    try run(scene, "report Library --output \(path)", code: 64, path)
    try run(scene, "audit verify Library --trust \(path)", code: 78, path)
    try scene.command("export", "Library", folder + "beside/copies").expect(0)
  }

  @Test("A key of the manifest leads there no more", arguments: states)
  func keys(state: String) throws {
    let file: JSONValue = "sources/library/x.json"
    let changes: [[String: JSONValue]] = [
      ["infoPlist": file], ["labels": ["file": file]], ["places": ["data": file]],
      ["output": ["path": "sources/library/Library"]],
    ]
    for change in changes {
      let (scene, path) = try scene(state)
      scene.manifest.merge(change) { $1 }
      try scene.writeManifest()
      try run(scene, "run manifest.json --no-input", code: 78, path)
    }
    let (scene, path) = try scene(state)
    try scene.declare("camera", "authorized", ["tracks": ["sources/library/*.json"]])
    try scene.writeManifest()
    try run(scene, "run manifest.json --no-input", code: 78, path)
  }

  @Test("A file that an older manifest names leads there no more than it does itself")
  func namedByAnother() throws {
    let (scene, path) = try scene("denied")
    try scene.writeManifest()
    var older = scene.manifest
    older["sources"] = ["camera": ["path": "sources/camera", "authorizationStatus": "authorized"]]
    older["labels"] = ["file": .string(path)]
    try scene.put("older.json", JSONValue.object(older).serialized)
    try run(scene, "check manifest.json --against older.json", code: 78, path)
  }

  @Test("What is allowed whole may be named, and is read")
  func allowed() throws {
    let (scene, _) = try scene("denied")
    try scene.writeManifest()
    try scene.put("sources/camera/older.json", JSONValue.object(scene.manifest).serialized)
    let check = "check manifest.json --against sources/camera/older.json --relocated"
    try scene.command(check.split(separator: " ").map(String.init)).expect(0)
  }

  @Test("A variable of the environment leads a library there no more")
  func variables() throws {
    let (scene, path) = try scene("denied")
    try scene.writeManifest()
    try scene.run().expect(0)
    let variables = [
      "TZ=\(path)", "TZ=:\(path)", "TZ=../../..\(path)",
      "TZDIR=\(scene.at("sources/library")) TZ=x.json",
      "LOCPATH=\(scene.at("sources/library"))", "TZFILE=\(path)", "OPENSSL_CONF=\(path)",
      "ICU_DATA=\(scene.at("sources/library"))", "MALLOC_TRACE=\(path)", "HOSTALIASES=\(path)",
    ]
    let calls = [
      "run manifest.json --no-input --dry-run", "verify Library", "report Library --format json",
      "list Library", "access list", "doctor", "check manifest.json", "audit verify Library",
    ]
    for (variable, call) in Amount.pairs(variables, calls) {
      let trace = Has.strace ? "strace -f -qq -o trace -e trace=open,openat,openat2 " : ""
      let outcome = try scene.shell(
        "env \(variable) timeout 60 \(trace)\"$mediabatch\" \(call) < /dev/null > out"
      )
      #expect(outcome.code != 124, "\(variable), \(call): \(outcome.streams)")
      guard Has.strace else { continue }
      let traced = String(decoding: try readBytes(scene.at("trace")), as: UTF8.self)
      #expect(traced.contains("openat"), "nothing was traced")
      let opened = traced.split(separator: "\n").filter {
        $0.contains("sources/library/") && !$0.contains("O_PATH") && !$0.contains(" = -1 ")
      }
      #expect(opened.isEmpty, "\(variable), \(call): \(opened)")
    }
    let inSource = try scene.shell(
      "TMPDIR=\(scene.at("sources/library")) \"$mediabatch\" run manifest.json --no-input"
    )
    #expect(inSource.code == 78 && inSource.error.contains("TMPDIR"), "\(inSource.streams)")
  }
}
