package import MediaModel

/// A folder as the kernel knows it, so that another one under the same name is not taken for it.
package struct FolderIdentity: Sendable, Hashable {
  /// Absolute, every symbolic link resolved.
  package var path: [UInt8]
  /// `st_dev` and `st_ino` of the folder.
  package var device: UInt64
  package var inode: UInt64

  package init(path: [UInt8], device: UInt64, inode: UInt64) {
    self.path = path
    self.device = device
    self.inode = inode
  }
}

/// The facts that a person saw when they answered. A grant counts only while they are unchanged.
package struct AnswerBinding: Sendable, Hashable {
  package var client: String
  package var source: SourceID
  package var level: AccessLevel
  /// SHA-256 of the usage description's UTF-8 bytes, hexadecimal.
  package var usageTextSHA256: String
  /// Nil for a microphone without a path, and for a folder that is not there.
  package var folder: FolderIdentity?
  /// Absolute, every symbolic link resolved.
  package var manifestPath: [UInt8]

  /// Whether an answer with this binding takes the place of one with another binding.
  package func hasKey(of other: AnswerBinding) -> Bool {
    AnswerStore.Key(self) == AnswerStore.Key(other)
  }

  /// The parts of this binding, an earlier answer's, that are different now.
  package func changes(to current: AnswerBinding) -> [Change] {
    var changes: [Change] = []
    if usageTextSHA256 != current.usageTextSHA256 { changes.append(.usageDescription) }
    if folder != current.folder { changes.append(.folder) }
    if manifestPath != current.manifestPath { changes.append(.manifest) }
    return changes
  }

  /// A part that may change between two runs of one client.
  package enum Change: String, CaseIterable, Sendable, Hashable {
    case usageDescription
    case folder
    case manifest

    /// The change in words, for the middle of a sentence.
    package var sentence: String {
      switch self {
      case .usageDescription: "the usage description has other words"
      case .folder: "the folder is another one"
      case .manifest: "it was given for another manifest"
      }
    }
  }
}

extension Sequence where Element == AnswerBinding.Change {
  /// All changes in words, for the middle of a sentence.
  package var sentence: String { Quantity.list(map(\.sentence)) }
}

/// The way in which a person gave an answer.
package enum AnswerReason: String, CaseIterable, Sendable, Hashable {
  /// At a prompt of the terminal.
  case userConsent
  /// On a page in a browser.
  case picker
  /// With `mediabatch access`.
  case userSet
}

/// A person's answer as the store keeps it.
package struct StoredAnswer: Sendable, Hashable {
  package var binding: AnswerBinding
  /// `authorized`, `limited` or `denied`.
  package var status: AuthorizationStatus
  /// Under `limited`: the texts of its patterns, as a manifest would have them.
  package var selection: [String]
  package var reason: AnswerReason
  /// Seconds since 1970, UTC.
  package var decidedAt: Int64
  /// Seconds since 1970, UTC; nil for one that stays. A denial does not expire.
  package var expiresAt: Int64?
  /// It counts for the next run alone, which removes it when it begins.
  package var isForOneRun: Bool
  /// The number of names that a page had shown when it was given; 0 for one that was not given on a page.
  package var shownCount: Int

  package init(
    binding: AnswerBinding,
    status: AuthorizationStatus,
    selection: [String] = [],
    reason: AnswerReason,
    decidedAt: Int64,
    expiresAt: Int64? = nil,
    isForOneRun: Bool = false,
    shownCount: Int = 0
  ) {
    self.binding = binding
    self.status = status
    self.selection = selection
    self.reason = reason
    self.decidedAt = decidedAt
    self.expiresAt = expiresAt
    self.isForOneRun = isForOneRun
    self.shownCount = shownCount
  }
}

extension StoredAnswer {
  /// Whether it is about a source at a level: a denial is about all sources of its kind.
  package func concerns(_ source: SourceID, _ level: AccessLevel) -> Bool {
    let other = binding.source
    return binding.level == level && (other == source || status == .denied && other.kind == source.kind)
  }

  /// Whether it may take the place of what was stored while its question stood.
  ///
  /// - Parameters:
  ///   - current: The client's answers about its source at its level.
  ///   - earlier: Those that were stored when the person was asked.
  /// - Returns: True for a denial, for a selection unless there was a denial, and for what allows all only if
  ///   nothing has changed.
  package func mayBeStored(
    besides current: [StoredAnswer],
    askedAfter earlier: [StoredAnswer]
  ) -> Bool {
    if current == earlier || status == .denied { return true }
    return status == .limited && !current.contains { $0.status == .denied && !earlier.contains($0) }
  }
}
