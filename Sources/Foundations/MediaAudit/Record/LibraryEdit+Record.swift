package import MediaModel

/// The record of a decision of a person that moves no file: `stacked`, `unstacked`, `distinguished` or `rotated`;
/// flushed before the catalogue has it. Any other has an ``AuditFileChange`` for each file that is moved.
extension LibraryEdit: RecordBody {
  private static let kinds: [AuditEvent: Kind] = [
    .stacked: .stack, .unstacked: .unstack, .distinguished: .distinguish, .rotated: .rotate,
  ]

  package static let events: [AuditEvent] = [.stacked, .unstacked, .distinguished, .rotated]

  package init() { self.init(.stack, []) }

  package mutating func list(_ fields: inout RecordFields) {
    var event = Self.events.first { Self.kinds[$0] == kind } ?? .stacked
    fields.event(&event)
    kind = Self.kinds[event] ?? .stack
    guard kind == .rotate else { return fields.needed("assets", &assets) }
    var (asset, degrees) = (self.asset, rotation ?? 0)
    fields.needed("asset", &asset)
    fields.needed("rotation", &degrees)
    (assets, rotation) = ([asset], degrees)
    // A forged record may have any number.
    if ![0, 90, 180, 270].contains(degrees) { fields.lacks() }
  }
}
