import MediaLibrary
import MediaModel
import MediaSandbox
import MediaWorkerPool
import Testing

@testable import MediaPipeline

@Suite("Why a run stopped")
struct RunErrorTests {
  @Test("Each word of the sandbox is a problem's word, and never an internal error")
  func sandboxCodes() {
    for code in SandboxError.Code.allCases {
      #expect(RunError(SandboxError(code)).code.rawValue == code.rawValue)
    }
  }

  @Test("Each word of the library is a problem's word, and exits as the library says")
  func libraryCodes() {
    for code in LibraryError.Code.allCases {
      let error = RunError(LibraryError(code, ""))
      #expect(error.code.rawValue == code.rawValue)
      #expect(error.exitCode == error.code.exitCode)
    }
  }

  @Test("An error keeps its own code however it is wrapped")
  func wrapping() {
    let error = RunError(.interrupted, exitCode: .terminated, "")
    let wrapped = RunError(wrapping: error)
    #expect(wrapped.code == .interrupted && wrapped.exitCode == .terminated)
    #expect(RunError(wrapping: CancellationError()).code == .internal)
  }
}
