import Foundation
import MediaModel
import MediaSyntax
import MediaTestSupport
import Testing

/// One system call that strace saw, whole: what was interrupted is put together again.
private struct TracedCall {
  var name: String
  var text: String
  /// The path of the descriptor that it returned.
  var opened: String?
  var hasWorked: Bool
}

/// A whole run, seen from outside by strace.
@Suite("What the kernel sees", .ownProcesses, .serialized, .enabled(if: Has.strace, "no strace"))
struct ConfinementTraceTests {
  /// A camera that is allowed, a photo library of which a part is, a microphone that is not.
  private func scene(patterns: Bool, photos: Int = 70) throws -> Scene {
    let scene = Scene(policy: nil)
    scene.setThumbnails([("grid", 64, 64, "aspectFill")])
    try scene.declare("camera")
    try scene.declare(
      "library",
      "limited",
      [
        "selection": patterns ? ["2026/pick-*.jpg", "one.jpg"] : ["2026/pick-1.jpg", "one.jpg"],
        "metadata": ["policy": "keep"],
      ]
    )
    try scene.declare("microphone", "denied")
    for number in 1...photos {
      try scene.put("sources/camera/\(number).jpg", try Media.photo("camera \(number)"))
    }
    for name in ["one", "two", "2026/pick-1", "2026/pick-2", "2026/private", "2025/private"] {
      try scene.put("sources/library/\(name).jpg", try Media.photo(name))
    }
    try scene.put("sources/microphone/deep/secret.wav", copyOf: Samples.sound)
    try scene.writeManifest()
    return scene
  }

  private func calls(_ lines: [String]) -> [TracedCall] {
    var pending: [Substring: (index: Int, text: String)] = [:]
    var texts: [String] = []
    for line in lines {
      guard let space = line.firstIndex(of: " ") else { continue }
      let process = line[..<space]
      let text = line[space...].drop { $0 == " " }
      if let end = text.range(of: "<unfinished ...>") {
        // A call counts from where it began.
        pending[process] = (texts.count, String(text[..<end.lowerBound]))
        texts.append("")
      } else if text.hasPrefix("<... "), let end = text.range(of: "resumed>"),
        let begun = pending.removeValue(forKey: process)
      {
        texts[begun.index] = begun.text + text[end.upperBound...]
      } else {
        texts.append(String(text))
      }
    }
    return texts.compactMap { text in
      guard let open = text.firstIndex(of: "("),
        let equals = text.range(of: " = ", options: .backwards)
      else { return nil }
      let result = text[equals.upperBound...]
      var opened: String?
      if result.first?.isNumber == true, let from = result.firstIndex(of: "<"),
        let to = result.lastIndex(of: ">")
      {
        opened = String(result[result.index(after: from)..<to])
      }
      return TracedCall(
        name: String(text[..<open]),
        text: text,
        opened: opened,
        hasWorked: !result.hasPrefix("-1")
      )
    }
  }

  private static let traced = "%file,openat2,getdents64,write,pwrite64,fsync,fdatasync,ftruncate"

  @Test(
    "A refused source is never opened, a limited one only where it was picked",
    arguments: [true, false]
  )
  func opensOnlyWhatIsAllowed(patterns: Bool) throws {
    let photos = Amount.of(10, all: 70)
    let scene = try scene(patterns: patterns, photos: photos)
    let run = try trace(scene, Self.traced)
    try run.outcome.expect(0)
    try run.outcome.expectCounts(["imported": photos + (patterns ? 3 : 2)])
    let calls = calls(run.lines)
    let opened = calls.compactMap(\.opened)
    func isBeneath(_ path: String, _ folder: String) -> Bool {
      path == scene.at(folder) || path.hasPrefix(scene.at(folder) + "/")
    }
    // What is looked for can be seen at all.
    #expect(opened.count { isBeneath($0, "sources/camera") } > photos)

    let refused = calls.filter {
      ($0.name.hasPrefix("open") || $0.name.hasPrefix("getdents")) && $0.hasWorked
        && $0.text.contains("sources/microphone")
    }
    #expect(refused.map(\.text) == [])
    let picked = ["one.jpg", "2026/pick-1.jpg"] + (patterns ? ["2026/pick-2.jpg"] : [])
    let files = opened.filter { isBeneath($0, "sources/library") && $0.hasSuffix(".jpg") }
    #expect(Set(files) == Set(picked.map { scene.at("sources/library/" + $0) }))

    // Nothing is ever written to a source.
    let writers = calls.filter { call in
      let isWrite =
        ["O_WRONLY", "O_RDWR", "O_CREAT", "O_TRUNC"].contains { call.text.contains($0) }
        || ["unlink", "rename", "link", "mkdir", "chmod", "chown", "utime", "truncate", "xattr"]
          .contains { call.name.contains($0) && call.name != "readlink" }
        || call.name.contains("write")
      return isWrite && call.name != "readlinkat" && call.text.contains(scene.at("sources/"))
        && !call.text.contains("/Audit/")
    }
    #expect(writers.map { String($0.text.prefix(300)) } == [])
  }

