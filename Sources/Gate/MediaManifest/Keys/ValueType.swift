internal import MediaModel
internal import MediaSyntax

/// How values of one type are read, shown and compared.
struct ValueType<Value> {
  let shape: KeyShape
  /// Reports an issue and returns nil for a value that is not of the type.
  let read: (inout ManifestChecker, Field) -> Value?
  /// The value as JSON for a reviewer, escaped and cut; nil for one that means that the key is absent.
  let json: (Value) -> String?
  var isSame: (Value, Value) -> Bool

  /// The same type for a key without a default.
  static func optional<Wrapped>(_ type: ValueType<Wrapped>) -> Self where Value == Wrapped? {
    Self(
      shape: type.shape,
      read: { type.read(&$0, $1).map { .some($0) } },
      json: { $0.flatMap(type.json) },
      isSame: { first, second in
        switch (first, second) {
        case (nil, nil): true
        case (let first?, let second?): type.isSame(first, second)
        default: false
        }
      }
    )
  }
}

extension ValueType where Value: Equatable {
  init(
    _ shape: KeyShape,
    json: @escaping (Value) -> String?,
    read: @escaping (inout ManifestChecker, Field) -> Value?
  ) {
    self.init(shape: shape, read: read, json: json, isSame: ==)
  }
}

extension ValueType where Value: RawRepresentable<String> & CaseIterable & Equatable {
  /// One of the words of an enumeration.
  static var word: Self {
    Self(
      .word(Value.allCases.map(\.rawValue)),
      json: { ComparisonText.quoted($0.rawValue) },
      read: { $0.word($1) }
    )
  }

  /// One of some words of an enumeration.
  static func word(of values: [Value]) -> Self {
    Self(
      .word(values.map(\.rawValue)),
      json: { ComparisonText.quoted($0.rawValue) },
      read: { $0.word($1, values.map { ($0.rawValue, $0) }) }
    )
  }
}

extension ValueType<Bool> {
  static var flag: Self { Self(.flag, json: { "\($0)" }, read: { $0.flag($1) }) }
}

extension ValueType<Int> {
  static func integer(_ range: ClosedRange<Int>) -> Self {
    Self(.integer(range), json: { "\($0)" }, read: { $0.integer($1, range) })
  }
}

extension ValueType<String> {
  /// A text that is compared byte by byte, since Swift's `==` takes some different ones for equal.
  private static func text(
    _ shape: KeyShape,
    read: @escaping (inout ManifestChecker, Field) -> String?
  ) -> Self {
    Self(
      shape: shape,
      read: read,
      json: ComparisonText.quoted,
      isSame: { ComparisonText.isIdentical($0, $1) }
    )
  }

  static var name: Self {
    .text(.name) { $0.text($1, limit: 255, blank: "the name is blank") }
  }

  static var clientIdentifier: Self {
    .text(.identifier) { checker, field in
      guard let text = checker.text(field, limit: 155) else { return nil }
      guard let wrong = text.unicodeScalars.first(where: { !ClientPattern.isIdentifierScalar($0) })
      else { return text }
      checker.report(
        .invalidText,
        "a client identifier cannot have \(Spelling.quoted(String(wrong)))",
        at: field,
        allowed: ["A-Z", "a-z", "0-9", ".", "-"]
      )
      return nil
    }
  }
}

extension ValueType<String> {
  /// The name of a time zone, which may be one that the system does not have.
  static var timeZone: Self {
    .text(.timeZone) { checker, field in
      guard let text = checker.text(field, limit: LocalTimeZone.maximumNameLength) else {
        return nil
      }
      if LocalTimeZone.isName(text) { return text }
      checker.report(
        .invalidText,
        "the name of a time zone is expected, such as \"Europe/Berlin\"",
        at: field
      )
      return nil
    }
  }
}

extension ValueType<LabelTemplate> {
  static var template: Self {
    Self(
      shape: .template,
      read: { checker, field in
        guard checker.text(field, limit: LabelTemplate.maximumLength) != nil else { return nil }
        return checker.text(field) { text throws(ValueIssue) in try LabelTemplate(text) }
      },
      json: { ComparisonText.quoted($0.text) },
      isSame: { ComparisonText.isIdentical($0.text, $1.text) }
    )
  }
}

extension ValueType<PixelSize> {
  /// The word for the picture's own size.
  private static var maximum: String { "maximum" }

