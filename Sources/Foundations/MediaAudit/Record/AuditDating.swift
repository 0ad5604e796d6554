package import MediaModel

/// Assets whose dates a run corrected in the catalogue by another shift of their clock, or another time zone, or
/// found anew in their files by other rules; flushed before the catalogue has the corrections.
///
/// The time zone and the rules are those of the run's first record.
package struct AuditDating: RecordBody, Hashable {
  package static let events = [AuditEvent.dated]

  package var source = SourceID.camera
  /// Their localIdentifiers.
  package var assets: [String] = []
  /// The seconds that were added to what their clock said; nil if it is taken for right.
  package var shift: Int?
  /// The date that a person states of them, as ``AboutDate/text``; nil for none.
  package var about: String?
  /// Whether their files were read again for it.
  package var isRead = false

  package init() {}

  package init(source: SourceID, assets: [String], shift: Int?, isRead: Bool = false) {
    (self.source, self.assets, self.shift) = (source, assets, shift)
    self.isRead = isRead
  }

  package mutating func list(_ fields: inout RecordFields) {
    var text = shift.map { ClockShift.text($0) }
    fields.source(&source)
    fields.needed("assets", &assets)
    fields.field("dateShift", &text)
    fields.field("dateAbout", &about)
    fields.flag("read", &isRead)
    shift = text.flatMap(ClockShift.seconds)
  }
}
