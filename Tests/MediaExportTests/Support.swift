import MediaDigest
import MediaFileSystem
import MediaLibrary
import MediaLibraryTestSupport
import MediaModel
import MediaTestSupport

@testable import MediaExport

/// A library of the assets `known` (saved first), `still`, `pair` and `sound`, and a place beside it.
struct ExportPlace {
  private let scratch = TemporaryFolder()
  /// The folder in which the library lies, and the folders that are made of it.
  var around: String { scratch.path + "/around" }
  var library: String { scratch.path + "/Library" }
  var folder: String { around + "/Export" }

  init(_ further: [StagedAsset] = []) throws {
    try FileSystem.makePrivateFolders(Array((scratch.path + "/around").utf8))
    try publish(further, isNew: true)
  }

  /// Publishes assets, of which each item has the path of its first file.
  func publish(_ assets: [StagedAsset], isNew: Bool = false) throws {
    try withLibrary(library) { library in
      let fixture = try isNew ? BatchFixture(library) : BatchFixture(continuing: library)
      if isNew { try fixture.publish() }
      if assets.isEmpty { return }
      try fixture.publish(StagedBatch(results: [], assets: assets))
    }
  }

  func reader() throws -> CatalogueReader { try CatalogueReader(library: Array(library.utf8)) }

  /// The originals of the library, by their paths.
  func originals() throws -> [ExportFolder.Source] {
    let reader = try reader()
    var sources: [ExportFolder.Source] = []
    try reader.forEachAsset(of: reader.select(AssetQuery())) { asset in
      sources += asset.files.map { ExportFolder.Source($0) }
    }
    return sources.sorted { $0.path.lexicographicallyPrecedes($1.path) }
  }

  func open(
    _ method: ExportFolder.Method = .copy,
    at path: String? = nil,
    kind: String = "export",
    replacesChanges: Bool = false
  ) throws(ExportError) -> ExportFolder {
    try ExportFolder(
      at: Array((path ?? folder).utf8),
      library: Array(library.utf8),
      method: method,
      kind: kind,
      replacesChanges: replacesChanges
    )
  }

  /// What stands in the folder, without the list.
  func content() throws -> [String: String?] {
    try snapshot(folder).filter { $0.key != ".mediabatch-export" }
  }

  func status(_ path: String) throws -> FileStatus {
    try FileSystem.status(ofPath: Array(path.utf8))
  }
}

extension ExportError {
  /// The code with which `body` fails; nil when it does not.
  static func code(_ body: () throws -> Void) -> Code? {
    do {
      try body()
      return nil
    } catch {
      return (error as? ExportError)?.code
    }
  }
}

/// A digest by libnettle, where the code under test uses another library.
func sha256(_ bytes: [UInt8]) -> String {
  var digest = SHA256()
  bytes.withUnsafeBytes { digest.update($0) }
  return Hexadecimal.text(digest.finalize())
}
