internal import MediaManifest
package import MediaModel

extension DecidedSource {
  /// The files of an earlier selection of the same folder, whether it still counts or not; patterns with wildcards name
  /// none.
  package var earlierSelection: [ItemPath] {
    guard let answer, answer.status == .limited, !answerChanges.contains(.folder) else { return [] }
    return answer.selection.compactMap { SelectionPattern.literalPath(of: $0) }
  }
}
