internal import ArgumentParser
internal import Glibc
internal import MediaFileSystem
internal import MediaModel
internal import MediaPipeline
internal import MediaSyntax
internal import MediaVerification

struct InitCommand: ParsableCommand, RuledArguments {
  static let configuration = CommandConfiguration(
    commandName: "init",
    abstract: "Write a manifest for a folder of media.",
    discussion: """
      It asks for what no option says; Enter takes the proposal. It opens no file of the folder.

      EXAMPLES
        mediabatch init Photos
        mediabatch init /media/card --policy keep --yes
        mediabatch init Photos --policy strip --ask --labels numbers

      Files are counted by their names. Memory cards, Google Takeouts and exports of iCloud Photos, zipped or not, and \
      Apple Photos libraries are known by their folders and names. An existing file is never overwritten. Without a \
      terminal, and with --yes, nobody is asked: then --policy is needed.
      """ + rules.paragraph
  )

  static let rules: [OptionRule] = [
    "--thumbnail and --large-thumbnail take a number from 0 to 16384."
  ]

  @Argument(help: "The folder of the media.", completion: .directory)
  var folder = PathArgument(argument: ".")

  @Option(help: .rare("What the folder is: camera (captures), library (a collection), microphone."))
  var source: SourceKind?

  @Option(
    help: ArgumentHelp(
      "keep, for your own photos, or strip, for copies that others get.",
      details: "keep takes each file as it is; strip leaves out places, dates, names and other metadata."
    )
  )
  var policy: NewPolicy?

  @Option(
    help: .rare("The longer side of small thumbnails in pixels, by default 256; 0 for none.")
  )
  var thumbnail: Int?

  @Option(
    help: .rare(
      "The longer side of large thumbnails in pixels, by default 1600; 0 for none.",
      details: "They are for a gallery's viewer. With --thumbnail 0 the default is none."
    )
  )
  var largeThumbnail: Int?

  @Option(help: "What files of the library are called: by their own names, or by numbers.")
  var labels: NewLabels?

  @Option(help: "Why the media are imported, for a person who is asked.")
  var reason: String?

  @Option(help: .rare("The client's identifier, such as org.example.import; by default one of this folder."))
  var client: String?

  @Option(help: "Who imports them, for a person who is asked; by default the folder's name.")
  var clientName: String?

  @Option(help: "The library to import into.", completion: .directory)
  var library: PathArgument?

  @Option(help: "The manifest to write.", completion: .file(extensions: ["json"]))
  var manifest: PathArgument?

  @Flag(help: "Let a run ask a person for permission, at the terminal or in a browser.")
  var ask = false

  @Flag(name: .shortAndLong, help: "Ask nothing: take the proposals.")
  var yes = false

  @Option(help: "How to print the result.")
  var format = OutputFormat.text

  enum NewPolicy: String, ExpressibleByArgument, CaseIterable {
    case strip, keep
  }

  enum NewLabels: String, ExpressibleByArgument, CaseIterable {
    case names, numbers
  }

  /// The words for the person who allows the folder.
  private enum Decision: String {
    case now, ask
  }

  func run() throws {
    do throws(NewManifest.Refusal) {
      var new = try NewManifest(folder: folder.bytes)
      applyOptions(&new)
      let asks = !yes && isatty(STDIN_FILENO) == 1 && Console.isErrorTerminal
      if !asks, policy == nil { throw Self.withoutPolicy }
      if asks {
        Console.note("\(EscapedText.percentEscaped(new.folder)): \(new.survey.text)")
        try ask(&new)
      }
      let isFirst = try compareWithLibrary(&new)
      try new.write()
      printResult(new, isFirst: isFirst)
    } catch {
      Console.note(error.lines)
      if format == .json {
        Console.output([
          "schema": "mediabatch.init/1", "exitCode": error.code.json,
          "problems": error.lines.json,
        ])
      }
      try error.code.exit()
    }
  }

