import Foundation
import MediaTestSupport
import Testing

@Suite("Names that are bytes")
struct NameOfBytesTests {
  /// For each command with a library as its argument, a call in bash and its exit code. `$L` is the library, whose
  /// name is no UTF-8, `$O` a new name of that kind, and `$A` an asset.
  private static let rows: [String: (call: String, code: Int32)] = [
    "list": ("list $L", 0), "albums": ("albums $L", 0), "stacks": ("stacks $L", 0),
    "changes": ("changes $L", 0), "verify": ("verify $L", 0), "clean": ("clean $L", 0),
    "rebuild": ("rebuild $L", 0), "repair": ("repair $L", 0), "doctor": ("doctor $L", 0),
    "explain": ("explain $L 1.jpg", 0), "report": ("report $L --output=$O", 0),
    "label": ("label $L $A New", 0), "withdraw": ("withdraw $L $A", 0),
    "stack": ("stack $L none other", 64), "unstack": ("unstack $L none", 64),
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
