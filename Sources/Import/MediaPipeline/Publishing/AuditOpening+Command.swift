package import MediaAudit
internal import MediaFileSystem
internal import MediaLibrary
package import MediaModel
package import MediaSandbox

extension AuditOpening {
  /// Makes the first record of a command that changes a library without a manifest.
  ///
  /// - Parameters:
  ///   - name: The subcommand: the client is `mediabatch.<name>`.
  ///   - enforcement: How its workers are confined.
  ///   - startsWorkers: Whether it starts any.
  /// - Returns: The facts about this machine, program and user.
  package static func ofCommand(
    _ name: String,
    enforcement: Enforcement = .process,
    startsWorkers: Bool = false
  ) -> AuditOpening {
    let kernel = KernelSupport.probe()
    var opening = AuditOpening()
    opening.clientIdentifier = "mediabatch." + name
    opening.clientName = "mediabatch " + name
    opening.manifestSHA256 = noManifestSHA256
    opening.takeMachine(kernel, enforcement, hasWorker: startsWorkers)
    return opening
  }

  /// Takes the facts about this machine, program and user.
  package mutating func takeMachine(
    _ kernel: KernelSupport,
    _ enforcement: Enforcement,
    hasWorker: Bool
  ) {
    (tool, worker) = (BuildInfo.version, hasWorker ? BuildInfo.version : nil)
    (host, user, self.enforcement) = (Host.name, Host.user, enforcement)
    landlockABI = kernel.landlockABI == 0 ? nil : kernel.landlockABI
    seccomp = kernel.seccomp
  }
}
