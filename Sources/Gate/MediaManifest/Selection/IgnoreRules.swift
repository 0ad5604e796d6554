package import MediaModel

/// The names of a source that a run leaves out, apart from all outcomes: what other programs keep beside
/// media, and what the manifest's patterns match.
package struct IgnoreRules: Sendable, Hashable {
  /// The manifest's own patterns.
  package let patterns: [SelectionPattern]
  /// Those that are a bare name, which are matched with names at any depth.
  ///
  /// Source: gitignore(5): a pattern without a separator.
  private let names: PatternIndex
  /// All others.
  private let paths: PatternIndex
  /// Whether what is left out by default is left out: the names in ``StandingTable``, and what cameras keep beside
  /// their media.
  package let usesDefaults: Bool

  /// - Parameters:
  ///   - patterns: The manifest's own, each matched with the path of a file or of a folder; one without a slash
  ///     with the name of each.
  ///   - usesDefaults: Whether the names in ``StandingTable`` are left out too.
  package init(_ patterns: [SelectionPattern] = [], usesDefaults: Bool = true) {
    self.patterns = patterns
    names = PatternIndex(patterns) { $0.components.count == 1 }
    paths = PatternIndex(patterns) { $0.components.count > 1 }
    self.usesDefaults = usesDefaults
  }

  /// The folders of a Photos library that hold what a person put in; all others hold derivatives and
  /// databases. `Masters` is that of versions before macOS 10.15.
  private static let originals: Set<[UInt8]> = [Array("originals".utf8), Array("Masters".utf8)]

  /// The folder of a photo library in which files that are added to it are written before they get their
  /// names; it is left out whatever the manifest says.
  package static let incoming = Array(".mediabatch-incoming".utf8)

  /// A file of this name says that a folder is no media. Source: Android, MediaStore.
  package static let noMedia = Array(".nomedia".utf8)

  /// Looks up a name of a folder.
  ///
  /// - Parameters:
  ///   - name: The name in its folder.
  ///   - path: The name's path within the source.
  ///   - isFolder: Whether it is a folder; one that is left out is not entered.
  ///   - isInBundle: Whether ``isBundle(_:)`` is true of the folder that holds it.
  ///   - isThere: Whether the source has something at a path; asked for a few names alone.
  /// - Returns: Whether a run leaves it out.
  package func ignores(
    _ name: [UInt8],
    at path: ItemPath,
    isFolder: Bool,
    isInBundle: Bool,
    isThere: (ItemPath) -> Bool = { _ in false }
  ) -> Bool {
    if isFolder, name == Self.incoming { return true }
    if usesDefaults {
      if StandingTable.row(of: path, isFolder: isFolder, isThere: isThere) != nil { return true }
      if isInBundle { return !isFolder || !Self.originals.contains(name) }
    }
    return names.contains(ItemPath(bytes: name)) || paths.contains(path)
  }

  /// The indexes of the manifest's patterns that match a file or folder.
  package func matching(_ name: [UInt8], at path: ItemPath) -> [Int] {
    names.matching(ItemPath(bytes: name)) + paths.matching(path)
  }

  /// Whether a walk would leave out a file, or a folder on its way; folders that are left out because of what they
  /// hold are not known here.
  ///
  /// - Parameters:
  ///   - path: The file's path.
  ///   - isThere: As for ``ignores(_:at:isFolder:isInBundle:isThere:)``.
  /// - Returns: Whether a run leaves it out.
  package func ignores(file path: ItemPath, isThere: (ItemPath) -> Bool = { _ in false }) -> Bool {
    var walked: [UInt8] = []
    var isInBundle = false
    let parts = path.bytes.split(separator: UInt8.slash)
    for (index, part) in parts.enumerated() {
      walked += (index == 0 ? [] : [UInt8.slash]) + part
      let folder = ItemPath(bytes: walked)
      let isFolder = index < parts.count - 1
      if ignores(Array(part), at: folder, isFolder: isFolder, isInBundle: isInBundle, isThere: isThere) {
        return true
      }
      isInBundle = isBundle(folder)
    }
    return false
  }

  /// Whether a folder is a Photos library, of which the originals alone are taken.
  package func isBundle(_ folder: ItemPath) -> Bool {
    usesDefaults && Array(folder.name).hasSuffix(".photoslibrary")
  }

  /// Whether a folder within a source is left out as a whole when it has these entries.
  package func ignoresFolder(holding names: some Sequence<[UInt8]>) -> Bool {
    usesDefaults && names.contains { $0 == Self.noMedia }
  }
}

extension [UInt8] {
  fileprivate func hasSuffix(_ suffix: StaticString) -> Bool {
    suffix.withUTF8Buffer { $0.count <= count && self.suffix($0.count).elementsEqual($0) }
  }
}