  private func applyOptions(_ new: inout NewManifest) {
    if let source { new.source = source }
    if let policy { new.policy = policy.rawValue }
    if let thumbnail { new.thumbnailSide = thumbnail }
    if let side = largeThumbnail ?? (thumbnail == 0 ? 0 : nil) { new.largeThumbnailSide = side }
    if let labels { new.hasNeutralLabels = labels == .numbers }
    if let reason { new.reason = reason }
    if let client { new.client = client }
    if let clientName { new.clientName = clientName }
    new.asks = ask
    if let manifest { new.path = manifest.absolute }
    if let library { new.library = library.absolute }
  }

  /// Names the source where a library that is there knows another one of its kind, and holds the manifest's place
  /// against the folder that it declares, and against those that the library's runs listed last.
  ///
  /// - Returns: Whether no run of the library has listed a source.
  private func compareWithLibrary(_ new: inout NewManifest) throws(NewManifest.Refusal) -> Bool {
    let isFirst: Bool
    var sources: SourceFolders
    do {
      let log = try? LibraryLog(root: FileSystem.openFolder(new.library), catalogue: nil)
      let listed = try log?.listedSources() ?? [:]
      isFirst = listed.isEmpty
      new.takeName(besides: listed.sorted { $0.key < $1.key }.map { ($0.key, $0.value.folder) })
      sources = SourceFolders(listed, of: new.library)
    } catch {
      throw NewManifest.Refusal(code: .differencesFound, lines: ["\(error)"])
    }
    sources.add(SourceID(new.source), at: new.folder)
    let option = manifest == nil ? "The manifest" : "--manifest"
    if let text = sources.refusal(of: new.path, option: option) {
      throw NewManifest.Refusal(code: .usage, lines: [text])
    }
    return isFirst
  }

  /// Asks for what no option says.
  private func ask(_ new: inout NewManifest) throws(NewManifest.Refusal) {
    if source == nil {
      new.source = try choice(
        "What is it: a camera's captures (camera), a collection (library), sound (microphone)?",
        SourceKind.init(rawValue:),
        new.source.rawValue
      )
    }
    if !ask {
      let answer = try choice(
        "Who allows runs to read it: you, now (now), or a person whom a run asks (ask)?",
        Decision.init(rawValue:),
        Decision.now.rawValue
      )
      new.asks = answer == .ask
    }
    if clientName == nil, new.asks {
      new.clientName = try choice(
        "Who imports them (a person who is asked reads this)?",
        { $0 },
        new.clientName
      )
    }
    if labels == nil {
      let answer = try choice(
        "What should files of the library be called: by their names or by numbers?",
        NewLabels.init(rawValue:),
        NewLabels.names.rawValue
      )
      new.hasNeutralLabels = answer == .numbers
    }
    if policy == nil { new.policy = try askedPolicy(new.proposedPolicy) }
    try askThumbnails(&new)
    if library == nil {
      let proposal = String(decoding: new.library, as: UTF8.self)
      let answer = try choice("Into which library?", { $0 }, proposal)
      new.library = PathArgument(Array(answer.utf8)).absolute
    }
    if reason == nil, new.asks {
      new.reason = try choice("Why are they imported?", { $0 }, new.proposedReason)
    }
  }

  /// A policy that nobody has said: what is given away cannot be taken back, and what was removed is missed later.
  private static let withoutPolicy = NewManifest.Refusal(
    code: .usage,
    lines: [
      "Nothing was written: say which metadata the copies have, since nobody can be asked.",
      "  --policy keep    all metadata, for your own photos",
      "  --policy strip   no places, dates, names or devices, for copies that others get",
    ]
  )

  private func askedPolicy(_ proposal: String) throws(NewManifest.Refusal) -> String {
    for line in [
      "Keep all metadata of your own photos (keep). Remove places, dates, names and devices from copies that",
      "others get (strip). The files in this folder are not changed.",
    ] { Console.note(line) }
    return try choice("Metadata: keep or strip?", NewPolicy.init(rawValue:), proposal).rawValue
  }

