internal import MediaModel
internal import MediaSyntax

/// The name of an XMP property: its namespace, never its prefix, which every program may choose.
package struct XMPName: Hashable, Sendable {
  package var namespace: String
  package var name: String

  package init(_ namespace: String, _ name: String) {
    self.namespace = namespace
    self.name = name
  }

  /// The name with its usual prefix, as a listing has it.
  var label: String {
    EscapedText.printable("\(XMPNamespace.prefix(namespace)):\(name)", limit: 80)
  }
}

/// The namespaces that are read and written here.
///
/// Source: ISO 16684-1 (XMP part 1) section 8; Adobe XMP specification part 2.
package enum XMPNamespace {
  static let rdf = XMPPacket.rdf
  static let xml = "http://www.w3.org/XML/1998/namespace"
  package static let meta = XMPPacket.meta
  package static let dublinCore = "http://purl.org/dc/elements/1.1/"
  package static let basic = "http://ns.adobe.com/xap/1.0/"
  package static let exif = "http://ns.adobe.com/exif/1.0/"
  package static let tiff = "http://ns.adobe.com/tiff/1.0/"
  static let photoshop = "http://ns.adobe.com/photoshop/1.0/"
  /// Windows writes it with a slash at its end, exiftool without.
  static let microsoft = [
    "http://ns.microsoft.com/photo/1.0/", "http://ns.microsoft.com/photo/1.0",
  ]
  static let panorama = "http://ns.google.com/photos/1.0/panorama/"
  static let camera = "http://ns.google.com/photos/1.0/camera/"
  static let depth = "http://ns.google.com/photos/1.0/depthmap/"
  static let regions = "http://www.metadataworkinggroup.com/schemas/regions/"
  static let microsoftRegion = "http://ns.microsoft.com/photo/1.2/t/Region#"
  static let iptcExtension = "http://iptc.org/std/Iptc4xmpExt/2008-02-29/"
  static let digiKam = "http://www.digikam.org/ns/1.0/"
  static let lightroom = "http://ns.adobe.com/lightroom/1.0/"
  static let mediaPro = "http://ns.iview-multimedia.com/mediapro/1.0/"
  static let acdSee = "http://ns.acdsee.com/iptc/1.0/"
  static let exifEX = "http://cipa.jp/exif/1.0/"
  static let plus = "http://ns.useplus.org/ldf/xmp/1.0/"

  /// The namespaces of names that are not read here, and whose last part says nothing or is that of
  /// another one.
  ///
  /// Source: IPTC Photo Metadata Standard; CIPA DC-010 (Exif in XMP); Darwin Core; PLUS LDF.
  private static let others = [
    "http://iptc.org/std/Iptc4xmpCore/1.0/xmlns/": "Iptc4xmpCore",
    exifEX: "exifEX", "http://rs.tdwg.org/dwc/index.htm": "dwc",
    "http://rs.tdwg.org/dwc/terms/": "dwc", plus: "plus",
  ]

  /// The prefix that a namespace has in most files; of one that is not known, its last part.
  package static func prefix(_ namespace: String) -> String {
    let prefixes = [
      rdf: "rdf", xml: "xml", meta: "x", dublinCore: "dc", basic: "xmp", exif: "exif", tiff: "tiff",
      photoshop: "photoshop",
    ]
    if let prefix = others[namespace] { return prefix }
    if let prefix = prefixes[namespace] { return prefix }
    let parts = namespace.split(whereSeparator: { $0 == "/" || $0 == "#" })
    return parts.last { $0.first?.isLetter == true }.map(String.init) ?? "?"
  }
}

