import Foundation
import Glibc
import MediaModel
import MediaSyntax
import MediaTestSupport
import Testing

/// Reads libraries as people and other programs do: by SQL, from a read-only medium, from a copy.
@Suite("Libraries read by other programs", .enabled(if: Has.sqlite, "no sqlite3"))
struct LibraryReadersTests {
  /// A library with something for each query of docs/library.md.
  private func scene() throws -> Scene {
    let scene = Scene(policy: "keep")
    scene.setThumbnails([("grid", 24, 24, "aspectFill")])
    try scene.declare("library")
    try scene.put("sources/library/trip/harbour.jpg", try Media.photo("harbour"))
    try scene.put("sources/library/trip/other.jpg", try Media.photo("harbour"))
    try scene.put("sources/library/Größe 北.jpg", try Media.photo("wide"))
    try scene.put("sources/library/b.mp4", copyOf: Samples.video)
    try scene.put("sources/library/broken.jpg", Array(try Media.photo("broken").prefix(500)))
    return scene
  }

  private func sqlite(_ scene: Scene, _ sql: String, _ file: String? = nil) throws -> String {
    let result = try Tool.run("sqlite3", [file ?? scene.library + "/library.sqlite", sql])
    try #require(result.status == 0, "\(sql): \(result.error)")
    return result.output
  }

