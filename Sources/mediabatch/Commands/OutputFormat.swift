internal import ArgumentParser
internal import MediaManifest
internal import MediaModel
internal import MediaPipeline
internal import MediaSyntax

/// The output formats of a command.
enum OutputFormat: String, ExpressibleByArgument, CaseIterable {
  case text
  /// Exactly one JSON object on stdout.
  case json

  /// Prints a result as an object or as lines.
  func print(
    _ object: @autoclosure () -> JSONValue,
    _ lines: @autoclosure () -> [String]
  ) {
    switch self {
    case .json: Console.output(object())
    case .text: Console.output(lines())
    }
  }
}

extension [String] {
  /// The texts as an array of JSON.
  var json: JSONValue { .array(map { .string($0) }) }
}

extension RunExitCode {
  /// Ends the command with this code, quietly.
  func exit() throws {
    if self != .success { throw end }
  }

  /// The end of a command with this code, for success too.
  var end: ExitCode { ExitCode(rawValue) }

  var json: JSONValue { JSONValue(Int(rawValue)) }
}

extension LoadedManifest {
  /// Reads a manifest, or says every mistake and ends with 78, or with 77 without the signature that it needs.
  static func orExit(
    _ path: PathArgument,
    policies: [PathArgument] = [],
    key: PathArgument? = nil,
    signature: SignatureNeed = .needed,
    format: OutputFormat
  ) throws -> LoadedManifest {
    do {
      return try LoadedManifest(
        path: path.bytes,
        policies: policies.map(\.bytes),
        key: key?.bytes,
        signature: signature
      )
    } catch {
      throw error.reported(in: format)
    }
  }

  /// Whether the manifest, a file that it names or a policy has other bytes by now than those that were read, or
  /// cannot be used any more, as when one of its folders lies in another by now.
  ///
  /// - Parameter options: Those by which it was read.
  /// - Returns: True when it has to be read again, and all be decided anew.
  func isOutdated(by options: LoadingOptions) -> Bool {
    let present = try? LoadedManifest(
      path: givenPath,
      policies: options.policy.map(\.bytes),
      key: options.key.key?.bytes
    )
    guard let present else { return true }
    return [present.sha256, present.infoPlistSHA256, present.localizationsSHA256, present.labelsSHA256]
      != [sha256, infoPlistSHA256, localizationsSHA256, labelsSHA256]
      || present.policySHA256s != policySHA256s
      || present.signerSHA256s != signerSHA256s
      || present.resolvedPath != resolvedPath
  }
}

extension LoadedManifest.Mistakes {
  /// Says the mistakes.
  ///
  /// - Returns: The end of the command.
  func reported(in format: OutputFormat) -> ExitCode {
    for mistake in mistakes { Console.note(mistake.text) }
    let count = mistakes.count
    Console.note("\(count) mistake\(count == 1 ? "" : "s"). Nothing was opened or written.")
    if format == .json {
      Console.output([
        "schema": "mediabatch.mistakes/1",
        "exitCode": exitCode.json,
        "mistakes": .array(
          mistakes.map { mistake in
            [
              "code": .string(mistake.code), "message": .string(mistake.text),
              "line": JSONValue(mistake.line), "column": JSONValue(mistake.column),
              "path": JSONValue(mistake.path),
            ]
          }
        ),
      ])
    }
    return exitCode.end
  }
}
