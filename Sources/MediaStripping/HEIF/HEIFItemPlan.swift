import MediaContainers
import MediaMetadata

/// One item of the output.
struct HEIFOutputItem {
  enum Place {
    /// Ranges from the start of the coded data.
    case coded([Range<Int>])
    /// In idat.
    case inside(Range<Int>)
    /// Ahead of the coded data, written anew.
    case ahead(Range<Int>)
    case nowhere
  }

  /// 1-based.
  var identifier: Int
  var type: FourCharacterCode
  var isHidden: Bool
  var contentType = ""
  var associations: [HEIFItem.Association]
  var place: Place
}

/// The meta box of the output, but for the offset of the coded data.
struct HEIFItemPlan {
  var items: [HEIFOutputItem] = []
  var primary = 1
  /// With the output's identifiers.
  var references: [HEIFReference] = []
  /// Whole boxes, each once.
  var properties: [[UInt8]] = []
  /// The tone map and the picture that it brightens, the one to be preferred first.
  var alternatives: [Int] = []
  var idat: [UInt8] = []
  /// Bytes of the mdat ahead of the coded data.
  var ahead: [UInt8] = []
}

extension HEIFItemPlan {
  /// Puts in an item that says something about the one of that number.
  mutating func describe(_ described: Int, _ type: FourCharacterCode, _ data: [UInt8]) {
    let identifier = items.count + 1
    items.append(
      HEIFOutputItem(
        identifier: identifier,
        type: type,
        isHidden: true,
        contentType: type == "mime" ? HEIFItem.xmpContentType : "",
        associations: [],
        place: .ahead(ahead.count..<(ahead.count + data.count))
      )
    )
    ahead += data
    references.append(HEIFReference(type: "cdsc", from: identifier, to: [described]))
  }
}

/// Decides on the items of an output; the ranges of coded data are put together later.
struct HEIFItemPlanner {
  private let source: ByteSource
  private let meta: HEIFMeta
  private let selection: HEIFSelection
  private var plan = HEIFItemPlan()
  /// The place in the output of each box that is used, by its bytes.
  private var places: [[UInt8]: Int] = [:]
  /// What became of each property, by its place in ipco; one that is kept has its place in the output.
  private var dispositions: [Int: HEIFProperty.Disposition] = [:]
  private var outputs: [Int: Int] = [:]
  private var propertiesLength = 0
  private var bitstreams: [Int: HEIFBitstream] = [:]
  /// By the output's identifier.
  private(set) var parts: [Int: [Range<Int>]] = [:]
  private(set) var removed: [String] = []

  init(_ source: ByteSource, _ meta: HEIFMeta, _ selection: HEIFSelection) {
    self.source = source
    self.meta = meta
    self.selection = selection
  }

  /// The plan, for which `filter` takes the coded data apart.
  mutating func plan(
    _ filter: inout HEIFUnitFilter
  ) throws(MetadataError) -> HEIFItemPlan {
    var identifiers: [Int: Int] = [:]
    for (place, item) in selection.kept.enumerated() { identifiers[item] = place + 1 }
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
      // Each once, in the group's order of preference.
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
      throw MetadataError(.damaged, "\(HEIFBox.name(item.type)) whose bytes are not in the file")
    }
    if item.isNamed { removed.append("item name") }
    var place = HEIFOutputItem.Place.nowhere
    var isChanged = false
    if HEIFSelection.coded.contains(item.type) {
      let kept = try filter.parts(of: item.extents, try bitstream(of: item))
      isChanged =
        kept.reduce(0) { $0 + $1.count } != item.extents.reduce(0) { $0 + $1.count }
      parts[identifier] = kept
      place = .coded([])
    } else {
      let data = try HEIFDerivation.data(
        of: item.type,
        madeFrom: meta.sources(of: item.identifier).count,
        in: ByteSource(joining: item.extents, of: source)
      )
      if item.type == "tmap" {
        place = .ahead(plan.ahead.count..<(plan.ahead.count + data.count))
        plan.ahead += data
      } else if !data.isEmpty {
        place = .inside(plan.idat.count..<(plan.idat.count + data.count))
        plan.idat += data
      }
    }
    plan.items.append(
      HEIFOutputItem(
        identifier: identifier,
        type: item.type,
        isHidden: item.isHidden,
        associations: try associations(of: item, isChanged: isChanged),
        place: place
      )
    )
  }

  private mutating func bitstream(of item: HEIFItem) throws(MetadataError) -> HEIFBitstream {
    let types: [FourCharacterCode: FourCharacterCode] = [
      "hvc1": "hvcC", "avc1": "avcC", "av01": "av1C",
    ]
    guard let type = types[item.type], let box = meta.property(type, of: item) else {
      throw MetadataError(.damaged, "\(HEIFBox.name(item.type)) without its configuration")
    }
    if let known = bitstreams[box.body.lowerBound] { return known }
    let configuration = try HEIFDecoderConfiguration(box, of: source)
    bitstreams[box.body.lowerBound] = configuration.bitstream
    return configuration.bitstream
  }

  /// The item's properties; `isChanged` says that the coded data became shorter, so that lengths of its
  /// layers are wrong.
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
        let place: Int
        if let known = outputs[association.index] {
          place = known
        } else {
          place = try self.place(of: bytes)
          outputs[association.index] = place
        }
        result.append(.init(index: place + 1, isEssential: association.isEssential))
      case .removed(let name): removed.append(name)
      case .unknown:
        let name = HEIFBox.name(box.type)
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

  /// Properties that are equal become one.
  private mutating func place(of bytes: [UInt8]) throws(MetadataError) -> Int {
    if let place = places[bytes] { return place }
    propertiesLength += bytes.count
    // They are all written anew: what an edit list may hold (design section 3) bounds them.
    guard propertiesLength <= 1 << 20 + source.length / 4 else {
      throw MetadataError(.overLimit, "too many bytes to write anew")
    }
    places[bytes] = plan.properties.count
    plan.properties.append(bytes)
    return plan.properties.count - 1
  }

  private mutating func disposition(of place: Int) throws(MetadataError) -> HEIFProperty.Disposition
  {
    if let known = dispositions[place] { return known }
    let box = meta.properties[place]
    let disposition = try HEIFProperty.judge(box, in: source)
    dispositions[place] = disposition
    if HEIFDecoderConfiguration.types.contains(box.type) {
      removed += try HEIFDecoderConfiguration(box, of: source).removed
    }
    return disposition
  }
}

extension HEIFDescription {
  /// Puts the items into a plan.
  func append(to plan: inout HEIFItemPlan) {
    // Four bytes say how far behind them the TIFF header starts.
    if let exif { plan.describe(plan.primary, "Exif", [0, 0, 0, 0] + exif) }
    if let xmp { plan.describe(plan.primary, "mime", xmp) }
  }
}
