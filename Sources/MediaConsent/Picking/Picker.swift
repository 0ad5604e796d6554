internal import Glibc
internal import MediaFileSystem
package import MediaModel
package import MediaPicking
internal import MediaSandbox

/// Lets a person at a terminal pick single files, in a process of its own that can read none.
package enum Picker {
  /// This very program, even if its file was replaced since. Source: proc(5).
  private static let ownProgram = [UInt8]("/proc/self/exe".utf8)

  /// Starts this program again as a picker, and waits for what the person picks.
  ///
  /// Must be called on the main thread, before this process is confined. The picker can list the
  /// folder and read nothing; it is not believed: every path is looked at again here.
  ///
  /// - Parameters:
  ///   - request: What is shown and how much may be picked.
  ///   - terminal: Its modes are restored whatever happens to the picker.
  ///   - arguments: With which this program runs ``PickerProcess/run()``.
  /// - Returns: Regular files beneath the folder, in the order of their bytes, none twice, at most
  ///   `limit` (of live photos both files, counted once); empty when the person cancelled: `q`,
  ///   Ctrl-D, half an hour without a word, a closed terminal.
  /// - Throws: ``ConsentError``: `.pickerNotConfined`, `.pickerFailed`, `.pickerAnswer`,
  ///   `.folderUnreadable`, `.noTerminal`, `.interrupted`, `.terminated`. Nothing is picked then.
  ///
  /// Source: PHPickerViewController: out of process; a cancelled one gives an empty list.
  package static func pick(
    _ request: PickerRequest,
    on terminal: Terminal,
    arguments: [String] = [PickerProcess.argument]
  ) throws(ConsentError) -> [ItemPath] {
    let size = terminal.size
    let task = PickerTask(
      request,
      columns: size.columns,
      rows: size.rows,
      isUTF8: terminal.isUTF8
    )
    let said = try terminal.whileAsking { (stream) throws(ConsentError) in
      // Input that was typed ahead must not pick anything.
      do throws(TerminalStream.End) {
        try stream.discardInput(quietMilliseconds: 100)
      } catch {
        return try Self.answer(to: error)
      }
      let picker = try start(arguments, on: terminal)
      defer { picker.kill() }
      try send(task, request.folder, to: picker)
      return try Self.answer(of: picker, stream)
    }
    switch said {
    case .cancelled: return []
    case .interrupted: throw ConsentError(.interrupted)
    case .failed(let code): throw ConsentError(code)
    case .picked(let paths): return try PickedFiles.checked(paths, for: request)
    // Only a page asks for these.
    case .allowed, .denied, .kept: throw ConsentError(.pickerAnswer)
    }
  }

  /// The answer of a person who is not at the terminal any more, or stops the program.
  private static func answer(to end: TerminalStream.End) throws(ConsentError) -> PickerAnswer {
    switch end {
    case .terminated: throw ConsentError(.terminated)
    case .interrupted: return .interrupted
    case .closed, .timedOut: return .cancelled
    }
  }

  private static func start(
    _ arguments: [String],
    on terminal: Terminal
  ) throws(ConsentError) -> WorkerProcess {
    do {
      return try WorkerProcess.spawn(
        executable: ownProgram,
        arguments: arguments,
        nullDevice: terminal.device.raw
      )
    } catch {
      throw ConsentError(.pickerFailed, "\(error)")
    }
  }

  private static func send(
    _ task: PickerTask,
    _ folder: Descriptor,
    to picker: WorkerProcess
  ) throws(ConsentError) {
    let fields = task.fields
    let length = (0..<4).map { UInt8(truncatingIfNeeded: fields.count >> (8 * $0)) }
    let message = length + fields
    let sent = message.withUnsafeBytes { bytes in
      try? DescriptorPassing.send(bytes, descriptor: folder.raw, over: picker.socket)
    }
    // An empty socket has room for far more.
    guard sent == message.count else { throw ConsentError(.pickerFailed) }
  }

  /// Reads the whole message until the picker closes its socket.
  private static func answer(
    of picker: WorkerProcess,
    _ stream: TerminalStream
  ) throws(ConsentError) -> PickerAnswer {
    var said: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while said.count <= PickerAnswer.maximumLength {
      do throws(TerminalStream.End) {
        try stream.checkSignals()
      } catch {
        return try answer(to: error)
      }
      var entry = pollfd(fd: picker.socket, events: Int16(POLLIN), revents: 0)
      guard poll(&entry, 1, TerminalStream.checkMilliseconds) > 0 else { continue }
      let received = buffer.withUnsafeMutableBytes { bytes in
        try? DescriptorPassing.receive(
          into: bytes,
          over: picker.socket,
          acceptDescriptor: false
        )
      }
      guard let received else { throw ConsentError(.pickerFailed) }
      if received.count == 0 {
        guard !said.isEmpty else { throw ConsentError(.pickerFailed) }
        guard let answer = PickerAnswer(said) else { throw ConsentError(.pickerAnswer) }
        return answer
      }
      said += buffer.prefix(received.count)
    }
    throw ConsentError(.pickerAnswer, "it is too long")
  }
}
