import MediaTestSupport
import Testing

extension Scene {
  /// Gives the library's catalogue the form that every catalogue begins with, which has no key checks.
  func undoMigrations() throws {
    _ = try catalogue(
      """
      DROP TABLE keyChecks; ALTER TABLE assets DROP COLUMN embeddedOffset;
      ALTER TABLE assets DROP COLUMN embeddedLength; ALTER TABLE assets DROP COLUMN stillLength;
      ALTER TABLE assets DROP COLUMN creationDateStated; ALTER TABLE assets DROP COLUMN people;
      ALTER TABLE assets DROP COLUMN placeTag;
      DELETE FROM tableSums WHERE name = 'keyChecks';
      DELETE FROM grdb_migrations WHERE identifier = '19 key checks';
      """
    )
  }
}
