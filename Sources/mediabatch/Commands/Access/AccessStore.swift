internal import ArgumentParser
internal import MediaModel
internal import MediaPermissions
internal import MediaSyntax

/// The store of this user's answers, as the `access` commands open it.
enum AccessStore {
  static let schema: JSONValue = "mediabatch.access/1"

  /// Runs `body` with the store, nil where there is none and `mode` makes none, and its place.
  ///
  /// A store that cannot be used is reported, and ends the command.
  static func with<Value>(
    _ mode: AnswerStore.Mode,
    format: OutputFormat,
    _ body: (AnswerStore?, [UInt8]) throws -> Value
  ) throws -> Value {
    do {
      let location = try AnswerStore.ownLocation()
      let store = try AnswerStore.openIfPresent(at: location, mode: mode)
      defer { store?.close() }
      return try body(store, location)
    } catch {
      guard let problem = error as? StoreError else { throw error }
      try stop(problem.exitCode, problem.code.rawValue, problem.description, format: format)
      throw error
    }
  }

  /// Reports why nothing was done, and ends the command.
  static func stop(
    _ exitCode: RunExitCode,
    _ code: String,
    _ message: String,
    format: OutputFormat
  ) throws {
    Console.note(message)
    if format == .json {
      Console.output([
        "schema": schema, "exitCode": exitCode.json,
        "problems": [["code": .string(code), "message": .string(message)]],
      ])
    }
    try exitCode.exit()
  }
}
