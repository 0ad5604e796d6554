import MediaTestSupport
import Testing

@testable import MediaPhotosLibrary

/// Writes the databases that the fuzzer begins with.
@Suite(
  "Seeds for the fuzzer: databases of Photos libraries",
  .enabled(if: FuzzSeeds.folder != nil, "written where MEDIABATCH_FUZZ_SEEDS says")
)
struct FuzzSeedsTests {
  private let folder = TemporaryFolder()

  @Test("Each version of Photos has one, with small pages")
  func write() throws {
    let seeds = try MadePhotosLibrary.generations.map { generation in
      let library = try Made.library(at: "\(folder.path)/\(generation.model)", generation)
      // The fuzzer's inputs have 32 KiB, and a table takes a page.
      try library.sql("PRAGMA journal_mode = DELETE; PRAGMA page_size = 512; VACUUM;")
      #expect(try UnconfinedPhotosReader.index(of: library.database).assets.count == 3)
      return (parser: "photos", bytes: try readBytes(library.database))
    }
    #expect(seeds.allSatisfy { $0.bytes.count <= 32 << 10 })
    let parsers = try FuzzSeeds.write(seeds, to: try #require(FuzzSeeds.folder))
    #expect(parsers["photos"] == MadePhotosLibrary.generations.count)
  }
}
