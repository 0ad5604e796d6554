import Foundation
import MediaTestSupport
import Testing

/// The filters of system calls, as the kernel gets them.
///
/// `sandbox-probe filter KIND` prints the instructions of one; `diff` shows which ones a change of the rules
/// alters. A viewer has the filter of the coordinator, the reader of a Photos library that of a worker.
@Suite("The system calls that each kind of process may make")
struct FilterTests {
  /// What the sums below depend on beside the rules.
  private static let writer = "2.5.4 x86_64"

  @Test(
    "A filter has the instructions that were reviewed, and no others",
    .enabled(if: (try? Probe.run("filter")) == [writer], "the sums are those of libseccomp \(writer)"),
    arguments: [
      ("coordinator", 394, "d44475c7554c9185bb8cfc319d2f0153cec5cc07f762e51cb1011ea05a3ca35a"),
      ("worker", 180, "d816efb7560ac70d3b4bb5cb1a07383e8eafa0073385384156c2d474abffe621"),
      ("picker", 77, "ef9da36e0f95946d0ee583330988ea1e926ee56b496b71e3ea2440712edc1fdd"),
      ("page", 107, "9d0991f4391071a03f487500b9e341308b862cb56bb4af5989a2f8f1152c9a64"),
      ("times", 87, "cefe14ab8bbc499d716fb3c6587724f840a12635ebce84b2a9ed0db55c93a5a0"),
      ("watcher", 92, "4609f23263df75aa1fce8baec7283a551172693f82cc92c101cba95ac36ef104"),
      ("camera", 197, "e45e086beb16a259106508a2f04c0efcfa5ef95c63860e80c95c45ac71d7f783"),
    ]
  )
  func instructions(kind: String, count: Int, sum: String) throws {
    #expect(try Probe.run("filter", kind).count == count)
    let script = "\"$1\" filter \"$2\" | sha256sum"
    let result = try Tool.run("sh", ["-c", script, "sh", Probe.path(), kind])
    #expect(result.output.prefix(64) == sum)
  }
}
