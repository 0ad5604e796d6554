import MediaTestSupport
import Testing

extension Scene {
  /// Gives the library's catalogue the form that every catalogue begins with, which has no key checks and no
  /// perceptual hashes; it may have no thumbnails.
  func undoMigrations() throws {
    _ = try catalogue(
      """
      DROP INDEX assetsCorrected; DROP TABLE keyChecks; ALTER TABLE assets DROP COLUMN embeddedOffset;
      ALTER TABLE assets DROP COLUMN embeddedLength; ALTER TABLE assets DROP COLUMN stillLength;
      ALTER TABLE assets DROP COLUMN creationDateStated; ALTER TABLE assets DROP COLUMN people;
      ALTER TABLE assets DROP COLUMN placeTag; ALTER TABLE assets DROP COLUMN city;
      ALTER TABLE assets DROP COLUMN region; ALTER TABLE assets DROP COLUMN country;
      ALTER TABLE thumbnails DROP COLUMN perceptualHash;
      DROP TABLE appliedRules; DROP TABLE stagedBatches;
      DELETE FROM tableSums WHERE name IN ('keyChecks', 'appliedRules', 'stagedBatches');
      DELETE FROM grdb_migrations WHERE identifier = '19 key checks';
      """
    )
  }
}
