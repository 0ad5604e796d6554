internal import MediaFileSystem
internal import MediaLibrary
internal import MediaManifest
package import MediaModel
internal import MediaPermissions
package import MediaSandbox
internal import MediaSources

extension AccessState {
  /// Returns why the run stops before it opens anything, or nil when it continues: the first of
  /// ``stops(kernel:enforcement:)``.
  package func stop(kernel: KernelSupport, enforcement: Enforcement?) -> RunError? {
    stops(kernel: kernel, enforcement: enforcement).first
  }

  /// Returns each reason why the run stops before it opens anything.
  ///
  /// - Parameters:
  ///   - kernel: The confinement that this kernel supports; nil leaves it out.
  ///   - enforcement: The command line's choice; nil leaves it to the manifest.
  /// - Returns: The error that makes deciding impossible (78, 74) alone, or all that apply in the order
  ///   of 78, 77 for a run without the kernel that a policy denies, 69, 75, 77 and 66.
  package func stops(kernel: KernelSupport?, enforcement: Enforcement?) -> [RunError] {
    if let failure { return [failure] }
    if let problem = loaded.signatureProblem ?? misleadingFolder { return [problem] }
    let mode = enforcement ?? loaded.manifest.enforcement
    var stops = [refusal(.manifestMistake), misplacedTracks]
    if mode == .process, loaded.policies.policies.contains(where: \.deniesProcessEnforcement) {
      stops.append(
        RunError(
          .processEnforcementDenied,
          "Not run: the organization's policy requires that the kernel confines the run. Leave "
            + "out \"enforcement\": \"process\" and --enforcement process."
        )
      )
    }
    if mode == .kernel, let kernel, !kernel.canEnforce {
      stops.append(
        RunError(
          .enforcementUnavailable,
          "Not run: this kernel (\(kernel.kernelRelease): \(kernel.detail)) cannot confine the run to what is "
            + "allowed; that needs Landlock ABI 2 (Linux 5.19) and seccomp. To run with the program's own checks "
            + "alone, pass --enforcement process."
        )
      )
    }
    for code in [RunExitCode.undecided, .sourceRefused, .sourceUnavailable] {
      stops.append(refusal(code))
    }
    return stops.compactMap { $0 }
  }

  /// The error of a signed manifest of which a folder is found through a link that somebody other than root made: nobody
  /// signed where it leads.
  private var misleadingFolder: RunError? {
    guard loaded.signature != nil else { return nil }
    let misled = loaded.manifest.sources.keys.first { source in
      guard let path = loaded.path(of: source), let folder = context.folders[source] else { return false }
      return FileSystem.resolvedByRoot(path) != folder.path
    }
    return misled.map { source in
      RunError(
        .signatureRefused,
        "Not run: the path of the \(source.displayName) leads through a symbolic link, and who signed the manifest did "
          + "not sign where that leads. Name the folder itself in \(loaded.manifest.sources.key(of: source)).path."
      )
    }
  }

  /// Returns each reason why a run would stop now, that of its library among them.
  ///
  /// - Parameter kernel: The confinement that this kernel supports; nil leaves it out.
  /// - Returns: The reasons, of which the first gives the run's exit code; that another run holds the
  ///   library is none.
  package func stopsOfRun(kernel: KernelSupport?) -> [RunError] {
    let stops = stops(kernel: kernel, enforcement: nil)
    guard failure == nil, let obstacle = Library.obstacle(path: loaded.output) else { return stops }
    // A run that must not touch the folder has no log in which a decision could stand.
    return obstacle.exitCode == .manifestMistake
      ? [RunError(obstacle)] + stops : stops + [RunError(obstacle)]
  }

  /// The error of the sources whose decision stops the run with this code; nil when there is none.
  private func refusal(_ code: RunExitCode) -> RunError? {
    if code == .manifestMistake, !permissions.missingUsageDescriptions.isEmpty {
      let messages = permissions.missingUsageDescriptions.map(\.message)
      return RunError(.usageDescriptionMissing, "Not run: " + messages.joined(separator: "; ") + ".")
    }
    let sources = permissions.all.filter { $0.isNeeded && stops($0, code) }
    if sources.isEmpty { return nil }
    let names = Quantity.list(sources.map(\.subject))
    switch code {
    case .undecided:
      let commands = advice.filter { $0.isUndecided && !$0.isForTerminal }.map(\.command)
      return RunError(
        .undecided,
        "Not run: nobody has decided about \(names) yet, and there is nobody to ask here. "
          + "Run at a terminal or with --web"
          + (commands.isEmpty ? "." : ", or decide first: \(commands.joined(separator: " ; "))")
      )
    case .sourceRefused:
      return RunError(
        .sourceRefused,
        "Not run: access to \(names) is refused, and this run requires it. " + denials(among: sources)
          + "To run without it, write \"required\": false for that source."
      )
    case .sourceUnavailable:
      let folders = sources.map { folder(of: $0.source) }.joined(separator: "; ")
      let isFolder = sources.contains { loaded.path(of: $0.source) != nil }
      return RunError(
        .sourceUnavailable,
        "Not run: \(names) \(sources.count == 1 ? "is" : "are") allowed, but \(folders); this run "
          + "requires \(sources.count == 1 ? "it" : "them"). "
          + (isFolder ? "Attach the disk, or correct the path. " : "Connect it. ")
          + "To run without, write \"required\": false."
      )
    default:
      return RunError(.manifestMistake, exitCode: code, "Not run: the manifest is wrong about \(names).")
    }
  }

  /// Sentences on what refuses some of these sources, unless their advice names a command: of a stored answer when and
  /// about what it was given, and how it is taken back.
  private func denials(among sources: [DecidedSource]) -> String {
    sources.compactMap { source in
      guard let advice = StatusAdvice(for: source, manifestPath: loaded.path) else { return nil }
      guard source.decidedBy == .storedAnswer, source.decision.reason == .denied, let answer = source.answer
      else { return advice.text == advice.sentence ? advice.sentence + " " : nil }
      return
        "A person denied \(source.subject)\(answer.circumstances(source.answerChanges)). To be asked again: "
        + "`\(advice.command)`. "
    }
    .joined()
  }

  private func stops(_ source: DecidedSource, _ code: RunExitCode) -> Bool {
    switch (code, source.decision.outcome) {
    case (.undecided, .stop(.undecided)), (.undecided, .ask): true
    // A usage description is missing too, which has precedence.
    case (.undecided, .stop(.manifestMistake)):
      source.status == .notDetermined && loaded.manifest.onNotDetermined != .deny
    case (.sourceRefused, .refuse), (.sourceUnavailable, .notDone): source.isRequired
    case (.manifestMistake, .stop(.manifestMistake)): true
    default: false
    }
  }

  /// Says that a source's folder is not where the manifest has it.
  private func folder(of source: SourceID) -> String {
    let isHome = loaded.manifest.sources[source]?.path?.hasPrefix("~") == true
    return (loaded.address(of: source)?.absence ?? "")
      + (isHome ? " (a manifest does not expand \"~\"; write the whole path)" : "")
  }
}
