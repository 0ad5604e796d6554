import MediaContainers

/// Writes elements anew by the allow-list: numbers in as few bytes as they need, in the order of the
/// list, each at most once.
struct MatroskaElementWriter {
  private let source: ByteSource
  /// The names of what was removed, in order.
  private(set) var removed: [(name: String, range: Range<Int>)] = []

  init(_ source: ByteSource) {
    self.source = source
  }

  mutating func remove(_ name: String, _ range: Range<Int>) {
    removed.append((name, range))
  }

  /// Returns the children that may stay, without repetitions of those that may not be repeated.
  mutating func allowed(_ children: [EBMLElement], in parent: MatroskaID) -> [EBMLElement] {
    guard let list = MatroskaAllowList.lists[parent] else { return [] }
    var seen: Set<MatroskaID> = []
    var kept: [EBMLElement] = []
    for child in children {
      let part = child.type.flatMap { list[$0] }
      if let type = child.type, let part, part.isRepeated || seen.insert(type).inserted {
        if part.rule != .excepted || parent == .info {
          kept.append(child)
          continue
        }
      }
      // Checksums and empty space are no metadata, and every file has other ones.
      if child.type != .void, child.type != .cRC32 { remove(child.name, child.range) }
      if child.type == .void, !source.isZero(child.data) { remove("Void", child.range) }
    }
    return kept
  }

  /// Returns an element whose children, if it has some, are written in the same way; nil when its
  /// content is none that the list has. `additions` are finished children that the source lacks.
  ///
  /// - Throws: `damaged` for children that do not fill their parent.
  mutating func written(
    _ element: EBMLElement,
    in parent: MatroskaID,
    adding additions: [(type: MatroskaID, bytes: [UInt8])] = []
  ) throws(MetadataError) -> [UInt8]? {
    guard let type = element.type, let part = MatroskaAllowList.lists[parent]?[type] else {
      return nil
    }
    if let list = MatroskaAllowList.lists[type] {
      var children: [(index: Int, bytes: [UInt8])] = []
      for child in allowed(try element.children(of: source), in: type) {
        // No list contains itself, so the recursion ends after three levels.
        if let childType = child.type, let index = list.index(of: childType),
          let bytes = try written(child, in: type)
        {
          children.append((index, bytes))
        }
      }
      for addition in additions {
        if let index = list.index(of: addition.type) { children.append((index, addition.bytes)) }
      }
      let body = children.sorted { $0.index < $1.index }.flatMap(\.bytes)
      return EBMLWriter.element(type, body)
    }
    // An element without data has its default value.
    guard !element.data.isEmpty else { return nil }
    switch part.rule {
    case .copied where part.allows(element.data.count):
      return source.bytes(in: element.data, limit: 1 << 12).map { EBMLWriter.element(type, $0) }
    case .rewritten where part.step == 4 && part.allows(element.data.count):
      return source.bytes(in: element.data, limit: 8).map { EBMLWriter.element(type, $0) }
    case .rewritten where part.step == 1 && part.lengths == 1...8:
      return element.unsigned(of: source).map { EBMLWriter.unsigned(type, $0) }
    default:
      remove(element.name, element.range)
      return nil
    }
  }

  /// Returns the encoding of a track whose frames lack bytes that they share, and the range of those.
  ///
  /// - Throws: `stripUnsupported` for a track that is encrypted, or compressed in another way.
  mutating func headerStripping(
    _ encodings: EBMLElement
  ) throws(MetadataError) -> (element: [UInt8], shared: Range<Int>) {
    let unsupported = MetadataError(.stripUnsupported, "a track that is compressed or encrypted")
    let all = try encodings.children(of: source).filter { $0.type != .void && $0.type != .cRC32 }
    guard let encoding = all.first(.contentEncoding), all.count == 1 else { throw unsupported }
    let fields = try encoding.children(of: source)
    let scope = fields.first(.contentEncodingScope)?.unsigned(of: source) ?? 1
    let kind = fields.first(.contentEncodingType)?.unsigned(of: source) ?? 0
    guard scope == 1, kind == 0, let compression = fields.first(.contentCompression) else {
      throw unsupported
    }
    let settings = try compression.children(of: source)
    guard settings.first(.contentCompAlgo)?.unsigned(of: source) == 3,
      let bytes = settings.first(.contentCompSettings),
      let shared = source.bytes(in: bytes.data, limit: 8), !shared.isEmpty
    else { throw unsupported }
    let body =
      EBMLWriter.unsigned(.contentCompAlgo, 3) + EBMLWriter.element(.contentCompSettings, shared)
    let element = EBMLWriter.element(
      .contentEncodings,
      EBMLWriter.element(.contentEncoding, EBMLWriter.element(.contentCompression, body))
    )
    return (element, bytes.data)
  }

  /// Returns the mapping of Dolby Vision, with versions, profile, level and compatibility alone; nil
  /// for another one.
  mutating func dolbyVision(_ mapping: EBMLElement) -> [UInt8]? {
    let fields = Array(EBMLElements(source, in: mapping.data).prefix(64))
    guard let type = Self.dolbyVisionType(mapping, of: source),
      let data = fields.first(.blockAddIDExtraData)?.data,
      let head = source.bytes(in: data.prefix(5), limit: 5), head.count == 5
    else {
      remove(mapping.name, mapping.range)
      return nil
    }
    let body =
      EBMLWriter.unsigned(.blockAddIDType, type)
      + EBMLWriter.element(.blockAddIDExtraData, head + [UInt8](repeating: 0, count: 19))
    return EBMLWriter.element(.blockAdditionMapping, body)
  }

  /// Returns the type of a mapping that is Dolby Vision; nil for another one.
  static func dolbyVisionType(_ mapping: EBMLElement, of source: ByteSource) -> UInt64? {
    let types: Set<FourCharacterCode> = ["dvcC", "dvvC", "dvwC"]
    let type = EBMLElements(source, in: mapping.data).first { $0.type == .blockAddIDType }
    guard let value = type?.unsigned(of: source).flatMap({ UInt32(exactly: $0) }),
      types.contains(FourCharacterCode(value: value))
    else { return nil }
    return UInt64(value)
  }
}
