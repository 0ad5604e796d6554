// A program for the tests of MediaSandbox, because confinement cannot be undone: each verb confines
// the process in one way, makes some calls, and prints the results. Never installed.
import MediaSandbox

let arguments = WorkerProcess.ownArguments
do {
  try run(verb: arguments.first ?? "", arguments: Array(arguments.dropFirst()))
} catch {
  emit("error \(error.code.rawValue) \(error.numberName)")
}
