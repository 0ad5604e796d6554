package import MediaAudit
package import MediaFileSystem
package import MediaLibrary
package import MediaListing
package import MediaManifest
package import MediaModel
package import MediaWorkerPool

/// How the files of a source are listed and read, and what the source says of them: one conformer for each kind.
///
/// The defaults are those of a folder whose files are files of their own. A run knows the others by what their
/// listing says: a size and times, and the device and inode of what holds them; their bytes reach it as a copy
/// in an unlinked file, which is made after the access record.
package protocol MediaSource: AnyObject {
  /// Whether the run itself may list and read the source's root. What is no folder is read by a process of its
  /// own alone, and tells of no changes.
  var isFolder: Bool { get }

  /// The word for the kind in the conditions of failures; nil for an ordinary folder.
  var conditionsWord: String? { get }

  /// The format of those sidecars whose names say none; nil when every name says it.
  var sidecarFormat: SidecarFormat? { get }

  /// Whether sidecars give titles to folders, which are the source's albums then.
  var hasTitledFolders: Bool { get }

  /// Whether the source says more of its files than the files themselves, and has albums of them.
  var describesFiles: Bool { get }

  /// Whether one picture may lie in it several times, so that what it says of the standing of one file is true of
  /// equal ones.
  var hasCopies: Bool { get }

  /// Starts what reads the source, before this process is confined. Nothing of the source is opened.
  ///
  /// - Parameters:
  ///   - source: The source whose kind this is.
  ///   - preparation: What the run gives to it.
  /// - Throws: `RunError` or `SandboxError`; the run ends then.
  func start(_ source: PlannedSource, _ preparation: SourcePreparation) throws

  /// Reads what the source says of its files, behind the source's record and before it is listed.
  ///
  /// - Parameters:
  ///   - source: The source whose kind this is.
  ///   - guardedDevices: Devices on which a file with several names is refused.
  ///   - record: Writes access records and flushes them; called before anything is opened.
  /// - Throws: `RunError`, 66 when it cannot be read: then nothing of the source is listed.
  func read(
    _ source: PlannedSource,
    guardedDevices: Set<UInt64>,
    record: ([AuditRecord]) throws(RunError) -> Void
  ) throws(RunError)

  /// Adds the source's files to a listing.
  ///
  /// - Throws: `FileSystemError` when the source's root cannot be listed, `RunError` when what is no file of its
  ///   own cannot be, and what the listing's `checkAccess` throws.
  func list(into listing: inout SourceListing) throws

  /// Finds the files that sidecars of its own format describe.
  func placeSidecars(in listing: inout SourceListing)

  /// Whether a path is that of a file that has to be copied to be read.
  func holds(_ path: ItemPath) -> Bool

  /// Copies a file.
  ///
  /// - Parameters:
  ///   - path: One that is held.
  ///   - copy: An unlinked file, empty and open for reading and writing.
  /// - Throws: ``SourceFileFailure``; then the item ends with its reason.
  func copy(_ path: ItemPath, into copy: Descriptor) throws(SourceFileFailure)

  /// What the source says of a file; nil where it says nothing.
  func knowledge(of path: ItemPath) -> SourceKnowledge?

  /// A digest of what the source says of a file, keyed, since it is stored under `strip` too; nil where it says
  /// nothing.
  func digest(of path: ItemPath, _ key: [UInt8]) -> [UInt8]?

  /// Takes the digest of what the source said of a file when it was imported.
  func note(described digest: [UInt8], of path: ItemPath)

  /// Whether the source says another thing of a file than when it was imported.
  func hasNewDescription(of path: ItemPath, _ key: [UInt8]) -> Bool

  /// Takes the standing that the source states of a file which is equal to another one.
  ///
  /// - Parameters:
  ///   - standing: That of the equal file.
  ///   - path: The file's path, of a source that ``hasCopies``.
  func note(_ standing: Standing, ofCopy path: ItemPath)

  /// What was noted of a file; nil for nothing.
  func standing(ofCopy path: ItemPath) -> Standing?

  /// The files that patterns select.
  func selection(of patterns: [SelectionPattern]) -> Selection

  /// The albums that the source has, with those of the listed files that are in them; asked where
  /// ``describesFiles`` is true and albums are stored.
  func albums(of items: ListedItems) -> [SourceAlbum]
}

