internal import MediaPicking

/// Asks a person at a terminal, before any source is opened.
package enum Prompt {
  /// A time for a person to come back and read; after it nothing is decided.
  package static let defaultTimeoutSeconds = 300

  /// A person needs at least this time to read a question and answer it.
  private static let quietMilliseconds: Int64 = 300

  /// Shows a question and waits for its answer.
  ///
  /// There is no default: any other line, an empty one too, asks again. What was typed or pasted
  /// before the question stood there is discarded.
  ///
  /// - Parameters:
  ///   - question: Its texts may hold anything; they are made safe.
  ///   - terminal: See ``Terminal``.
  ///   - timeout: Seconds for the whole question.
  /// - Returns: `.undecided` after Ctrl-C, Ctrl-D, the time-out, when the terminal is closed or cannot
  ///   be used, and when SIGTERM or SIGQUIT came, which takes effect as this returns.
  package static func ask(
    _ question: Question,
    on terminal: Terminal,
    timeout: Int = Prompt.defaultTimeoutSeconds
  ) -> PromptAnswer {
    let text = QuestionText(question, columns: terminal.size.columns, isUTF8: terminal.isUTF8)
    let deadline = TerminalStream.now() + Int64(timeout) * 1000
    do {
      return try terminal.whileAsking { (stream) throws(ConsentError) in
        do {
          return try ask(text, on: &stream, until: deadline)
        } catch {
          // If the terminal cannot be written to, no person can read the rest.
          try? stream.write("\n" + QuestionText.confirmation(.undecided) + "\n")
          return .undecided
        }
      }
    } catch {
      return .undecided
    }
  }

  private static func ask(
    _ text: QuestionText,
    on stream: inout TerminalStream,
    until deadline: Int64
  ) throws(TerminalStream.End) -> PromptAnswer {
    try stream.write(lines: text.lines)
    while true {
      try stream.discardInput(quietMilliseconds: quietMilliseconds)
      try stream.write(text.answerLine)
      let line = try stream.line(until: deadline)
      if try stream.wasPasted() {
        try stream.write("Several lines came at once, as if pasted; none was taken.\n")
        continue
      }
      if let answer = text.answer(line) {
        try stream.write(QuestionText.confirmation(answer) + "\n")
        return answer
      }
      try stream.write("That is not one of the answers.\n")
    }
  }
}
