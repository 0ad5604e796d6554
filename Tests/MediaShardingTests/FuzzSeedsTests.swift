import MediaModel
import MediaTestSupport
import Testing

@testable import MediaSharding

/// Writes the files of plans that the fuzzer begins with.
@Suite(
  "Seeds for the fuzzer: files of plans",
  .enabled(if: FuzzSeeds.folder != nil, "written where MEDIABATCH_FUZZ_SEEDS says")
)
struct FuzzSeedsTests {
  @Test("Plans, the items of a shard, and a receipt")
  func write() throws {
    var items: [UInt8] = []
    for item in PlanTests.assigned { PlanItems.append(item, of: .library, to: &items) }
    var (empty, large) = (PlanTests.plan, PlanTests.plan)
    empty.shards = []
    large.shards[1] = Plan.Shard(items: .max, bytes: .max, sha256: "f")
    let plans = [PlanTests.plan, empty, large].map(\.serialized)
    let seeds = (plans + [items, PlanTests.receipt]).map { (parser: "plan", bytes: $0) }
    let parsers = try FuzzSeeds.write(seeds, to: try #require(FuzzSeeds.folder))
    #expect(parsers["plan"] == seeds.count)
  }
}
