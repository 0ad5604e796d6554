import MediaCodecs
import MediaContainers
import MediaMetadata

/// One item of the output.
struct HEIFOutputItem {
  enum Storage {
    /// Ranges from the start of the coded data.
    case coded([Range<Int>])
    /// A range in idat.
    case inside(Range<Int>)
    /// A range ahead of the coded data, written anew.
    case ahead(Range<Int>)
    case nowhere
  }

  /// The 1-based item ID.
  var identifier: Int
  var type: FourCharacterCode
  var isHidden: Bool
  var contentType = ""
  var associations: [HEIFItem.Association]
  var storage: Storage
}

/// The meta box of the output, except for the offset of the coded data.
struct HEIFItemPlan {
  var items: [HEIFOutputItem] = []
  var primary = 1
  /// The references, with the output's item IDs.
  var references: [HEIFReference] = []
  /// Whole property boxes, each once.
  var properties: [[UInt8]] = []
  /// The item IDs of the tone map and of its base picture, in order of preference.
  var alternatives: [Int] = []
  var idat: [UInt8] = []
  /// The bytes of the mdat ahead of the coded data.
  var ahead: [UInt8] = []
}

extension HEIFItemPlan {
  /// Appends an item that describes the item with the ID `described`.
  mutating func describe(_ described: Int, _ type: FourCharacterCode, _ data: [UInt8]) {
    let identifier = items.count + 1
    items.append(
      HEIFOutputItem(
        identifier: identifier,
        type: type,
        isHidden: true,
        contentType: type == "mime" ? HEIFItem.xmpContentType : "",
        associations: [],
        storage: .ahead(ahead.count..<(ahead.count + data.count))
      )
    )
    ahead += data
    references.append(HEIFReference(type: "cdsc", from: identifier, to: [described]))
  }
}

/// Selects the items of an output; the ranges of coded data are merged later.
struct HEIFItemPlanner {
  private let source: ByteSource
  private let meta: HEIFMeta
  private let selection: HEIFSelection
  private var plan = HEIFItemPlan()
  /// The index in the output of each property box that is used, by its bytes.
  private var indexes: [[UInt8]: Int] = [:]
  /// The disposition of each property, by its index in ipco; ``outputs`` has the index in the
  /// output of a property that is kept.
  private var dispositions: [Int: PictureProperty.Disposition] = [:]
  private var outputs: [Int: Int] = [:]
  private var propertiesLength = 0
  private var bitstreams: [Int: Bitstream] = [:]
  /// The source ranges of each item, by the output's item ID.
  private(set) var parts: [Int: [Range<Int>]] = [:]
  private(set) var removed: [String] = []

  init(_ source: ByteSource, _ meta: HEIFMeta, _ selection: HEIFSelection) {
    self.source = source
    self.meta = meta
    self.selection = selection
  }

  /// Returns the plan; `filter` parses the coded data.
  mutating func plan(
    _ filter: inout HEIFUnitFilter
  ) throws(MetadataError) -> HEIFItemPlan {
    var identifiers: [Int: Int] = [:]
    for (index, item) in selection.kept.enumerated() { identifiers[item] = index + 1 }
    guard selection.kept.count < 65_000, let primary = identifiers[meta.primary] else {
      throw MetadataError(.overLimit, "too many items")
    }
    plan.primary = primary
    for identifier in selection.kept {
      guard let item = meta.item(identifier) else { continue }
      try append(item, &filter)
    }
    plan.references = selection.references.map { reference in
      HEIFReference(
        type: reference.type,
        from: identifiers[reference.from] ?? 0,
        to: reference.to.compactMap { identifiers[$0] }
      )
    }
    if let toneMap = selection.toneMap {
      let pair: Set<Int> = [toneMap, meta.primary]
      let group = meta.alternatives.first { pair.isSubset(of: $0.entities) }?.entities ?? []
      // Each item once, in the group's order of preference.
      for entity in group where pair.contains(entity) {
        guard let identifier = identifiers[entity], !plan.alternatives.contains(identifier) else {
          continue
        }
        plan.alternatives.append(identifier)
      }
    }
    if let gainMap = selection.gainMap, let identifier = identifiers[gainMap],
      let packet = HEIFGainMapPacket.packet(for: gainMap, of: meta, in: source)
    {
      plan.describe(identifier, "mime", packet)
    }
    return plan
  }

