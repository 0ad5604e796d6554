import Foundation
import MediaLibrary
import MediaTestSupport
import Testing

@testable import MediaVerification

@Suite("Lists beyond memory")
struct SpoolTests {
  @Test(
    "What was added comes back in its order, in memory and from the file",
    arguments: [0, 1, 64, 1 << 20]
  )
  func order(memoryLimit: Int) throws {
    let spool = Spool<String>(memoryLimit: memoryLimit)
    var random = SeededGenerator()
    var expected: [String] = []
    #expect(try spool.all() == [])
    for number in 0..<300 {
      // Empty ones, and some that are longer than what is kept in memory.
      let text =
        number % 50 == 0
        ? "" : String(repeating: "ä", count: Int(random.next() % 90)) + String(number)
      try spool.append(text)
      expected.append(text)
      if number % 100 == 99 { #expect(try spool.all() == expected) }
    }
    #expect(spool.count == 300)
    #expect(spool.heldByteCount <= memoryLimit)
  }

  @Test("Findings and files come back as they were")
  func elements() throws {
    let findings = Spool<LibraryFileCheck.Finding>(memoryLimit: 10)
    let files = Spool<Catalogue.PublishedFile>(memoryLimit: 10)
    let expected = LibraryFileCheck.Kind.allCases.map { kind in
      LibraryFileCheck.Finding(
        kind: kind,
        path: "Originals/é/\(kind)",
        detail: kind == .missing ? "" : "a: b"
      )
    }
    let file = Catalogue.PublishedFile(path: "a b/ü", bytes: 1 << 40, sha256: "ff", localIdentifier: "id")
    for finding in expected { try findings.append(finding) }
    try files.append(file)
    #expect(try findings.all() == expected)
    #expect(try files.all() == [file])
  }

  @Test("A sum of paths is that of the set, whatever the order")
  func pathSum() {
    let paths = (0..<100).map { Array("Originals/\($0)".utf8) }
    var sum = PathSum()
    var other = PathSum()
    for path in paths { sum.add(path) }
    var random = SeededGenerator()
    for path in paths.shuffled(using: &random) { other.add(path) }
    #expect(sum == other)
    other.add(Array("Originals/100".utf8))
    #expect(sum != other)
    sum.add(Array("Originals/1oo".utf8))
    #expect(sum != other)
  }
}
