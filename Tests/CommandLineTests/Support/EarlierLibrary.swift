import MediaTestSupport
import Testing

extension Scene {
  /// Gives the library's catalogue the form that it had after the first `count` migrations.
  func undoMigrations(after count: Int) throws {
    let state = String(decoding: try readBytes(library + "/.state/digest.key"), as: UTF8.self)
    let line = try #require(state.split(separator: "\n").last)
    var tables = [
      "meta", "runs", "batches", "assets", "resources", "thumbnails", "items", "tracks",
    ]
    if count >= 4 { tables.append("auditBlocks") }
    let undoing: [(migration: String, sql: String)] = [
      (
        "4 audit tree",
        """
        DROP TABLE auditBlocks; ALTER TABLE runs DROP COLUMN auditTree;
        ALTER TABLE runs DROP COLUMN auditSize; ALTER TABLE runs DROP COLUMN auditRoot;
        """
      ),
      (
        "5 digest key in a file",
        """
        ALTER TABLE meta ADD COLUMN digestKey BLOB; UPDATE meta SET digestKey = x'\(line.dropFirst(4))';
        """
      ),
      (
        "6 digests",
        tables.map { "ALTER TABLE \($0) DROP COLUMN digest;" }.joined()
          + "ALTER TABLE batches DROP COLUMN stagedDigest; DROP TABLE tableSums;"
      ),
      ("7 versions", "ALTER TABLE assets DROP COLUMN olderVersion;"),
      ("8 migrations in the log", "ALTER TABLE meta DROP COLUMN migratedFrom;"),
      ("9 failures", "DROP TABLE failures; DELETE FROM tableSums WHERE name = 'failures';"),
      ("10 views for people", "DROP VIEW photos; DROP VIEW files; DROP VIEW outcomes;"),
      (
        "11 history",
        """
        DROP TABLE changes; DROP TABLE history;
        DELETE FROM tableSums WHERE name IN ('changes', 'history');
        """
      ),
      ("12 albums", "ALTER TABLE runs DROP COLUMN albumsFromFolders;"),
      (
        "13 content identifiers",
        "DROP INDEX assetsByContentDigest; ALTER TABLE assets DROP COLUMN contentDigest;"
      ),
      ("14 labels", "ALTER TABLE assets DROP COLUMN relabelled;"),
      (
        "15 facts",
        [
          "mediaSubtypes", "rating", "isFavorite", "isHidden", "caption", "keywords", "burst",
          "isBurstPick", "latitude", "longitude",
        ].map { "ALTER TABLE assets DROP COLUMN \($0);" }.joined()
      ),
      (
        "16 stacks",
        """
        DROP TABLE stacks; DELETE FROM tableSums WHERE name = 'stacks';
        ALTER TABLE assets DROP COLUMN burstDigest; ALTER TABLE history DROP COLUMN stacked;
        """
      ),
      ("17 thumbhash", "ALTER TABLE thumbnails DROP COLUMN thumbHash;"),
      (
        "18 source albums",
        """
        DROP TABLE albumItems; DROP TABLE albums; DROP TABLE describedItems;
        DELETE FROM tableSums WHERE name IN ('albumItems', 'albums', 'describedItems');
        """
      ),
      ("19 key checks", "DROP TABLE keyChecks; DELETE FROM tableSums WHERE name = 'keyChecks';"),
    ]
    for step in undoing.dropFirst(count - 3).reversed() {
      _ = try catalogue(
        step.sql + "DELETE FROM grdb_migrations WHERE identifier = '\(step.migration)';"
      )
    }
  }
}
