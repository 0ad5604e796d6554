private import Glibc
package import MediaWorkerProtocol

/// The coordinator's end of the process that sets the modification times of staged files.
///
/// The coordinator's own filter refuses every call that sets times, since a descriptor of a source's
/// file would suffice for one. The process is started before confinement and has one descriptor, the
/// staging folder as a place: it can set times beneath that folder and do nothing else, see
/// ``FileTimesService``.
package final class FileTimes {
  /// A file and the time that it gets.
  package struct Entry: Sendable, Hashable {
    /// The path beneath the staging folder.
    package var path: [UInt8]
    /// The time in nanoseconds since 1970-01-01T00:00:00Z.
    package var nanoseconds: Int64

    /// Makes an entry.
    package init(path: [UInt8], nanoseconds: Int64) {
      (self.path, self.nanoseconds) = (path, nanoseconds)
    }

    /// The bytes that it takes in a message.
    fileprivate var length: Int { path.count + 12 }
  }

  /// The files whose times could not be set.
  package struct Failures: Sendable, Hashable {
    /// The number of files.
    package var count = 0
    /// The errno of the first one.
    package var number: Int32 = 0
    /// The symbol of that errno.
    package var reason: String { errorName(number) }

    /// Makes no failures.
    package init() {}

    fileprivate init(count: Int, number: Int32) { (self.count, self.number) = (count, number) }

    /// Counts failures behind those that are here.
    package mutating func add(_ others: Failures) {
      if count == 0 { number = others.number }
      count += others.count
    }
  }

  private let child: ConfinedChild<FileTimesService>

  /// Starts this program again as the process, and waits until it is confined.
  ///
  /// Must be called on the main thread, before this process is confined.
  ///
  /// - Parameters:
  ///   - folder: The staging folder; O_PATH suffices.
  ///   - nullDevice: `/dev/null`, opened for reading and writing.
  ///   - enforcesByKernel: False only under `"enforcement": "process"`: then features that the kernel
  ///     lacks are omitted.
  /// - Throws: As ``ConfinedChild/start(_:files:nullDevice:)``.
  package init(folder: Int32, nullDevice: Int32, enforcesByKernel: Bool) throws(SandboxError) {
    child = try .start(
      FileTimesService.Task(enforcesByKernel: enforcesByKernel),
      files: [folder],
      nullDevice: nullDevice
    )
  }

  /// Sets the times of files, in as few messages as fit, and waits until all are set.
  ///
  /// - Returns: The files whose file system refused it, or that are not there.
  /// - Throws: `.sendFailed`, `.receiveFailed` when the process has ended or does not answer.
  package func set(_ entries: [Entry]) throws(SandboxError) -> Failures {
    var failures = Failures()
    var remaining = entries[...]
    while !remaining.isEmpty {
      var length = 4
      let part = remaining.prefix { entry in
        length += entry.length
        return length <= FrameReader.maximumLength
      }
      // No path is as long as a message.
      guard !part.isEmpty else { throw SandboxError(.sendFailed, number: ENAMETOOLONG) }
      remaining = remaining.dropFirst(part.count)
      failures.add(try child.ask(FileTimesService.Request(entries: Array(part))))
    }
    return failures
  }
}

extension FileTimes.Failures: WireValue {
  package func put(into writer: inout WireWriter) {
    writer.put(UInt32(clamping: count))
    writer.put(number)
  }

  package init(from reader: inout WireReader) throws(ProtocolError) {
    self.init(count: Int(try reader.integer(UInt32.self)), number: try reader.integer())
  }
}
