internal import MediaModel
internal import MediaSyntax

/// The keywords of a packet that have their path in a hierarchy, each from its top.
///
/// Source: digiKam, `DMetadata` (`digiKam:TagsList`, `MicrosoftPhoto:LastKeywordXMP`, `mediapro:CatalogSets`,
/// `acdsee:categories`); Lightroom Classic (`lr:hierarchicalSubject`).
enum XMPKeywordPaths {
  private typealias Space = XMPNamespace

  /// The most elements of ACDSee's categories.
  private static let mostTokens = 4_000
  /// The deepest category.
  private static let mostParts = 16

  static func all(in properties: XMPProperties) -> [[String]] {
    let names =
      [
        XMPName(Space.digiKam, "TagsList"), XMPName(Space.lightroom, "hierarchicalSubject"),
        XMPName(Space.mediaPro, "CatalogSets"),
      ] + Space.microsoft.flatMap { [XMPName($0, "LastKeywordXMP"), XMPName($0, "LastKeywordIPTC")] }
    return names.flatMap { properties[$0.namespace, $0.name] }.map(PeopleKeyword.parts)
      + properties[Space.acdSee, "categories"].flatMap(categories)
  }

  /// The paths of ACDSee's categories, which are XML in a text: `<Category Assigned="0">A<Category Assigned="1">B…`.
  private static func categories(_ text: String) -> [[String]] {
    var tokenizer = XMLTokenizer(Array(text.utf8), normalizesLineEnds: false, maximumTokenCount: mostTokens)
    var (path, paths): ([String], [[String]]) = ([], [])
    while let token = try? tokenizer.next() {
      switch token.content {
      case .start(_, _, let isEmpty):
        if path.count == mostParts { return paths }
        if !isEmpty { path.append("") }
      case .text(let text): if !path.isEmpty { path[path.count - 1] += text }
      case .end:
        let parts = PeopleKeyword.parts(of: path.joined(separator: "/"))
        if !parts.isEmpty { paths.append(parts) }
        path.removeLast(min(1, path.count))
      case .comment, .instruction, .documentType: break
      }
    }
    return paths
  }
}
