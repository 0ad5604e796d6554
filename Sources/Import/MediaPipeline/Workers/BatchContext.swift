internal import MediaFileSystem
internal import MediaLibrary
internal import MediaListing
internal import MediaManifest
internal import MediaModel
internal import MediaPredicate
internal import MediaSources
internal import MediaWorkerPool

/// What a loop over batches has of its run.
struct BatchContext {
  let loaded: LoadedManifest
  let options: RunOptions
  let watch: PermissionWatch
  let journal: BatchJournal
  let signals: Signals
  /// The tracks of the sources, found before confinement.
  let tracks: SourceTracks
  let usedShifts: UsedShifts
  /// Devices of sources that were refused or limited as the run began.
  let guardedAtStart: Set<UInt64>

  /// Completes the facts of an item's file by its name and its sidecars, where they are stored beside what the file
  /// itself says.
  func completed(_ facts: Facts, of item: ItemWork) -> Facts {
    guard wantsDescription(of: item.source) else { return facts }
    let completed = facts.completed(
      path: item.planned.path,
      modified: item.planned.status.modified,
      saved: item.planned.saveTime.microseconds,
      rules: loaded.dateRules(of: item.source.id),
      about: loaded.manifest.sources[item.source.id]?.dates.about(item.planned.path),
      sidecars: item.sidecars.compactMap(\.read?.description)
        + [item.source.media.knowledge(of: item.planned.path)?.description].compactMap(\.self)
        + [item.source.media.standing(ofCopy: item.planned.path)].compactMap { standing in
          standing.map { MediaDescription(of: $0) }
        }
    ) { clockShift(of: item, $0) }
    return tracks.completed(completed, of: item.source.id)
  }

  /// By how many seconds the clock was wrong that gave an item's date, by the manifest; nil if it says nothing
  /// of it.
  private func clockShift(of item: ItemWork, _ facts: Facts) -> Int? {
    guard let date = facts.creationDate,
      let shifts = loaded.manifest.sources[item.source.id]?.dates.shifts, !shifts.isEmpty
    else { return nil }
    let index = shifts.firstIndex { $0.applies(to: date) { item.value(of: $0, facts) } }
    usedShifts.note(index, of: item.source.id)
    return index.map { shifts[$0].seconds }
  }

  /// Whether workers are asked for what the files of a source say besides what showing them needs.
  func wantsDescription(of source: PlannedSource) -> Bool {
    source.fetch.needsDescriptions || loaded.wantsDescription(under: source.policy)
  }

  /// Opens the files of items.
  var opener: ItemOpener {
    ItemOpener(options: options) { [watch, guardedAtStart] in
      guardedAtStart.union(watch.guardedDevices)
    }
  }

  /// The reason of an item whose file changed while it was read.
  var reasonOfChange: ItemReason {
    options.settle == nil ? .changedDuringRun : .stillChanging
  }

  /// The error of a run that a person has interrupted.
  var interruption: RunError {
    RunError(.interrupted, exitCode: signals.exitCode, RunError.stoppedOnRequest)
  }

  /// Returns the label of an item; see ``LoadedManifest/label(of:in:number:creationDate:)``.
  func label(of item: ItemWork, facts: Facts) -> Label {
    if case .published(let label) = item.pending.late { return Label(label) }
    return loaded.label(
      of: item.planned.path,
      in: item.source.id,
      number: item.pending.number,
      creationDate: facts.creationDate,
      originalName: item.source.media.knowledge(of: item.planned.path)?.originalName
    )
  }
}
