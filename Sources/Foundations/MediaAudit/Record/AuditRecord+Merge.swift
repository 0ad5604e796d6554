package import MediaModel

/// The log of a plan or of one shard, which a merge has taken over as it was.
package struct AuditMerge: RecordBody, Hashable {
  package static let events = [AuditEvent.merged]

  /// The shard's number from 1; 0 for the log of the plan.
  package var shard = 0
  /// The number of the shard's attempt, from 1; 0 for the log of the plan.
  package var attempt = 0
  /// The identifier of the run that wrote it.
  package var run = ""
  /// Its name in the folder of the merged log.
  package var file = ""
  /// The SHA-256 of its last record, hexadecimal.
  package var head = ""
  /// The number of its records, and the root of their own tree.
  package var tree = AuditTreeHead(size: 0, root: "")
  /// The digest of the plan, hexadecimal.
  package var plan = ""

  package init() {}

  package mutating func list(_ fields: inout RecordFields) {
    fields.needed("shard", &shard)
    fields.needed("attempt", &attempt)
    fields.needed("mergedRun", &run)
    fields.needed("file", &file)
    fields.needed("head", &head)
    fields.needed("size", &tree.size)
    fields.needed("root", &tree.root)
    fields.needed("planSHA256", &plan)
  }
}

/// The place of an asset in a merged library, where it is another one than in the library of its shard.
package struct AuditPlacement: RecordBody, Hashable {
  package static let events = [AuditEvent.placed]

  package enum Place: Sendable, Hashable {
    /// Its files of one folder are in another one, both as `2026-11-21/014439.123456`: another asset has that
    /// time of saving.
    case folder(previous: String, now: String)
    /// It was not taken over: another shard's asset, by its localIdentifier, has the same content.
    case duplicate(of: String)
    /// It was not taken over: its files belong to an asset of several shards, and the merge imports them.
    case importedAgain
  }

  /// The localIdentifier that its shard has given it.
  package var asset = ""
  package var place = Place.importedAgain

  package init() {}

  package init(asset: String, place: Place) {
    self.asset = asset
    self.place = place
  }

  package mutating func list(_ fields: inout RecordFields) {
    var (previous, folder, other): (String?, String?, String?)
    var isAgain = false
    switch place {
    case .folder(let before, let now): (previous, folder) = (before, now)
    case .duplicate(let asset): other = asset
    case .importedAgain: isAgain = true
    }
    fields.needed("asset", &asset)
    fields.field("previousFolder", &previous)
    fields.field("folder", &folder)
    fields.field("duplicateOf", &other)
    fields.flag("importedAgain", &isAgain)
    if let other {
      place = .duplicate(of: other)
    } else if isAgain {
      place = .importedAgain
    } else if let previous, let folder {
      place = .folder(previous: previous, now: folder)
    } else {
      fields.lacks()
    }
  }
}

/// The places of the assets that a merge did not take over as they were: what their shards' records say is
/// read with these in mind.
package struct AssetPlacements: Sendable {
  private var folders: [String: [String: String]] = [:]
  private var duplicates: [String: String] = [:]
  private var importedAgain: Set<String> = []

  package init() {}

  package var isEmpty: Bool { folders.isEmpty && duplicates.isEmpty && importedAgain.isEmpty }

  package mutating func add(_ placement: AuditPlacement) {
    switch placement.place {
    case .folder(let previous, let now): folders[placement.asset, default: [:]][previous] = now
    case .duplicate(let other): duplicates[placement.asset] = other
    case .importedAgain: importedAgain.insert(placement.asset)
    }
  }

  /// The outcome that a shard's record has in the merged library; nil when the merge has recorded another one.
  package func placed(_ outcome: Outcome) -> Outcome? {
    guard !isEmpty, let asset = outcome.localIdentifier else { return outcome }
    if importedAgain.contains(asset) { return nil }
    var outcome = outcome
    if let other = duplicates[asset] {
      outcome.output = nil
      outcome.thumbnails = []
      outcome.removed = []
      outcome.degraded = false
      outcome.contentDigest = nil
      outcome.burstDigest = nil
      if SidecarName(outcome.path) != nil {
        // No asset takes the sidecar of a duplicate.
        (outcome.outcome, outcome.reason) = (.skipped, .sidecarUnused)
        (outcome.localIdentifier, outcome.role) = (nil, nil)
      } else {
        (outcome.outcome, outcome.reason, outcome.localIdentifier) = (.duplicate, nil, other)
        outcome.step = nil
      }
      return outcome
    }
    guard let moved = folders[asset] else { return outcome }
    if let output = outcome.output { outcome.output?.path = Self.path(output.path, moved) }
    for index in outcome.thumbnails.indices {
      outcome.thumbnails[index].file.path = Self.path(outcome.thumbnails[index].file.path, moved)
    }
    return outcome
  }

  /// The path in the merged library of a published file that a shard's record names.
  package func path(_ path: ItemPath, ofAsset asset: String?) -> ItemPath {
    guard let moved = asset.flatMap({ folders[$0] }) else { return path }
    return Self.path(path, moved)
  }

  /// The path of a published file whose folder has moved; the same for any other.
  package static func path(_ path: ItemPath, _ moved: [String: String]) -> ItemPath {
    let text = String(decoding: path.bytes, as: UTF8.self)
    var parts = text.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 4 else { return path }
    if parts[0] == "Originals" {
      guard let folder = moved["\(parts[1])/\(parts[2])"] else { return path }
      return ItemPath(bytes: Array("Originals/\(folder)/\(parts[3])".utf8))
    }
    // The name of a thumbnail begins with the time of saving.
    guard parts[0] == "Thumbnails", let space = parts[3].firstIndex(of: " "),
      let folder = moved["\(parts[2])/\(parts[3][..<space])"],
      let slash = folder.firstIndex(of: "/")
    else { return path }
    parts[2] = String(folder[..<slash])
    parts[3] = String(folder[folder.index(after: slash)...]) + parts[3][space...]
    return ItemPath(bytes: Array(parts.joined(separator: "/").utf8))
  }
}
