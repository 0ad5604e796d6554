/// What a person has decided about a library: moves of published files, and what rows and log say of it.
///
/// Files that are made anew for it are the assets of its batch.
package struct LibraryEdit: Sendable, Hashable {
  package enum Kind: String, Sendable, Hashable {
    /// The asset gets another label, and each of its files the name of it.
    case label
    /// The assets become one stack.
    case stack
    /// The assets are taken out of their stacks.
    case unstack
    /// The assets look alike and are not the same.
    case distinguish
    /// The asset is turned: its thumbnails are made anew.
    case rotate
    /// The asset is taken out of the library, and its files are moved aside.
    case withdraw
  }

  /// A file that is moved; both paths are below the library.
  package struct Move: Sendable, Hashable {
    package var from: String
    package var to: String
    package var bytes: Int64
    package var sha256: String

    package init(from: String, to: String, bytes: Int64, sha256: String) {
      (self.from, self.to, self.bytes, self.sha256) = (from, to, bytes, sha256)
    }

    /// The folders of both paths.
    package var folders: (from: String, to: String) {
      (LibraryEdit.split(from).folder, LibraryEdit.split(to).folder)
    }
  }

  package var kind: Kind
  /// The localIdentifiers; of a stack the cover first; of another decision one, but of ``Kind/distinguish``.
  package var assets: [String]
  /// The new label; nil of another decision, and where the asset's row has it already.
  package var label: String?
  /// The degrees, clockwise, by which an asset is turned from what its file says: 0, 90, 180 or 270; nil of another
  /// decision.
  package var rotation: Int?
  /// The folder below the library in which each file of a withdrawn asset gets the path that it had; nil of
  /// another decision, and where the files were moved before.
  package var folder: String?
  /// The originals first, replaced ones too where they are moved aside, then the thumbnails.
  package var moves: [Move] = []

  package init(_ kind: Kind, _ assets: [String]) {
    (self.kind, self.assets) = (kind, assets)
  }

  /// The asset that it is about, the cover of a stack.
  package var asset: String { assets.first ?? "" }

  /// The paths below the library that published files get.
  package var newPaths: [String] { kind == .withdraw ? [] : moves.map(\.to) }

  /// The folder and the name of a path below the library.
  package static func split(_ path: String) -> (folder: String, name: String) {
    guard let slash = path.utf8.lastIndex(of: UInt8.slash) else { return ("", path) }
    return (String(path[..<slash]), String(path[path.utf8.index(after: slash)...]))
  }
}
