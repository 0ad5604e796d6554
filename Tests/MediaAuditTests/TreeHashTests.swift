import Foundation
import MediaModel
import MediaTestSupport
import Testing

@testable import MediaAudit

/// The tree and its proofs against RFC 6962, as others compute it.
struct TreeHashTests {
  /// Source: the leaves and roots of the test data of the Certificate Transparency project.
  static let leaves: [[UInt8]] = [
    [], [0x00], [0x10], [0x20, 0x21], [0x30, 0x31], [0x40, 0x41, 0x42, 0x43],
    [0x50, 0x51, 0x52, 0x53, 0x54, 0x55, 0x56, 0x57],
    (0x60...0x6F).map { UInt8($0) },
  ]
  static let roots = [
    "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
    "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
    "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
    "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
    "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
    "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
    "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
    "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
    "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
  ]

  /// RFC 6962 section 2.1 word for word, which our code is nowhere near: no frontier, no loops.
  static let rfc6962 = """
    import hashlib, sys

    def H(data): return hashlib.sha256(data).digest()
    def k(n): return 1 << ((n - 1).bit_length() - 1)

    def MTH(D):
        if not D: return H(b"")
        if len(D) == 1: return H(b"\\0" + D[0])
        return H(b"\\1" + MTH(D[:k(len(D))]) + MTH(D[k(len(D)):]))

    def PATH(m, D):
        if len(D) == 1: return []
        s = k(len(D))
        return PATH(m, D[:s]) + [MTH(D[s:])] if m < s else PATH(m - s, D[s:]) + [MTH(D[:s])]

    def SUBPROOF(m, D, b):
        if m == len(D): return [] if b else [MTH(D)]
        s = k(len(D))
        if m <= s: return SUBPROOF(m, D[:s], b) + [MTH(D[s:])]
        return SUBPROOF(m - s, D[s:], False) + [MTH(D[:s])]

    D = [b"record %d" % n for n in range(int(sys.argv[1]))]
    for n in range(len(D) + 1):
        print("root", n, MTH(D[:n]).hex())
        for m in range(n): print("path", m, n, *[h.hex() for h in PATH(m, D[:n])])
        for m in range(1, n + 1):
            print("proof", m, n, *[h.hex() for h in SUBPROOF(m, D[:n], True)])
    """

  static func leaf(_ number: Int) -> RecordHash {
    Array("record \(number)".utf8).withUnsafeBytes { TreeHash.leaf($0) }
  }

  /// The root of a range by the definition, over the leaves' hashes.
  static func root(_ range: Range<Int>) -> RecordHash {
    guard range.count > 1 else { return range.isEmpty ? TreeHash.empty : leaf(range.lowerBound) }
    let middle = range.lowerBound + TreeProof.split(range.count)
    return TreeHash.node(root(range.lowerBound..<middle), root(middle..<range.upperBound))
  }

  @Test("The roots are those of Certificate Transparency's own test data")
  func knownRoots() throws {
    var tree = TreeFrontier()
    for (size, root) in Self.roots.enumerated() {
      #expect(tree.root == root && tree.size == size)
      #expect(TreeFrontier(encoded: tree.encoded) == tree)
      if size < Self.leaves.count {
        tree.append(leaf: Self.leaves[size].withUnsafeBytes { TreeHash.leaf($0) })
      }
    }
  }

  @Test(
    "Every root, inclusion proof and consistency proof is what RFC 6962's own words give",
    .enabled(if: Tool.exists("python3"), "needs python3")
  )
  func independent() throws {
    let count = 40
    let result = try Tool.run("python3", ["-c", Self.rfc6962, String(count)])
    try #require(result.status == 0, "\(result.error)")
    var lines: [String] = []
    var tree = TreeFrontier()
    for size in 0...count {
      lines.append("root \(size) \(tree.root)")
      func line(_ kind: String, _ number: Int, _ path: [RecordHash]) {
        lines.append(([kind, "\(number)", "\(size)"] + path.map(\.text)).joined(separator: " "))
      }
      for index in 0..<size {
        let path = try TreeProof.inclusion(of: index, size: size) { Self.root($0) }
        line("path", index, path)
        let leaf = Self.leaf(index)
        #expect(TreeProof.root(leaf: leaf, index: index, size: size, path: path) == tree.rootHash)
      }
      for old in 1..<max(1, size + 1) where size > 0 {
        line("proof", old, try TreeProof.consistency(from: old, to: size) { Self.root($0) })
      }
      tree.append(leaf: Self.leaf(size))
    }
    let independent = result.output.split(separator: "\n").map {
      $0.trimmingCharacters(in: .whitespaces)
    }
    #expect(independent.count == 41 + 820 + 820)
    #expect(independent == lines)
  }

