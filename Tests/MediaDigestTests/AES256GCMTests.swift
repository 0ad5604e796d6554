import MediaDigest
import Testing

@Suite("AES-256-GCM, and keys of passwords")
struct AES256GCMTests {
  private func bytes(_ digits: String) -> [UInt8] {
    let digits = Array(digits)
    return stride(from: 0, to: digits.count, by: 2).compactMap {
      UInt8(String(digits[$0...($0 + 1)]), radix: 16)
    }
  }

  // McGrew and Viega, The Galois/Counter Mode of Operation, test cases 13, 14 and 16.
  @Test(
    "What is encrypted in pieces is that of the standard",
    arguments: [
      (
        String(repeating: "00", count: 32), String(repeating: "00", count: 12), "", "",
        "530f8afbc74536b9a963b4f1c4cb738b"
      ),
      (
        String(repeating: "00", count: 32), String(repeating: "00", count: 12),
        String(repeating: "00", count: 16), "",
        "cea7403d4d606b6e074ec5d3baf39d18d0d1c8a799996bf0265b98b5d48ab919"
      ),
      (
        "feffe9928665731c6d6a8f9467308308feffe9928665731c6d6a8f9467308308", "cafebabefacedbaddecaf888",
        "d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a72"
          + "1c3c0c95956809532fcf0e2449a6b525b16aedf5aa0de657ba637b39",
        "feedfacedeadbeeffeedfacedeadbeefabaddad2",
        "522dc1f099567d07f47f37a32a84427d643a8cdcbfe5c0c97598a2bd2555d1aa"
          + "8cb08e48590dbb3da7b08b1056828838c5f61e6393ba7a0abcc9f662" + "76fc6ece0f4e1768cddf8853bb2d551b"
      ),
    ]
  )
  func encryption(key: String, nonce: String, plain: String, associated: String, expected: String) {
    let plain = bytes(plain)
    for length in [16, 32, 1 << 20] {
      var cipher = AES256GCM(key: bytes(key), nonce: bytes(nonce), associatedData: bytes(associated))
      var sealed: [UInt8] = []
      for start in stride(from: 0, to: plain.count, by: length) {
        var piece = Array(plain[start...].prefix(length))
        cipher.encrypt(&piece)
        sealed += piece
      }
      #expect(sealed + cipher.finalize() == bytes(expected))
    }
  }

  // RFC 7914, section 11; the first half of its 64 bytes.
  @Test(
    "A key of a password is that of RFC 7914",
    arguments: [
      ("passwd", "salt", 1, "55ac046e56e3089fec1691c22544b605f94185216dde0465e68b9d57c20dacbc"),
      ("Password", "NaCl", 80_000, "4ddcd8f60b98be21830cee5ef22701f9641a4418d04c0414aeff08876b34ab56"),
    ]
  )
  func derivation(password: String, salt: String, rounds: UInt32, expected: String) {
    #expect(SHA256.key(of: Array(password.utf8), salt: Array(salt.utf8), rounds: rounds) == bytes(expected))
  }
}
