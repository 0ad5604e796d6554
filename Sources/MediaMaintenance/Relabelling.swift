package import MediaAudit
package import MediaLibrary
package import MediaModel
internal import MediaPipeline
internal import MediaSandbox

/// Gives published assets other labels, by renaming their files.
///
/// Either all requests are carried out or none. The process restricts itself before the first rename to the
/// folders of these assets.
package struct Relabelling: AssetDecision {
  /// A request for one asset.
  package struct Request: Sendable, Hashable {
    /// A localIdentifier, or the beginning of one that no other asset has.
    package var asset: String
    package var label: Label

    package init(asset: String, label: Label) {
      self.asset = asset
      self.label = label
    }
  }

  package let edit: AssetEdit
  /// The assets whose files were renamed.
  package let done: [Relabel]
  /// The assets that had the label already, by their identifiers.
  package let unchanged: [String]

  /// Relabels assets while holding the library's lock.
  ///
  /// The exit code is also 65, when one of the files is missing.
  package init(
    library path: [UInt8],
    _ requests: [Request],
    waits: Bool,
    enforcement: Enforcement,
    signer: AuditSigner?
  ) {
    var same: [String] = []
    edit = AssetEdit(
      AssetEdit.Command(
        name: "label",
        subject: "what renames the library's files",
        library: path,
        waits: waits,
        enforcement: enforcement,
        signer: signer
      )
    ) { library, _ in
      try Self.plan(requests, in: library, unchanged: &same)
    } rights: { staged in
      [(Self.folderRights, folders: (staged.relabels ?? []).flatMap(\.folders))]
    }
    done = edit.decision?.relabels ?? []
    unchanged = same
  }

  /// The renames that the requests take, without those of assets that have their label; nil when there are
  /// none.
  ///
  /// - Throws: `RunError` when an asset is not found, or a file is missing or in the way.
  private static func plan(
    _ requests: [Request],
    in library: Library,
    unchanged: inout [String]
  ) throws -> StagedBatch? {
    var relabels: [Relabel] = []
    unchanged = []
    for request in requests {
      let asset = try AssetArgument.asset(request.asset, in: library)
      guard let relabel = try library.catalogue.relabel(asset, as: request.label) else {
        unchanged.append(asset)
        continue
      }
      for file in relabel.files {
        if !library.hasFile(file.from) {
          throw RunError(
            .originalsMissing,
            exitCode: .differencesFound,
            "\"\(EscapedText.printable(file.from))\" is missing, so nothing was renamed. `mediabatch repair "
              + "--from` brings it back, or the next run does."
          )
        }
        if library.hasFile(file.to) {
          throw RunError(
            .inconsistent,
            exitCode: .differencesFound,
            "\"\(EscapedText.printable(file.to))\" is in the library already, so nothing was renamed. Run "
              + "`mediabatch verify` on the library."
          )
        }
      }
      relabels.append(relabel)
    }
    return relabels.isEmpty ? nil : StagedBatch(relabels: relabels)
  }

  /// The rights in the folders of the assets: renaming a file within its folder is removing its name and
  /// making another. Writing is not among them.
  private static let folderRights: LandlockRights = [
    .readFile, .listFolder, .makeFile, .removeFile,
  ]
}
