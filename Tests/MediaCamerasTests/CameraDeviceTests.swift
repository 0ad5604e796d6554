import Foundation
import MediaModel
import MediaSandbox
import MediaTestSupport
import MediaWorkerProtocol
import Testing

@testable import MediaCameras

@Suite("Cameras as the kernel describes them")
struct CameraDeviceTests {
  private let scratch = TemporaryFolder()

  /// A part of `/sys` with a device on bus 1, of one interface.
  private func put(
    _ name: String,
    number: Int,
    interface: [String: String],
    _ attributes: [String: String]
  ) throws {
    let device = scratch.path + "/devices/pci0000:00/0000:00:14.0/usb1/" + name
    let files = FileManager.default
    try files.createDirectory(atPath: device + "/\(name):1.0", withIntermediateDirectories: true)
    let links = scratch.path + "/bus"
    try files.createDirectory(atPath: links, withIntermediateDirectories: true)
    var all = ["busnum": "1", "devnum": "\(number)", "idVendor": "04a9", "idProduct": "32da"]
    all.merge(attributes) { $1 }
    for (key, value) in all {
      try (value + "\n").write(toFile: device + "/" + key, atomically: false, encoding: .utf8)
    }
    for (key, value) in interface {
      try (value + "\n")
        .write(toFile: device + "/\(name):1.0/" + key, atomically: false, encoding: .utf8)
    }
    try files.createSymbolicLink(atPath: links + "/" + name, withDestinationPath: device)
    try files.createSymbolicLink(
      atPath: links + "/\(name):1.0",
      withDestinationPath: device + "/\(name):1.0"
    )
  }

  private static let image = [
    "bInterfaceClass": "06", "bInterfaceSubClass": "01", "bInterfaceProtocol": "01",
  ]

  private func connected() -> [CameraDevice] {
    CameraDevice.connected(in: Array((scratch.path + "/bus").utf8))
  }

  @Test("Of what is connected, cameras and phones are found, with what their process needs")
  func find() throws {
    let camera = ["manufacturer": "Canon Inc.", "product": "EOS R6", "serial": "0123"]
    try put("1-2", number: 4, interface: Self.image, camera)
    try put(
      "1-3.1",
      number: 17,
      interface: ["bInterfaceClass": "ff", "interface": "MTP"],
      ["idVendor": "18d1", "idProduct": "4ee1"]
    )
    try put("1-5", number: 9, interface: ["bInterfaceClass": "08"], [:])
    let devices = connected()
    #expect(devices.map(\.name) == ["Canon Inc. EOS R6", "camera 18d1:4ee1"])
    #expect(devices.map(\.port) == ["usb:001,004", "usb:001,017"])
    #expect(devices[0].identity == Array("usb:04a9:32da:0123".utf8))
    let bus = scratch.path + "/devices/pci0000:00/0000:00:14.0/usb1"
    guard case .usb(let file, let folder) = devices[0].access else {
      Issue.record("no USB device")
      return
    }
    #expect(file == Array("/dev/bus/usb/001/004".utf8))
    #expect(String(decoding: folder, as: UTF8.self).hasSuffix(bus.suffix(40)))
  }

  @Test("What a device says of itself cannot forge a line or a path")
  func hostile() throws {
    let text = ["product": "x\u{1B}[31m\ty", "serial": "1\u{7}", "busnum": "1/../../etc"]
    try put("1-2", number: 4, interface: Self.image, text)
    #expect(connected().isEmpty)
    try put("1-3", number: 5, interface: Self.image, ["product": "x\u{1B}[31my", "serial": "1\u{7}"])
    let device = try #require(connected().first)
    #expect(!device.name.unicodeScalars.contains { $0.value < 0x20 })
    #expect(!device.serial.unicodeScalars.contains { $0.value < 0x20 })
    #expect(CameraDevice.connected(in: Array("/nowhere".utf8)).isEmpty)
  }

