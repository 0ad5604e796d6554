import Foundation
import Testing

/// The keys of a manifest that lead to files.
@Suite("Keys that name paths")
struct PathKeysTests {
  /// What becomes of each where it leads into a source that is not allowed whole.
  private static let table = [
    "infoPlist": "refused before it is read, with every mistake of the manifest",
    "labels.file": "refused before it is read",
    "places.data": "refused by the decisions, before it is read",
    "sources.*.tracks": "refused by the decisions, before they are listed",
    "output.path": "refused: folders overlap", "sources.*.path": "refused: folders overlap",
    "sources.*.ignore": "patterns of what is listed anyway; nothing is read by them",
    "sources.library.selection": "patterns of what is listed anyway; nothing is read by them",
  ]

  @Test("Each key that takes a path is known, with what refuses it in a denied source")
  func known() {
    let names = ManifestTable.rows.compactMap { row -> String? in
      let cells = row.split(separator: "|").map {
        String($0.filter { !"`*".contains($0) }).trimmingCharacters(in: .whitespaces)
      }
      guard cells.count > 1, ["path", "path or object", "list of patterns"].contains(cells[1]) else {
        return nil
      }
      return cells[0].replacing("sources..", with: "sources.*.")
    }
    // A new one gets a row here, and a call in NamedPathTests of the commands.
    #expect(Set(names) == Set(Self.table.keys))
  }
}
