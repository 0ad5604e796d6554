internal import Foundation
internal import Glibc
internal import Synchronization

/// One exiftool that answers again and again: its modules take 60 ms to load, a file takes 10.
///
/// Source: exiftool's documentation of -stay_open, -execute, -echo3 and -echo4.
final class ExifToolServer {
  /// The one of this process, once something has been asked.
  private static let shared = Mutex<ExifToolServer?>(nil)

  private let requests: Int32
  private let output: Int32
  private let error: Int32
  private var count = 0

  /// Whether arguments can be lines of its standard input.
  static func takes(_ arguments: [String]) -> Bool {
    !arguments.isEmpty
      && arguments.allSatisfy { argument in
        guard let first = argument.first, first != "#", !first.isWhitespace else { return false }
        return !argument.contains(where: \.isNewline)
          && !["-@", "-config", "-execute", "-stay_open", "-common_args"].contains(argument)
      }
  }

  /// Gives what one call of exiftool with these arguments gives.
  static func run(_ arguments: [String]) throws -> Tool.Result {
    try shared.withLock { server in
      let asked = try server ?? ExifToolServer()
      // Whoever fails is not asked again.
      server = nil
      let result = try asked.answer(arguments)
      server = asked
      return result
    }
  }

  private init() throws {
    func ends() throws -> (read: Int32, write: Int32) {
      var ends: [Int32] = [0, 0]
      guard pipe(&ends) == 0 else { throw POSIXError(.EMFILE) }
      // No other program of the tests has them.
      for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
      return (ends[0], ends[1])
    }
    let (input, output, error) = (try ends(), try ends(), try ends())
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    // At the end of its input exiftool would wait for more; this process may end in any way.
    process.arguments = [
      "-c", #"(cat; printf '%s\n' -stay_open False) | exec exiftool -stay_open True -@ -"#,
    ]
    process.standardInput = FileHandle(fileDescriptor: input.read, closeOnDealloc: true)
    process.standardOutput = FileHandle(fileDescriptor: output.write, closeOnDealloc: true)
    process.standardError = FileHandle(fileDescriptor: error.write, closeOnDealloc: true)
    try process.run()
    (requests, self.output, self.error) = (input.write, output.read, error.read)
  }

  deinit { for descriptor in [requests, output, error] { close(descriptor) } }

  private func answer(_ arguments: [String]) throws -> Tool.Result {
    count += 1
    let end = "{mediabatch \(count)}"
    let lines = arguments + ["-echo3", end, "-echo4", end + "${status}", "-execute"]
    try FileHandle(fileDescriptor: requests)
      .write(contentsOf: Data((lines.joined(separator: "\n") + "\n").utf8))
    var (outputBytes, errorBytes) = (Data(), Data())
    let mark = Data(end.utf8)
    var (outputEnd, errorEnd) = (outputBytes.range(of: mark), errorBytes.range(of: mark))
    while outputEnd == nil || errorEnd == nil || errorBytes.last != UInt8(ascii: "\n") {
      var ends = [output, error].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
      guard poll(&ends, 2, 120_000) > 0 else { throw POSIXError(.ETIMEDOUT) }
      for (index, end) in ends.enumerated() where end.revents != 0 {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        let size = read(end.fd, &buffer, buffer.count)
        guard size > 0 else { throw POSIXError(.EPIPE) }
        if index == 0 {
          outputBytes.append(contentsOf: buffer[..<size])
        } else {
          errorBytes.append(contentsOf: buffer[..<size])
        }
      }
      outputEnd = outputBytes.range(of: mark, options: .backwards)
      errorEnd = errorBytes.range(of: mark, options: .backwards)
    }
    guard let outputEnd, let errorEnd else { throw POSIXError(.EPIPE) }
    // It ends the answer before this one; with -q it is not written.
    var answer = outputBytes.prefix(upTo: outputEnd.lowerBound)
    let ready = Data("{ready}\n".utf8)
    if answer.starts(with: ready) { answer = answer.dropFirst(ready.count) }
    let status = String(decoding: errorBytes[errorEnd.upperBound...], as: UTF8.self)
    return Tool.Result(
      status: Int32(status.dropLast()) ?? 255,
      output: String(decoding: answer, as: UTF8.self),
      error: String(decoding: errorBytes.prefix(upTo: errorEnd.lowerBound), as: UTF8.self)
    )
  }
}
