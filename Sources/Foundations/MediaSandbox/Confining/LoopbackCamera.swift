internal import CSandbox

/// A camera on loopback (PTP/IP), which the programs of tests are linked with; what is released has none, nor the rules
/// that would let it be read.
package enum LoopbackCamera {
  /// The TCP port of the camera; nil without one, as always in what is released.
  package static var port: UInt16? {
    let port = csandbox_loopback_camera_port()
    return port == 0 ? nil : port
  }
}
