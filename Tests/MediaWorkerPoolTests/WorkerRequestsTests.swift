import MediaModel
import MediaSandbox
import MediaWorkerProtocol
import Testing

@testable import MediaWorkerPool

@Suite("Requests are answered by workers, or lost with them")
struct WorkerRequestsTests {
  private let workers = FakeWorkers()

  private func part(_ job: UInt64) -> WorkerMessage {
    .thumbnail(job: job, name: "jpeg", size: PixelSize(width: 1, height: 1), bytes: [1], isLast: true)
  }

  /// Requests to one worker, which is there and has three of them.
  private func three() throws -> (requests: Requests, worker: FakeWorker) {
    let requests = Requests(workers.pool(size: 1))
    for name in ["a", "b", "c"] { #expect(try requests.send(name)) }
    #expect(try !requests.send("d"))
    let worker = try #require(workers.latest)
    #expect(try worker.requests() == [1, 2, 3] && worker.files == 3)
    return (requests, worker)
  }

  @Test("Each message goes to the request that it is about, however they come together")
  func answers() throws {
    let (requests, worker) = try three()
    worker.sendHello()
    worker.send(part(1), part(1), .done(job: 1), part(2))
    let progress = requests.receive()
    #expect(progress.finished == ["a++"] && progress.lost.isEmpty && !requests.isEmpty)
    #expect(try requests.send("e"))
    worker.send(.done(job: 2), .done(job: 3), part(4))
    #expect(requests.receive().finished == ["b+", "c"])
    worker.send(bytes: Array(WorkerMessage.done(job: 4).frame.prefix(5)))
    #expect(requests.receive().finished.isEmpty && !requests.isEmpty)
    worker.send(bytes: Array(WorkerMessage.done(job: 4).frame.dropFirst(5)))
    #expect(requests.receive().finished == ["e+"])
    #expect(requests.isEmpty && workers.started.count == 1)
  }

  @Test("What must not be read any more is taken back, and only a worker that reads it is ended")
  func takenBack() throws {
    let (requests, worker) = try three()
    worker.sendHello()
    #expect(requests.takeBack { _ in false } == [])
    // What waits behind it gets another worker.
    #expect(requests.takeBack { $0 == "c" } == ["b", "c"] && worker.exit == nil)
    worker.send(.done(job: 1))
    #expect(requests.receive().finished == ["a"] && requests.isEmpty)
    for name in ["d", "e"] { #expect(try requests.send(name)) }
    let second = try #require(workers.latest)
    #expect(second !== worker)
    #expect(requests.takeBack { $0 == "d" } == ["d", "e"])
    #expect(second.exit != nil && requests.isEmpty)
  }

  @Test("A worker that ends loses all that it has, and only the first job is at fault")
  func ended() throws {
    for hasBegun in [true, false] {
      let (requests, worker) = try three()
      if hasBegun {
        worker.sendHello()
        worker.send(part(1))
      }
      // What it has said is read before its end is.
      if hasBegun { #expect(requests.receive().lost.isEmpty) }
      worker.leave()
      let progress = requests.receive()
      #expect(progress.lost.map(\.state) == [hasBegun ? "a+" : "a", "b", "c"])
      #expect(progress.lost.map(\.isAtFault) == [hasBegun, false, false])
      #expect(progress.lost.allSatisfy { $0.detail == "the worker ended" })
      #expect(requests.isEmpty && worker.exit != nil)
      // What was lost can be sent again, to another worker.
      #expect(try requests.send("b"))
      #expect(workers.latest !== worker)
      #expect(try workers.latest?.requests() == [4])
    }
  }

  @Test("What a worker said before it ended counts, and the next job is at fault")
  func answeredBeforeTheEnd() throws {
    let (requests, worker) = try three()
    worker.sendHello()
    worker.send(.done(job: 1))
    worker.leave()
    var (finished, lost): ([String], [Requests.Lost]) = ([], [])
    for _ in 0..<3 {
      let progress = requests.receive()
      finished += progress.finished
      lost += progress.lost
    }
    #expect(finished == ["a"] && lost.map(\.state) == ["b", "c"])
    #expect(lost.map(\.isAtFault) == [true, false])
  }

  @Test("A job that takes more processor time than its own ends the worker")
  func deadline() throws {
    let second: Int64 = 1_000_000_000
    let (requests, worker) = try three()
    // Before its hello a worker has no job yet.
    worker.processorTime = 5 * second
    worker.sendHello()
    #expect(requests.receive().lost.isEmpty)
    worker.processorTime = 15 * second
    #expect(requests.receive().lost.isEmpty)
    // The time of the next job begins when the one before is over.
    worker.send(.done(job: 1))
    #expect(requests.receive().finished == ["a"])
    worker.processorTime = 25 * second
    #expect(requests.receive().lost.isEmpty)
    worker.processorTime += 1
    let lost = requests.receive().lost
    #expect(lost.map(\.state) == ["b", "c"] && lost.map(\.isAtFault) == [true, false])
    #expect(lost.first?.detail == "it took longer than is allowed" && worker.exit != nil)
  }

  @Test("Of a loss the reason is told, and whether the worker had answered before")
  func reasons() throws {
    let (requests, worker) = try three()
    worker.sendHello()
    worker.send(.done(job: 1), .done(job: 99))
    let breach = requests.receive().lost
    #expect(breach.map(\.reason) == [.workerProtocol, .workerProtocol])
    #expect(breach.allSatisfy { $0.isOfUsedWorker })
    let (others, second) = try three()
    second.sendHello()
    #expect(others.receive().lost.isEmpty)
    second.leave()
    let ended = others.receive().lost
    #expect(ended.map(\.reason) == [.workerCrashed, .workerCrashed, .workerCrashed])
    #expect(!ended.contains { $0.isOfUsedWorker })
  }

  @Test("What a worker was working on fails the second time, and what waited behind it never")
  func attempts() throws {
    let (requests, worker) = try three()
    worker.sendHello()
    worker.send(.done(job: 99))
    let lost = requests.receive().lost
    var attempts = [0, 0, 0]
    for _ in 1...2 {
      for (index, lost) in lost.enumerated() {
        let hasFailed = lost.fails(after: &attempts[index])
        #expect(hasFailed == (attempts[index] == 2))
      }
    }
    #expect(attempts == [2, 0, 0])
  }

  @Test("A worker is not read from while its answer is carried out")
  func ahead() throws {
    let (requests, worker) = try three()
    worker.sendHello()
    worker.send(part(1))
    #expect(requests.receive().finished.isEmpty)
    worker.send(.done(job: 1))
    #expect(requests.receive(isAhead: true).finished.isEmpty)
    #expect(requests.receive().finished == ["a+"])
  }

  @Test("The deadlines are looked at no more often than is said")
  func interval() throws {
    let second: Int64 = 1_000_000_000
    let requests = Requests(workers.pool(size: 1), deadlinesEvery: 3600 * second)
    #expect(try requests.send("a"))
    let worker = try #require(workers.latest)
    worker.sendHello()
    for seconds in 0...2 {
      worker.processorTime = 100 * second * Int64(seconds)
      #expect(requests.receive().lost.isEmpty)
    }
    #expect(worker.exit == nil)
  }

  @Test("A worker without a job has no deadline")
  func idle() throws {
    let requests = Requests(workers.pool(size: 1))
    #expect(try requests.send("a"))
    let worker = try #require(workers.latest)
    worker.sendHello()
    worker.send(.done(job: 1))
    #expect(requests.receive().finished == ["a"])
    worker.processorTime = .max
    #expect(requests.receive().lost.isEmpty && worker.exit == nil)
  }

  private static let hello = WorkerMessage.hello(
    protocolVersion: WorkerMessage.protocolVersion,
    build: BuildInfo.version
  )

  @Test(
    "A message that is not allowed now ends the worker",
    arguments: [
      ([.hello(protocolVersion: 0, build: BuildInfo.version)], false),
      ([.hello(protocolVersion: WorkerMessage.protocolVersion, build: "x")], false),
      ([.done(job: 1)], false), ([hello, hello], true), ([hello, .done(job: 2)], true),
      ([hello, .done(job: 99)], true), ([hello, .done(job: 0)], true),
      // The one who takes the messages refuses it.
      ([hello, .failed(job: 1, step: .read, reason: .damaged, detail: "")], true),
    ] as [([WorkerMessage], Bool)]
  )
  func breach(messages: [WorkerMessage], isAtFault: Bool) throws {
    let (requests, worker) = try three()
    for message in messages { worker.send(message) }
    let progress = requests.receive()
    #expect(progress.finished.isEmpty && progress.lost.map(\.state) == ["a", "b", "c"])
    #expect(progress.lost.map(\.isAtFault) == [isAtFault, false, false])
    #expect(progress.lost.allSatisfy { $0.detail.hasPrefix("it sent a wrong answer: ") })
    #expect(worker.exit != nil && requests.isEmpty)
  }

  @Test("A job that is over is no job any more, and bytes that are no frame end the worker")
  func noFrame() throws {
    for bytes in [[0, 0, 0, 0], [0xFF, 0xFF, 0xFF, 0xFF, 1], WorkerMessage.done(job: 1).frame] {
      let (requests, worker) = try three()
      worker.sendHello()
      worker.send(.done(job: 1))
      worker.send(bytes: bytes)
      let progress = requests.receive()
      #expect(progress.finished == ["a"])
      #expect(progress.lost.map(\.state) == ["b", "c"] && progress.lost[0].isAtFault)
    }
  }

  @Test("After three workers that end before their first message no other is started")
  func doesNotStart() throws {
    let requests = Requests(workers.pool(size: 1))
    func fail() throws {
      #expect(try requests.send("a"))
      workers.latest?.leave()
      #expect(requests.receive().lost.map(\.isAtFault) == [false])
    }
    try fail()
    try fail()
    // One that begins shows that they can be started.
    #expect(try requests.send("b"))
    workers.latest?.sendHello()
    #expect(requests.receive().lost.isEmpty)
    workers.latest?.leave()
    #expect(requests.receive().lost.map(\.isAtFault) == [true])
    for _ in 1...3 { try fail() }
    #expect(throws: WorkerPoolError.self) { try requests.send("c") }
    #expect(workers.started.count == 6)
  }

  @Test("A worker that ends with nothing to do is told, since what it has drawn is gone with it")
  func endedIdle() throws {
    let requests = Requests(workers.pool(size: 1))
    #expect(try requests.send("a", for: .page(7)))
    let worker = try #require(workers.latest)
    worker.sendHello()
    worker.send(.done(job: 1))
    #expect(requests.receive().ended.isEmpty)
    worker.leave()
    let progress = requests.receive()
    #expect(progress.lost.isEmpty && progress.ended == [.page(7)])
  }

  @Test("A page with more pictures than a worker has jobs keeps its worker")
  func longPage() throws {
    let requests = Requests(workers.pool(size: 1))
    for job in 1...2003 {
      try #require(try requests.send("\(job)", for: .page(1)))
      let worker = try #require(workers.latest)
      if job == 1 { worker.sendHello() }
      worker.send(.done(job: UInt64(job)))
      try #require(requests.receive().finished == ["\(job)"])
    }
    #expect(workers.started.count == 1 && workers.started[0].exit == nil)
  }

  @Test("A worker is replaced after 2,000 jobs")
  func manyJobs() throws {
    let requests = Requests(workers.pool(size: 1))
    for job in 1...2001 {
      #expect(try requests.send("a"))
      let worker = try #require(workers.latest)
      if job == 1 || job == 2001 { worker.sendHello() }
      worker.send(.done(job: UInt64(job)))
      let finished = requests.receive().finished
      if finished != ["a"] {
        Issue.record("\(job): \(finished)")
        return
      }
      #expect(workers.started.count == (job <= 2000 ? 1 : 2))
      #expect((workers.started[0].exit != nil) == (job >= 2000))
    }
  }

  @Test("The workers of one purpose can be retired, and all of them ended")
  func retired() throws {
    let requests = Requests(workers.pool(size: 2))
    #expect(try requests.send("a", for: .picture(1)))
    #expect(try requests.send("b", for: .picture(2)))
    let (first, second) = (workers.started[0], workers.started[1])
    requests.retire(.picture(1))
    #expect(first.exit == nil && !requests.hasRoom(for: .picture(3)))
    first.sendHello()
    first.send(.done(job: 1))
    #expect(requests.receive().finished == ["a"])
    #expect(first.exit != nil && second.exit == nil && requests.hasRoom(for: .picture(3)))
    requests.endAll()
    #expect(second.exit != nil && requests.isEmpty)
    #expect(requests.receive().lost.isEmpty)
  }

  // MARK: JPEGs

  @Test("A JPEG is whole when its parts begin and end like one, and fit")
  func makesThumbnails() throws {
    let jpeg: [UInt8] = [0xFF, 0xD8, 0xFF, 0xE0, 5, 0xFF, 0xD9]
    func parts(_ bytes: [[UInt8]], mostBytes: Int = 7) throws -> [UInt8]? {
      var jpeg = MadeJPEG(named: "jpeg", mostBytes: mostBytes)
      do {
        for part in bytes {
          let message = WorkerMessage.thumbnail(
            job: 1,
            name: "jpeg",
            size: PixelSize(width: 1, height: 1),
            bytes: part,
            isLast: false
          )
          #expect(try !jpeg.take(message))
        }
        #expect(try jpeg.take(.done(job: 1)))
        #expect(jpeg.problem == nil)
        return jpeg.bytes
      } catch {
        return nil
      }
    }
    #expect(try parts([jpeg]) == jpeg)
    #expect(try parts([Array(jpeg[..<3]), [], Array(jpeg[3...])]) == jpeg)
    #expect(try parts([jpeg], mostBytes: 6) == nil)
    #expect(try parts([Array(jpeg.dropLast())]) == nil && parts([Array(jpeg.dropFirst())]) == nil)
    #expect(try parts([]) == nil)
  }

  @Test("A JPEG that cannot be made has the reason, and the package that is missing")
  func reportsFailures() throws {
    for (reason, package) in [(ItemReason.damaged, nil), (.decoderMissing, "lib")] {
      var jpeg = MadeJPEG(named: "jpeg", mostBytes: 1)
      let detail = package ?? "x\u{1B}[1m"
      #expect(try jpeg.take(.failed(job: 1, step: .decode, reason: reason, detail: detail)))
      #expect(jpeg.problem?.hasPrefix("\(reason.rawValue): ") == true)
      #expect(jpeg.missingPackage == package && jpeg.problem?.contains("\u{1B}") == false)
    }
    var jpeg = MadeJPEG(named: "jpeg", mostBytes: 1)
    #expect(throws: ProtocolError.self) { try jpeg.take(.editEnd(job: 1, removed: [])) }
  }

  @Test(
    "A worker in which a decoder has failed does nothing more, and what it has not begun is no one's fault",
    arguments: [
      (ItemStep.decode, ItemReason.damaged, true), (.metadata, .damaged, true),
      (.thumbnail, .overLimit, true), (.metadata, .overLimit, false),
      (.metadata, .unknownFormat, false), (.strip, .stripUnsupported, false),
    ]
  )
  func decoderFailed(step: ItemStep, reason: ItemReason, isOver: Bool) throws {
    let (requests, worker) = try three()
    worker.sendHello()
    worker.send(.failed(job: 1, step: step, reason: reason, detail: ""), .done(job: 2))
    let progress = requests.receive { (_, message) throws(ProtocolError) in true }
    #expect(progress.finished == (isOver ? ["a"] : ["a", "b"]))
    #expect(progress.lost.map(\.state) == (isOver ? ["b", "c"] : []))
    #expect(!progress.lost.contains { $0.isAtFault })
    #expect((worker.exit != nil) == isOver)
    #expect(try requests.send("again"))
    #expect(workers.started.count == (isOver ? 2 : 1))
  }
}
