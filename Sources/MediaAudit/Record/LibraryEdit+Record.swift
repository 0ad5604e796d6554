package import MediaModel

/// The record of a decision of a person that moves no file: `stacked`, or `unstacked`; flushed before the catalogue
/// has it. Any other has an ``AuditFileChange`` for each file that is moved.
extension LibraryEdit: RecordBody {
  package static let events: [AuditEvent] = [.stacked, .unstacked]

  package init() { self.init(.stack, []) }

  package mutating func list(_ fields: inout RecordFields) {
    var event = kind == .unstack ? AuditEvent.unstacked : .stacked
    fields.event(&event)
    kind = event == .unstacked ? .unstack : .stack
    fields.needed("assets", &assets)
  }
}
