import MediaContainers
import MediaSyntax

/// Reads the names of the values in content credentials: a store of manifests in JUMBF, whose
/// assertions and claims are CBOR or JSON.
///
/// Signatures are not checked, and pictures in the store are not read.
///
/// Source: ISO/IEC 19566-5 annexes A and B (JUMBF); C2PA specification 2.1 section 11.1.
package enum ContentCredentials {
  /// The longest store in bytes that is read.
  package static let maximumLength = 16 << 20
  private static let maximumDepth = 16
  private static let maximumNames = 512

  /// Returns the names of all values that are not empty, each once and sorted, in a box, chunk or frame
  /// in which a store stands behind a short head.
  package static func names(in bytes: [UInt8]) -> [String] {
    let source = ByteSource(bytes)
    guard let type = source.firstOffset(of: Array("jumb".utf8), in: 0..<min(bytes.count, 256)),
      type >= 4
    else { return [] }
    var names: Set<String> = []
    read((type - 4)..<bytes.count, of: source, depth: 0, into: &names)
    return names.sorted()
  }

  private static func read(
    _ range: Range<Int>,
    of source: ByteSource,
    depth: Int,
    into names: inout Set<String>
  ) {
    guard depth < maximumDepth else { return }
    for box in ISOBoxes(source, in: range, limit: 1024) where names.count < maximumNames {
      switch box.type {
      case "jumb": read(box.body, of: source, depth: depth + 1, into: &names)
      case "cbor":
        var fields = CBORFields(source, in: box.body)
        fields.read(into: &names)
      case "json":
        let text = source.bytes(in: box.body, limit: 1 << 20) ?? []
        if let root = JSONParser.parse(text).root { read(root, into: &names) }
      default: continue
      }
    }
  }

  private static func read(_ node: JSONNode, into names: inout Set<String>) {
    switch node.value {
    case .array(let elements): for element in elements { read(element, into: &names) }
    case .object(let members):
      for member in members where names.count < maximumNames {
        switch member.value.value {
        case .null, .damaged: continue
        case .string(let text) where text.isEmpty: continue
        default: names.insert(member.key)
        }
        read(member.value, into: &names)
      }
    default: return
    }
  }
}
