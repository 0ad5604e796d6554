internal import Foundation
internal import Glibc
internal import MediaModel
internal import MediaSandbox
internal import MediaSyntax

/// The results of trying to escape confinement, in a separate process, since it is permanent.
struct EnforcementTrial {
  /// The two kinds of process that are tried.
  static let kinds = ["coordinator", "worker"]

  /// The attempts of each kind of process, in order; empty when it could not be confined.
  private(set) var attempts: [String: [Attempt]] = [:]
  /// Why there are no attempts, as the process said it; empty when there are.
  private(set) var problem = ""
  private let hasEndedWell: Bool

  /// Runs the self-test, in a folder of its own that is gone afterwards.
  ///
  /// - Throws: When the folder or the process cannot be made.
  init() throws {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
    let folder = FileManager.default.temporaryDirectory.path + "/mediabatch-self-test-\(getpid())"
    try FileManager.default.createDirectory(
      atPath: folder,
      withIntermediateDirectories: true,
      attributes: [.posixPermissions: 0o700]
    )
    defer { try? FileManager.default.removeItem(atPath: folder) }
    process.arguments = ["self-test", folder]
    let output = Pipe()
    process.standardOutput = output
    // The reason of a failure, one line: a pipe holds it until the process has ended.
    let error = Pipe()
    process.standardError = error
    try process.run()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    hasEndedWell = process.terminationReason == .exit && process.terminationStatus == 0
    for kind in Self.kinds {
      let lines = text.split(separator: "\n").filter { $0.hasPrefix(kind + "\t") }
        .map { $0.dropFirst(kind.utf8.count + 1) }
      attempts[kind] = Attempt.attempts(fromLines: lines.joined(separator: "\n")) ?? []
    }
    if !hasEndedWell {
      problem = String(decoding: error.fileHandleForReading.availableData, as: UTF8.self)
        .split(separator: "\n").joined(separator: " ")
    }
  }

  /// Whether both kinds tried and were refused everything.
  var isHeld: Bool {
    hasEndedWell
      && Self.kinds.allSatisfy { kind in
        attempts[kind]?.isEmpty == false && refused(kind) == attempts[kind]?.count
      }
  }

  /// Returns the number of refused attempts of one kind of process.
  func refused(_ kind: String) -> Int { attempts[kind, default: []].count(where: \.refused) }

  /// Lines for a person: the counts, and each attempt, or each that was not refused.
  func text(all: Bool) -> String {
    let counts = Self.kinds.map { kind in
      "\(kind) \(refused(kind)) of \(attempts[kind, default: []].count)"
    }
    var lines = [
      "enforcement: ways past it that were refused: " + counts.joined(separator: ", ")
        + (isHeld ? "" : "; THIS MACHINE DOES NOT ENFORCE")
    ]
    if !problem.isEmpty { lines.append("  " + problem) }
    for kind in Self.kinds {
      for attempt in attempts[kind, default: []] where all || !attempt.refused {
        lines.append("  \(kind)  \(attempt.verdict)  \(attempt.detail)  \(attempt.name)")
      }
    }
    return lines.joined(separator: "\n")
  }

  /// The same as an object; `all` adds each attempt.
  func json(all: Bool) -> JSONValue {
    var members: [String: JSONValue] = ["isHeld": .bool(isHeld)]
    if !problem.isEmpty { members["problem"] = .string(problem) }
    for kind in Self.kinds {
      let tried = attempts[kind, default: []]
      members[kind] = [
        "tried": JSONValue(tried.count), "refused": JSONValue(refused(kind)),
        "ways": .array(
          tried.filter { all || !$0.refused }.map { attempt in
            [
              "name": .string(attempt.name), "refused": .bool(attempt.refused),
              "answer": .string(attempt.detail),
            ]
          }
        ),
      ]
    }
    return .object(members)
  }
}
