package import MediaModel

/// An asset of one folder of a source, as far as the rules for stacks look at it.
struct StackCandidate: Sendable, Hashable {
  /// Its row.
  var asset: Int64
  /// The path of its main file within its source.
  var path: ItemPath
  var format: MediaFormat
  /// The time of capture in nanoseconds since 1970, without its offset from UTC; nil where it is not stored.
  var taken: Int64?
  /// The keyed digest of its burst.
  var burst: [UInt8]?
  /// Whether it is the pick of its burst.
  var isPick = false
}

/// Assets that a person sees as one; each stays an asset of its own.
struct Stack: Sendable, Hashable {
  var kind: StackKind
  /// The rows of the assets; the first is the cover.
  var assets: [Int64]
}

/// The rules by which the assets of one folder become stacks.
///
/// They look at names, formats, stored times of capture and bursts, and at nothing else, so that a catalogue
/// that is made anew has the same stacks. In order: one picture in several formats, the two pictures of a Pixel
/// phone's mode, an edited rendition and its original, a burst. Pictures are never stacked by time alone.
package enum StackRules {
  /// The seconds by which the times of one picture in several formats may differ; fractions do not count.
  static let tolerance: Int64 = 2

  /// Stacks candidates of one folder, which may be in any order.
  ///
  /// - Returns: Stacks of two assets or more, and the ambiguous ones; no asset is in two of them.
  static func stacks(of candidates: [StackCandidate]) -> [Stack] {
    let candidates = candidates.sortedNaturally(by: \.path)
    var (units, ambiguous) = byFormat(candidates)
    units = withPixelOriginals(units)
    units = withOriginals(units, &ambiguous)
    units = bursts(units)
    return (units.filter { $0.members.count > 1 } + ambiguous)
      .map { Stack(kind: $0.kind, assets: $0.members.map(\.asset)) }
      .sorted { ($0.assets.first ?? 0) < ($1.assets.first ?? 0) }
  }

  /// Assets that are seen as one so far, the cover first.
  private struct Unit {
    var kind: StackKind
    var members: [StackCandidate]

    /// The names without extensions, of which all members but edited ones have one.
    var stem: [UInt8] { members.first.map { StackRules.stem(of: $0.path) } ?? [] }

    var mediaType: MediaType? { members.first?.format.mediaType }
  }

  // MARK: One picture in several formats

  /// The place of a format in a stack: what shows the picture best comes first.
  package static func rank(_ format: MediaFormat) -> Int? {
    switch format {
    case .heic: 0
    case .jpeg: 1
    default: format.isRaw ? 2 : nil
    }
  }

  private static func byFormat(
    _ candidates: [StackCandidate]
  ) -> (units: [Unit], ambiguous: [Unit]) {
    var units: [Unit] = []
    var ambiguous: [Unit] = []
    var groups: [[UInt8]: [StackCandidate]] = [:]
    for candidate in candidates {
      if rank(candidate.format) == nil {
        units.append(Unit(kind: .formats, members: [candidate]))
      } else {
        groups[stem(of: candidate.path), default: []].append(candidate)
      }
    }
    for (_, group) in groups {
      let ranks = group.compactMap { rank($0.format) }
      switch (Set(ranks).count, group.count) {
      case (1, _):
        units += group.map { Unit(kind: .formats, members: [$0]) }
      case (let formats, let count) where formats == count:
        let times = group.compactMap { $0.taken.map { $0 / 1_000_000_000 } }
        if let first = times.min(), let last = times.max(), last - first > tolerance {
          units += group.map { Unit(kind: .formats, members: [$0]) }
        } else {
          let ordered = zip(group, ranks).sorted { $0.1 < $1.1 }.map(\.0)
          units.append(Unit(kind: .formats, members: ordered))
        }
      default:
        ambiguous.append(Unit(kind: .ambiguous, members: group))
      }
    }
    return (units, ambiguous)
  }

  /// The name by which formats of one picture are found: without its extension, and for Pixel phones without
  /// the `.RAW-01.COVER` and `.RAW-02.ORIGINAL` that tell the two files apart, or the `.MP` of a motion photo whose
  /// raw file has none; for Apple Photos without the `_4` of the raw file.
  package static func stem(of path: ItemPath) -> [UInt8] { stem(named: Array(path.stem)) }

  /// The same of a name without an extension.
  package static func stem(named stem: [UInt8]) -> [UInt8] {
    if let name = PhotosFileName(stem: stem[...]), name.part == .raw { return Array(name.uuid) }
    return withoutPixelMark(stem)
  }

  /// What the files of one picture have in common by their paths within a source: the folder of their stack, and the stem.
  ///
  /// - Returns: Those of the file itself, and where it is an edited rendition, or one of a Pixel phone's two pictures of a
  ///   mode, those that it has in common with its original.
  package static func keys(of path: ItemPath) -> (own: [UInt8], edited: [UInt8]?) {
    let folder = path.stackFolder.bytes + [UInt8.slash]
    let own = stem(of: path)
    let edited = originalStem(of: Array(path.stem)).map(withoutPixelMark) ?? pixelPart(of: own)?.picture
    return (folder + own, edited.map { folder + $0 })
  }

  private static func withoutPixelMark(_ stem: [UInt8]) -> [UInt8] {
    let mark = Array(".RAW-0".utf8)
    guard stem.starts(with: "PXL_".utf8) else { return stem }
    if stem.suffix(3).elementsEqual(".MP".utf8) { return stem.dropLast(3) }
    guard let start = stem.indices.first(where: { stem[$0...].starts(with: mark) }) else {
      return stem
    }
    return Array(stem[..<start])
  }

  // MARK: The two pictures of a Pixel phone's mode

  /// The picture that a Pixel phone has made in one of its modes, as `PXL_1.PORTRAIT` of
  /// `PXL_1.PORTRAIT-01.COVER` and `PXL_1.PORTRAIT-02.ORIGINAL`, and whether it is the one with the effect; nil for
  /// any other name. Google Takeout cuts the last word.
  private static func pixelPart(of stem: [UInt8]) -> (picture: [UInt8], isCover: Bool)? {
    guard stem.starts(with: "PXL_".utf8), let hyphenIndex = stem.firstIndex(of: UInt8.hyphen),
      stem.last != .hyphen, !stem[(hyphenIndex + 1)...].contains(UInt8.hyphen),
      stem[..<hyphenIndex].contains(UInt8.dot)
    else { return nil }
    let picture = Array(stem[..<hyphenIndex])
    if stem[hyphenIndex...].starts(with: "-01.".utf8) { return (picture, true) }
    return stem[hyphenIndex...].starts(with: "-02.".utf8) ? (picture, false) : nil
  }

  private static func withPixelOriginals(_ units: [Unit]) -> [Unit] {
    var parts: [[UInt8]: [(unit: Int, isCover: Bool)]] = [:]
    for (index, unit) in units.enumerated() where unit.mediaType == .image {
      guard let part = pixelPart(of: unit.stem) else { continue }
      parts[part.picture, default: []].append((index, part.isCover))
    }
    var units = units
    var taken: Set<Int> = []
    for group in parts.values where group.count == 2 {
      guard let cover = group.first(where: \.isCover),
        let original = group.first(where: { !$0.isCover })
      else { continue }
      taken.formUnion([cover.unit, original.unit])
      let members = units[cover.unit].members + units[original.unit].members
      units.append(Unit(kind: .edited, members: members))
    }
    return units.indices.filter { !taken.contains($0) }.map { units[$0] }
  }

  // MARK: An edited rendition and its original

  /// The name of the original of `IMG_E1234`, which is `IMG_1234`, of `PXL_1-edited`, which is `PXL_1`, and of
  /// `UUID_1_201_a`, which is `UUID`; nil for any other name.
  ///
  /// Source: the names that iOS gives in DCIM, where three capital letters may take the place of `IMG`; those
  /// of Google Photos, see ``TakeoutNames``; those of Photos on a Mac, see ``PhotosFileName``.
  static func originalStem(of stem: [UInt8]) -> [UInt8]? {
    if let original = TakeoutNames.originalStem(of: stem) { return original }
    if let name = PhotosFileName(stem: stem[...]) {
      return name.part == .rendition ? Array(name.uuid) : nil
    }
    guard stem.count == 9, stem[3] == .underscore, stem[4] == UInt8(ascii: "E"),
      stem[..<3].allSatisfy(\.isASCIIUppercase),
      stem[5...].allSatisfy(\.isASCIIDigit)
    else { return nil }
    return Array(stem[..<4] + stem[5...])
  }

  /// The names, without extensions, by which an edited rendition and its original are known, where the first is to be
  /// called so: as it is if it tells that it is a rendition, else with `-edited` behind it.
  package static func names(ofRendition name: String) -> (rendition: String, original: String) {
    let stem = Array(name.utf8)
    if let part = pixelPart(of: stem), part.isCover {
      return (name, String(decoding: part.picture, as: UTF8.self) + "-02.ORIGINAL")
    }
    if let original = originalStem(of: stem) { return (name, String(decoding: original, as: UTF8.self)) }
    return (name + "-edited", name)
  }

  private static func withOriginals(_ units: [Unit], _ ambiguous: inout [Unit]) -> [Unit] {
    struct Key: Hashable {
      var stem: [UInt8]
      var mediaType: MediaType?
    }
    var edited: [Key: [Int]] = [:]
    var others: [Key: [Int]] = [:]
    for (index, unit) in units.enumerated() {
      if let original = originalStem(of: unit.stem).map(withoutPixelMark) {
        edited[Key(stem: original, mediaType: unit.mediaType), default: []].append(index)
      } else {
        others[Key(stem: unit.stem, mediaType: unit.mediaType), default: []].append(index)
      }
    }
    var units = units
    var taken: Set<Int> = []
    for (key, renditions) in edited {
      guard let originals = others[key] else { continue }
      taken.formUnion(renditions + originals)
      let members = (renditions + originals).flatMap { units[$0].members }
      if renditions.count == 1, originals.count == 1 {
        units.append(Unit(kind: .edited, members: members))
      } else {
        ambiguous.append(Unit(kind: .ambiguous, members: members.sortedNaturally(by: \.path)))
      }
    }
    return units.indices.filter { !taken.contains($0) }.map { units[$0] }
  }

  // MARK: Bursts

  private static func bursts(_ units: [Unit]) -> [Unit] {
    var groups: [[UInt8]: [Unit]] = [:]
    var result: [Unit] = []
    for unit in units {
      if let burst = unit.members.lazy.compactMap(\.burst).first {
        groups[burst, default: []].append(unit)
      } else {
        result.append(unit)
      }
    }
    for (_, group) in groups {
      guard group.count > 1 else {
        result += group
        continue
      }
      let ordered = group.sorted { left, right in
        func rank(_ unit: Unit) -> (Int, Int64) {
          let isPick = unit.members.contains(where: \.isPick)
          return (isPick ? 0 : 1, unit.members.lazy.compactMap(\.taken).first ?? .max)
        }
        let ranks = (rank(left), rank(right))
        if ranks.0 != ranks.1 { return ranks.0 < ranks.1 }
        guard let first = left.members.first, let second = right.members.first else { return false }
        return first.path.precedesNaturally(second.path)
      }
      result.append(Unit(kind: .burst, members: ordered.flatMap(\.members)))
    }
    return result
  }
}

