import MediaTestSupport
import Testing

@testable import MediaExport

/// Writes the lists that the fuzzer begins with.
@Suite(
  "Seeds for the fuzzer: lists of exports",
  .enabled(if: FuzzSeeds.folder != nil, "written where MEDIABATCH_FUZZ_SEEDS says")
)
struct FuzzSeedsTests {
  @Test("An empty one, and one of files, links and names that are no text")
  func write() throws {
    let empty = ExportList(kind: "export", state: "")
    let list = ExportList(kind: "gallery", state: String(repeating: "0a", count: 32))
    let digest = String(repeating: "9f", count: 32)
    let files: [[UInt8]: ExportList.File] = [
      Array("2019/Rome and/IMG 1.jpg".utf8): .init(sha256: digest, size: 4211, modified: -1),
      [0x61, 0xFF, 0x0A]: .init(sha256: digest, size: 12, modified: 0, isLink: true),
      Array("index.html".utf8): .init(sha256: "", size: .max, modified: .max),
    ]
    let whole = files.reduce(into: list.head) { $0 += ExportList.record($1.key, $1.value) }
    let seeds = [(parser: "export", bytes: empty.head), (parser: "export", bytes: whole)]
    #expect(ExportList(whole)?.count == 3)
    let parsers = try FuzzSeeds.write(seeds, to: try #require(FuzzSeeds.folder))
    #expect(parsers["export"] == seeds.count)
  }
}