/// The top-level properties of an XMP packet that have a plain value or a list of plain values.
///
/// Read in either of RDF's two forms, attribute or element. Structures and what lies within them are
/// passed over, so that nothing below a property is taken for it.
///
/// Source: ISO 16684-1 section 7 (RDF/XML serialization).
package struct XMPProperties {
  /// Deeper than any packet, and far less than a stack holds.
  private static let maximumDepth = 64
  private static let maximumValues = 256
  static let maximumTokens = 100_000

  private struct Element {
    var name: XMPName
    var language: String?
    /// Prefixes that were bound here, with what they meant outside.
    var shadowed: [(prefix: String, namespace: String?)]
    var text = ""
    var hasChildren = false
    /// What an item of a list says of a region; nil of any other element.
    var region: Region?
  }

  /// A part of a picture, as far as it names a person.
  private struct Region {
    private var name: String?
    private var type: String?
    private var displayName: String?

    /// The name of the person; nil for a region of anything else, such as a pet or a focus point.
    var person: String? { displayName ?? (type == nil || type == "Face" ? name : nil) }

    /// Takes a field.
    ///
    /// Source: MWG guidelines 2.0, section 5.9; Microsoft, "People Tagging Overview".
    mutating func take(_ field: XMPName, _ value: String) {
      switch (field.namespace, field.name) {
      case (XMPNamespace.regions, "Name"): name = value
      case (XMPNamespace.regions, "Type"): type = value
      case (XMPNamespace.microsoftRegion, "PersonDisplayName"): displayName = value
      default: break
      }
    }
  }

  private var values: [XMPName: [String]] = [:]
  /// Whether the packet was read to its end: it is well-formed and within the limits, and has an
  /// `rdf:RDF`.
  package private(set) var isWhole = false
  /// Whether it was read no further because it has more than ``maximumTokens``.
  private(set) var isOverLimit = false
  private var hasDescriptions = false
  /// The top-level properties that are structures, or lists of them, such as regions with faces, each
  /// with the names of the fields in it that have a value.
  package private(set) var structures: [XMPName: Set<XMPName>] = [:]
  /// The program whose library wrote the packet, as its outermost element names it.
  package private(set) var toolkit: String?
  /// The names of the people in regions, and in IPTC's details of people, in their order.
  package private(set) var people: [String] = []
  /// The names of the fields in the property that is read.
  private var fields: Set<XMPName> = []
  /// The number of elements around a property.
  private var propertyDepth = 0
  private var prefixes: [String: String] = ["xml": XMPNamespace.xml]
  private var stack: [Element] = []

  /// Reads `packet` as far as it is well-formed; one that is not XML has no properties.
  package init(_ packet: [UInt8]) {
    var tokenizer = XMLTokenizer(
      Self.inUTF8(packet),
      normalizesLineEnds: false,
      maximumTokenCount: Self.maximumTokens
    )
    var tokens = 0
    do throws(XMLError) {
      while let token = try tokenizer.next() {
        tokens += 1
        switch token.content {
        case .start(let name, let attributes, let isEmpty):
          guard stack.count < Self.maximumDepth else { return }
          start(name, attributes)
          if isEmpty { end() }
        case .end: end()
        case .text(let text):
          if !stack.isEmpty { stack[stack.count - 1].text += text }
        case .comment, .instruction: break
        case .documentType: return
        }
      }
      isWhole = hasDescriptions && stack.isEmpty
    } catch {
      // The properties that were read before stay: an embedded packet may be cut.
      isOverLimit = tokens == Self.maximumTokens
    }
  }

  /// Returns a packet in UTF-8; one in UTF-16 has a byte of zero in each sign of markup.
  ///
  /// Source: XMP specification part 3, section 1.1.2 (encodings of a packet).
  private static func inUTF8(_ packet: [UInt8]) -> [UInt8] {
    let head = packet.prefix(4)
    let isBig = head.starts(with: [0xFE, 0xFF]) || head.starts(with: [0, 0x3C])
    guard isBig || head.starts(with: [0xFF, 0xFE]) || head.starts(with: [0x3C, 0]) else {
      return packet
    }
    let units = stride(from: 0, to: packet.count - 1, by: 2).map { index in
      let (first, second) = (UInt16(packet[index]), UInt16(packet[index + 1]))
      return isBig ? first << 8 | second : second << 8 | first
    }
    let text = String(decoding: units.drop { $0 == 0xFEFF }, as: UTF16.self)
    // What says that it is UTF-16 is no longer true.
    guard text.hasPrefix("<?xml "), let end = text.firstIndex(of: ">") else {
      return Array(text.utf8)
    }
    return Array(text[text.index(after: end)...].utf8)
  }

  /// The values of a property in their order; of a text in several languages, the default one first.
  package subscript(_ namespace: String, _ name: String) -> [String] {
    values[XMPName(namespace, name)] ?? []
  }

  /// Every property, by its name.
  package var all: [(name: XMPName, values: [String])] {
    values.map { ($0.key, $0.value) }
      .sorted { ($0.0.namespace, $0.0.name) < ($1.0.namespace, $1.0.name) }
  }

  /// Returns whether a property or a structure meets its condition.
  func contains(
    where isWanted: (XMPName, [String]) -> Bool,
    structure: (XMPName, Set<XMPName>) -> Bool
  ) -> Bool {
    values.contains { isWanted($0.key, $0.value) } || structures.contains { structure($0.key, $0.value) }
  }

  private mutating func start(_ name: String, _ attributes: [(name: String, value: String)]) {
    var shadowed: [(prefix: String, namespace: String?)] = []
    for (key, value) in attributes {
      let prefix: String
      if key == "xmlns" {
        prefix = ""
      } else if key.hasPrefix("xmlns:") {
        prefix = String(key.dropFirst(6))
      } else {
        continue
      }
      shadowed.append((prefix, prefixes[prefix]))
      prefixes[prefix] = value
    }
    if !stack.isEmpty { stack[stack.count - 1].hasChildren = true }
    var element = Element(name: resolved(name), language: nil, shadowed: shadowed)
    if element.name == XMPName(XMPNamespace.rdf, "RDF") { hasDescriptions = true }
    if stack.isEmpty, element.name.namespace == XMPNamespace.meta {
      let name = XMPName(XMPNamespace.meta, "xmptk")
      toolkit = attributes.first { resolved($0.name) == name && !$0.value.isEmpty }?.value
    }
    let isDescription = element.name == XMPName(XMPNamespace.rdf, "Description")
    let isTop = isDescription && stack.last?.name == XMPName(XMPNamespace.rdf, "RDF")
    if element.name == XMPName(XMPNamespace.rdf, "li") { element.region = Region() }
    for (key, value) in attributes where !key.hasPrefix("xmlns") {
      let name = resolved(key)
      if name == XMPName(XMPNamespace.xml, "lang") { element.language = value }
      let isProperty = name.namespace != XMPNamespace.rdf && name.namespace != XMPNamespace.xml
      guard isProperty, key.contains(":") else { continue }
      if isTop {
        append(value, to: name)
      } else if !value.isEmpty {
        noteField(name)
        if element.region == nil {
          takeOfRegion(name, value)
        } else {
          element.region?.take(name, value)
        }
      }
    }
    stack.append(element)
    if isTop { propertyDepth = stack.count }
  }

  private mutating func end() {
    guard let element = stack.popLast() else { return }
    for (prefix, namespace) in element.shadowed.reversed() { prefixes[prefix] = namespace }
    let names = stack.map(\.name)
    let isDetail = names.dropLast().last == XMPName(XMPNamespace.iptcExtension, "PersonName")
    let person = isDetail && !element.text.isEmpty ? element.text : element.region?.person
    if let person, propertyDepth > 0, stack.count > propertyDepth, people.count < Self.maximumValues {
      people.append(person)
    }
    guard !element.hasChildren else {
      // A list of plain values is not a structure.
      if isTopDescription(names[...]) {
        if values[element.name] == nil { structures[element.name, default: []].formUnion(fields) }
        fields = []
      } else if stack.count > propertyDepth {
        noteField(element.name)
      }
      return
    }
    if isTopDescription(names[...]) {
      // Fields may also be attributes of the property.
      if fields.isEmpty || !element.text.isEmpty {
        append(element.text, to: element.name)
      } else {
        structures[element.name, default: []].formUnion(fields)
      }
      fields = []
      return
    }
    if stack.count > propertyDepth, !element.text.isEmpty {
      noteField(element.name)
      takeOfRegion(element.name, element.text)
    }
    if element.name == XMPName(XMPNamespace.rdf, "li"), names.count >= 2,
      ["Alt", "Bag", "Seq"].contains(where: { names.last == XMPName(XMPNamespace.rdf, $0) }),
      isTopDescription(names.dropLast(2))
    {
      append(element.text, to: names[names.count - 2], isDefault: element.language == "x-default")
    }
  }

  private func isTopDescription(_ names: ArraySlice<XMPName>) -> Bool {
    names.count >= 2
      && names.suffix(2).elementsEqual([
        XMPName(XMPNamespace.rdf, "RDF"), XMPName(XMPNamespace.rdf, "Description"),
      ])
  }

  /// Notes a field with a value, at any depth; what is no field, such as the items of a list, has names
  /// of RDF.
  private mutating func noteField(_ name: XMPName) {
    guard propertyDepth > 0, stack.count >= propertyDepth, name.namespace != XMPNamespace.rdf,
      fields.count < Self.maximumValues
    else { return }
    fields.insert(name)
  }

  /// Takes a field of the region in whose item it lies.
  private mutating func takeOfRegion(_ name: XMPName, _ value: String) {
    guard let item = stack.lastIndex(where: { $0.region != nil }) else { return }
    stack[item].region?.take(name, value)
  }

  private mutating func append(_ value: String, to name: XMPName, isDefault: Bool = false) {
    var list = values[name] ?? []
    guard list.count < Self.maximumValues else { return }
    list.insert(value, at: isDefault ? 0 : list.count)
    values[name] = list
  }

  /// The name with its prefix replaced by what it is bound to; an unbound one names nothing.
  private func resolved(_ name: String) -> XMPName {
    let parts = name.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2 else { return XMPName(prefixes[""] ?? "", name) }
    guard let namespace = prefixes[String(parts[0])] else { return XMPName("", name) }
    return XMPName(namespace, String(parts[1]))
  }
}
