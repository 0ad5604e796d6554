import MediaSyntax
import MediaTestSupport
import Testing

@Suite("Bytes that are compared in constant time")
struct SecretBytesTests {
  @Test("Bytes are equal to themselves, and to no others of their length or of another")
  func others() {
    let secret = (0..<32).map { UInt8(truncatingIfNeeded: $0 * 37 + 1) }
    #expect(SecretBytes.areEqual(secret, secret[...]) && SecretBytes.areEqual([], []))
    for index in secret.indices {
      for bit in 0..<8 {
        var other = secret
        other[index] ^= 1 << UInt8(bit)
        #expect(!SecretBytes.areEqual(secret, other), "bit \(bit) of byte \(index)")
      }
    }
    #expect(!SecretBytes.areEqual(secret, secret.dropLast()))
    #expect(!SecretBytes.areEqual(secret, secret + [0]))
  }

  @Test("Two differences do not take each other away")
  func pairs() {
    // With a reduction of one precedence, 2 ^ 2 in two places would pass.
    #expect(!SecretBytes.areEqual([1, 1], [3, 3]))
    #expect(!SecretBytes.areEqual([0, 0xFF], [0xFF, 0]))
  }
}
