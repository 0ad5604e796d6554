internal import Glibc
internal import MediaFileSystem
package import MediaModel
package import MediaSandbox

/// A camera or phone that is connected, as the kernel describes it; to find it nothing is sent to it.
package struct CameraDevice: Sendable, Hashable {
  /// What a person is shown, such as `Canon EOS R6`.
  package var name: String
  /// The serial number that the device has told the kernel; empty without one.
  package var serial: String
  /// The maker's number, as in `lsusb`; 0 for a camera that is no USB device.
  package var vendor: UInt16
  /// The maker's number of the model.
  package var product: UInt16
  /// libgphoto2's name of the port, such as `usb:001,004`.
  package var port: String
  /// What the process that reads it needs.
  package var access: CameraConfinement.Device

  /// Makes a description.
  package init(
    name: String,
    serial: String,
    vendor: UInt16,
    product: UInt16,
    port: String,
    access: CameraConfinement.Device
  ) {
    self.name = name
    self.serial = serial
    self.vendor = vendor
    self.product = product
    self.port = port
    self.access = access
  }

  /// What an answer of a person is bound to, such as `usb:04a9:32da:SERIAL`: it stays the same however often the
  /// device is connected.
  package var identity: [UInt8] {
    func hexadecimal(_ number: UInt16) -> String {
      let digits = String(number, radix: 16)
      return String(repeating: "0", count: 4 - digits.count) + digits
    }
    return Array("usb:\(hexadecimal(vendor)):\(hexadecimal(product)):\(serial)".utf8)
  }

  /// The path of the device's own file; that of a null device for a camera of a test.
  package var file: [UInt8] {
    if case .usb(let file, _) = access { return file }
    return Array("/dev/null".utf8)
  }

  /// Whether libgphoto2 is where its process may read libraries.
  package static var hasLibraries: Bool {
    #if arch(x86_64)
      let triplet = "x86_64-linux-gnu"
    #else
      let triplet = "aarch64-linux-gnu"
    #endif
    return ["/usr/lib/\(triplet)", "/lib/\(triplet)", "/usr/lib64", "/usr/lib", "/lib64", "/lib"]
      .contains { folder in
        ["libgphoto2.so.6", "libgphoto2_port.so.12"].allSatisfy {
          FileSystem.exists(Array("\(folder)/\($0)".utf8))
        }
      }
  }

  /// The folder in which the kernel lists USB devices.
  package static let systemFolder = Array("/sys/bus/usb/devices".utf8)

  /// Finds the devices that speak PTP or MTP, in the order of their ports.
  ///
  /// - Parameter folder: ``systemFolder``, or a copy of it.
  /// - Returns: Empty also where the kernel has no USB.
  ///
  /// Source: Linux Documentation/ABI/testing/sysfs-bus-usb; USB Still Image Capture Device Definition 1.0, 3.
  package static func connected(in folder: [UInt8] = systemFolder) -> [CameraDevice] {
    guard let opened = try? FileSystem.openFolder(folder),
      let entries = try? FileSystem.entries(of: opened)
    else { return [] }
    var devices: [CameraDevice] = []
    var seen: Set<[UInt8]> = []
    // An interface is `1-2:1.0`, of the device `1-2`.
    for name in entries.map(\.name).sorted(by: { $0.lexicographicallyPrecedes($1) }) {
      guard let colon = name.firstIndex(of: UInt8.colon),
        isImageInterface(folder + [UInt8.slash] + name),
        let device = CameraDevice(at: folder + [UInt8.slash] + name[..<colon]),
        seen.insert(Array(name[..<colon])).inserted
      else { continue }
      devices.append(device)
    }
    return devices
  }

  private static func isImageInterface(_ path: [UInt8]) -> Bool {
    let numbers = ["bInterfaceClass", "bInterfaceSubClass", "bInterfaceProtocol"].map {
      attribute($0, of: path)
    }
    // Phones that speak MTP have a class of their own, and this name.
    return numbers == ["06", "01", "01"] || attribute("interface", of: path).holds("MTP")
  }

  private static func attribute(_ name: String, of path: [UInt8]) -> String {
    let file = path + [UInt8.slash] + name.utf8
    guard let bytes = try? FileSystem.readSmallFile(file, limit: 4096) else { return "" }
    let text = String(decoding: bytes, as: UTF8.self).prefix { $0 != "\n" }
    return EscapedText.printable(String(text.prefix(128)))
  }

  private init?(at path: [UInt8]) {
    func number(_ name: String, _ radix: Int) -> Int? {
      Int(Self.attribute(name, of: path), radix: radix)
    }
    guard let bus = number("busnum", 10), let device = number("devnum", 10),
      let vendor = number("idVendor", 16).flatMap({ UInt16(exactly: $0) }),
      let product = number("idProduct", 16).flatMap({ UInt16(exactly: $0) }),
      (1...999).contains(bus), (1...999).contains(device),
      let resolved = FileSystem.resolved(path), let root = Self.busFolder(of: resolved)
    else { return nil }
    let words = ["manufacturer", "product"].map { Self.attribute($0, of: path) }
      .filter { !$0.isEmpty }
    func padded(_ number: Int) -> String {
      String(repeating: "0", count: 3 - String(number).count) + String(number)
    }
    name =
      words.isEmpty
      ? "camera " + String(vendor, radix: 16) + ":" + String(product, radix: 16)
      : words.joined(separator: " ")
    serial = Self.attribute("serial", of: path)
    self.vendor = vendor
    self.product = product
    port = "usb:\(padded(bus)),\(padded(device))"
    access = .usb(file: Array("/dev/bus/usb/\(padded(bus))/\(padded(device))".utf8), bus: root)
  }

  /// The folder of a device's bus, such as `/sys/devices/pci0000:00/0000:00:14.0/usb1`, of all that is connected
  /// to it.
  private static func busFolder(of path: [UInt8]) -> [UInt8]? {
    var folder: [UInt8] = []
    for name in path.split(separator: UInt8.slash) {
      folder += [UInt8.slash] + name
      let digits = name.dropFirst(3)
      let isBus =
        name.starts(with: "usb".utf8) && !digits.isEmpty
        && digits.allSatisfy { $0.isASCIIDigit }
      if isBus { return folder }
    }
    return nil
  }
}

