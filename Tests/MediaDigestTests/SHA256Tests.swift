import MediaDigest
import Testing

@Suite("SHA-256")
struct SHA256Tests {
  private func hexadecimal(_ bytes: [UInt8]) -> String {
    bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }

  // FIPS 180-4, examples of SHA-256, and a million times "a".
  @Test(
    "A digest is that of the standard, in pieces of any length",
    arguments: [
      ("", 1, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
      ("abc", 1, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
      (
        "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", 1,
        "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
      ),
      ("a", 1_000_000, "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"),
    ]
  )
  func digest(text: String, times: Int, expected: String) {
    let bytes = Array(String(repeating: text, count: times).utf8)
    for length in [1, 63, 64, 65, 4_096] where length > 1 || times == 1 {
      var hash = SHA256()
      bytes.withUnsafeBytes { bytes in
        for start in stride(from: 0, to: bytes.count, by: length) {
          hash.update(UnsafeRawBufferPointer(rebasing: bytes[start...].prefix(length)))
        }
      }
      #expect(hexadecimal(hash.finalize()) == expected)
      // It has begun anew.
      #expect(
        hexadecimal(hash.finalize())
          == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
      )
    }
  }

  @Test(
    "Two digests at once are those of each alone, in pieces of any length",
    arguments: [0, 1, 63, 64, 65, 4_096],
    [0, 1, 64, 130, 4_095]
  )
  func two(_ firstLength: Int, _ secondLength: Int) {
    let bytes = (0..<5_000).map { UInt8(truncatingIfNeeded: $0 &* $0 &>> 3) }
    var (first, second, firstAlone, secondAlone) = (SHA256(), SHA256(), SHA256(), SHA256())
    for start in [0, 3, 900] {
      let firstPiece = bytes[start...].prefix(firstLength)
      let secondPiece = bytes[start...].prefix(secondLength)
      firstPiece.withUnsafeBytes { one in
        secondPiece.withUnsafeBytes { other in SHA256.update(&first, one, &second, other) }
      }
      firstAlone.update(Array(firstPiece))
      secondAlone.update(Array(secondPiece))
    }
    #expect(first.finalize() == firstAlone.finalize())
    #expect(second.finalize() == secondAlone.finalize())
  }

  // RFC 4231, test cases 1, 2 and 6: a key that is longer than a block is hashed.
  @Test(
    "A message's code is that of RFC 4231",
    arguments: [
      (
        [UInt8](repeating: 0x0B, count: 20), "Hi There",
        "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"
      ),
      (
        Array("Jefe".utf8), "what do ya want for nothing?",
        "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
      ),
      (
        [UInt8](repeating: 0xAA, count: 131),
        "Test Using Larger Than Block-Size Key - Hash Key First",
        "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"
      ),
    ]
  )
  func authentication(key: [UInt8], message: String, expected: String) {
    let code = SHA256.authenticationCode(for: Array(message.utf8), key: key)
    #expect(hexadecimal(code) == expected)
  }

  // RFC 1321, appendix A.5; FIPS 180-4, example of SHA-1.
  @Test("The digests of others are those of their standards")
  func digestsOfOthers() {
    let message = Array("abc".utf8)
    #expect(hexadecimal(MD5.hash(message)) == "900150983cd24fb0d6963f7d28e17f72")
    #expect(hexadecimal(MD5.hash([])) == "d41d8cd98f00b204e9800998ecf8427e")
    #expect(hexadecimal(SHA1.hash(message)) == "a9993e364706816aba3e25717850c26c9cd0d89d")
    var pieces = SHA1()
    for byte in message { pieces.update([byte]) }
    #expect(pieces.finalize() == SHA1.hash(message))
  }

  @Test("A digest as it lies in memory is the one that is returned")
  func inMemory() {
    var hash = SHA256()
    hash.update(Array("abc".utf8))
    let words = hash.finalizeAsWords()
    #expect(withUnsafeBytes(of: words) { Array($0) } == SHA256.hash(Array("abc".utf8)))
    // It has begun anew.
    #expect(hash.finalize() == SHA256.hash([]))
  }
}
