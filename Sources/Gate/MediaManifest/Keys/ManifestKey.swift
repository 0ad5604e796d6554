internal import MediaSyntax

/// A key of an object in a manifest, with all that the reader, the comparison, the schema and the
/// documentation know of it. ``ManifestKeys`` has the table.
struct ManifestKey<Object> {
  let name: String
  let shape: KeyShape
  /// A value for a key that must be there, as JSON; nil when it may be left out.
  private(set) var example: String?
  private(set) var meaning = ""
  private(set) var defaultText: String?
  /// The value of an object as JSON; that of an object that was not read is the default.
  private var json: (Object) -> String? = { _ in nil }
  /// Reads a value into an object; a value with an issue leaves the object unchanged.
  let read: (inout ManifestChecker, Field, inout Object) -> Void
  /// Notes the differences from the older object to the newer one. Then it sets the newer value in
  /// the older object, so that a value that no key compares is found at the end.
  let compare: (inout ManifestComparison, _ old: inout Object, Object, _ path: String) -> Void

  /// A key with functions of its own.
  init(
    _ name: String,
    _ shape: KeyShape,
    read: @escaping (inout ManifestChecker, Field, inout Object) -> Void,
    compare:
      @escaping (inout ManifestComparison, inout Object, Object, String) -> Void = { _, _, _, _ in }
  ) {
    self.name = name
    self.shape = shape
    self.read = read
    self.compare = compare
  }

  /// A key with one value. `sentence` tells a reviewer what a change means.
  init<Value>(
    _ name: String,
    _ value: WritableKeyPath<Object, Value>,
    _ type: ValueType<Value>,
    _ rule: NarrowingRule<Object, Value> = .none,
    sentence: @escaping (Change<Object, Value>) -> String
  ) {
    self.init(
      name,
      type.shape,
      read: { checker, field, object in
        if let parsed = type.read(&checker, field) { object[keyPath: value] = parsed }
      },
      compare: { comparison, old, new, path in
        var change = Change(value, old, new, comparison)
        old[keyPath: value] = change.now
        if type.isSame(change.before, change.now) { return }
        change.narrowing = rule.narrowing(change)
        let (before, now) = (type.json(change.before), type.json(change.now))
        comparison.note(path, before, now, sentence(change), change.narrowing)
      }
    )
    json = { type.json($0[keyPath: value]) }
  }

  init<Value>(
    _ name: String,
    _ value: WritableKeyPath<Object, Value>,
    _ type: ValueType<Value>,
    _ rule: NarrowingRule<Object, Value> = .none,
    changed sentence: String
  ) {
    self.init(name, value, type, rule) { _ in sentence }
  }

  /// A path; `what` names it in sentences.
  init(_ name: String, path value: WritableKeyPath<Object, String?>, _ what: String) {
    self.init(
      name,
      .path,
      read: { checker, field, object in object[keyPath: value] = checker.path(field) },
      compare: { comparison, old, new, path in
        let (before, now) = (old[keyPath: value], new[keyPath: value])
        old[keyPath: value] = now
        comparison.notePath(before, now, path: path, what)
      }
    )
  }

  /// The path of a file that decides, which may stand beside the SHA-256 that the file has to have.
  init(
    _ name: String,
    file value: WritableKeyPath<Object, String?>,
    sha256 pin: WritableKeyPath<Object, String?>,
    _ what: String,
    contents digest: KeyPath<ManifestComparison.Side, String?>? = nil,
    leavingOut: @escaping (Object) -> Narrowing? = { _ in nil }
  ) {
    self.init(
      name,
      .pinnedPath,
      read: { checker, field, object in
        guard case .object = field.node.value else {
          object[keyPath: value] = checker.path(field)
          return
        }
        (object[keyPath: value], object[keyPath: pin]) = checker.pinnedPath(field)
      },
      compare: { comparison, old, new, path in
        let (before, now) = (old[keyPath: value], new[keyPath: value])
        let (oldPin, newPin) = (old[keyPath: pin], new[keyPath: pin])
        (old[keyPath: value], old[keyPath: pin]) = (now, newPin)
        comparison.notePath(before, now, path: path, what, leavingOut(new))
        if before != nil, now != nil { comparison.notePin(oldPin, newPin, path: path, what) }
        if let digest { comparison.noteContents(digest, path: path, what) }
      }
    )
  }

