/// Writes an XMP packet: its wrapper, and one description with finished properties.
///
/// Source: ISO 16684-1 section 7; XMP specification part 3 section 1.1 (the wrapper).
package enum XMPPacket {
  package enum Layout: Sendable {
    /// Without a line break or padding, in a wrapper that is read-only: within another file.
    case embedded
    /// Indented lines in a wrapper that may be written: a file of its own.
    case lines
  }

  /// The namespace of the wrapper's element.
  package static let meta = "adobe:ns:meta/"
  package static let rdf = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"

  /// Writes the packet.
  ///
  /// - Parameters:
  ///   - properties: Elements, as the functions here make them.
  ///   - namespaces: The prefixes that the properties use, with their namespaces.
  ///   - attributes: Attributes of the description; names and values must not need XML escaping.
  ///   - layout: Where the packet stands.
  /// - Returns: The packet in UTF-8.
  package static func bytes(
    of properties: [String],
    namespaces: [(String, String)],
    attributes: [(String, String)] = [],
    layout: Layout
  ) -> [UInt8] {
    func line(_ depth: Int, _ text: String) -> String {
      layout == .lines ? "\n" + String(repeating: " ", count: depth) + text : text
    }
    let space = layout == .lines ? "" : " "
    var text = "<?xpacket begin=\"\u{FEFF}\" id=\"W5M0MpCehiHzreSzNTczkc9d\"?>"
    text += line(0, "<x:xmpmeta xmlns:x=\"\(meta)\">")
    text += line(1, "<rdf:RDF xmlns:rdf=\"\(rdf)\">")
    text += line(2, "<rdf:Description rdf:about=\"\"")
    for (prefix, namespace) in namespaces {
      text += line(4, "\(space)xmlns:\(prefix)=\"\(namespace)\"")
    }
    for (name, value) in attributes { text += line(4, "\(space)\(name)=\"\(value)\"") }
    text += ">"
    for property in properties { text += line(3, property) }
    text += line(2, "</rdf:Description>") + line(1, "</rdf:RDF>") + line(0, "</x:xmpmeta>")
    text += line(0, "<?xpacket end=\"\(layout == .lines ? "w" : "r")\"?>")
    return Array((text + line(0, "")).utf8)
  }

  /// Returns an element with the given content, which is not escaped.
  package static func element(_ name: String, _ content: String) -> String {
    "<\(name)>\(content)</\(name)>"
  }

  /// Returns an element with one text for readers of any language, which is escaped already.
  package static func alternative(_ name: String, _ text: String) -> String {
    element(name, "<rdf:Alt><rdf:li xml:lang=\"x-default\">\(text)</rdf:li></rdf:Alt>")
  }

  /// Returns an element with a list of texts, which are escaped already: a `Bag` without an order, or a `Seq`.
  package static func list(_ name: String, _ kind: String, _ texts: [String]) -> String {
    let items = texts.map { element("rdf:li", $0) }.joined()
    return element(name, element("rdf:\(kind)", items))
  }
}
