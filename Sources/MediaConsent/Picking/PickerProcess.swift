internal import Glibc
internal import MediaFileSystem
internal import MediaModel
internal import MediaPicking
internal import MediaSandbox

/// A picker's own process: it takes its task, confines itself, lets a person pick and answers.
package enum PickerProcess {
  /// The first argument of the program that does this.
  package static let argument = "picker"

  /// Descriptor 0 is the terminal, whose modes the parent has set and will restore; 3 the socket.
  private static let terminal = STDIN_FILENO

  /// Does it, once, on the main thread, while it is the only one.
  ///
  /// - Returns: The exit code: 0 when it has answered, 64 when nobody asked, 69 when it could not be
  ///   confined.
  package static func run() -> Int32 {
    guard let (task, folder) = receive() else { return 64 }
    let stream = TerminalStream(
      descriptor: terminal,
      signals: nil,
      peer: WorkerProcess.socketInWorker
    )
    let answer: PickerAnswer
    do {
      let confinement = try PickerConfinement(to: folder)
      var list = try names(task, folder)
      list.load(count: 1)
      try confinement.finish(trying: list.items.first?.files.first)
      var session = PickSession(task, list, on: stream)
      do throws(TerminalStream.End) {
        let picked = try session.run()
        answer = picked.isEmpty ? .cancelled : .picked(picked)
      } catch {
        answer = error == .interrupted ? .interrupted : .cancelled
      }
    } catch {
      answer = .failed(error.code)
    }
    send(answer)
    return answer == .failed(.pickerNotConfined) ? 69 : 0
  }

  private static func names(
    _ task: PickerTask,
    _ folder: Descriptor
  ) throws(ConsentError) -> PickList {
    do {
      return PickList(
        try DirectoryWalker(
          root: folder,
          names: PickCandidates(filter: task.filter),
          crossMounts: task.crossMounts
        )
      )
    } catch {
      throw ConsentError(.folderUnreadable)
    }
  }

  /// - Returns: Nil when descriptor 3 is no socket with a task behind it.
  private static func receive() -> (PickerTask, Descriptor)? {
    var received: [UInt8] = []
    var folder: Descriptor?
    var buffer = [UInt8](repeating: 0, count: PickerTask.maximumLength)
    while true {
      let accepts = folder == nil
      let one = buffer.withUnsafeMutableBytes { bytes in
        try? DescriptorPassing.receive(
          into: bytes,
          over: WorkerProcess.socketInWorker,
          acceptDescriptor: accepts
        )
      }
      guard let one, one.count > 0 else { return nil }
      if let descriptor = one.descriptor { folder = Descriptor(owning: descriptor, path: []) }
      received += buffer.prefix(one.count)
      guard received.count <= PickerTask.maximumLength, received.count >= 4 else { return nil }
      let length = received.prefix(4).reversed().reduce(0) { $0 << 8 | Int($1) }
      guard received.count >= 4 + length else { continue }
      guard let folder, let task = PickerTask(fields: Array(received[4..<(4 + length)])) else {
        return nil
      }
      return (task, folder)
    }
  }

  private static func send(_ answer: PickerAnswer) {
    _ = DescriptorPassing.sendAll(answer.bytes, over: WorkerProcess.socketInWorker)
  }
}
