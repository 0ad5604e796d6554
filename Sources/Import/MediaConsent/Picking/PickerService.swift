internal import Glibc
internal import MediaModel
package import MediaPicking
package import MediaSandbox
internal import MediaWorkerProtocol

/// A picker's own process: it shows the person at its terminal the names that a viewer tells it, and can open nothing.
package struct PickerService: ConfinedService, ServiceTerms {
  package typealias Task = PickerTask
  package typealias Answer = PickerAnswer

  package static let argument = "picker"
  /// The socket to the viewer.
  package static let fileCounts = 1...1
  package static let longestTask = PageTerms.longestTask
  package static let longestAnswer = PickerAnswer.maximumLength

  /// The terminal, whose modes the parent has set and will restore.
  private static let terminal = STDIN_FILENO

  private let task: PickerTask
  private let viewer: Int32

  package init(confinedFor task: PickerTask, files: [Int32]) throws(SandboxError) {
    self.task = task
    viewer = files[0]
    try PickerConfinement.enter()
  }

  package func serve(_ parent: ServiceSocket<PickerService>) -> Int32 {
    let answer: PickerAnswer
    do throws(ConsentError) {
      answer = try pick()
    } catch {
      answer = .failed(error.code)
    }
    _ = parent.send(answer)
    return ConfinedExit.success
  }

  private func pick() throws(ConsentError) -> PickerAnswer {
    let stream = TerminalStream(descriptor: Self.terminal, signals: nil, peer: WorkerProcess.socketInWorker)
    var names = ViewerNames(from: viewer)
    try names.read {
      // A terminal that cannot be written is told by what follows.
      _ = try? stream.write(lines: ["", "The names are being read."])
    }
    let list = PickList(names.candidates, unlistedCount: names.unlistedCount, sort: task.sort)
    var session = PickSession(task, list, on: stream)
    do throws(TerminalStream.End) {
      let picked = try session.run()
      return picked.isEmpty ? .canceled : .picked(picked)
    } catch {
      return error == .interrupted ? .interrupted : .canceled
    }
  }
}