  @Test("A manifest means the only camera, one model, or one serial number")
  func selections() throws {
    #expect(CameraSelection("usb:") == .any)
    #expect(CameraSelection("usb:04a9:32da") == .model(vendor: 0x04A9, product: 0x32DA))
    #expect(CameraSelection("usb:0123") == .serial("0123"))
    for text in ["", "usb", "ptpip:1.2.3.4", "usb:a/b", "DCIM", "USB:"] {
      #expect(CameraSelection(text) == nil)
    }
    try put("1-2", number: 4, interface: Self.image, ["serial": "0123"])
    try put("1-3", number: 5, interface: Self.image, ["serial": "4567"])
    let devices = connected()
    #expect(try CameraSelection.serial("4567").choose(among: devices).serial == "4567")
    #expect(throws: CameraError(.notConnected)) {
      try CameraSelection.serial("89").choose(among: devices)
    }
    let error = #expect(throws: CameraError.self) { try CameraSelection.any.choose(among: devices) }
    #expect(error?.code == .severalConnected)
  }
}

@Suite("Messages about a camera")
struct CameraMessageTests {
  @Test("Each message and request comes back as it was")
  func roundTrip() throws {
    let path = ItemPath(bytes: Array("store_1/a/b.jpg".utf8))
    let messages: [CameraMessage] = [
      .objects([]),
      .objects([
        CameraObject(path: path, size: nil, modified: 0),
        CameraObject(path: path, size: 5, modified: 1),
      ]),
      .listed(unlistedCount: 3), .copied(bytes: 9), .libraries("2.5"),
      .failed(CameraError(.busy, "x")),
    ]
    for message in messages {
      #expect(try CameraMessage(frame: message.frame.dropFirst(4)) == message)
    }
    let task = CameraTask(
      device: .usb(file: [1], bus: [2]),
      port: "usb:001,002",
      maximumFileBytes: 7,
      enforcesByKernel: true
    )
    #expect(try CameraTask(frame: task.frame.dropFirst(4)) == task)
    for request in [CameraRequest.list, .copy(path, limit: 8), .end] {
      #expect(try CameraRequest(frame: request.frame.dropFirst(4)) == request)
    }
  }

  @Test("Paths that leave the camera, negative sizes, and what is cut or goes on are refused")
  func lies() throws {
    for text in [
      "a", "", "/a/b", "a/../b", "a//b", "a/b/", "a/.", "s/\0",
      "s/" + String(repeating: "n", count: 256),
    ] {
      let object = CameraObject(path: ItemPath(bytes: Array(text.utf8)), size: 1, modified: 0)
      #expect(throws: (any Error).self) {
        try CameraMessage(frame: CameraMessage.objects([object]).frame.dropFirst(4))
      }
    }
    let deep = ItemPath(
      bytes: Array((["s"] + Array(repeating: "d", count: 33)).joined(separator: "/").utf8)
    )
    #expect(!CameraObject.isPath(deep.bytes))
    let negative = CameraObject(path: ItemPath(bytes: Array("s/a".utf8)), size: -2, modified: 0)
    #expect(throws: (any Error).self) {
      try CameraMessage(frame: CameraMessage.objects([negative]).frame.dropFirst(4))
    }
    let good = CameraMessage.objects([
      CameraObject(path: ItemPath(bytes: Array("s/a".utf8)), size: 2, modified: 0)
    ]).frame.dropFirst(4)
    for count in 0..<good.count {
      #expect(throws: (any Error).self) { try CameraMessage(frame: good.prefix(count)) }
    }
    #expect(throws: (any Error).self) { try CameraMessage(frame: good + [0]) }
    var random = SeededGenerator()
    for _ in 0..<2000 {
      // Whatever a byte becomes, reading ends with a message or an error.
      var bytes = Array(good)
      bytes[Int(random.next() % UInt64(bytes.count))] = UInt8(truncatingIfNeeded: random.next())
      _ = try? CameraMessage(frame: bytes[...])
    }
  }
}
