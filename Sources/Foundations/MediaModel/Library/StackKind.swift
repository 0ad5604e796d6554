/// The reason that assets are a stack.
package enum StackKind: String, CaseIterable, Sendable, Hashable {
  /// A rendition that was edited, and its original.
  case edited
  /// The same picture in several formats: RAW, HEIC and JPEG.
  case formats
  /// Pictures of one burst.
  case burst
  /// A person stacked them.
  case user
  /// A person took the asset out of its stack: no rule stacks it again.
  case apart
  /// Files that could be one stack in several ways, and stay apart.
  case ambiguous

  /// Whether its assets are shown as one.
  package var isStack: Bool { self != .apart && self != .ambiguous }

  /// Whether a person decided, so that no rule changes it.
  package var isOwn: Bool { self == .user || self == .apart }
}
