internal import MediaModel
internal import MediaSyntax

/// The result of making a library's catalogue anew.
package struct AuditRebuild: Sendable, Hashable {
  /// The number of rows that the new catalogue has of each kind, without superseded and withdrawn ones.
  package var assets: Int
  package var resources: Int
  package var thumbnails: Int
  package var items: Int
  /// The name under which the catalogue of before is kept in the library's folder; nil when there was
  /// none.
  package var kept: String?
  /// The number of things that neither the folders nor the log could tell.
  package var lost: Int
}

extension AuditRebuild {
  /// Makes a result of which nothing is known but the counts.
  package init(assets: Int, resources: Int, thumbnails: Int, items: Int) {
    self.init(
      assets: assets,
      resources: resources,
      thumbnails: thumbnails,
      items: items,
      kept: nil,
      lost: 0
    )
  }
}

extension AuditRecord {
  /// Records that the library has a new catalogue, which was made from its folders and its log.
  package static func rebuilt(_ rebuild: AuditRebuild) -> AuditRecord {
    AuditRecord(
      .rebuilt,
      [
        "assets": JSONValue(rebuild.assets), "resources": JSONValue(rebuild.resources),
        "thumbnails": JSONValue(rebuild.thumbnails), "items": JSONValue(rebuild.items),
        "kept": rebuild.kept.map { safe($0) }, "lost": JSONValue(rebuild.lost),
      ]
    )
  }
}
