package import MediaAudit
internal import MediaFileSystem
package import MediaLibrary
package import MediaModel
internal import MediaSandbox

/// Takes published assets out of the library, by moving their files to `Quarantine`.
///
/// Either all of them are withdrawn or none. The process restricts itself before the first file is moved to
/// the folders of these assets and to the new folder in `Quarantine`.
package struct Withdrawing: AssetDecision {
  package let edit: AssetEdit
  /// The assets whose files were moved.
  package let done: [Withdrawal]
  /// The assets that were withdrawn before, by their identifiers.
  package let unchanged: [String]
  /// The files of the withdrawn assets that were not in the library, and so were not moved, by their paths below it.
  package let missing: Set<String>
  /// The exit code of the command: 64 when an asset is not found, 65 when a file was missing.
  package var exitCode: RunExitCode {
    edit.exitCode == .success && !missing.isEmpty ? .differencesFound : edit.exitCode
  }

  /// Withdraws assets while holding the library's lock.
  ///
  /// - Parameters:
  ///   - path: The library's folder.
  ///   - words: A localIdentifier each, or the beginning of one that no other asset has.
  ///   - waits: Whether to wait while another run holds the library.
  ///   - enforcement: Whether the kernel confines the process.
  ///   - signer: Signs the log's head; nil when it is not signed.
  package init(
    library path: [UInt8],
    _ words: [String],
    waits: Bool,
    enforcement: Enforcement,
    signer: AuditSigner?
  ) {
    var before: [String] = []
    var lost: Set<String> = []
    edit = AssetEdit(
      AssetEdit.Command(
        name: "withdraw",
        subject: "what moves the library's files",
        library: path,
        waits: waits,
        enforcement: enforcement,
        signer: signer
      )
    ) { library, run in
      let staged = try Self.plan(words, run: run, in: library, withdrawnBefore: &before)
      lost = try Self.missing(of: staged?.withdrawals ?? [], in: library)
      return staged
    } prepare: { staged, library in
      try library.makeFolders(for: staged.withdrawals ?? [])
    } rights: { staged in
      Self.rights(for: staged.withdrawals ?? [])
    }
    done = edit.decision?.withdrawals ?? []
    unchanged = before
    missing = done.isEmpty ? [] : lost
  }

  /// The files to move, without those of assets that were withdrawn before; nil when there are none.
  ///
  /// - Throws: `RunError` when an asset is not found.
  private static func plan(
    _ words: [String],
    run: String,
    in library: Library,
    withdrawnBefore unchanged: inout [String]
  ) throws -> StagedBatch? {
    var withdrawals: [Withdrawal] = []
    var seen: Set<String> = []
    unchanged = []
    for word in words {
      let asset = try AssetArgument.asset(word, in: library, includesWithdrawn: true)
      guard seen.insert(asset).inserted else { continue }
      let folder = "\(Library.quarantine)/\(run)"
      if let withdrawal = try library.catalogue.withdrawal(of: asset, to: folder) {
        withdrawals.append(withdrawal)
      } else {
        unchanged.append(asset)
      }
    }
    return withdrawals.isEmpty ? nil : StagedBatch(withdrawals: withdrawals)
  }

  /// The files that are not there to be moved.
  private static func missing(
    of withdrawals: [Withdrawal],
    in library: Library
  ) throws(FileSystemError) -> Set<String> {
    var missing: Set<String> = []
    for file in withdrawals.flatMap(\.files) {
      do {
        _ = try FileSystem.status(in: library.root, name: [UInt8](file.path.utf8))
      } catch  where error.isMissing {
        missing.insert(file.path)
      }
    }
    return missing
  }

  /// The rights in the folders of the assets: taking a file away. Writing is not among them.
  private static let sourceRights: LandlockRights = [.listFolder, .removeFile, .refer]
  /// The rights in the day's folder of an asset, whose own folder is removed when it is empty.
  private static let dayRights: LandlockRights = [.listFolder, .removeFolder]
  /// The rights in the folder of this command in `Quarantine`.
  private static let targetRights: LandlockRights = [.listFolder, .makeFile, .refer]

  private static func rights(
    for withdrawals: [Withdrawal]
  ) -> [(LandlockRights, folders: [String])] {
    let folders = withdrawals.flatMap(\.folders)
    let days = folders.filter { $0.hasPrefix("Originals/") }.map { path in
      path.split(separator: "/").dropLast().joined(separator: "/")
    }
    return [
      (sourceRights, folders: folders), (dayRights, folders: days),
      (targetRights, folders: withdrawals.map(\.folder)),
    ]
  }
}
