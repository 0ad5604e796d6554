package import MediaAudit
package import MediaConsent
package import MediaFileSystem
internal import MediaLibrary
package import MediaListing
package import MediaModel
package import MediaSources

/// Options of the command line, beside the manifest.
package struct RunOptions {
  /// Whether to wait while another run holds the library.
  package var waits = false
  /// Whether a run of this process has asked before, so that signals are blocked already.
  package var beginsAnew = false
  /// Whether `"enforcement": "process"` is allowed though the manifest asks for the kernel.
  package var enforcement: Enforcement?
  /// Opens the place at which a person is asked; nil when no question may be asked. It is closed before any
  /// source is opened.
  package var openAsker: (() -> Asker?)?
  /// Whether the manifest says something else by now, or its folders lie elsewhere; asked when a person has answered.
  package var isOutdated: () -> Bool = { false }
  /// The number of worker processes; nil for one per processor.
  package var workers: Int?
  /// Whether assets are written anew that were written under a looser metadata policy.
  package var reprocesses = false
  /// Whether each source is the one of its name that the library knows, though none of its files has the path that
  /// it had.
  package var acceptsMoved = false
  /// Whether files are read again whose failure an earlier run has said.
  package var retriesFailed = false
  /// Whether failures that an earlier run has said end this one with the code of failures too.
  package var failsOnEarlier = false
  /// Whether items of no known format end the run with the code of failures too.
  package var failsOnUnsupported = false
  /// The nanoseconds for which a file must not have changed to be taken; nil takes each as it is.
  package var settle: Int64?
  /// The identifier of the run in the log; nil to draw one.
  package var identifier: String?
  /// The items that a plan gives to the run; nil when it lists its sources by itself.
  package var assignment: [SourceID: AssignedItems]?
  /// The files of sources that are listed elsewhere, in the order of their paths' bytes, for a plan.
  package var listings: [SourceID: [AssignedItem]] = [:]
  /// The folder, beside the library, in which a plan writes its lists; nil in a run that imports.
  package var planFolder: Descriptor?
  /// The kinds of sources that are others than their declarations say, as tests have them.
  package var media: [SourceID: any MediaSource] = [:]
  /// Whether the run looks for every published file, and not only those whose turn it is.
  package var looksForAllFiles = false
  /// Signs the head of the run's log; nil when it is not signed, see ``signerProblem``.
  package var signer: AuditSigner?
  /// The reason that the head is not signed; nil if it is, or need not be.
  package var signerProblem: String?
  /// Called with the items of each batch when its files have their names, are on the disk and are in the
  /// log, on the thread of the run; nil when they are not asked for. `isStopping` says whether a person has
  /// asked the run to stop: then the call must not wait for a reader.
  package var onPublished: ((ItemEvents, _ isStopping: () -> Bool) -> EventDelivery)?
  /// Called from time to time, on the thread of the run.
  package var onProgress: (RunProgress) -> Void
  /// Called with a message for the person that the summary does not repeat.
  package var onNotice: (String) -> Void

  /// The number of assets whose files are looked for; nil for all.
  var lostLimit: Int? { looksForAllFiles ? nil : LostFiles.assetsOfARun }

  /// The items of a source that a plan gives to the run, none for a source that the plan does not have; nil when
  /// the run lists its sources by itself.
  func assigned(_ source: SourceID) -> AssignedItems? {
    assignment.map { $0[source] ?? AssignedItems() }
  }

  /// Makes the default options.
  package init(
    onProgress: @escaping (RunProgress) -> Void = { _ in },
    onNotice: @escaping (String) -> Void = { _ in }
  ) {
    self.onProgress = onProgress
    self.onNotice = onNotice
  }
}
