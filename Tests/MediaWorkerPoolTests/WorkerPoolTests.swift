import MediaFileSystem
import MediaModel
import MediaSandbox
import MediaWorkerProtocol
import Testing

@testable import MediaWorkerPool

@Suite("Workers are started, get jobs and are replaced")
struct WorkerPoolTests {
  private let workers = FakeWorkers()
  private let camera = WorkerPurpose.files(of: .camera, .strip)

  private func give(
    _ worker: Worker?,
    _ identifier: UInt64 = 1,
    seconds: Int64 = 1
  ) throws {
    let worker = try #require(worker)
    worker.send(
      .convert(ConvertJob(identifier: identifier, quality: 90)),
      file: try FileSystem.temporaryFile(),
      seconds: seconds
    )
  }

  /// Lets the worker that was started last say that it is there.
  private func greet(_ worker: Worker?) throws {
    let worker = try #require(worker)
    workers.latest?.sendHello()
    var buffer = [UInt8](repeating: 0, count: 4096)
    #expect(buffer.withUnsafeMutableBytes { !worker.channel.receive(into: $0) })
    #expect(try worker.next() != nil && worker.hasReceivedHello)
  }

  @Test("Idle workers come first, then new ones, then the one with the fewest jobs, up to three")
  func queues() throws {
    var pool = workers.pool(size: 2)
    let first = try pool.worker(for: camera)
    #expect(try pool.worker(for: camera) === first)
    try give(first)
    let second = try pool.worker(for: camera)
    #expect(second !== first && workers.started.count == 2)
    try give(second)
    try give(first)
    #expect(try pool.worker(for: camera) === second)
    for worker in [first, second, second] { try give(worker) }
    #expect(try pool.worker(for: camera) == nil && !pool.hasRoom(for: camera))
    first?.finishFirst()
    #expect(pool.hasRoom(for: camera))
    #expect(try pool.worker(for: camera) === first)
    #expect(workers.started.count == 2)
  }

  @Test("No worker gets files of another purpose; an idle one gives its place to a new one")
  func purposes() throws {
    var pool = workers.pool(size: 2)
    let others: [WorkerPurpose] = [
      .files(of: .camera, .keep), .files(of: .library, .strip), .times(1), .times(2), .picture(1),
      .picture(2),
    ]
    let first = try pool.worker(for: camera)
    try give(first)
    for other in others {
      let worker = try pool.worker(for: other)
      #expect(worker !== first && worker?.purpose == other)
      try greet(worker)
    }
    // Each took the place of the one before.
    #expect(workers.started.count == 1 + others.count && pool.workers.count == 2)
    #expect(workers.started.dropFirst().dropLast().allSatisfy { $0.exit != nil })
    #expect(workers.started[0].exit == nil && workers.latest?.exit == nil)
    try give(try pool.worker(for: .picture(2)))
    #expect(try pool.worker(for: .picture(1)) == nil && !pool.hasRoom(for: others[0]))
  }

  @Test("A page has one worker until it is finished, whatever else waits")
  func pages() throws {
    var pool = workers.pool(size: 2)
    let page = try pool.worker(for: .page(1))
    for number in 1...3 {
      #expect(try pool.worker(for: .page(1)) === page)
      try give(page, UInt64(number))
    }
    // There is room for another worker, but not for another one of this page.
    #expect(try pool.worker(for: .page(1)) == nil)
    for _ in 1...3 { page?.finishFirst() }
    try give(try pool.worker(for: camera))
    #expect(try pool.worker(for: .page(2)) == nil)
    page?.isRetiring = true
    #expect(try pool.worker(for: .page(2)) != nil && workers.started[0].exit != nil)
  }

  @Test("A worker that retires gets nothing more, and goes with its last job")
  func retiring() throws {
    var pool = workers.pool(size: 1)
    let first = try #require(try pool.worker(for: camera))
    for number in 1...3 { try give(first, UInt64(number)) }
    #expect(first.takeBackQueued().map(\.identifier) == [2, 3])
    #expect(first.jobs.map(\.identifier) == [1] && first.isRetiring)
    pool.note(first)
    #expect(try pool.worker(for: camera) == nil && workers.started[0].exit == nil)
    first.finishFirst()
    pool.note(first)
    #expect(workers.started[0].exit != nil && pool.workers.isEmpty)
    #expect(try pool.worker(for: camera) !== first)
  }

  @Test("A worker that does not use its processor is overdue long before the seconds of its job")
  func stopped() throws {
    var pool = workers.pool(size: 1)
    let worker = try #require(try pool.worker(for: camera))
    let peer = try #require(workers.latest)
    try greet(worker)
    // The job begins behind this.
    let (now, second) = (MonotonicClock.now, MonotonicClock.second)
    try give(worker, seconds: 60)
    #expect(!worker.isOverdue(at: now + 25 * second))
    peer.processorTime = second / 1000
    #expect(!worker.isOverdue(at: now + 40 * second))
    #expect(!worker.isOverdue(at: now + 65 * second))
    // The coordinator was busy.
    worker.extendDeadline(by: 10 * second)
    #expect(!worker.isOverdue(at: now + 75 * second))
    #expect(worker.isOverdue(at: now + 85 * second))
  }

  @Test(
    "Its jobs give a worker the processor seconds of all of them, and some that spare later calls"
  )
  func limits() throws {
    let pool = workers.pool(size: 1)
    let requests = Requests(pool)
    for seconds in [10, 20] { #expect(try requests.send("\(seconds)", seconds: Int64(seconds))) }
    let worker = try #require(workers.latest)
    let spare = UInt64(Worker.spareSeconds)
    // What is granted with the first job is enough for both.
    #expect(worker.limits == [10 + spare])
    // The worker lowers its limit before its first message.
    worker.sendHello()
    _ = requests.receive()
    #expect(worker.limits == [10 + spare, 30 + spare])
    worker.send(.done(job: 1))
    _ = requests.receive()
    #expect(try requests.send("60", seconds: 60))
    #expect(worker.limits == [10 + spare, 30 + spare, 80 + spare])
  }

  @Test("A frame that does not fit into the socket is sent in parts, its file once")
  func largeFrame() throws {
    let peer = try FakeWorker()
    var channel = WorkerChannel(peer)
    var writer = WireWriter()
    writer.put([UInt8](repeating: 7, count: FrameReader.maximumLength - 8))
    let frame = writer.frame
    channel.send(frame, file: try FileSystem.temporaryFile())
    channel.send(ConvertJob(identifier: 9, quality: 1).frame, file: try FileSystem.temporaryFile())
    #expect(channel.wantsToSend)
    var looks = 0
    while channel.wantsToSend, looks < 10_000 {
      try peer.listen()
      channel.flush()
      looks += 1
    }
    try peer.listen()
    #expect(peer.byteCount == frame.count + ConvertJob(identifier: 9, quality: 1).frame.count)
    #expect(peer.files == 2)
  }
}
