import MediaModel
import MediaTestSupport
import Testing

@testable import MediaContainers
@testable import MediaMetadata

@Suite("Files of names of places")
struct GeoNamesFileTests {
  private func entries(_ text: String) throws -> [GazetteerEntry] {
    var entries: [GazetteerEntry] = []
    try withSource(Array(text.utf8)) { source in
      try GeoNamesFile.forEachEntry(of: source) { entries.append($0) }
    }
    return entries
  }

  /// A line as GeoNames has it.
  private static func line(
    _ name: String,
    _ latitude: String = "48.85341",
    _ longitude: String = "2.3488",
    kind: String = "P\tPPLC",
    country: String = "FR",
    region: String = "A8"
  ) -> String {
    "2988507\t\(name)\tAscii\tX,Y\t\(latitude)\t\(longitude)\t\(kind)\t\(country)\t\t\(region)"
      + "\t75\t751\t75056\t2138551\t\t42\tEurope/Paris\t2014-08-20"
  }

  @Test("Populated places are read, and the divisions of countries that name regions")
  func read() throws {
    let parsed = try entries(
      [
        "US.TX\tTexas\tTexas\t4736286", Self.line("Île\u{1} de  France ", kind: "A\tADM1"),
        Self.line("Paris"), "", Self.line("Lake", kind: "H\tLK"),
        Self.line("Gone", kind: "P\tPPLQ"), Self.line("Part", kind: "P\tPPLX"),
        Self.line("Null", "0", "0.0"), Self.line(" "),
        Self.line("Town", "-33.5", "-179.99999", kind: "P\tPPL", country: "", region: ""),
      ].joined(separator: "\n")
    )
    #expect(parsed.map(\.name) == ["Texas", "Île de  France", "Paris", "Town"])
    #expect(parsed.map(\.country) == ["US", "FR", "FR", ""])
    #expect(parsed.map(\.region) == ["TX", "A8", "A8", ""])
    #expect(parsed.map { $0.place == nil } == [true, true, false, false])
    #expect(parsed.last?.place?.latitude == -335_000_000)
    #expect(parsed.last?.place?.longitude == -1_799_999_900)
    // A longer name is cut.
    let long = try entries(Self.line(String(repeating: "é", count: 300)) + "\r\n")
    #expect(long.first?.name == String(repeating: "é", count: 100))
  }

  @Test("A line with other columns, places or codes is damaged, and its number is said")
  func damaged() throws {
    let good = Self.line("Paris") + "\n"
    #expect(try entries(good).count == 1)
    let cases = [
      "FR\tFrance", "text", good + "\t", Self.line("A", "91"), Self.line("A", "1", "181"),
      Self.line("A", "north"), Self.line("A", "", ""), Self.line("A", country: "F"),
      Self.line("A", country: "fr"), Self.line("A", region: String(repeating: "A", count: 21)),
      Self.line("A", region: "Ä"), "fr.A8\tA\tA\t1", "FRA8\tA\tA\t1",
      String(Self.line("A").prefix(60)),
    ]
    for text in cases.map({ $0.split(separator: "\n").last.map(String.init) ?? "" }) {
      let error = #expect(throws: MetadataError.self, "\(text)") { try entries(good + text) }
      #expect(error?.code == .damaged, "\(text)")
      #expect(error?.detail.hasPrefix("line 2 has ") == true, "\(error?.detail ?? "")")
    }
    for text in ["", "\n\n", "FR.A8\tA\tA\t1", Self.line("Lake", kind: "H\tLK")] {
      let error = #expect(throws: MetadataError.self, "\(text)") { try entries(text) }
      #expect(error?.code == .damaged, "\(text)")
    }
    let endless = String(repeating: "a", count: 1 << 17)
    #expect(throws: MetadataError.self) { try entries(good + endless) }
  }

  @Test("More places than the limit are over it")
  func limit() throws {
    let count = Amount.of(0, all: PlaceNames.maximumCount + 1)
    guard count > 0 else { return }
    let text = String(repeating: "FR.A8\tA\tA\t1\n", count: count)
    let error = #expect(throws: MetadataError.self) { try entries(text) }
    #expect(error?.code == .overLimit)
  }
}
