private import Glibc
package import MediaWorkerProtocol

/// The work of a process that this program starts of itself and that confines itself first.
///
/// A value of it exists in that process alone, from the moment when it is confined.
package protocol ConfinedService {
  /// What it and the process that started it send each other; its own members, where one module has both sides.
  associatedtype Terms: ServiceTerms = Self

  /// Confines this process for good, on its only thread.
  ///
  /// - Parameters:
  ///   - task: Its task.
  ///   - files: Descriptors that this process owns from now on.
  /// - Throws: `SandboxError`; the process ends then.
  init(confinedFor task: Terms.Task, files: [Int32]) throws(SandboxError)

  /// Serves until there is nothing more to do.
  ///
  /// - Parameter parent: The end of the socket to the process that started this one.
  /// - Returns: The exit code, see ``ConfinedExit``.
  func serve(_ parent: ServiceSocket<Terms>) -> Int32

  /// Confines this process as for a task, and tries every way out.
  ///
  /// - Parameters:
  ///   - stage: The stage, made by the process that started this one.
  ///   - files: Descriptors for the attempts.
  /// - Returns: The attempts, in a fixed order; none for a process that is not tried in this way.
  /// - Throws: `SandboxError` when it cannot be confined.
  static func attempts(
    _ stage: SelfTestStage,
    files: [Int32]
  ) throws(SandboxError) -> [Attempt]
}

extension ConfinedService {
  package static func attempts(
    _ stage: SelfTestStage,
    files: [Int32]
  ) throws(SandboxError) -> [Attempt] { [] }

  /// Is the process, once, on the main thread, while that is the only one.
  ///
  /// - Parameters:
  ///   - stage: The stage of a self-test, which is tried in place of a task; nil for a task.
  ///   - socket: Its end of the socket to the process that started it.
  /// - Returns: The exit code, see ``ConfinedExit``.
  package static func run(
    stage: SelfTestStage? = nil,
    over socket: Int32 = WorkerProcess.socketInWorker
  ) -> Int32 {
    let parent = ServiceSocket<Terms>(socket)
    guard let files = parent.files() else { return ConfinedExit.notAsked }
    do throws(SandboxError) {
      if let stage {
        let attempts = try attempts(stage, files: files)
        return SelfTest.write(attempts, to: socket)
          ? ConfinedExit.success : ConfinedExit.notConfined
      }
      guard Terms.fileCounts.contains(files.count), let task = parent.task() else {
        return ConfinedExit.notAsked
      }
      let service = try Self(confinedFor: task, files: files)
      guard parent.send(Confinement(refusal: nil)) else { return ConfinedExit.success }
      return service.serve(parent)
    } catch {
      _ = parent.send(Confinement(refusal: error))
      return ConfinedExit.notConfined
    }
  }
}

/// The exit codes of confined processes.
package enum ConfinedExit {
  /// All was said, or the process that started this one has ended.
  package static let success: Int32 = 0
  /// It was not started by this program, and has done nothing.
  package static let notAsked: Int32 = 64
  /// It could not be confined, and has done nothing.
  package static let notConfined: Int32 = 69
  /// It got a message that is none.
  package static let protocolBreach: Int32 = 70
}

/// The first message of each process: whether it is confined.
struct Confinement: WireValue {
  /// Why it is not; nil when it is.
  var refusal: SandboxError?

  init(refusal: SandboxError?) { self.refusal = refusal }

  func put(into writer: inout WireWriter) {
    writer.put(refusal) { writer, error in
      writer.put(error.code.rawValue)
      writer.put(error.number)
      // A character that is cut becomes a replacement character of three bytes.
      writer.put(String(decoding: error.subject.utf8.prefix(4000), as: UTF8.self))
    }
  }

  init(from reader: inout WireReader) throws(ProtocolError) {
    guard try reader.bool() else { return }
    let code: SandboxError.Code = try reader.choice()
    let number: Int32 = try reader.integer()
    refusal = SandboxError(code, number: number, subject: try reader.text(limit: 4096))
  }
}

/// A confined process's end of its conversation with the process that started it.
package struct ServiceSocket<Terms: ConversationTerms> {
  private let socket: Int32

  /// Makes it, in the process that was started.
  package init(_ socket: Int32 = WorkerProcess.socketInWorker) { self.socket = socket }

  /// Sends an answer.
  ///
  /// - Returns: False when the other process has ended.
  package func send(_ answer: Terms.Answer) -> Bool { send(frame: answer.frame) }

  /// Sends an answer that is a frame already.
  ///
  /// - Returns: False when the other process has ended.
  package func send(frame: [UInt8]) -> Bool { DescriptorPassing.sendAll(frame, over: socket) }

  /// Serves requests until the other process closes its end.
  ///
  /// - Parameter body: Gets a request and the file that came with it, which it owns. False ends it; an error
  ///   says that the request must not come now.
  /// - Returns: The exit code.
  package func forEachRequest(
    _ body: (_ request: Terms.Request, _ file: Int32?) throws(ProtocolError) -> Bool
  ) -> Int32 {
    do throws(ProtocolError) {
      var receiver = RequestReceiver(socket: socket, acceptDescriptor: Terms.takesFiles)
      while let (content, file) = try receiver.next() {
        let request: Terms.Request
        do throws(ProtocolError) {
          request = try Terms.Request(frame: content)
        } catch {
          if let file { close(file) }
          throw error
        }
        guard try body(request, file) else { break }
      }
      return ConfinedExit.success
    } catch {
      return ConfinedExit.protocolBreach
    }
  }

  fileprivate func send(_ confinement: Confinement) -> Bool { send(frame: confinement.frame) }

  /// The files that come before a task, each with a byte of its own, so that no two come together.
  ///
  /// - Returns: Nil when descriptor 3 is no socket with a task behind it.
  fileprivate func files() -> [Int32]? {
    var files: [Int32] = []
    while let (byte, file) = DescriptorPassing.receiveAll(1, over: socket) {
      switch (byte[0], file) {
      case (FileMark.file, let file?) where files.count < FileMark.maximumCount: files.append(file)
      case (FileMark.end, nil): return files
      default: return nil
      }
    }
    return nil
  }

  /// The task, which comes without a file; nil when the other process has ended, or sent something else.
  fileprivate func task() -> Terms.Task? where Terms: ServiceTerms {
    guard
      let (header, _) = DescriptorPassing.receiveAll(4, over: socket, acceptDescriptor: false)
    else { return nil }
    var reader = WireReader(header[...])
    guard let length = try? reader.count(limit: Terms.longestTask), length > 0,
      let (content, _) = DescriptorPassing.receiveAll(length, over: socket, acceptDescriptor: false)
    else { return nil }
    return try? Terms.Task(frame: content[...])
  }
}

/// The bytes before a task: one with each file, and one that ends them.
enum FileMark {
  static let end: UInt8 = 0
  static let file: UInt8 = 1
  /// The most files of a task.
  static let maximumCount = 16
}
