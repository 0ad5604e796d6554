/// The kind of a change, by the words of PhotoKit's `PHPersistentChange`.
package enum ChangeKind: String, CaseIterable, Sendable, Hashable {
  case inserted
  case updated
  /// A person has taken it out of the library.
  case deleted
}

/// The part of an asset that a change is about.
package enum ChangedPart: String, CaseIterable, Sendable, Hashable {
  /// All of it: it is new, or gone.
  case asset
  /// Its originals and thumbnails were written anew.
  case files
  /// Lost originals came back.
  case originals
  /// Thumbnails alone.
  case thumbnails
  /// A person gave it another label: its files have other names.
  case label
  /// A person turned it.
  case rotation
  /// Its date was corrected in another way.
  case date
  /// Its place, or the name of that, was found anew.
  case place
  /// It came into a stack, or out of one, or the stack has another cover.
  case stack
  /// The originals of earlier versions were given up.
  case replaced
}

/// A change of one asset, as the library's history has it.
package struct AssetChange: Sendable, Hashable {
  package var kind: ChangeKind
  package var localIdentifier: String
  package var what: ChangedPart
  /// The run or command that made it.
  package var run: String
  /// The position in the history behind this change.
  package var token: ChangeToken

  package init(
    kind: ChangeKind,
    localIdentifier: String,
    what: ChangedPart,
    run: String,
    token: ChangeToken
  ) {
    self.kind = kind
    self.localIdentifier = localIdentifier
    self.what = what
    self.run = run
    self.token = token
  }
}

/// A position in the history of one catalogue: behind the change of this number.
///
///     7d2c91f0a1b2c3d4-1084-5f1c2b3a4d5e6f70
///
/// The first part is the history's epoch, random and new with each catalogue that is made, made anew or
/// restored from a copy. The last is the digest of the change's row, so that a number which means another
/// change by now is recognized even where nobody noticed that the catalogue went back.
package struct ChangeToken: Sendable, Hashable, CustomStringConvertible {
  /// 16 hexadecimal digits.
  package let epoch: String
  /// 0 before the first change.
  package let sequence: Int64
  /// The digest of the change's row; 0 before the first change.
  package let digest: UInt64

  package init(epoch: String, sequence: Int64, digest: UInt64) {
    self.epoch = epoch
    self.sequence = sequence
    self.digest = digest
  }

  /// Reads a token; nil for any text that is not one in its only form.
  package init?(_ text: String) {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 3, parts[0].utf8.count == 16, let sequence = Int64(parts[1]),
      sequence >= 0, let digest = UInt64(parts[2], radix: 16)
    else { return nil }
    self.init(epoch: parts[0], sequence: sequence, digest: digest)
    guard description == text else { return nil }
  }

  package var description: String {
    "\(epoch)-\(sequence)-\(Self.text(digest))"
  }

  /// Makes the epoch of a history that begins now.
  package static func makeEpoch() -> String { text(UInt64.random(in: .min ... .max)) }

  private static func text(_ number: UInt64) -> String {
    let digits = String(number, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}
