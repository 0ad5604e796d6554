internal import Glibc
internal import MediaSandbox
internal import MediaWeb

// The coordinator starts this program; it is of no use to a person. It takes a socket that listens,
// confines itself while it has one thread, and answers one person's browser.

// A browser that has gone is an error of write(2).
signal(SIGPIPE, SIG_IGN)
let arguments = WorkerProcess.ownArguments
if arguments.first == "--self-test" {
  exit(PageProcess.selfTest(SelfTestStage(folder: arguments.dropFirst().first ?? "")))
}
exit(PageProcess.run())
