internal import MediaCameras
internal import MediaFileSystem

/// The cameras that are connected to this machine, and whether they can be read.
package struct CameraTrial: Sendable {
  /// What a person writes as a source's path for each camera, and its name.
  package private(set) var connected: [(path: String, name: String)] = []
  /// The version of libgphoto2; nil when it cannot be loaded.
  package private(set) var libraryVersion: String?
  /// Why it cannot be loaded; empty when it can.
  package private(set) var problem = ""

  /// Asks the kernel for cameras, and a process of its own for the library; no camera is opened.
  package init() {
    connected = CameraDevice.connected().map { device in
      (device.serial.isEmpty ? "usb:" : "usb:\(device.serial)", device.name)
    }
    do {
      let null = try FileSystem.openDevice([UInt8]("/dev/null".utf8))
      defer { withExtendedLifetime(null) {} }
      libraryVersion = try CameraReader.libraries(nullDevice: null.raw)
    } catch let error as CameraError {
      problem = "\(error). \(error.advice)"
    } catch {
      problem = "\(error)"
    }
  }

  /// A line for the library, and one for each camera.
  package var lines: [String] {
    let library =
      libraryVersion.map { "cameras: libgphoto2 \($0)" } ?? "cameras cannot be read: \(problem)"
    if connected.isEmpty { return [library + (libraryVersion == nil ? "" : "; none is connected")] }
    return [library] + connected.map { "camera \($0.path): \($0.name)" }
  }
}
