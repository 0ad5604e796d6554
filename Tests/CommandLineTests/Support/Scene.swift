import Foundation
import Glibc
import MediaModel
import MediaSyntax
import MediaTestSupport
import Testing

/// A folder with a manifest, sources and a library of its own, and the program to run on them.
///
/// Everything is made by the test and is gone with it. Commands are performed in the process of the test, or by the
/// built program in a process of its own: ``InProcess``.
final class Scene {
  let root: TemporaryFolder
  /// The members of the manifest; written anew before each run.
  var manifest: [String: JSONValue]

  var path: String { root.path }
  var library: String { path + "/Library" }
  var manifestPath: String { path + "/manifest.json" }

  /// A manifest that allows nothing yet.
  ///
  /// - Parameter policy: The metadata policy of all sources; nil leaves it to the default.
  init(policy: String? = "keep") {
    root = TemporaryFolder()
    manifest = [
      "version": 1,
      "client": ["identifier": "org.example.test", "name": "A test"],
      "usageDescriptions": [
        "NSCameraUsageDescription": "The test takes pictures.",
        "NSPhotoLibraryUsageDescription": "The test chooses pictures.",
        "NSMicrophoneUsageDescription": "The test hears.",
      ],
      "onNotDetermined": "deny",
      "sources": [:],
      "output": ["path": "Library"],
    ]
    if let policy { manifest["metadata"] = ["policy": .string(policy)] }
  }

  // MARK: The manifest

  /// Declares a source; its folder is `sources/` and its name, made unless `makesFolder` is false.
  ///
  /// A `status` of nil leaves that key out; `extra` has more keys of the source.
  @discardableResult
  func declare(
    _ source: String,
    _ status: String? = "authorized",
    _ extra: [String: JSONValue] = [:],
    makesFolder: Bool = true
  ) throws -> Scene {
    var sources: [String: JSONValue] = [:]
    if case .object(let members)? = manifest["sources"] { sources = members }
    var declaration: [String: JSONValue] = ["path": .string("sources/" + source)]
    if let status { declaration["authorizationStatus"] = .string(status) }
    declaration.merge(extra) { $1 }
    sources[source] = .object(declaration)
    manifest["sources"] = .object(sources)
    if makesFolder { try makeFolder("sources/" + source) }
    return self
  }

  func setThumbnails(_ sizes: [(name: String, width: Int, height: Int, mode: String)]) {
    var members: [String: JSONValue] = [:]
    for size in sizes {
      members[size.name] = [
        "size": [JSONValue(size.width), JSONValue(size.height)],
        "contentMode": .string(size.mode),
      ]
    }
    manifest["thumbnails"] = .object(members)
  }

  func setPolicy(_ policy: String) { manifest["metadata"] = ["policy": .string(policy)] }

  @discardableResult
  func writeManifest() throws -> String {
    try Data(JSONValue.object(manifest).serialized).write(to: URL(fileURLWithPath: manifestPath))
    return manifestPath
  }

  // MARK: Files

  func makeFolder(_ relative: String) throws {
    try FileManager.default.createDirectory(
      atPath: path + "/" + relative,
      withIntermediateDirectories: true
    )
  }

  /// Copies a file into the scene, its modification time too.
  @discardableResult
  func put(_ relative: String, copyOf file: String) throws -> String {
    try put(relative, try readBytes(file))
  }

  /// Puts photos of their own content into the camera's folder, each named by its number.
  func putPhotos(_ numbers: ClosedRange<Int>) throws {
    for number in numbers {
      try put("sources/camera/\(number).jpg", copyOf: Samples.photo(number))
    }
  }

  @discardableResult
  func put(_ relative: String, _ bytes: [UInt8]) throws -> String {
    let target = path + "/" + relative
    try FileManager.default.createDirectory(
      atPath: (target as NSString).deletingLastPathComponent,
      withIntermediateDirectories: true
    )
    try Data(bytes).write(to: URL(fileURLWithPath: target))
    return target
  }

  @discardableResult
  func put(_ relative: String, _ text: String) throws -> String {
    try put(relative, Array(text.utf8))
  }

  /// The path of a file of the scene.
  func at(_ relative: String) -> String { path + "/" + relative }

  /// Every file below a folder: path below it to SHA-256, as `sha256sum` sees it.
  func digests(_ relative: String) throws -> [String: String] {
    guard FileManager.default.fileExists(atPath: at(relative)) else { return [:] }
    let result = try Tool.run(
      "find",
      [".", "-type", "f", "-exec", "sha256sum", "-z", "{}", "+"],
      in: at(relative)
    )
    try #require(result.status == 0, "\(result.error)")
    var digests: [String: String] = [:]
    for line in result.output.split(separator: "\0") {
      digests[String(line.dropFirst(68))] = String(line.prefix(64))
    }
    return digests
  }

  /// The library's originals, sorted: path below `Originals` to SHA-256.
  func originals() throws -> [(path: String, sha256: String)] {
    try digests("Library/Originals").sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }

