import Foundation
import MediaSandbox
import MediaTestSupport
import Testing

@Suite(
  "Landlock of another age",
  .enabled(if: Probe.canEnforce, "no Landlock or seccomp here"),
  .enabled(
    if: KernelSupport.probe().landlockABI >= 6,
    "an older Landlock can only be played on a newer one"
  ),
  .enabled(if: getuid() == 0, "a worker's memory is read to play an older Landlock: root's alone")
)
struct OlderKernelTests {
  /// Runs the helper program on a kernel of another age.
  private func probe(_ kernel: String, _ arguments: String...) throws -> [String] {
    try Probe.run(["on-kernel", kernel, Probe.path()] + arguments)
  }

  @Test(
    "An older Landlock refuses what came after it, as that kernel did",
    arguments: [
      (1, 1, "enforced"), (1, 2, "layerRefused EINVAL"), (2, 3, "layerRefused EINVAL"),
      (3, 4, "layerRefused E2BIG"), (4, 5, "layerRefused EINVAL"), (5, 6, "layerRefused E2BIG"),
      (6, 6, "enforced"), (2, 7, "layerRefused E2BIG"),
    ]
  )
  func playsItsAge(abi: Int, asked: Int, answer: String) throws {
    #expect(try probe("landlock-\(abi)", "asks-for", "\(asked)") == [answer])
  }

  @Test(
    "What an older Landlock does not refuse is what the text says, and really is open",
    arguments: 2...6
  )
  func weaknesses(abi: Int) throws {
    let stage = try Stage()
    let output = try probe("landlock-\(abi)", "newer-rights", stage.folder)
    #expect(
      output == [
        abi < 3 ? "cut worked" : "cut EACCES",
        // ENOTTY is the device's own answer: nothing refused to ask it.
        abi < 5 ? "device ENOTTY" : "device EACCES",
        abi < 6 ? "signal worked" : "signal EPERM",
      ]
    )
    let names = KernelSupport(landlockABI: abi, seccomp: true, kernelRelease: "").weaknesses
    // The list of system calls refuses commands to devices, whatever Landlock does.
    let open = zip(["cutting files", "signals"], [output[0], output[2]])
      .filter { !$1.hasSuffix("EACCES") && !$1.hasSuffix("EPERM") }.map(\.0)
    #expect(names == open)
  }

  @Test("All that is tried on an older Landlock is refused by it", arguments: 2...6)
  func attempts(abi: Int) throws {
    for verb in ["coordinator", "coordinator-spawns"] {
      let stage = try Stage()
      let text = try probe("landlock-\(abi)", verb, stage.folder).filter { $0.contains("\t") }
        .joined(separator: "\n")
      let attempts = try #require(Attempt.attempts(fromLines: text))
      #expect(attempts.count >= 110)
      for attempt in attempts { #expect(attempt.refused, "\(attempt.name): \(attempt.detail)") }
    }
  }

  @Test("The first Landlock is too old for a coordinator, and confines a worker all the same")
  func firstLandlock() throws {
    #expect(
      try probe("landlock-1", "support")
        == ["abi 1", "seccomp true", "error landlockUnavailable "]
    )
    #expect(try probe("landlock-1", "asks-for", "1") == ["enforced"])
  }

  @Test(
    "Without Landlock or seccomp nothing is half confined",
    arguments: ["no-landlock-38", "no-landlock-95", "no-seccomp-38", "no-seccomp-22"]
  )
  func without(kernel: String) throws {
    let stage = try Stage()
    let lines = try probe(kernel, "coordinator", stage.folder)
    #expect(lines.count == 1)
    #expect(lines.first?.hasPrefix("error ") == true)
  }
}
