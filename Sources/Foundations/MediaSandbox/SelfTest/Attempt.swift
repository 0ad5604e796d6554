private import Glibc

/// One attempt of a confined process to circumvent confinement, and the kernel's answer.
package struct Attempt: Sendable, Hashable {
  /// The action, such as `open a refused file by its absolute path`.
  package var name: String
  /// True only when the kernel denied it: an attempt that failed for another reason, such as a
  /// missing file, proves nothing and is not refused.
  package var refused: Bool
  /// The kernel's answer, such as `EACCES`, or `worked`.
  package var detail: String

  /// Makes an attempt of another process.
  package init(name: String, refused: Bool, detail: String) {
    self.name = name
    self.refused = refused
    self.detail = detail
  }

  /// Makes an attempt from its errno, 0 when it succeeded.
  init(_ name: String, _ number: Int32) {
    self.name = name
    refused = Self.refusals.contains(number)
    detail = number == 0 ? "worked" : errorName(number)
  }

  /// EACCES is Landlock's answer, EPERM the filter's; EXDEV is Landlock's for a link or a rename.
  private static let refusals: Set<Int32> = [EACCES, EPERM, EXDEV]

  /// The attempt as the line that a confined worker sends to the coordinator.
  package var line: String {
    "\(verdict)\t\(detail)\t\(name)\n"
  }

  /// `refused`, or the word for another result.
  package var verdict: String { refused ? "refused" : "NOT REFUSED" }

  /// Parses the attempts from lines; nil when one of them is malformed.
  package static func attempts(fromLines text: String) -> [Attempt]? {
    var attempts: [Attempt] = []
    for line in text.split(separator: "\n") {
      let fields = line.split(separator: "\t", maxSplits: 2)
      guard fields.count == 3 else { return nil }
      attempts.append(
        Attempt(name: String(fields[2]), refused: fields[0] == "refused", detail: String(fields[1]))
      )
    }
    return attempts
  }
}
