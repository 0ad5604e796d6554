package import MediaModel

/// Stripped copies that a command is about to make of a library's assets, for somebody else.
package struct AuditCopying: RecordBody {
  package static let events = [AuditEvent.copied]

  /// The command, `export` or `gallery`.
  package var command = ""
  /// The policy by which they are stripped.
  package var metadataPolicy = MetadataPolicy.strip
  /// The number of assets that are chosen.
  package var assets = 0

  package init() {}

  package mutating func list(_ fields: inout RecordFields) {
    fields.needed("command", &command)
    fields.field("metadataPolicy", &metadataPolicy)
    fields.field("assets", &assets)
  }
}

/// The new catalogue of a library, which was made from its folders and its log.
package struct AuditRebuild: RecordBody {
  package static let events = [AuditEvent.rebuilt]

  /// The number of rows that the new catalogue has of each kind, without superseded and withdrawn ones.
  package var assets = 0
  package var resources = 0
  package var thumbnails = 0
  package var items = 0
  /// The name under which the catalogue of before is kept in the library's folder; nil when there was
  /// none.
  package var kept: String?
  /// The number of things that neither the folders nor the log could tell.
  package var lost = 0

  package init() {}

  package mutating func list(_ fields: inout RecordFields) {
    fields.field("assets", &assets)
    fields.field("resources", &resources)
    fields.field("thumbnails", &thumbnails)
    fields.field("items", &items)
    fields.field("kept", &kept)
    fields.field("lost", &lost)
  }
}

/// A newer schema of the catalogue, which a later version made of this one's; no version writes it yet.
package struct AuditMigration: RecordBody {
  package static let events = [AuditEvent.migrated]

  /// Its name before.
  package var from: String?
  /// Its name after.
  package var to: String?

  package init() {}

  package mutating func list(_ fields: inout RecordFields) {
    fields.field("from", &from)
    fields.field("to", &to)
  }
}
