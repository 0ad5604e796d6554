package import MediaModel
internal import MediaSyntax

extension AuditRecord {
  /// Records the decision of a person about stacks: `stacked`, or `unstacked`; flushed before the catalogue has it.
  package static func stacked(_ stacking: Stacking) -> AuditRecord {
    AuditRecord(
      stacking.isApart ? .unstacked : .stacked,
      ["assets": .array(stacking.assets.map { safe($0) })]
    )
  }
}
