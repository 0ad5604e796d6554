package import MediaModel

/// An entry of a selection. It matches the paths of items byte by byte.
///
/// Within a component `*` stands for any bytes, `?` for one byte, `[a-z]` for one of a set,
/// `[!a-z]` for one that is not in it; a component `**` stands for any number of components, none
/// included. `%XX` is the byte of that value and never a wildcard. A leading dot is a byte like any
/// other.
package struct SelectionPattern: Sendable, Hashable {
  /// The maximum number of patterns in one manifest.
  package static let maximumCount = 100_000

  /// The text in the manifest.
  package var text: String
  var components: [Component]

  enum Component: Sendable, Hashable {
    /// `**`
    case any
    case literal([UInt8])
    case wildcard([Token])
  }

  enum Token: Sendable, Hashable {
    case byte(UInt8)
    /// `?`
    case anyByte
    /// `*`
    case run
    case set([ClosedRange<UInt8>], isNegated: Bool)

    func matches(_ other: UInt8) -> Bool {
      switch self {
      case .byte(let byte): byte == other
      case .anyByte: true
      case .run: false
      case .set(let ranges, let isNegated):
        ranges.contains { $0.contains(other) } != isNegated
      }
    }
  }

  /// Parses the notation; messages name `folder` as what the pattern is relative to.
  ///
  /// - Throws: ``ValueIssue`` `.invalidPattern`: empty, a leading `/`, an empty component, `.` or
  ///   `..`, `**` beside something else, a set that is not closed or holds no ASCII, `%2F`, `%00`.
  package init(
    _ text: String,
    relativeTo folder: String = "the source's folder"
  ) throws(ValueIssue) {
    guard !text.utf8.isEmpty else {
      throw ValueIssue(.invalidPattern, "the pattern is empty")
    }
    guard text.unicodeScalars.count <= 4096 else {
      throw ValueIssue(.invalidPattern, "the pattern is longer than 4096 characters")
    }
    guard !text.utf8.starts(with: "/".utf8) else {
      throw ValueIssue(.invalidPattern, "the pattern starts with \"/\"; it is relative to \(folder)")
    }
    self.text = text
    components = []
    for component in text.utf8.split(separator: UInt8.slash, omittingEmptySubsequences: false) {
      components.append(try PatternComponentParser.component(Array(component), in: folder))
    }
  }

  /// Whether it names one file, without a wildcard.
  package var isLiteral: Bool {
    components.allSatisfy { component in
      if case .literal = component { true } else { false }
    }
  }

  /// The path that a pattern without a wildcard names; nil for every other.
  package var literalBytes: [UInt8]? {
    var bytes: [UInt8] = []
    for (index, component) in components.enumerated() {
      guard case .literal(let name) = component else { return nil }
      if index > 0 { bytes.append(UInt8.slash) }
      bytes += name
    }
    return bytes
  }

  /// The path of the folder that holds all files it matches, empty for the one that it is relative to; nil where a
  /// component before the last has a wildcard.
  package var folderOfFiles: [UInt8]? {
    var bytes: [UInt8] = []
    for component in components.dropLast() {
      guard case .literal(let name) = component else { return nil }
      if !bytes.isEmpty { bytes.append(UInt8.slash) }
      bytes += name
    }
    return components.last == .any ? nil : bytes
  }

  /// Whether it matches the whole path; at most (pattern length × path length) steps.
  package func matches(_ path: ItemPath) -> Bool {
    matches(Self.split(path))
  }

  /// Whether a file in `folder`, or in a folder within it, could match, so that a listing enters
  /// only folders that can hold one. The empty path is the source itself.
  package func couldMatchBeneath(_ folder: ItemPath) -> Bool {
    couldMatchBeneath(Self.split(folder))
  }

  static func split(_ path: ItemPath) -> [ArraySlice<UInt8>] {
    path.bytes.isEmpty
      ? []
      : path.bytes.split(separator: UInt8.slash, omittingEmptySubsequences: false)
  }

  func matches(_ names: [ArraySlice<UInt8>]) -> Bool {
    let matched = Wildcards.match(components, names) { part in
      if case .any = part { true } else { false }
    } matches: {
      $0.matches($1)
    }
    // A `**` at the end needs a name to stand for: `a/**` is what lies beneath `a`, and not `a`.
    return matched == components.count
  }

  func couldMatchBeneath(_ names: [ArraySlice<UInt8>]) -> Bool {
    // The indexes of components that the folder's names can lead to.
    var indexes: Set<Int> = []
    func add(_ index: Int) {
      var index = index
      while indexes.insert(index).inserted, index < components.count, components[index] == .any {
        index += 1
      }
    }
    add(0)
    for name in names {
      let before = indexes
      indexes = []
      for index in before where index < components.count {
        if components[index] == .any {
          add(index)
        } else if components[index].matches(name) {
          add(index + 1)
        }
      }
      if indexes.isEmpty { return false }
    }
    return indexes.contains { $0 < components.count }
  }
}
