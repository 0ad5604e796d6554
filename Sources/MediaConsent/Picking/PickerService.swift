internal import Glibc
internal import MediaFileSystem
internal import MediaModel
package import MediaPicking
package import MediaSandbox
internal import MediaWorkerProtocol

/// A picker's own process: it lists one folder for the person at its terminal, and can read nothing.
package struct PickerService: ConfinedService, ServiceTerms {
  package typealias Task = PickerTask
  package typealias Answer = PickerAnswer

  package static let argument = "picker"
  /// The source's folder.
  package static let fileCounts = 1...1
  package static let longestAnswer = PickerAnswer.maximumLength

  /// The terminal, whose modes the parent has set and will restore.
  private static let terminal = STDIN_FILENO

  private let task: PickerTask
  private let folder: Descriptor
  private let confinement: PickerConfinement

  package init(confinedFor task: PickerTask, files: [Int32]) throws(SandboxError) {
    self.task = task
    folder = Descriptor(owning: files[0], path: [])
    confinement = try PickerConfinement(to: folder)
  }

  package func serve(_ parent: ServiceSocket<PickerService>) -> Int32 {
    let answer: PickerAnswer
    do throws(ConsentError) {
      answer = try pick()
    } catch {
      answer = .failed(error.code)
    }
    _ = parent.send(answer)
    return answer == .failed(.pickerNotConfined)
      ? ConfinedExit.notConfined : ConfinedExit.success
  }

  private func pick() throws(ConsentError) -> PickerAnswer {
    var list = try names()
    list.load(count: 1)
    do {
      try confinement.finish(trying: list.items.first?.files.first)
    } catch {
      throw ConsentError(error)
    }
    let stream = TerminalStream(
      descriptor: Self.terminal,
      signals: nil,
      peer: WorkerProcess.socketInWorker
    )
    var session = PickSession(task, list, on: stream)
    do throws(TerminalStream.End) {
      let picked = try session.run()
      return picked.isEmpty ? .cancelled : .picked(picked)
    } catch {
      return error == .interrupted ? .interrupted : .cancelled
    }
  }

  private func names() throws(ConsentError) -> PickList {
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
}