  @Test("No proof holds for another record, place, size or hash")
  func wrongInclusion() throws {
    for size in 1...20 {
      let root = Self.root(0..<size)
      for index in 0..<size {
        let path = try TreeProof.inclusion(of: index, size: size) { Self.root($0) }
        func holds(_ leaf: RecordHash, _ index: Int, _ size: Int, _ path: [RecordHash]) -> Bool {
          TreeProof.root(leaf: leaf, index: index, size: size, path: path) == root
        }
        #expect(holds(Self.leaf(index), index, size, path))
        for other in -1...size where other != index {
          #expect(!holds(Self.leaf(index), other, size, path))
          #expect(!holds(Self.leaf(other), index, size, path))
        }
        #expect(!holds(Self.leaf(index), index, size, path + [Self.leaf(index)]))
        for step in path.indices {
          var wrong = path
          wrong[step] = Self.leaf(99)
          #expect(!holds(Self.leaf(index), index, size, wrong))
          wrong.remove(at: step)
          #expect(!holds(Self.leaf(index), index, size, wrong))
        }
      }
    }
  }

  @Test("A node is never taken for a record")
  func prefixes() {
    let pair = [Self.leaf(0), Self.leaf(1)]
    let bytes = pair.flatMap(\.bytes)
    #expect(TreeHash.node(pair[0], pair[1]) != bytes.withUnsafeBytes { TreeHash.leaf($0) })
  }

  @Test("No proof of consistency holds for another root or size")
  func wrongConsistency() throws {
    for new in 1...16 {
      for old in 1...new {
        let path = try TreeProof.consistency(from: old, to: new) { Self.root($0) }
        let roots = (old: Self.root(0..<old), new: Self.root(0..<new))
        func holds(_ m: Int, _ oldRoot: RecordHash, _ n: Int, _ newRoot: RecordHash) -> Bool {
          TreeProof.isConsistent(old: (m, oldRoot), new: (n, newRoot), path: path)
        }
        #expect(holds(old, roots.old, new, roots.new))
        #expect(!holds(old, Self.leaf(99), new, roots.new))
        #expect(!holds(old, roots.old, new, Self.leaf(99)))
        if old < new { #expect(!holds(new, roots.new, old, roots.old)) }
        for step in path.indices {
          var wrong = path
          wrong[step] = Self.leaf(99)
          #expect(!TreeProof.isConsistent(old: (old, roots.old), new: (new, roots.new), path: wrong))
        }
      }
    }
  }

  @Test("A hash is read from 64 lowercase hexadecimal digits, and from nothing else")
  func digits() throws {
    let text = "0123456789abcdeffedcba98765432101023456789abcdef00000000ffffffff"
    #expect(RecordHash(hexadecimal: text)?.bytes == Hexadecimal.bytes(text))
    for place in 0..<64 {
      for byte in UInt8.min...UInt8.max {
        var digits = Array(text.utf8)
        digits[place] = byte
        let hash = digits.withUnsafeBytes { RecordHash(hexadecimal: $0) }
        let isDigit = "0123456789abcdef".utf8.contains(byte)
        #expect(hash.map { Array($0.text.utf8) } == (isDigit ? digits : nil), "\(place): \(byte)")
      }
    }
    #expect(RecordHash(hexadecimal: String(text.dropLast())) == nil)
  }

  @Test("The keyed digest is HMAC-SHA-256 as RFC 4231 has it")
  func keyedDigest() {
    func digest(_ key: [UInt8], _ message: [UInt8]) -> String {
      key.withUnsafeBytes { key in
        message.withUnsafeBytes { KeyedDigest.digest(key: key, $0) }
      }.text
    }
    #expect(
      digest([UInt8](repeating: 0x0B, count: 20), Array("Hi There".utf8))
        == "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"
    )
    #expect(
      digest(Array("Jefe".utf8), Array("what do ya want for nothing?".utf8))
        == "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
    )
  }
}
