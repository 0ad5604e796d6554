internal import MediaLibrary
internal import MediaModel

/// Assets of an export that have one number: of a stack those that a person sees as one picture, a burst, or one asset.
struct NamedGroup {
  /// How the names of several units tell that they belong together, as the rules of stacks read them.
  enum Bond {
    /// The second unit is the original of which the first one is a rendition.
    case edited
    /// Those of a burst, the picked one first.
    case burst
  }

  /// Assets whose files share a stem, the one that shows the picture best first; of an edited picture the renditions,
  /// then the originals.
  var units: [[ListedAsset]]
  var bond = Bond.edited

  /// The asset whose label and dates all have, but for the labels of a burst.
  var cover: ListedAsset { units[0][0] }

  /// All assets, the cover first.
  var assets: [ListedAsset] { units.flatMap(\.self) }

  /// Whether numbers stand in place of the names of a burst that told it, so that nothing else may.
  func isHidden(by names: [String]) -> Bool {
    func tells(_ name: String) -> Bool { FileNameFacts(Array(name.utf8)).burst != nil }
    return bond == .burst && Set(names.map { $0.filter { !$0.isNumber } }).count == 1
      && !names.contains(where: tells) && units.contains { $0[0].originalName.map(tells) == true }
  }

  /// - Parameters:
  ///   - assets: The selected assets of a stack, the cover first, or one asset; at least one.
  ///   - kind: That of the stack; nil for one asset.
  /// - Returns: The groups, in the order of their covers.
  static func groups(_ assets: [ListedAsset], of kind: StackKind?) -> [NamedGroup] {
    if [.formats, .user].contains(kind), isOnePicture(assets) { return [NamedGroup(units: [assets])] }
    let units = units(of: assets)
    if kind == .burst { return [NamedGroup(units: units, bond: .burst)] }
    guard kind == .edited, units.count > 1 else { return units.map { NamedGroup(units: [$0]) } }
    return [NamedGroup(units: Array(units.prefix(2)))] + units.dropFirst(2).map { NamedGroup(units: [$0]) }
  }

  /// Whether assets are one picture in several formats, each of which is there once.
  private static func isOnePicture(_ assets: [ListedAsset]) -> Bool {
    let ranks = assets.map { StackRules.rank($0.facts.format) }
    return !ranks.contains(nil) && Set(ranks).count == ranks.count
  }

  /// Puts those together that had one stem in their source, in another format each.
  private static func units(of assets: [ListedAsset]) -> [[ListedAsset]] {
    var units: [[ListedAsset]] = []
    /// The indices of the last units, by their stems.
    var indices: [[UInt8]: Int] = [:]
    for asset in assets {
      guard let name = asset.originalName else {
        units.append([asset])
        continue
      }
      let stem = StackRules.stem(named: Array(name.utf8))
      if let index = indices[stem], isOnePicture(units[index] + [asset]) {
        units[index].append(asset)
      } else {
        indices[stem] = units.count
        units.append([asset])
      }
    }
    return units
  }
}

/// The assets of a selection, those of each stack beside each other.
struct StackedAssets {
  private let reader: CatalogueReader
  private let selection: AssetSelection
  private let stacks: [ListedStack]
  /// The indices of the stacks, by the rows of their assets.
  private let stackIndices: [Int64: Int]

  /// Puts the assets of each stack where the first of them stands, the cover before the others.
  ///
  /// - Throws: ``LibraryError`` when the catalogue cannot be read.
  init(of selection: AssetSelection, _ reader: CatalogueReader) throws(LibraryError) {
    let stacks = try reader.stacks(ambiguous: false)
    var indices: [Int64: Int] = [:]
    for (index, stack) in stacks.enumerated() {
      for row in stack.assets { indices[row] = index }
    }
    var ordered = selection
    if !stacks.isEmpty {
      let selected = Set(selection.rows)
      var taken: Set<Int> = []
      ordered.rows = selection.rows.flatMap { row -> [Int64] in
        guard let index = indices[row] else { return [row] }
        return taken.insert(index).inserted ? stacks[index].assets.filter(selected.contains) : []
      }
    }
    (self.reader, self.selection, self.stacks, stackIndices) = (reader, ordered, stacks, indices)
  }

  /// Calls `body` with each group, with its number, 1-based.
  ///
  /// - Throws: ``LibraryError`` when the catalogue cannot be read, or what `body` throws.
  func forEachGroup(readsThumbnails: Bool, _ body: (NamedGroup, Int) throws -> Void) throws {
    var number = 0
    var (members, stack): ([ListedAsset], Int?) = ([], nil)
    func end() throws {
      if members.isEmpty { return }
      for group in NamedGroup.groups(members, of: stack.map { stacks[$0].kind }) {
        number += 1
        try body(group, number)
      }
      members = []
    }
    try reader.forEachAsset(of: selection, readsThumbnails: readsThumbnails) { asset in
      let next = stackIndices[asset.row]
      if next == nil || next != stack { try end() }
      stack = next
      members.append(asset)
    }
    try end()
  }
}
