import Glibc
import Synchronization
import Testing

@testable import MediaFileSystem

@Suite("Threads of one's own")
struct OwnThreadTests {
  @Test("Each number is done once, and all are done at the end", arguments: [0, 1, 2, 7])
  func forEach(count: Int) {
    let done = Mutex<[Int]>([])
    OwnThread.forEach(count) { number in
      // Long enough for the other threads to begin.
      usleep(1000)
      done.withLock { $0.append(number) }
    }
    #expect(done.withLock { $0.sorted() } == Array(0..<count))
  }

  @Test("A thread does one thing after another")
  func serial() {
    let done = Mutex<[Int]>([])
    let thread = SerialThread()
    for number in 0..<100 { thread.add { done.withLock { $0.append(number) } } }
    thread.wait()
    #expect(done.withLock(\.self) == Array(0..<100))
  }
}
