package import MediaModel

/// The error that stops a command on a plan.
package struct ShardingError: Error, Sendable, CustomStringConvertible {
  package var exitCode: RunExitCode
  /// A message for a person: the event and the remedy.
  package var description: String

  /// The shards without a receipt, as array jobs take them, where a merge lacks some.
  package var missing: String?

  package init(_ exitCode: RunExitCode, _ description: String, missing: String? = nil) {
    self.exitCode = exitCode
    self.description = description
    self.missing = missing
  }
}
