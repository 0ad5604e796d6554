package import MediaPicking
package import MediaSandbox

/// The process of a page: confined, it lets a person answer in a browser, and hands that back.
package struct PageService: ConfinedService {
  package typealias Terms = PageTerms

  private let task: PageTask
  private let listener: Int32
  private let tokens: Int32
  private let viewer: Int32?

  package init(confinedFor task: PageTask, files: [Int32]) throws(SandboxError) {
    self.task = task
    (listener, tokens, viewer) = (files[0], files[1], files.dropFirst(2).first)
    try PageConfinement.enter(listener: listener)
  }

  package static func attempts(
    _ stage: SelfTestStage,
    files: [Int32]
  ) throws(SandboxError) -> [Attempt] {
    try PageConfinement.enter(listener: nil)
    return SelfTest.pageAttempts(stage, folder: files.first ?? -1)
  }

  package func serve(_ parent: ServiceSocket<PageTerms>) -> Int32 {
    PageServer.serve(
      PageSession(task),
      listener: listener,
      tokens: tokens,
      viewer: viewer
    ) { _ = parent.send($0) }
  }
}
