package import MediaModel
package import MediaWorkerProtocol

/// The content of a page for a person, and the answers that it offers.
///
/// The coordinator makes every text safe (``TerminalText``); the page escapes it for HTML.
package struct PageTask: Sendable, Hashable {
  /// An answer that the page offers.
  package enum Choice: String, CaseIterable, Sendable, Hashable {
    case allow
    case select
    /// The selection of an earlier answer stays allowed.
    case keep
    case deny
    /// To be asked about each of several sources of a kind.
    case each
    /// One of these stays closed, and nothing is stored about it.
    case skip
    case later
    /// To be asked about the sources that are ticked.
    case proceed
    /// None of the sources.
    case none
    /// What was decided about groups of pictures is to be done.
    case decide
  }

  /// A question of several, about the sources of a kind, to which a person may be asked.
  package struct Row: Sendable, Hashable {
    package var access: AskedAccess
    /// As ``PageTask/usageDescriptions``.
    package var usageDescriptions: [LocalizedText]
    /// Empty for none.
    package var folder: String
    /// The sources, where they have names.
    package var sources: [AskedSource] = []
    /// Why it cannot be chosen; nil where it can.
    package var obstacle: Obstacle?

    package init(
      _ access: AskedAccess,
      usageDescriptions: [LocalizedText] = [],
      folder: String = "",
      obstacle: Obstacle? = nil
    ) {
      (self.access, self.usageDescriptions) = (access, usageDescriptions)
      (self.folder, self.obstacle) = (folder, obstacle)
    }
  }

  /// Why a source cannot be chosen.
  package enum Obstacle: String, CaseIterable, Sendable, Hashable {
    /// Its folder is not there.
    case missing
    case policy
    case manifest
  }

  /// A sentence on an earlier answer, or on what has changed since.
  package enum Change: String, CaseIterable, Sendable, Hashable {
    case asked = "before.asked"
    case authorized = "before.authorized"
    case limited = "before.limited"
    case denied = "before.denied"
    case folderMoved = "changed.folderMoved"
    case manifest = "changed.manifest"
    /// Refusing takes back what was allowed for another manifest.
    case manifestGranted = "changed.manifestGranted"
    case usageDescription = "changed.usageDescription"
    case folder = "changed.folder"
  }

  /// The length of a task in bytes.
  fileprivate static let maximumLength = 4 << 20
  /// The answers that the last page tells.
  package static let maximumAnswerCount = 128
  /// The questions, and the sources that nobody may allow, of which a person chooses.
  private static let maximumRowCount = 255
  /// The bytes of the paths of an earlier selection, or of groups of pictures.
  package static let maximumEarlierLength = 8 << 20

  /// The 64 hexadecimal digits that the first address ends with.
  package var token = ""
  /// The token of the question behind this one; empty for the last.
  package var next = ""
  /// Whether only the answer `each` leads to a question behind this one.
  package var isLastUnlessEach = false
  /// The only host that the page answers to, such as `127.0.0.1:8042`; empty for any name of this
  /// machine, since the port of a tunnel is its other end's.
  package var authority = ""
  package var clientName = ""
  package var clientIdentifier = ""
  package var access = AskedAccess.library
  /// The policy of the copies that are made.
  package var policy = MetadataPolicy.strip
  /// The number of the question, 1-based, among ``count``.
  package var number = 1
  package var count = 1
  /// Empty when there is no folder.
  package var folder = ""
  /// The sources that the question is about, where they have names; several are of one kind.
  package var sources: [AskedSource] = []
  /// The usage description in each language in which it is given, of which a person is told one; empty on a page that
  /// has none.
  package var usageDescriptions: [LocalizedText] = []
  /// What has changed since an earlier answer.
  package var changes: [Change] = []
  /// The status that applies now; nil where nothing is said of it.
  package var status: AuthorizationStatus?
  /// The reason of the organization's policy, or empty.
  package var policyReason = ""
  package var choices: [Choice] = []
  /// The sources to choose from, before the first question; empty on the page of a question.
  package var rows: [Row] = []
  /// The groups of pictures to decide about; empty on any other page.
  package var groups: [PictureGroup] = []
  /// The answers that were given before on this page, oldest first.
  package var answered: [AnsweredQuestion] = []
  /// The manifest as a word of a shell.
  package var manifest = ""
  /// Whether a run goes on after the last answer.
  package var goesOn = true
  /// The most items that may be picked, 1 to ``PickRequest/maximumLimit``.
  package var maximumCount = PickRequest.maximumLimit
  /// The files of an earlier selection: what is still there of them is selected from the start.
  package var earlier: [ItemPath] = []
  /// The order of the names.
  package var sort = PickOrder.newestFirst
  /// Whether names have pictures beside them.
  package var showsPictures = false
  /// The seconds after which a page ends that nobody has asked for anything.
  package var idleSeconds = 600

  /// Makes a task that offers nothing.
  package init() {}

  /// Whether a question follows an answer that goes on.
  package func hasNext(after choice: Choice) -> Bool {
    !next.isEmpty && (!isLastUnlessEach || choice == .each) && ![.later, .none].contains(choice)
  }

  /// Returns 32 random bytes of the kernel's generator, as hexadecimal digits.
  package static func makeToken() -> String {
    Hexadecimal.text((0..<32).map { _ in UInt8.random(in: .min ... .max) })
  }
}

