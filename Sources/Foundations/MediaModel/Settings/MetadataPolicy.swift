/// The treatment of a file's metadata.
package struct MetadataPolicy: RawRepresentable, Sendable, Hashable, Codable {
  /// The mode as a manifest writes it.
  package enum Word: String, CaseIterable, Sendable, Hashable {
    /// Writes only what is needed to show the picture.
    case strip
    /// Writes the file byte for byte.
    case keep
  }

  /// The mode.
  package let word: Word
  /// The metadata that `strip` preserves; empty under `keep`.
  package let except: Set<MetadataException>
  /// Whether a preserved location is rounded.
  package let isLocationCoarse: Bool

  /// Removes all metadata.
  package static let strip = MetadataPolicy(except: [])
  /// Writes files unchanged.
  package static let keep = MetadataPolicy(word: .keep, except: [], isLocationCoarse: false)

  /// Creates a `strip` policy that preserves `except`.
  package init(except: Set<MetadataException>, isLocationCoarse: Bool = false) {
    self.init(
      word: .strip,
      except: except,
      isLocationCoarse: isLocationCoarse && except.contains(.location)
    )
  }

  private init(word: Word, except: Set<MetadataException>, isLocationCoarse: Bool) {
    self.word = word
    self.except = except
    self.isLocationCoarse = isLocationCoarse
  }

  /// The policy as text: `keep`, `strip`, or for example `strip+copyright+location:coarse`; each
  /// policy has exactly one text.
  package var rawValue: String {
    ([word.rawValue] + except.map { exceptionText($0) }.sorted()).joined(separator: "+")
  }

  private func exceptionText(_ exception: MetadataException) -> String {
    exception == .location && isLocationCoarse ? "location:coarse" : exception.rawValue
  }

  /// Creates the policy that `rawValue` describes; nil if it is not in the canonical form.
  package init?(rawValue: String) {
    let parts = rawValue.split(separator: "+", omittingEmptySubsequences: false).map(String.init)
    guard let word = parts.first.flatMap(Word.init) else { return nil }
    var except: Set<MetadataException> = []
    for part in parts.dropFirst() {
      guard
        let exception = MetadataException(rawValue: part == "location:coarse" ? "location" : part)
      else { return nil }
      except.insert(exception)
    }
    if word == .keep, !except.isEmpty { return nil }
    self.init(word: word, except: except, isLocationCoarse: parts.contains("location:coarse"))
    guard self.rawValue == rawValue else { return nil }
  }

  /// Whether the mode is `strip`.
  package var strips: Bool { word == .strip }

  /// Returns whether an output written under this policy may still contain the given metadata.
  package func keeps(_ exception: MetadataException) -> Bool {
    !strips || except.contains(exception)
  }

  /// Returns whether all metadata that this policy preserves is preserved under `other` too.
  package func isAtLeastAsStrict(as other: MetadataPolicy) -> Bool {
    guard other.strips else { return true }
    guard strips, except.isSubset(of: other.except) else { return false }
    return !other.isLocationCoarse || isLocationCoarse || !except.contains(.location)
  }

  /// Returns the options for stripping one file under this policy.
  package func stripOptions(pairingKey: [UInt8]? = nil) -> StripOptions {
    StripOptions(except: except, isLocationCoarse: isLocationCoarse, pairingKey: pairingKey)
  }
}

/// The party that enforces the confinement: the kernel, or only this process.
package enum Enforcement: String, CaseIterable, Sendable, Hashable, Codable {
  case kernel
  case process
}
