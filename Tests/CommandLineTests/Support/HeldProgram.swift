import Foundation
import Glibc
import MediaTestSupport
import Testing

/// mediabatch under strace, which stops it behind chosen system calls until the test lets it go on.
///
/// Only calls of the coordinator's main thread are looked at. A stop holds all of its threads; its
/// workers go on with the items they have. Source: strace(1), `inject` with `signal`.
final class HeldProgram {
  /// A call behind which the program stands still.
  struct Call {
    /// As the kernel calls it.
    let name: String
    /// The absolute path of what it names or reads.
    let path: String
    /// Whether it looks up a name, not a file that is open.
    let isLookup: Bool
    /// The line that strace writes about it.
    let line: String
  }

  private let strace: RunningProgram
  private let scratch = TemporaryFolder()
  private let trace: Int32
  private var unread: [UInt8] = []
  private var isStopped = false

  /// Starts mediabatch with `arguments`. The names of the `calls` have commas between them; of them
  /// those count that name one of the `paths` as it is written, or an open file of that path. `through`
  /// is a program with its arguments that becomes strace.
  init(
    _ arguments: [String],
    in folder: String,
    calls: String,
    paths: [String] = [],
    through: [String] = []
  ) throws {
    let fifo = scratch.path + "/trace"
    try #require(mkfifo(fifo, 0o600) == 0)
    trace = open(fifo, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    try #require(trace >= 0)
    strace = try RunningProgram(
      "/usr/bin/env",
      through + [
        "strace", "-qq", "-y", "-s", "4096", "-e", "trace=" + calls, "-e", "signal=SIGSTOP", "-e",
        "inject=\(calls):signal=SIGSTOP", "-o", fifo,
      ] + paths.flatMap { ["-P", $0] } + [try Scene.executable()] + arguments,
      in: folder
    )
  }

  deinit {
    if isStopped || !strace.hasEnded() { kill(SIGKILL) }
    close(trace)
  }

  /// The coordinator, once it has stood still.
  private(set) var pid: pid_t = 0

  /// Lets the program go on to its next call; nil when it has ended.
  ///
  /// - Throws: An error when neither comes within four minutes.
  func next() throws -> Call? {
    release()
    var call: Call?
    while let line = try line() {
      if let parsed = Call(line) {
        call = parsed
      } else if line.contains("--- stopped by SIGSTOP ---") {
        if pid == 0 { pid = try #require(strace.children.first) }
        isStopped = true
        if let call { return call }
        release()
      }
    }
    return nil
  }

  /// Lets the program go on until it stands behind a call that `isWanted`; nil when it has ended.
  func next(where isWanted: (Call) -> Bool) throws -> Call? {
    while let call = try next() {
      if isWanted(call) { return call }
    }
    return nil
  }

  /// Sends the program a signal; while it stands still, it is dealt with as it goes on. With SIGKILL this waits for its
  /// end, until which it holds its locks.
  func kill(_ signal: Int32) {
    guard pid > 0 else { return }
    Glibc.kill(pid, signal)
    // strace's end says nothing: it ends at once where the signal comes before its own PTRACE_LISTEN, which then fails.
    if signal == SIGKILL { _ = waits(seconds: 20) { RunningProgram.hasEnded(pid) } }
  }

  /// The workers that the program has started and that have not ended.
  var workers: [pid_t] { RunningProgram.workers(of: pid) }

  /// Lets the program go on to its end.
  func wait(_ location: SourceLocation = #_sourceLocation) throws -> Outcome {
    while try next() != nil {}
    return try strace.wait(location)
  }

  private func release() {
    if isStopped { Glibc.kill(pid, SIGCONT) }
    isStopped = false
  }

  /// The next line of strace; nil when it has ended.
  private func line() throws -> String? {
    while true {
      if let end = unread.firstIndex(of: UInt8(ascii: "\n")) {
        defer { unread.removeSubrange(...end) }
        return String(decoding: unread[..<end], as: UTF8.self)
      }
      var entry = pollfd(fd: trace, events: Int16(POLLIN), revents: 0)
      try #require(poll(&entry, 1, 240_000) > 0, "the program has made no call for minutes")
      var buffer = [UInt8](repeating: 0, count: 1 << 16)
      let count = read(trace, &buffer, buffer.count)
      if count <= 0 { return nil }
      unread += buffer.prefix(count)
    }
  }
}

extension HeldProgram.Call {
  /// Reads a line like `statx(18</folder>, "name", …) = 0`; nil when it is no call.
  init?(_ line: String) {
    guard let open = line.firstIndex(of: "("), line.first?.isLetter == true else { return nil }
    self.line = line
    name = String(line[..<open])
    let pieces = line[line.index(after: open)...]
      .split(separator: "\"", maxSplits: 2, omittingEmptySubsequences: false)
    let text = pieces.count == 3 ? String(pieces[1]) : ""
    isLookup = !text.isEmpty
    var folder = ""
    if let start = pieces[0].firstIndex(of: "<"), let end = pieces[0].firstIndex(of: ">") {
      folder = String(pieces[0][pieces[0].index(after: start)..<end])
    }
    path = !isLookup ? folder : text.hasPrefix("/") ? text : folder + "/" + text
  }
}

/// Exchanges two names in one step: there is no moment at which one of them is missing.
///
/// Source: renameat2(2), RENAME_EXCHANGE, which Swift's Glibc module does not have.
/// - Returns: 0, or -1 and `errno`.
func exchange(_ path: String, _ other: String) -> Int32 {
  typealias Function =
    @convention(c) (Int32, UnsafePointer<CChar>, Int32, UnsafePointer<CChar>, UInt32) -> Int32
  guard let symbol = dlsym(nil, "renameat2") else { return -1 }
  return unsafeBitCast(symbol, to: Function.self)(AT_FDCWD, path, AT_FDCWD, other, 2)
}

/// A moment of a run: before one of the calls that change files or talk to workers.
struct RunMoment: CustomStringConvertible {
  static let calls = [
    "openat2", "mkdirat", "write", "pwrite64", "fdatasync", "syncfs", "linkat", "renameat2",
    "unlinkat", "ftruncate", "sendmsg",
  ]

  let call: String
  /// Which call of that name it is, from 1.
  let number: Int

  var description: String { "\(call) number \(number)" }

  /// Moments spread evenly over an undisturbed run, from its first call almost to its last.
  static func spread(over arguments: [String], in folder: String, count: Int) throws -> [RunMoment] {
    let scratch = TemporaryFolder()
    let log = scratch.path + "/trace"
    let traced = try RunningProgram(
      "/usr/bin/env",
      [
        "strace", "-qq", "-e", "trace=" + calls.joined(separator: ","), "-e", "signal=none", "-o",
        log, try Scene.executable(),
      ] + arguments,
      in: folder
    )
    try traced.wait()
    var numbers: [String: Int] = [:]
    let moments = String(decoding: try readBytes(log), as: UTF8.self).split(separator: "\n")
      .compactMap { line -> RunMoment? in
        let name = String(line.prefix { $0 != "(" })
        guard calls.contains(name) else { return nil }
        numbers[name, default: 0] += 1
        return RunMoment(call: name, number: numbers[name] ?? 1)
      }
    try #require(moments.count > count)
    // How many calls a run makes differs a little with its workers' pace.
    let last = moments.count * 9 / 10
    return (0..<count).map { moments[$0 * last / count] }
  }

  /// Starts mediabatch, which is killed, or gets another signal, at this moment.
  func kill(
    _ arguments: [String],
    in folder: String,
    by signal: String = "SIGKILL"
  ) throws -> RunningProgram {
    try RunningProgram(
      "/usr/bin/env",
      [
        "strace", "-qq", "-e", "trace=" + call, "-e", "signal=none",
        "-e", "inject=\(call):signal=\(signal):when=\(number)", "-o", "/dev/null",
        try Scene.executable(),
      ] + arguments,
      in: folder
    )
  }
}

extension RunningProgram {
  /// The workers that the program has started and that have not ended.
  var workers: [pid_t] { Self.workers(of: pid) }

  /// The processes that a process has started, that have not ended and that are another program: the
  /// one that sets times is the same.
  static func workers(of pid: pid_t) -> [pid_t] {
    func program(_ pid: pid_t) -> String? {
      try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(pid)/exe")
    }
    let own = program(pid)
    return children(of: pid).filter { program($0) != own }
  }
}
