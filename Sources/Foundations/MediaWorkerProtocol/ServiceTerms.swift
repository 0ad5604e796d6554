/// What a confined process and the process that started it send each other.
///
/// Both sides have the terms in common, so a process's own modules need not be those of the process that starts it.
package protocol ConversationTerms {
  /// What the process is asked for.
  associatedtype Request: WireValue = NoRequest
  /// What it says. The process that started it trusts none of it.
  associatedtype Answer: WireValue

  /// Whether a file may come with a request.
  static var takesFiles: Bool { get }
}

/// The terms of a process that gets a task before it is confined, and is asked then.
package protocol ServiceTerms: ConversationTerms {
  /// What the process gets before it is confined.
  associatedtype Task: WireValue

  /// The first argument of the program that is the process.
  static var argument: String { get }
  /// How many files come with its task.
  static var fileCounts: ClosedRange<Int> { get }
  /// The most bytes of its task.
  static var longestTask: Int { get }
  /// The most bytes of an answer.
  static var longestAnswer: Int { get }
}

extension ConversationTerms {
  package static var takesFiles: Bool { false }
}

extension ServiceTerms {
  package static var longestTask: Int { FrameReader.maximumLength }
  package static var longestAnswer: Int { FrameReader.maximumLength }
}