extension CameraSelection {
  /// Whether a device is the one that is meant.
  package func matches(_ device: CameraDevice) -> Bool {
    switch self {
    case .any: true
    case .serial(let serial): device.serial == serial
    case .model(let vendor, let product): device.vendor == vendor && device.product == product
    }
  }

  /// Finds the camera that is meant, without sending it anything.
  ///
  /// - Parameter devices: Those that are connected.
  /// - Returns: The one.
  /// - Throws: ``CameraError`` `.notConnected`, `.severalConnected`.
  package func choose(among devices: [CameraDevice]) throws(CameraError) -> CameraDevice {
    let matching = devices.filter(matches)
    guard let first = matching.first else { throw CameraError(.notConnected) }
    guard matching.count == 1 else {
      let names = matching.map { $0.serial.isEmpty ? $0.name : "\($0.name), usb:\($0.serial)" }
      throw CameraError(.severalConnected, names.joined(separator: "; "))
    }
    return first
  }

  /// Finds the camera that is meant among those that are connected now, if libgphoto2 is there to read it.
  ///
  /// The programs of tests take a camera on loopback in its place, see ``LoopbackCamera``.
  ///
  /// - Throws: ``CameraError`` `.librariesMissing`, `.notConnected`, `.severalConnected`.
  package func find() throws(CameraError) -> CameraDevice {
    guard CameraDevice.hasLibraries else { throw CameraError(.librariesMissing) }
    if let port = LoopbackCamera.port {
      return CameraDevice(
        name: "Responder",
        serial: "0001",
        vendor: 0,
        product: 0,
        port: "ptpip:127.0.0.1:\(port):\(port)",
        access: .loopback(port: port)
      )
    }
    return try choose(among: CameraDevice.connected())
  }
}
