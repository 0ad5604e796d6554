internal import ArgumentParser
internal import MediaAudit
internal import MediaFileSystem
internal import MediaManifest
internal import MediaModel
internal import MediaPermissions
internal import MediaPipeline
internal import MediaSyntax
internal import MediaVerification

struct AccessReceiptCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "receipt",
    abstract: "Print receipts of the answers that people gave.",
    discussion: """
      A receipt says what was asked, what was answered and when, how long it counts, and how to take it back.

      EXAMPLES
        mediabatch access receipt manifest.json library --format text
        mediabatch access receipt manifest.json --names >receipt.jsonld

      The form is JSON-LD by W3C's guide to ISO/IEC TS 27560 with DPV: a receipt of each consent and of its end, and a \
      record of each refusal. With a manifest there are those of its client, with SOURCE those of one source, without \
      both all of them. Only with --names there are names of files, folders and sources, and the records by which the \
      document alone proves its answers; `mediabatch-verify receipt` checks it.

      EXAMPLES
        mediabatch access receipt --library Library >receipts.jsonld
      """
  )

  @Argument(help: "The manifest, a JSON file.", completion: .file(extensions: ["json"]))
  var manifest: PathArgument?

  @OptionGroup var subject: SourceArgument

  @Flag(help: "Include names of files, folders and sources, and the records that prove the answers.")
  var names = false

  @Option(
    help: .rare("A library whose log has texts that are not stored any more.", valueName: "folder"),
    completion: .directory
  )
  var library: PathArgument?

  @Option(help: "How to print the result; json is JSON-LD.")
  var format = OutputFormat.json

  func run() throws {
    let loaded = try manifest.map { try LoadedManifest.orExit($0, signature: .none, format: format) }
    let sources = try subject.word.flatMap { word in try loaded.map { try $0.sources(word) } }
    let (texts, quotes) = try Console.endingOnError(quoted)
    try AccessStore.with(.readOnly, format: format) { store, location in
      let receipts = ConsentReceipts(
        of: try store?.transitions() ?? [],
        answers: try store?.answers() ?? [],
        texts: texts + (loaded?.manifest.usageDescriptions.values.flatMap(\.texts).map(\.words) ?? []),
        quotes: quotes,
        user: Host.user,
        tellsNames: names,
        isChosen: { isChosen($0, loaded, sources) },
        present: { path in
          let present =
            loaded?.resolvedPath == path ? loaded : try? LoadedManifest(path: path, signature: .none)
          return present.map { ConsentReceipt.Present(manifest: $0.manifest, sha256: $0.sha256) }
        }
      )
      if receipts.receipts.isEmpty {
        Console.note("There are no such answers in \"\(EscapedText.percentEscaped(location))\".")
      }
      format.print(
        receipts.document(created: AuditTime.now.text),
        receipts.receipts.isEmpty ? [] : receipts.lines
      )
    }
  }

  /// The words that a library's decisions have, and what its log quotes of the answers; empty without one.
  private func quoted() throws -> (texts: [String], quotes: [ConsentReceipts.Quote]) {
    guard let library else { return ([], []) }
    let (texts, heads) = try LibraryLog(library: library.bytes) { _ in }.quotedAnswers()
    return (texts, heads.map { ConsentReceipts.Quote(log: $0.file, head: $0.head) })
  }

  private func isChosen(_ transition: StoredTransition, _ loaded: LoadedManifest?, _ sources: [SourceID]?)
    -> Bool
  {
    if let loaded, transition.client != loaded.manifest.client.identifier { return false }
    if let sources { return sources.contains(transition.source) }
    guard let word = subject.word?.text else { return true }
    return transition.source.isCalled(word) || transition.source.kind.rawValue == word
  }
}
