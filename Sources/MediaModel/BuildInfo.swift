/// The version of mediabatch; the coordinator and its workers refuse to work with another version.
package enum BuildInfo {
  /// The version number, `major.minor.patch`.
  package static let version = "0.1.0"
}
