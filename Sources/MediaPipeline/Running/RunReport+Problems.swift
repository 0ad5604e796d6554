internal import MediaLibrary
package import MediaModel
internal import MediaPermissions

/// The problems that a summary lists although the run goes on, with their texts.
extension RunReport.Problem {
  /// Returns the problem that the library's file system did not take the times of originals.
  static func timesNotSet(_ count: Int, _ reason: String) -> Self {
    Self(
      code: .timesNotSet,
      message: Quantity.text(count, "published file") + " "
        + (count == 1 ? "has" : "have") + " the time of saving: the library's file system did not "
        + "take another one (\(reason))."
    )
  }

  /// Returns the problems of a source that was listed.
  static func found(
    in listing: SourceListing,
    _ diff: SourceDiff,
    of source: PlannedSource,
    labels: [ItemPath: String]?
  ) -> [Self] {
    let name = source.kind.displayName
    var problems = listing.warnings.map { Self(code: .listing, message: $0) }
    if source.basis == .limited, listing.items.isEmpty {
      problems.append(
        Self(
          code: .selectionEmpty,
          message: "The \(name) is limited, and its selection shows nothing."
        )
      )
    }
    if source.basis == .picked, listing.items.isEmpty {
      problems.append(
        Self(
          code: .selectionEmpty,
          message: "Nothing was picked from the \(name), so nothing of it was imported."
        )
      )
    }
    let unmet =
      source.selection != nil
      ? [] : (labels ?? [:]).keys.filter { !listing.contains($0) }.sorted()
    if let first = unmet.first {
      problems.append(
        Self(
          code: .labelsNotMet,
          message: Quantity.text(unmet.count, "row") + " of the labels file "
            + (unmet.count == 1 ? "names" : "name")
            + " nothing in the \(name), the first \"\(first.text)\". Mend its path column."
        )
      )
    }
    let linked = listing.items.count(of: .hardLinked)
    if linked > 0 {
      problems.append(
        Self(
          code: .hardLinked,
          message: Quantity.text(linked, "file") + " of the \(name) "
            + (linked == 1 ? "has more than one name and was" : "have more than one name and were")
            + " refused, since another source on that disk is closed. To allow them, write "
            + "\"hardLinks\": \"allow\" under sources.\(source.kind.rawValue)."
        )
      )
    }
    if diff.underAnotherPolicy > 0 {
      problems.append(
        Self(
          code: .metadataPolicyChanged,
          message: Quantity.text(diff.underAnotherPolicy, "item")
            + " of the \(name), written under "
            + "another metadata policy than \"\(source.policy.rawValue)\", will stay as before. "
            + "`mediabatch run --reprocess` writes anew what was written under a looser one."
        )
      )
    }
    return problems
  }

  /// Reports logs of earlier runs that are missing, shorter than in the catalogue or unknown to it;
  /// nil when there is none. `audit verify` finds every other change.
  static func logDiffers(_ differing: [AuditPosition]) -> Self? {
    differing.first.map { first in
      Self(
        code: .logDiffers,
        message: Quantity.text(differing.count, "file")
          + " of the audit log: missing, shorter than "
          + "before or of no run that is known, the first Audit/\(EscapedText.printable(first.file)). Run "
          + "`mediabatch audit verify` on the library, and ask who could write there."
      )
    }
  }

  /// Reports rows of the catalogue that are not as they were written, by the paths that they are
  /// about; nil when there is none.
  package static func catalogueDiffers(_ paths: [String]) -> Self? {
    paths.first.map { first in
      Self(
        code: .catalogueDiffers,
        message:
          "The catalogue's rows of \(Quantity.text(paths.count, "file")) are not as they were written, the "
          + "first \"\(EscapedText.printable(first))\". What they are about was neither replaced "
          + "nor removed. Run `mediabatch verify` on the library."
      )
    }
  }

  /// Reports a source to which access was revoked while the run went on.
  static func accessRevoked(_ source: DecidedSource) -> Self {
    Self(
      code: .accessRevoked,
      message: "Access to the \(source.source.displayName) was taken back while the run went on "
        + "(\(source.decision.reason.rawValue)); what was imported before stays."
    )
  }

  /// Reports originals that are missing in the library and could not be restored.
  static func originalsMissing(_ count: Int) -> Self {
    Self(
      code: .originalsMissing,
      message:
        "The library misses \(Quantity.text(count, "original")), which no source of this run "
        + "has as before. Run `mediabatch verify` on the library, and restore from a copy."
    )
  }

  /// Reports imported items with a date that cannot be right; nil when there is none.
  static func datesNotUsed(_ count: Int, _ examples: [ItemPath]) -> Self? {
    guard let first = examples.first else { return nil }
    return Self(
      code: .datesNotUsed,
      message: Quantity.text(count, "file")
        + (count == 1 ? " says that it was" : " say that they were")
        + " taken before 1826 or in the future; that date is not used. The first is "
        + "\"\(first.text)\". Set the camera's clock, and correct the files."
    )
  }

  /// Reports items for which the library's file system had no room.
  static func outOfSpace(_ count: Int) -> Self {
    Self(
      code: .outOfSpace,
      message:
        "For \(Quantity.text(count, "item")) the library's file system has no room. Make room there, then "
        + "run again: it resumes."
    )
  }

  /// Reports that the numbers of items and outcomes differ.
  static func accounting(found: Int, ended: Int) -> Self {
    Self(
      code: .accounting,
      message: "\(found) items were found and \(ended) have an outcome. This is a defect of "
        + "mediabatch; please report it. Run `mediabatch verify` on the library."
    )
  }
}
