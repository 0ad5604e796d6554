internal import Foundation

/// The real media that tests also run on, where somebody has it.
package enum Corpus {
  /// The folder that `MEDIABATCH_CORPUS` names, or nil.
  package static let folder: String? = ProcessInfo.processInfo.environment["MEDIABATCH_CORPUS"]
    .map { URL(fileURLWithPath: $0).standardizedFileURL.path }
    .flatMap { FileManager.default.fileExists(atPath: $0) ? $0 : nil }

  /// The path of one corpus file, or nil when it is not there.
  package static func file(_ relative: String) -> String? {
    guard let folder else { return nil }
    let path = folder + "/" + relative
    return FileManager.default.fileExists(atPath: path) ? path : nil
  }

  /// The paths of all regular files beneath a corpus folder, sorted; empty without a corpus.
  package static func files(beneath relative: String) -> [String] {
    guard let folder else { return [] }
    let root = folder + "/" + relative
    guard let walk = FileManager.default.enumerator(atPath: root) else { return [] }
    return walk.compactMap { $0 as? String }.map { root + "/" + $0 }
      .filter { path in
        var isFolder: ObjCBool = false
        return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
          && !isFolder.boolValue
      }
      .sorted()
  }
}
