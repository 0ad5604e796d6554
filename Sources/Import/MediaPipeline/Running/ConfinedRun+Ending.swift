internal import MediaLibrary
internal import MediaModel
internal import MediaSources
internal import MediaWorkerPool

extension ConfinedRun {
  /// Stacks the assets of the folders in which something changed.
  func stack() throws(RunError) {
    do {
      let ambiguous = try open.library.catalogue.updateStacks(run: open.basis.identifier)
      guard ambiguous > 0 else { return }
      open.basis.options.onNotice(
        Quantity.text(ambiguous, "group") + " of files could be stacked in several ways, and "
          + (ambiguous == 1 ? "was" : "were") + " not stacked. To see them: mediabatch stack list "
          + ShellWord.quoted(open.basis.library) + " --ambiguous"
      )
    } catch {
      throw RunError(error)
    }
  }

  /// Makes the thumbnails that are still missing, since no source had their file, from the library's own originals.
  func remakeThumbnails() throws(RunError) {
    let lost: LostFiles
    do {
      lost = try LostFiles(of: open.library, limit: open.basis.options.lostLimit)
    } catch {
      throw RunError(error)
    }
    let remaking = ThumbnailRemaking(open.records)
    try remaking.remake(lost, by: pool) {
      open.signals.collect()
      return open.signals.count > 0
    }
    if remaking.count == 0 { return }
    open.basis.options.onNotice(
      "\(Quantity.text(remaking.count, "lost thumbnail", "was", "were")) made again from the library's originals."
    )
  }

  /// Reports the originals that are still missing at the end of a run.
  func noteLost() throws(RunError) {
    do {
      let count = try LostFiles(of: open.library, limit: open.basis.options.lostLimit).originalCount
      if count > 0 { open.account.problems.append(.originalsMissing(count)) }
    } catch {
      throw RunError(error)
    }
  }

  /// Counts the assets that stay under a looser policy than their source has now, and the originals that
  /// were written anew and wait to be removed.
  func noteUnstripped() throws(RunError) {
    let (basis, catalogue) = (open.basis, open.library.catalogue)
    let policies = Dictionary(sources.all.map { ($0.id, $0.policy) }) { $1 }
    do {
      open.account.tally.totals.unstripped =
        try catalogue.unstrippedCount(RequiredPolicies(policies))
      guard basis.options.reprocesses else { return }
      open.account.tally.totals.superseded = try catalogue.supersededOriginalCount()
    } catch {
      throw RunError(error)
    }
    let count = open.account.tally.totals.unstripped
    open.account.problems += [RunReport.Problem.unstripped(count, library: basis.library)]
      .compactMap(\.self)
  }
}
