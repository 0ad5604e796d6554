package import MediaModel
internal import MediaSandbox
package import MediaWorkerProtocol

/// What the coordinator asks of the process that reads a camera.
package enum CameraRequest: Sendable, Hashable {
  /// Lists all files; once.
  case list
  /// Copies a file into the descriptor that comes with the message; at most so many bytes.
  case copy(ItemPath, limit: Int64)
  /// Ends the camera's session, and the process.
  case end
}

extension CameraRequest: WireValue {
  package func put(into writer: inout WireWriter) {
    switch self {
    case .list: writer.put(UInt8(1))
    case .copy(let path, let limit):
      writer.put(UInt8(2))
      writer.put(path.bytes)
      writer.put(limit)
    case .end: writer.put(UInt8(3))
    }
  }

  package init(from reader: inout WireReader) throws(ProtocolError) {
    switch try reader.integer(UInt8.self) {
    case 1: self = .list
    case 2:
      let path = try reader.blob(limit: CameraObject.maximumPathLength)
      let limit: Int64 = try reader.integer()
      guard CameraObject.isPath(path), limit >= 0 else { throw ProtocolError("no path") }
      self = .copy(ItemPath(bytes: path), limit: limit)
    case 3: self = .end
    default: throw ProtocolError("unknown request")
    }
  }
}

/// What the process that reads a camera may reach, and how it is asked for it.
package struct CameraTask: Sendable, Hashable {
  var device: CameraConfinement.Device
  /// libgphoto2's name of the port, such as `usb:001,004`.
  var port: String
  /// The maker's number, 0 for a camera that is no USB device.
  var vendor: UInt16 = 0
  /// The maker's number of the model.
  var product: UInt16 = 0
  /// The most bytes that a file may have.
  var maximumFileBytes: Int64
  /// False only under `"enforcement": "process"`.
  var enforcesByKernel: Bool
  /// The seconds of silence after which the process ends itself: the coordinator's, and some more.
  var listSeconds: UInt32 = 600
  /// The same while a file is copied.
  var copySeconds: UInt32 = 600
}

extension CameraTask: WireValue {
  package func put(into writer: inout WireWriter) {
    writer.put(device)
    writer.put(port)
    writer.put(vendor)
    writer.put(product)
    writer.put(maximumFileBytes)
    writer.put(enforcesByKernel)
    writer.put(listSeconds)
    writer.put(copySeconds)
  }

  package init(from reader: inout WireReader) throws(ProtocolError) {
    device = try reader.device()
    port = try reader.text(limit: 256)
    vendor = try reader.integer()
    product = try reader.integer()
    maximumFileBytes = try reader.integer()
    guard maximumFileBytes > 0 else { throw ProtocolError("no limit") }
    enforcesByKernel = try reader.bool()
    listSeconds = try reader.integer()
    copySeconds = try reader.integer()
  }
}

extension CameraDevice: WireValue {
  /// The most bytes of a name and of a serial number, which the kernel has told.
  private static let maximumText = 2048

  package func put(into writer: inout WireWriter) {
    writer.put(name)
    writer.put(serial)
    writer.put(vendor)
    writer.put(product)
    writer.put(port)
    writer.put(access)
  }

  package init(from reader: inout WireReader) throws(ProtocolError) {
    name = try reader.text(limit: Self.maximumText)
    serial = try reader.text(limit: Self.maximumText)
    vendor = try reader.integer()
    product = try reader.integer()
    port = try reader.text(limit: 256)
    access = try reader.device()
  }
}

extension WireWriter {
  fileprivate mutating func put(_ device: CameraConfinement.Device) {
    switch device {
    case .usb(let file, let bus):
      put(UInt8(1))
      put(file)
      put(bus)
    case .loopback(let number):
      put(UInt8(2))
      put(number)
    case .none: put(UInt8(3))
    }
  }
}

extension WireReader {
  fileprivate mutating func device() throws(ProtocolError) -> CameraConfinement.Device {
    switch try integer(UInt8.self) {
    case 1:
      let file = try blob(limit: CameraObject.maximumPathLength)
      return .usb(file: file, bus: try blob(limit: CameraObject.maximumPathLength))
    case 2: return .loopback(port: try integer())
    case 3: return .none
    default: throw ProtocolError("unknown device")
    }
  }
}

/// What the process that reads a camera answers. The coordinator trusts none of it.
package enum CameraMessage: Sendable, Hashable {
  /// Some of the files; also none, which says that it goes on.
  case objects([CameraObject])
  /// All files were listed but so many, whose names cannot be used or about which the camera said nothing.
  case listed(unlistedCount: Int)
  /// The file was read to its end.
  case copied(bytes: Int64)
  /// Libraries were loaded: their version. The answer to a task without a device.
  case libraries(String)
  case failed(CameraError)

  /// The most files in one message.
  static let maximumObjects = 4096
  private static let maximumText = 512
}

extension CameraMessage: WireValue {
  package func put(into writer: inout WireWriter) {
    switch self {
    case .objects(let objects):
      writer.put(UInt8(2))
      writer.put(UInt32(objects.count))
      for object in objects {
        writer.put(object.path.bytes)
        writer.put(object.size ?? -1)
        writer.put(object.modified)
      }
    case .listed(let unlistedCount):
      writer.put(UInt8(3))
      writer.put(UInt32(clamping: unlistedCount))
    case .copied(let bytes):
      writer.put(UInt8(4))
      writer.put(bytes)
    case .libraries(let version):
      writer.put(UInt8(5))
      writer.put(Array(version.utf8.prefix(Self.maximumText)))
    case .failed(let error):
      writer.put(UInt8(6))
      writer.put(error.code.rawValue)
      writer.put(Array(error.detail.utf8.prefix(Self.maximumText)))
    }
  }

  /// Reads the fields, and refuses paths, sizes and times that no camera can have.
  package init(from reader: inout WireReader) throws(ProtocolError) {
    switch try reader.integer(UInt8.self) {
    case 2: self = .objects(try Self.objects(&reader))
    case 3: self = .listed(unlistedCount: Int(try reader.integer(UInt32.self)))
    case 4:
      let bytes: Int64 = try reader.integer()
      guard bytes >= 0 else { throw ProtocolError("a negative size") }
      self = .copied(bytes: bytes)
    case 5:
      self = .libraries(String(decoding: try reader.blob(limit: Self.maximumText), as: UTF8.self))
    case 6:
      guard let code = CameraError.Code(rawValue: try reader.integer()) else {
        throw ProtocolError("unknown error")
      }
      let text = String(decoding: try reader.blob(limit: Self.maximumText), as: UTF8.self)
      self = .failed(CameraError(code, text))
    default: throw ProtocolError("unknown message")
    }
  }

  private static func objects(_ reader: inout WireReader) throws(ProtocolError) -> [CameraObject] {
    var objects: [CameraObject] = []
    for _ in 0..<(try reader.count(limit: maximumObjects)) {
      let path = try reader.blob(limit: CameraObject.maximumPathLength)
      let size: Int64 = try reader.integer()
      let modified: Int64 = try reader.integer()
      guard CameraObject.isPath(path) else { throw ProtocolError("no path") }
      guard size >= -1 else { throw ProtocolError("a negative size") }
      objects.append(
        CameraObject(path: ItemPath(bytes: path), size: size < 0 ? nil : size, modified: modified)
      )
    }
    return objects
  }
}
