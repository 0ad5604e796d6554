package import MediaModel
internal import MediaSyntax

/// The privacy keys of an app's Info.plist; nothing else of it is kept.
package struct InfoPlist: Sendable, Hashable {
  package static let limitedAccessAlertKey = "PHPhotoLibraryPreventAutomaticLimitedAccessAlert"
  /// 16 MiB.
  package static let maximumByteCount = 16 << 20

  /// The usage descriptions as written; a value that is not a string is `.notAString`.
  package var usageDescriptions: [UsageDescriptionKey: UsageDescription] = [:]
  /// The value under ``limitedAccessAlertKey``; nil when there is none.
  package var preventsAutomaticLimitedAccessAlert: Bool?
  /// The language that its own texts are in; nil where it does not say one.
  package var developmentRegion: String?

  /// Reads an Info.plist, or finds the errors in it; a pure function of the bytes.
  ///
  /// - Parameter bytes: The whole file, at most ``maximumByteCount``; XML in UTF-8 without a byte
  ///   order mark, or binary.
  /// - Returns: What it says, or the mistakes; a repeated key anywhere in it is one. In a binary
  ///   file every mistake stands in line 1, column 1.
  ///
  /// Source: plist(5) and PropertyList-1.0.dtd for XML; CFBinaryPList.c for binary.
  package static func read(_ bytes: [UInt8]) -> InfoPlistReading {
    let result =
      bytes.count <= maximumByteCount
      ? PropertyListReading(bytes)
      : PropertyListReading(issues: [PropertyListIssue(.tooLarge, "the file is larger than 16 MiB")])
    var issues = result.issues
    var infoPlist = InfoPlist()
    for member in result.members {
      if let key = UsageDescriptionKey(named: member.key) {
        infoPlist.usageDescriptions[key] =
          if case .string(let text) = member.value { .text(text) } else { .notAString }
      } else if member.key.utf8.elementsEqual("CFBundleDevelopmentRegion".utf8) {
        // An app's sources have $(DEVELOPMENT_LANGUAGE) there.
        guard case .string(let word) = member.value else { continue }
        infoPlist.developmentRegion = InfoPlistLanguages.language(named: word)
      } else if member.key.utf8.elementsEqual(limitedAccessAlertKey.utf8) {
        if case .boolean(let value) = member.value {
          infoPlist.preventsAutomaticLimitedAccessAlert = value
        } else {
          issues.append(
            PropertyListIssue(
              .wrongType,
              "true or false is expected, not \(member.value.kind)",
              at: member.offset,
              path: JSONPath.member(JSONPath.root, member.key)
            )
          )
        }
      }
    }
    return InfoPlistReading(
      infoPlist: issues.isEmpty ? infoPlist : nil,
      issues: PropertyListIssue.positioned(issues, in: bytes).map { ManifestIssue($0) }
    )
  }
}

extension UsageDescriptionKey {
  /// The key of a name with the same bytes; Swift's `==` also takes names for equal that only look so.
  init?(named name: String) {
    guard let key = Self(rawValue: name), key.rawValue.utf8.elementsEqual(name.utf8) else { return nil }
    self = key
  }
}

/// The result of reading an Info.plist.
package struct InfoPlistReading: Sendable {
  /// Nil if and only if there are issues.
  package var infoPlist: InfoPlist?
  /// Sorted by position.
  package var issues: [ManifestIssue]
}

extension Manifest {
  /// Merges the manifest with its Info.plist.
  ///
  /// - Returns: The manifest, and a mistake at the manifest's own key for each value that both have
  ///   and that differs: `.usageDescriptionsDiffer`, `.infoPlistDiffers`. Of such a value the
  ///   manifest's own is kept.
  package func merging(
    _ infoPlist: InfoPlist
  ) -> (manifest: Manifest, issues: [ManifestIssue]) {
    var merged = self
    var issues: [ManifestIssue] = []
    for key in UsageDescriptionKey.allCases {
      guard let text = infoPlist.usageDescriptions[key] else { continue }
      guard let own = usageDescriptions[key] else {
        merged.usageDescriptions[key] = text
        continue
      }
      let (both, differing) = own.merging(text)
      merged.usageDescriptions[key] = both
      for text in differing {
        issues.append(
          ManifestIssue(
            position: usageDescriptionPositions[key] ?? .start,
            path: JSONPath.member(JSONPath.member(JSONPath.root, "usageDescriptions"), key.rawValue),
            issue: ValueIssue(
              .usageDescriptionsDiffer,
              "the Info.plist has another text under \"\(key.rawValue)\""
                + (text.language.map { " in \($0)" } ?? "")
                + "; leave one out or make them the same"
            )
          )
        )
      }
    }
    if let prevents = infoPlist.preventsAutomaticLimitedAccessAlert {
      if limitedAccessAlertPosition == nil {
        merged.preventsAutomaticLimitedAccessAlert = prevents
      } else if let position = limitedAccessAlertPosition,
        prevents != preventsAutomaticLimitedAccessAlert
      {
        issues.append(
          ManifestIssue(
            position: position,
            path: JSONPath.member(JSONPath.root, InfoPlist.limitedAccessAlertKey),
            issue: ValueIssue(
              .infoPlistDiffers,
              "the Info.plist says \(prevents); leave one out or make them the same"
            )
          )
        )
      }
    }
    issues.sort { $0.position < $1.position }
    return (merged, issues)
  }
}