  @Test("Every source file is opened after its access record is flushed")
  func recordsBeforeItOpens() throws {
    let scene = try scene(patterns: true)
    let run = try trace(scene, Self.traced)
    try run.outcome.expect(0)
    var written: Set<String> = []
    var flushed: Set<String> = []
    var opened = 0
    var flushes = 0
    for call in calls(run.lines) {
      if call.name.contains("write"), call.text.contains("/Library/Audit/") {
        // One record a line; strace writes its quotes with a backslash.
        let text = call.text.replacing("\\\\", with: "\\").replacing("\\\"", with: "\"")
        for record in text.split(separator: "\\n") where record.contains("\"event\":\"access\"") {
          guard let path = member("path", of: record), let source = member("source", of: record)
          else { continue }
          written.insert(scene.at("sources/\(source)/\(path)"))
        }
      } else if call.name == "fdatasync" || call.name == "fsync",
        call.text.contains("/Library/Audit/"), call.hasWorked
      {
        flushed.formUnion(written)
        flushes += 1
      } else if let file = call.opened, file.hasSuffix(".jpg"),
        file.hasPrefix(scene.at("sources/")), !call.text.contains("O_PATH")
      {
        opened += 1
        #expect(flushed.contains(file), "\(file) was opened without a flushed access record")
      }
    }
    #expect(opened == 73)
    #expect(flushed.count == 73)
    #expect(flushes > 1)
  }

  /// What a run cannot do without.
  enum Missing: String, CaseIterable {
    case landlock = "landlock_create_ruleset:error=ENOSYS"
    case landlockRestriction = "landlock_restrict_self:error=EPERM"
    case landlockRules = "landlock_add_rule:error=EINVAL"
    case memory = "landlock_add_rule:error=ENOMEM"
    case seccomp = "seccomp:error=ENOSYS"
  }

  @Test(
    "Without the kernel's guards a run stops with 69, and without memory for them with 70, before any source is opened",
    arguments: Amount.pairs([false, true], Missing.allCases)
  )
  func failsClosed(isDryRun: Bool, missing: Missing) throws {
    let scene = try scene(patterns: true, photos: 4)
    let arguments = isDryRun ? ["--dry-run"] : []
    let run = try trace(scene, Self.traced, inject: missing.rawValue, arguments)
    #expect(run.outcome.code == (missing == .memory ? 70 : 69), "\(run.outcome.streams)")
    let opened = calls(run.lines).filter { call in
      call.hasWorked && call.opened?.hasPrefix(scene.at("sources/")) == true
        && !call.text.contains("O_PATH")
    }
    // Layer 1 lies before the listing of a limited source, and nothing else is opened before it.
    #expect(opened.map { String($0.text.prefix(200)) } == [])
    let files = (try? scene.digests("Library/Originals")) ?? [:]
    #expect(files.isEmpty)
  }

  @Test("The same run goes through when the manifest gives up enforcement, and says so")
  func withoutEnforcement() throws {
    let scene = try scene(patterns: true)
    let run = try trace(scene, Self.traced, inject: Missing.landlock.rawValue, ["--enforcement", "process"])
    try run.outcome.expect(0)
    try run.outcome.expectCounts(["imported": 73])
    #expect(try run.outcome.json()["enforcement"].string == "process")
  }

  @Test("This machine enforces, by its own account", arguments: ["doctor", "self-test"])
  func doctor(command: String) throws {
    let folder = TemporaryFolder()
    let arguments = command == "doctor" ? [command] : [command, folder.path]
    let outcome = try Scene.program(arguments, in: folder.path)
    #expect(outcome.code == 0, "\(outcome.streams)")
    #expect(outcome.output.contains("refused"))
  }

