/// What happens to what a file says about itself.
package enum MetadataPolicy: String, CaseIterable, Sendable, Hashable, Codable {
  /// Only what is needed to show the picture is written.
  case strip
  /// The file is written byte for byte.
  case keep
}

/// Who guards the promise: the kernel, or only this process.
package enum Enforcement: String, CaseIterable, Sendable, Hashable, Codable {
  case kernel
  case process
}
