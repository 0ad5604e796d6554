import Foundation
import MediaTestSupport
import Testing

@Suite("Names that are bytes")
struct NameOfBytesTests {
  /// For each command with a library as its argument, a call in bash and its exit code. `$L` is the library, whose
  /// name is no UTF-8, `$O` a new name of that kind, and `$A` an asset.
  private static let rows: [String: (call: String, code: Int32)] = [
    "list": ("list $L", 0), "albums": ("albums $L", 0), "stack list": ("stack list $L", 0),
    "similar": ("similar $L", 0),
    "changes": ("changes $L", 0), "verify": ("verify $L", 0),
    "rebuild": ("rebuild $L", 0), "repair": ("repair $L", 0), "doctor": ("doctor $L", 0),
    "explain": ("explain $L 1.jpg", 0), "report": ("report $L --output=$O", 0),
    "label": ("label $L $A New", 0), "rotate": ("rotate $L $A --by 90", 0),
    "withdraw": ("withdraw $L $A", 0),
    "stack add": ("stack add $L none other", 64), "stack split": ("stack split $L none", 64),
    "gallery": ("gallery $L $O", 0), "contact-sheet": ("contact-sheet $L $O", 0),
    "export": ("export $L $O", 0), "audit verify": ("audit verify $L", 0),
    "audit export": ("audit export $L", 0), "audit prove": ("audit prove $L --record 0", 0),
    "audit timestamp": ("audit timestamp $L --query $O", 0),
  ]

  @Test("Each command takes a library, and a place for what it writes, whose names are no UTF-8")
  func everyCommand() throws {
    let scene = Scene()
    try scene.declare("camera")
    try scene.putPhotos(1...1)
    try scene.run().expect(0)
    let dump = try Scene.program(["--experimental-dump-help"], in: "/")
    func names(_ json: JSON, _ words: [String]) -> [String] {
      guard let name = json["commandName"].string, json["shouldDisplay"].bool != false else {
        return []
      }
      let children = json["subcommands"].array.flatMap { names($0, words + [name]) }
      let takesLibrary = json["arguments"].array.contains {
        $0["kind"].string == "positional" && $0["valueName"].string == "library"
      }
      return children + (takesLibrary ? [(words + [name]).dropFirst().joined(separator: " ")] : [])
    }
    let commands = names(try JSON(text: dump.output)["command"], [])
    #expect(Set(commands) == Set(Self.rows.keys), "each command has a row")
    for (name, row) in Self.rows {
      let script = """
        rm -rf Bytes; mkdir Bytes; L=Bytes/$'lib\\xff' O=Bytes/$'lib\\xfe'; cp -a Library "$L"
        A=$(sqlite3 Library/library.sqlite 'SELECT localIdentifier FROM assets LIMIT 1')
        "$mediabatch" \(row.call) >/dev/null; code=$?
        [[ $(ls Bytes | wc -l) == $([[ '\(row.call)' == *'$O'* ]] && echo 2 || echo 1) ]] || exit 99
        exit $code
        """
      let environment = Scene.environment(in: scene.path)
        .merging(["mediabatch": try Scene.executable()]) { $1 }
      let result = try Tool.run("bash", ["-c", script], environment: environment, in: scene.path)
      #expect(result.status == row.code, "\(name): \(result.error)")
    }
  }

  /// For each command with a manifest or policies, and for each with a plan, a call in bash that ends with 0, in an
  /// order in which each finds what it needs. `$M` is a manifest, `$P` a policy, `$K` a key, `$N` a plan and `$O` a
  /// library to make, whose names are no UTF-8.
  private static let calls: [(command: String, call: String)] = [
    ("check", "check $M --policy $P --against $M"),
    ("access ask", "access ask $M --policy=$P"),
    ("access explain", "access explain $M --policy $P"),
    ("access grant", "access grant $M camera --policy $P"),
    ("access deny", "access deny $M camera --policy $P --no-wait"),
    ("access limit", "access limit $M library a.jpg --policy $P"),
    ("access list", "access list $M"), ("access receipt", "access receipt $M"),
    ("access reset", "access reset $M --no-wait"),
    ("run", "run $M --policy $P --key $K --no-input"),
    ("run", "run $M --policy $P --key=$K --no-input --dry-run"),
    ("repair", "repair Library --from $M --key $K"),
    ("audit key", "audit key show --key $K"),
    ("shards plan", "shards plan $M --shards 2 --output $N --policy $P --key $K --no-input"),
    ("shards plan", "shards plan $N --files 1"),
    ("shards run", "shards run $N --shard 1 --key $K"),
    ("shards run", "shards run $N --manifest $M --shard 2 --policy $P --key $K"),
    ("shards merge", "shards merge $N --output $O --manifest $M --key $K"), ("verify", "verify $O"),
  ]

