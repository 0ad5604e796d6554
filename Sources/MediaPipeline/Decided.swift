internal import Crypto
internal import Glibc
internal import MediaAudit
internal import MediaFileSystem
internal import MediaLibrary
internal import MediaManifest
package import MediaModel
package import MediaPermissions
package import MediaSandbox

/// What was decided about a manifest's sources, before any of them is opened.
package struct Decided {
  package private(set) var permissions: PermissionPlan.Result
  package private(set) var context: PermissionContext
  /// Nil when the store of answers cannot be believed.
  let answers: Answers?
  let loaded: LoadedManifest
  /// Why nothing can be decided: the store of answers cannot be believed.
  let failure: RunError?

  /// Decides; looks only whether the folders of allowed sources are there, and which folders answers
  /// would be bound to.
  ///
  /// - Parameters:
  ///   - loaded: Who asks for what.
  ///   - canPrompt: Whether there is a person at a terminal.
  package init(_ loaded: LoadedManifest, canPrompt: Bool = false) {
    self.loaded = loaded
    context = PermissionContext(
      folders: Self.folders(loaded),
      manifestPath: loaded.resolvedPath,
      policies: loaded.policies.policies,
      canPrompt: canPrompt,
      now: Int64(time(nil))
    )
    var failure: RunError?
    var answers: Answers?
    do {
      let found = try Answers(client: loaded.manifest.client.identifier)
      context.stored = try found.all()
      answers = found
    } catch {
      failure = error
    }
    self.answers = answers
    self.failure = failure
    permissions = Self.permissions(loaded, context)
  }

  /// Decides again with what is known now.
  ///
  /// - Parameters:
  ///   - looksAgain: Whether folders that were looked at are looked at again; one that has gone since
  ///     is not access that somebody took back.
  ///   - change: What is known now.
  mutating func reconsider(
    looksAgain: Bool = true,
    _ change: (inout PermissionContext) -> Void
  ) {
    change(&context)
    permissions = Self.permissions(loaded, context, known: looksAgain ? [] : permissions.sources)
  }

  private static func permissions(
    _ loaded: LoadedManifest,
    _ context: PermissionContext,
    known: [DecidedSource] = []
  ) -> PermissionPlan.Result {
    PermissionPlan.decide(manifest: loaded.manifest, context: context) { source in
      if let one = known.first(where: { $0.source == source }), one.availability != .unknown {
        return one.availability
      }
      guard let path = loaded.path(of: source),
        let status = try? FileSystem.status(ofPath: path), status.kind == .folder
      else { return .unavailable }
      return .available
    }
  }

  private static func folders(_ loaded: LoadedManifest) -> [SourceKind: FolderIdentity] {
    var folders: [SourceKind: FolderIdentity] = [:]
    for source in SourceKind.allCases {
      guard let path = loaded.path(of: source), let resolved = FileSystem.resolved(path),
        let status = try? FileSystem.status(ofPath: resolved)
      else { continue }
      folders[source] = FolderIdentity(
        path: resolved,
        device: status.device,
        inode: status.inode
      )
    }
    return folders
  }

  /// Why the run stops before it opens anything, or nil when it goes on.
  ///
  /// - Parameters:
  ///   - kernel: What can be enforced here.
  ///   - enforcement: What the command line allows; nil leaves it to the manifest.
  /// - Returns: The first of 78, 69, 75, 77 and 66 that applies.
  package func stop(kernel: KernelSupport, enforcement: Enforcement?) -> RunError? {
    let wanted = enforcement ?? loaded.manifest.enforcement
    if let failure { return failure }
    if permissions.stop != .manifestMistake, wanted == .process,
      loaded.policies.policies.contains(where: \.deniesProcessEnforcement)
    {
      return RunError(
        .sourceRefused,
        code: "processEnforcementDenied",
        "Not run: the organisation's policy allows no run without the kernel's enforcement. Leave "
          + "out \"enforcement\": \"process\" and --enforcement process."
      )
    }
    if permissions.stop != .manifestMistake, wanted == .kernel, !kernel.canEnforce {
      return RunError(
        .enforcementUnavailable,
        code: "enforcementUnavailable",
        "Not run: this kernel (\(kernel.kernelRelease): \(kernel.detail)) cannot enforce what the "
          + "manifest promises; Landlock ABI 2 (Linux 5.19) and seccomp are needed. To run with "
          + "the program's own checks alone, pass --enforcement process."
      )
    }
    return refusal
  }

  private var refusal: RunError? {
    guard let code = permissions.stop else { return nil }
    if !permissions.missingUsageDescriptions.isEmpty {
      let messages = permissions.missingUsageDescriptions.map(\.message)
      return RunError(
        .manifestMistake,
        code: DecisionReason.usageDescriptionMissing.rawValue,
        "Not run: " + messages.joined(separator: "; ") + "."
      )
    }
    let names = permissions.sources.filter { source in
      switch (code, source.decision.outcome) {
      case (_, _) where !source.isNeeded: false
      case (.undecided, .stop(.undecided)), (.undecided, .ask): true
      case (.sourceRefused, .refuse), (.sourceUnavailable, .notDone): source.isRequired
      case (.manifestMistake, .stop(.manifestMistake)): true
      default: false
      }
    }.map { "the \($0.source.displayName)" }.joined(separator: " and ")
    switch code {
    case .undecided:
      let commands = advice.filter { $0.isUndecided && !$0.isForTerminal }.map(\.command)
      return RunError(
        code,
        code: "undecided",
        "Not run: nobody has decided about \(names) yet, and there is nobody to ask here. "
          + "Run it at a terminal"
          + (commands.isEmpty ? "." : ", or decide first: \(commands.joined(separator: " ; "))")
      )
    case .sourceRefused:
      return RunError(
        code,
        code: "sourceRefused",
        "Not run: access to \(names) is refused, and this run requires it. "
          + "If it may go on without, write \"required\": false for that source."
      )
    case .sourceUnavailable:
      return RunError(
        code,
        code: "sourceUnavailable",
        "Not run: \(names) is allowed, but its folder is not there, and this run requires it. "
          + "Attach what holds it or mend its path; or write \"required\": false."
      )
    default:
      return RunError(code, code: "manifestMistake", "Not run: mend the manifest about \(names).")
    }
  }

  /// One sentence and one command for each status that is not plainly allowed.
  package var advice: [StatusAdvice] {
    failure != nil
      ? []
      : permissions.sources.filter(\.isNeeded)
        .compactMap { StatusAdvice(for: $0, manifestPath: loaded.path) }
  }

  /// The sources as a summary lists them.
  package var reported: [RunReport.Source] {
    // What was decided as if nobody had answered is no decision.
    failure != nil
      ? []
      : permissions.sources.map { source in
        RunReport.Source(
          source: source.source,
          availability: source.availability,
          authorizationStatus: source.status,
          accessLevel: source.level,
          verdict: source.decision.verdict,
          reason: source.decision.reason,
          required: source.isRequired,
          path: source.path
        )
      }
  }

  /// The log's records of these decisions.
  var records: [AuditRecord] {
    permissions.sources.map { source in
      let key = UsageDescriptionKey(source: source.source, level: source.level)
      var digest: String?
      if case .text(let text)? = loaded.manifest.usageDescriptions[key] {
        digest = Hexadecimal.text(SHA256.hash(data: [UInt8](text.utf8)))
      }
      return .decision(
        source: source.source,
        status: source.status,
        level: source.level,
        verdict: source.decision.verdict,
        reason: source.decision.reason,
        row: source.decision.row,
        decidedBy: source.decidedBy?.rawValue,
        availability: source.availability,
        usageKey: key,
        usageTextSHA256: digest,
        required: source.isRequired
      )
    }
  }

  /// Takes hold of each allowed source as a place, its own path's symbolic links resolved once.
  func plannedSources() throws(RunError) -> [PlannedSource] {
    var planned: [PlannedSource] = []
    for decided in permissions.sources where decided.isRead {
      guard let declaration = loaded.manifest.sources[decided.source],
        let path = loaded.path(of: decided.source), let words = declaration.path
      else { continue }
      let resolved = FileSystem.resolved(path) ?? path
      let root: Descriptor
      do {
        root = try FileSystem.openPlace(resolved)
      } catch {
        throw RunError(
          .sourceUnavailable,
          code: "sourceUnavailable",
          "The \(decided.source.displayName) has gone: \(error). Attach what holds it."
        )
      }
      // Answers are bound to this folder, and picked names were looked at in it.
      guard let status = try? root.status(), let identity = context.folders[decided.source],
        status.device == identity.device, status.inode == identity.inode
      else {
        throw RunError(
          .sourceUnavailable,
          code: "sourceReplaced",
          "Not run: the folder of the \(decided.source.displayName) became another one while the run "
            + "began. Ask who renames folders there, then run again."
        )
      }
      try OpenedRoot.check(
        root,
        of: decided.source,
        others: SourceKind.allCases.filter { $0 != decided.source }
          .compactMap { loaded.path(of: $0) } + [loaded.output]
      )
      let isCamera = decided.source == .camera
      planned.append(
        PlannedSource(
          kind: decided.source,
          path: words,
          resolvedPath: resolved,
          root: root,
          basis: decided.decision.reason,
          policy: loaded.manifest.metadataPolicy(of: decided.source),
          selection: decided.selection.map { Selection($0) },
          captureMode: isCamera ? declaration.captureMode : nil,
          mediaTypes: decided.source == .microphone
            ? [.audio] : declaration.mediaTypes ?? Set(MediaType.allCases),
          crossMounts: declaration.crossMounts,
          allowsHardLinks: declaration.hardLinks == .allow,
          soundRefusal: isCamera && permissions.isSoundRefused
            ? loaded.manifest.onMicrophoneRefused : nil
        )
      )
    }
    return planned
  }

  /// Devices that hold a refused or limited source: a second name of a file there could be in an
  /// allowed folder. Only the folders' devices are asked for.
  var guardedDevices: Set<UInt64> {
    var devices: Set<UInt64> = []
    for source in permissions.sources
    where !source.isRead || source.selection != nil {
      guard let path = loaded.path(of: source.source),
        let status = try? FileSystem.status(ofPath: path)
      else { continue }
      devices.insert(status.device)
    }
    return devices
  }
}
