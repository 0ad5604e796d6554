internal import Glibc
internal import MediaFileSystem
internal import MediaModel
internal import MediaPicking
package import MediaSandbox

/// The process of a page: it takes its task, confines itself, lets a person answer, and hands that back.
package enum PageProcess {
  /// The exit code of a process that could not be confined.
  private static let notConfined: Int32 = 69

  /// Does it, once, on the main thread, while it is the only one.
  ///
  /// - Returns: The exit code: 0 when it has answered, 64 when nobody asked, 69 when it could not be
  ///   confined.
  package static func run() -> Int32 {
    guard let (first, listener) = receive(count: 1), let listener,
      let (length, folder) = receive(count: 4), (first[0] == 1) == (folder != nil)
    else { return 64 }
    let count = length.reversed().reduce(0) { $0 << 8 | Int($1) }
    guard (1...PageTask.maximumLength).contains(count),
      let (fields, _) = receive(count: count), let task = PageTask(fields: fields)
    else { return 64 }
    do {
      try PageConfinement.enter(listing: folder)
    } catch {
      return fail(.pickerNotConfined)
    }
    var list: PickList?
    if let folder {
      guard let names = names(task, folder) else { return fail(.folderUnreadable) }
      list = names
    }
    do {
      try PageConfinement.finish(listener: listener)
    } catch {
      return fail(.pickerNotConfined)
    }
    return PageServer.serve(PageSession(task, list), listener: listener) { send($0) }
  }

  /// Confines itself as for a page, and tries every way out.
  ///
  /// - Returns: The exit code: 0 when the attempts were told, else 64 or 69.
  package static func selfTest(_ stage: SelfTestStage) -> Int32 {
    guard let (_, folder) = receive(count: 1), let folder else { return 64 }
    do {
      try PageConfinement.enter(listing: folder)
      try PageConfinement.finish(listener: nil)
    } catch {
      return notConfined
    }
    let attempts = SelfTest.pageAttempts(stage, folder: folder)
    return SelfTest.write(attempts, to: WorkerProcess.socketInWorker) ? 0 : notConfined
  }

  /// All names, read before the first connection is accepted: nothing can be listed afterwards.
  private static func names(_ task: PageTask, _ folder: Int32) -> PickList? {
    let walker = try? DirectoryWalker(
      root: Descriptor(owning: folder, path: []),
      names: PickCandidates(filter: task.filter),
      crossMounts: task.crossMounts
    )
    guard let walker else { return nil }
    var list = PickList(walker)
    list.load(count: .max)
    return list
  }

  private static func receive(count: Int) -> (bytes: [UInt8], descriptor: Int32?)? {
    var bytes: [UInt8] = []
    var descriptor: Int32?
    var buffer = [UInt8](repeating: 0, count: count)
    while bytes.count < count {
      let rest = count - bytes.count
      let one = buffer.withUnsafeMutableBytes { buffer in
        try? DescriptorPassing.receive(
          into: UnsafeMutableRawBufferPointer(rebasing: buffer[..<rest]),
          over: WorkerProcess.socketInWorker,
          acceptDescriptor: bytes.isEmpty
        )
      }
      guard let one, one.count > 0 else { return nil }
      if let received = one.descriptor { descriptor = received }
      bytes += buffer.prefix(one.count)
    }
    return (bytes, descriptor)
  }

  private static func fail(_ code: ConsentError.Code) -> Int32 {
    send(PageReply(shownCount: 0, answer: .failed(code)))
    return code == .pickerNotConfined ? notConfined : 0
  }

  private static func send(_ reply: PageReply) {
    _ = DescriptorPassing.sendAll(reply.bytes, over: WorkerProcess.socketInWorker)
  }
}