  private mutating func append(
    _ item: HEIFItem,
    _ filter: inout HEIFUnitFilter
  ) throws(MetadataError) {
    let identifier = plan.items.count + 1
    guard !item.isElsewhere else {
      throw MetadataError(.damaged, "\(item.type.displayName) whose bytes are not in the file")
    }
    if item.isNamed { removed.append("item name") }
    var storage = HEIFOutputItem.Storage.nowhere
    var isChanged = false
    if HEIFSelection.coded.contains(item.type) {
      let kept = try filter.parts(of: item.extents, try bitstream(of: item))
      isChanged =
        kept.reduce(0) { $0 + $1.count } != item.extents.reduce(0) { $0 + $1.count }
      parts[identifier] = kept
      storage = .coded([])
    } else {
      let data = try HEIFDerivation.data(
        of: item.type,
        madeFrom: meta.sources(of: item.identifier).count,
        in: ByteSource(joining: item.extents, of: source)
      )
      if item.type == "tmap" {
        storage = .ahead(plan.ahead.count..<(plan.ahead.count + data.count))
        plan.ahead += data
      } else if !data.isEmpty {
        storage = .inside(plan.idat.count..<(plan.idat.count + data.count))
        plan.idat += data
      }
    }
    plan.items.append(
      HEIFOutputItem(
        identifier: identifier,
        type: item.type,
        isHidden: item.isHidden,
        associations: try associations(of: item, isChanged: isChanged),
        storage: storage
      )
    )
  }

  private mutating func bitstream(of item: HEIFItem) throws(MetadataError) -> Bitstream {
    let types: [FourCharacterCode: FourCharacterCode] = [
      "hvc1": "hvcC", "avc1": "avcC", "av01": "av1C",
    ]
    guard let type = types[item.type], let box = meta.property(type, of: item) else {
      throw MetadataError(.damaged, "\(item.type.displayName) without its configuration")
    }
    if let cached = bitstreams[box.body.lowerBound] { return cached }
    let configuration = try DecoderConfiguration(box, of: source)
    bitstreams[box.body.lowerBound] = configuration.bitstream
    return configuration.bitstream
  }

  /// Returns the item's properties; `isChanged` means that the coded data became shorter, so that
  /// the lengths of its layers are wrong.
  private mutating func associations(
    of item: HEIFItem,
    isChanged: Bool
  ) throws(MetadataError) -> [HEIFItem.Association] {
    var result: [HEIFItem.Association] = []
    for association in item.associations {
      guard association.index <= meta.properties.count else {
        throw MetadataError(.damaged, "a property that is not there")
      }
      let box = meta.properties[association.index - 1]
      switch try disposition(of: association.index - 1) {
      case .kept where isChanged && box.type == "a1lx": removed.append("a1lx")
      case .kept(let bytes):
        let index: Int
        if let output = outputs[association.index] {
          index = output
        } else {
          index = try propertyIndex(of: bytes)
          outputs[association.index] = index
        }
        result.append(.init(index: index + 1, isEssential: association.isEssential))
      case .removed(let name): removed.append(name)
      case .unknown:
        let name = box.type.displayName
        guard !association.isEssential else {
          throw MetadataError(.stripUnsupported, "property \(name) that the picture needs")
        }
        removed.append("property \(name)")
      }
    }
    guard plan.properties.count < 0x8000 else {
      throw MetadataError(.overLimit, "too many properties")
    }
    return result
  }

  /// Returns the index of a property box in the output; equal boxes share one.
  private mutating func propertyIndex(of bytes: [UInt8]) throws(MetadataError) -> Int {
    if let index = indexes[bytes] { return index }
    propertiesLength += bytes.count
    // All properties are written anew, so the limit of an edit list (design section 3) applies.
    guard propertiesLength <= 1 << 20 + source.length / 4 else {
      throw MetadataError(.overLimit, "too many bytes to write anew")
    }
    indexes[bytes] = plan.properties.count
    plan.properties.append(bytes)
    return plan.properties.count - 1
  }

  private mutating func disposition(of index: Int) throws(MetadataError)
    -> PictureProperty.Disposition
  {
    if let cached = dispositions[index] { return cached }
    let box = meta.properties[index]
    let disposition = try PictureProperty.judge(box, in: source)
    dispositions[index] = disposition
    if DecoderConfiguration.types.contains(box.type) {
      removed += try DecoderConfiguration(box, of: source).removed
    }
    return disposition
  }
}

extension HEIFDescription {
  /// Appends the description's items to a plan.
  func append(to plan: inout HEIFItemPlan) {
    // The first four bytes are the distance from their end to the TIFF header.
    if let exif { plan.describe(plan.primary, "Exif", [0, 0, 0, 0] + exif) }
    if let xmp { plan.describe(plan.primary, "mime", xmp) }
  }
}
