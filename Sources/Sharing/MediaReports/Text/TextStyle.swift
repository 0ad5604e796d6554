internal import MediaModel

/// Emphasis on a terminal, or none.
///
/// Source: ECMA-48 section 8.3.117, SGR.
struct TextStyle {
  let isColored: Bool

  func strong(_ text: String) -> String { styled(text, "1") }
  func warning(_ text: String) -> String { styled(text, "33") }
  func failure(_ text: String) -> String { styled(text, "31") }

  private func styled(_ text: String, _ code: String) -> String {
    isColored ? "\u{1b}[\(code)m\(text)\u{1b}[0m" : text
  }
}

/// Spans of time as a person reads them.
enum Duration {
  /// `0.8 s`, `42.5 s`, `3 min 20 s`, `2 h 5 min`.
  static func text(_ milliseconds: Int) -> String {
    let milliseconds = max(0, milliseconds)
    let seconds = milliseconds / 1000
    if seconds < 60 { return "\(seconds).\(milliseconds % 1000 / 100) s" }
    if seconds < 3600 { return "\(seconds / 60) min \(seconds % 60) s" }
    return "\(Quantity.grouped(seconds / 3600)) h \(seconds % 3600 / 60) min"
  }
}
