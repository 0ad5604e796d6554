internal import MediaDigest
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

  /// Whether it is the folder that another identity is of, wherever each says that it lies; a camera, which has
  /// no inode, is never.
  func isFolder(of other: FolderIdentity) -> Bool {
    inode != 0 && device == other.device && inode == other.inode
  }

  /// The identifier of a client that is named by this folder: the same for the same folder in the same place, and
  /// no part of its path, since it stands in logs and receipts.
  package var clientIdentifier: String {
    let text = Array("mediabatch.client/1\0\(device)\0\(inode)\0".utf8) + path
    return Self.clientPrefix + Hexadecimal.text(SHA256.hash(text)).prefix(Self.clientDigits)
  }

  private static let clientPrefix = "import."
  private static let clientDigits = 32

  /// The identifiers of clients that are named by a folder, as a pattern of SQLite's GLOB.
  static let clientPattern = clientPrefix + String(repeating: "[0-9a-f]", count: clientDigits)

  /// Whether an identifier is that of a client which is named by a folder.
  package static func isOfClient(_ identifier: String) -> Bool {
    let digits = identifier.utf8.dropFirst(clientPrefix.utf8.count)
    return identifier.hasPrefix(clientPrefix) && digits.count == clientDigits
      && digits.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
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
  /// The usage description itself, to be told; nil where the manifest has none.
  package var usageText: String?
  /// The language that it was shown in, a tag of BCP 47; nil where the manifest does not say it.
  package var usageTextLanguage: String?

  /// What the person saw, as a text in its language; without words where there was none.
  package var shownText: LocalizedText { LocalizedText(usageText ?? "", in: usageTextLanguage) }

  /// Whether a denial with this binding is about what another binding is about: a source of the same kind for the
  /// same client, or, between clients that are named by their folder, in the same folder, wherever that lay then.
  package func denies(_ other: AnswerBinding) -> Bool {
    guard source.kind == other.source.kind, level == other.level else { return false }
    if client == other.client { return true }
    guard let folder, let otherFolder = other.folder else { return false }
    return [client, other.client].allSatisfy(FolderIdentity.isOfClient) && folder.isFolder(of: otherFolder)
  }

  /// Whether an answer with this binding takes the place of one with another binding.
  package func hasKey(of other: AnswerBinding) -> Bool {
    AnswerStore.Key(self) == AnswerStore.Key(other)
  }

  /// The parts of this binding, an earlier answer's, that are different now.
  package func changes(to current: AnswerBinding) -> [Change] {
    var changes: [Change] = []
    if usageTextSHA256 != current.usageTextSHA256 { changes.append(.usageDescription) }
    if folder != current.folder { changes.append(hasMoved(to: current) ? .folderMoved : .folder) }
    if manifestPath != current.manifestPath { changes.append(.manifest) }
    return changes
  }

  /// Whether the folder is the same one in another place.
  private func hasMoved(to current: AnswerBinding) -> Bool {
    guard let folder, let now = current.folder else { return false }
    return folder.path != now.path && folder.isFolder(of: now)
  }

  /// A part that may change between two runs of one client.
  package enum Change: String, CaseIterable, Sendable, Hashable {
    case usageDescription
    case folder
    /// The same folder has another path.
    case folderMoved
    case manifest

    /// The change in words, for the middle of a sentence.
    package var sentence: String {
      switch self {
      case .usageDescription: "the usage description changed"
      case .folder: "the folder is another one"
      case .folderMoved: "the folder was moved"
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
  /// Whether it is about what a binding is about: a grant for its client's source of the name, a denial as
  /// ``AnswerBinding/denies(_:)`` says.
  package func concerns(_ other: AnswerBinding) -> Bool {
    if status == .denied { return binding.denies(other) }
    return binding.client == other.client && binding.source == other.source && binding.level == other.level
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
