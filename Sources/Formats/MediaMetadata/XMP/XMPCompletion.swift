internal import MediaModel
internal import MediaSyntax

/// Finds the properties of a packet of our own that a packet of another program lacks, and where they go.
package struct XMPCompletion {
  /// Bytes from the start of the other packet: before the end of its `rdf:RDF`.
  package let offset: Int
  /// A description with the properties of facts that are nowhere in the other packet; empty when there are none.
  package let bytes: [UInt8]

  private static let maximumTokens = 100_000
  private static let about = XMPName(XMPNamespace.rdf, "about")
  /// Properties that tell one fact: where a packet has one of them, another value beside it would contradict it, as
  /// a half of a position, or make readers of flat keywords lose the tree.
  private static let facts: [Set<XMPName>] = [
    Set(
      ["GPSLatitude", "GPSLongitude"].flatMap { [$0, $0 + "Ref"] }.map { XMPName(XMPNamespace.exif, $0) }
    ),
    [
      XMPName(XMPNamespace.exif, "DateTimeOriginal"), XMPName(XMPNamespace.basic, "CreateDate"),
      XMPName(XMPNamespace.photoshop, "DateCreated"),
    ],
    [
      XMPName(XMPNamespace.dublinCore, "subject"), XMPName(XMPNamespace.digiKam, "TagsList"),
      XMPName(XMPNamespace.lightroom, "hierarchicalSubject"),
    ],
  ]

  /// What another program's packet has.
  private struct Found {
    /// The names of all its elements and attributes, at any depth.
    var names: Set<XMPName> = []
    /// The `rdf:about` of its descriptions, which all have the same.
    var about: String?
    var end: Int?
    /// Whether `rdf` is the prefix of RDF there.
    var hasPrefix = false
  }

  /// Compares two packets; nil when the other one is not well-formed UTF-8, or has no `rdf:RDF` with an end.
  ///
  /// - Parameters:
  ///   - own: A packet that ``MediaSyntax/XMPPacket`` wrote.
  ///   - packet: The other packet.
  package init?(of own: [UInt8], for packet: [UInt8]) {
    guard let outline = try? Self.read(packet), let end = outline.end,
      let (start, all) = Self.parts(own)
    else { return nil }
    offset = end
    var names = outline.names
    for fact in Self.facts where !names.isDisjoint(with: fact) { names.formUnion(fact) }
    let lacking = all.filter { !names.contains($0.name) }
    if lacking.isEmpty {
      bytes = []
      return
    }
    let about = XMLText.escaped(outline.about ?? "", in: .attribute)
    let binding = outline.hasPrefix ? "" : " xmlns:rdf=\"\(XMPNamespace.rdf)\""
    var text = Array(" <rdf:Description rdf:about=\"\(about)\"\(binding)".utf8) + start
    for property in lacking { text += Array("\n   ".utf8) + property.bytes }
    bytes = text + Array("\n  </rdf:Description>\n ".utf8)
  }

  /// Reads all of a packet.
  ///
  /// - Returns: Nil for elements that are not nested, or text around the outermost one.
  /// - Throws: `XMLError`.
  private static func read(_ packet: [UInt8]) throws(XMLError) -> Found? {
    var tokenizer = XMLTokenizer(packet, normalizesLineEnds: false, maximumTokenCount: maximumTokens)
    var nesting = XMPNesting()
    var outline = Found()
    while let token = try tokenizer.next() {
      switch token.content {
      case .documentType: return nil
      case .start(let name, let attributes, let isEmpty):
        guard nesting.names.count < XMPNesting.maximumDepth,
          !nesting.names.isEmpty || outline.names.isEmpty
        else { return nil }
        outline.names.insert(nesting.enter(name, attributes))
        for attribute in attributes where attribute.name.utf8.contains(UInt8.colon) {
          let name = nesting.resolved(attribute.name)
          outline.names.insert(name)
          guard name == about, nesting.around(0) == XMPNesting.description,
            nesting.around(1) == XMPNesting.rdf
          else { continue }
          outline.about = outline.about ?? attribute.value
        }
        if isEmpty { nesting.leave() }
      case .end(let name):
        guard let last = nesting.around(0), nesting.resolved(name) == last else { return nil }
        if last == XMPNesting.rdf, outline.end == nil {
          outline.end = token.offset
          outline.hasPrefix = nesting.namespace(of: "rdf") == XMPNamespace.rdf
        }
        nesting.leave()
      case .text(let text):
        guard nesting.names.isEmpty else { continue }
        let blanks = " \t\r\n\u{FEFF}".unicodeScalars
        if !text.unicodeScalars.allSatisfy({ blanks.contains($0) }) { return nil }
      case .comment, .instruction: break
      }
    }
    return nesting.names.isEmpty ? outline : nil
  }

  /// The parts of a packet of our own: the start of its description behind `rdf:about`, and its properties.
  private static func parts(
    _ own: [UInt8]
  ) -> (start: ArraySlice<UInt8>, properties: [(name: XMPName, bytes: ArraySlice<UInt8>)])? {
    var tokenizer = XMLTokenizer(own, normalizesLineEnds: false, maximumTokenCount: maximumTokens)
    var nesting = XMPNesting()
    var start: ArraySlice<UInt8>?
    var properties: [(name: XMPName, bytes: ArraySlice<UInt8>)] = []
    var property = 0
    let head = "<rdf:Description rdf:about=\"\"".utf8.count
    while let token = try? tokenizer.next() {
      switch token.content {
      case .start(let name, let attributes, let isEmpty):
        let element = nesting.enter(name, attributes)
        if element == XMPNesting.description, start == nil {
          start = own[token.offset..<tokenizer.index].dropFirst(head)
        }
        if nesting.around(1) == XMPNesting.description { property = token.offset }
        if isEmpty { fallthrough }
      case .end:
        if nesting.around(1) == XMPNesting.description, let name = nesting.around(0) {
          properties.append((name, own[property..<tokenizer.index]))
        }
        nesting.leave()
      default: break
      }
    }
    return start.map { ($0, properties) }
  }
}
