import MediaContainers
import MediaTestSupport

/// A tar with the fewest bytes, of any header that a program may write.
struct TinyTAR {
  /// The blocks so far, without the end.
  var blocks: [UInt8] = []

  /// The archive with its end.
  var bytes: [UInt8] { blocks + [UInt8](repeating: 0, count: 1024) }

  /// Adds a header and its content.
  ///
  /// - Parameters:
  ///   - name: At most 100 bytes.
  ///   - content: What stands behind the header, filled to whole blocks.
  ///   - type: The type of the header.
  ///   - folder: The folder of ustar.
  ///   - size: The field, 12 bytes; by default the length of the content.
  ///   - change: Changes the header before its checksum is made.
  mutating func add(
    _ name: String,
    _ content: [UInt8] = [],
    type: Character = "0",
    folder: String = "",
    size: [UInt8]? = nil,
    change: (inout [UInt8]) -> Void = { _ in }
  ) {
    var header = [UInt8](repeating: 0, count: 512)
    func put(_ bytes: some Collection<UInt8>, at offset: Int) {
      header.replaceSubrange(offset..<(offset + bytes.count), with: bytes)
    }
    put(name.utf8, at: 0)
    put("0000644\0".utf8, at: 100)
    put(size ?? Self.octal(content.count), at: 124)
    put(Self.octal(1_562_233_530), at: 136)
    put([type.asciiValue ?? 0], at: 156)
    put("ustar\u{0}00".utf8, at: 257)
    put(folder.utf8, at: 345)
    change(&header)
    put([UInt8](repeating: 0x20, count: 8), at: 148)
    put(Self.octal(header.reduce(0) { $0 + Int($1) }, digits: 7), at: 148)
    blocks += header + content + [UInt8](repeating: 0, count: -content.count & 511)
  }

  /// Adds an extended header of pax.
  mutating func extend(_ records: [(key: String, value: String)], type: Character = "x") {
    let value = records.flatMap { key, value in
      let rest = 3 + key.utf8.count + value.utf8.count
      // The length counts its own digits.
      let length = (1...9).map { rest + $0 }.first { "\($0)".utf8.count + rest == $0 } ?? 0
      return Array("\(length) \(key)=\(value)\n".utf8)
    }
    add("PaxHeaders/a", value, type: type)
  }

  /// A field of a number in octal digits, and a zero behind it.
  static func octal(_ value: Int, digits: Int = 12) -> [UInt8] {
    let text = String(value, radix: 8)
    return Array((String(repeating: "0", count: digits - 1 - text.count) + text).utf8) + [0]
  }

  /// A member of gzip, with the fields behind its header that its flags tell of; the effort is 0 to 12.
  static func gzip(_ bytes: [UInt8], flags: UInt8 = 0, _ fields: [UInt8] = [], level: Int = 6) -> [UInt8] {
    var sum = CRC32()
    bytes.withUnsafeBytes { sum.update($0) }
    let data = Deflater(level: level)?.stream(of: bytes).dropFirst(2).dropLast(4) ?? []
    return [0x1F, 0x8B, 8, flags, 0, 0, 0, 0, 0, 3] + fields + data + little(Int(sum.value))
      + little(bytes.count)
  }

  /// An export with a header of each kind.
  static let export: TinyTAR = {
    var tar = TinyTAR()
    let folder = "Takeout/Google Photos/Rome/"
    tar.add(folder, type: "5")
    tar.add("IMG_1.jpg", Array("picture".utf8), folder: String(folder.dropLast()))
    tar.add(folder + "IMG_1.jpg.json", Array("{\"title\":\"IMG_1.jpg\"}".utf8))
    tar.extend([("path", folder + "Piazza del Popolo è.jpg"), ("mtime", "1562233530.25")])
    tar.add("cut", Array("named by pax".utf8))
    tar.add("././@LongLink", Array((folder + String(repeating: "l", count: 200) + ".jpg\0").utf8), type: "L")
    tar.add("cut", Array("named by GNU".utf8)) {
      $0.replaceSubrange(257..<265, with: Array("ustar  \0".utf8))
    }
    tar.add(folder + "link.jpg", type: "2")
    return tar
  }()
}
