package import MediaModel

/// The decision of a person about stacks: `stacked`, or `unstacked`; flushed before the catalogue has it.
extension Stacking: RecordBody {
  package static let events: [AuditEvent] = [.stacked, .unstacked]

  package init() { self.init(assets: [], isApart: false) }

  package mutating func list(_ fields: inout RecordFields) {
    var event = isApart ? AuditEvent.unstacked : .stacked
    fields.event(&event)
    fields.needed("assets", &assets)
    isApart = event == .unstacked
  }
}
