internal import MediaModel
package import MediaWorkerProtocol

extension WorkerMessage {
  /// Whether it is the last one about its job.
  package var isLast: Bool {
    switch self {
    case .done, .failed: true
    default: false
    }
  }

  /// Whether a decoder has failed: its worker may be in a state that harms the next file, so it does
  /// nothing more.
  ///
  /// What our own parsers refuse by a rule, before any decoder sees it, leaves no state.
  var isFailureOfDecoder: Bool {
    guard case .failed(_, let step, let reason, _) = self else { return false }
    switch reason {
    case .unknownFormat, .stripUnsupported, .microphoneRefused: return false
    case .overLimit: return step == .decode || step == .thumbnail
    default: return true
    }
  }
}
