import Foundation
import MediaTestSupport
import Testing

/// One system call of the coordinator that fails once, as strace makes it.
struct FailingCall: CustomTestStringConvertible {
  var call: String
  var error: String
  /// Which call of that name, from 1.
  var number: Int

  var testDescription: String { "\(call) number \(number): \(error)" }

  private static let calls = [
    ("syncfs", ["EIO"], 8), ("fdatasync", ["EIO", "ENOSPC"], 14), ("renameat2", ["EIO"], 20),
    ("mkdirat", ["EIO", "EDQUOT"], 30), ("pwrite64", ["EIO", "ENOSPC"], 60),
    ("openat2", ["EIO", "EMFILE"], 120), ("openat", ["EMFILE"], 40), ("write", ["ENOSPC"], 80),
    ("sendmsg", ["ENOBUFS"], 60), ("unlinkat", ["EIO"], 20), ("getdents64", ["EIO"], 12),
    ("ftruncate", ["EIO"], 4), ("statx", ["EIO"], 60), ("clone3", ["EAGAIN"], 3),
  ]

  static let all: [FailingCall] = calls.flatMap { call, errors, last in
    // Without all, the first error, in the middle of the run.
    errors.prefix(Amount.of(1, all: 2)).flatMap { error in
      // Spread over what a run does, from its first calls to its last.
      let numbers =
        Amount.isAll ? Array(stride(from: 1, through: last, by: max(1, last / 12))) : [last / 2]
      return numbers.map { FailingCall(call: call, error: error, number: $0) }
    }
  }
}

@Suite(
  "System calls that fail",
  .serialized,
  .enabled(if: Has.strace && Has.sqlite, "no strace or sqlite3")
)
struct FailingCallTests {
  /// The files that the program opens before it does anything.
  private static let callsOfLoader = Result {
    let trace = ["-f", "-qq", "-e", "trace=openat", "-e", "signal=none"]
    let run = try Tool.run("strace", trace + [try Scene.executable(), "--version"])
    return run.error.split(separator: "\n").count { $0.contains("openat(") }
  }

  /// What every one of these libraries has to hold in the end.
  private static let undisturbed = Result {
    let scene = try Scene.mixed()
    let library = try scene.choose(library: "Library")
    let outcome = try scene.start().wait()
    return (
      state: try LibraryState(library), failures: try outcome.failures(),
      digests: Set(try scene.originals().map(\.sha256))
    )
  }

  /// Takes seconds: each call fails in a run of its own, and another run follows it.
  @Test(
    "A call that fails once ends in a code and a message, and the next run makes it whole",
    arguments: FailingCall.all
  )
  func failsOnce(failing: FailingCall) throws {
    let scene = try Scene.mixed()
    let library = try scene.choose(library: "Library")
    // The dynamic loader's own come first; how many they are, the release decides.
    let number = failing.number + (failing.call == "openat" ? try Self.callsOfLoader.get() : 0)
    let inject = "\(failing.call):error=\(failing.error):when=\(number)"
    let run = try RunningProgram(
      "/usr/bin/env",
      [
        "strace", "-f", "-qq", "--seccomp-bpf", "-e", "trace=" + failing.call, "-e",
        "signal=none", "-e", "inject=" + inject, "-o", "/dev/null",
        try Scene.executable(), "run", "manifest.json", "--format", "json", "--workers", "1",
      ],
      in: scene.path
    )
    let outcome = try run.wait()
    #expect([0, 3, 66, 69, 70, 74, 78].contains(outcome.code), "\(outcome.streams)")
    if ![0, 3].contains(outcome.code) {
      #expect(outcome.error.contains { $0.isLetter }, "it says nothing")
    }
    let next = try scene.start().wait()
    // What the first run said of files that cannot be imported is not said again.
    #expect(next.code == 3 || next.code == 0 && outcome.code == 3, "\(next.streams)")
    try LibraryState.expectWhole(library)
    let wanted = try Self.undisturbed.get()
    #expect(Set(try scene.originals().map(\.sha256)) == wanted.digests, "\(outcome.streams)")
    // A source file that failed at first comes later than its copy, or than its live photo's movie.
    // A run that ended early may have no summary.
    let failures = (try? outcome.failures()) ?? []
    let hasOnlyItsOwnFailures = Set(failures).isSubset(of: wanted.failures)
    if hasOnlyItsOwnFailures {
      #expect(try LibraryState(library) == wanted.state, "\(outcome.streams)")
    }
  }
}
