/// The version of mediabatch; the coordinator and its workers refuse to work with another version.
package enum BuildInfo {
  /// The version number, `major.minor.patch`.
  package static let version = "0.2.0"

  /// The number of what the program can read, strip and decode: raised by 1 in a release in which any
  /// file may fare differently, so that failures that were said are tried again.
  package static let formatVersion = 3
}
