internal import Dispatch
internal import MediaFileSystem
internal import Synchronization

/// A file of a shard, and its path in the merged library.
struct MergedFile: Sendable {
  /// Below the shard's library.
  var path: [UInt8]
  /// Below the merged library.
  var new: [UInt8]
  var bytes: Int64
}

/// Makes folders and links files on a thread of its own, if one can be started, in the order of the calls, while rows are written.
final class MergeQueue: Sendable {
  private let files: Mutex<MergedFiles>
  private let failure = Mutex<(any Error)?>(nil)
  private let thread = SerialThread()
  /// How many batches may wait.
  private let slots = DispatchSemaphore(value: 4)

  init(_ files: sending MergedFiles) { self.files = Mutex(files) }

  var linked: Int { files.withLock { $0.linked } }
  var copied: Int { files.withLock { $0.copied } }

  /// Makes the folders of some assets.
  ///
  /// - Parameter folders: Of each asset, as `2026-11-21/014439.123456`.
  /// - Returns: Their names, when they are made.
  func makeFolders(_ folders: [[String]]) -> MadeFolders {
    let result = MadeFolders()
    thread.add { [self] in
      result.set(
        Result {
          try files.withLock { files in
            try folders.map { try $0.map { try files.makeFolder($0) } }
          }
        }
      )
    }
    return result
  }

  /// Gives files of a shard their places. A failure is thrown by ``finish()``.
  func take(_ batch: [MergedFile], of root: Descriptor) {
    slots.wait()
    thread.add { [self] in
      defer { slots.signal() }
      guard failure.withLock({ $0 == nil }) else { return }
      do {
        try files.withLock { files in
          for file in batch { try files.take(file, of: root) }
        }
      } catch {
        failure.withLock { $0 = error }
      }
    }
  }

  /// Waits until all is done.
  ///
  /// - Throws: The first failure.
  func finish() throws {
    thread.wait()
    if let failure = failure.withLock(\.self) { throw failure }
  }
}

/// Folders that a ``MergeQueue`` makes.
final class MadeFolders: Sendable {
  private let result = Mutex<Result<[[String]], any Error>?>(nil)
  private let isSet = DispatchSemaphore(value: 0)

  func set(_ result: Result<[[String]], any Error>) {
    self.result.withLock { $0 = result }
    isSet.signal()
  }

  /// Waits for them, once.
  ///
  /// - Returns: Of each asset the names of its folders.
  func wait() throws -> [[String]] {
    isSet.wait()
    return try result.withLock { try $0?.get() } ?? []
  }
}
