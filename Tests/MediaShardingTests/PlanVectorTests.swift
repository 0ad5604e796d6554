import Foundation
import MediaDigest
import MediaListing
import MediaModel
import MediaTestSupport
import Testing

@testable import MediaSharding

/// The vectors of `docs/spec/vectors` that are plans.
@Suite("Plans among the test vectors of the specification")
struct PlanVectorTests {
  private static let root = URL(fileURLWithPath: #filePath)
    .appendingPathComponent("../../../docs/spec/vectors").standardizedFileURL.path

  private func bytes(_ path: String) throws -> [UInt8] { try readBytes(Self.root + "/" + path) }

  @Test("A plan, the items of a shard and its receipt are read, and written again byte for byte")
  func good() throws {
    let plan = try #require(Plan(try bytes("plan-good/plan.json")))
    let text = String(decoding: try bytes("plan-good/expected.json"), as: UTF8.self)
    #expect(text.contains("\"planSHA256\": \"\(plan.sha256)\""))
    #expect(plan.serialized == (try bytes("plan-good/plan.json")))
    let items = try bytes("plan-good/items/1.ndjson")
    #expect(Hexadecimal.text(SHA256.hash(items)) == plan.shards[0].sha256)
    #expect(PlanItems.items(items)?[.camera]?.count == plan.shards[0].items)
    let receipt = try #require(Receipt(try bytes("plan-good/receipts/1.json")))
    #expect(receipt.plan == plan.sha256 && receipt.library == plan.library && receipt.shard == 1)
    #expect(receipt.log.run == plan.run(shard: 1, attempt: receipt.attempt))
    #expect(receipt.serialized == (try bytes("plan-good/receipts/1.json")))
  }

  @Test("A plan whose digest is another is no plan")
  func changed() throws {
    #expect(Plan(try bytes("plan-bad-digest/plan.json")) == nil)
  }
}
