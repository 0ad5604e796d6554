internal import MediaModel

/// A value in two manifests that are compared.
struct Change<Object, Value> {
  let before: Value
  let now: Value
  /// The objects that have the value.
  let old: Object
  let new: Object
  let oldManifest: Manifest
  let newManifest: Manifest
  /// The source that has the objects, where they are of one.
  let source: SourceID
  /// The entry of the list that the change is on; nil when it widens.
  var narrowing: Narrowing?

  init(
    _ value: KeyPath<Object, Value>,
    _ old: Object,
    _ new: Object,
    _ comparison: ManifestComparison
  ) {
    before = old[keyPath: value]
    now = new[keyPath: value]
    self.old = old
    self.new = new
    oldManifest = comparison.old.manifest
    newManifest = comparison.new.manifest
    source = comparison.source
  }
}

/// Says which changes of a value are on the list of narrowings; all others widen.
struct NarrowingRule<Object, Value> {
  let narrowing: (Change<Object, Value>) -> Narrowing?

  static var none: Self { Self { _ in nil } }

  static func when(
    _ narrowing: Narrowing,
    _ isNarrower: @escaping (Change<Object, Value>) -> Bool
  ) -> Self {
    Self { isNarrower($0) ? narrowing : nil }
  }
}

extension NarrowingRule where Value: Equatable {
  /// One value is the strictest.
  static func becoming(_ strictest: Value, _ narrowing: Narrowing) -> Self {
    .when(narrowing) { $0.now == strictest }
  }
}

extension NarrowingRule where Value: Comparable {
  static func becomingLower(_ narrowing: Narrowing) -> Self {
    .when(narrowing) { $0.now < $0.before }
  }
}
