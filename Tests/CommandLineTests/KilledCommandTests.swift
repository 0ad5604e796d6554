import Foundation
import MediaSyntax
import MediaTestSupport
import Testing

/// A library, a plan whose shards are imported, and new files of the source: made once, and copied
/// for each trial.
private struct Prepared: Sendable {
  let path: String
  let identifiers: [String]

  static let result = Result {
    let scene = Scene()
    scene.setThumbnails([("grid", 32, 32, "aspectFill")])
    try scene.declare("library")
    for number in 0..<6 { try scene.put("sources/library/\(number).jpg", Media.photo("\(number)")) }
    try scene.run().expect(0)
    // The plan's library is another one, and a third manifest leaves the source to a person.
    scene.manifest["output"] = ["path": "Planned"]
    try FileManager.default.moveItem(atPath: scene.writeManifest(), toPath: scene.at("plan.json"))
    scene.manifest["output"] = ["path": "Asked"]
    scene.manifest["onNotDetermined"] = "ask"
    try scene.declare("library", nil)
    try FileManager.default.moveItem(atPath: scene.writeManifest(), toPath: scene.at("ask.json"))
    scene.manifest["output"] = ["path": "Library"]
    try scene.declare("library")
    try scene.writeManifest()
    let list = try Tool.run(
      "sqlite3",
      ["Library/library.sqlite", "SELECT localIdentifier FROM assets ORDER BY id"],
      in: scene.path
    )
    let identifiers = list.output.split(separator: "\n").map(String.init)
    try #require(identifiers.count == 6)
    for command in [
      ["stack", "add", "Library", identifiers[0], identifiers[1]],
      ["label", "Library", identifiers[2], "First"],
      ["shards", "plan", "plan.json", "--output", "Plan", "--shards", "2"],
      ["shards", "run", "Plan", "--shard", "1"], ["shards", "run", "Plan", "--shard", "2"],
    ] { try scene.command(command).expect(0) }
    for number in 6..<9 { try scene.put("sources/library/\(number).jpg", Media.photo("\(number)")) }
    try scene.put("sources/library/0.jpg", Media.photo("another"))
    let kept = TemporaryFolder.untilExit().path
    let copied = try Tool.run("cp", ["-a", "--reflink=auto", scene.path + "/.", kept])
    try #require(copied.status == 0, "\(copied.error)")
    return Prepared(path: kept, identifiers: identifiers)
  }

  /// The arguments of a command of the table.
  func arguments(_ command: String) -> [String] {
    switch command {
    case "run": ["run", "manifest.json"]
    case "reprocess": ["run", "manifest.json", "--reprocess"]
    case "label": ["label", "Library", identifiers[3], "Second"]
    case "label again": ["label", "Library", identifiers[2], "Third"]
    case "rotate": ["rotate", "Library", identifiers[4], identifiers[5], "--by", "90"]
    case "stack": ["stack", "add", "Library", identifiers[3], identifiers[4]]
    case "split": ["stack", "split", "Library", identifiers[0]]
    case "plan": ["shards", "plan", "plan.json", "--output", "Plan 2", "--shards", "2"]
    case "merge": ["shards", "merge", "Plan", "--output", "Merged"]
    case "superseded": ["repair", "Library", "--superseded"]
    case "repair": ["repair", "Library", "--from", "manifest.json"]
    case "deny": ["access", "deny", "ask.json", "library"]
    case "export": ["export", "Library", "Copies"]
    default: [command, "Library"]
    }
  }
}

@Suite(
  "Commands that are killed",
  .enabled(if: Has.strace && Has.sqlite && Has.magick, "no strace, sqlite3 or convert")
)
struct KilledCommandTests {
  private static let writers = [
    "run", "reprocess", "label", "stack", "split", "superseded", "repair", "rebuild", "plan",
    "merge",
    "deny", "export", "rotate",
  ]
  private static let followers = [
    "run", "rebuild", "label", "list", "repair", "label again", "reprocess", "report", "stack",
    "split", "superseded", "export", "plan", "merge",
  ]
  private static let calls = [
    "write", "pwrite64", "renameat2", "linkat", "unlinkat", "mkdirat", "fdatasync", "syncfs",
    "fsync", "ftruncate", "copy_file_range", "sendmsg",
  ]

  /// A moment of a command: before a call of one process, counted from 1.
  private struct Moment: Hashable {
    var call: String
    var number: Int
  }

  /// A copy of what is prepared; for `repair` with a lost and a damaged thumbnail.
  private func trial(of writer: String, _ prepared: Prepared) throws -> TemporaryFolder {
    let folder = TemporaryFolder()
    let copied = try Tool.run("cp", ["-a", "--reflink=auto", prepared.path + "/.", folder.path])
    try #require(copied.status == 0, "\(copied.error)")
    if writer == "repair" {
      // The copies of the source's files are known again only behind a run.
      let run = try Scene.program(["run", "manifest.json"], in: folder.path)
      try #require(run.code == 0, "\(run.streams)")
      let spoilt = try Tool.run(
        "sh",
        [
          "-c",
          """
          first=$(find Library/Thumbnails -type f | sort | tail -n 2 | head -n 1)
          last=$(find Library/Thumbnails -type f | sort | tail -n 1)
          rm "$first" && echo x >> "$last"
          """,
        ],
        in: folder.path
      )
      try #require(spoilt.status == 0, "\(spoilt.error)")
    }
    return folder
  }

