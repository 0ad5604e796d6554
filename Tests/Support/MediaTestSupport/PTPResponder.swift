internal import Foundation
internal import Glibc

/// A camera on loopback, which `ptp_responder.py` is; it ends with the object.
///
/// Source: ISO 15740 (PTP), CIPA DC-005 (PTP/IP).
package final class PTPResponder {
  /// The variable by which a debug build takes it for the camera that is connected.
  package static let variable = "MEDIABATCH_TEST_CAMERA_PORT"

  private let scratch = TemporaryFolder()
  private let process: RunningProgram
  private var isStopped = false
  /// The port on which it listens.
  package private(set) var port = 0

  /// What the program under test needs in its environment.
  package var environment: [String: String] { [Self.variable: String(port)] }

  /// The operations that it got, in order, each as its code in hexadecimal and its parameters.
  package var operations: [String] {
    let text = try? String(contentsOfFile: scratch.path + "/record", encoding: .utf8)
    return (text ?? "").split(separator: "\n").map(String.init)
  }

  /// The codes of all operations that it got.
  package var codes: Set<String> {
    Set(operations.compactMap { $0.split(separator: " ").first.map(String.init) })
  }

  /// Starts it, and waits until it listens.
  ///
  /// - Parameters:
  ///   - tree: A folder whose folders are the camera's stores.
  ///   - options: Those of the script, such as `--unplug NAME:BYTES`.
  /// - Throws: An error when there is no Python, or it does not listen within minutes.
  package init(_ tree: String, _ options: [String] = []) throws {
    let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
      .appendingPathComponent("MediaCamerasTests/Fixtures/ptp_responder.py").path
    process = try RunningProgram(
      "python3",
      [script, tree, "--port-file", scratch.path + "/port", "--record", scratch.path + "/record"]
        + options,
      environment: [:]
    )
    let file = scratch.path + "/port"
    let isListening = waits {
      guard let text = try? String(contentsOfFile: file, encoding: .utf8), let number = Int(text)
      else { return false }
      port = number
      return true
    }
    guard isListening else { throw CocoaError(.fileReadUnknown) }
  }

  deinit { stop() }

  /// Ends it: the camera is unplugged.
  package func stop() {
    if isStopped { return }
    isStopped = true
    process.send(SIGKILL)
    _ = process.end(seconds: 10)
  }
}
