internal import Glibc
package import MediaFileSystem
internal import MediaLibrary
internal import MediaListing
package import MediaModel
internal import MediaSources

/// Items that are recorded, processed, flushed and published together.
package final class BatchWork {
  /// The items of a run's first batch; each full batch lets the next one have twice as many.
  static let firstCount = 64
  /// The most items of a batch: about a third of a second of work over small files, and few enough
  /// that the files of two batches may be open at once.
  package static let maximumCount = {
    var limit = rlimit()
    getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    return max(firstCount / 4, min(256, Int(clamping: limit.rlim_cur) / 4))
  }()
  /// The bytes of source files in a batch, so that one of large files is flushed while the next is
  /// decoded.
  static let maximumBytes: Int64 = 24 << 20

  package let identifier: Int64
  package let items: [ItemWork]
  package let folder: Descriptor
  /// The key of 32 bytes from which the still and the movie of a live photo get the same new content
  /// identifier, each in its own worker.
  package let pairingKey: [UInt8]
  /// Whether a flush has failed; a second failure ends the run.
  package var wasRestarted = false
  private var nextToSend = 0
  /// The items before it are complete.
  private var nextToComplete = 0
  private var started: [ItemWork] = []

  package init(identifier: Int64, items: [ItemWork], folder: Descriptor, pairingKey: [UInt8]) {
    self.identifier = identifier
    self.items = items
    self.folder = folder
    self.pairingKey = pairingKey
    let stems = items.filter { $0.isOpened && $0.pending.owner == nil }
      .reduce(into: [:]) { counts, item in
        counts[item.planned.path.pairingKey, default: 0] += 1
      }
    let sidecars = Dictionary(grouping: items.filter { $0.pending.owner != nil }, by: \.pending.owner)
    if !sidecars.isEmpty {
      for item in items where item.pending.owner == nil {
        // A name with the file's extension names it alone.
        let own = sidecars[item.planned.path] ?? []
        // What is named after the leader alone describes no other file.
        let shared = (item.pending.leader.flatMap { sidecars[$0] } ?? []).filter {
          $0.pending.isUndecided || SidecarName($0.planned.path) == nil
        }
        item.possibleSidecars = (own + shared).sorted { left, right in
          SidecarName.precedes(left.planned.path, right.planned.path, of: item.planned.path)
        }
      }
    }
    for item in items where item.source.publishesLivePhotos {
      item.isPairable =
        stems[item.planned.path.pairingKey, default: 0] > 1
        || item.pending.late == .waited || item.pending.late?.isPublished == true
    }
  }

  /// The source of all items.
  package var source: SourceID? { items.first?.source.id }

  /// The next item that waits for a worker; nil also while sidecars of it are read.
  package var waiting: ItemWork? {
    while nextToSend < items.count {
      let item = items[nextToSend]
      if case .waiting = item.state {
        // Their descriptions decide about the item, as its own does.
        return item.possibleSidecars.allSatisfy(\.isComplete) ? item : nil
      }
      nextToSend += 1
    }
    return nil
  }

  /// Notes that an attempt at an item begins.
  package func begin(_ item: ItemWork) {
    if !started.contains(where: { $0 === item }) { started.append(item) }
  }

  /// The items that a worker has, or whose output is being written.
  package var begun: [ItemWork] {
    started.removeAll { $0.attempt == nil }
    return started
  }

  /// Makes an item of the batch wait for a worker again.
  package func retry(_ item: ItemWork) {
    item.retry()
    nextToSend = min(nextToSend, item.index)
    nextToComplete = min(nextToComplete, item.index)
  }

  /// Makes an item wait for a worker again, which then turns its thumbnails, or writes a content identifier where
  /// it wrote none, or none where it wrote one.
  package func restrip(_ item: ItemWork) {
    if !item.isTurned {
      item.isPairable.toggle()
      item.restripCount += 1
    }
    retry(item)
  }

  /// Whether all items have ended; amortized, each item is looked at once.
  package var isComplete: Bool {
    while nextToComplete < items.count, items[nextToComplete].isComplete { nextToComplete += 1 }
    return nextToComplete == items.count
  }

  /// The items that have ended, as far as the batch has been sent.
  package var endedCount: Int { max(0, nextToSend - begun.count) }
}
