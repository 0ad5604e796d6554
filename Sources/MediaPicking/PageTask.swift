internal import MediaModel

/// The content of a page for a person, and the answers that it offers.
///
/// The coordinator makes every text safe (``TerminalText``); the page escapes it for HTML.
package struct PageTask: Sendable, Hashable {
  /// An answer that the page offers.
  package enum Choice: String, CaseIterable, Sendable, Hashable {
    case allow
    case select
    /// The selection of an earlier answer stays allowed.
    case keep
    case deny
    case later
  }

  /// The first argument of the process that shows a page.
  package static let processArgument = "asking-page"
  /// The length of a message in bytes.
  package static let maximumLength = 64 << 10

  /// The 64 hexadecimal digits that the first address ends with.
  package var token = ""
  /// The token of the question behind this one; empty for the last.
  package var next = ""
  /// The only host that the page answers to, such as `127.0.0.1:8042`; empty for any name of this
  /// machine, since the port of a tunnel is its other end's.
  package var authority = ""
  /// The question, a sentence without its end.
  package var heading = ""
  package var clientName = ""
  /// Empty when there is no folder.
  package var folder = ""
  package var usageDescription = ""
  /// Whole sentences on what has changed since an earlier answer, or empty.
  package var changes = ""
  /// Whole sentences on the status that applies now, or empty.
  package var status = ""
  package var choices: [Choice] = []
  /// The most items that may be picked, 1 to ``PickRequest/maximumLimit``.
  package var maximumCount = PickRequest.maximumLimit
  /// Whether names have pictures beside them.
  package var showsPictures = false
  /// The seconds after which a page ends that nobody has asked for anything.
  package var idleSeconds = 600

  /// Makes a task that offers nothing.
  package init() {}

  /// Returns 32 random bytes of the kernel's generator, as hexadecimal digits.
  package static func makeToken() -> String {
    Hexadecimal.text((0..<32).map { _ in UInt8.random(in: .min ... .max) })
  }

  /// The fields, each ended by NUL, behind four bytes of length, the lowest first.
  package var message: [UInt8] {
    let texts = [
      token, next, authority, heading, clientName, folder, usageDescription, changes, status,
      choices.map(\.rawValue).joined(separator: " "), String(maximumCount),
      showsPictures ? "1" : "0",
      String(idleSeconds),
    ]
    let fields = texts.flatMap { Array($0.utf8.filter { $0 != 0 }) + [0] }
    return (0..<4).map { UInt8(truncatingIfNeeded: fields.count >> (8 * $0)) } + fields
  }

  /// Reads the fields of ``message``; nil for bytes that are none.
  package init?(fields: [UInt8]) {
    let texts = fields.split(separator: 0, omittingEmptySubsequences: false)
      .map { String(decoding: $0, as: UTF8.self) }
    guard texts.count == 14, let count = Int(texts[10]), let seconds = Int(texts[12]),
      (1...PickRequest.maximumLimit).contains(count), seconds > 0, texts[0].utf8.count == 64
    else { return nil }
    token = texts[0]
    next = texts[1]
    authority = texts[2]
    heading = texts[3]
    clientName = texts[4]
    folder = texts[5]
    usageDescription = texts[6]
    changes = texts[7]
    status = texts[8]
    choices = texts[9].split(separator: " ").compactMap { Choice(rawValue: String($0)) }
    maximumCount = count
    showsPictures = texts[11] == "1"
    idleSeconds = seconds
  }
}
