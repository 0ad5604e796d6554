extension Facts {
  /// A fact, told once for all that writes and reads it.
  package struct Field<Root: Sendable>: Sendable {
    /// How its value is written, and the bounds that a reader checks.
    package let form: FactForm<Root>
    /// What `strip` does with it.
    package let strip: Strip
    /// What a worker does not send, since rules of the coordinator give it.
    package let isOfRules: Bool
    /// The columns of the catalogue, one for each value of ``form``; none of a fact that it does not have.
    package let columns: [Column]

    fileprivate init(
      _ form: FactForm<Root>,
      _ strip: Strip,
      isOfRules: Bool = false,
      _ columns: Column...
    ) {
      (self.form, self.strip) = (form, strip)
      (self.isOfRules, self.columns) = (isOfRules, columns)
    }
  }

  /// What `strip` does with a fact.
  package enum Strip: Sendable, Hashable {
    /// A stripped file still has it, or decoding it shows it.
    case kept
    /// A stripped file has it where the manifest excepts this kind of metadata. Else private facts have it if
    /// `isPrivate`.
    case excepted(MetadataException, isPrivate: Bool = true)
    /// No stripped file has it; private facts do.
    case hidden
    /// No stripped file has it, and private facts do not.
    case dropped
  }

  /// A column of the catalogue that a fact has, and where else its value is told.
  package struct Column: Sendable {
    /// Its name in `assets` and in the private facts.
    package let name: String
    /// Its name in predicates, lists and reports.
    package let word: String
    /// Whether predicates and sort descriptors name it.
    package let isKey: Bool
    package let listing: Listing

    fileprivate init(
      _ name: String,
      as word: String? = nil,
      isKey: Bool = true,
      _ listing: Listing = .none
    ) {
      (self.name, self.word) = (name, word ?? name)
      (self.isKey, self.listing) = (isKey, listing)
    }
  }

  /// Where `list` has a value.
  package enum Listing: Sendable, Hashable {
    case none
    /// In objects of JSON alone.
    case objects
    /// In objects, and in the rows of a spreadsheet by ascending numbers.
    case rows(Int)
  }

  /// Every fact but the format, in the order in which a worker sends them. A new one is a property, a row here, and a
  /// case of the catalogue's `AssetColumn`; then the wire, the journal, the catalogue, the private facts, predicates
  /// and `list` have it.
  package static let fields: [Field<Facts>] = [
    Field(
      .size(\.pixelSize),
      .kept,
      Column("pixelWidth", .rows(50)),
      Column("pixelHeight", .rows(51))
    ),
    Field(.orientation(\.orientation), .kept, Column("orientation", isKey: false)),
    Field(
      .date(\.creationDate),
      .excepted(.creationDate),
      Column("creationDate", .rows(20)),
      Column("creationDateOffsetMinutes", .rows(21)),
      Column("creationDateTag", isKey: false, .rows(22))
    ),
    Field(.text(\.camera, limit: 256), .excepted(.camera), Column("camera", .rows(140))),
    // The private facts have the position.
    Field(.flag(\.hasLocation), .excepted(.location, isPrivate: false), Column("hasLocation")),
    // A stripped file has a fresh one.
    Field(
      .text(\.contentIdentifier, limit: 128),
      .dropped,
      Column("contentIdentifier", isKey: false)
    ),
    Field(.text(\.burstIdentifier, limit: 128), .dropped),
    Field(
      .milliseconds(\.durationMilliseconds),
      .kept,
      Column("durationMilliseconds", as: "duration", .rows(40))
    ),
    Field(.number(\.frameCount, 0...Int(Int32.max)), .kept, Column("frameCount", isKey: false)),
    Field(.tracks(\.tracks, count: 64), .kept),
    Field(
      .movie(\.embeddedMovie),
      .dropped,
      Column("embeddedOffset", isKey: false),
      Column("embeddedLength", isKey: false),
      Column("stillLength", isKey: false)
    ),
  ]
}

extension MediaDescription {
  package typealias Field = Facts.Field<MediaDescription>
  private typealias Column = Facts.Column

  /// Every fact of a description, in the order in which a worker sends them.
  package static let fields: [Field] = [
    Field(.dates(\.dates, count: maximumDates), .dropped),
    Field(.localTime(\.locationTime), .dropped),
    Field(.place(\.place), .hidden, Column("latitude"), Column("longitude")),
    Field(.text(\.placeTag, limit: 64), .hidden, isOfRules: true, Column("placeTag", isKey: false)),
    Field(
      .placeName(\.placeName),
      .hidden,
      isOfRules: true,
      Column("city", .rows(120)),
      Column("region", .rows(121)),
      Column("country", .rows(122))
    ),
    Field(.subtypes(\.subtypes), .hidden, Column("mediaSubtypes")),
    Field(.number(\.rating, 0...5), .hidden, Column("rating", .rows(80))),
    Field(.truth(\.isFavorite), .hidden, Column("isFavorite", .rows(60))),
    Field(.truth(\.isHidden), .hidden, Column("isHidden", .rows(70))),
    Field(.text(\.caption, limit: maximumCaptionLength), .hidden, Column("caption", .rows(90))),
    Field(
      .texts(\.keywords, count: maximumKeywords, limit: maximumKeywordLength),
      .hidden,
      Column("keywords", .rows(100))
    ),
    Field(
      .texts(\.names, count: maximumPeople, limit: maximumNameLength),
      .hidden,
      Column("people", .rows(110))
    ),
    Field(.text(\.burst, limit: 128), .hidden, Column("burst", as: "burstIdentifier", .rows(150))),
    Field(.truth(\.isBurstPick), .hidden, Column("isBurstPick", isKey: false, .objects)),
    Field(.subject(\.subject, limit: maximumSubjectLength), .dropped),
    Field(.truth(\.isTrashed), .dropped),
    Field(.truth(\.misstatesMovie), .dropped),
    Field(.text(\.ownerExtension, limit: maximumExtensionLength), .dropped),
    Field(.moment(\.stated), .dropped, isOfRules: true),
    Field(
      .moment(\.uncorrected),
      .dropped,
      isOfRules: true,
      Column("creationDateStated", isKey: false, .objects)
    ),
    Field(.flag(\.hasImplausibleDate), .dropped, isOfRules: true),
  ]

  /// ``people``, of which none is known where the list is empty.
  private var names: [String] {
    get { people ?? [] }
    set { people = newValue.isEmpty ? nil : newValue }
  }
}
