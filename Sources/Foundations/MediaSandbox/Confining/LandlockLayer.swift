private import CSandbox
private import Glibc
package import MediaModel

/// A Landlock ruleset, which confines this process once its rules are added.
///
/// It denies every right on files that the kernel's ABI knows, TCP bind and connect (ABI 4),
/// signals to and abstract sockets of processes outside (ABI 6), except for what its rules allow. A
/// second layer can only restrict more: an action is allowed if every layer allows it.
///
/// Landlock does not cover stat, O_PATH, readlink, chdir, modes, owners, times, extended attributes
/// and UDP; descriptors opened before; a hard link in an allowed folder to a file elsewhere.
///
/// Source: Linux Documentation/userspace-api/landlock.rst.
package struct LandlockLayer: ~Copyable {
  private let ruleset: Int32
  private let handled: LandlockRights

  /// Makes a layer that allows nothing; it has no effect before ``enforce()``.
  ///
  /// It handles every right that the kernel's ABI knows; ``KernelSupport/weaknesses`` lists the
  /// rights that an older one lacks.
  ///
  /// - Parameters:
  ///   - kernel: The kernel whose rights are handled.
  ///   - minimumABI: 1 suffices for a process that never moves a file to another folder.
  /// - Throws: `.landlockUnavailable` below `minimumABI`, `.layerRefused`.
  package init(
    kernel: KernelSupport = .probe(),
    minimumABI: Int = KernelSupport.requiredLandlockABI
  ) throws(SandboxError) {
    let abi = kernel.landlockABI
    guard abi >= max(minimumABI, 1) else {
      throw SandboxError(.landlockUnavailable)
    }
    let handled = LandlockRights.all(landlockABI: abi)
    // The bits are TCP bind and connect; abstract sockets and signals.
    let network: UInt64 = abi >= 4 ? 0b11 : 0
    let scopes: UInt64 = abi >= 6 ? 0b11 : 0
    let ruleset = csandbox_landlock_create(handled.rawValue, network, scopes)
    guard ruleset >= 0 else { throw SandboxError(.layerRefused, result: ruleset) }
    self.ruleset = ruleset
    self.handled = handled
  }

  deinit {
    close(ruleset)
  }

  /// Allows `rights` for a file, or beneath a folder, given by a descriptor (O_PATH suffices).
  ///
  /// Rights that this kernel does not know, and for a file those that only folders have, are
  /// omitted. The descriptor may be closed afterwards.
  ///
  /// - Throws: `.ruleRefused`.
  package func allow(
    _ rights: LandlockRights,
    descriptor: Int32,
    subject: String = ""
  ) throws(SandboxError) {
    var rights = rights.intersection(handled)
    if !rights.isSubset(of: .forFiles) {
      let kind = csandbox_kind(descriptor)
      guard kind >= 0 else { throw SandboxError(.ruleRefused, result: kind, subject: subject) }
      if kind != 1 { rights.formIntersection(.forFiles) }
    }
    guard !rights.isEmpty else { return }
    let result = csandbox_landlock_allow(ruleset, descriptor, rights.rawValue)
    guard result == 0 else { throw SandboxError(.ruleRefused, result: result, subject: subject) }
  }

  /// Adds a rule for the file or folder that its path leads to now.
  ///
  /// - Throws: `.ruleRefused`; a missing path of an optional rule is no error.
  package func allow(_ rule: PathRule) throws(SandboxError) {
    let descriptor = rule.path.withPath { csandbox_open_path($0) } ?? -EINVAL
    if rule.isOptional, descriptor == -ENOENT || descriptor == -ENOTDIR { return }
    guard descriptor >= 0 else {
      throw SandboxError(.ruleRefused, result: descriptor, subject: rule.path.pathText)
    }
    defer { close(descriptor) }
    try allow(rule.rights, descriptor: descriptor, subject: rule.path.pathText)
  }

  /// Allows connecting to a TCP port of any machine, where the kernel's ABI (4) denies it; for tests.
  ///
  /// - Throws: `.ruleRefused`, in a release build always.
  func allowConnecting(port: UInt16) throws(SandboxError) {
    let result = csandbox_landlock_allow_port(ruleset, port)
    // An older ABI does not deny TCP, and refuses the rule with EINVAL.
    guard result == 0 || result == -EINVAL else {
      throw SandboxError(.ruleRefused, result: result, subject: "TCP \(port)")
    }
  }

  /// Allows reading one regular file beneath an open folder, never following a symlink.
  ///
  /// The right belongs to the file, not to its name: opening a file that replaced it is EACCES.
  ///
  /// - Parameters:
  ///   - file: The path beneath `folder`.
  ///   - folder: The source's root; O_PATH suffices.
  /// - Throws: `.ruleRefused` (ENOENT when it is missing), `.notRegularFile`, because a rule for a
  ///   folder would allow everything in it.
  ///
  /// Source: openat2(2), RESOLVE_BENEATH and RESOLVE_NO_SYMLINKS.
  package func allowReading(file: ItemPath, beneath folder: Int32) throws(SandboxError) {
    let descriptor = file.bytes.withPath { csandbox_open_path_beneath(folder, $0) } ?? -EINVAL
    guard descriptor >= 0 else {
      throw SandboxError(.ruleRefused, result: descriptor, subject: file.text)
    }
    defer { close(descriptor) }
    guard csandbox_kind(descriptor) == 2 else {
      throw SandboxError(.notRegularFile, subject: file.text)
    }
    try allow(.readFile, descriptor: descriptor, subject: file.text)
  }

  /// Confines this process for good, with no_new_privs. It must have exactly one thread.
  ///
  /// Processes and threads that it starts later are confined too.
  ///
  /// - Throws: `.notSingleThreaded`, `.layerRefused` (E2BIG: there are 16 layers already); then
  ///   only no_new_privs has changed.
  ///
  /// Source: landlock_restrict_self(2), prctl(2) PR_SET_NO_NEW_PRIVS.
  package consuming func enforce() throws(SandboxError) {
    try requireOneThread()
    let result = csandbox_landlock_restrict(ruleset)
    guard result == 0 else { throw SandboxError(.layerRefused, result: result) }
  }

  /// Makes a layer of these rules alone, and enforces it.
  ///
  /// - Throws: The errors of ``init(kernel:minimumABI:)``, ``allow(_:)`` and ``enforce()``.
  package static func enforce(
    rules: some Sequence<PathRule>,
    kernel: KernelSupport = .probe(),
    minimumABI: Int = KernelSupport.requiredLandlockABI
  ) throws(SandboxError) {
    let layer = try LandlockLayer(kernel: kernel, minimumABI: minimumABI)
    for rule in rules { try layer.allow(rule) }
    try layer.enforce()
  }
}

/// Checks that this process has one thread, since Landlock and a seccomp filter bind the calling
/// thread and those that it starts later.
///
/// The kernel counts a thread for a moment after pthread_join(3) has returned; one that stays is waited for a tenth of a
/// second.
///
/// - Throws: `.notSingleThreaded`, also when the number is unknown.
package func requireOneThread() throws(SandboxError) {
  var count = csandbox_thread_count()
  for _ in 0..<100 where count > 1 {
    usleep(1000)
    count = csandbox_thread_count()
  }
  guard count == 1 else {
    throw SandboxError(
      .notSingleThreaded,
      number: count < 0 ? -count : 0,
      subject: count < 0 ? "" : "\(count) threads"
    )
  }
}
