package import MediaAudit
package import MediaConsent
package import MediaModel

/// What the command line adds to a manifest.
package struct RunOptions {
  /// Whether to wait while another run holds the library.
  package var waits = false
  /// Whether `"enforcement": "process"` is allowed though the manifest asks for the kernel.
  package var enforcement: Enforcement?
  /// Opens the terminal at which a person is asked; nil when nobody is to be. It is closed again
  /// before any source is opened.
  package var openTerminal: (() -> Terminal?)?
  /// Worker processes; nil for one a processor.
  package var workers: Int?
  /// Whether what was written under a looser metadata policy is written anew.
  package var reprocesses = false
  /// Signs the head of the run's log; nil when nobody does, which ``signerProblem`` says why.
  package var signer: AuditSigner?
  package var signerProblem: String?
  /// Called from time to time, on the thread of the run.
  package var onProgress: (RunProgress) -> Void
  /// Called with something that a person should know now and no summary repeats.
  package var onNotice: (String) -> Void

  package init(
    onProgress: @escaping (RunProgress) -> Void = { _ in },
    onNotice: @escaping (String) -> Void = { _ in }
  ) {
    self.onProgress = onProgress
    self.onNotice = onNotice
  }
}
