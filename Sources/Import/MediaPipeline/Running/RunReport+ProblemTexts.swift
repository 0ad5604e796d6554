package import MediaManifest
package import MediaModel

extension DecisionReason {
  /// Why a run may not go on with a source, in words for a person.
  var words: String {
    switch self {
    case .denied: "a person or the manifest denies it"
    case .expired: "the answer is not valid any more"
    case .restricted: "the manifest or a policy does not allow it"
    case .notDetermined: "nobody has answered"
    case .limited: "it is limited to a selection"
    case .levelInsufficient: "only adding is allowed"
    case .microphoneRefused: "the microphone is refused"
    case .unavailable: "it is not there"
    default: rawValue
    }
  }
}

/// Problems that a summary lists although the run goes on, with their texts.
extension RunReport.Problem {
  /// Returns the problem that the library's file system did not take the times of originals.
  static func timesNotSet(_ count: Int, _ reason: String) -> Self {
    Self(
      code: .timesNotSet,
      message: Quantity.text(count, "published file") + " "
        + (count == 1 ? "has" : "have")
        + " the time of the import as file time: the library's file system did not "
        + "take another one (\(reason))."
    )
  }

  /// Reports logs of earlier runs that are missing, shorter than in the catalogue or unknown to it;
  /// nil when there is none. `audit verify` finds every other change.
  static func logDiffers(_ differing: [AuditPosition]) -> Self? {
    differing.first.map { first in
      Self(
        code: .logDiffers,
        message: Quantity.text(differing.count, "file")
          + " of the log " + (differing.count == 1 ? "was" : "were")
          + " removed, cut or added, the first Audit/\(EscapedText.printable(first.file)). Run "
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
          "What the catalogue says of \(Quantity.text(paths.count, "file")) was changed by another program, the "
          + "first \"\(EscapedText.printable(first))\". These files were neither replaced "
          + "nor removed. Run `mediabatch verify` on the library."
      )
    }
  }

  /// Reports originals that are missing in the library and could not be restored.
  static func originalsMissing(_ count: Int) -> Self {
    Self(
      code: .originalsMissing,
      message:
        "\(Quantity.text(count, "original", "is", "are")) missing in the library, and no source of this run has "
        + "the same content. `mediabatch verify` names what is missing; restore it from a copy."
    )
  }

  /// Reports imported items with a date or time that cannot be right; nil when there is none.
  ///
  /// - Parameters:
  ///   - count: The number of items.
  ///   - examples: The first of them.
  ///   - tags: The tags of the dates, see ``MediaDescription/implausibleDateTag``.
  ///   - isClock: Whether one is what a camera's clock said, and no better date of it was used.
  /// - Returns: The problem.
  static func datesNotUsed(
    _ count: Int,
    _ examples: [ItemPath],
    tags: Set<String>,
    isClock: Bool
  ) -> Self? {
    guard let first = examples.first else { return nil }
    let shifted = tags.filter { $0.hasSuffix(CaptureDate.shiftTag) }
    let stated = tags.subtracting(shifted)
    let names =
      stated.map { EscapedText.printable($0) }
      + shifted.map { "\($0.dropLast(CaptureDate.shiftTag.utf8.count)) (shifted)" }
    var advice = ""
    if !stated.isEmpty {
      advice = isClock ? " Set the camera's clock, and correct the files." : " Correct the files."
    }
    if !shifted.isEmpty { advice += " Correct the shift under \"dates\"." }
    let verb = count == 1 ? "says" : "say"
    let subject = count == 1 ? "it was" : "they were"
    return Self(
      code: .datesNotUsed,
      message:
        "\(Quantity.text(count, "file")) \(verb) in \(Quantity.list(names.sorted())) that \(subject) taken "
        + "before 1826, in the future or at a time that no calendar has; such a date is not used. "
        + "The first is \"\(first.text)\".\(advice)"
    )
  }

  /// Reports imported pictures that state a movie which is not there, or not where they say; nil when there is
  /// none.
  static func moviesMisstated(_ count: Int, notFound: Int, _ examples: [ItemPath]) -> Self? {
    guard let first = examples.first else { return nil }
    let isOne = count == 1
    let search =
      switch notFound {
      case 0: isOne ? "it was found all the same" : "all were found all the same"
      case count: "no whole one was found, so \(isOne ? "it is a photo" : "they are photos") without one"
      default: "for \(Quantity.grouped(notFound)) of them no whole one was found: photos without a movie"
      }
    return Self(
      code: .moviesMisstated,
      message: Quantity.text(count, "picture")
        + (isOne
          ? " states a wrong place or length of its movie" : " state wrong places or lengths of their movies")
        + "; \(search). The files are as they were. The first is \"\(first.text)\"."
    )
  }

  /// Reports the numbers of items of no known format that are media by their names, by the names' extensions;
  /// nil when there is none.
  static func mediaNotTaken(_ counts: [String: Int]) -> Self? {
    let count = counts.values.reduce(0, +)
    guard count > 0 else { return nil }
    let kinds = counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
      .map { "\(Quantity.grouped($0.value)) .\($0.key)" }
    return Self(
      code: .mediaNotTaken,
      message:
        Quantity.text(count, "file", "is", "are")
        + " media by name and not in the library, since mediabatch does not know the format: "
        + "\(Quantity.list(kinds)). Copy them yourself before you erase the source; with "
        + "--fail-on-unsupported such a run ends with 3."
    )
  }

