/// A column of the catalogue that tells a fact; a class, so that a row looks up a reference for each column, and copies
/// no names.
package final class FactColumn: Sendable {
  private enum Source: Sendable {
    case own(FactForm<Facts>, Int)
    case described(FactForm<MediaDescription>, Int)
  }

  package let column: FactList.Column
  /// Its place in ``all``.
  package let number: Int
  package let kind: FactKind
  package let strip: FactList.Strip
  private let source: Source

  /// Every column of a fact, in the order of ``Facts/fields`` and of those of a description.
  package static let all: [FactColumn] = {
    let own = Facts.fields.flatMap { field in
      field.columns.enumerated().map { place, column in
        (column, field.form.kind(place), field.strip, Source.own(field.form, place))
      }
    }
    let described = MediaDescription.fields.flatMap { field in
      field.columns.enumerated().map { place, column in
        (column, field.form.kind(place), field.strip, Source.described(field.form, place))
      }
    }
    return (own + described).enumerated().map { FactColumn($0, $1.0, $1.1, $1.2, $1.3) }
  }()

  private init(
    _ number: Int,
    _ column: FactList.Column,
    _ kind: FactKind,
    _ strip: FactList.Strip,
    _ source: Source
  ) {
    (self.number, self.column, self.kind) = (number, column, kind)
    (self.strip, self.source) = (strip, source)
  }

  /// Whether a file tells it in its description of itself, which is read only where it is wanted.
  package var isDescribed: Bool {
    if case .described = source { true } else { column.isDescribed }
  }

  /// Whether the private facts have it.
  package var isPrivate: Bool {
    switch strip {
    case .hidden: true
    case .excepted(_, let isPrivate): isPrivate
    case .kept, .dropped: false
    }
  }

  /// The columns that a spreadsheet of assets has, in their order there.
  package static let inRows = all.compactMap { fact -> (place: Int, fact: FactColumn)? in
    if case .rows(let place) = fact.column.listing { (place, fact) } else { nil }
  }.sorted { $0.place < $1.place }.map(\.fact)

  /// The columns that an object of an asset has.
  package static let inObjects = all.filter { $0.column.listing != .none }

  /// The value that facts give the column.
  package func value(of facts: Facts) -> FactValue {
    switch source {
    case .own(let form, let number): form.value(number, of: facts)
    case .described(let form, let number):
      facts.description.map { form.value(number, of: $0) } ?? .null
    }
  }
}

extension Facts {
  /// Makes facts of the values of columns, which may be those of a damaged row; without the tracks, which have
  /// rows of their own.
  ///
  /// - Parameters:
  ///   - format: The format.
  ///   - value: Returns the value of the column that has this number in ``FactColumn/all``.
  package init(format: MediaFormat, _ value: (Int) throws -> FactValue) rethrows {
    self.init(format: format)
    var first = 0
    for field in Facts.fields where !field.columns.isEmpty {
      try field.form.set(&self) { try value(first + $0) }
      first += field.columns.count
    }
    var description = MediaDescription()
    for field in MediaDescription.fields where !field.columns.isEmpty {
      try field.form.set(&description) { try value(first + $0) }
      first += field.columns.count
    }
    // Its column has no rule and no precision: they are those of the date which was corrected.
    if let creationDate {
      description.uncorrected = description.uncorrected?.asPrecise(as: creationDate)
      description.uncorrected?.tag = creationDate.ruleTag
    }
    self.description = description
  }
}
