import Foundation
import MediaTestSupport
import Testing

/// Where the code of each module is in a program, as scripts/link-programs.py writes it.
private struct CodeMap {
  private let parts: [(range: Range<Int>, module: String)]

  init(of program: String) throws {
    let text = try String(contentsOfFile: program + ".modules", encoding: .utf8)
    parts = text.split(separator: "\n").compactMap { line in
      let fields = line.split(separator: " ")
      guard fields.count == 3, let begin = Int(fields[0]), let end = Int(fields[1]), begin <= end
      else { return nil }
      return (begin..<end, String(fields[2]))
    }
  }

  /// The module of the function that returns to an offset in the program's file; nil for one that modules share.
  func module(returningTo offset: Int) -> String? {
    parts.first { $0.range.contains(offset - 1) }?.module
  }
}

extension Has {
  /// Whether strace shows stacks, and the code of the programs has a map.
  static let stacks =
    strace
    && (try? Tool.run("strace", ["-k", "-qq", "-o", "/dev/null", "true"]).status) == 0
    && (try? BuiltProgram.path("mediabatch")).map {
      FileManager.default.fileExists(atPath: $0 + ".modules")
    } == true
}

/// A photo's way through the floors, by the stacks of the system calls that name it.
@Suite("The floors that a photo passes", .enabled(if: Has.stacks, "no strace -k"))
struct FloorTraceTests {
  /// The floor of each module.
  private static func floors() throws -> [String: String] {
    let sources = DocumentBlock.project + "/Sources/"
    var floors: [String: String] = [:]
    for floor in ["Foundations", "Formats", "Gate", "Library", "Import", "Sharing"] {
      for module in try FileManager.default.contentsOfDirectory(atPath: sources + floor) {
        floors[module] = floor
      }
    }
    return floors
  }

  /// A system call with the frames of its stack, the innermost first.
  private struct Call {
    var text: String
    var stack: [String] = []
  }

  /// The system calls of a trace that have a text in them.
  private static func calls(_ trace: String, naming name: String) -> [Call] {
    var calls: [Call] = []
    var begun: [Substring: String] = [:]
    // The stack of an interrupted call stands behind its end.
    var hasCall = false
    for line in trace.split(separator: "\n") {
      if line.hasPrefix(" > ") {
        if hasCall { calls[calls.count - 1].stack.append(String(line.dropFirst(3))) }
        continue
      }
      let process = line.prefix { $0 != " " }
      hasCall = !line.hasSuffix("<unfinished ...>")
      if hasCall {
        calls.append(Call(text: (begun.removeValue(forKey: process) ?? "") + line))
      } else {
        begun[process] = String(line)
      }
    }
    return calls.filter { $0.text.contains(name) }
  }

  @Test("A photo goes down to the formats and up once, and is published by the library")
  func photo() throws {
    let scene = Scene(policy: "strip")
    scene.setThumbnails([("grid", 64, 64, "aspectFill")])
    try scene.declare("camera")
    try scene.put("sources/camera/one-photo.jpg", copyOf: Samples.harbour)
    try scene.writeManifest()
    let trace = scene.at("trace")
    let run = try Tool.run(
      "strace",
      [
        "-f", "-k", "-qq", "-y", "-s", "0", "-e", "signal=none", "-e",
        "trace=openat2,sendmsg,recvmsg,mmap,pread64,write,renameat2", "-o", trace,
        try Scene.executable(), "run", "manifest.json",
      ],
      environment: Scene.environment(in: scene.path),
      in: scene.path
    )
    try Outcome(run).expect(0)

    let floors = try Self.floors()
    var maps: [String: CodeMap] = [:]
    for program in ["mediabatch", "mediabatch-worker"] {
      maps[program] = try CodeMap(of: BuiltProgram.path(program))
    }
    /// The module of a frame such as `/folder/mediabatch() [0x6173e0]`.
    func module(_ frame: String) -> String? {
      let parts = frame.split(separator: " ")
      guard let place = parts.last, place.hasPrefix("[0x"), place.hasSuffix("]"),
        let offset = Int(place.dropFirst(3).dropLast(), radix: 16),
        let file = frame.split(separator: "(").first?.split(separator: "/").last
      else { return nil }
      return maps[String(file)]?.module(returningTo: offset)
    }
    var passed: [String] = []
    let text = String(decoding: try readBytes(trace), as: UTF8.self)
    for call in Self.calls(text, naming: "one-photo.jpg") {
      let modules = call.stack.compactMap(module)
      // Every floor rests on the foundations.
      let floor = modules.compactMap { floors[$0] }.first { $0 != "Foundations" }
      guard let floor else { continue }
      print("\(floor): \(modules.reversed().joined(separator: " ")): \(call.text.prefix(120))")
      if passed.last != floor { passed.append(floor) }
    }
    #expect(passed == ["Import", "Formats", "Import", "Library"])
  }
}