  /// The first and the last call of each name for each kind of file.
  private func moments(of writer: String, _ prepared: Prepared) throws -> [Moment] {
    let folder = try trial(of: writer, prepared)
    let trace = ["-f", "-y", "-qq", "-o", "trace", "-e", "signal=none", "-e"]
    let run = try Tool.run(
      "strace",
      trace + ["trace=" + Self.calls.joined(separator: ","), try Scene.executable()]
        + prepared.arguments(writer),
      environment: Scene.environment(in: folder.path),
      in: folder.path
    )
    try #require(run.status == 0, "\(writer): \(run.output)\(run.error)")
    var counts: [String: Int] = [:]
    var first: [String: Moment] = [:]
    var last: [String: Moment] = [:]
    var order: [String] = []
    for line in String(decoding: try readBytes(folder.path + "/trace"), as: UTF8.self)
      .split(separator: "\n")
    {
      let parts = line.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: true)
      guard parts.count == 2, let end = parts[1].firstIndex(of: "(") else { continue }
      let call = String(parts[1][..<end].drop { $0 == " " })
      guard Self.calls.contains(call) else { continue }
      counts["\(parts[0]) \(call)", default: 0] += 1
      let moment = Moment(call: call, number: counts["\(parts[0]) \(call)", default: 1])
      let kind = "\(call) \(Self.kind(of: line))"
      if first[kind] == nil {
        first[kind] = moment
        order.append(kind)
      }
      last[kind] = moment
    }
    var seen: Set<Moment> = []
    return order.flatMap { [first[$0], last[$0]] }.compactMap { $0 }
      .filter { seen.insert($0).inserted }
  }

  private static func kind(of line: Substring) -> String {
    let kinds = [
      "sqlite-journal", "sqlite-wal", ".sqlite", ".ndjson", ".head", ".state", "Thumbnails",
      "Originals", "Audit", "Plan", "Merged", "Copies", "socket", "pipe",
    ]
    return kinds.first { line.contains($0) } ?? "other"
  }

  private func digests(_ folder: TemporaryFolder) throws -> Set<String> {
    let result = try Tool.run(
      "sh",
      ["-c", "find Library/Originals -type f -exec sha256sum {} + | cut -c 1-64"],
      in: folder.path
    )
    return Set(result.output.split(separator: "\n").map(String.init))
  }

  // 39 trials; in the long form 650: at most 25 moments of each, so that each follower comes behind three.
  @Test(
    "Whichever command comes next, it works, nothing is lost, and library and log are whole",
    arguments: writers
  )
  func killed(writer: String) throws {
    let prepared = try Prepared.result.get()
    let moments = try moments(of: writer, prepared)
    try #require(moments.count >= 5)
    let index = try #require(Self.writers.firstIndex(of: writer))
    for (number, moment) in Amount.some(Amount.of(3, all: 25), of: moments).enumerated() {
      // Each follows each writer in the long form, and in the short one as many as can.
      let turn = index * 3 + number
      let half = Self.followers.count / 2
      for next in Amount.isAll ? [turn, turn + half] : [turn] {
        let follower = Self.followers[next % Self.followers.count]
        try kill(writer, at: moment, before: follower, prepared)
      }
    }
  }

  private func kill(
    _ writer: String,
    at moment: Moment,
    before follower: String,
    _ prepared: Prepared
  ) throws {
    let folder = try trial(of: writer, prepared)
    let before = try digests(folder)
    let program = try Scene.executable()
    _ = try Tool.run(
      "strace",
      [
        "-f", "-qq", "--seccomp-bpf", "-o", "/dev/null", "-e", "trace=" + moment.call, "-e",
        "inject=\(moment.call):signal=SIGKILL:when=\(moment.number)", program,
      ] + prepared.arguments(writer),
      environment: Scene.environment(in: folder.path),
      in: folder.path
    )
    let what = "\(writer), killed at \(moment.call) \(moment.number), then \(follower)"
    func expect(_ arguments: [String], in codes: Set<Int32>) throws {
      let outcome = try Scene.program(arguments, in: folder.path)
      #expect(codes.contains(outcome.code), "\(what): \(arguments): \(outcome.streams)")
    }
    let isPlanned = FileManager.default.fileExists(atPath: folder.path + "/Plan 2/plan.json")
    var codes: Set<Int32> = [0]
    // A folder of copies that is there already is refused, and a half one is made anew.
    if follower == "export" { codes.insert(73) }
    // A plan that is whole is not made again.
    if follower == "plan", isPlanned { codes = [74] }
    // What a person denied may be denied before the command was killed.
    if writer == "deny" { codes.insert(77) }
    try expect(prepared.arguments(follower), in: codes)
    if writer == "repair" { try expect(prepared.arguments("repair"), in: [0]) }
    // What only reads leaves it to the next writer to finish what was begun.
    try expect(prepared.arguments("superseded"), in: [0])
    try expect(["verify", "Library"], in: [0])
    // Which `verify` does too.
    if Amount.isAll { try expect(["audit", "verify", "Library"], in: [0]) }
    #expect(try digests(folder).isSuperset(of: before), "\(what): an original is lost")
    switch writer {
    case "plan":
      // A plan that is whole is not made again.
      let isMade = FileManager.default.fileExists(atPath: folder.path + "/Plan 2/plan.json")
      if !isMade { try expect(prepared.arguments("plan"), in: [0]) }
      for shard in ["1", "2"] {
        try expect(["shards", "run", "Plan 2", "--shard", shard], in: [0])
      }
      try expect(["shards", "merge", "Plan 2", "--output", "Merged 2"], in: [0])
      try expect(["verify", "Merged 2"], in: [0])
    case "merge":
      try expect(prepared.arguments("merge"), in: [0])
      try expect(["verify", "Merged"], in: [0])
    case "deny": try expect(["run", "ask.json", "--no-input"], in: [0, 75, 77])
    default: break
    }
  }
}
