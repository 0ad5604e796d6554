// A program that the tests of MediaSandbox start, since confinement cannot be taken back: each verb
// confines itself in one way, tries something, and prints what it saw. Never installed.
import MediaSandbox

let arguments = WorkerProcess.ownArguments
do {
  try run(verb: arguments.first ?? "", arguments: Array(arguments.dropFirst()))
} catch {
  say("error \(error.code.rawValue) \(error.numberName)")
}
