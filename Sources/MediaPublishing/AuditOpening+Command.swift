package import MediaAudit
internal import MediaFileSystem
internal import MediaLibrary
package import MediaModel
internal import MediaSandbox

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
    return AuditOpening(
      clientIdentifier: "mediabatch." + name,
      clientName: "mediabatch " + name,
      manifestSHA256: noManifestSHA256,
      toolBuild: BuildInfo.version,
      workerBuild: startsWorkers ? BuildInfo.version : nil,
      host: Host.name,
      user: Host.user,
      enforcement: enforcement,
      landlockABI: kernel.landlockABI == 0 ? nil : kernel.landlockABI,
      seccomp: kernel.seccomp
    )
  }
}
