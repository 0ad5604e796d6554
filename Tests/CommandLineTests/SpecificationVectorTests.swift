import Foundation
import Glibc
import MediaModel
import MediaTestSupport
import Testing

/// The vectors of `docs/spec/vectors`: what other readers of the formats have to agree with.
@Suite("Test vectors of the specification")
struct SpecificationVectorTests {
  /// A folder of the vectors, and what is expected of its reader.
  struct Vector {
    let folder: String
    let expected: JSON

    static let root = DocumentBlock.project + "/docs/spec/vectors"

    init(_ name: String) throws {
      folder = Self.root + "/" + name
      let text = String(decoding: try readBytes(folder + "/expected.json"), as: UTF8.self)
      expected = try JSON(text: text)
    }

    /// The names of the vectors whose names begin so, in their order.
    static func names(_ kinds: String...) -> [String] {
      let names = (try? FileManager.default.contentsOfDirectory(atPath: root)) ?? []
      return names.filter { name in kinds.contains { name.hasPrefix($0 + "-") } }.sorted()
    }

    var exitCode: Int32? { expected["exitCode"].int.flatMap { Int32(exactly: $0) } }
    var isGood: Bool { expected["verdict"].string == "good" }

    /// The path of a file of the vector that is named in the place of a value; the value if there is none.
    func file(_ value: String) -> String {
      let path = folder + "/" + value
      return FileManager.default.fileExists(atPath: path) ? path : value
    }

    /// Runs the program on it, in a home of its own, and looks at the code with which it ends.
    func run(_ arguments: [String]) throws -> Outcome {
      let home = TemporaryFolder()
      let outcome = try withExtendedLifetime(home) {
        try Scene.program(arguments, in: home.path)
      }
      #expect(outcome.code == exitCode, "\(arguments): \(outcome.streams)")
      return outcome
    }

    /// That the program says of a good one what is expected.
    func expectEqual(_ actual: JSON, _ keys: String...) {
      for key in keys {
        let (value, wanted) = (actual[key], expected[key])
        #expect(wanted.exists, "\(folder): \(key)")
        #expect(value.string == wanted.string, "\(folder): \(key)")
        #expect(value.int == wanted.int, "\(folder): \(key)")
        #expect(value.bool == wanted.bool, "\(folder): \(key)")
      }
    }
  }

  static let timestamps = Vector.names("log").filter { $0.contains("timestamp") }
  static let logs = Vector.names("log").filter { !timestamps.contains($0) }

  @Test("No vector has changed, and none is unlisted")
  func sums() throws {
    let check = try Tool.run("sha256sum", ["--check", "--quiet", "--strict", "SHA256SUMS"], in: Vector.root)
    #expect(check.status == 0, "\(check.output)\(check.error)")
    let result = try Tool.run("find", [".", "-type", "f", "-printf", "%P\\n"], in: Vector.root)
    let own = [
      "README.md", "SHA256SUMS", "make-answers.py", "make-bases.py", "make-logs.py", "make-names.py",
      "make-receipts.py", "make-values.py", "make.py",
    ]
    let files = result.output.split(separator: "\n").map(String.init).filter { !own.contains($0) }
    let sums = String(decoding: try readBytes(Vector.root + "/SHA256SUMS"), as: UTF8.self)
    let listed = sums.split(separator: "\n").map { String($0.dropFirst(66)) }
    #expect(files.sorted() == listed.sorted())
    #expect(Self.logs.count > 140 && Self.timestamps.count == 5)
  }

  @Test("A log is good, or differs in the place and the way that are expected", arguments: logs)
  func log(name: String) throws { try expectLog(name) }

  @Test(
    "A timestamp is good, or differs",
    .enabled(if: Tool.exists("openssl"), "no openssl"),
    arguments: timestamps
  )
  func timestamp(name: String) throws { try expectLog(name) }

