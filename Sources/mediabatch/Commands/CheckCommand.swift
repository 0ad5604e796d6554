internal import ArgumentParser
internal import Glibc
internal import MediaFileSystem
internal import MediaManifest
internal import MediaModel
internal import MediaPermissions
internal import MediaPipeline
internal import MediaPredicate
internal import MediaReports
internal import MediaSandbox
internal import MediaSyntax

struct CheckCommand: ParsableCommand, RuledArguments {
  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "Check a manifest, and say what a run could read.",
    discussion: """
      It opens no source, asks nobody, and writes nothing.

      EXAMPLES
        mediabatch check manifest.json
        mediabatch check manifest.json --against main/manifest.json --relocated

      It exits as the run would. With --against, it exits with 4 for a manifest that would run and allows more access \
      than the older one.
      """ + rules.paragraph
  )

  static let rules: [OptionRule] = ["--relocated goes with --against."]

  @Argument(help: "The manifest, a JSON file.", completion: .file(extensions: ["json"]))
  var manifest: PathArgument

  @Option(help: .rare("Also apply this policy file of an organization; may be repeated."))
  var policy: [PathArgument] = []

  @Option(
    help: ArgumentHelp(
      "List what this manifest allows more than an older one, and what less.",
      valueName: "older manifest"
    )
  )
  var against: PathArgument?

  @Flag(
    help: .rare(
      "The older manifest is a copy, such as in another checkout.",
      details: "Its relative paths then mean the folder of the newer one."
    )
  )
  var relocated = false

  @Option(help: "How to print the result; sarif is for code scanning.")
  var format = CheckFormat.text

  func run() throws {
    let loaded = try LoadedManifest.orExit(manifest, policies: policy, format: format)
    let access = AccessState(loaded)
    let compared = try against.map {
      ComparedManifest(
        loaded,
        against: try LoadedManifest.orExit($0, closed: loaded.closed(access), format: format),
        isRelocated: relocated
      )
    }
    let kernel = KernelSupport.probe()
    let stops = access.stopsOfRun(kernel: kernel)
    let known = Self.libraryProblems(loaded, access)
    let problems = stops.map(\.problem) + [known.conflict?.problem, compared?.problem].compactMap(\.self)
    let exitCode = Self.exitCode(
      known.conflict?.exitCode ?? stops.first?.exitCode,
      isWidened: compared?.problem != nil
    )
    var notes = Self.notes(loaded.manifest, access) + Self.dateNotes(loaded)
    // Nothing is looked for in a folder that the manifest may not be allowed to read.
    if problems.isEmpty { notes += Self.placeNotes(loaded) }
    let rules = problems.isEmpty ? access.unmatchedTracks + Self.unmatchedShifts(loaded, access) : []
    notes += known.notes + Self.revisionNotes(loaded, access) + rules.map(\.message)
    notes += Self.languageNotes(loaded.manifest) + Self.askingNotes(loaded, access)
    switch format {
    case .json:
      var members: [String: JSONValue] = [
        "schema": "mediabatch.check/1",
        "exitCode": exitCode.json,
        "manifest": ["path": .string(loaded.path), "sha256": .string(loaded.sha256)],
        "problems": SummaryJSON.problems(problems),
        "rulesWithoutMatch": SummaryJSON.rules(rules),
        "notes": notes.json,
        "sources": .array(access.reported.map(SummaryJSON.source)),
      ]
      if let compared { members.merge(compared.members) { $1 } }
      Console.output(.object(members))
    case .text:
      Console.output(compared?.lines ?? [])
      for source in access.reported {
        Console.output(
          (source.accessLevel == .addOnly ? "adding to the " : "")
            + "\(source.source.displayName): \(source.reason.decisionText)"
            + (source.required ? "; required" : "")
        )
      }
      for advice in access.advice where !problems.contains(where: { $0.message.contains(advice.text) }) {
        Console.output(advice.text)
      }
      Console.output(notes)
      Console.note(problems)
      if exitCode == .success { Console.output(Self.verdict(access)) }
    case .sarif:
      Console.output(CheckSARIF.log(problems, compared, in: loaded.path).value)
      Console.note(problems)
    }
    try exitCode.exit()
  }

  /// What is said of a manifest without mistakes.
  private static func verdict(_ access: AccessState) -> String {
    access.reported.allSatisfy { [.denied, .restricted].contains($0.reason) }
      ? "The manifest has no mistake, but a run reads nothing." : "The manifest is good."
  }

  /// What the command ends with: a pipeline leaves to the run what the run stops for, and what is widened is for a
  /// person to read before.
  private static func exitCode(_ stop: RunExitCode?, isWidened: Bool) -> RunExitCode {
    let code = stop ?? .success
    let isLeftToRun =
      [.success, .sourceUnavailable, .enforcementUnavailable, .undecided, .sourceRefused]
      .contains(code)
    return isWidened && isLeftToRun ? .widened : code
  }

  /// Returns a note on the command that asks a person, where the manifest leaves a decision to one.
  private static func askingNotes(_ loaded: LoadedManifest, _ access: AccessState) -> [String] {
    guard loaded.manifest.onNotDetermined == .ask, access.advice.contains(where: \.isUndecided)
    else { return [] }
    return [
      "`mediabatch run \(ShellWord.quoted(loaded.path)) --web` asks a person in a browser; without --web it asks at "
        + "the terminal."
    ]
  }

  /// Returns a note on each usage description that is not there in a language which another one has.
  private static func languageNotes(_ manifest: Manifest) -> [String] {
    manifest.missingLanguages.map { key, languages in
      let first = manifest.usageDescriptions[key]?.texts.first?.language
      return
        "\"\(key.rawValue)\" has no text in \(Quantity.list(languages)), which another usage description has. There "
        + "people get the first text" + (first.map { ", in \($0)." } ?? ".")
    }
  }

  /// Returns a note where the file of names of places is missing.
  private static func placeNotes(_ loaded: LoadedManifest) -> [String] {
    guard let path = loaded.placeData,
      (try? FileSystem.status(ofPath: path))?.kind != .regular
    else { return [] }
    let displayPath = EscapedText.percentEscaped(path)
    return ["The file of \"places.data\" is not there: \"\(displayPath)\". Places get no names."]
  }

  /// Returns notes about effects of the manifest that a person may not expect.
  private static func notes(_ manifest: Manifest, _ access: AccessState) -> [String] {
    let policies = manifest.sources.keys.map { manifest.metadataPolicy(of: $0) }
    var notes: [String] = []
    if access.permissions.adding?.mayProceed == true,
      let path = manifest.libraryAddedTo.flatMap({ manifest.sources[$0] })?.path
    {
      notes.append(
        "What is imported from the camera is also added to the photo library, with all of its metadata: to "
          + "\(EscapedText.printable(path))/yyyy/yyyy-MM-dd, by the day on which it was taken, which the log then has. "
          + "Nothing there is replaced or removed"
          + (manifest.onlyAddsToPhotoLibrary ? ", and nothing read." : ".")
      )
    }
    let libraries = manifest.sources.of(.library).map(\.value.fetch)
    if libraries.contains(where: \.limitsByContent) {
      notes.append(
        "\"fetchLimit\" sorts by facts that only reading tells: whenever a file is added, removed or changed, each "
          + "file of the photo library is opened again and recorded"
          + (manifest.storesPrivateFacts ? ", unless private.sqlite has these facts." : ".")
      )
    } else if libraries.contains(where: \.needsContent) {
      notes.append(
        "Only reading tells what to fetch from the photo library: each file is opened once and recorded, also one "
          + "that is then not fetched."
      )
    }
    if manifest.sources.values.contains(where: { !$0.tracks.isEmpty }) {
      notes.append("\"tracks\" reads GPS tracks, which say where a person was.")
    }
    if manifest.placeData != nil {
      notes.append("\"places.data\" gives places the names of their cities, from a file.")
    }
    guard policies.contains(where: \.strips) else { return notes }
    if manifest.albumsFromFolders {
      notes.append("Names of the sources' folders become titles of albums, also of stripped files.")
    }
    if manifest.storesPrivateFacts {
      notes.append(
        "\"catalogue.privateFacts\" stores when, where and with which camera stripped files were taken, and captions, "
          + "keywords, people and ratings, in the library's private.sqlite."
      )
    }
    return notes + labelNotes(manifest, policies)
  }

  /// Returns notes about what the names of stripped files tell.
  private static func labelNotes(_ manifest: Manifest, _ policies: [MetadataPolicy]) -> [String] {
    if manifest.labels.neutral { return [] }
    guard let template = manifest.labels.template else {
      return [
        "Stripped files keep the names of the sources' files; \"labels\": {\"neutral\": true} gives them numbers."
      ]
    }
    var notes: [String] = []
    if template.publishesCreationDate, policies.contains(where: { !$0.keeps(.creationDate) }) {
      notes.append(
        "The label template has {creationDate}: the names of stripped files will say when they "
          + "were taken."
      )
    }
    if template.publishesOriginalName {
      notes.append("The label template has {originalName}: stripped files will keep their original names.")
    }
    return notes
  }
}
