internal import MediaSyntax

/// Assets that a person has stacked, or taken out of their stacks.
package struct AuditStacking: Sendable, Hashable {
  /// Their localIdentifiers; of a stack, the cover first.
  package var assets: [String]
  /// Whether they are taken out of their stacks.
  package var isApart: Bool

  package init(assets: [String], isApart: Bool) {
    self.assets = assets
    self.isApart = isApart
  }
}

extension AuditRecord {
  /// Records the decision of a person about stacks: `stacked`, or `unstacked`; flushed before the catalogue has it.
  package static func stacked(_ stacking: AuditStacking) -> AuditRecord {
    AuditRecord(
      stacking.isApart ? .unstacked : .stacked,
      ["assets": .array(stacking.assets.map { safe($0) })]
    )
  }
}
