internal import MediaFileSystem
internal import MediaManifest
internal import MediaModel
internal import MediaPipeline
internal import MediaReports
internal import MediaSyntax

/// The findings of `check`, at the lines of the manifest.
enum CheckSARIF {
  /// The mistakes of a manifest, or of a file that it names.
  static func log(_ mistakes: [LoadedManifest.Mistakes.Mistake], in path: String) -> SARIFLog {
    SARIFLog(
      tool: BuildInfo.version,
      results: mistakes.map { mistake in
        SARIFLog.Result(
          rule: mistake.code,
          level: .error,
          message: EscapedText.printable(mistake.text),
          path: file(of: mistake, in: path),
          line: mistake.line,
          column: mistake.column,
          identity: mistake.path ?? ""
        )
      }
    )
  }

  /// Returns the widenings of a readable manifest, and the reasons why a run of it would stop.
  static func log(
    _ problems: [RunReport.Problem],
    _ compared: ComparedManifest?,
    in path: String
  ) -> SARIFLog {
    let bytes = (try? FileSystem.readSmallFile([UInt8](path.utf8), limit: 16 << 20)) ?? []
    let positions = JSONPositions(bytes)
    var results = (compared?.widenings ?? []).map { difference in
      let position = positions.position(of: difference.path)
      return SARIFLog.Result(
        rule: "widened",
        level: .error,
        message: "\(difference.path) is widened. \(difference.sentence)"
          + (difference.old.map { " It was \($0)." } ?? "")
          + (difference.new.map { " It is \($0)." } ?? ""),
        path: Array(path.utf8),
        line: position?.line,
        column: position?.column,
        identity: difference.path
      )
    }
    // The widenings are there one by one.
    results += problems.filter { $0.code != .widened }.map { problem in
      SARIFLog.Result(
        rule: problem.code.rawValue,
        level: .error,
        message: EscapedText.printable(problem.message),
        path: Array(path.utf8),
        identity: ""
      )
    }
    return SARIFLog(tool: BuildInfo.version, results: results)
  }

  /// The file that a mistake is in: the manifest, or one beside it, by the name that its line for
  /// people begins with.
  private static func file(
    of mistake: LoadedManifest.Mistakes.Mistake,
    in manifest: String
  ) -> [UInt8] {
    let path = Array(manifest.utf8)
    guard let line = mistake.line, let column = mistake.column,
      let end = mistake.text.occurrences(of: ":\(line):\(column): ").first?.lowerBound
    else { return path }
    let name = String(mistake.text[..<end])
    if name == EscapedText.printable(manifest) { return path }
    let folder = path[..<(path.lastIndex(of: UInt8.slash).map { $0 + 1 } ?? 0)]
    return name.utf8.first == .slash ? Array(name.utf8) : folder + Array(name.utf8)
  }
}
