import Testing

@testable import MediaSharding

/// Groups of items are divided among shards, in their order.
@Suite("The division into shards")
struct ShardDivisionTests {
  private func divide(_ weights: [UInt64], among shards: Int) -> [Int] {
    var division = ShardDivision(shards: shards, total: weights.reduce(0, &+))
    return weights.map { division.next(weight: $0) }
  }

  @Test("Each shard gets consecutive groups, and about the same weight", arguments: 1...40)
  func consecutive(shards: Int) {
    let weights = (0..<2_000).map { UInt64(1 + $0 * 7919 % 100) }
    let assignments = divide(weights, among: shards)
    #expect(
      assignments == assignments.sorted() && assignments.first == 0
        && assignments.last == shards - 1
    )
    var sums = [UInt64](repeating: 0, count: shards)
    for (shard, weight) in zip(assignments, weights) { sums[shard] += weight }
    let mean = weights.reduce(0, +) / UInt64(shards)
    #expect(sums.allSatisfy { $0 < mean + 200 && $0 + 200 > mean })
  }

  @Test("A group that outweighs all others leaves shards empty, and none is left out")
  func large() {
    #expect(divide([1, 1_000_000, 1], among: 4) == [0, 0, 3])
    #expect(divide([], among: 4) == [])
    #expect(divide([0, 0, 0], among: 3).allSatisfy { (0..<3).contains($0) })
  }

  @Test("Weights up to the largest numbers do not overflow")
  func overflow() {
    let huge = UInt64.max / 4
    #expect(divide([huge, huge, huge], among: 65_535).allSatisfy { (0..<65_535).contains($0) })
    #expect(ShardDivision.weight(ofSize: .max) > 0 && ShardDivision.weight(ofSize: -1) > 0)
  }
}

/// Numbers of shards as people and schedulers write them.
@Suite("Numbers of shards")
struct ShardNumberTests {
  @Test(
    "Numbers are listed as array jobs take them",
    arguments: [
      ([], ""), ([3], "3"), ([1, 2], "1-2"), ([9, 7, 8, 3], "3,7-9"), ([1, 3, 5], "1,3,5"),
    ] as [([Int], String)]
  )
  func list(numbers: [Int], text: String) {
    #expect(ShardNumber.list(numbers) == text)
  }

  @Test("Exactly one variable counts, each from its own first number")
  func variables() throws {
    for (name, offset) in ShardNumber.variables {
      #expect(try ShardNumber.from([name: "4"]) == 4 + offset)
      #expect(throws: ShardingError.self) { try ShardNumber.from([name: "-1"]) }
      #expect(throws: ShardingError.self) { try ShardNumber.from([name: ""]) }
      #expect(throws: ShardingError.self) { try ShardNumber.from([name: "+1"]) }
      #expect(throws: ShardingError.self) { try ShardNumber.from([name: "\(Int.max)"]) }
      for (other, _) in ShardNumber.variables where other != name {
        #expect(throws: ShardingError.self) { try ShardNumber.from([name: "4", other: "4"]) }
      }
    }
    #expect(throws: ShardingError.self) { try ShardNumber.from(["SHARD": "4"]) }
  }
}
