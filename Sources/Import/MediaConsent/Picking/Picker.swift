internal import Glibc
internal import MediaFileSystem
package import MediaModel
package import MediaPicking
internal import MediaSandbox

/// Lets a person at a terminal pick single files, in a process of its own that can open nothing.
package enum Picker {
  /// Starts this program again as a picker, and waits for what the person picks.
  ///
  /// Must be called on the main thread, before this process is confined. A viewer tells the picker the names; the
  /// picker is not believed: every path is looked at again here.
  ///
  /// - Parameters:
  ///   - request: What is shown and how much may be picked.
  ///   - terminal: Its modes are restored whatever happens to the picker.
  ///   - arguments: Those of the program that is the picker; others for tests.
  /// - Returns: Regular files beneath the folder, in the order of their bytes, none twice, at most
  ///   `limit` (of live photos both files, counted once); empty when the person canceled: `q`,
  ///   Ctrl-D, half an hour without a word, a closed terminal.
  /// - Throws: ``ConsentError``: `.pickerNotConfined`, `.pickerFailed`, `.pickerAnswer`,
  ///   `.folderUnreadable`, `.noTerminal`, `.interrupted`, `.terminated`. Nothing is picked then.
  ///
  /// Source: PHPickerViewController: out of process; a canceled one gives an empty list.
  package static func pick(
    _ request: PickerRequest,
    on terminal: Terminal,
    arguments: [String] = [PickerService.argument]
  ) throws(ConsentError) -> [ItemPath] {
    let size = terminal.size
    let task = PickerTask(request, columns: size.columns, rows: size.rows, isUTF8: terminal.isUTF8)
    let reply = try terminal.whileAsking { (stream) throws(ConsentError) in
      // Input that was typed ahead must not pick anything.
      do throws(TerminalStream.End) {
        try stream.discardInput(quietMilliseconds: 100)
      } catch {
        return try Self.answer(to: error)
      }
      let (picker, viewer) = try start(task, request, on: terminal, arguments)
      defer { picker.kill() }
      return try withExtendedLifetime(viewer) { () throws(ConsentError) in
        let answer = try picker.answer { () throws(ConsentError) in
          do throws(TerminalStream.End) {
            try stream.checkSignals()
            return nil
          } catch {
            return try Self.answer(to: error)
          }
        }
        picker.kill()
        if request.camera != nil { viewer.endsByItself() }
        return answer
      }
    }
    switch reply {
    case .canceled: return []
    case .interrupted: throw ConsentError(.interrupted)
    case .failed(let code): throw ConsentError(code)
    case .picked(let paths): return try PickedFiles.checked(paths, for: request)
    // Only a page asks for these.
    case .allowed, .denied, .kept, .sources, .skipped, .each, .decided: throw ConsentError(.pickerAnswer)
    }
  }

  /// Starts a picker, and the viewer that tells it the names; of the socket between them no end stays here.
  private static func start(
    _ task: PickerTask,
    _ request: PickerRequest,
    on terminal: Terminal,
    _ arguments: [String]
  ) throws(ConsentError) -> (ConfinedChild<PickerService>, ConfinedChild<ViewerService>) {
    let null: Descriptor
    do {
      null = try FileSystem.openDevice([UInt8]("/dev/null".utf8))
    } catch {
      throw ConsentError(.pickerFailed, "\(error)")
    }
    do throws(SandboxError) {
      let viewer = try Viewer.start(request, nullDevice: null)
      let picker = try ConfinedChild<PickerService>(nullDevice: terminal.device.raw, arguments: arguments)
      // A local is gone behind its last use: without this the picker's end may be closed before it is sent.
      try withExtendedLifetime(viewer.pageEnd) { () throws(SandboxError) in
        try picker.begin(task, files: [viewer.pageEnd.raw])
      }
      return (picker, viewer.process)
    } catch {
      throw ConsentError(error)
    }
  }

  /// The answer of a person who is not at the terminal any more, or stops the program.
  private static func answer(to end: TerminalStream.End) throws(ConsentError) -> PickerAnswer {
    switch end {
    case .terminated: throw ConsentError(.terminated)
    case .interrupted: return .interrupted
    case .closed, .timedOut: return .canceled
    }
  }
}

extension ConfinedChild {
  /// Waits for the one answer of a process that asks a person.
  ///
  /// - Parameter check: Called ten times a second; another answer that comes first, or nil.
  /// - Returns: The answer.
  /// - Throws: `ConsentError`, also that of `check`.
  func answer(
    orFirst check: () throws(ConsentError) -> Terms.Answer?
  ) throws(ConsentError) -> Terms.Answer {
    while true {
      if let first = try check() { return first }
      let received: Terms.Answer?
      do {
        received = try next(milliseconds: TerminalStream.checkMilliseconds)
      } catch {
        throw ConsentError(error)
      }
      guard let received else { continue }
      // A closed terminal ends both processes' waiting: its signal is taken here, or it ends this one later.
      return try check() ?? received
    }
  }
}

extension ConsentError {
  /// The error of a process that asks a person, or that shows a source to one.
  init(_ error: SandboxError) {
    if error.isOfConfinement {
      self.init(.pickerNotConfined)
    } else if error.code == .spawnFailed || error.code == .notMainThread {
      self.init(.pickerFailed, "\(error)")
    } else {
      self.init(error.number == EPROTO ? .pickerAnswer : .pickerFailed)
    }
  }
}
