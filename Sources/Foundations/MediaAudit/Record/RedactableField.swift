/// A kind of name that an export can hold back.
package enum RedactableKind: String, CaseIterable, Sendable, Hashable {
  /// Paths of source files and folders, the hash of a list of them, and the names of sources, which mostly are those of
  /// folders.
  case paths
  /// Paths of published files, which contain an asset's label.
  case labels
  /// Names of the machine and the user that ran the import.
  case hosts
}

/// A field of a record that contains a name.
enum RedactableField: Sendable, Hashable {
  case path
  case resolvedPath
  case list
  /// The name of a source, where it is another than its kind's word.
  case sourceName
  case outputPath
  /// The path that a published file had before it was renamed.
  case previousPath
  /// The path below the photo library of a file that is added to it.
  case addedPath
  /// The 0-based number of the thumbnail.
  case thumbnailPath(Int)
  case host
  case user

  var kind: RedactableKind {
    switch self {
    case .path, .resolvedPath, .list, .sourceName, .addedPath: .paths
    case .outputPath, .previousPath, .thumbnailPath: .labels
    case .host, .user: .hosts
    }
  }

  /// The place that a pointer names; nil for any other.
  init?(pointer: String) {
    let fixed: [RedactableField] = [
      .path, .resolvedPath, .list, .sourceName, .outputPath, .previousPath, .addedPath, .host, .user,
    ]
    if let field = fixed.first(where: { $0.pointer == pointer }) {
      self = field
      return
    }
    let parts = pointer.split(separator: "/")
    guard parts.count == 3, let number = Int(parts[1]), number >= 0 else { return nil }
    self = .thumbnailPath(number)
    guard self.pointer == pointer else { return nil }
  }

  /// Source: RFC 6901 (JSON Pointer).
  var pointer: String {
    switch self {
    case .path: "/path"
    case .resolvedPath: "/resolvedPath"
    case .list: "/listSHA256"
    case .sourceName: "/sourceName"
    case .outputPath: "/output/path"
    case .previousPath: "/previousPath"
    case .addedPath: "/addedPath"
    case .thumbnailPath(let number): "/thumbnails/\(number)/path"
    case .host: "/host"
    case .user: "/user"
    }
  }
}
