extension Outcome {
  /// What is written from an outcome.
  package enum Writer: CaseIterable, Sendable {
    /// The row of a staged batch in the catalogue, by which an interrupted batch is finished.
    case journal
    /// The `outcome` record of the audit log.
    case log
    /// The object of `mediabatch run --events`.
    case event
    /// The item of a JSON report, and the row of a CSV report.
    case report
  }

  /// A field of an outcome, with its name in all that is written from it.
  package struct Field: Sendable {
    package let form: Form
    private let names: [Writer: String]

    /// A field that has the name of its log record everywhere, but in an event where that is named.
    fileprivate init(
      _ name: String,
      _ form: Form,
      event: String? = nil,
      in writers: Set<Writer> = Set(Writer.allCases)
    ) {
      self.form = form
      var names: [Writer: String] = [:]
      for writer in writers { names[writer] = name }
      if let event { names[.event] = event }
      self.names = names
    }

    /// Its name in what a writer makes; nil where that leaves it out.
    package func name(in writer: Writer) -> String? { names[writer] }
  }

  /// A field that one writer makes.
  package struct NamedField: Sendable {
    package let name: String
    package let form: Form
  }

  /// How a field's value is written and read.
  package enum Form: Sendable {
    /// One of a closed list of words.
    case word(Word)
    /// A text of a person, a program or a library.
    case text(any WritableKeyPath<Outcome, String?> & Sendable)
    /// A truth, which the log leaves out when it is false.
    case flag(any WritableKeyPath<Outcome, Bool> & Sendable)
    /// A keyed digest, hexadecimal.
    case digest(any WritableKeyPath<Outcome, [UInt8]?> & Sendable)
    /// A file with its path below the library, its digest, and its size in bytes.
    case file(any WritableKeyPath<Outcome, OutputFile?> & Sendable)
    /// The path within the source.
    case path
    /// The digest of the source file, where it is keyed or not, as this says.
    case sourceDigest(isKeyed: Bool)
    /// What stripping has removed: names and numbers.
    case removed
    /// The number of sound tracks among ``removed``: told, and never read.
    case mutedTracks
    /// Whether a picture's movie was cut off, which its two digests say: told, and never read.
    case trailerRemoved
    /// The thumbnails with their names.
    case thumbnails
  }

  /// The access to a field that is one of a closed list of words.
  package struct Word: Sendable {
    package let text: @Sendable (Outcome) -> String?
    /// Sets the value that has this word; false when no value has it, and then the outcome is unchanged.
    package let set: @Sendable (inout Outcome, String) -> Bool

    fileprivate init<Value: RawRepresentable<String> & SendableMetatype>(
      _ value: any WritableKeyPath<Outcome, Value?> & Sendable
    ) {
      text = { $0[keyPath: value]?.rawValue }
      set = { outcome, word in
        guard let read = Value(rawValue: word) else { return false }
        outcome[keyPath: value] = read
        return true
      }
    }

    fileprivate init<Value: RawRepresentable<String> & SendableMetatype>(
      always value: any WritableKeyPath<Outcome, Value> & Sendable
    ) {
      text = { $0[keyPath: value].rawValue }
      set = { outcome, word in
        guard let read = Value(rawValue: word) else { return false }
        outcome[keyPath: value] = read
        return true
      }
    }

    fileprivate init(
      _ text: @escaping @Sendable (SourceID) -> String?,
      set: @escaping @Sendable (SourceID, String) -> SourceID?
    ) {
      self.text = { text($0.source) }
      self.set = { outcome, word in
        guard let source = set(outcome.source, word) else { return false }
        outcome.source = source
        return true
      }
    }

    /// The kind of its source, behind which its name is read.
    fileprivate static let sourceKind = Word({ $0.kind.rawValue }, set: { SourceID(kind: $1, name: nil) })

    /// The name of its source, where it is another than the kind's word.
    fileprivate static let ownSourceName = Word(
      \.ownName,
      set: { SourceID(kind: $0.kind.rawValue, name: $1) }
    )

    /// The name of its source.
    fileprivate static let sourceName = Word(\.name, set: { SourceID(kind: $0.kind.rawValue, name: $1) })
  }

  /// Every field. A new one is a property and a row here; then each writer has it.
  ///
  /// In the journal source and path are members of the planned item, and no field has a name. The published file is
  /// three members of an event, and three columns of CSV. A lost original that came back has a record of its own.
  package static let fields: [Field] = [
    Field("source", .word(.sourceKind), in: [.log, .event, .report]),
    Field("sourceName", .word(.ownSourceName), in: [.log]),
    Field("sourceName", .word(.sourceName), in: [.event, .report]),
    Field("path", .path, event: "sourcePath", in: [.log, .event, .report]),
    Field("outcome", .word(Word(always: \.outcome))),
    Field("reason", .word(Word(\.reason))),
    Field("step", .word(Word(\.step))),
    Field("format", .word(Word(\.failedFormat)), in: [.journal, .log]),
    // An event has it within its sentence, too.
    Field("damage", .word(Word(\.damage)), in: [.journal, .log, .report]),
    // An event has it within the sentence that is its own `message`.
    Field("message", .text(\.message), in: [.journal]),
    Field("asset", .text(\.localIdentifier), event: "localIdentifier"),
    Field("role", .word(Word(\.role))),
    Field("output", .file(\.output), event: "path"),
    Field("sourceSHA256", .sourceDigest(isKeyed: false), in: [.journal, .log, .report]),
    Field("sourceHMAC", .sourceDigest(isKeyed: true), in: [.log, .report]),
    Field("metadataPolicy", .word(Word(\.policy)), in: [.journal, .log, .report]),
    Field("removed", .removed, in: [.journal, .log, .report]),
    Field("muted", .mutedTracks, in: [.log]),
    Field("trailerRemoved", .trailerRemoved, in: [.log]),
    Field("thumbnails", .thumbnails),
    Field("degraded", .flag(\.degraded)),
    Field("restored", .file(\.restored), in: [.journal, .event]),
    Field("olderVersion", .text(\.olderVersion)),
    Field("replaces", .word(Word(\.replaces))),
    Field("dateShift", .text(\.dateShift), in: [.journal, .log]),
    Field("dateAbout", .text(\.dateAbout), in: [.journal, .log]),
    Field("contentIdentifierHMAC", .digest(\.contentDigest), in: [.journal, .log]),
    Field("burstIdentifierHMAC", .digest(\.burstDigest), in: [.journal, .log]),
    Field("again", .flag(\.isAgain), in: [.journal, .log]),
    Field("recovered", .flag(\.recovered), in: [.log, .event, .report]),
  ]

  /// The fields that a writer makes, in the order of ``fields``.
  package static func fields(in writer: Writer) -> [NamedField] {
    switch writer {
    case .journal: journalFields
    case .log: logFields
    case .event: eventFields
    case .report: reportFields
    }
  }

  // Found once: a run writes each item three times.
  private static let journalFields = named(in: .journal)
  private static let logFields = named(in: .log)
  private static let eventFields = named(in: .event)
  private static let reportFields = named(in: .report)

  private static func named(in writer: Writer) -> [NamedField] {
    fields.compactMap { field in
      field.name(in: writer).map { NamedField(name: $0, form: field.form) }
    }
  }
}
