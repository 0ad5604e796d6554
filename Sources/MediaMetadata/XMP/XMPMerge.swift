internal import MediaSyntax

/// Puts the properties of a packet of our own into one that a file has, whose other properties stay, byte for byte.
package enum XMPMerge {
  private static let maximumTokens = 100_000
  private static let rdf = XMPName(XMPNamespace.rdf, "RDF")
  private static let description = XMPName(XMPNamespace.rdf, "Description")
  private static let about = XMPName(XMPNamespace.rdf, "about")
  /// The beginning of a description of our own.
  private static let head = Array("<rdf:Description rdf:about=\"\"".utf8)

  /// Returns the packet with the properties, each in place of the one of its name. They are about what the file's
  /// are about, since a packet is about one thing alone.
  ///
  /// Source: XMP specification part 1, section 7.4.
  ///
  /// - Parameters:
  ///   - own: A packet that ``MediaSyntax/XMPPacket`` wrote.
  ///   - packet: The file's packet.
  /// - Returns: Nil when the file's packet is not well-formed UTF-8, or has no `rdf:RDF` that is written so.
  package static func merged(_ own: [UInt8], into packet: [UInt8]) -> [UInt8]? {
    guard let added = ownDescription(own) else { return nil }
    let names = Set(XMPProperties(own).all.map(\.name))
    var merge = Merge(packet, names: names, added: added)
    return merge.run()
  }

  /// The description in a packet of our own, which knows RDF's prefix from around it.
  private static func ownDescription(_ own: [UInt8]) -> [UInt8]? {
    var tokenizer = XMLTokenizer(own, normalizesLineEnds: false, maximumTokenCount: maximumTokens)
    var start: Int?
    while let token = try? tokenizer.next() {
      switch token.content {
      case .start("rdf:Description", _, _): start = start ?? token.offset
      case .end("rdf:Description"): return start.map { Array(own[$0..<tokenizer.index]) }
      default: break
      }
    }
    return nil
  }

  private struct Merge {
    private let packet: [UInt8]
    private let names: Set<XMPName>
    private let added: [UInt8]
    private var tokenizer: XMLTokenizer
    private var output: [UInt8] = []
    /// The elements around the next token, each with the prefixes that it hides.
    private var stack: [(name: XMPName, shadowed: [(prefix: String, namespace: String?)])] = []
    private var prefixes: [String: String] = ["xml": XMPNamespace.xml]
    /// The number of elements around a property that is left out; nil outside of one.
    private var leftOutDepth: Int?
    private var isAdded = false
    /// What the descriptions of the packet are about; nil where none of them says anything.
    private var about: String?

    init(_ packet: [UInt8], names: Set<XMPName>, added: [UInt8]) {
      (self.packet, self.names, self.added) = (packet, names, added)
      tokenizer = XMLTokenizer(
        packet,
        normalizesLineEnds: false,
        maximumTokenCount: XMPMerge.maximumTokens
      )
    }

    mutating func run() -> [UInt8]? {
      do throws(XMLError) {
        while let token = try tokenizer.next() {
          guard take(token) else { return nil }
        }
      } catch {
        return nil
      }
      return isAdded && stack.isEmpty ? output : nil
    }

    /// Returns false for what makes it no packet that can be changed.
    private mutating func take(_ token: XMLToken) -> Bool {
      let bytes = packet[token.offset..<tokenizer.index]
      switch token.content {
      case .documentType: return false
      case .start(let name, let attributes, let isEmpty):
        guard stack.count < 64 else { return false }
        let element = enter(name, attributes)
        let parent = stack.count > 1 ? stack[stack.count - 2].name : nil
        let isTop = element == XMPMerge.description && parent == XMPMerge.rdf
        if isEmpty, element == XMPMerge.rdf { return false }
        if isTop, about == nil {
          about =
            attributes.first { resolved($0.name) == XMPMerge.about && !$0.value.isEmpty }?.value
        }
        if leftOutDepth == nil, parent == XMPMerge.description, names.contains(element),
          stack.count > 2, stack[stack.count - 3].name == XMPMerge.rdf
        {
          leftOutDepth = stack.count
        }
        if leftOutDepth == nil {
          output += isTop ? tag(name, attributes, isEmpty, bytes) : Array(bytes)
        }
        if isEmpty { leave() }
      case .end(let name):
        guard let last = stack.last, resolved(name) == last.name else { return false }
        if last.name == XMPMerge.rdf, !isAdded, leftOutDepth == nil {
          guard prefixes["rdf"] == XMPNamespace.rdf else { return false }
          addOwn()
          isAdded = true
        }
        if leftOutDepth == nil { output += bytes }
        leave()
      case .text, .comment, .instruction:
        if leftOutDepth == nil { output += bytes }
      }
      return true
    }

    private mutating func addOwn() {
      guard let about, added.starts(with: XMPMerge.head) else { return output += added }
      output += XMPMerge.head.dropLast() + Array("\(Self.escaped(about))\"".utf8)
      output += added.dropFirst(XMPMerge.head.count)
    }

    private mutating func enter(
      _ name: String,
      _ attributes: [(name: String, value: String)]
    ) -> XMPName {
      var shadowed: [(prefix: String, namespace: String?)] = []
      for (key, value) in attributes {
        guard key == "xmlns" || key.hasPrefix("xmlns:") else { continue }
        let prefix = key == "xmlns" ? "" : String(key.dropFirst(6))
        shadowed.append((prefix, prefixes[prefix]))
        prefixes[prefix] = value
      }
      let element = resolved(name)
      stack.append((element, shadowed))
      return element
    }

    private mutating func leave() {
      if leftOutDepth == stack.count { leftOutDepth = nil }
      guard let element = stack.popLast() else { return }
      for (prefix, namespace) in element.shadowed.reversed() { prefixes[prefix] = namespace }
    }

    /// The start of a description, written again if one of its attributes is a property that is left out.
    private func tag(
      _ name: String,
      _ attributes: [(name: String, value: String)],
      _ isEmpty: Bool,
      _ bytes: ArraySlice<UInt8>
    ) -> [UInt8] {
      let kept = attributes.filter { attribute in
        // A name without a prefix is in no namespace. Source: Namespaces in XML 1.0, section 6.2.
        !attribute.name.utf8.contains(UInt8(ascii: ":")) || attribute.name.hasPrefix("xmlns:")
          || !names.contains(resolved(attribute.name))
      }
      if kept.count == attributes.count { return Array(bytes) }
      let texts = kept.map { " \($0.name)=\"\(Self.escaped($0.value))\"" }
      return Array("<\(name)\(texts.joined())\(isEmpty ? "/>" : ">")".utf8)
    }

    /// Source: XML 1.0 section 3.3.3: white space in an attribute would become a space.
    private static func escaped(_ value: String) -> String {
      value.unicodeScalars.reduce(into: "") { text, scalar in
        switch scalar {
        case "&": text += "&amp;"
        case "<": text += "&lt;"
        case "\"": text += "&quot;"
        case "\t", "\n", "\r": text += "&#\(scalar.value);"
        default: text.unicodeScalars.append(scalar)
        }
      }
    }

    private func resolved(_ name: String) -> XMPName {
      guard let colon = name.firstIndex(of: ":") else { return XMPName(prefixes[""] ?? "", name) }
      let local = String(name[name.index(after: colon)...])
      guard let namespace = prefixes[String(name[..<colon])] else { return XMPName("", name) }
      return XMPName(namespace, local)
    }
  }
}