  /// File names of the library's originals, sorted, without the folders of their save times.
  func originalNames() throws -> [String] {
    try originals().map { ($0.path as NSString).lastPathComponent }.sorted()
  }

  /// The paths of all thumbnails of one name.
  func thumbnails(_ name: String) throws -> [String] {
    try digests("Library/Thumbnails/" + name).keys.sorted()
      .map { library + "/Thumbnails/\(name)/" + $0 }
  }

  // MARK: Running

  /// Runs `mediabatch run` on the scene's manifest, with a summary as JSON.
  @discardableResult
  func run(_ arguments: String...) throws -> Outcome {
    try writeManifest()
    return try Scene.program(["run", "manifest.json", "--format", "json"] + arguments, in: path)
  }

  /// Runs any command of the program in the scene's folder.
  func command(_ arguments: String...) throws -> Outcome { try command(arguments) }

  func command(_ arguments: [String]) throws -> Outcome {
    try Scene.program(arguments, in: path)
  }

  /// Runs `mediabatch run` under strace, and gives strace's lines of all its processes too.
  func tracedRun(
    _ calls: String,
    _ arguments: [String] = []
  ) throws -> (outcome: Outcome, lines: [String]) {
    try writeManifest()
    let file = at("trace")
    let result = try Tool.run(
      "strace",
      [
        "-f", "-qq", "-y", "-s", "1000", "-e", "trace=" + calls, "-e", "signal=none", "-o", file,
        try Scene.executable(), "run", "manifest.json", "--format", "json",
      ] + arguments,
      environment: Scene.environment(in: path),
      in: path
    )
    let text = String(decoding: try readBytes(file), as: UTF8.self)
    try FileManager.default.removeItem(atPath: file)
    return (Outcome(result), text.split(separator: "\n").map(String.init))
  }

  /// One SQL statement, asked of the catalogue by the `sqlite3` shell; a row a line, `|` between.
  func catalogue(_ sql: String) throws -> [String] {
    let result = try Tool.run("sqlite3", [library + "/library.sqlite", sql])
    try #require(result.status == 0, "\(result.error)")
    return result.output.split(separator: "\n", omittingEmptySubsequences: true).map(String.init)
  }

  /// The log's files in order, each as its lines.
  func logFiles() throws -> [(name: String, lines: [String])] {
    let folder = library + "/Audit"
    guard FileManager.default.fileExists(atPath: folder) else { return [] }
    let names = try FileManager.default.contentsOfDirectory(atPath: folder)
    // Beside each of them is its signed head.
    return try names.filter { $0.hasSuffix(".ndjson") }.sorted().map { name in
      let text = String(decoding: try readBytes(folder + "/" + name), as: UTF8.self)
      return (name, text.split(separator: "\n").map(String.init))
    }
  }

  /// All records of the log's last file.
  func lastLog() throws -> [JSON] {
    try (logFiles().last?.lines ?? []).map { try JSON(text: $0) }
  }

  /// The paths of the files for which the log's last file has an access record, in the order of the records.
  func openedPaths() throws -> [String] {
    try lastLog().filter { $0["event"].string == "access" }.compactMap { $0["path"].string }
  }

  /// The numbers of assets of a person's albums, by the titles.
  func albums() throws -> [String: Int] {
    let json = try command("albums", library, "--format", "json").json()
    return json["albums"].array.filter { $0["type"].string == "user" }
      .reduce(into: [:]) { $0[$1["title"].string ?? ""] = $1["assets"].int }
  }

  /// That `verify` and `audit verify` find nothing.
  func expectVerified(_ location: SourceLocation = #_sourceLocation) throws {
    let verify = try command("verify", library)
    #expect(verify.code == 0, "\(verify.output)\(verify.error)", sourceLocation: location)
    let audit = try command("audit", "verify", library)
    #expect(audit.code == 0, "\(audit.output)\(audit.error)", sourceLocation: location)
  }

  /// Expects that `shards plan` refuses the manifest's source.
  func expectUndivided(_ location: SourceLocation = #_sourceLocation) throws {
    let plan = try command("shards", "plan", "manifest.json", "--output", at("plan"), "--shards", "2")
    #expect(plan.code == 66, "\(plan.streams)", sourceLocation: location)
    #expect(plan.streams.contains("imported by one run"), sourceLocation: location)
  }

  /// Everything about a folder that a write would change; times and inodes too.
  ///
  /// But for the change times of the catalogue's log: SQLite, as root, gives it the owner that it has.
  func snapshot(_ relative: String = "") throws -> [String] {
    let result = try Tool.run("find", [at(relative), "-printf", "%P %y %s %m %i %T@ %C@\\n"])
    try #require(result.status == 0, "\(result.error)")
    return result.output.split(separator: "\n").map { line in
      ["library.sqlite-wal", "library.sqlite-shm"].contains { line.contains($0) }
        ? line.split(separator: " ").dropLast().joined(separator: " ") : String(line)
    }.sorted()
  }

  // MARK: The program

