internal import MediaPicking
package import MediaSandbox
internal import MediaWorkerProtocol

/// The process of a page: it takes its task, confines itself, lets a person answer, and hands that back.
package enum PageProcess {
  /// The exit code of a process that could not be confined.
  private static let notConfined: Int32 = 69

  /// Does it, once, on the main thread, while it is the only one.
  ///
  /// - Returns: The exit code: 0 when it has answered, 64 when nobody asked, 69 when it could not be
  ///   confined.
  package static func run() -> Int32 {
    let socket = WorkerProcess.socketInWorker
    guard let (first, listener) = DescriptorPassing.receiveAll(1, over: socket), let listener,
      let (length, viewer) = DescriptorPassing.receiveAll(4, over: socket),
      (first[0] == 1) == (viewer != nil)
    else { return 64 }
    var reader = WireReader(length[...])
    guard let count = try? reader.count(limit: PageTask.maximumLength), count > 0,
      let (content, _) = DescriptorPassing.receiveAll(count, over: socket),
      let task = try? PageTask(frame: content[...])
    else { return 64 }
    func send(_ reply: PageReply) { _ = DescriptorPassing.sendAll(reply.frame, over: socket) }
    do {
      try PageConfinement.enter(listener: listener)
    } catch {
      send(PageReply(shownCount: 0, answer: .failed(.pickerNotConfined)))
      return notConfined
    }
    return PageServer.serve(PageSession(task), listener: listener, viewer: viewer, finish: send)
  }

  /// Confines itself as for a page, and tries every way out.
  ///
  /// - Returns: The exit code: 0 when the attempts were told, else 64 or 69.
  package static func selfTest(_ stage: SelfTestStage) -> Int32 {
    let socket = WorkerProcess.socketInWorker
    guard let (_, folder) = DescriptorPassing.receiveAll(1, over: socket), let folder else {
      return 64
    }
    do {
      try PageConfinement.enter(listener: nil)
    } catch {
      return notConfined
    }
    return SelfTest.write(SelfTest.pageAttempts(stage, folder: folder), to: socket)
      ? 0 : notConfined
  }
}