  /// Attempts that one kind of process makes besides those of all kinds.
  private static let ownAttempts: [String: Set<String>] = [
    "times": [
      "read a staged file", "write to a staged file", "list the staging folder",
      "make a file in the staging folder",
      "read a staged file beneath the staging folder's descriptor",
      "list the staging folder beneath its own descriptor", "open a staged file by openat2",
      "remove a staged file",
      "give a staged file another name", "change a staged file's mode",
      "set the time of a published file by a path out of the staging folder",
      "set the time of a published file by its absolute path", "smuggle a descriptor to the parent",
      "signal the parent",
    ],
    "watcher": [
      "read a file of a granted source", "read a file of a granted source beneath its descriptor",
      "name a file of a granted source (O_PATH)", "name a refused folder (O_PATH)",
      "list the published files",
      "list the root folder", "watch a granted folder by its path", "watch the library",
      "look at a refused file",
      "change what its paths say", "smuggle a descriptor to the parent", "signal the parent",
    ],
    "page": [
      "connect its socket elsewhere", "read what a source was granted, by path", "list a granted source",
      "read a file of a granted source beneath its descriptor",
      "list a granted source beneath its descriptor",
      "read the list of names again", "look at a refused file", "make a file in the staging folder",
      "raise its own CPU limit", "memory that no limit counts", "smuggle a descriptor to the parent",
      "signal the parent",
      "open a refused file behind a layer that allows it",
    ],
    "camera": [
      "read a file of a granted source", "list a granted source", "read a staged file",
      "write to a staged file",
      "make a file in the staging folder", "make a file without a name in the staging folder",
      "read a published file",
      "list the root folder", "list the devices", "open the null device for writing",
      "list what the kernel tells of devices", "connect to a camera in the network",
      "ask for routes (netlink)",
      "smuggle a descriptor to the parent", "signal the parent",
      "open a refused file behind a layer that allows it",
    ],
    "viewer": [
      "read a published file", "list the published files", "read a staged file",
      "make a file in the staging folder",
      "read a file that is about to be added", "list the root folder",
      "start a program it has written to the staging folder",
    ],
    "worker": [
      "read what a source was granted, by path", "open its job's file for writing",
      "open its job's file again",
      "cut its job's file", "smuggle a descriptor to the coordinator", "look at the parent's limits",
      "urgent data over its socket",
    ],
    "coordinator": ["start a shell", "open a refused file by openat2", "change a source's file's flags"],
  ]

  /// What every kind tries, one or two of each group.
  private static let commonAttempts: Set = [
    "open a refused file by its absolute path", "open it by its file handle",
    "read the system's list of users",
    "write to a refused file", "mount a refused folder on the staging folder",
    "link a refused file into the staging folder", "make a FIFO in the staging folder",
    "overwrite a published file",
    "remove a published file", "a TCP socket", "a ring of system calls (io_uring)",
    "become another program",
  ]

  @Test("Each kind of process tries all that it must not do, by name, and is refused each of it")
  func attempts() throws {
    let folder = TemporaryFolder()
    let outcome = try Scene.program(["self-test", folder.path], in: folder.path)
    try outcome.expect(0)
    var attempts: [String: [String]] = [:]
    for line in outcome.output.split(separator: "\n") {
      let fields = line.split(separator: "\t").map(String.init)
      try #require(fields.count == 4 && fields[1] == "refused", "\(line)")
      attempts[fields[0], default: []].append(fields[3])
    }
    #expect(Set(attempts.keys) == Set(Self.ownAttempts.keys))
    for (kind, own) in Self.ownAttempts {
      let names = try #require(attempts[kind])
      let missing = own.union(Self.commonAttempts).subtracting(names)
      #expect(missing.isEmpty, "\(kind) does not try: \(missing.sorted())")
      #expect(names.count >= 135, "\(kind)")
    }
    // Answering connections is a page's task.
    let accepting = "accept on a socket it has"
    #expect(attempts.filter { !$0.value.contains(accepting) }.map(\.key) == ["page"])
  }

  /// Runs the scene under strace, with whole strings and, if asked for, one call made to fail.
  private func trace(
    _ scene: Scene,
    _ calls: String,
    inject: String? = nil,
    _ arguments: [String] = []
  ) throws -> (outcome: Outcome, lines: [String]) {
    let file = scene.at("trace")
    var options = ["-f", "-qq", "-y", "-s", "1000000", "-e", "signal=none", "-o", file]
    if let inject {
      let call = inject.split(separator: ":")[0]
      options += ["-e", "trace=\(calls),\(call)", "-e", "inject=" + inject]
    } else {
      options += ["-e", "trace=" + calls]
    }
    let result = try Tool.run(
      "strace",
      options + [try Scene.executable(), "run", "manifest.json", "--format", "json"] + arguments,
      environment: Scene.environment(in: scene.path),
      in: scene.path
    )
    let text = String(decoding: try readBytes(file), as: UTF8.self)
    try FileManager.default.removeItem(atPath: file)
    return (Outcome(result), text.split(separator: "\n").map(String.init))
  }

  /// The text of one member of a record.
  private func member(_ name: String, of record: Substring) -> Substring? {
    guard let start = record.range(of: "\"\(name)\":\"") else { return nil }
    return record[start.upperBound...].prefix { $0 != "\"" }
  }
}
