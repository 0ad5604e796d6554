import MediaModel
import MediaWorkerProtocol
import Testing

@Suite("Edit list guard")
struct EditListGuardTests {
  private func isAccepted(_ operations: [EditOperation], length: UInt64) -> Bool {
    var guarding = EditListGuard(sourceLength: length)
    do {
      for operation in operations { try guarding.accept(operation) }
      return true
    } catch {
      return false
    }
  }

  @Test("Every single range of a short file: accepted exactly when it is not empty and within")
  func everyRange() {
    for length in UInt64(0)...8 {
      for offset in UInt64(0)...10 {
        for count in UInt64(0)...10 {
          let expected = count > 0 && offset + count <= length
          #expect(isAccepted([.copy(offset: offset, length: count)], length: length) == expected)
        }
      }
    }
  }

  @Test(
    "Every two ranges of a short file: accepted exactly when the second begins where the first ended or later"
  )
  func everyTwoRanges() {
    for first in UInt64(0)..<5 {
      for firstLength in UInt64(1)...(5 - first) {
        for second in UInt64(0)..<5 {
          for secondLength in UInt64(1)...(5 - second) {
            let operations: [EditOperation] = [
              .copy(offset: first, length: firstLength), .literal([0]),
              .copy(offset: second, length: secondLength),
            ]
            #expect(isAccepted(operations, length: 5) == (second >= first + firstLength))
          }
        }
      }
    }
  }

  @Test("Frames under a mask are whole, within the file, and behind what came before")
  func masks() throws {
    let mask = try #require(DIFMask(is50: false, channelCount: 1, is720: false, hasSound: true, foreign: []))
    let length = UInt64(mask.frameLength)
    func masked(_ offset: UInt64, _ count: UInt64) -> EditOperation {
      .masked(offset: offset, length: count, mask: mask)
    }
    #expect(isAccepted([masked(0, length), masked(length, 2 * length)], length: 3 * length))
    #expect(isAccepted([.copy(offset: 0, length: 7), masked(7, length)], length: length + 7))
    for (offset, count) in [(0, 0), (0, length - 1), (0, length + 80), (1, length), (.max, length)]
      as [(UInt64, UInt64)]
    {
      #expect(!isAccepted([masked(offset, count)], length: length), "\(offset) \(count)")
    }
    #expect(!isAccepted([masked(0, length), masked(0, length)], length: 3 * length))
    #expect(!isAccepted([masked(0, length), .copy(offset: length - 1, length: 1)], length: 3 * length))
  }

  @Test("Ranges whose end no integer holds are refused, not computed")
  func overflow() {
    for offset: UInt64 in [.max, .max - 1, UInt64(Int64.max)] {
      for count: UInt64 in [.max, UInt64(Int64.max), 101] {
        #expect(!isAccepted([.copy(offset: offset, length: count)], length: 100))
      }
    }
    #expect(isAccepted([.copy(offset: 0, length: .max)], length: .max))
  }

  @Test(
    "Literal bytes up to 1 MiB and a quarter of the file, in one or in many",
    arguments: [UInt64(0), 3, 4, 1000, 1 << 20]
  )
  func literals(_ length: UInt64) {
    let limit = Int((1 << 20) + length / 4)
    let whole = [UInt8](repeating: 0, count: limit)
    #expect(isAccepted([.literal(Array(whole.dropLast()))], length: length))
    #expect(isAccepted([.literal(whole)], length: length))
    #expect(!isAccepted([.literal(whole + [0])], length: length))
    #expect(isAccepted([.literal([0]), .literal(Array(whole.dropLast()))], length: length))
    #expect(!isAccepted([.literal([0]), .literal(whole)], length: length))
  }

  @Test("Literal bytes never exceed 256 MiB, however large the file")
  func mostLiterals() {
    let mebibyte = EditOperation.literal([UInt8](repeating: 0, count: 1 << 20))
    var guarding = EditListGuard(sourceLength: 1 << 40)
    #expect(throws: Never.self) {
      for _ in 0..<256 { try guarding.accept(mebibyte) }
    }
    #expect(throws: ProtocolError.self) { try guarding.accept(.literal([0])) }
  }

  @Test(
    "At most 1,000 and a 64th of the length operations",
    arguments: [UInt64(0), 63, 64, 6400]
  )
  func operations(_ length: UInt64) {
    let limit = Int(1000 + length / 64)
    let operation = EditOperation.literal([])
    #expect(isAccepted(Array(repeating: operation, count: limit), length: length))
    #expect(!isAccepted(Array(repeating: operation, count: limit + 1), length: length))
  }
}
