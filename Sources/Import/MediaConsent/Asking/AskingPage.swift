internal import Glibc
internal import MediaFileSystem
package import MediaModel
package import MediaPicking
internal import MediaSandbox

/// A page in a browser on which a person is asked, instead of at a terminal.
///
/// A process of its own shows it: it gets the socket that listens, the question, and a
/// socket to a viewer, another process, which alone can list and read the folder; and hands back an answer,
/// which is looked at as at any picker's. This object belongs to the main thread; one question is asked after
/// the other, each by other processes.
package final class AskingPage {
  /// The place that a browser connects to.
  package enum Endpoint: Sendable, Hashable {
    /// A free port of 127.0.0.1.
    case loopback
    /// A UNIX socket that is made at a path, for its owner alone.
    case socket([UInt8])
  }

  /// An answer that was given on the page.
  package enum Answer: Sendable, Hashable {
    case allow
    case only([ItemPath])
    /// The selection of the earlier answer stays allowed.
    case keep
    case deny
    /// To be asked about each of several sources.
    case each
    /// One of these stays closed, and nothing is to be stored about it.
    case leaveOut
    /// No answer, or "Not now": nothing is to be stored.
    case undecided
  }

  /// The seconds without a request after which no person is there.
  package static let defaultIdleSeconds = 600

  private let listener: Descriptor
  private let null: Descriptor
  let authority: String
  private let socketPath: [UInt8]?
  let idleSeconds: Int
  private let onAddress: (String) -> Void
  /// What the address has behind its path: the language, where a person has named one.
  private let query: String
  /// Where Enter asks for a new address; nil where no person sits at a terminal.
  private let terminal: Terminal?
  var token = PageTask.makeToken()
  /// The answers that were given, oldest first.
  private var answered: [AnsweredQuestion] = []
  /// The languages by which the last page has told usage descriptions.
  private(set) var languages: [String] = []
  /// Whether the page of the question before leads to the next one.
  private var isLinked = false

  /// Listens; nothing is answered before a question is asked.
  ///
  /// - Parameters:
  ///   - endpoint: Where a browser connects to.
  ///   - language: The tag of the page's language; nil for that of the browser.
  ///   - idleSeconds: The seconds without a request after which a page ends.
  ///   - onAddress: Called with lines that tell a person where the page is.
  /// - Throws: `.pageUnavailable`, with the reason.
  package init(
    at endpoint: Endpoint,
    language: String? = nil,
    idleSeconds: Int = AskingPage.defaultIdleSeconds,
    onAddress: @escaping (String) -> Void
  ) throws(ConsentError) {
    self.idleSeconds = idleSeconds
    self.onAddress = onAddress
    query = language.map { "?lang=\($0)" } ?? ""
    terminal = try? Terminal()
    // Between two pages it must not end the program; a page waits for it.
    signal(SIGUSR1, SIG_IGN)
    do {
      null = try FileSystem.openDevice([UInt8]("/dev/null".utf8))
    } catch {
      throw ConsentError(.pageUnavailable, "\(error)")
    }
    switch endpoint {
    case .loopback:
      (listener, authority) = try ListeningSocket.onLoopback()
      socketPath = nil
    case .socket(let path):
      listener = try ListeningSocket.at(path)
      authority = ""
      socketPath = path
    }
  }

  deinit {
    removeSocket()
    signal(SIGUSR1, SIG_DFL)
  }

  private func removeSocket() {
    if let socketPath { _ = socketPath.withCString { unlink($0) } }
  }

  /// Asks a question, and waits for its answer.
  ///
  /// - Parameters:
  ///   - question: What is asked; nil for picking alone.
  ///   - request: What may be picked; nil when single files cannot be.
  ///   - circumstances: What stands beside the question.
  /// - Returns: The answer, and how many names were shown.
  /// - Throws: ``ConsentError``: `.pickerNotConfined`, `.pickerFailed`, `.pickerAnswer`,
  ///   `.folderUnreadable`, `.interrupted`, `.terminated`. Nothing is answered then.
  package func ask(
    _ question: Question?,
    picking request: PickerRequest?,
    _ circumstances: Asker.Circumstances
  ) throws(ConsentError) -> (answer: Answer, shownCount: Int) {
    let (mayDecide, isLast) = (circumstances.mayDecide, circumstances.isLast)
    let mayChooseEach = question?.mayChooseEach == true
    var task = task(circumstances, isLast: isLast && !mayChooseEach)
    task.isLastUnlessEach = isLast && mayChooseEach
    if let question {
      let text = QuestionText(question, columns: .max, isUTF8: true)
      text.fill(&task)
      task.choices = mayDecide ? [.allow] : []
      if mayDecide, request != nil { task.choices.append(.select) }
      if mayDecide, circumstances.mayKeep { task.choices.append(.keep) }
      if mayDecide, mayChooseEach { task.choices.append(.each) }
      if mayDecide { task.choices.append(question.mayLeaveOut ? .skip : .deny) }
    } else if let request {
      task.clientName =
        TerminalText(isUTF8: true)
        .prose(request.clientName, limit: QuestionText.nameLimit, isBetweenQuotes: false).text
      (task.number, task.count) = (circumstances.number, circumstances.count)
      task.choices = [.select]
    }
    task.choices.append(.later)
    if let request {
      task.maximumCount = request.maximumCount
      (task.sort, task.earlier) = (request.pick.sort, request.sentEarlier)
      task.showsPictures = request.showsPictures
    }
    let reply = try show(task, task.choices.contains(.select) ? request : nil)
    let choice = task.choices.first { Self.matches($0, reply.answer) } ?? .later
    var entry = AnsweredQuestion(task.access, choice)
    (entry.count, entry.folder, entry.sources) = (reply.selectedCount, task.folder, task.sources)
    entry.isStored = question != nil && choice != .skip
    if case .picked(let files) = reply.answer { entry.fileCount = files.count }
    if ![.later, .each].contains(choice), answered.count < PageTask.maximumAnswerCount {
      answered.append(entry)
    }
    let isEnd = isLast && choice != .each
    isLinked = reply.answer != .canceled && !isEnd
    token = isEnd ? PageTask.makeToken() : task.next
    return (try answer(reply.answer, to: task, request), reply.shownCount)
  }

  /// A task with what every page has.
  private func task(_ circumstances: Asker.Circumstances, isLast: Bool) -> PageTask {
    var task = PageTask()
    task.token = token
    task.next = isLast ? "" : PageTask.makeToken()
    task.authority = authority
    task.idleSeconds = idleSeconds
    (task.status, task.policyReason) = (circumstances.status, circumstances.policyReason)
    (task.answered, task.manifest) = (answered, circumstances.manifest)
    task.goesOn = circumstances.goesOn
    return task
  }

  /// Lets a person choose which of several questions they are asked, before the first one.
  ///
  /// - Returns: The choice.
  /// - Throws: As ``ask(_:picking:_:)``.
  func choose(
    from questions: [Question],
    obstacles: [PageTask.Row],
    _ circumstances: Asker.Circumstances
  ) throws(ConsentError) -> Asker.SourceChoice {
    var task = task(circumstances, isLast: false)
    task.rows = questions.map { QuestionText($0, columns: .max, isUTF8: true).row }
    // Where none can be chosen each question says why.
    guard task.rows.contains(where: { $0.obstacle == nil }) else {
      return .these(Array(questions.indices))
    }
    task.rows += obstacles
    QuestionText(questions[0], columns: .max, isUTF8: true).fill(&task)
    task.usageDescriptions = []
    task.choices = [.proceed, .none, .later]
    let reply = try show(task, nil)
    isLinked = false
    token = PageTask.makeToken()
    switch reply.answer {
    case .canceled: return .undecided
    case .denied: return .none
    case .interrupted: throw ConsentError(.interrupted)
    case .failed(let code): throw ConsentError(code)
    case .sources(let rows):
      let isValid = rows.allSatisfy {
        questions.indices.contains($0) && task.rows[$0].obstacle == nil
      }
      guard isValid, Set(rows).count == rows.count else { throw ConsentError(.pickerAnswer) }
      (isLinked, token) = (true, task.next)
      return .these(rows.sorted())
    case .allowed, .kept, .picked, .skipped, .each, .decided: throw ConsentError(.pickerAnswer)
    }
  }

  /// Whether an answer is a choice that was offered.
  private static func matches(_ choice: PageTask.Choice, _ answer: PickerAnswer) -> Bool {
    switch (choice, answer) {
    case (.allow, .allowed), (.select, .picked), (.keep, .kept), (.deny, .denied), (.skip, .skipped),
      (.each, .each):
      true
    default: false
    }
  }

  private func answer(
    _ reply: PickerAnswer,
    to task: PageTask,
    _ request: PickerRequest?
  ) throws(ConsentError) -> Answer {
    func offered(_ choice: PageTask.Choice, _ answer: Answer) throws(ConsentError) -> Answer {
      guard task.choices.contains(choice) else { throw ConsentError(.pickerAnswer) }
      return answer
    }
    switch reply {
    case .allowed: return try offered(.allow, .allow)
    case .denied: return try offered(.deny, .deny)
    case .kept: return try offered(.keep, .keep)
    case .skipped: return try offered(.skip, .leaveOut)
    case .each: return try offered(.each, .each)
    case .canceled: return .undecided
    case .interrupted: throw ConsentError(.interrupted)
    case .failed(let code): throw ConsentError(code)
    case .sources, .decided: throw ConsentError(.pickerAnswer)
    case .picked(let paths):
      guard let request else { throw ConsentError(.pickerAnswer) }
      return try offered(.select, .only(try PickedFiles.checked(paths, for: request)))
    }
  }

  func show(
    _ task: PageTask,
    _ request: PickerRequest?
  ) throws(ConsentError) -> PageReply {
    let signals = SignalMask()
    defer {
      // A signal that waits ends this process as soon as it is released.
      if signals.isToEnd { removeSocket() }
      signals.release()
    }
    let page: ConfinedChild<PageTerms>
    let tokens: Descriptor
    let viewer: ConfinedChild<ViewerService>?
    do throws(SandboxError) {
      let started = try request.map { request throws(SandboxError) in
        try Viewer.start(request, nullDevice: null)
      }
      viewer = started?.process
      page = try ConfinedChild(nullDevice: null.raw)
      let ends = try DescriptorPassing.pair()
      tokens = Descriptor(owning: ends.blocking, path: [])
      let tokensEnd = Descriptor(owning: ends.unblocking, path: [])
      // A local is gone behind its last use: without this the page's end may be closed before it is sent.
      try withExtendedLifetime((started, tokensEnd)) { () throws(SandboxError) in
        let viewerEnd = started.map { [$0.pageEnd.raw] } ?? []
        try page.begin(task, files: [listener.raw, tokensEnd.raw] + viewerEnd)
      }
    } catch {
      throw ConsentError(error)
    }
    defer { page.kill() }
    return try withExtendedLifetime(viewer) { () throws(ConsentError) in
      // What was typed before the address stood there asks for no other.
      while terminal?.takeLine() == true {}
      if !isLinked { announceAddress() }
      let reply = try page.answer { () throws(ConsentError) in
        if signals.isToEnd { throw ConsentError(.terminated) }
        if signals.takeInterruption() { throw ConsentError(.interrupted) }
        if signals.takeRenewal() || terminal?.takeLine() == true { renew(over: tokens) }
        return nil
      }
      page.kill()
      languages = reply.languages
      if request?.camera != nil { viewer?.endsByItself() }
      return reply
    }
  }

  /// Prints a new address, with which the page of the one before ends; what is selected stays.
  private func renew(over socket: Descriptor) {
    token = PageTask.makeToken()
    guard DescriptorPassing.sendAll(Array(token.utf8), over: socket.raw) else { return }
    announceAddress()
  }

  private func announceAddress() {
    defer {
      if terminal != nil { onAddress("Press Enter here for a new address; the old one then ends.") }
    }
    if let socketPath {
      let path = EscapedText.percentEscaped(socketPath)
      onAddress(
        """
        To answer, open a page through the socket \(path). On your own machine:
          ssh -N -L 8042:\(path) THIS-MACHINE
          http://127.0.0.1:8042/\(query)#\(token)
        """
      )
    } else {
      onAddress(
        """
        To answer, open this page in a browser on this machine:
          http://\(authority)/\(query)#\(token)
        """
      )
    }
  }
}
