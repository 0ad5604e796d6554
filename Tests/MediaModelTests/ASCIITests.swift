import MediaModel
import Testing

@Suite("ASCII")
struct ASCIITests {
  private static let digits = Set("0123456789".utf8)
  private static let capitals = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZ".utf8)
  private static let smalls = Set("abcdefghijklmnopqrstuvwxyz".utf8)

  @Test("Each byte is in the classes of its character")
  func classes() {
    for byte in UInt8.min...UInt8.max {
      #expect(byte.isASCIIDigit == Self.digits.contains(byte))
      #expect(byte.isASCIIUppercase == Self.capitals.contains(byte))
      #expect(byte.isASCIILowercase == Self.smalls.contains(byte))
      #expect(byte.isASCIILetter == Self.capitals.union(Self.smalls).contains(byte))
      #expect(byte.isASCIIAlphanumeric == (byte.isASCIILetter || byte.isASCIIDigit))
    }
  }

  @Test("Capital letters alone get small")
  func lowercase() {
    let text = "AZaz09@[`{é"
    #expect(text.utf8.map(\.asciiLowercased) == Array("azaz09@[`{é".utf8))
  }

  @Test("Each name is that of its character")
  func names() {
    let names: [UInt8] = [
      .newline, .space, .comma, .hyphen, .dot, .slash, .colon, .underscore,
    ]
    #expect(names == Array("\n ,-./:_".utf8))
  }
}
