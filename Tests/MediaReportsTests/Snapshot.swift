import Foundation
import Testing

/// Compares text with the golden file beside the test; `RECORD_SNAPSHOTS=1` writes it and still fails.
func expectSnapshot(
  _ text: String,
  _ name: String,
  file: String = #filePath,
  sourceLocation: SourceLocation = #_sourceLocation
) throws {
  let folder = URL(fileURLWithPath: file).deletingLastPathComponent()
    .appendingPathComponent("Snapshots")
  let golden = folder.appendingPathComponent(name)
  if ProcessInfo.processInfo.environment["RECORD_SNAPSHOTS"] == "1" {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try Data(text.utf8).write(to: golden)
    Issue.record("recorded \(name)", sourceLocation: sourceLocation)
    return
  }
  let expected = try String(contentsOf: golden, encoding: .utf8)
  #expect(text == expected, "\(name) differs", sourceLocation: sourceLocation)
}

/// Whether a terminal and a CI runner take the text for nothing but text.
func expectHarmless(_ text: String, sourceLocation: SourceLocation = #_sourceLocation) {
  for scalar in text.unicodeScalars where scalar != "\n" {
    let category = scalar.properties.generalCategory
    #expect(
      ![.control, .format, .lineSeparator, .paragraphSeparator, .surrogate].contains(category),
      "U+\(String(scalar.value, radix: 16))",
      sourceLocation: sourceLocation
    )
  }
  #expect(!text.contains("##["), sourceLocation: sourceLocation)
  for line in text.split(separator: "\n") {
    let start = line.drop { $0.isWhitespace }
    #expect(!start.utf8.starts(with: "::".utf8), "\(line)", sourceLocation: sourceLocation)
  }
}
