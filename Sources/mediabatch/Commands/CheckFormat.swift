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
  /// Reads a manifest, or says every mistake in the format that was asked for and ends with 78; among
  /// them what would stop a run of the manifest without them.
  static func orExit(
    _ path: PathArgument,
    policies: [PathArgument] = [],
    closed: ClosedFolders = ClosedFolders([]),
    format: CheckFormat
  ) throws -> LoadedManifest {
    do throws(Mistakes) {
      return try LoadedManifest(path: path.bytes, policies: policies.map(\.bytes), closed: closed)
    } catch {
      var mistakes = error
      mistakes.addDecisions()
      switch format {
      case .text: throw mistakes.reported(in: .text)
      case .json: throw mistakes.reported(in: .json)
      case .sarif:
        for mistake in mistakes.mistakes { Console.note(mistake.text) }
        Console.output(CheckSARIF.log(mistakes.mistakes, in: path.text).value)
        throw mistakes.exitCode.end
      }
    }
  }
}
