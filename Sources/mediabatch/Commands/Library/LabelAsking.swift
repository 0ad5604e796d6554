internal import ArgumentParser
internal import Glibc
internal import MediaConsent
internal import MediaLibrary
internal import MediaMaintenance
internal import MediaModel
internal import MediaPipeline

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
  private let earlier: Set<String>

  /// Notes what the library has before the import.
  init(library: [UInt8]) {
    self.library = library
    let catalogue = try? CatalogueReader(library: library)
    token = (try? catalogue?.changeToken()) ?? nil
    earlier = Set(((try? catalogue?.auditPositions()) ?? [])?.map(\.run) ?? [])
  }

  /// Imports in a process of its own.
  ///
  /// - Returns: Its exit code, 128 and the number of a signal that ended it.
  func importMedia() throws -> Int32 {
    var mask = sigset_t()
    sigemptyset(&mask)
    for signal in [SIGINT, SIGTERM, SIGHUP] { sigaddset(&mask, signal) }
    var before = sigset_t()
    sigprocmask(SIG_BLOCK, &mask, &before)
    defer {
      // A signal that was meant for the import is not to end this process behind it.
      var none = timespec()
      while sigtimedwait(&mask, nil, &none) > 0 {}
      sigprocmask(SIG_SETMASK, &before, nil)
    }
    let child = try spawn(mask: before)
    var status: Int32 = 0
    var pause = timespec(tv_sec: 0, tv_nsec: 50_000_000)
    while waitpid(child, &status, WNOHANG) == 0 {
      var information = siginfo_t()
      let signal = sigtimedwait(&mask, &information, &pause)
      // The terminal sends Ctrl-C to both; a signal of a process is for this one alone.
      if signal > 0, information.si_code <= 0 { kill(child, signal) }
    }
    let signal = status & 0x7F
    return signal == 0 ? status >> 8 & 0xFF : 128 + signal
  }

  /// Source: posix_spawn(3).
  private func spawn(mask: sigset_t) throws -> pid_t {
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var mask = mask
    posix_spawnattr_setsigmask(&attributes, &mask)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
    // Behind the word `run`: what follows a `--` is no flag.
    var words = CommandLine.arguments
    words.insert(RunCommand.importAlone, at: min(2, words.count))
    var arguments = words.map { strdup($0) }
    defer { for argument in arguments { free(argument) } }
    arguments.append(nil)
    var child: pid_t = 0
    let error = posix_spawn(&child, "/proc/self/exe", nil, &attributes, arguments, environ)
    guard error == 0 else {
      Console.note("The import could not be started: \(String(cString: strerror(error))).")
      throw ExitCode(RunExitCode.internalCheck.rawValue)
    }
    return child
  }

  /// The assets that are new since ``init(library:)``.
  private func imported() throws -> [NewAsset] {
    let catalogue = try CatalogueReader(library: library)
    var identifiers: [String] = []
    _ = try catalogue.forEachChange(since: token) { changes in
      for change in changes where change.kind == .inserted {
        if token == nil, earlier.contains(change.run) { continue }
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
    let relabelling = Relabelling(
      library: library,
      requests,
      waits: waits,
      enforcement: enforcement,
      signer: try key.signer()
    )
    for problem in relabelling.problems { Console.note(problem.message) }
    for line in RelabelText.lines(relabelling)
      + EndedLogText.lines(relabelling.log, library: String(decoding: library, as: UTF8.self))
    {
      Console.note(line)
    }
    return relabelling.exitCode
  }
}
