import Foundation
import MediaTestSupport
import Testing

/// No file changes what becomes of another one.
@Suite(
  "Files beside damaged ones",
  .enabled(if: Has.sqlite && Has.magick, "no sqlite3 or ImageMagick")
)
struct NeighborRunTests {
  /// A small picture or movie of each format that is there, by its extension.
  private static let healthy = Result {
    let folder = TemporaryFolder()
    var files: [(kind: String, bytes: [UInt8])] = [("jpg", try Media.photo("healthy"))]
    let silent = "\(folder.path)/silent.mp4"
    let arguments = ["-v", "error", "-i", Samples.video, "-an", "-c", "copy", silent]
    if Has.ffmpeg, try Tool.run("ffmpeg", arguments).status == 0 {
      files.append(("mp4", try readBytes(silent)))
    }
    for kind in ["png", "gif", "webp", "tif", "bmp", "heic", "avif", "jp2", "jxl", "psd"] {
      let path = "\(folder.path)/made.\(kind)"
      let result = try Tool.run("convert", [Samples.photo(1), "-resize", "96x72!", path])
      if result.status == 0 { files.append((kind, try readBytes(path))) }
    }
    return files
  }

  /// Damaged files: those of the corpus, or cut ones where there is none.
  private static func damaged(_ most: Int) throws -> [[UInt8]] {
    let files = Corpus.files(beneath: "damaged")
    let step = max(1, files.count / most)
    let real = try files.enumerated().filter { $0.offset % step == 0 }.map {
      try readBytes($0.element)
    }
    if !real.isEmpty { return real.filter { $0.count < 1 << 20 } }
    return try healthy.get().flatMap { file in
      [3, 5, 9].map { Array(file.bytes.prefix(file.bytes.count * $0 / 10)) }
    }
  }

  /// A scene of files in the order of their names.
  private func scene(_ files: [(name: String, bytes: [UInt8])]) throws -> Scene {
    let scene = Scene(policy: "keep")
    scene.setThumbnails([("grid", 32, 32, "aspectFill"), ("large", 80, 80, "aspectFit")])
    try scene.declare("library")
    for file in files { try scene.put("sources/library/" + file.name, file.bytes) }
    return scene
  }

  /// What became of each file: its name to its outcome, and the digests of its thumbnails.
  private func outcomes(_ scene: Scene) throws -> [String: String] {
    let outcome = try scene.run("--workers", "1")
    #expect([0, 3].contains(outcome.code), "\(outcome.streams)")
    let rows = try scene.catalogue(
      """
      SELECT CAST(i.path AS TEXT), i.outcome || ' ' || ifnull(i.reason, '') || ' ' || ifnull(
        (SELECT group_concat(t.sha256) FROM (SELECT t.sha256 FROM resources AS r
          JOIN thumbnails AS t ON t.asset = r.asset WHERE r.sourcePath = i.path ORDER BY t.name) AS t),
        '')
      FROM items AS i
      """
    )
    return Dictionary(
      rows.map { row in
        let parts = row.split(separator: "|", maxSplits: 1).map(String.init)
        return (parts[0], parts.count > 1 ? parts[1] : "")
      },
      uniquingKeysWith: { $1 }
    )
  }

  @Test("A healthy file has the thumbnails that it has alone, whatever stands before it")
  func behind() throws {
    let healthy = try Self.healthy.get()
    try #require(healthy.count >= 7)
    let alone = try outcomes(try scene(healthy.map { ("alone.\($0.kind)", $0.bytes) }))
    for (kind, _) in healthy {
      try #require(alone["alone.\(kind)"]?.hasPrefix("imported  ") == true, "\(alone)")
    }
    var files: [(name: String, bytes: [UInt8])] = []
    let damaged = try Self.damaged(Amount.of(32, all: 100_000))
    for (number, bytes) in damaged.enumerated() {
      let stem = String(format: "%05d", number)
      files.append(("\(stem)-0.bad", bytes))
      for next in 1...2 {
        let (kind, bytes) = healthy[(2 * number + next) % healthy.count]
        // Another content, so that it is no duplicate; zeros behind the end do not count.
        let zeros = [UInt8](repeating: 0, count: 2 * number + next)
        files.append(("\(stem)-\(next).\(kind)", bytes + zeros))
      }
    }
    let results = try outcomes(try scene(files))
    var failed = 0
    for (name, _) in files {
      if name.hasSuffix(".bad") {
        if results[name]?.hasPrefix("failed") == true { failed += 1 }
      } else {
        let kind = name.split(separator: ".")[1]
        #expect(results[name] == alone["alone.\(kind)"], "\(name): \(results[name] ?? "")")
      }
    }
    #expect(failed > damaged.count / 10, "\(failed) of \(damaged.count)")
  }

  @Test("The order of files does not change what becomes of them")
  func anyOrder() throws {
    var generator = SeededGenerator()
    var files = try Self.damaged(Amount.of(40, all: 2_000))
    files += try Self.healthy.get().map(\.bytes)
    files = Array(Set(files))
    var first: [[UInt8]: String]?
    for _ in 0..<Amount.of(2, all: 4) {
      files.shuffle(using: &generator)
      let named = files.enumerated().map { (String(format: "%05d", $0.offset), $0.element) }
      let results = try outcomes(try scene(named.map { ($0.0, $0.1) }))
      let outcomes = Dictionary(named.map { ($0.1, results[$0.0] ?? "none") }, uniquingKeysWith: { $1 })
      if let first {
        for (file, outcome) in outcomes where first[file] != outcome {
          Issue.record("a file of \(file.count) bytes: \(first[file] ?? ""), then \(outcome)")
        }
      } else {
        first = outcomes
      }
    }
  }
}
