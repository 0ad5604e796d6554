internal import MediaModel
internal import MediaSyntax

/// Puts the properties of a packet of our own into one that a file has, whose other properties stay, byte for byte.
package enum XMPMerge {
  private static let maximumTokens = 100_000
  private static let rdf = XMPNesting.rdf
  private static let description = XMPNesting.description
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
  ///   - others: Properties of the file's packet that are left out too.
  /// - Returns: Nil when the file's packet is not well-formed UTF-8, or has no `rdf:RDF` that is written so.
  package static func merged(
    _ own: [UInt8],
    into packet: [UInt8],
    without others: Set<XMPName> = []
  ) -> [UInt8]? {
    guard let added = ownDescription(own) else { return nil }
    let names = others.union(XMPProperties(own).all.map(\.name))
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
    private var nesting = XMPNesting()
    /// The number of elements around a property that is left out; nil outside of one.
    private var leftOutDepth: Int?
    private var isAdded = false
    /// What the descriptions of the packet are about; nil where none of them says anything.
    private var about: String?

    init(_ packet: [UInt8], names: Set<XMPName>, added: [UInt8]) {
      (self.packet, self.names, self.added) = (packet, names, added)
      tokenizer = XMLTokenizer(packet, normalizesLineEnds: false, maximumTokenCount: XMPMerge.maximumTokens)
    }

    mutating func run() -> [UInt8]? {
      do throws(XMLError) {
        while let token = try tokenizer.next() {
          guard take(token) else { return nil }
        }
      } catch {
        return nil
      }
      return isAdded && nesting.names.isEmpty ? output : nil
    }

    /// Returns false for what makes it no packet that can be changed.
    private mutating func take(_ token: XMLToken) -> Bool {
      let bytes = packet[token.offset..<tokenizer.index]
      switch token.content {
      case .documentType: return false
      case .start(let name, let attributes, let isEmpty):
        guard nesting.names.count < XMPNesting.maximumDepth else { return false }
        let element = nesting.enter(name, attributes)
        let parent = nesting.around(1)
        let isTop = element == XMPMerge.description && parent == XMPMerge.rdf
        if isEmpty, element == XMPMerge.rdf { return false }
        if isTop, about == nil {
          about =
            attributes.first { [nesting] in
              nesting.resolved($0.name) == XMPMerge.about && !$0.value.isEmpty
            }?.value
        }
        if leftOutDepth == nil, parent == XMPMerge.description, names.contains(element),
          nesting.around(2) == XMPMerge.rdf
        {
          leftOutDepth = nesting.names.count
        }
        if leftOutDepth == nil {
          output += isTop ? tag(name, attributes, isEmpty, bytes) : Array(bytes)
        }
        if isEmpty { leave() }
      case .end(let name):
        guard let last = nesting.around(0), nesting.resolved(name) == last else { return false }
        if last == XMPMerge.rdf, !isAdded, leftOutDepth == nil {
          guard nesting.namespace(of: "rdf") == XMPNamespace.rdf else { return false }
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
      output += XMPMerge.head.dropLast() + Array("\(XMLText.escaped(about, in: .attribute))\"".utf8)
      output += added.dropFirst(XMPMerge.head.count)
    }

    private mutating func leave() {
      if leftOutDepth == nesting.names.count { leftOutDepth = nil }
      nesting.leave()
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
        !attribute.name.utf8.contains(UInt8.colon) || attribute.name.hasPrefix("xmlns:")
          || !names.contains(nesting.resolved(attribute.name))
      }
      if kept.count == attributes.count { return Array(bytes) }
      let texts = kept.map { " \($0.name)=\"\(XMLText.escaped($0.value, in: .attribute))\"" }
      return Array("<\(name)\(texts.joined())\(isEmpty ? "/>" : ">")".utf8)
    }
  }
}
