import Foundation
import Glibc
import MediaFileSystem
import MediaTestSupport
import Testing

@Suite("Paths through links of root alone")
struct ResolvedByRootTests {
  @Test("Root's links are followed, and those of anybody else lead nowhere")
  func links() throws {
    let folder = TemporaryFolder()
    let root = try #require(FileSystem.resolved(Array(folder.path.utf8)))
    func path(_ name: String) -> [UInt8] { root + Array(("/" + name).utf8) }
    try FileManager.default.createDirectory(
      atPath: folder.path + "/real/inner",
      withIntermediateDirectories: true
    )
    for (target, name) in [("real", "link"), ("loop", "loop"), ("../link/inner", "real/up")] {
      try #require(symlink(target, folder.path + "/" + name) == 0)
    }
    #expect(FileSystem.resolvedByRoot(path("real/../real/./inner//")) == path("real/inner"))
    #expect(FileSystem.resolvedByRoot(path("missing/x")) == path("missing/x"))
    #expect(FileSystem.resolvedByRoot(Array("/".utf8)) == Array("/".utf8))
    #expect(FileSystem.resolvedByRoot(path("loop")) == nil)
    let isRoot = geteuid() == 0
    #expect(FileSystem.resolvedByRoot(path("link/inner")) == (isRoot ? path("real/inner") : nil))
    #expect(FileSystem.resolvedByRoot(path("real/up")) == (isRoot ? path("real/inner") : nil))
    guard isRoot, lchown(folder.path + "/link", 65534, 65534) == 0 else { return }
    #expect(FileSystem.resolvedByRoot(path("link/inner")) == nil)
    #expect(FileSystem.resolvedByRoot(path("real/up")) == nil)
  }
}
