import MediaManifest
import MediaModel
import MediaTestSupport
import Testing

@testable import MediaPermissions

@Suite("Editing a stored selection")
struct SelectionEditTests {
  private func limited(_ selection: [String]) -> StoredAnswer {
    var stored = answer(.limited)
    stored.selection = selection
    return stored
  }

  @Test("Patterns are removed and added, each once, and compared by bytes")
  func edits() throws {
    // Equal for Unicode, and two names for the file system.
    let (composed, decomposed) = ("\u{E9}.jpg", "e\u{301}.jpg")
    let stored = limited(["a", composed, "b"])
    let edited = try SelectionEdit.edited(
      stored,
      for: stored.binding,
      removing: [composed],
      adding: ["c", "a", decomposed]
    )
    #expect(edited.map { Array($0.utf8) } == ["a", "b", "c", decomposed].map { Array($0.utf8) })
  }

  @Test("Without a selection that counts, or for a pattern that is not in it, nothing is edited")
  func refuses() {
    func error(_ stored: StoredAnswer?, _ binding: AnswerBinding, _ removed: [String] = [])
      -> SelectionEditError?
    {
      do throws(SelectionEditError) {
        _ = try SelectionEdit.edited(stored, for: binding, removing: removed, adding: ["x"])
        return nil
      } catch {
        return error
      }
    }
    let stored = limited(["a"])
    #expect(error(nil, stored.binding) == .noSelection(.notDetermined))
    #expect(error(answer(.denied), stored.binding) == .noSelection(.denied))
    #expect(error(stored, stored.binding, ["b"]) == .unknownPattern("b"))
    var moved = stored.binding
    moved.manifestPath += Array("/elsewhere".utf8)
    #expect(error(stored, moved) == .changed([.manifest]))
  }

  @Test("Without a text to agree to, or when it is restricted, a source cannot be granted")
  func obstacles() throws {
    func obstacle(_ text: String, _ status: String) throws -> GrantObstacle? {
      let manifest = try #require(
        ManifestReader.read(
          Array(
            """
            {"version": 1, "client": {"identifier": "org.example.a"},
             "usageDescriptions": {"NSCameraUsageDescription": "\(text)"},
             "sources": {"camera": {"path": "c", "authorizationStatus": "\(status)"}},
             "output": {"path": "Library"}}
            """.utf8
          )
        ).manifest
      )
      return GrantObstacle(manifest, source: .camera, level: .readWrite)
    }
    #expect(try obstacle("Why.", "denied") == nil)
    #expect(try obstacle(" ", "authorized") == .usageDescriptionMissing(.camera))
    #expect(try obstacle("Why.", "restricted") == .restricted)
  }
}
