private import CSandbox
private import Glibc
package import MediaModel

/// A Landlock ruleset while it is filled, and the step that confines this process with it.
///
/// It denies every right on files that the kernel's ABI knows, TCP bind and connect (ABI 4), signals
/// to and abstract sockets of processes outside (ABI 6), and allows what its rules say. A second
/// layer can only take more away: what is allowed is what every layer allows.
///
/// Not covered by Landlock at all: stat, O_PATH, readlink, chdir, modes, owners, times, extended
/// attributes, UDP; what was opened before; a hard link in an allowed folder to a file elsewhere.
///
/// Source: Linux Documentation/userspace-api/landlock.rst.
package struct LandlockLayer: ~Copyable {
  private let ruleset: Int32
  private let handled: LandlockRights

  /// An empty layer, which allows nothing; it confines nobody before ``enforce()``.
  ///
  /// It handles every right that the kernel's ABI knows: ``KernelSupport/weaknesses`` says what is
  /// left open by an older one.
  ///
  /// - Parameters:
  ///   - kernel: Asked for what it has to be given only what it knows.
  ///   - minimumABI: 1 does for a process that never moves a file to another folder.
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
    // TCP bind and connect; abstract sockets and signals.
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

  /// Allows `rights` for the file, or beneath the folder, that a descriptor (O_PATH will do) names.
  ///
  /// Rights that this kernel does not know, and on a file those that only folders have, are left
  /// out. The descriptor may be closed afterwards.
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

  /// Allows what a rule says for what its path names now.
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

  /// Allows reading one regular file beneath an open folder, never following a symlink.
  ///
  /// The right is the file's, not the name's: another file put in its place is EACCES.
  ///
  /// - Parameters:
  ///   - file: Its place beneath `folder`.
  ///   - folder: The source's root; O_PATH will do.
  /// - Throws: `.ruleRefused` (ENOENT when it is gone), `.notRegularFile`: a rule on a folder would
  ///   allow all that is in it.
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

  /// A descriptor that names a file or folder and gives no access to it, for a rule later.
  ///
  /// - Parameter path: A symlink at its end is followed.
  /// - Returns: Close-on-exec; the caller closes it. What is put at the path later is not meant.
  /// - Throws: `.ruleRefused`.
  ///
  /// Source: open(2), O_PATH.
  package static func openPath(_ path: [UInt8]) throws(SandboxError) -> Int32 {
    let descriptor = path.withPath { csandbox_open_path($0) } ?? -EINVAL
    guard descriptor >= 0 else {
      throw SandboxError(.ruleRefused, result: descriptor, subject: path.pathText)
    }
    return descriptor
  }

  /// Confines this process, for good, with no_new_privs; it must have exactly one thread.
  ///
  /// Processes and threads that it starts from now on are confined too.
  ///
  /// - Throws: `.notSingleThreaded`, `.layerRefused` (E2BIG: 16 layers are there already); then
  ///   nothing has changed but no_new_privs.
  ///
  /// Source: landlock_restrict_self(2), prctl(2) PR_SET_NO_NEW_PRIVS.
  package consuming func enforce() throws(SandboxError) {
    try requireOneThread()
    let result = csandbox_landlock_restrict(ruleset)
    guard result == 0 else { throw SandboxError(.layerRefused, result: result) }
  }

  /// A layer of these rules and nothing else, at once.
  ///
  /// - Throws: As ``init(kernel:minimumABI:)``, ``allow(_:)`` and ``enforce()``.
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

/// Landlock and a seccomp filter bind the calling thread, and those that it starts later.
///
/// - Throws: `.notSingleThreaded`, also when the number cannot be told.
func requireOneThread() throws(SandboxError) {
  let count = csandbox_thread_count()
  guard count == 1 else {
    throw SandboxError(
      .notSingleThreaded,
      number: count < 0 ? -count : 0,
      subject: count < 0 ? "" : "\(count) threads"
    )
  }
}
