/// What happens to what a file says about itself.
package struct MetadataPolicy: RawRepresentable, Sendable, Hashable, Codable {
  /// The word in a manifest.
  package enum Word: String, CaseIterable, Sendable, Hashable {
    /// Only what is needed to show the picture is written.
    case strip
    /// The file is written byte for byte.
    case keep
  }

  package let word: Word
  /// What `strip` leaves; empty under `keep`.
  package let except: Set<MetadataException>
  /// Whether the location that is left is rounded.
  package let isLocationCoarse: Bool

  /// Nothing is left.
  package static let strip = MetadataPolicy(except: [])
  package static let keep = MetadataPolicy(word: .keep, except: [], isLocationCoarse: false)

  /// `strip`, but for `except`.
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

  /// `keep`, `strip`, or such as `strip+copyright+location:coarse`: one text for one policy.
  package var rawValue: String {
    ([word.rawValue] + except.map { exceptionText($0) }.sorted()).joined(separator: "+")
  }

  private func exceptionText(_ exception: MetadataException) -> String {
    exception == .location && isLocationCoarse ? "location:coarse" : exception.rawValue
  }

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
    self.init(
      word: word,
      except: except,
      isLocationCoarse: parts.contains("location:coarse")
    )
    guard self.rawValue == rawValue else { return nil }
  }

  package var strips: Bool { word == .strip }

  /// Whether a file that is written under it may still tell this.
  package func tells(_ exception: MetadataException) -> Bool {
    !strips || except.contains(exception)
  }

  /// Whether everything that is left under this policy is left under `other` too.
  package func isAtLeastAsStrict(as other: MetadataPolicy) -> Bool {
    guard other.strips else { return true }
    guard strips, except.isSubset(of: other.except) else { return false }
    return !other.isLocationCoarse || isLocationCoarse || !except.contains(.location)
  }

  /// How one file is stripped under it.
  package func stripOptions(pairingKey: [UInt8]? = nil) -> StripOptions {
    StripOptions(except: except, isLocationCoarse: isLocationCoarse, pairingKey: pairingKey)
  }
}

/// Who guards the promise: the kernel, or only this process.
package enum Enforcement: String, CaseIterable, Sendable, Hashable, Codable {
  case kernel
  case process
}
