/// The written list of changes by which a manifest promises less access than before. Everything
/// that is not on it counts as widened.
///
/// A change is on the list when there is no answer, and no media, with which the newer manifest
/// reads, keeps, writes or hides anything that the older one could not have. What an organization's
/// policy and the stored answers say is no part of the comparison.
package enum Narrowing: String, CaseIterable, Sendable, Hashable {
  case sourceLeftOut
  case statusStricter
  case selectionSmaller
  case captureModePhoto
  case capturesNotSaved
  case mediaTypesFewer
  case fetchFewer
  case pickFewer
  case pickLeftOut
  case requiredNow
  case mountsNotCrossed
  case hardLinksRefused
  case metadataStripped
  case undecidedFails
  case audioRefused = "soundRefused"
  case kernelEnforced
  case usageDescriptionLeftOut
  case infoPlistLeftOut
  case limitedAccessAlertShown
  case thumbnailLeftOut
  case thumbnailSmaller
  case limitLower
  case damagedRefused
  case rawRefused
  case versionsAdded
  case receiptsClasses
  case ignoreMore
  case labelsNeutral
  case foldersNoAlbums
  case sourceNoAlbums
  case datesFewer
  case datesCorrected
  case privateFactsLeftOut
  case filePinned
  case signedAnew

  /// A sentence about the change for people; `docs/manifest.md` has the same words.
  package var sentence: String {
    switch self {
    case .sourceLeftOut:
      "A source that was `authorized` is left out, and nothing else needs it."
    case .statusStricter:
      "A status allows less: `authorized` becomes anything else (of the photo library `limited` or "
        + "`notDetermined` only if no other files are imported instead), `limited` or "
        + "`notDetermined` becomes `denied` or `restricted`, `denied` becomes `restricted`."
    case .selectionSmaller:
      "A selection loses entries, or names single files that an entry matched, or is new where "
        + "everything was `authorized`; and no other files are imported instead."
    case .captureModePhoto:
      "`capture.mode` becomes `photo`, and the microphone was `authorized` or `onMicrophoneRefused` was "
        + "not `refuse`: else the stills of refused live photos would be new."
    case .capturesNotSaved:
      "`capture.savesCapturedPhotosToPhotoLibrary` becomes false, the photo library was not only "
        + "added to, and no other files are imported instead."
    case .mediaTypesFewer: "`fetch.mediaTypes` loses types, and there was no `fetchLimit`."
    case .fetchFewer:
      "`fetch.predicate` is new where there was neither a predicate nor a `fetchLimit`; "
        + "`fetch.includeHiddenAssets`, `fetch.includePartnerSharing` or `fetch.includeAllBurstAssets` "
        + "becomes false where there was no `fetchLimit`; or `fetch.fetchLimit` is new or lower, with the same `predicate` and "
        + "`sortDescriptors`."
    case .pickFewer:
      "`pick` has a lower `limit`, or a `filter` that shows less: any instead of none, fewer of a list, "
        + "`livePhotos` instead of `images`."
    case .pickLeftOut: "`pick` is left out where the status is `denied` or `restricted`."
    case .requiredNow: "`required` becomes true, or is no longer false."
    case .mountsNotCrossed:
      "`crossMounts` becomes false, and no other files are imported instead."
    case .hardLinksRefused:
      "`hardLinks` becomes `refuse`, and no other files are imported instead."
    case .metadataStripped:
      "A metadata policy becomes `strip`, or strips more: its `except` loses entries or makes "
        + "`location` coarse, and gains none. `keep` becomes `strip` only if no other files "
        + "are imported instead."
    case .undecidedFails: "`onNotDetermined` becomes `fail`: nobody is asked, and nothing goes on."
    case .audioRefused: "`onMicrophoneRefused` becomes `refuse`."
    case .kernelEnforced: "`enforcement` becomes `kernel`."
    case .usageDescriptionLeftOut:
      "A usage description is left out: what needs it can no longer be asked for."
    case .infoPlistLeftOut: "`infoPlist` is left out, so that one file less is read."
    case .limitedAccessAlertShown:
      "`PHPhotoLibraryPreventAutomaticLimitedAccessAlert` becomes false: a limited run says so."
    case .thumbnailLeftOut: "A thumbnail is left out, or its `mediaTypes` lose types."
    case .thumbnailSmaller:
      "A thumbnail has a smaller box (of the same shape, if it is filled) or a lower quality."
    case .limitLower:
      "A number in `limits` becomes lower: an item that takes more fails, and no other files are "
        + "imported instead."
    case .damagedRefused: "`acceptDamaged` becomes false: a damaged file fails."
    case .receiptsClasses:
      "`receipts` becomes `classes`: the log no longer names the tags that a file had."
    case .versionsAdded: "`onSourceChanged` becomes `add`: nothing in the library is replaced."
    case .ignoreMore:
      "`ignore` gains patterns and loses none, or `ignoreDefaults` becomes true; and no other "
        + "files are imported instead."
    case .rawRefused: "`rawUnderStrip` becomes `refuse`: a camera raw file fails under `strip`."
    case .labelsNeutral:
      "`labels.neutral` becomes true; with it a labels file is left out, or a template that told the "
        + "original name or a number; and no other files are imported instead."
    case .foldersNoAlbums:
      "`albums.fromFolders` becomes false: names of folders are no titles of albums."
    case .sourceNoAlbums: "`albums.fromSource` becomes false: albums of a source are not stored."
    case .datesFewer:
      "`dates.fromModification` becomes false, or `dates.fromName` does while the other is false: "
        + "what had no other date has none; and no `fetch` had a condition on what files say."
    case .datesCorrected:
      "`dates.timeZone`, `dates.shift` or `dates.about` of a source changes, its `fetch` has no condition on what files "
        + "say, and it has no `tracks`: what is read and stored is the same, and a date among it is another."
    case .privateFactsLeftOut:
      "`catalogue.privateFacts` becomes false: what stripping takes from files is not stored; and "
        + "no other files are imported instead."
    case .filePinned:
      "A file is named with its SHA-256 where it was named without: another one in its place stops the run."
    case .signedAnew: "`serial` becomes higher, or `signedAt` another: nothing else is granted by it."
    }
  }
}
