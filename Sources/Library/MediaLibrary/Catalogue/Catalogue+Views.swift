extension Catalogue {
  /// Views for people who read the catalogue with an SQLite tool: paths are text, and what is superseded
  /// is not shown. No code of mediabatch reads them.
  static let views: String = {
    // A path that is wholly ASCII is cast; of another each character is read and written again, which
    // makes text of bytes that are not UTF-8 too.
    func text(_ column: String) -> String {
      """
      CASE WHEN CAST(\(column) AS TEXT) NOT GLOB '*[^' || char(1) || '-' || char(127) || ']*'
        THEN CAST(\(column) AS TEXT)
        ELSE (
          WITH RECURSIVE place(at) AS (
            SELECT 1 UNION ALL SELECT at + 1 FROM place WHERE at < length(CAST(\(column) AS TEXT))
          )
          SELECT group_concat(char(unicode(substr(CAST(\(column) AS TEXT), at, 1))), '')
          FROM place
        )
      END
      """
    }
    return """
      CREATE VIEW files AS
        SELECT assets.localIdentifier AS asset, assets.label AS label, 'original' AS kind,
          resources.role AS role, resources.path AS path, resources.format AS format,
          assets.pixelWidth AS width, assets.pixelHeight AS height, resources.bytes AS bytes,
          resources.sha256 AS sha256, resources.source AS source,
          resources.sourceName AS sourceName,
          \(text("resources.sourcePath")) AS sourcePath
        FROM resources JOIN assets ON assets.id = resources.asset
        WHERE resources.superseded = 0
        UNION ALL
        SELECT assets.localIdentifier, assets.label, 'thumbnail', thumbnails.name, thumbnails.path,
          NULL, thumbnails.width, thumbnails.height, thumbnails.bytes, thumbnails.sha256,
          assets.source, assets.sourceName, NULL
        FROM thumbnails JOIN assets ON assets.id = thumbnails.asset
        WHERE thumbnails.superseded = 0;
      CREATE VIEW photos AS
        SELECT assets.localIdentifier AS asset, assets.label AS label,
          assets.mediaType AS mediaType, resources.format AS format, resources.path AS path,
          resources.bytes AS bytes, assets.pixelWidth AS width, assets.pixelHeight AS height,
          assets.durationMilliseconds / 1000.0 AS seconds, assets.creationDate AS taken,
          assets.camera AS camera, assets.hasLocation AS hasLocation,
          assets.saved AS saved, assets.source AS source,
          assets.sourceName AS sourceName,
          \(text("resources.sourcePath")) AS sourcePath, assets.policy AS policy,
          assets.degraded AS degraded
        FROM assets JOIN resources ON resources.id = (
          SELECT min(id) FROM resources AS own
          WHERE own.asset = assets.id AND own.superseded = 0
        );
      CREATE VIEW outcomes AS
        SELECT items.source AS source, items.sourceName AS sourceName, \(text("items.path")) AS path, items.outcome AS outcome,
          items.reason AS reason, items.size AS bytes,
          datetime(items.modified / 1000000000, 'unixepoch') AS modified,
          assets.localIdentifier AS asset, items.run AS run
        FROM items LEFT JOIN assets ON assets.id = items.asset;
      """
  }()
}