  /// A box in pixels, or the picture's own size.
  static var size: Self {
    Self(
      .size,
      json: { $0 == .maximum ? ComparisonText.quoted(maximum) : "[\($0.width), \($0.height)]" }
    ) { checker, field in
      if case .string(maximum) = field.node.value { return .maximum }
      let expected = "a list of width and height, such as [256, 256], or \"\(maximum)\""
      guard let sides = checker.list(field, expected: expected) else { return nil }
      guard sides.count == 2 else {
        let message = "two numbers are expected, width and height, not \(sides.count)"
        checker.report(.outOfRange, message, at: field)
        return nil
      }
      let lengths = sides.map { checker.integer($0, 1...16384) }
      guard let width = lengths[0], let height = lengths[1] else { return nil }
      return PixelSize(width: width, height: height)
    }
  }
}

extension ValueType<RGBColor> {
  /// A color of sRGB as `#rrggbb`.
  static var color: Self {
    Self(.color, json: { ComparisonText.quoted($0.text) }) { checker, field in
      guard let text = checker.text(field, limit: 255) else { return nil }
      guard let color = RGBColor(text: text) else {
        checker.report(.invalidText, "a color is expected, such as \"#ffffff\"", at: field)
        return nil
      }
      return color
    }
  }
}

extension ValueType<Set<MediaType>?> {
  /// A list of media types, each once; nil means all of them.
  static var mediaTypes: Self {
    let all = Set(MediaType.allCases)
    return Self(
      shape: .words(MediaType.allCases.map(\.rawValue)),
      read: { checker, field in
        guard let elements = checker.list(field) else { return nil }
        if elements.isEmpty {
          checker.report(
            .outOfRange,
            "the list is empty, so nothing would be read",
            at: field,
            allowed: MediaType.allCases.map(\.rawValue)
          )
        }
        return .some(checker.set(elements, by: \.rawValue) { $0.word($1, as: MediaType.self) })
      },
      json: { $0.map { ComparisonText.list($0.map(\.rawValue).sorted()) } },
      isSame: { ($0 ?? all) == ($1 ?? all) }
    )
  }
}

extension ValueType<Set<PickFilter>> {
  /// A filter, or a list of filters, each once.
  static var pickFilter: Self {
    Self(
      shape: .wordOrWords(PickFilter.allCases.map(\.rawValue)),
      read: { checker, field in
        guard case .array = field.node.value else { return checker.word(field).map { [$0] } }
        guard let elements = checker.list(field) else { return nil }
        if elements.isEmpty {
          checker.report(
            .outOfRange,
            "the list is empty, so nothing could be picked",
            at: field,
            allowed: PickFilter.allCases.map(\.rawValue)
          )
        }
        return checker.set(elements, by: \.rawValue) { $0.word($1) }
      },
      json: { filter in
        let words = filter.map { $0.rawValue }.sorted()
        return words.count > 1
          ? ComparisonText.list(words) : words.first.map(ComparisonText.quoted)
      },
      isSame: { $0.listedKinds == $1.listedKinds }
    )
  }
}

extension ValueType<PickOrder> {
  /// The words of a sort descriptor; without a direction it is ascending.
  static var pickOrder: Self {
    let words: [(String, PickOrder)] =
      [("creationDate", .oldestFirst), ("name", .name)]
      + PickOrder.allCases.map { ($0.rawValue, $0) }
    return Self(.word(words.map(\.0)), json: { ComparisonText.quoted($0.rawValue) }) {
      $0.word($1, words)
    }
  }
}

extension ValueType<[SelectionPattern]> {
  /// A list of patterns relative to a source's folder, in which the order says nothing.
  static var patterns: Self { patterns(relativeTo: "the source's folder") }

  /// A list of patterns relative to a folder, in which the order says nothing.
  static func patterns(relativeTo folder: String) -> Self {
    Self(
      shape: .patterns,
      read: { checker, field in
        let limit = SelectionPattern.maximumCount
        return checker.list(field, limit: limit, of: "patterns")?.compactMap { element in
          checker.text(element) { text throws(ValueIssue) in
            try SelectionPattern(text, relativeTo: folder)
          }
        }
      },
      json: { $0.isEmpty ? nil : ComparisonText.list($0.map(\.text).sorted()) },
      isSame: { Set($0) == Set($1) }
    )
  }
}

extension ManifestChecker {
  /// The values of a list's elements, each of which may be there once.
  mutating func set<Value: Hashable>(
    _ elements: [Field],
    by name: (Value) -> String,
    _ read: (inout ManifestChecker, Field) -> Value?
  ) -> Set<Value> {
    var values: Set<Value> = []
    for element in elements {
      guard let value = read(&self, element), !values.insert(value).inserted else { continue }
      report(.duplicateValue, "\"\(name(value))\" is in the list already", at: element)
    }
    return values
  }
}
