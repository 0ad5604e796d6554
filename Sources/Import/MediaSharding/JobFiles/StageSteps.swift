/// The folders between which a job copies with rclone, on machines that do not share a file system.
///
/// Each is a remote of rclone with a path, such as `archive:photos/2019`, except for ``source``.
package struct StageSteps: Sendable, Hashable {
  /// The folder that `shards plan --listing` has listed.
  package var media: String
  /// The absolute path of the local folder that the manifest names as the source.
  package var source: String
  /// The folder that gets libraries and receipts, a folder for each attempt. It must not lie within
  /// ``media``.
  package var results: String

  package init(media: String, source: String, results: String) {
    self.media = media
    self.source = source
    self.results = results
  }
}
