/// Which mediabatch this is; both programs say it, and refuse to work with another's counterpart.
package enum BuildInfo {
  package static let version = "0.1.0"
}
