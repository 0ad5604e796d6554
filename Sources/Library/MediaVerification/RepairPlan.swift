internal import MediaAudit
package import MediaFileSystem
internal import MediaLibrary
internal import MediaModel

/// The steps that would mend a library, found by verifying it; makes none of them.
///
/// `verify --repairable` shows it before, and `repair` carries it out.
package struct RepairPlan: Sendable, Hashable {
  package enum Action: String, Sendable, Hashable, CaseIterable {
    /// The catalogue is made anew from the folders and the log.
    case rebuilt
    /// A published file that the log records and the catalogue does not becomes a row again.
    case adopted
    /// What a command was stopped in is carried out to its end.
    case finished
    /// A file with other bytes than were published, or of a withdrawn asset, is moved aside; what cannot be read stays.
    case quarantined
    /// An original comes back from its source.
    case restored
    /// A thumbnail is made again, from its asset's published original or from its source.
    case remade
  }

  package struct Step: Sendable, Hashable {
    package var action: Action
    /// Below the library.
    package var path: String

    /// The path for a person, escaped.
    package var shownPath: String { EscapedText.printable(path) }
  }

  /// In the order of the actions, then of the paths.
  package private(set) var steps: [Step] = []
  /// Files that nothing here can mend, and why; escaped.
  package private(set) var left: [String] = []
  /// The first difference of the log, which nothing mends; nil when it is whole.
  package private(set) var logDifference: String?

  /// Verifies the library at a path, reading every file; a library without a usable catalogue needs
  /// ``Action/rebuilt`` before more can be said.
  ///
  /// The threads that read files and log have ended, so that the process can be confined afterwards.
  ///
  /// - Throws: `LibraryError`, `.notALibrary` where there is no folder; `FileSystemError`, `AuditError` when
  ///   library or log cannot be read at all.
  package init(library path: [UInt8]) throws {
    let root = try LibraryLog.openFolder(path)
    try LibraryFolder.confirmDatabase(LibraryFolder.catalogueName, in: root)
    let verification: LibraryVerification
    do {
      verification = try LibraryVerification(library: path)
      // A lost log is a difference there, and nothing here brings it back.
      _ = try LibraryLog(root: root, catalogue: nil)
    } catch let error as LibraryError where error.code == .inconsistent {
      steps = [Step(action: .rebuilt, path: LibraryFolder.catalogueName)]
      return
    }
    guard verification.isCatalogueWhole else {
      steps = [Step(action: .rebuilt, path: LibraryFolder.catalogueName)]
      return
    }
    logDifference = verification.audit.difference?.description
    left += [verification.keyDamage].compactMap(\.self) + verification.manifestDamage
    if !verification.privateFactDamage.isEmpty { planPrivateFacts(root) }
    steps += verification.toFinish.map {
      Step(action: .finished, path: String(decoding: $0, as: UTF8.self))
    }
    if verification.files.differenceCount > 0 { try planFiles(verification.files, of: path, root) }
    if verification.isCatalogueBehind { planRebuild() }
    let order = Action.allCases
    steps.sort { left, right in
      let (first, second) = (order.firstIndex(of: left.action), order.firstIndex(of: right.action))
      return (first ?? 0, left.path) < (second ?? 0, right.path)
    }
  }

  /// Plans what becomes of the files that differ.
  private mutating func planFiles(
    _ check: LibraryFileCheck,
    of path: [UInt8],
    _ root: Descriptor
  ) throws {
    var differences: [LibraryFileCheck.Finding] = []
    try check.findings.forEach { if $0.isDifference { differences.append($0) } }
    let catalogue = try CatalogueReader(library: path)
    let shown = Set(differences.map(\.path))
    let replaced = Set(try catalogue.replacedPaths())
    var files: [String: String] = [:]
    try catalogue.forEachPage(superseded: false) { page in
      for file in page {
        let text = EscapedText.printable(file.path)
        if shown.contains(text) { files[text] = file.path }
      }
    }
    // Nothing is mended in a folder that is none.
    let folders = differences.filter { $0.kind == .changed && files[$0.path] == nil }
    left += folders.map { "\($0.path): \($0.detail)" }
    if !folders.isEmpty { return }
    func libraryPath(of finding: LibraryFileCheck.Finding) -> String {
      files[finding.path]
        ?? String(decoding: EscapedText.bytes(percentEscaped: finding.path), as: UTF8.self)
    }
    let log = try LibraryLog(root: root, catalogue: catalogue).verify()
      .recordedFiles(among: Set(differences.map { [UInt8](libraryPath(of: $0).utf8) }))
    for finding in differences {
      let file = libraryPath(of: finding)
      plan(finding, of: file, isReplaced: replaced.contains(file), root, log)
    }
  }

  /// Plans that the catalogue is made anew, before which nothing else can be said of the files that differ from it.
  private mutating func planRebuild() {
    steps.removeAll { $0.action != .adopted }
    left = []
    if steps.isEmpty { steps = [Step(action: .rebuilt, path: LibraryFolder.catalogueName)] }
  }

  /// Plans what becomes of a damaged store of private facts.
  private mutating func planPrivateFacts(_ root: Descriptor) {
    do {
      try LibraryFolder.confirmDatabase(Library.privateFactsFile, in: root)
      steps.append(Step(action: .quarantined, path: Library.privateFactsFile))
    } catch {
      left.append("\(error)")
    }
  }

  /// Plans what becomes of a file that differs.
  ///
  /// - Parameters:
  ///   - finding: The difference.
  ///   - file: The file, below the library.
  ///   - isReplaced: Whether a newer version of its source's file was imported.
  ///   - root: The library.
  ///   - log: What the log has of the files that differ.
  private mutating func plan(
    _ finding: LibraryFileCheck.Finding,
    of file: String,
    isReplaced: Bool,
    _ root: Descriptor,
    _ log: RecordedFiles
  ) {
    let isOriginal = file.hasPrefix("Originals/")
    let mended = Step(action: isOriginal ? .restored : .remade, path: file)
    if finding.kind == .missing, isReplaced {
      left.append("\(finding.path): its source has a newer version, and none has this one")
      return
    }
    switch finding.kind {
    case .missing: steps.append(mended)
    case .changed:
      do {
        let path = [UInt8](file.utf8)
        let digest = try FileDigest.of(path, beneath: root)
        // A file that is as the log says is healthy: its row in the catalogue is not.
        if log.has(path, sha256: digest.sha256) {
          steps.append(Step(action: .adopted, path: file))
        } else {
          steps += [Step(action: .quarantined, path: file), mended]
        }
      } catch {
        // The record of a move needs a digest, which a link, a folder or a FIFO does not have.
        left.append("\(finding.path): \(error); move it away and repair again")
      }
    case .unknown:
      if log.isWithdrawn([UInt8](file.utf8)) {
        steps.append(Step(action: .quarantined, path: file))
      } else if Self.isRecorded(file, root, log) {
        steps.append(Step(action: .adopted, path: file))
      } else {
        left.append("\(finding.path): the log has no record of it; move it out of the library")
      }
    default: break
    }
  }

  /// Whether an outcome record has this file with the bytes that it has now.
  package static func isRecorded(
    _ file: String,
    _ root: Descriptor,
    _ log: RecordedFiles
  ) -> Bool {
    guard let digest = try? FileDigest.of([UInt8](file.utf8), beneath: root) else { return false }
    return log.has([UInt8](file.utf8), sha256: digest.sha256)
  }
}