  /// Reports items for which the library's file system had no room.
  static func outOfSpace(_ count: Int) -> Self {
    Self(
      code: .outOfSpace,
      message:
        "The library's file system has no room for \(Quantity.text(count, "item")). Make room there, then "
        + "run again: it resumes."
    )
  }

  /// Reports captured items that were imported and not added to the photo library.
  static func notAdded(
    _ count: (added: Int, refused: Int, withoutSound: Int),
    because reason: DecisionReason?
  ) -> [Self] {
    func problem(_ number: Int, _ why: String) -> [Self] {
      guard number > 0 else { return [] }
      return [
        Self(
          code: .notAddedToPhotoLibrary,
          message: Quantity.text(number, "captured file")
            + (number == 1 ? " was" : " were")
            + " imported and not added to the photo library: \(why)."
        )
      ]
    }
    let refusal =
      switch reason {
      case .unavailable: "it is not there"
      case .authorized: "that was allowed, and was taken back"
      default: "that is not allowed (\(reason?.words ?? "refused"))"
      }
    return problem(count.refused, refusal)
      + problem(count.withoutSound, "there is sound in the file, and the microphone is refused")
  }

  /// Reports files of an interrupted run that only a run which may do so adds to the photo library.
  package static func additionsWait(_ count: Int) -> Self {
    Self(
      code: .notAddedToPhotoLibrary,
      message: Quantity.text(count, "captured file")
        + (count == 1 ? " of an interrupted run waits" : " of an interrupted run wait")
        + " to be added to the photo library. Run the manifest of that run again."
    )
  }

  /// Reports a limited or picked source of which nothing was to be imported.
  static func selectionEmpty(_ source: SourceID, isPicked: Bool) -> Self {
    let name = source.displayName
    return Self(
      code: .selectionEmpty,
      message: isPicked
        ? "Nothing was picked from the \(name), so nothing of it was imported."
        : "The \(name) is limited, and its selection shows nothing."
    )
  }

  /// Reports albums in the library of which a source, that is in another place now, has no file; nil when there is
  /// none.
  package static func albumsElsewhere(_ count: Int, of source: SourceID, in manifest: Manifest) -> Self? {
    guard count > 0 else { return nil }
    let key = manifest.sources.key(of: source)
    return Self(
      code: .albumsElsewhere,
      message: "The library has " + Quantity.text(count, "album")
        + " of a \(source.kind.displayName) that has the name \""
        + EscapedText.printable(source.name) + "\" too and was in another folder. This one has none of "
        + (count == 1 ? "its files, so it stays" : "their files, so they stay")
        + ". If this is another source, give it a \"name\" at \(key). If it is the same one, run once with --moved."
    )
  }

  /// Reports rows of a labels file that no item of a source has; nil when there is none.
  static func labelsNotMet(_ rows: [ItemPath], of source: SourceID) -> Self? {
    rows.min().map { Self(UnmatchedRule(.labels, of: source, $0.text, count: rows.count)) }
  }

  /// Reports files with more than one name that were refused; nil when there is none.
  static func hardLinked(_ count: Int, of source: SourceID, in manifest: Manifest) -> Self? {
    guard count > 0 else { return nil }
    return Self(
      code: .hardLinked,
      message: Quantity.text(count, "file") + " of the \(source.displayName) "
        + (count == 1 ? "has more than one name and was" : "have more than one name and were")
        + " refused, since a source on that disk is refused or limited. To allow them, write "
        + "\"hardLinks\": \"allow\" under \(manifest.sources.key(of: source))."
    )
  }

  /// Reports items that stay as another metadata policy than the manifest's has written them; nil when
  /// there is none.
  static func metadataPolicyChanged(
    _ count: Int,
    of source: SourceID,
    _ policy: MetadataPolicy
  ) -> Self? {
    guard count > 0 else { return nil }
    return Self(
      code: .metadataPolicyChanged,
      message: Quantity.text(count, "item") + " of the \(source.displayName) "
        + (count == 1 ? "was" : "were")
        + " written under another metadata policy than \"\(policy.rawValue)\", and "
        + (count == 1 ? "stays" : "stay")
        + " as before. `mediabatch run MANIFEST --reprocess` writes anew what has "
        + "more metadata than that; what it cannot strip, `mediabatch withdraw` takes out of the library."
    )
  }

  /// Reports assets that a run which writes anew has left as a looser policy has written them; nil when
  /// there is none.
  static func unstripped(_ count: Int, library: String) -> Self? {
    guard count > 0 else { return nil }
    return Self(
      code: .unstripped,
      message: Quantity.text(count, "asset")
        + (count == 1 ? " still has" : " still have")
        + " metadata in the library that the policy removes now, since "
        + (count == 1 ? "it was" : "they were") + " not written anew. `mediabatch list "
        + "\(ShellWord.quoted(library)) --where 'metadataPolicy == \"keep\"'` names what has all of it; export, "
        + "gallery and contact-sheet leave that out, and `mediabatch withdraw` takes it out of the library."
    )
  }

  /// Reports that the numbers of items and outcomes differ.
  static func accounting(listed: Int, ended: Int) -> Self {
    Self(
      code: .accounting,
      message: "\(listed) items were found, and \(ended) have an outcome. This is a bug of "
        + "mediabatch; please report it. Run `mediabatch verify` on the library."
    )
  }
}
