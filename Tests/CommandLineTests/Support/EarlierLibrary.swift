import MediaTestSupport
import Testing

extension Scene {
  /// Gives the library's catalogue the form that every catalogue begins with, which has no key checks.
  func undoMigrations() throws {
    _ = try catalogue(
      """
      DROP TABLE keyChecks; DELETE FROM tableSums WHERE name = 'keyChecks';
      DELETE FROM grdb_migrations WHERE identifier = '19 key checks';
      """
    )
  }
}
