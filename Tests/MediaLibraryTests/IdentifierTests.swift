import MediaLibrary
import MediaModel
import Testing

@Suite("Identifiers and digests")
struct IdentifierTests {
  @Test("A local identifier is a random UUID in lower case, never the same twice")
  func localIdentifiers() {
    var seen: Set<String> = []
    var bits = Array(repeating: 0, count: 32)
    for _ in 0..<2000 {
      let identifier = LocalIdentifier.make()
      let parts = identifier.split(separator: "-")
      #expect(parts.map(\.count) == [8, 4, 4, 4, 12])
      let digits = parts.joined()
      #expect(digits.allSatisfy { "0123456789abcdef".contains($0) })
      #expect(parts[2].first == "4")
      #expect(parts[3].first.map { "89ab".contains($0) } == true)
      for (index, digit) in digits.enumerated() where "89abcdef".contains(digit) {
        bits[index] += 1
      }
      seen.insert(identifier)
    }
    #expect(seen.count == 2000)
    // The version and the variant stand still; every other digit takes both halves.
    for (index, count) in bits.enumerated() where index != 12 && index != 16 {
      #expect((700...1300).contains(count), "digit \(index)")
    }
  }

  @Test("A digest as text has two digits a byte")
  func hexadecimal() {
    #expect(Hexadecimal.text([]) == "")
    #expect(Hexadecimal.text([0, 1, 15, 16, 255]) == "00010f10ff")
  }

  @Test("What an item was written under is read as it was written")
  func writtenUnder() {
    let specs = [("preview", 1600), ("grid", 256), ("A-b_c", 1)].map { name, size in
      ThumbnailSpec(
        name: name,
        size: PixelSize(width: size, height: size + 1),
        contentMode: size == 256 ? .aspectFill : .aspectFit,
        quality: size % 100 + 1
      )
    }
    for policy in [MetadataPolicy.strip, .keep] {
      for count in 0...3 {
        let chosen = Array(specs.prefix(count))
        let text = WrittenUnder.text(policy: policy, thumbnails: chosen)
        #expect(text == WrittenUnder.text(policy: policy, thumbnails: chosen.reversed()))
        #expect(WrittenUnder.policy(of: text) == policy)
        let fingerprints = Dictionary(uniqueKeysWithValues: chosen.map { ($0.name, $0.fingerprint) })
        #expect(WrittenUnder.fingerprints(of: text) == fingerprints)
      }
    }
    #expect(WrittenUnder.policy(of: "") == nil)
    #expect(WrittenUnder.fingerprints(of: "strip") == [:])
  }
}
