package import MediaModel
internal import MediaSyntax

/// Assets whose dates a run corrected in the catalogue by another shift of their clock, or another time zone, or
/// found anew in their files by other rules.
package struct AuditDating: Sendable, Hashable {
  package var source: SourceKind
  /// Their localIdentifiers.
  package var assets: [String]
  /// The seconds that were added to what their clock said; nil if it is taken for right.
  package var shift: Int?
  /// Whether their files were read again for it.
  package var isRead: Bool

  package init(source: SourceKind, assets: [String], shift: Int?, isRead: Bool = false) {
    (self.source, self.assets, self.shift) = (source, assets, shift)
    self.isRead = isRead
  }
}

extension AuditRecord {
  /// Records corrections of dates, by the time zone and the rules that the run's first record has; flushed before
  /// the catalogue has them.
  package static func dated(_ dating: AuditDating) -> AuditRecord {
    AuditRecord(
      .dated,
      [
        "source": .string(dating.source.rawValue),
        "assets": .array(dating.assets.map { safe($0) }),
        "dateShift": dating.shift.map { .string(ClockShift.text($0)) },
        "read": dating.isRead ? .bool(true) : nil,
      ]
    )
  }
}

extension AuditEntry {
  /// The assets of a `dated` record.
  package var dating: AuditDating? {
    guard event == .dated, let source, case .array(let values)? = fields["assets"] else {
      return nil
    }
    let assets = values.compactMap { if case .string(let asset) = $0 { asset } else { nil } }
    return AuditDating(
      source: source,
      assets: assets,
      shift: text("dateShift").flatMap(ClockShift.seconds),
      isRead: fields["read"] == .bool(true)
    )
  }
}
