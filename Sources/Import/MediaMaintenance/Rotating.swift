package import MediaLibrary
internal import MediaModel
internal import MediaPipeline

/// Turns published assets: their thumbnails are made anew, and their originals stay as they are.
///
/// Where one of the originals is missing, or one of the thumbnails cannot be made, nothing is turned.
package struct Rotating: AssetDecision {
  package let name = "rotate"
  package let subject = "what reads and makes the library's files"
  private let words: [String]
  private let degrees: Int

  /// - Parameters:
  ///   - words: A localIdentifier each, or the beginning of one that no other asset has.
  ///   - degrees: The degrees, clockwise, by which they are turned from what is shown: 90, 180 or 270.
  package init(_ words: [String], by degrees: Int) { (self.words, self.degrees) = (words, degrees) }

  package func plan(_ edit: inout AssetEdit.Plan, in library: Library, run: String) throws {
    var seen: Set<String> = []
    for word in words {
      let identifier = try AssetArgument.asset(word, in: library)
      guard seen.insert(identifier).inserted,
        let asset = try library.catalogue.assetToEdit(identifier)
      else { continue }
      if asset.mediaType == .audio {
        throw RunError(.noSuchAsset, "\(identifier) is a sound, which shows nothing to turn.")
      }
      if let lost = asset.media.first(where: { !library.hasFile($0.path) }) {
        throw RunError.missing(lost.path, so: "turned")
      }
      var turned = LibraryEdit(.rotate, [identifier])
      turned.rotation = (asset.rotation + degrees) % 360
      edit.edits.append(turned)
    }
  }
}
