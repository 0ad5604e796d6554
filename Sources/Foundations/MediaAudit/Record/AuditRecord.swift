internal import MediaModel
internal import MediaSyntax

/// The kind of event that a record describes.
package enum AuditEvent: String, CaseIterable, Sendable, Hashable {
  /// The first of a file: who runs what, on what, after which head.
  case run
  /// A source was allowed or refused.
  case decision
  /// An allowed source is about to be listed.
  case source
  /// A source was listed whose limit chooses among files by what is in them.
  case candidates
  /// Names of a source that a person was shown on a page.
  case shown
  /// A file is about to be opened.
  case access
  /// An item ended.
  case outcome
  /// Items that were not opened, because nothing about them changed.
  case unchanged
  /// A status or a stored answer changed.
  case transition
  /// An older file of an asset was removed.
  case superseded
  /// A lost original was published again, with the bytes that it had.
  case restored
  /// A published file that the catalogue had forgotten became a row again.
  case adopted
  /// A file that is not what was published is about to be moved aside.
  case quarantined
  /// A published file is about to get another name, because its asset got another label.
  case relabelled
  /// A published file is about to be moved aside, because a person takes its asset out of the library.
  case withdrawn
  /// A file of the camera is about to be added to the photo library.
  case added
  /// The catalogue's dates of assets were corrected in another way than before.
  case dated
  /// A person stacked assets.
  case stacked
  /// A person took assets out of their stacks.
  case unstacked
  /// A person called assets that look alike different.
  case distinguished
  /// A person turned an asset.
  case rotated
  /// Stripped copies of assets are about to be made for somebody else.
  case copied
  /// A new catalogue was made from the library's folders and its log.
  case rebuilt
  /// A later version changed the schema of the catalogue; no version writes it yet.
  case migrated
  /// The log of a plan or a shard was taken over by a merge.
  case merged
  /// An asset of a shard has another place in the merged library than in that of its shard.
  case placed
  /// The key that will sign the run's head, and its rotations.
  case key
  /// The last of a file: the totals and the exit code.
  case end

  /// Whether its records have a salt, since there are names in them; those that name a source have one too.
  var bearsNames: Bool {
    switch self {
    case .run, .source, .access, .outcome, .unchanged, .superseded, .restored, .adopted,
      .quarantined, .relabelled, .withdrawn, .added:
      true
    case .decision, .candidates, .shown, .transition, .dated, .stacked, .unstacked, .distinguished,
      .rotated, .copied, .rebuilt, .migrated, .merged, .placed, .key, .end:
      false
    }
  }
}

/// A line of the audit log before ``AuditWriter`` numbers, times and chains it.
///
///     {"basis":"authorized","device":"2049","event":"access","inode":"131","modified":1763689479000000000,
///      "path":"IMG_0001.JPG","prev":"5f1c…","run":"7d2c91f0","seq":6,"size":4211,"source":"camera",
///      "time":"2026-11-21T01:44:39.123456Z"}
///
/// (A real line has no breaks.) A ``RecordBody`` makes one by its list of fields, from which it is read too. Text
/// that comes from a person or a file has its control and format characters escaped; a path is
/// ``MediaModel/ItemPath/text``, from which its bytes can be read back.
package struct AuditRecord: Sendable, Hashable {
  package let event: AuditEvent
  /// In no order; each key once, and none of those that the writer adds.
  let members: [Member]

  struct Member: Sendable, Hashable {
    /// ASCII letters and digits, so that it needs no escape and sorts as its bytes do.
    var key: String
    var value: JSONValue
  }

  /// A record of these members.
  init(_ event: AuditEvent, _ members: [Member]) {
    self.event = event
    self.members = members
  }

  /// Whether it has the name of a source, which an export can hold back.
  var namesSource: Bool { members.contains { $0.key == "sourceName" } }
}

extension AuditRecord {
  /// The schema that each file's first record names.
  package static let schema = "mediabatch.audit/2"

  /// Text of a person, a system or a worker, safe to show and of bounded length.
  static func safe(_ text: String, limit: Int = 1000) -> JSONValue {
    let isPlain = text.utf8.count <= limit && text.utf8.allSatisfy { $0 >= 0x20 && $0 < 0x7F }
    return .string(isPlain ? text : EscapedText.printable(text, limit: limit))
  }
}
