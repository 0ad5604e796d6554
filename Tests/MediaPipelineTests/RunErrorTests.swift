import Glibc
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

  @Test("Memory that ran out before confinement is 70, and no kernel is blamed for it")
  func memoryBeforeConfinement() {
    for code in [SandboxError.Code.seccompUnavailable, .layerRefused, .limitRefused] {
      let error = RunError(SandboxError(code, number: ENOMEM))
      #expect(error.exitCode == .internalCheck)
      #expect(error.description.hasPrefix("Memory ran out"))
      #expect(RunError(SandboxError(code, number: EPERM)).exitCode == .enforcementUnavailable)
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
