import MediaModel
import Testing

@testable import MediaContainers
@testable import MediaMetadata
@testable import MediaStripping

@Suite("Bytes that a parser looks at")
struct ByteSourceTests {
  static let bytes = (0..<64).map { UInt8($0) }

  @Test("An edit list over a mapping reads like the output that it makes", arguments: 0...16)
  func editedEqualsOutput(seed: Int) throws {
    var operations: [EditOperation] = []
    var offset = seed % 3
    var step = seed
    while offset < 60 {
      step = (step * 7 + 3) % 11
      operations.append(.literal((0..<(step % 4)).map { UInt8(200 + $0) }))
      let length = min(step % 6, 64 - offset)
      operations.append(.copy(offset: UInt64(offset), length: UInt64(length)))
      offset += length + step % 2 + 1
    }
    let list = EditList(operations: operations)
    let expected = apply(list, to: Self.bytes)
    try withSource(Self.bytes) { source in
      let edited = try ByteSource(applying: list, to: source)
      #expect(edited.length == expected.count)
      #expect(edited.bytes(in: 0..<expected.count, limit: 1000) == expected)
      for index in -1...expected.count {
        #expect(edited.byte(at: index) == (expected.indices.contains(index) ? expected[index] : nil))
        for count in 0...8 {
          let isWhole = index >= 0 && index + count <= expected.count
          let value =
            isWhole
            ? expected[index..<(index + count)].reduce(UInt64(0)) { $0 << 8 | UInt64($1) } : nil
          #expect(edited.unsigned(at: index, count: count) == value)
        }
      }
    }
  }

  @Test("A number's order is that of its bytes, for every size", arguments: 1...8)
  func byteOrder(count: Int) {
    withSource([1, 2, 3, 4, 5, 6, 7, 8]) { source in
      let big = (1...count).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
      let little = (1...count).reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
      #expect(source.unsigned(at: 0, count: count, order: .big) == big)
      #expect(source.unsigned(at: 0, count: count, order: .little) == little)
      #expect(source.unsigned(at: 8 - count + 1, count: count) == nil)
      #expect(source.unsigned(at: Int.max, count: count) == nil)
      #expect(source.unsigned(at: -1, count: count) == nil)
    }
  }

  @Test(
    "A copied range outside the file is refused",
    arguments: [
      EditOperation.copy(offset: 60, length: 5), .copy(offset: .max, length: 2),
      .copy(offset: 65, length: 0 + 1),
    ]
  )
  func rangeOutside(operation: EditOperation) {
    withSource(Self.bytes) { source in
      #expect(
        code { _ = try ByteSource(applying: EditList(operations: [operation]), to: source) }
          == .damaged
      )
    }
  }

  @Test("Neighboring ranges become one, an overlap is refused, too many parts are refused")
  func builder() throws {
    var builder = EditListBuilder(sourceLength: 100)
    try builder.copy(0..<10)
    try builder.copy(10..<20)
    try builder.literal([1])
    try builder.literal([2])
    try builder.copy(30..<40)
    #expect(throws: MetadataError.self) { try builder.copy(35..<45) }
    #expect(
      builder.finish().operations
        == [.copy(offset: 0, length: 20), .literal([1, 2]), .copy(offset: 30, length: 10)]
    )

    var many = EditListBuilder(sourceLength: 6400)
    #expect(code { for index in 0..<3200 { try many.copy((2 * index)..<(2 * index + 1)) } } == .overLimit)
    #expect(many.finish().operations.count == 1000 + 6400 / 64)

    var large = EditListBuilder(sourceLength: 0)
    #expect(code { try large.literal([UInt8](repeating: 0, count: 1 << 20 + 1)) } == .overLimit)
  }
}
