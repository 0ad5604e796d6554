private import Glibc

/// The confinement of the process that reads a camera.
package enum CameraConfinement {
  /// What such a process can reach.
  package enum Device: Sendable, Hashable {
    /// A USB device: its file below `/dev/bus/usb`, and the folder of its bus below `/sys/devices`.
    case usb(file: [UInt8], bus: [UInt8])
    /// A camera of a test, on a port of loopback; a release build refuses it.
    case loopback(port: UInt16)
    /// None: the libraries are only loaded.
    case none
  }

  /// The folders of libgphoto2, its drivers and the libraries that they use; nothing can be executed.
  private static let libraries: [PathRule] =
    ["/usr/lib", "/usr/lib64", "/lib", "/lib64"].map {
      PathRule(path: $0, rights: .readAndList, isOptional: true)
    } + [PathRule(path: "/etc/ld.so.cache", rights: .readFile, isOptional: true)]

  /// Confines this process for good, on its only thread, before a library is loaded.
  ///
  /// The steps are, in this order: SIGKILL when the coordinator ends, not dumpable, limits (256 MiB of
  /// memory, 64 descriptors, the length of a file, no core), Landlock, a seccomp allow list. Then nothing
  /// can be opened for writing but the device; what is copied goes into descriptors that are handed over.
  ///
  /// - Parameters:
  ///   - device: What it can reach.
  ///   - maximumFileBytes: The most bytes that a file can have that is written; writing more is EFBIG.
  ///   - enforcesByKernel: False only under `"enforcement": "process"`: then features that the kernel lacks
  ///     are omitted.
  /// - Throws: `.parentGone`, `.limitRefused`, `.landlockUnavailable`, `.layerRefused`, `.ruleRefused`,
  ///   `.seccompUnavailable`. The process must then end.
  ///
  /// Source: landlock(7), seccomp(2), setrlimit(2).
  package static func enter(
    _ device: Device,
    maximumFileBytes: Int64,
    enforcesByKernel: Bool
  ) throws(SandboxError) {
    try WorkerConfinement.bindToParent()
    // A write beyond the limit, or to a device that has gone, is an error and no end.
    signal(SIGXFSZ, SIG_IGN)
    signal(SIGPIPE, SIG_IGN)
    try ProcessLimits.enter(descriptors: 64, memoryBytes: 256 << 20, fileBytes: maximumFileBytes)
    let kernel = KernelSupport.probe()
    if enforcesByKernel || kernel.landlockABI > 0 {
      // It moves no file, so the first ABI of Landlock suffices.
      let layer = try LandlockLayer(kernel: kernel, minimumABI: 1)
      for rule in libraries { try layer.allow(rule) }
      for rule in device.rules { try layer.allow(rule) }
      if case .loopback(let port) = device { try layer.allowConnecting(port: port) }
      try layer.enforce()
    }
    if enforcesByKernel || kernel.seccomp {
      var port: UInt16?
      if case .loopback(let number) = device { port = number }
      try SeccompFilter.allowForCamera(port: port)
    }
  }
}

extension CameraConfinement.Device {
  /// The files that are needed beside the libraries.
  fileprivate var rules: [PathRule] {
    guard case .usb(let file, let bus) = self else { return [] }
    return [
      PathRule(path: file, rights: [.readFile, .writeFile, .deviceControl]),
      // libusb lists the names of devices, and reads what the kernel says of those of this bus. libudev looks
      // for the bus among all of them, and among the classes.
      PathRule(path: "/dev/bus/usb", rights: .listFolder),
      PathRule(path: "/sys/bus", rights: .listFolder),
      PathRule(path: "/sys/class", rights: .listFolder, isOptional: true),
      PathRule(path: "/sys/bus/usb/devices", rights: .readAndList),
      PathRule(path: bus, rights: .readAndList),
    ]
  }
}
