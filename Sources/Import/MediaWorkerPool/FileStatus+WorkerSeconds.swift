package import MediaFileSystem

extension FileStatus {
  /// The time that a worker may take for the file, in seconds: it grows with the bytes that are there, and far
  /// less with holes, which are only hashed.
  package func workerSeconds(atLeast least: Int64) -> Int64 {
    // At most a day: the nanoseconds must not overflow an integer.
    min(least + storedBytes / 20_000_000 + size / 1_000_000_000, 86_400)
  }
}
