internal import Glibc

/// The number of files that this process may have open at once.
///
/// Source: getrlimit(2), RLIMIT_NOFILE.
package enum DescriptorLimit {
  /// What a run needs: its library, its workers, and the files of two small batches.
  package static let needed: UInt64 = 64
  /// What is taken where the limit may be raised: Foundation starts no process with much less.
  private static let wanted: rlim_t = 256

  /// Raises the limit as far as it is needed and allowed; one that is high enough stays as it is.
  ///
  /// - Returns: The limit behind it; nil where it is at least ``needed``, or cannot be read.
  package static func raise() -> UInt64? {
    var limit = rlimit()
    let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    guard getrlimit(resource, &limit) == 0 else { return nil }
    if limit.rlim_cur < wanted, limit.rlim_cur < limit.rlim_max {
      var raised = limit
      raised.rlim_cur = min(wanted, limit.rlim_max)
      if setrlimit(resource, &raised) == 0 { limit = raised }
    }
    return limit.rlim_cur < needed ? UInt64(limit.rlim_cur) : nil
  }
}
