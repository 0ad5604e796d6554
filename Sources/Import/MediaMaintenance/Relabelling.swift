package import MediaLibrary
internal import MediaModel
internal import MediaPipeline

/// Gives published assets other labels, by renaming their files.
///
/// Where one of the files is missing or in the way, nothing is renamed.
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

  package let name = "label"
  package let subject = "what renames the library's files"
  private let requests: [Request]

  package init(_ requests: [Request]) { self.requests = requests }

  package func plan(_ edit: inout AssetEdit.Plan, in library: Library, run: String) throws {
    for request in requests {
      let asset = try AssetArgument.asset(request.asset, in: library)
      guard let relabel = try library.catalogue.relabel(asset, as: request.label) else {
        edit.unchanged.append(asset)
        continue
      }
      for file in relabel.moves {
        if !library.hasFile(file.from) {
          throw RunError.missing(file.from, so: "renamed")
        }
        if library.hasFile(file.to) {
          throw RunError(
            .inconsistent,
            exitCode: .differencesFound,
            "\"\(EscapedText.printable(file.to))\" exists in the library already, so nothing was renamed. "
              + "Run `mediabatch verify` on the library."
          )
        }
      }
      edit.edits.append(relabel)
    }
  }
}