extension MediaSource {
  package var isFolder: Bool { true }
  package var conditionsWord: String? { nil }
  package var sidecarFormat: SidecarFormat? { nil }
  package var hasTitledFolders: Bool { false }
  package var describesFiles: Bool { false }
  package var hasCopies: Bool { false }
  package func start(_ source: PlannedSource, _ preparation: SourcePreparation) throws {}
  package func read(
    _ source: PlannedSource,
    guardedDevices: Set<UInt64>,
    record: ([AuditRecord]) throws(RunError) -> Void
  ) throws(RunError) {}
  package func placeSidecars(in listing: inout SourceListing) {}
  package func holds(_ path: ItemPath) -> Bool { false }
  package func copy(_ path: ItemPath, into copy: Descriptor) throws(SourceFileFailure) {
    throw SourceFileFailure(reason: .cannotRead, detail: "a file of its own")
  }
  package func knowledge(of path: ItemPath) -> SourceKnowledge? { nil }
  package func digest(of path: ItemPath, _ key: [UInt8]) -> [UInt8]? { nil }
  package func note(described digest: [UInt8], of path: ItemPath) {}
  package func hasNewDescription(of path: ItemPath, _ key: [UInt8]) -> Bool { false }
  package func note(_ standing: Standing, ofCopy path: ItemPath) {}
  package func standing(ofCopy path: ItemPath) -> Standing? { nil }
  package func selection(of patterns: [SelectionPattern]) -> Selection { Selection(patterns) }
  package func albums(of items: ListedItems) -> [SourceAlbum] { [] }
}

/// What a source says of one of its files.
package struct SourceKnowledge {
  /// The name that the file had when the source got it, without its extension.
  package var originalName: String?
  package var description: MediaDescription?

  /// Makes what is known of a file.
  package init(originalName: String? = nil, description: MediaDescription? = nil) {
    self.originalName = originalName
    self.description = description
  }
}

/// What a source gets from the run before confinement.
package struct SourcePreparation {
  /// The program of workers.
  package var program: WorkerProgram
  package var enforcement: Enforcement
  /// The most bytes of a file.
  package var maximumFileBytes: Int64
  /// Whether the run is one of several that share the sources.
  package var isDivided: Bool
  /// The library's folder for files that are being made; nil where no file is read after the list.
  package var staging: Descriptor?
  /// Records that files are about to be opened, and flushes the records.
  package var recordAccess:
    (_ items: [ListedItem], _ source: SourceID, _ basis: DecisionReason) throws(RunError) -> Void
  /// Whether a person does not want to wait any longer.
  package var isInterrupted: () -> Bool

  /// Makes a preparation.
  package init(
    program: WorkerProgram,
    enforcement: Enforcement,
    maximumFileBytes: Int64,
    isDivided: Bool,
    staging: Descriptor?,
    recordAccess: @escaping ([ListedItem], SourceID, DecisionReason) throws(RunError) -> Void,
    isInterrupted: @escaping () -> Bool
  ) {
    self.program = program
    self.enforcement = enforcement
    self.maximumFileBytes = maximumFileBytes
    self.isDivided = isDivided
    self.staging = staging
    self.recordAccess = recordAccess
    self.isInterrupted = isInterrupted
  }

  /// Refuses a run that is divided among machines.
  ///
  /// - Parameters:
  ///   - source: The source, with its article.
  ///   - reason: Why one run has to import it, as a clause.
  /// - Throws: `RunError` `.sourceUnavailable`.
  func requireWhole(_ source: String, since reason: String) throws(RunError) {
    guard isDivided else { return }
    throw RunError(
      .sourceUnavailable,
      "Not planned: \(source) is imported by one run, since \(reason). Run the manifest without a plan."
    )
  }
}

/// Why a file could not be copied from what holds it.
package struct SourceFileFailure: Error {
  package var reason: ItemReason
  /// For the log and the person; not yet escaped.
  package var detail: String

  /// Makes a failure.
  package init(reason: ItemReason, detail: String) {
    self.reason = reason
    self.detail = detail
  }
}
