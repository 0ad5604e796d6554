/// The error that stopped a whole run; an error of one item is that item's outcome instead.
package struct RunError: Error, Sendable, CustomStringConvertible {
  /// The exit code of the command.
  package var exitCode: RunExitCode
  /// The stable word for the error.
  package var code: ProblemCode
  /// What happened and what to do, for a person.
  package var description: String

  /// Makes an error; without `exitCode` a command exits with the code's own.
  package init(_ code: ProblemCode, exitCode: RunExitCode? = nil, _ description: String) {
    self.exitCode = exitCode ?? code.exitCode
    self.code = code
    self.description = description
  }

  /// What a run says that is ended by a signal.
  package static let stoppedOnRequest =
    "Stopped on request. What was published stays; run again to go on from here."

  /// The error as a summary lists it.
  package var problem: RunReport.Problem {
    RunReport.Problem(code: code, message: description)
  }
}
