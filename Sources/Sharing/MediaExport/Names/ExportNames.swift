internal import MediaLibrary
internal import MediaModel

/// Gives the files of assets their names: those of a ``NamedGroup`` share a stem, which no other asset has, and no two
/// files of a folder share a path.
///
/// Names are one that differ in the case of letters alone or in normalization, as they are on a memory card, and folders
/// that differ in dots at the end, which Windows and exFAT leave out. Whoever reads the folder finds pairs, stacks and
/// sidecars by stems.
struct ExportNames {
  // Hashes in place of paths, of which there may be millions; two paths of one hash would only get a number
  // without need.
  private var files: Set<Int> = []
  private var folders: Set<Int> = []
  private var stems: Set<Int> = []
  /// The last number behind a name, by the hash of its path without one: none below it is free again.
  private var numbers: [Int: Int] = [:]

  /// Takes the paths of a group's files, of what may stand in their place, and of what may lie beside them.
  ///
  /// - Parameters:
  ///   - folders: The names of the folders, the outermost first.
  ///   - names: The name of the group, without an ending; of a burst that of each unit.
  ///   - bond: How the names of several units tell that they belong together.
  ///   - endings: The texts behind the name, of each unit; no two of one differ in the case of letters alone.
  /// - Returns: What the paths of each begin with; where a stem or a path is taken, all have ` (2)`, ` (3)` … behind the
  ///   name.
  mutating func starts(
    folders: [String],
    names: [String],
    _ bond: NamedGroup.Bond = .edited,
    endings: [[String]]
  ) -> [String] {
    var folder = ""
    for name in folders { folder = self.folder(named: name, in: folder) }
    let unnumbered = Self.key(folder + names[0])
    var number = numbers[unnumbered] ?? 1
    while true {
      let starts = Self.names(names, number, bond, count: endings.count).map { folder + $0 }
      let paths = zip(starts, endings).flatMap { start, endings in endings.map { start + $0 } }
      let keys = paths.map(Self.key)
      let stems = Set(paths.flatMap(Self.stems).map(Self.key))
      if files.isDisjoint(with: keys), self.folders.isDisjoint(with: keys), self.stems.isDisjoint(with: stems)
      {
        files.formUnion(keys)
        self.stems.formUnion(stems)
        if number > 1 { numbers[unnumbered] = number }
        return starts
      }
      number += 1
    }
  }

  /// Takes paths whose start is taken already, by other files of the picture.
  ///
  /// - Returns: Whether none of them was taken; if not, none is.
  mutating func take(_ paths: [String]) -> Bool {
    let keys = Set(paths.map(Self.key))
    guard keys.count == paths.count, files.isDisjoint(with: keys) else { return false }
    files.formUnion(keys)
    return true
  }

  /// The names of the units of a group, as the rules of stacks and `FileNameFacts` know them.
  private static func names(
    _ names: [String],
    _ number: Int,
    _ bond: NamedGroup.Bond,
    count: Int
  ) -> [String] {
    let name = numbered(names[0], number)
    if count == 1 { return [name] }
    switch bond {
    case .edited:
      let pair = StackRules.names(ofRendition: names[0])
      if number == 1 { return [pair.rendition, pair.original] }
      let rendition = startOfMarks(names[0]) == nil ? numbered(pair.original, number) : name
      let other = StackRules.names(ofRendition: rendition)
      return [other.rendition, other.original]
    case .burst:
      if Set(names.map(key)).count == count { return names.map { numbered($0, number) } }
      return (1...count).map { place in
        "\(name)_BURST\(PaddedNumber.text(place, width: 3))" + (place == 1 ? "_COVER" : "")
      }
    }
  }

  /// The paths without extensions by which readers find what belongs to a file: its own, the one that formats of one
  /// picture share, and of a sidecar those of the files that it may describe.
  private static func stems(of path: String) -> [String] {
    let item = ItemPath(bytes: Array(path.utf8))
    guard let sidecar = SidecarName(item) else {
      let folder = item.folder.isEmpty ? [] : item.folder + [UInt8.slash]
      let own = Array(folder + item.stem)
      let shared = Array(folder + StackRules.stem(of: item))
      return (own == shared ? [own] : [own, shared]).map { String(decoding: $0, as: UTF8.self) }
    }
    return [sidecar, sidecar.marked].compactMap { name in
      name.map { String(decoding: $0.stem, as: UTF8.self) }
    }
  }

  /// The path of a folder with a slash behind it; where a file has that name, with a number.
  private mutating func folder(named name: String, in parent: String) -> String {
    var number = 1
    while true {
      let path = parent + Self.numbered(name, number)
      let key = Self.key(path)
      if !files.contains(key) {
        folders.insert(key)
        return path + "/"
      }
      number += 1
    }
  }

  /// The number stands in what all files of a picture or a burst have in common, in front of marks such as
  /// `.RAW-01.COVER` and `_BURST001_COVER`: what is behind these tells no picture or burst from another one.
  private static func numbered(_ name: String, _ number: Int) -> String {
    if number == 1 { return name }
    let mark = startOfMarks(name) ?? name.endIndex
    return "\(name[..<mark]) (\(number))\(name[mark...])"
  }

  private static func startOfMarks(_ name: String) -> String.Index? {
    if name.hasPrefix("PXL_"), let dot = name.firstIndex(of: ".") { return dot }
    return name.occurrences(of: "_BURST").first?.lowerBound
  }

  /// A number that paths have in common which are one on some file system.
  ///
  /// exFAT compares capital letters, of which two small ones may have the same, such as the two sigmas.
  static func key(_ path: String) -> Int {
    var path = path.uppercased().lowercased()
    while path.holds("./") { path = path.substituting("./", by: "/") }
    return path.hashValue
  }
}