  /// The queries of the document, without their comments.
  private var queries: [String] {
    get throws {
      let page = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("../../docs/library.md").standardizedFileURL.path
      let text = String(decoding: try readBytes(page), as: UTF8.self)
      let block = try #require(
        text.components(separatedBy: "```sql\n").dropFirst().first?
          .components(separatedBy: "```").first
      )
      let lines = block.components(separatedBy: "\n").filter { !$0.hasPrefix("--") }
      return lines.joined(separator: "\n").components(separatedBy: ";")
        .filter { $0.contains("SELECT") }
    }
  }

  @Test(
    "Each query of docs/library.md finds something, as it stands there",
    .enabled(if: Tool.exists("exiftool"), "no exiftool")
  )
  func documented() throws {
    let scene = try scene()
    try Independent.make(
      "exiftool",
      [
        "-q", "-overwrite_original", "-DateTimeOriginal=2026:01:02 03:04:05", "-Make=Acme",
        "-Model=One", "-GPSLatitude=54", "-GPSLatitudeRef=N", "-GPSLongitude=10",
        "-GPSLongitudeRef=E", scene.at("sources/library/trip/harbour.jpg"),
        scene.at("sources/library/trip/other.jpg"),
      ]
    )
    _ = try scene.run()
    let queries = try queries
    #expect(queries.count >= 10)
    for query in queries {
      let rows = try sqlite(scene, query)
      // The sample lasts a second.
      #expect(rows != "" || query.contains("seconds > 1"), "\(query)")
    }
    #expect(try sqlite(scene, "SELECT path FROM outcomes WHERE outcome = 'failed'") == "broken.jpg\n")
    #expect(
      try sqlite(scene, "SELECT sourcePath FROM photos WHERE sourcePath LIKE 'trip/%'")
        .hasPrefix("trip/")
    )
    #expect(try sqlite(scene, "SELECT count(*) FROM photos WHERE label = 'Größe 北'") == "1\n")
    #expect(
      try sqlite(scene, "SELECT count(*) FROM photos")
        == sqlite(scene, "SELECT count(*) FROM assets")
    )
  }

  @Test(
    "Names that are not UTF-8 are text all the same, and other names are what they were",
    .enabled(if: Has.python, "no python3")
  )
  func bytes() throws {
    let scene = Scene(policy: "keep")
    try scene.declare("camera")
    try scene.makeFolder("sources/camera")
    let names: [[UInt8]] = [
      Array("plain name.jpg".utf8), Array("Größe e\u{301} 北京 \u{1F600}.jpg".utf8),
      [0xFF] + Array("a.jpg".utf8), Array("b".utf8) + [0x80, 0xC3] + Array(".jpg".utf8),
      Array("c".utf8) + [0xED, 0xA0, 0x80] + Array(".jpg".utf8),
    ]
    for (index, name) in names.enumerated() {
      let path = Array(scene.at("sources/camera/").utf8) + name
      let file = path.map { CChar(bitPattern: $0) } + [0]
      let descriptor = open(file, O_WRONLY | O_CREAT, 0o644)
      try #require(descriptor >= 0)
      let photo = try Media.photo("\(index)")
      #expect(write(descriptor, photo, photo.count) == photo.count)
      close(descriptor)
    }
    try scene.run().expectCounts(["imported": names.count])
    // Python's reader refuses text that is not UTF-8.
    let read = try Tool.run(
      "python3",
      [
        "-c",
        """
        import sqlite3, sys
        db = sqlite3.connect(sys.argv[1])
        for view in ("outcomes", "photos", "files"):
            rows = db.execute(f"SELECT * FROM {view}").fetchall()
            assert len(rows) == 5, rows
        for path, in db.execute("SELECT path FROM outcomes ORDER BY path"):
            assert type(path) is str and path.endswith(".jpg"), path
            print(path)
        """, scene.library + "/library.sqlite",
      ]
    )
    #expect(read.status == 0, "\(read.error)")
    #expect(read.output.contains("plain name.jpg\n"))
    #expect(read.output.contains("Größe e\u{301} 北京 \u{1F600}.jpg\n"))
  }

  @Test("What is superseded is in no view")
  func superseded() throws {
    let scene = Scene(policy: "keep")
    scene.setThumbnails([("grid", 24, 24, "aspectFill")])
    try scene.declare("camera")
    try scene.put("sources/camera/a.jpg", try Media.photo("a"))
    try scene.run().expect(0)
    scene.manifest["metadata"] = ["policy": "strip"]
    try scene.run("--reprocess").expect(0)
    #expect(try sqlite(scene, "SELECT count(*) FROM resources") == "2\n")
    #expect(try sqlite(scene, "SELECT count(*), min(policy) FROM photos") == "1|strip\n")
    #expect(
      try sqlite(scene, "SELECT kind, count(*) FROM files GROUP BY kind")
        == "original|1\nthumbnail|1\n"
    )
    let path = try sqlite(scene, "SELECT path FROM photos").trimmingCharacters(in: .newlines)
    #expect(try sqlite(scene, "SELECT superseded FROM resources WHERE path = '\(path)'") == "0\n")
    try scene.expectVerified()
  }

  @Test(
    "From a read-only medium any SQLite tool reads it",
    .enabled(if: Namespace.isAvailable, "this user may not mount")
  )
  func readOnly() throws {
    let scene = try scene()
    try scene.makeFolder("medium")
    scene.manifest["output"] = ["path": "medium/Library"]
    try scene.writeManifest()
    let outcome = try Namespace.run(
      """
      mount -t tmpfs -o mode=700 tmpfs medium || exit
      "$mediabatch" run manifest.json > /dev/null 2>&1; echo $?
      file=medium/Library/library.sqlite
      mount -o remount,ro medium || exit
      sqlite3 $file 'SELECT count(*) FROM photos' 2>&1
      mount -o remount,rw medium
      # As any tool leaves it that could write, and as a copy may be.
      rm -f $file-wal $file-shm
      mount -o remount,ro medium
      sqlite3 "file:$file?immutable=1" 'SELECT count(*) FROM photos' 2>&1
      "$mediabatch" verify medium/Library > /dev/null; echo $?
      "$mediabatch" report medium/Library > /dev/null; echo $?
      """,
      in: scene.path
    )
    #expect(outcome.output == "3\n3\n3\n0\n0\n", "\(outcome.streams)")
  }

  @Test("A copy that has lost its empty folders is whole, and the next run goes on in it")
  func emptyFolders() throws {
    let scene = Scene()
    try scene.declare("camera")
    try scene.putPhotos(1...2)
    // Without thumbnails that folder is empty too.
    try scene.run().expect(0)
    let lost = try Tool.run(
      "bash",
      [
        "-c", "cp -r Library Copy && find Copy -mindepth 1 -type d -empty -print -delete | sort",
        scene.path,
      ],
      in: scene.path
    )
    #expect(lost.output.contains("Copy/.staging\n"), "\(lost.output)")
    let verify = try scene.command("verify", "Copy", "--format", "json")
    try verify.expect(0)
    for key in ["missing", "changed", "unknown"] {
      #expect(try verify.json()[key].array.isEmpty, "\(key): \(verify.output)")
    }
    let outcome = try scene.command("verify", "Copy")
    #expect(outcome.output.contains("all as they were written"), "\(outcome.streams)")
    scene.manifest["output"] = ["path": "Copy"]
    try scene.run().expectCounts(["unchanged": 2])
  }
}