  private func expectLog(_ name: String) throws {
    let vector = try Vector(name)
    var arguments = ["audit", "verify", vector.folder, "--format", "json"]
    if let key = vector.expected["trust"].string { arguments += ["--trust", key] }
    for head in vector.expected["heads"].array {
      arguments += ["--expect-head", try #require(head.string)]
    }
    if let authority = vector.expected["authority"].string {
      arguments += ["--tsa-ca", vector.file(authority)]
    }
    let report = try vector.run(arguments).json()
    if vector.isGood {
      vector.expectEqual(report, "records", "head", "root", "signature", "signer", "unsignedRecords")
      try expectPaths(of: vector)
    } else {
      let location = try #require(vector.expected["place"].string)
      #expect(report["kind"].string == vector.expected["difference"].string)
      #expect(report["difference"].string?.hasPrefix(location + ": ") == true, "\(report)")
    }
  }

  /// That the log's access records name the files that are expected, by their bytes.
  private func expectPaths(of vector: Vector) throws {
    guard vector.expected["paths"].exists else { return }
    let names = try FileManager.default.contentsOfDirectory(atPath: vector.folder + "/Audit")
    var paths: [String] = []
    for name in names.sorted() where name.hasSuffix(".ndjson") {
      let log = String(decoding: try readBytes(vector.folder + "/Audit/" + name), as: UTF8.self)
      for line in log.split(separator: "\n") {
        let record = try JSON(text: String(line))
        guard record["event"].string == "access" else { continue }
        let path = try #require(record["path"].string)
        paths.append(Hexadecimal.text(EscapedText.bytes(percentEscaped: path)))
      }
    }
    #expect(paths == vector.expected["paths"].array.compactMap(\.string))
  }

  @Test("A proof or an export holds, or does not", arguments: Vector.names("proof", "export"))
  func proof(name: String) throws {
    let vector = try Vector(name)
    let document = vector.folder + "/document.ndjson"
    var arguments = ["audit", "check-proof", document, "--format", "json"]
    if let key = vector.expected["trust"].string { arguments += ["--trust", key] }
    if let head = vector.expected["head"].string { arguments += ["--head", vector.file(head)] }
    let report = try vector.run(arguments).json()
    #expect(report["ok"].bool == vector.isGood)
    guard vector.isGood else { return }
    vector.expectEqual(report, "size", "root", "numberProved", "hiddenNames")
  }

  @Test("A log is the beginning of another, or is not", arguments: Vector.names("consistency"))
  func consistency(name: String) throws {
    let vector = try Vector(name)
    let heads = vector.expected["heads"].array.compactMap(\.string)
    let document = vector.folder + "/document.ndjson"
    _ = try vector.run(["audit", "consistency"] + heads + ["--proof", document])
  }

  @Test("A library is whole, or differs in what is expected", arguments: Vector.names("library"))
  func library(name: String) throws {
    let vector = try Vector(name)
    let scene = TemporaryFolder()
    defer { withExtendedLifetime(scene) {} }
    let base = try #require(vector.expected["base"].string)
    let unpacked = try Tool.run(
      "tar",
      ["-xzpf", "\(Vector.root)/bases/\(base).tar.gz", "--no-same-owner", "-C", scene.path]
    )
    try #require(unpacked.status == 0, "\(unpacked.error)")
    try change(scene.path, by: vector)
    let report = try vector.run(["verify", scene.path, "--format", "json"]).json()
    func findings(_ json: JSON) -> [String] {
      json["findings"].array.map { "\($0["kind"].string ?? "?") \($0["path"].string ?? "?")" }
        .sorted()
    }
    #expect(findings(report) == findings(vector.expected))
    let problems = report["problems"].array.compactMap(\.string).map { problem in
      String(problem.prefix { $0 != ":" && $0 != " " })
    }
    #expect(Set(problems) == Set(vector.expected["problems"].array.compactMap(\.string)), "\(problems)")
    let difference = report["audit"]["difference"].string?.components(separatedBy: ": ")
    #expect(difference?.dropFirst().first == vector.expected["audit"].string)
    #expect(report["audit"]["records"].int == vector.expected["records"].int)
  }

  /// Removes, puts, makes and patches files of an unpacked library.
  private func change(_ library: String, by vector: Vector) throws {
    let changes = vector.expected["changes"]
    for path in changes["remove"].array {
      let path = try #require(path.string)
      try FileManager.default.removeItem(atPath: library + "/" + path)
    }
    for (path, file) in changes["put"].object {
      let file = try #require(file.string)
      try FileManager.default.copyItem(atPath: vector.folder + "/" + file, toPath: library + "/" + path)
    }
    for (path, kind) in changes["make"].object {
      let path = library + "/" + path
      let result =
        switch kind.string {
        case "fifo": mkfifo(path, 0o600)
        case "folder": mkdir(path, 0o700)
        default: symlink("/nowhere", path)
        }
      try #require(result == 0, "\(path)")
    }
    for patch in changes["patch"].array {
      let path = library + "/" + (try #require(patch["path"].string))
      let offset = try #require(patch["offset"].int)
      let old = try #require(patch["old"].string.flatMap { UInt8($0, radix: 16) })
      let new = try #require(patch["new"].string.flatMap { UInt8($0, radix: 16) })
      var bytes = try readBytes(path)
      try #require(bytes.indices.contains(offset) && bytes[offset] == old)
      bytes[offset] = new
      let file = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
      try file.write(contentsOf: Data(bytes))
      try file.close()
    }
  }

  @Test("Stored answers are believed, or refused", arguments: Vector.names("answers"))
  func answers(name: String) throws {
    let vector = try Vector(name)
    let home = TemporaryFolder()
    defer { withExtendedLifetime(home) {} }
    let folder = home.path + "/home/mediabatch"
    try FileManager.default.createDirectory(
      atPath: folder,
      withIntermediateDirectories: true,
      attributes: [.posixPermissions: 0o700]
    )
    let store = folder + "/answers.sqlite"
    try FileManager.default.copyItem(atPath: vector.folder + "/answers.sqlite", toPath: store)
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: store)
    let outcome = try Scene.program(["access", "list", "--format", "json"], in: home.path)
    #expect(outcome.code == vector.exitCode, "\(outcome.streams)")
    guard vector.isGood else { return }
    #expect(try outcome.json()["answers"].array.count == vector.expected["answers"].int)
  }
}
