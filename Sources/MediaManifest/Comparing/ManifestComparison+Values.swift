internal import MediaModel

extension ManifestComparison {
  /// Compares one value, then sets it to the newer one. The closures give the value as JSON has it,
  /// what the newer value means, and what it is on the list as, when it differs.
  mutating func compare<Value: Equatable>(
    _ value: WritableKeyPath<Manifest, Value>,
    path: String,
    _ text: (Value) -> String?,
    _ sentence: (Value) -> String,
    _ narrowing: (Value) -> Narrowing?
  ) {
    let (before, now) = (old[keyPath: value], new[keyPath: value])
    old[keyPath: value] = now
    guard before != now else { return }
    note(path, text(before), text(now), sentence(now), narrowing(now))
  }

  mutating func compareText(
    _ value: WritableKeyPath<Manifest, String>,
    path: String,
    _ sentence: String
  ) {
    let (before, now) = (old[keyPath: value], new[keyPath: value])
    old[keyPath: value] = now
    guard !ComparisonText.isIdentical(before, now) else { return }
    note(path, ComparisonText.quoted(before), ComparisonText.quoted(now), sentence)
  }

  mutating func comparePath(
    _ value: WritableKeyPath<Manifest, String>,
    path: String,
    _ what: String
  ) {
    let (before, now) = (old[keyPath: value], new[keyPath: value])
    old[keyPath: value] = now
    notePath(before, now, path: path, what)
  }

  mutating func comparePath(
    _ value: WritableKeyPath<Manifest, String?>,
    path: String,
    _ what: String,
    _ narrowing: Narrowing? = nil
  ) {
    let (before, now) = (old[keyPath: value], new[keyPath: value])
    old[keyPath: value] = now
    notePath(before, now, path: path, what, narrowing)
  }

  /// Two paths are the same when they are written in the same way and mean the same place.
  mutating func notePath(
    _ before: String?,
    _ now: String?,
    path: String,
    _ what: String,
    _ narrowing: Narrowing? = nil
  ) {
    switch (before, now) {
    case (nil, nil): return
    case (let before?, nil):
      note(path, ComparisonText.quoted(before), nil, "\(what) is left out.", narrowing)
    case (nil, let now?):
      note(path, nil, ComparisonText.quoted(now), "\(what) is new.")
    case (let before?, let now?):
      if !ComparisonText.isIdentical(before, now) {
        note(
          path,
          ComparisonText.quoted(before),
          ComparisonText.quoted(now),
          "\(what) is somewhere else."
        )
      } else if now.utf8.first != UInt8(ascii: "/"), oldFolder != newFolder {
        note(
          path,
          ComparisonText.quoted(absolute(before, in: oldFolder)),
          ComparisonText.quoted(absolute(now, in: newFolder)),
          "\(what) is somewhere else, because the two manifests lie in different folders."
        )
      }
    }
  }

  private func absolute(_ path: String, in folder: [UInt8]) -> String {
    EscapedText.percentEscaped(folder) + (folder.last == UInt8(ascii: "/") ? "" : "/") + path
  }
}

/// Values as a reviewer reads them.
enum ComparisonText {
  /// In quotes, escaped, at most 500 characters.
  static func quoted(_ text: String) -> String {
    "\"\(EscapedText.printable(text, limit: 500))\""
  }

  static func list(_ words: [String]) -> String {
    "[\(words.map(quoted).joined(separator: ", "))]"
  }

  /// Byte by byte: Swift's `==` also takes texts for equal that only look so.
  static func isIdentical(_ text: String?, _ other: String?) -> Bool {
    switch (text, other) {
    case (nil, nil): true
    case (let text?, let other?): text.utf8.elementsEqual(other.utf8)
    default: false
    }
  }
}

extension UsageDescription {
  /// As a reviewer reads it.
  var json: String {
    switch self {
    case .text(let text): ComparisonText.quoted(text)
    case .notAString: "not a string"
    }
  }
}

extension PixelSize {
  /// As a manifest has it.
  var json: String { "[\(width), \(height)]" }
}

extension ThumbnailSpec {
  /// Whether no picture shows more in this box than in the other one. A box that is filled crops,
  /// so that only one of the same shape shows the same part.
  func isSmaller(than other: ThumbnailSpec) -> Bool {
    guard size.width <= other.size.width, size.height <= other.size.height else { return false }
    return (contentMode == .aspectFit && other.contentMode == .aspectFit)
      || size.width * other.size.height == other.size.width * size.height
  }
}
