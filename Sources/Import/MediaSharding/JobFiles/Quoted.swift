import MediaModel

/// Writes texts so that a language reads exactly them, if ``canWrite(_:)``.
///
/// All of them go by Unicode scalars: a quote with a combining mark is one `Character`, and still ends a
/// string.
enum Quoted {
  /// Whether the text has none of the characters that some language takes for the end of a line, drops or
  /// does not allow, and no U+FFFD, which stands for bytes that are not UTF-8.
  static func canWrite(_ text: String) -> Bool {
    text.unicodeScalars.allSatisfy { scalar in
      switch scalar.value {
      case 0..<0x20, 0x7F..<0xA0, 0x2028, 0x2029, 0xFEFF, 0xFFFD...0xFFFF: false
      default: true
      }
    }
  }

  /// A word of a POSIX shell.
  ///
  /// Source: POSIX.1-2017, Shell Command Language, 2.2.2 Single-Quotes.
  static func shell(_ text: String) -> String {
    let isPlain = text.utf8.allSatisfy { $0.isASCIIAlphanumeric || "/._-+:".utf8.contains($0) }
    if isPlain, !text.isEmpty { return text }
    return "'" + text.unicodeScalars.map { $0 == "'" ? "'\\''" : String($0) }.joined() + "'"
  }

  /// A string of JSON, which is also a double-quoted scalar of YAML and a string of Python.
  ///
  /// Source: RFC 8259, section 7; YAML 1.2.2, 5.7; Python, Lexical analysis, 2.4.1.
  static func json(_ text: String) -> String {
    "\"" + text.unicodeScalars.map { escaped($0, if: "\"\\") }.joined() + "\""
  }

  /// The inside of a string of Groovy between three double quotes, in which `$` is replaced otherwise.
  ///
  /// Source: The Apache Groovy Programming Language, Syntax, 4.5 Triple-double-quoted string.
  static func groovy(_ text: String) -> String {
    text.unicodeScalars.map { escaped($0, if: "\"\\$") }.joined()
  }

  /// A command of a Snakefile, in which names between braces are replaced.
  static func snakemake(_ text: String) -> String {
    text.unicodeScalars.map { "{}".unicodeScalars.contains($0) ? "\($0)\($0)" : String($0) }
      .joined()
  }

  /// An argument of a container in Kubernetes, which replaces `$(NAME)` and takes `$$` for `$`.
  ///
  /// A `$` alone and the `$((` of arithmetic stay as they are: no variable has such a name.
  /// Source: Kubernetes, third_party/forked/golang/expansion/expand.go.
  static func kubernetes(_ text: String) -> String {
    var result = String.UnicodeScalarView()
    var unquoted = Substring(text).unicodeScalars
    while let dollar = unquoted.firstIndex(of: "$") {
      result += unquoted[..<dollar]
      let run = unquoted[dollar...].prefix { $0 == "$" }
      unquoted = unquoted[run.endIndex...]
      let isReference = unquoted.first == "(" && unquoted.dropFirst().first != "("
      result += run
      if run.count > 1 || isReference { result += run }
    }
    return String(result + unquoted)
  }

  private static func escaped(_ scalar: Unicode.Scalar, if special: String) -> String {
    special.unicodeScalars.contains(scalar) ? "\\\(scalar)" : String(scalar)
  }
}
