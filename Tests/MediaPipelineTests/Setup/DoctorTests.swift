import Foundation
import MediaFileSystem
import MediaModel
import MediaSandbox
import MediaTestSupport
import Testing

@testable import MediaPipeline

@Suite("What doctor finds")
struct DoctorTests {
  @Test("Enforcement is held only if all kinds tried something and were refused all of it")
  func trial() {
    let refused = EnforcementTrial.kinds.map { "\($0)\trefused\tEACCES\topen\n" }.joined()
    #expect(EnforcementTrial(output: refused, error: "", hasEndedWell: true).isHeld)
    #expect(!EnforcementTrial(output: refused, error: "killed\n", hasEndedWell: false).isHeld)
    #expect(!EnforcementTrial(output: "", error: "", hasEndedWell: true).isHeld)
    for kind in EnforcementTrial.kinds {
      let others = refused.split(separator: "\n").filter { !$0.hasPrefix(kind) }
      let output = others.joined(separator: "\n")
      #expect(!EnforcementTrial(output: output, error: "", hasEndedWell: true).isHeld, "\(kind)")
    }
    let open = refused + "worker\tallowed\t-\tmake a socket\n"
    let trial = EnforcementTrial(output: open, error: "", hasEndedWell: true)
    #expect(!trial.isHeld)
    #expect(trial.refused("worker") == 1 && trial.attempts["worker"]?.count == 2)
  }

  @Test("Decoders are told as the worker lists them")
  func decoders() {
    let trial = DecoderTrial(output: "jpeg\tworks\nheic\tmissing\tlibheif has no\tdecoder\nnoise\n")
    #expect(trial.works == ["jpeg"])
    #expect(trial.missing.map(\.format) == ["heic"])
    #expect(trial.missing.map(\.reason) == ["libheif has no\tdecoder"])
  }

  @Test("A folder that is no library is told with its exit code and the room it has")
  func library() throws {
    let folder = TemporaryFolder()
    let condition = LibraryCondition(path: [UInt8](folder.path.utf8))
    #expect(!condition.isReadable && condition.outcome == .manifestMistake, "\(condition)")
    #expect(try condition.room.get().bytes > 0)
    let nowhere = LibraryCondition(path: [UInt8]((folder.path + "/nowhere").utf8))
    #expect(throws: (any Error).self) { try nowhere.room.get() }
  }
}