  /// Each scene has a home of its own for what people answer.
  static func environment(in folder: String) -> [String: String] {
    ["LC_ALL": "C.UTF-8", "TZ": "UTC", "XDG_DATA_HOME": folder + "/home"]
  }

  static func executable() throws -> String { try BuiltProgram.path("mediabatch") }

  static func program(_ arguments: [String], in folder: String) throws -> Outcome {
    let environment = environment(in: folder)
    let outcome =
      InProcess.isOff || InProcess.aboutProcesses.contains(arguments.first ?? "")
      ? Outcome(try Tool.run(try executable(), arguments, environment: environment, in: folder))
      : try InProcess.perform(arguments, environment: environment, in: folder)
    try expectValidBag(of: arguments, outcome, in: folder)
    return outcome
  }

  /// That a command has made a bag that bagit takes for valid, if it has made one and bagit is there.
  static func expectValidBag(
    of arguments: [String],
    _ outcome: Outcome,
    in folder: String
  ) throws {
    let complaint = try BagReader.complaint(aboutBagOf: arguments, status: outcome.code, in: folder)
    if let complaint { Issue.record("\(arguments): \(complaint)") }
  }
}

/// What one run of the program left.
struct Outcome {
  var code: Int32
  var output: String
  var error: String

  init(code: Int32, output: String, error: String) {
    self.code = code
    self.output = output
    self.error = error
  }

  init(_ result: Tool.Result) {
    code = result.status
    output = result.output
    error = result.error
  }

  /// Both streams, for a message.
  var streams: String { output + error }

  /// Standard output as the one JSON object that it has to be.
  func json() throws -> JSON { try JSON(text: output) }

  /// The summary's count of one outcome.
  func count(_ outcome: String) throws -> Int {
    try #require(try json()["counts"][outcome].int, "no count \(outcome) in \(streams)")
  }

  /// The codes of the summary's problems.
  func problems() throws -> [String] {
    try json()["problems"].array.compactMap { $0["code"].string }
  }

  /// The patterns of a selection that the summary says no file matches, in its order.
  func unmatchedPatterns() throws -> [String] {
    try json()["problems"].array.compactMap { $0["message"].string?.wholeMatch(of: Self.unmatched) }
      .map { String($0.1) }
  }

  private static var unmatched: Regex<(Substring, Substring)> {
    /.*The pattern "(.*)" of the selection matches nothing\./
  }

  /// `path: reason` of the summary's failures, sorted.
  func failures() throws -> [String] {
    try json()["failures"].array.map {
      "\($0["path"].string ?? "?"): \($0["reason"].string ?? "?")"
    }.sorted()
  }

  /// The paths of the items that the summary says are without thumbnails, sorted.
  func withoutThumbnails() throws -> [String] {
    try json()["thumbnailMissing"].array.map { $0["path"].string ?? "?" }.sorted()
  }

  /// Expects an exit code, and shows what was said when it is another.
  func expect(
    _ expected: Int32,
    _ location: SourceLocation = #_sourceLocation
  ) throws {
    try #require(code == expected, "\(streams)", sourceLocation: location)
  }

  /// Expects these counts, and 0 for every outcome that is not named.
  func expectCounts(
    _ expected: [String: Int],
    _ location: SourceLocation = #_sourceLocation
  ) throws {
    var wanted: [String: Int] = [:]
    for outcome in ItemOutcome.allCases {
      wanted[outcome.rawValue] = expected[outcome.rawValue] ?? 0
    }
    wanted["discovered"] = wanted.values.reduce(0, +)
    var counts: [String: Int] = [:]
    for (name, value) in try json()["counts"].object { counts[name] = value.int }
    #expect(counts == wanted, "\(streams)", sourceLocation: location)
  }
}

/// JSON as Foundation reads it, which is not the reader that the program has.
struct JSON {
  let value: Any?

  init(_ value: Any?) { self.value = value }

  /// - Throws: An error unless the text is exactly one object.
  init(text: String) throws {
    let value = try JSONSerialization.jsonObject(with: Data(text.utf8))
    self.value = try #require(value as? [String: Any], "no object: \(text)")
  }

  subscript(_ key: String) -> JSON { JSON((value as? [String: Any])?[key]) }

  var exists: Bool { value != nil }
  var isNull: Bool { value is NSNull }
  var string: String? { value as? String }
  var int: Int? { isBool ? nil : (value as? NSNumber)?.intValue }
  var number: Double? { isBool ? nil : (value as? NSNumber)?.doubleValue }
  var bool: Bool? { isBool ? (value as? NSNumber)?.boolValue : nil }
  var array: [JSON] { (value as? [Any] ?? []).map { JSON($0) } }
  var isArray: Bool { value is [Any] }
  var object: [String: JSON] { (value as? [String: Any] ?? [:]).mapValues { JSON($0) } }
  var keys: [String] { (value as? [String: Any] ?? [:]).keys.sorted() }

  private var isBool: Bool {
    guard let number = value as? NSNumber else { return false }
    return String(cString: number.objCType) == "c"
  }
}