extension ItemPath {
  private static let originals = Array("originals".utf8)
  private static let renders = Array("resources/renders".utf8)

  /// The folder whose assets it may be stacked with: its own one, and for a file of a Photos library the folder of all
  /// originals.
  ///
  /// Photos spreads files over folders by the first letter of their identifiers: `originals/6/6191….jpeg`, and its
  /// rendition `resources/renders/6/6191…_1_201_a.jpeg`. The pictures of a burst are in several of them.
  var stackFolder: ItemPath {
    let folder = Array(folder)
    guard folder.count >= 2, folder[folder.count - 2] == .slash,
      PhotosFileName(stem: stem)?.uuid.first == folder.last
    else { return ItemPath(bytes: folder) }
    let above = Array(folder.dropLast(2))
    for root in [Self.originals, Self.renders] {
      guard above.count >= root.count, above.suffix(root.count).elementsEqual(root) else {
        continue
      }
      let library = above.dropLast(root.count)
      if library.isEmpty || library.last == .slash {
        return ItemPath(bytes: library + Self.originals)
      }
    }
    return ItemPath(bytes: folder)
  }

  /// The folders that may hold files whose ``stackFolder`` is this folder, itself first.
  var foldersOfStacks: [ItemPath] {
    guard name.elementsEqual(Self.originals) else { return [self] }
    let library = bytes.dropLast(Self.originals.count)
    return [self]
      + [Self.originals, Self.renders].flatMap { root in
        "0123456789ABCDEF".utf8.map { ItemPath(bytes: library + root + [UInt8.slash, $0]) }
      }
  }
}
