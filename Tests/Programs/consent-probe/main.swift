// A program that the tests of MediaConsent start at a terminal of their own, since a person is asked on
// the main thread of a process that has one thread. Never installed.
import MediaSandbox

let arguments = WorkerProcess.ownArguments
run(verb: arguments.first ?? "", arguments: Array(arguments.dropFirst()))
