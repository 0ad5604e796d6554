import MediaTestSupport

/// Units of coded media that hold a text, to stand between those of a sample or of a configuration.
enum PlantedUnits {
  private typealias Unit = (name: String, bytes: [UInt8])
  private static let text = PlantedPlaces.text

  static func of(_ coding: FileGrammar.Coding) -> [(name: String, bytes: [UInt8])] {
    switch coding {
    case .avc(let width): framed(avc, width)
    case .hevc(let width): framed(hevc, width)
    case .hevcArray:
      (0..<64).flatMap { type in
        [0, 0x40, 0x80].map { flags in
          let unit = [UInt8(type << 1), 1] + text
          return ("array \(type)", [UInt8(type | flags)] + big(1, 2) + big(unit.count, 2) + unit)
        }
      }
    case .av1: obus
    case .startCodes: (0...255).map { ("start code \($0)", [0, 0, 1, UInt8($0)] + text) }
    case .jpeg:
      (0xC0...0xFE).map { marker in
        let name = "\(marker == 0xFE ? "COM" : "marker") \(String(marker, radix: 16, uppercase: true))"
        return (name, [0xFF, UInt8(marker)] + big(text.count + 2, 2) + text)
      }
    case .other: PlantedPlaces.bodies
    }
  }

  private static func framed(_ units: [Unit], _ width: Int) -> [Unit] {
    guard width == 1 || width == 2 || width == 4 else { return [] }
    return units.map { ($0.name, big($0.bytes.count, width) + $0.bytes) }
  }

  private static let avc: [Unit] = {
    var units: [Unit] = []
    for type in UInt8(0)..<32 {
      for flags in [0, 0x20, 0x60, 0x80] as [UInt8] {
        units.append(("H.264 unit \(type)", [type | flags] + text))
      }
      units.append(("H.264 unit 1 with a unit \(type)", [0x41, 0x9A, 0x01, 0, 0, 1, type] + text))
      units.append(("H.264 unit \(type) twice", [type] + text + [0, 0, 1, type] + text))
    }
    for message in messages { units.append(("SEI \(message.name)", [6] + message.bytes)) }
    return units
  }()

  private static let hevc: [Unit] = {
    var units: [Unit] = []
    for type in UInt8(0)..<64 {
      units.append(("HEVC unit \(type)", [type << 1, 1] + text))
      units.append(("HEVC unit \(type) of layer 1", [type << 1, 9] + text))
      units.append(("HEVC unit \(type) of layer 32", [type << 1 | 1, 1] + text))
      units.append(("HEVC unit 1 with a unit \(type)", [2, 1, 0x9A, 0x01, 0, 0, 1, type << 1, 1] + text))
    }
    for type in [39, 40] as [UInt8] {
      for message in messages { units.append(("SEI \(message.name)", [type << 1, 1] + message.bytes)) }
    }
    return units
  }()

  /// Supplemental messages of every type with the text in several lengths, alone and behind another one, and bytes
  /// behind the last.
  private static let messages: [Unit] = {
    var messages: [Unit] = []
    func message(_ type: Int, _ body: [UInt8]) -> [UInt8] {
      [UInt8](repeating: 0xFF, count: type / 255) + [UInt8(type % 255)]
        + [UInt8](repeating: 0xFF, count: body.count / 255) + [UInt8(body.count % 255)] + body
    }
    let recovery = message(6, [0x84])
    for type in Array(0...255) + [300, 511] {
      for length in [16, 24, 32, 64, 300] {
        let body = (0..<length).map { text[$0 % text.count] }
        messages.append(("\(type)", message(type, body) + [0x80]))
      }
      messages.append(("\(type) behind one", recovery + message(type, text) + [0x80]))
      messages.append(("\(type) ahead of one", message(type, text) + recovery + [0x80]))
      messages.append(("\(type) in the open", message(type, text)))
      messages.append(("\(type) behind zeros", message(type, [0, 0, 3, 0, 0, 3, 0] + text) + [0x80]))
    }
    // User data of T.35 by their country and provider, and of registered identifiers.
    for start in [
      [0xB5, 0x00, 0x31], [0xB5, 0x00, 0x2F], [0xB5, 0x00, 0x3C, 0x00, 0x02], [0x26], [0xFF, 1],
    ] as [[UInt8]] {
      messages.append(("4 of a country", message(4, start + text) + [0x80]))
    }
    messages.append(("behind the end", recovery + [0x80] + text))
    messages.append(("behind zeros", recovery + [0x80, 0, 0, 3, 0, 0] + text))
    return messages
  }()

  private static let obus: [Unit] = (0..<16).flatMap { type -> [Unit] in
    let head = UInt8(type << 3)
    var units: [Unit] = [
      ("OBU \(type)", [head | 2, UInt8(text.count)] + text),
      ("OBU \(type) with an extension", [head | 6, 0x28, UInt8(text.count)] + text),
      ("OBU \(type) with a reserved bit", [head | 3, UInt8(text.count)] + text),
      ("OBU \(type) in the open", [head] + text),
    ]
    if type == 5 {
      // Metadata by their types; a length of two bytes.
      for kind in 0..<40 {
        let body = [UInt8(kind)] + text + [0x80]
        units.append(("OBU metadata \(kind)", [head | 2, UInt8(body.count | 0x80), 0] + body))
      }
    }
    return units
  }
}
