import Testing

@testable import MediaModel

@Suite("The order of names")
struct NaturalOrderTests {
  @Test("Numbers count by their value, letters without case, and extensions last")
  func order() {
    let names = [
      "", "1.jpg", "2.jpg", "02a.jpg", "10.jpg", "100.jpg", "IMG.jpg", "IMG_1.HEIC", "img_1.jpg",
      "IMG_1-edited.jpg",
      "IMG_2.jpg", "IMG_2 (1).jpg", "IMG_2 (10).jpg", "IMG_10.jpg", "IMG_99999999999999999999.jpg",
      "IMG_100000000000000000000.jpg", "z", "Ä.jpg",
    ]
    let keys = names.map { NaturalOrder.key(of: $0.utf8) }
    for (key, next) in zip(keys, keys.dropFirst()) {
      #expect(key.lexicographicallyPrecedes(next), "\(key) \(next)")
    }
    #expect(NaturalOrder.key(of: "IMG_007.JPG".utf8) == NaturalOrder.key(of: "img_7.jpg".utf8))
  }

  @Test("Any bytes have a key, and paths of one name are in the order of their bytes")
  func bytes() {
    for byte in UInt8.min...UInt8.max {
      let key = NaturalOrder.key(of: [byte, 0x30, byte])
      #expect(!key.isEmpty)
    }
    let digits = [UInt8](repeating: 0x39, count: 1000)
    #expect(NaturalOrder.key(of: digits).count == 1003)
    let (first, second) = (
      ItemPath(bytes: Array("a/IMG_2.jpg".utf8)), ItemPath(bytes: Array("b/IMG_2.jpg".utf8))
    )
    #expect(first.precedesNaturally(second) && !second.precedesNaturally(first))
    #expect(second.precedesNaturally(ItemPath(bytes: Array("a/IMG_10.jpg".utf8))))
  }
}
