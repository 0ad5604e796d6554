internal import ArgumentParser
internal import MediaConsent
internal import MediaLibrary
internal import MediaMaintenance
internal import MediaModel
internal import MediaPipeline
internal import MediaReports

/// A run whose manifest has `labels.ask`, with a person at the terminal.
///
/// A run confines itself for good, and can neither ask nor rename after that. So the import is a process of
/// its own, with the same arguments, and this one, which opens no media, asks behind it for the label of
/// each asset that is new by the library's history, and renames in one go.
struct LabelAsking {
  /// The library's folder, as the manifest names it.
  let library: [UInt8]
  private let token: ChangeToken?
  /// The runs that were there before; of use where there was no token.
  private let earlierRuns: Set<String>

  /// Notes what the library has before the import.
  init(library: [UInt8]) {
    self.library = library
    let catalogue = try? CatalogueReader(library: library)
    token = try? catalogue?.changeToken()
    earlierRuns = Set(((try? catalogue?.auditPositions()) ?? [])?.map(\.run) ?? [])
  }

  /// Imports in a process of its own.
  ///
  /// - Returns: Its exit code, 128 and the number of a signal that ended it.
  func importMedia() throws -> Int32 {
    try ChildCommand.run(ChildCommand.arguments(with: ChildCommand.words(RunCommand.importAlone)))
  }

  /// The assets that are new since ``init(library:)``.
  private func imported() throws -> [NewAsset] {
    let catalogue = try CatalogueReader(library: library)
    var identifiers: [String] = []
    _ = try catalogue.forEachChange(since: token) { changes in
      for change in changes where change.kind == .inserted {
        if token == nil, earlierRuns.contains(change.run) { continue }
        identifiers.append(change.localIdentifier)
      }
    }
    return try catalogue.newAssets(identifiers)
  }

  /// Asks for labels and renames.
  ///
  /// - Returns: The exit code of the renaming; success when nothing was to do.
  func ask(
    on terminal: Terminal,
    waits: Bool,
    enforcement: Enforcement,
    key: AuditKeyOptions
  ) throws -> RunExitCode {
    let assets = try Console.endingOnError(imported)
    if assets.isEmpty { return .success }
    let answers = LabelPrompt.ask(
      assets.map { LabelPrompt.Subject(label: $0.label, path: $0.sourcePath) },
      on: terminal
    )
    let requests = zip(assets, answers).compactMap { asset, answer in
      answer.map { Relabelling.Request(asset: asset.localIdentifier, label: Label($0)) }
    }
    if requests.isEmpty { return .success }
    let relabelling = AssetEdit(
      library: library,
      Relabelling(requests),
      waits: waits,
      enforcement: enforcement,
      signer: try key.signer()
    )
    Console.note(relabelling.problems)
    for line in RelabelText.lines(relabelling)
      + EndedLogText.lines(relabelling.log, library: library)
    {
      Console.note(line)
    }
    return relabelling.exitCode
  }
}
