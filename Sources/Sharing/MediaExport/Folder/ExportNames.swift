internal import MediaModel

/// Gives the files of assets paths that no two files of a folder share, also where letters differ in case
/// alone, as they do on a memory card, or folders in dots at the end, which Windows and exFAT leave out.
struct ExportNames {
  // Hashes in place of paths, of which there may be millions; two paths of one hash would only get a number
  // without need.
  private var files: Set<Int> = []
  private var folders: Set<Int> = []
  /// The last number behind a name, by the hash of the paths without one: none below it is free again.
  private var numbers: [Int: Int] = [:]

  /// Takes the paths of an asset's files, of what may stand in their place, and of what may lie beside them.
  ///
  /// - Parameters:
  ///   - folders: The names of the folders, the outermost first.
  ///   - name: The name that the files share, without an ending.
  ///   - endings: The texts behind it; no two differ in the case of letters alone.
  /// - Returns: What the path of each ending begins with; where one of them is taken, all have ` (2)`, ` (3)` …
  ///   behind the name.
  mutating func start(folders: [String], name: String, endings: [String]) -> String {
    var folder = ""
    for name in folders { folder = self.folder(named: name, in: folder) }
    let unnumbered = Self.key(([folder + name] + endings).joined(separator: "/"))
    var number = numbers[unnumbered] ?? 1
    while true {
      let start = folder + Self.numbered(name, number)
      let keys = endings.map { Self.key(start + $0) }
      if files.isDisjoint(with: keys), self.folders.isDisjoint(with: keys) {
        files.formUnion(keys)
        if number > 1 { numbers[unnumbered] = number }
        return start
      }
      number += 1
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

  private static func numbered(_ name: String, _ number: Int) -> String {
    number == 1 ? name : "\(name) (\(number))"
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
