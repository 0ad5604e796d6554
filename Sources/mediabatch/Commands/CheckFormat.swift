internal import ArgumentParser
internal import MediaModel
internal import MediaPipeline
internal import MediaReports

/// The output formats of `check`.
enum CheckFormat: String, ExpressibleByArgument, CaseIterable {
  case text
  /// Exactly one JSON object on stdout.
  case json
  /// A SARIF 2.1.0 log on stdout, for code scanning and editors.
  case sarif
}

extension LoadedManifest {
  /// Reads a manifest, or says every mistake in the format that was asked for and ends with 78.
  static func orExit(
    _ path: String,
    policies: [String] = [],
    format: CheckFormat
  ) throws -> LoadedManifest {
    switch format {
    case .text: return try orExit(path, policies: policies, format: OutputFormat.text)
    case .json: return try orExit(path, policies: policies, format: OutputFormat.json)
    case .sarif:
      do {
        return try LoadedManifest(path: path, policies: policies)
      } catch {
        for mistake in error.mistakes { Console.note(mistake.text) }
        Console.output(CheckSARIF.log(error.mistakes, in: path).value)
        throw ExitCode(RunExitCode.manifestMistake.rawValue)
      }
    }
  }
}