  private func askThumbnails(_ new: inout NewManifest) throws(NewManifest.Refusal) {
    if thumbnail == nil {
      new.thumbnailSide = try choice(
        "Small thumbnails, for pages of many pictures: how many pixels (0: none)?",
        Self.side,
        String(new.thumbnailSide)
      )
      if new.thumbnailSide == 0, largeThumbnail == nil { new.largeThumbnailSide = 0 }
    }
    if largeThumbnail == nil, new.thumbnailSide > 0 {
      new.largeThumbnailSide = try choice(
        "Large thumbnails, for one picture on the screen: how many pixels (0: none)?",
        Self.side,
        String(new.largeThumbnailSide)
      )
    }
  }

  /// The side of a thumbnail's box in pixels; nil for what is none.
  private static func side(_ text: String) -> Int? {
    Int(text).flatMap { (0...16_384).contains($0) ? $0 : nil }
  }

  /// Asks until the answer is one that `parse` takes; an empty one is the proposal.
  private func choice<Value>(
    _ question: String,
    _ parse: (String) -> Value?,
    _ proposal: String
  ) throws(NewManifest.Refusal) -> Value {
    while true {
      Console.write("\(question) [\(EscapedText.printable(proposal))] ", to: STDERR_FILENO)
      guard let line = readLine() else {
        throw NewManifest.Refusal(code: .interrupted, lines: ["", "Nothing was written."])
      }
      if let value = parse(line.isEmpty ? proposal : line) { return value }
    }
  }

  /// Says what was written, and what comes next.
  private func printResult(_ new: NewManifest, isFirst: Bool) {
    let path = EscapedText.percentEscaped(new.path)
    let media = new.survey.media
    let isEmpty = media.isEmpty && new.survey.archives == 0
    let argument = ShellWord.quoted(path)
    let library = ShellWord.quoted(EscapedText.percentEscaped(new.library))
    let another = """
      After that run, for another folder in the same library:
        mediabatch init FOLDER --manifest NAME.json --library \(library)
      """
    let lines = [
      "\(EscapedText.percentEscaped(new.folder)): \(new.survey.text)",
      new.name.map {
        "This source is named \"\(EscapedText.printable($0))\", since the library has another of its kind."
      },
      new.survey.innerPhotosLibrary.map {
        "It contains the Photos library \"\($0.text)\", of which hidden and deleted pictures would be imported too: "
          + "name it under \"ignore\" in the manifest, and init that folder by itself."
      },
      new.source == .camera
        ? "It is imported as a camera: photos, live photos, and videos with their sound." : nil,
      isEmpty
        ? "No file in it has the name of a photo, video or sound yet: a run would import nothing." : nil,
      new.policy == "strip"
        ? "Copies will have no places, dates or names in them. "
          + (new.hasNeutralLabels
            ? "Their file names will be numbers."
            : "Their file names stay; --labels numbers gives them numbers.") : nil,
      "Wrote \(path). " + (isEmpty ? "Once the folder has media:" : "Next:"),
      "  mediabatch check \(argument)",
      "  mediabatch run \(argument)" + (new.asks ? " --web   # asks a person in a browser" : ""),
      isFirst ? another : nil,
    ]
    format.print(
      [
        "schema": "mediabatch.init/1", "exitCode": 0, "problems": [],
        "manifest": .string(path), "library": .string(EscapedText.percentEscaped(new.library)),
        "source": .string(new.source.rawValue),
        "sourceName": .string(new.name ?? new.source.rawValue),
        "kind": JSONValue(new.survey.kind?.rawValue),
        "isMemoryCard": .bool(new.survey.isMemoryCard), "policy": .string(new.policy),
        "counts": [
          "image": JSONValue(media[.image] ?? 0), "video": JSONValue(media[.video] ?? 0),
          "audio": JSONValue(media[.audio] ?? 0), "sidecar": JSONValue(new.survey.sidecars),
          "archive": JSONValue(new.survey.archives), "other": JSONValue(new.survey.others),
        ],
      ],
      lines.compactMap(\.self)
    )
  }
}