  /// An object whose keys are stored in the same value as those around it.
  init(_ name: String, _ keys: ObjectKeys<Object>) {
    self.init(
      name,
      .object(keys.descriptions),
      read: { keys.read(&$0, $1, into: &$2) },
      compare: { keys.compare(&$0, &$1, $2, $3) }
    )
  }

  /// An object that is a value of its own, or nil. `json` shows it when it comes or goes.
  init<Child>(
    _ name: String,
    _ value: WritableKeyPath<Object, Child?>,
    keys: ObjectKeys<Child>,
    json: @escaping (Child) -> String = { _ in "{}" },
    _ rule: NarrowingRule<Object, Child?>,
    sentence: @escaping (Change<Object, Child?>) -> String
  ) {
    self.init(
      name,
      .object(keys.descriptions),
      read: { checker, field, object in
        var child = keys.blank
        keys.read(&checker, field, into: &child)
        object[keyPath: value] = child
      },
      compare: { comparison, old, new, path in
        var change = Change(value, old, new, comparison)
        old[keyPath: value] = change.now
        if var before = change.before, let now = change.now {
          keys.compare(&comparison, &before, now, path)
          old[keyPath: value] = before
        } else if change.before != nil || change.now != nil {
          change.narrowing = rule.narrowing(change)
          let (before, now) = (change.before.map(json), change.now.map(json))
          comparison.note(path, before, now, sentence(change), change.narrowing)
        }
      }
    )
    defaultText = "–"
  }

  // MARK: - Words for people

  /// Says what the key means, in Markdown.
  func meaning(_ meaning: String) -> Self {
    var key = self
    key.meaning = meaning
    return key
  }

  /// Says the default where JSON cannot.
  func byDefault(_ text: String) -> Self {
    var key = self
    key.defaultText = text
    return key
  }

  /// Says that the key must be there; `example` is a value for it, as JSON.
  func required(_ isRequired: Bool = true, such example: String) -> Self {
    var key = self
    key.example = isRequired ? example : nil
    return key
  }

  func description(_ blank: Object) -> KeyDescription {
    KeyDescription(
      name: name,
      shape: shape,
      isRequired: example != nil,
      defaultJSON: example != nil || defaultText != nil ? nil : json(blank),
      defaultText: defaultText,
      meaning: meaning
    )
  }
}

/// The keys of one object.
struct ObjectKeys<Object> {
  /// An object in which every key has its default.
  let blank: Object
  /// Keys that belong to another object, and the name of that object.
  var elsewhere: [String: String] = [:]
  /// In the order in which messages and documents list them.
  let keys: [ManifestKey<Object>]
  /// Checks several keys together, after each was read.
  var check: (inout ManifestChecker, CheckedObject, inout Object) -> Void = { _, _, _ in }

  var set: KeySet { KeySet(names: keys.map(\.name), elsewhere: elsewhere) }

  var descriptions: [KeyDescription] { keys.map { $0.description(blank) } }

  func compare(
    _ comparison: inout ManifestComparison,
    _ old: inout Object,
    _ new: Object,
    _ path: String
  ) {
    for key in keys { key.compare(&comparison, &old, new, JSONPath.member(path, key.name)) }
  }

  /// Reads the keys of an object.
  func read(_ checker: inout ManifestChecker, _ field: Field, into value: inout Object) {
    guard let object = checker.object(field, keys: set) else { return }
    for key in keys {
      let field =
        key.example.flatMap { checker.required(key.name, such: $0, in: object) } ?? object[key.name]
      if let field { key.read(&checker, field, &value) }
    }
    check(&checker, object, &value)
  }
}

extension ObjectKeys where Object: Equatable {
  /// A list of at most `limit` objects with these keys; `what` is the word for them in a message, and `members` are the
  /// texts of one for a reviewer, nil for a key that is absent.
  func list(
    _ shape: KeyShape,
    limit: Int,
    of what: String,
    members: @escaping (Object) -> [(name: String, text: String?)]
  ) -> ValueType<[Object]> {
    ValueType(
      shape,
      json: { objects in
        let texts = objects.map { object in
          members(object).compactMap { name, text in
            text.map { "\"\(name)\": \(ComparisonText.quoted($0))" }
          }.joined(separator: ", ")
        }
        return texts.isEmpty ? nil : "[" + texts.map { "{\($0)}" }.joined(separator: ", ") + "]"
      },
      read: { checker, field in
        checker.list(field, limit: limit, of: what)?.map { element in
          var object = blank
          read(&checker, element, into: &object)
          return object
        }
      }
    )
  }
}
