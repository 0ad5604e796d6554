internal import MediaModel

/// A Photos library whose database cannot be read; nothing of it is imported then.
package struct PhotosLibraryError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The kind of failure.
  package enum Code: String, CaseIterable, Sendable, Hashable {
    /// There is no database at its place.
    case missing
    /// A link, a folder or a device stands at the database's place, or it cannot be opened.
    case cannotOpen
    /// It is no SQLite database, or one that ends early.
    case damaged
    /// Its tables are not those of a version that is known.
    case unknownSchema
    /// It has more rows than are read.
    case tooLarge
    /// A rollback journal lies beside it: a change was interrupted and has to be undone first.
    case unfinished
    /// It changed while it was read.
    case changed
    /// The process that reads it could not be confined.
    case notConfined
    /// The process that reads it ended, or did not answer.
    case readerEnded
  }

  /// The kind of failure.
  package var code: Code
  /// What was found, in a few words; safe to show.
  package var detail: String

  /// Makes an error; `detail` is escaped.
  package init(_ code: Code, _ detail: String = "") {
    self.code = code
    self.detail = EscapedText.printable(detail, limit: 300)
  }

  /// What happened to the library's database, and what to do.
  package var description: String {
    let file = "\"\(PhotosLibraryFiles.database.text)\""
    let cause = detail.isEmpty ? "" : " (\(detail))"
    return switch code {
    case .missing:
      "\(file) is missing\(cause): this is no library of Photos 5 (macOS 10.15) or later. "
        + "With \"kind\": \"folder\" its files are imported without what Photos knows of them."
    case .cannotOpen:
      "\(file) cannot be opened\(cause): it has to be a regular file in the library. "
        + "Check what lies there and who may read it."
    case .damaged:
      "\(file) cannot be read as a database\(cause). Open the library in Photos, which repairs it, "
        + "or copy it again."
    case .unknownSchema:
      "\(file) is of an unknown version of Photos\(cause). "
        + "With \"kind\": \"folder\" its files are imported without what Photos knows of them."
    case .tooLarge: "\(file) is too large to be read\(cause)."
    case .unfinished:
      "\(file) has an unfinished change\(cause). Open the library in Photos, quit Photos, "
        + "and copy the library again."
    case .changed:
      "\(file) changed while it was read\(cause). Quit Photos, or wait until the copy is whole, and "
        + "run again."
    case .notConfined:
      "The process that reads \(file) could not be confined\(cause). Run `mediabatch doctor`."
    case .readerEnded:
      "The process that reads \(file) ended early\(cause): the database may be damaged. Run again; "
        + "if it ends again, open the library in Photos, which repairs it."
    }
  }
}
