internal import MediaPicking

/// Asks a person at a terminal for the labels of what a run has imported.
package enum LabelPrompt {
  /// An asset that may get another label.
  package struct Subject: Sendable, Hashable {
    /// The label that it has.
    package var label: String
    /// The path of its file in its source, by its bytes.
    package var path: [UInt8]

    package init(label: String, path: [UInt8]) {
      self.label = label
      self.path = path
    }
  }

  /// Characters of a path that are shown.
  private static let maximumLength = 60

  /// Shows one asset after the other and waits for the label of each; an empty line keeps the one that it
  /// has.
  ///
  /// - Parameters:
  ///   - subjects: Their texts may hold anything; they are made safe.
  ///   - terminal: See ``Terminal``.
  ///   - timeout: Seconds for each asset.
  /// - Returns: The line for each asset that was asked for, nil for one that keeps its label; shorter than
  ///   `subjects` after Ctrl-C, Ctrl-D, the time-out, and when the terminal is closed.
  package static func ask(
    _ subjects: [Subject],
    on terminal: Terminal,
    timeout: Int = Prompt.defaultTimeoutSeconds
  ) -> [String?] {
    let text = TerminalText(isUTF8: terminal.isUTF8)
    var answers: [String?] = []
    try? terminal.whileAsking { (stream) throws(ConsentError) in
      do throws(TerminalStream.End) {
        try stream.write(lines: [
          "",
          "Labels of \(subjects.count) imported: type a label and Enter. Enter alone keeps the label, Ctrl-D "
            + "keeps all that are left.",
        ])
        for (index, subject) in subjects.enumerated() {
          try stream.discardInput(quietMilliseconds: 100)
          let path = text.shortPath(subject.path, limit: maximumLength)
          let label = text.prose(subject.label, limit: maximumLength)
          try stream.write(
            "\(index + 1)/\(subjects.count) \(path) [\(label.text)\(label.isWhole ? "" : " ...")]: "
          )
          let line = try stream.line(until: TerminalStream.now() + Int64(timeout) * 1000)
          answers.append(line.allSatisfy(\.isWhitespace) ? nil : line)
        }
      } catch {
        try? stream.write("\nThe others keep their labels.\n")
      }
    }
    return answers
  }
}
