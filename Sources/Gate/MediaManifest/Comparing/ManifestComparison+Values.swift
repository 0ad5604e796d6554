internal import MediaModel
internal import MediaSyntax

extension ManifestComparison {
  /// Compares two paths as they are written, and by the place that they mean.
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
        note(path, ComparisonText.quoted(before), ComparisonText.quoted(now), "\(what) is somewhere else.")
      } else if now.utf8.first != .slash, old.folder != new.folder {
        note(
          path,
          ComparisonText.quoted(absolute(before, in: old.folder)),
          ComparisonText.quoted(absolute(now, in: new.folder)),
          "\(what) is somewhere else, because the two manifests lie in different folders."
        )
      }
    }
  }

  private func absolute(_ path: String, in folder: [UInt8]) -> String {
    EscapedText.percentEscaped(folder) + (folder.last == .slash ? "" : "/") + path
  }

  /// Compares the digests that a manifest says a file has to have.
  mutating func notePin(_ before: String?, _ now: String?, path: String, _ what: String) {
    if before == now { return }
    let sentence =
      switch (before, now) {
      case (nil, _): "must have a SHA-256 now."
      case (_, nil): "may have any content now."
      default: "must have another SHA-256 now."
      }
    note(
      JSONPath.member(path, "sha256"),
      before.map(ComparisonText.quoted),
      now.map(ComparisonText.quoted),
      "\(what) \(sentence)",
      before == nil ? .filePinned : nil
    )
  }

  /// Compares the digests of the files that a path names.
  mutating func noteContents(_ digest: KeyPath<Side, String?>, path: String, _ what: String) {
    guard let before = old[keyPath: digest], let now = new[keyPath: digest], before != now else {
      return
    }
    note(
      path,
      ComparisonText.quoted("sha256:" + before),
      ComparisonText.quoted("sha256:" + now),
      "\(what) has another content."
    )
  }

  /// Notes each entry that was added and each that was removed.
  mutating func compareSelection(
    _ old: SourceDeclaration,
    _ new: SourceDeclaration,
    _ path: String
  ) {
    // Without a selection everything is open under `authorized`; the status is compared by itself.
    if new.authorizationStatus == .authorized { return }
    let narrowing: Narrowing? =
      self.old.manifest.mayReplaceFiles(of: source) ? nil : .selectionSmaller
    let wasOpen = self.old.manifest.sources[source]?.authorizationStatus == .authorized
    let (before, now) = (old.selection ?? [], new.selection ?? [])
    let oldTexts = Set(before.map { Array($0.text.utf8) })
    let newTexts = Set(now.map { Array($0.text.utf8) })
    let came = now.enumerated().filter { !oldTexts.contains(Array($0.element.text.utf8)) }
    let selection = Selection(before)
    // Fifty million comparisons are a second; beyond, an entry counts as new.
    let isComparable = came.count * (selection.patterns.count + 1) <= 50_000_000
    for (index, entry) in came {
      let isCovered =
        wasOpen
        || (isComparable
          && entry.literalBytes.map { selection.contains(ItemPath(bytes: $0)) } == true)
      note(
        JSONPath.element(path, index),
        nil,
        ComparisonText.quoted(entry.text),
        isCovered ? "Its files could be reached before." : "The selection has a new entry.",
        isCovered ? narrowing : nil
      )
    }
    for (index, entry) in before.enumerated() where !newTexts.contains(Array(entry.text.utf8)) {
      note(
        JSONPath.element(path, index),
        ComparisonText.quoted(entry.text),
        nil,
        "The selection has lost an entry.",
        narrowing
      )
    }
  }
}

/// Formats values for a reviewer.
enum ComparisonText {
  /// The text in quotes, escaped, at most 500 characters.
  static func quoted(_ text: String) -> String {
    "\"\(EscapedText.printable(text, limit: 500))\""
  }

  static func list(_ words: [String]) -> String {
    "[\(words.map(quoted).joined(separator: ", "))]"
  }

  /// Compares bytes: Swift's `==` also takes texts for equal that only look so.
  static func isIdentical(_ text: String?, _ other: String?) -> Bool {
    switch (text, other) {
    case (nil, nil): true
    case (let text?, let other?): text.utf8.elementsEqual(other.utf8)
    default: false
    }
  }
}
