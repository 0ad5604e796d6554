import MediaContainers
import MediaModel

/// The items of a HEIF file that are needed to show it, and the names of the others.
///
/// Source: ISO/IEC 23008-12 sections 6.4 (roles), 6.6 (derived images), 6.10 (groups).
struct HEIFSelection {
  /// The item types of coded pictures.
  static let coded: Set<FourCharacterCode> = ["hvc1", "av01", "avc1"]
  /// The item types of pictures that are derived from others.
  static let derived: Set<FourCharacterCode> = ["grid", "iovl", "iden"]

  /// The IDs of the kept items, in the order of the file.
  private(set) var kept: [Int] = []
  /// The references between kept items.
  private(set) var references: [HEIFReference] = []
  /// The tone-mapped picture of the primary item, if it is kept.
  private(set) var toneMap: Int?
  /// Apple's gain map of the primary item, if it is kept.
  private(set) var gainMap: Int?

  private var isKept: Set<Int> = []

  /// Selects the items to keep.
  ///
  /// - Throws: `damaged` when a needed item is missing or derived from itself; `stripUnsupported`
  ///   when its type is not known.
  init(
    _ meta: HEIFMeta,
    of source: ByteSource,
    options: StripOptions
  ) throws(MetadataError) {
    try add(meta.primary, of: meta)
    let auxiliaries = meta.items.flatMap { item in
      (meta.references[item.identifier] ?? []).filter { $0.type == "auxl" }
    }
    // Alpha before the gain map: it affects every rendering of the picture.
    var wanted = auxiliaries.filter { Self.auxiliary($0.from, of: meta, in: source) == .alpha }
    if options.except.contains(.hdrGainMap) {
      try addToneMap(of: meta, in: source)
      wanted += auxiliaries.filter { Self.auxiliary($0.from, of: meta, in: source) == .gainMap }
    }
    for reference in wanted where reference.to.contains(where: isKept.contains) {
      try add(reference.from, of: meta)
      if Self.auxiliary(reference.from, of: meta, in: source) == .gainMap {
        gainMap = gainMap ?? reference.from
      }
    }
    kept = meta.items.map(\.identifier).filter(isKept.contains)
    try checkNoCircle(in: meta)
    for item in kept {
      let all = meta.references[item] ?? []
      for role in ["dimg", "auxl", "prem"] as [FourCharacterCode] {
        for var reference in all where reference.type == role {
          // A derived picture keeps the references to all of its sources.
          if role != "dimg" { reference.to = reference.to.filter(isKept.contains) }
          if !reference.to.isEmpty { references.append(reference) }
        }
      }
    }
  }

  /// Adds an item and all items that it is derived from.
  private mutating func add(_ first: Int, of meta: HEIFMeta) throws(MetadataError) {
    var waiting = [first]
    while let identifier = waiting.popLast() {
      guard isKept.insert(identifier).inserted else { continue }
      guard let item = meta.item(identifier) else {
        throw MetadataError(.damaged, "an item that is not there")
      }
      let name = item.type.displayName
      guard !item.isProtected else { throw MetadataError(.stripUnsupported, "encrypted \(name)") }
      if Self.derived.contains(item.type) || item.type == "tmap" {
        waiting += meta.sources(of: identifier)
      } else if !Self.coded.contains(item.type) {
        throw MetadataError(.stripUnsupported, "item of type \(name)")
      }
    }
  }

  /// Adds the tone map whose first source is the primary item, if there is one. A tone map of an
  /// unknown version is left out, because the picture is complete without it.
  private mutating func addToneMap(
    of meta: HEIFMeta,
    in source: ByteSource
  ) throws(MetadataError) {
    let groups = meta.alternatives.filter { $0.entities.contains(meta.primary) }
    let alternatives = Set(groups.flatMap(\.entities))
    for item in meta.items where item.type == "tmap" {
      let sources = meta.sources(of: item.identifier)
      guard sources.count == 2, sources[0] == meta.primary,
        alternatives.contains(item.identifier), !item.isElsewhere,
        (try? HEIFDerivation.data(
          of: "tmap",
          madeFrom: 2,
          in: ByteSource(joining: item.extents, of: source)
        ))
          != nil
      else { continue }
      try add(item.identifier, of: meta)
      toneMap = item.identifier
      return
    }
  }

  private func checkNoCircle(in meta: HEIFMeta) throws(MetadataError) {
    var users: [Int: Int] = [:]
    for item in kept { for source in meta.sources(of: item) { users[source, default: 0] += 1 } }
    var free = kept.filter { users[$0, default: 0] == 0 }
    var count = 0
    while let item = free.popLast() {
      count += 1
      for source in meta.sources(of: item) {
        users[source, default: 0] -= 1
        if users[source] == 0 { free.append(source) }
      }
    }
    guard count == kept.count else { throw MetadataError(.damaged, "a picture made from itself") }
  }

  /// Returns the purpose of an auxiliary item, by its auxC.
  static func auxiliary(
    _ identifier: Int,
    of meta: HEIFMeta,
    in source: ByteSource
  ) -> HEIFAuxiliary? {
    guard let item = meta.item(identifier), let box = meta.property("auxC", of: item),
      box.body.count > 4
    else { return nil }
    return HEIFAuxiliary(urn: HEIFAuxiliary.urn(in: box.body, of: source))
  }
}

extension HEIFSelection {
  /// Returns the names of the kinds of items that are not kept.
  func removedNames(of meta: HEIFMeta, in source: ByteSource) -> [String] {
    var thumbnails: Set<Int> = []
    var auxiliaries: Set<Int> = []
    for reference in meta.references.values.joined() {
      if reference.type == "thmb" { thumbnails.insert(reference.from) }
      if reference.type == "auxl" { auxiliaries.insert(reference.from) }
    }
    return meta.items.filter { !isKept.contains($0.identifier) }.map { item in
      if item.isXMP { return "XMP item" }
      if thumbnails.contains(item.identifier) { return "thumbnail" }
      if auxiliaries.contains(item.identifier) {
        switch Self.auxiliary(item.identifier, of: meta, in: source) {
        case .alpha: return "alpha plane of another picture"
        case .gainMap: return "gain map"
        case .other(let name): return name
        case nil: return "auxiliary image"
        }
      }
      switch item.type {
      case "Exif": return "Exif item"
      case "mime": return "mime item"
      case "uri ": return "uri item"
      case "tmap": return "tone map"
      case _ where Self.coded.contains(item.type) || Self.derived.contains(item.type):
        return "other picture"
      default: return "\(item.type.displayName) item"
      }
    }
  }
}

extension HEIFMeta {
  /// The boxes that an output does not have, except for the reference to the file itself.
  var removedBoxes: [ISOBox] {
    boxes.filter { $0.type != "dinf" && !BoxAllowList.picture.allows($0.type, in: "meta") }
  }
}
