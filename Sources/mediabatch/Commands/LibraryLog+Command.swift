internal import ArgumentParser
internal import MediaAudit
internal import MediaFileSystem
internal import MediaLibrary
internal import MediaModel
internal import MediaPipeline
internal import MediaReports
internal import MediaSyntax
internal import MediaVerification

extension LibraryLog {
  /// Runs `body` with the log of a library, whose catalogue may be gone; an error ends the command.
  static func forCommand(_ library: [UInt8], _ body: (LibraryLog) throws -> Void) throws {
    try Console.endingOnError {
      let log = try LibraryLog(library: library) { error in
        Console.note(
          "\(error) The log was checked without it: only --expect-head shows that it was not cut at its end, and "
            + "--trust who signed it."
        )
      }
      try body(log)
    }
  }
}

/// An error that ends a command with a code of its own.
protocol CommandError: Error {
  var exitCode: RunExitCode { get }
}

/// The reason for which a command ends, and nothing else: what happened and what to do.
struct CommandFailure: CommandError, CustomStringConvertible {
  let description: String
  let exitCode: RunExitCode

  init(_ description: String, _ exitCode: RunExitCode = .usage) {
    (self.description, self.exitCode) = (description, exitCode)
  }
}

extension LibraryError: CommandError {}

extension RunError: CommandError {}

/// The error of a call that found no room, wherever in a command it was made.
private struct NoRoomError: CommandError, CustomStringConvertible {
  let description: String
  var exitCode: RunExitCode { .cannotWrite }

  /// - Returns: Nil for any other error.
  init?(_ error: any Error) {
    switch error {
    case let error as FileSystemError where error.isOutOfSpace:
      description = "\(error). \(Self.advice)"
    case let error as AuditError where error.code == .noSpace:
      description = "\(error) \(Self.advice)"
    default: return nil
    }
  }

  private static let advice = "Make room on that file system, then repeat the command."
}

extension ReportError: CommandError {
  var exitCode: RunExitCode { .usage }
}

extension Console {
  /// Runs the part of a command that reads a library; an error is printed and ends the command, with 74
  /// where no room is left, and else with 65 unless it has a code of its own.
  ///
  /// With the schema of a command's JSON an object tells the error on stdout too.
  static func endingOnError<Value>(
    telling schema: JSONValue? = nil,
    _ body: () throws -> Value
  ) throws -> Value {
    do {
      return try body()
    } catch {
      guard !(error is ExitCode), !(error is OptionWordError) else { throw error }
      let stop: any Error = NoRoomError(error) ?? error
      let text = "\(stop)"
      if !text.isEmpty { note(text) }
      let code = (stop as? any CommandError)?.exitCode ?? .differencesFound
      if let schema {
        output([
          "schema": schema, "ok": false, "exitCode": code.json,
          "problems": [.string(text)],
        ])
      }
      throw ExitCode(code.rawValue)
    }
  }
}
