internal import MediaModel
internal import MediaSandbox
internal import MediaWorkerProtocol

/// The main loop of a worker: send hello, perform jobs, end when the coordinator closes the socket.
package enum WorkerLoop {
  /// Serves jobs from the socket until its other end closes.
  ///
  /// Call it after confinement; the process has nothing else to do.
  ///
  /// - Parameter socket: Its end of the socket.
  /// - Returns: The exit code: 0 at an orderly end, 70 after a message that breaks the protocol.
  package static func run(over socket: Int32 = WorkerProcess.socketInWorker) -> Int32 {
    let coordinator = ServiceSocket<Terms>(socket)
    let runner = JobRunner()
    let inspector = InspectRunner()
    let converter = ConvertRunner()
    let sheet = SheetRunner()
    let films = FilmRunner()
    let hello = WorkerMessage.hello(
      protocolVersion: WorkerMessage.protocolVersion,
      build: BuildInfo.version
    )
    guard coordinator.send(hello) else { return ConfinedExit.success }
    return coordinator.forEachRequest { (request, descriptor) throws(ProtocolError) in
      guard let descriptor else { throw ProtocolError("a job without a file") }
      var isConnected = true
      var answers: [UInt8] = []
      func send() {
        if answers.isEmpty { return }
        isConnected = isConnected && coordinator.send(frame: answers)
        answers.removeAll(keepingCapacity: true)
      }
      do throws(JobRunner.Failure) {
        guard let file = SourceBytes(descriptor: descriptor) else {
          throw JobRunner.Failure(step: .read, reason: .cannotRead, detail: "it cannot be read")
        }
        // The answers about a small file are sent together; of another one each is, so that the coordinator writes the
        // output while the picture is decoded.
        let isSmall = file.bytes.count <= SourceBytes.longestRead
        func answer(_ frame: [UInt8]) {
          answers += frame
          if !isSmall || answers.count > SourceBytes.longestRead { send() }
        }
        switch request {
        case .job(let job): try runner.run(job, file, answer: answer)
        case .inspect(let job): try inspector.run(job, file.bytes, answer: answer)
        case .convert(let job): try converter.run(job, file.bytes, answer: answer)
        case .embed(let job): try EmbedRunner.run(job, file.bytes, answer: answer)
        case .archive(let job): try ArchiveRunner.run(job, file.bytes, answer: answer)
        case .location(let job): try LocationRunner.run(job, file.bytes, answer: answer)
        case .sheet(let job): try sheet.run(job, file.bytes, answer: answer)
        case .film(let job): try films.run(job, file.bytes, answer: answer)
        }
      } catch {
        answers +=
          WorkerMessage.failed(
            job: request.identifier,
            step: error.step,
            reason: error.reason,
            detail: error.detail
          ).frame
      }
      send()
      return isConnected
    }
  }

  /// What a worker and its coordinator send each other.
  private enum Terms: ConversationTerms {
    typealias Request = WorkerRequest
    /// An ``InspectJob`` is answered by ``InspectMessage``.
    typealias Answer = WorkerMessage

    /// The file of the job.
    static let takesFiles = true
  }
}
