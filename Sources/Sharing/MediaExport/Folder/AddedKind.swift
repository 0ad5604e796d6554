internal import MediaModel

/// What a person calls a file of an exported folder.
package enum AddedKind: String, CaseIterable, Sendable, Hashable {
  case photo
  case film
  case sound
  case sidecar
  case file

  /// The kind that a name tells.
  init(_ path: [UInt8]) {
    let path = ItemPath(bytes: path)
    if SidecarName(path) != nil {
      self = .sidecar
      return
    }
    self =
      switch MediaFormat(fileExtension: path.fileExtension)?.mediaType {
      case .image: .photo
      case .video: .film
      case .audio: .sound
      case nil: .file
      }
  }
}
