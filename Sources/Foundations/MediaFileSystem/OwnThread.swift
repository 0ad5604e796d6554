internal import Dispatch
internal import Glibc
internal import Synchronization

/// A thread that does one thing, and that somebody waits for.
///
/// libdispatch tries again for ever, once a second, where the kernel gives it no thread: at a user's limit
/// of processes, or without room for a stack. A thread that waits for its work then waits for ever, so work that has
/// to be done is given to threads which say that they cannot start.
package final class OwnThread: Sendable {
  private final class Body: Sendable {
    let run: @Sendable () -> Void
    init(_ run: @escaping @Sendable () -> Void) { self.run = run }
  }

  /// The number of processors that are in use.
  package static var processors: Int { max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))) }

  private let thread: pthread_t
  /// In bytes; libdispatch gives its threads half of it.
  private static let stackLength = 1 << 20

  /// Starts it; nil where no thread can be started.
  ///
  /// Source: pthread_create(3).
  package init?(_ body: @escaping @Sendable () -> Void) {
    var attributes = pthread_attr_t()
    guard pthread_attr_init(&attributes) == 0 else { return nil }
    defer { pthread_attr_destroy(&attributes) }
    pthread_attr_setstacksize(&attributes, Self.stackLength)
    let argument = Unmanaged.passRetained(Body(body))
    var thread = pthread_t()
    let result = pthread_create(
      &thread,
      &attributes,
      { argument in
        if let argument { Unmanaged<Body>.fromOpaque(argument).takeRetainedValue().run() }
        return nil
      },
      argument.toOpaque()
    )
    guard result == 0 else {
      argument.release()
      return nil
    }
    self.thread = thread
  }

  /// Waits until it has ended; called once.
  package func wait() { pthread_join(thread, nil) }

  /// Calls `body` with each number below `count`, each on a thread of its own as far as threads can be
  /// started, and the others one after another; returns when all is done.
  package static func forEach(_ count: Int, _ body: @escaping @Sendable (Int) -> Void) {
    if count == 0 { return }
    var threads: [OwnThread] = []
    var begun = 1
    while begun < count, let thread = OwnThread({ [begun] in body(begun) }) {
      threads.append(thread)
      begun += 1
    }
    body(0)
    for number in begun..<max(begun, count) { body(number) }
    for thread in threads { thread.wait() }
  }
}

/// A thread that does one thing after another, in the order in which it gets them; without a thread each is
/// done at once, by the thread that gives it.
package final class SerialThread: Sendable {
  private final class Queue: Sendable {
    /// In order; nil ends the thread.
    let work = Mutex<[(@Sendable () -> Void)?]>([])
    let count = DispatchSemaphore(value: 0)

    func add(_ body: (@Sendable () -> Void)?) {
      work.withLock { $0.append(body) }
      count.signal()
    }

    func next() -> (@Sendable () -> Void)? {
      count.wait()
      return work.withLock { $0.removeFirst() }
    }
  }

  private let queue = Queue()
  private let thread: OwnThread?

  /// Starts it, if a thread can be started.
  package init() {
    thread = OwnThread { [queue] in
      while let body = queue.next() { body() }
    }
  }

  deinit {
    guard let thread else { return }
    queue.add(nil)
    thread.wait()
  }

  /// Has something done behind all that was given before.
  package func add(_ body: @escaping @Sendable () -> Void) {
    if thread == nil { body() } else { queue.add(body) }
  }

  /// Waits until all that was given is done.
  package func wait() {
    let done = DispatchSemaphore(value: 0)
    add { done.signal() }
    done.wait()
  }
}