  /// A watch of a manifest `$M`, whose first round is a run, and whose second one is a look and a run.
  private static let watch = """
    "$mediabatch" watch $M --policy $P --key $K --settle 0.01 >/dev/null & W=$!
    wait_for() {
      for _ in $(seq 2400); do
        [[ $(find Library/Originals -type f 2>/dev/null | wc -l) == $1 ]] && return
        sleep 0.05
      done
      kill $W; echo "watch: $1 files did not come" >&2; exit 1
    }
    wait_for 2; cp "$photo" sources/camera/new.jpg; wait_for 3; kill $W; wait $W; [[ $? == 143 ]] || exit 1
    """

  @Test("Manifests, policies, keys and plans have names of bytes, also for processes of their own")
  func everyManifest() throws {
    let scene = Scene()
    try scene.declare("camera").declare("library")
    try scene.put("sources/camera/1.jpg", try Media.photo("1"))
    try scene.put("sources/library/a.jpg", try Media.photo("a"))
    try scene.put("new.jpg", try Media.photo("new"))
    try scene.put(
      "policy.json",
      #"{"version":1,"organization":"X","deny":[{"source":"microphone","reason":"Not here."}]}"#
    )
    try scene.writeManifest()
    let dump = try Scene.program(["--experimental-dump-help"], in: "/")
    func names(_ json: JSON, _ words: [String]) -> [String] {
      guard let name = json["commandName"].string, json["shouldDisplay"].bool != false else {
        return []
      }
      let children = json["subcommands"].array.flatMap { names($0, words + [name]) }
      let takesManifest = json["arguments"].array.contains {
        $0["kind"].string == "positional" && $0["valueName"].string == "manifest"
          || $0["valueName"].string == "policy" && $0["isRepeating"].bool == true
      }
      return children + (takesManifest ? [(words + [name]).dropFirst().joined(separator: " ")] : [])
    }
    let commands = names(try JSON(text: dump.output)["command"], [])
    #expect(Set(commands).isSubset(of: Self.calls.map { $0.command } + ["watch", "sign"]))
    #expect(commands.contains("watch") && commands.count > 8)
    let steps = Self.calls.map { step in
      #""$mediabatch" \#(step.call) >/dev/null </dev/null || { echo "\#(step.call): $?" >&2; exit 1; }"#
    }
    let script =
      """
      M=$'man\\xff.json' P=$'policy\\xff.json' K=$'key\\xff' N=$'plan\\xff' O=$'lib\\xfe'
      mv manifest.json $M; mv policy.json $P
      "$mediabatch" audit key show >/dev/null && cp -a home/mediabatch/audit.key $K || exit 1

      """ + (steps + ["rm -rf Library", Self.watch]).joined(separator: "\n")
    let environment = Scene.environment(in: scene.path)
      .merging(["mediabatch": try Scene.executable(), "photo": scene.at("new.jpg")]) { $1 }
    let result = try Tool.run("bash", ["-c", script], environment: environment, in: scene.path)
    #expect(result.status == 0, "\(result.error)")
  }

  @Test("explain takes a file's name as bytes, and as a summary shows it")
  func explained() throws {
    let scene = Scene()
    try scene.declare("camera")
    let name = [UInt8(ascii: "a"), 0xFF] + Array(".jpg".utf8)
    try Media.write(try Media.photo("a"), folder: scene.at("sources/camera"), name: name)
    try scene.run().expect(0)
    let script = """
      "$mediabatch" explain Library $'a\\xff.jpg' >/dev/null || exit 1
      "$mediabatch" explain Library a%FF.jpg >/dev/null || exit 2
      "$mediabatch" explain Library $'a\\xfe.jpg' >/dev/null 2>&1; [[ $? == 64 ]]
      """
    let environment = Scene.environment(in: scene.path)
      .merging(["mediabatch": try Scene.executable()]) { $1 }
    let result = try Tool.run("bash", ["-c", script], environment: environment, in: scene.path)
    #expect(result.status == 0, "\(result.error)")
  }

  @Test("Two arguments that differ only in bytes that are no UTF-8 are two files")
  func twoNames() throws {
    let scene = Scene()
    let script = """
      cp "$1" $'a\\xff.jpg'; "$mediabatch" inspect $'a\\xfe.jpg' >/dev/null 2>&1 && exit 1
      cp "$1" $'a\\xfe.jpg'; "$mediabatch" inspect $'a\\xfe.jpg' $'a\\xff.jpg' >/dev/null
      """
    let environment = Scene.environment(in: scene.path)
      .merging(["mediabatch": try Scene.executable()]) { $1 }
    let result = try Tool.run(
      "bash",
      ["-c", script, "bash", Samples.photo(1)],
      environment: environment,
      in: scene.path
    )
    #expect(result.status == 0, "\(result.error)")
  }
}
