package import MediaModel

/// What the command line adds to a manifest.
package struct RunOptions {
  /// Whether to wait while another run holds the library.
  package var waits = false
  /// Whether `"enforcement": "process"` is allowed though the manifest asks for the kernel.
  package var enforcement: Enforcement?
  /// Worker processes; nil for one a processor.
  package var workers: Int?
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
