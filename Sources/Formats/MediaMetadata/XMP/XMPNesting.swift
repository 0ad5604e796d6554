internal import MediaSyntax

/// The elements around a token of a packet, and what their prefixes mean there.
///
/// Source: Namespaces in XML 1.0, sections 3 and 6.
struct XMPNesting {
  /// Deeper than any packet, and far less than a stack holds.
  static let maximumDepth = 64
  static let rdf = XMPName(XMPNamespace.rdf, "RDF")
  static let description = XMPName(XMPNamespace.rdf, "Description")

  /// The names of the elements, the outermost first.
  private(set) var names: [XMPName] = []
  /// The prefixes that each of them hides, with what they mean outside.
  private var shadowed: [[(prefix: String, namespace: String?)]] = []
  private var prefixes: [String: String] = ["xml": XMPNamespace.xml]

  /// The name of the innermost element, 0, or of one around it.
  func around(_ level: Int) -> XMPName? {
    names.count > level ? names[names.count - 1 - level] : nil
  }

  /// Enters an element by its start.
  ///
  /// - Returns: Its name.
  mutating func enter(_ name: String, _ attributes: [(name: String, value: String)]) -> XMPName {
    var hidden: [(prefix: String, namespace: String?)] = []
    for (key, value) in attributes {
      guard key == "xmlns" || key.hasPrefix("xmlns:") else { continue }
      let prefix = key == "xmlns" ? "" : String(key.dropFirst(6))
      hidden.append((prefix, prefixes[prefix]))
      prefixes[prefix] = value
    }
    let element = resolved(name)
    names.append(element)
    shadowed.append(hidden)
    return element
  }

  /// Leaves the innermost element.
  mutating func leave() {
    guard names.popLast() != nil, let hidden = shadowed.popLast() else { return }
    for (prefix, namespace) in hidden.reversed() { prefixes[prefix] = namespace }
  }

  /// What a prefix means here; nil when it is not bound.
  func namespace(of prefix: String) -> String? { prefixes[prefix] }

  /// The name that an element, or an attribute with a prefix, has here.
  func resolved(_ name: String) -> XMPName {
    guard let colon = name.firstIndex(of: ":") else { return XMPName(prefixes[""] ?? "", name) }
    let local = String(name[name.index(after: colon)...])
    guard let namespace = prefixes[String(name[..<colon])] else { return XMPName("", name) }
    return XMPName(namespace, local)
  }
}
