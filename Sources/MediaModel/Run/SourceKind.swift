/// Where media comes from; a source is only ever read.
package enum SourceKind: String, CaseIterable, Sendable, Hashable, Codable, Comparable {
  case camera
  case library
  case microphone

  /// The name a person reads: the photo library is never called just "library", which is our output.
  package var displayName: String {
    self == .library ? "photo library" : rawValue
  }

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
