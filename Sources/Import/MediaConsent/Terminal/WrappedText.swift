/// Breaks a text into lines that a terminal does not break again, each marked as a part of it.
///
/// A text that a terminal wraps by itself begins its later lines at the left edge, where only our own
/// lines begin.
enum WrappedText {
  /// Lines of at most `columns` − 1 columns, so that none reaches the edge.
  ///
  /// The text has been made safe already; see ``TerminalText``. `first` stands before the first line,
  /// `others`, which is as wide, before each further one.
  static func lines(_ text: String, columns: Int, first: String, others: String) -> [String] {
    let limit = max(columns - 1 - first.unicodeScalars.count, 8)
    var lines: [String] = []
    var line: [Unicode.Scalar] = []
    var width = 0
    for scalar in text.unicodeScalars {
      let isMark = isMark(scalar)
      let step = isMark ? 0 : scalar.isASCII ? 1 : 2
      if width + step > limit {
        // At the last space, if it leaves a line that is worth reading.
        let space = line.lastIndex(of: " ").map { $0 + 1 } ?? 0
        let cut = space > line.count / 2 ? space : line.count
        lines.append(string(line[..<cut]))
        line.removeFirst(cut)
        width = line.reduce(0) { $0 + (Self.isMark($1) ? 0 : $1.isASCII ? 1 : 2) }
      }
      line.append(scalar)
      width += step
    }
    if !line.isEmpty || lines.isEmpty { lines.append(string(line[...])) }
    return lines.enumerated().map { ($0.offset == 0 ? first : others) + $0.element }
  }

  private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .enclosingMark: true
    default: false
    }
  }

  private static func string(_ scalars: ArraySlice<Unicode.Scalar>) -> String {
    var view = String.UnicodeScalarView()
    view.append(contentsOf: scalars)
    return String(view)
  }
}
