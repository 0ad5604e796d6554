internal import MediaFileSystem
package import MediaLibrary
internal import MediaModel

/// Takes published assets out of the library, by moving their files to `Quarantine`.
package struct Withdrawing: AssetDecision {
  package let name = "withdraw"
  package let subject = "what moves the library's files"
  private let words: [String]

  /// - Parameter words: A localIdentifier each, or the beginning of one that no other asset has.
  package init(_ words: [String]) { self.words = words }

  package func plan(_ edit: inout AssetEdit.Plan, in library: Library, run: String) throws {
    var seen: Set<String> = []
    for word in words {
      let asset = try AssetArgument.asset(word, in: library, includesWithdrawn: true)
      guard seen.insert(asset).inserted else { continue }
      let folder = "\(LibraryFolder.quarantine)/\(run)"
      if let withdrawal = try library.catalogue.withdrawal(of: asset, to: folder) {
        edit.edits.append(withdrawal)
      } else {
        edit.unchanged.append(asset)
      }
    }
    edit.missing = try Self.missing(of: edit.edits, in: library)
  }

  /// The files that are not there to be moved.
  private static func missing(
    of edits: [LibraryEdit],
    in library: Library
  ) throws(FileSystemError) -> Set<String> {
    var missing: Set<String> = []
    for file in edits.flatMap(\.moves) {
      do {
        _ = try FileSystem.status(in: library.root, name: [UInt8](file.from.utf8))
      } catch  where error.isMissing {
        missing.insert(file.from)
      }
    }
    return missing
  }
}
