internal import MediaModel
package import MediaSyntax

/// An error in one value, before its position is known.
package struct ValueIssue: Error, Sendable, Hashable {
  /// The stable word that tests and reports use.
  package var code: ManifestIssueCode
  /// An escaped text for a person that says what is wrong.
  package var message: String
  /// The allowed values; empty when the message says them.
  package var allowed: [String] = []
  /// The allowed word that is spelled most like the one found.
  package var suggestion: String?
  /// JSON that would do where a key is missing, such as `"version": 1`.
  package var example: String?

  package init(
    _ code: ManifestIssueCode,
    _ message: String,
    allowed: [String] = [],
    suggestion: String? = nil,
    example: String? = nil
  ) {
    self.code = code
    self.message = message
    self.allowed = allowed
    self.suggestion = suggestion
    self.example = example
  }
}

/// An error in a manifest, or in a file of its kind, with all that a person needs
/// to correct it.
///
/// As printed: `manifest.json:9:7: $.sources.camera: unknown key "paht". Did you mean "path"?`
package struct ManifestIssue: Error, Sendable, Hashable {
  /// The position of the key or value.
  package var position: TextPosition
  /// A JSON path such as `$.sources.camera.path`; in a labels file as if its rows were a list of
  /// objects, such as `$[0].label`; empty where there is none.
  package var path: String
  /// The error itself.
  package var issue: ValueIssue

  package init(position: TextPosition, path: String, issue: ValueIssue) {
    (self.position, self.path, self.issue) = (position, path, issue)
  }

  /// 1-based.
  package var line: Int { position.line }
  /// 1-based, in Unicode scalars.
  package var column: Int { position.column }
  /// The stable word that tests and reports use.
  package var code: ManifestIssueCode { issue.code }
  /// An escaped text for a person that says what is wrong.
  package var message: String { issue.message }
  /// The allowed values; empty when the message says them.
  package var allowed: [String] { issue.allowed }
  /// The allowed word that is spelled most like the one found.
  package var suggestion: String? { issue.suggestion }

  /// One line as a person reads it, in the form that editors turn into a link.
  ///
  /// - Parameter file: The file as the person named it; it is escaped here.
  /// - Returns: Text without a newline.
  package func description(in file: String) -> String {
    let place = path.isEmpty || path == JSONPath.root ? "" : "\(path): "
    var text = "\(EscapedText.printable(file)):\(line):\(column): \(place)\(message)."
    if let suggestion { text += " Did you mean \"\(suggestion)\"?" }
    if let example = issue.example { text += " For example: \(example)" }
    if !allowed.isEmpty {
      text += " Allowed here: \(allowed.joined(separator: ", "))."
    }
    return text
  }
}

extension ManifestIssue {
  /// An error in the text of a manifest or of a file beside it.
  init(_ issue: SyntaxIssue) {
    self.init(
      position: issue.position,
      path: issue.path,
      issue: ValueIssue(ManifestIssueCode(issue.code), issue.message, suggestion: issue.suggestion)
    )
  }
}
