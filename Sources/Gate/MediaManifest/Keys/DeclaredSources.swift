package import MediaModel
internal import MediaSyntax

/// The sources of a manifest: camera, photo library, microphone, and those of one kind in the manifest's order.
package struct DeclaredSources: Sendable {
  package typealias Element = (key: SourceID, value: SourceDeclaration)

  private var elements: [Element] = []

  /// The declaration of a source; nil when the manifest has none.
  package subscript(source: SourceID) -> SourceDeclaration? {
    get { elements.first { $0.key == source }?.value }
    set {
      let index = elements.firstIndex { $0.key == source }
      guard let newValue else {
        if let index { elements.remove(at: index) }
        return
      }
      if let index {
        elements[index].value = newValue
      } else {
        let end = elements.firstIndex { $0.key.kind > source.kind } ?? elements.endIndex
        elements.insert((source, newValue), at: end)
      }
    }
  }

  package var keys: [SourceID] { elements.map(\.key) }
  package var values: [SourceDeclaration] { elements.map(\.value) }

  /// The sources of one kind.
  package func of(_ kind: SourceKind) -> [Element] { elements.filter { $0.key.kind == kind } }

  /// The source that has a name; nil when there is none.
  package func named(_ name: String) -> SourceID? {
    elements.first { $0.key.isCalled(name) }?.key
  }

  /// Where a source stands in the manifest, for a person: `sources.library`, or `sources.library[1]` in a list.
  package func key(of source: SourceID) -> String {
    let key = "sources.\(source.kind.rawValue)"
    return self[source]?.listIndex.map { JSONPath.element(key, $0) } ?? key
  }

  /// The same as a path from the manifest's root.
  package func jsonPath(of source: SourceID) -> String { "$." + key(of: source) }

  /// The same sources in the order in which others are.
  func ordered(as others: DeclaredSources) -> DeclaredSources {
    var ordered = DeclaredSources()
    for source in others.keys + keys { ordered[source] = self[source] }
    return ordered
  }
}

extension DeclaredSources: Sequence {
  package func makeIterator() -> IndexingIterator<[Element]> { elements.makeIterator() }

  package var isEmpty: Bool { elements.isEmpty }
}

extension DeclaredSources: Hashable {
  package static func == (lhs: DeclaredSources, rhs: DeclaredSources) -> Bool {
    lhs.keys == rhs.keys && lhs.values == rhs.values
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(keys)
    hasher.combine(values)
  }
}

extension DeclaredSources: ExpressibleByDictionaryLiteral {
  package init(dictionaryLiteral elements: (SourceID, SourceDeclaration)...) {
    for (source, declaration) in elements { self[source] = declaration }
  }
}
