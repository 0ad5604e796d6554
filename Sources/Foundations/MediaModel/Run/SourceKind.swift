/// The origin of media; what is in a source is never changed.
package enum SourceKind: String, CaseIterable, Sendable, Hashable, Codable, Comparable {
  case camera
  case library
  case microphone

  /// The name in messages; the photo library is never just "library", which is the output.
  package var displayName: String {
    self == .library ? "photo library" : rawValue
  }

  /// Orders sources as they are declared.
  package static func < (lhs: SourceKind, rhs: SourceKind) -> Bool {
    lhs.order < rhs.order
  }

  private var order: Int {
    switch self {
    case .camera: 0
    case .library: 1
    case .microphone: 2
    }
  }
}
