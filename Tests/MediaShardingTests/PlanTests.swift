import MediaListing
import MediaModel
import MediaTestSupport
import Testing

@testable import MediaPipeline
@testable import MediaSharding

/// Plans, lists and receipts as files.
@Suite("The files of a plan")
struct PlanTests {
  static var plan: Plan {
    Plan(
      manifestSHA256: String(repeating: "a", count: 64),
      labelsSHA256: nil,
      infoPlistSHA256: String(repeating: "b", count: 64),
      policySHA256s: ["c"],
      formatVersion: 1,
      decisionSHA256: "d",
      shards: [
        Plan.Shard(items: 1, bytes: 2, sha256: "e"), Plan.Shard(items: 0, bytes: 0, sha256: "f"),
      ],
      library: "0b7e6f5d-3c1a-4f57-9a55-6e5b3d7b8d11",
      digestKey: Array(repeating: 7, count: 32),
      firstRun: 0xFFFF_FFFF,
      manifest: [0x2F, 0xFF, 0x20],
      policies: [Array("/etc/100 % policy.json".utf8), [0x2F, 0xFE]],
      tool: "0.1.0"
    )
  }

  @Test("A plan reads what it wrote, and the digest leaves out what is drawn anew")
  func plans() throws {
    let plan = Self.plan
    #expect(Plan(plan.serialized) == plan)
    var other = plan
    (other.library, other.firstRun, other.manifest, other.tool) = ("x", 1, [1], "2")
    other.digestKey = Array(repeating: 8, count: 32)
    #expect(other.sha256 == plan.sha256)
    other.decisionSHA256 = "x"
    #expect(other.sha256 != plan.sha256)
  }

  @Test("A plan with any other byte is no plan")
  func changed() {
    let bytes = Self.plan.serialized
    for offset in bytes.indices.dropLast() {
      var changed = bytes
      changed[offset] ^= 1
      let read = Plan(changed)
      // Values that are drawn anew are not covered by the digest.
      #expect(read == nil || read?.sha256 == Self.plan.sha256, "\(offset)")
    }
    for count in bytes.indices.dropLast() { #expect(Plan(Array(bytes.prefix(count))) == nil) }
  }

  @Test(
    "A plan without shards, with more than there can be, or with numbers that no files have, is no plan",
    arguments: [
      (0, 0, 0), (65_536, 0, 0), (1, -1, 0), (1, 0, -1), (2, Int.max, 0), (2, 0, Int64.max),
    ]
  )
  func impossible(count: Int, items: Int, bytes: Int64) {
    var plan = Self.plan
    let shard = Plan.Shard(items: items, bytes: bytes, sha256: "e")
    plan.shards = Array(repeating: shard, count: count)
    // Its digest is right: whoever changes a plan can compute it.
    let isPlan = Plan(plan.serialized) != nil
    #expect(!isPlan)
  }

  @Test("No two runs of a plan have one identifier")
  func runs() {
    let runs = [0, 1, 2, 300, 65_535].flatMap { shard in
      [0, 1, 2, 77].map { Self.plan.run(shard: shard, attempt: $0) }
    }
    #expect(Set(runs).count == runs.count && runs.allSatisfy { $0.utf8.count == 8 })
  }

  static let assigned = [
    AssignedItem(
      path: ItemPath(bytes: [0x61, 0xFF, 0x2F, 0x25, 0x34, 0x31]),
      size: 1,
      modified: -5,
      number: 3
    ),
    AssignedItem(
      path: ItemPath(bytes: Array("b \"quoted\" \u{202E}é.jpg".utf8)),
      size: nil,
      modified: nil,
      number: 4,
      digest: .md5(Array(repeating: 9, count: 16))
    ),
    AssignedItem(
      path: ItemPath(bytes: Array("c\nd".utf8)),
      size: .max,
      modified: .max,
      number: 5,
      digest: .sha256(Array(repeating: 9, count: 32))
    ),
  ]

  @Test("The items of a shard are read as they were written, names as bytes")
  func items() throws {
    let items = Self.assigned
    var bytes: [UInt8] = []
    for item in items { PlanItems.append(item, of: .library, to: &bytes) }
    let read = try #require(PlanItems.items(bytes)?[.library])
    #expect(read.count == 3)
    for (index, item) in items.enumerated() {
      #expect(read.path(at: index) == item.path && read.number(at: index) == item.number)
      #expect(read.digest(of: item.path) == item.digest)
    }
    for count in stride(from: 1, to: bytes.count, by: 3) {
      _ = PlanItems.items(Array(bytes.prefix(count)))
    }
    #expect(PlanItems.items(Array("{}\n".utf8)) == nil)
  }

  static let receipt = Array(
    """
    {"assets":2,"attempt":1,"catalogue":{"schema":"17","sha256":"aa"},"counts":{"imported":2},"exitCode":3,\
    "files":{"count":4,"sha256":"bb"},"library":"l","log":{"bytes":9,"file":"000001-a.ndjson","head":"cc",\
    "records":3,"root":"dd","run":"a","size":3},"loneHalves":[{"contentIdentifierHMAC":"0102","movie":\
    {"number":7,"path":"a%FF.mov"},"sidecars":[],"source":"library"}],"planSHA256":"ee",\
    "schema":"mediabatch.receipt/1","shard":5}

    """.utf8
  )

  @Test("A receipt reads what it wrote, and nothing else")
  func receipts() throws {
    var bytes = Self.receipt
    let receipt = try #require(Receipt(bytes))
    #expect(receipt.serialized == bytes)
    #expect(receipt.loneHalves.first?.movie.path.bytes == [0x61, 0xFF, 0x2E, 0x6D, 0x6F, 0x76])
    for count in bytes.indices.dropLast() { #expect(Receipt(Array(bytes.prefix(count))) == nil) }
    bytes.insert(0x20, at: 1)
    #expect(Receipt(bytes) == nil)
  }
}
