internal import MediaFileSystem
internal import MediaPipeline
internal import MediaSandbox
internal import MediaSyntax

extension EnforcementTrial {
  /// Lines for a person: the counts, and each attempt, or each that was not refused.
  func text(all: Bool) -> String {
    let counts = Self.kinds.map { kind in
      "\(kind) \(refused(kind)) of \(attempts[kind, default: []].count)"
    }
    var lines = [
      "enforcement: attempts to get out that were refused: " + counts.joined(separator: ", ")
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
      let trials = attempts[kind, default: []]
      members[kind] = [
        "tried": JSONValue(trials.count), "refused": JSONValue(refused(kind)),
        "ways": .array(
          trials.filter { all || !$0.refused }.map { attempt in
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

extension DecoderTrial {
  /// Lines for a person: the formats that work, then each that is missing.
  var text: String {
    guard hasWorker else {
      return "decoders: mediabatch-worker is not beside this program; install both."
    }
    return missing.reduce("decoders: \(works.joined(separator: ", "))") {
      $0 + "\ndecoder missing: \($1.format); install what it needs: \($1.reason)"
    }
  }
}

extension LibraryCondition {
  /// Lines for a person: the catalogue, then the file system.
  var lines: [String] {
    let state = problems.joined(separator: "; ")
    let catalogue =
      isReadable ? "its catalogue is \(problems.isEmpty ? "whole" : state)" : state
    let space =
      switch room {
      case .success(let room): "\(room.bytes >> 20) MiB and \(room.files) files free"
      case .failure(let error): FileSystemError.text(error.errno)
      }
    return ["library: " + catalogue, "file system: " + space]
  }
}