/// What the process that shows a page and the coordinator send each other.
package enum PageTerms: ServiceTerms {
  package typealias Task = PageTask
  package typealias Answer = PageReply

  package static let argument = "asking-page"
  /// The socket that listens, one by which the coordinator sends new tokens, and one to a viewer where single
  /// files can be picked.
  package static let fileCounts = 2...3
  package static let longestTask = PageTask.maximumLength + PageTask.maximumEarlierLength
  package static let longestAnswer = PickerAnswer.maximumLength
}

extension PageTask: WireValue {
  package func put(into writer: inout WireWriter) {
    writer.put(token)
    writer.put(next)
    writer.put(isLastUnlessEach)
    writer.put(authority)
    writer.put(clientName)
    writer.put(folder)
    writer.put(list: sources)
    writer.put(texts: usageDescriptions)
    writer.put(all: changes) { $0.put($1.rawValue) }
    writer.put(status?.name ?? "")
    writer.put(policyReason)
    writer.put(all: choices) { $0.put($1.rawValue) }
    writer.put(UInt32(clamping: maximumCount))
    writer.put(paths: earlier)
    writer.put(sort.rawValue)
    writer.put(showsPictures)
    writer.put(UInt32(clamping: idleSeconds))
    writer.put(clientIdentifier)
    writer.put(access.rawValue)
    writer.put(policy.rawValue)
    writer.put(UInt32(clamping: number))
    writer.put(UInt32(clamping: count))
    writer.put(list: answered)
    writer.put(manifest)
    writer.put(goesOn)
    writer.put(UInt32(rows.count))
    for row in rows {
      writer.put(row.access.rawValue)
      for text in [row.folder, row.obstacle?.rawValue ?? ""] { writer.put(text) }
      writer.put(texts: row.usageDescriptions)
      writer.put(list: row.sources)
    }
    writer.put(list: groups)
  }

  package init(from reader: inout WireReader) throws(ProtocolError) {
    let limit = Self.maximumLength
    token = try reader.text(limit: limit)
    guard token.utf8.count == 64 else { throw ProtocolError("no token") }
    next = try reader.text(limit: limit)
    isLastUnlessEach = try reader.bool()
    authority = try reader.text(limit: limit)
    clientName = try reader.text(limit: limit)
    folder = try reader.text(limit: limit)
    sources = try reader.list(limit: AskedSource.maximumCount)
    usageDescriptions = try reader.texts(limit: limit)
    for _ in 0..<(try reader.count(limit: Change.allCases.count)) { changes.append(try reader.choice()) }
    let name = try reader.text(limit: limit)
    status = AuthorizationStatus(name: name)
    guard status != nil || name.isEmpty else { throw ProtocolError("no status") }
    policyReason = try reader.text(limit: limit)
    for _ in 0..<(try reader.count(limit: Choice.allCases.count)) {
      choices.append(try reader.choice())
    }
    maximumCount = try reader.count(limit: PickRequest.maximumLimit)
    guard maximumCount > 0 else { throw ProtocolError("nothing may be picked") }
    earlier = try reader.paths()
    sort = try reader.choice()
    showsPictures = try reader.bool()
    idleSeconds = Int(try reader.integer(UInt32.self))
    guard idleSeconds > 0 else { throw ProtocolError("no time for an answer") }
    clientIdentifier = try reader.text(limit: limit)
    access = try reader.choice()
    guard let policy = MetadataPolicy(rawValue: try reader.text(limit: limit)) else {
      throw ProtocolError("no policy")
    }
    self.policy = policy
    number = Int(try reader.integer(UInt32.self))
    count = Int(try reader.integer(UInt32.self))
    answered = try reader.list(limit: Self.maximumAnswerCount)
    manifest = try reader.text(limit: limit)
    goesOn = try reader.bool()
    for _ in 0..<(try reader.count(limit: Self.maximumRowCount)) {
      var row = Row(try reader.choice())
      row.folder = try reader.text(limit: limit)
      let obstacle = try reader.text(limit: limit)
      row.obstacle = PageTask.Obstacle(rawValue: obstacle)
      guard row.obstacle != nil || obstacle.isEmpty else { throw ProtocolError("no obstacle") }
      row.usageDescriptions = try reader.texts(limit: limit)
      row.sources = try reader.list(limit: AskedSource.maximumCount)
      rows.append(row)
    }
    groups = try reader.list(limit: PictureGroup.mostPictures)
  }
}

extension WireWriter {
  fileprivate mutating func put(texts: [LocalizedText]) {
    put(all: texts) { writer, text in
      writer.put(text.language ?? "")
      writer.put(text.words)
    }
  }

  /// Writes the files of a selection behind their number.
  package mutating func put(paths: [ItemPath]) {
    put(all: paths) { $0.put($1.bytes) }
  }
}

extension WireReader {
  fileprivate mutating func texts(limit: Int) throws(ProtocolError) -> [LocalizedText] {
    var texts: [LocalizedText] = []
    for _ in 0..<(try count(limit: LocalizedText.maximumCount)) {
      let language = try text(limit: LanguageTag.maximumLength)
      texts.append(LocalizedText(try text(limit: limit), in: language.isEmpty ? nil : language))
    }
    return texts
  }

  /// Reads the files of a selection.
  ///
  /// - Throws: ``ProtocolError`` for more than can be selected.
  package mutating func paths() throws(ProtocolError) -> [ItemPath] {
    var paths: [ItemPath] = []
    let limit = PickCandidate.maximumFileCount * PickRequest.maximumLimit
    for _ in 0..<(try count(limit: limit)) {
      paths.append(ItemPath(bytes: try blob(limit: PageTask.maximumEarlierLength)))
    }
    return paths
  }
}
