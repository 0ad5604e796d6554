import Foundation
import MediaSyntax
import MediaTestSupport
import Testing

@Suite("Importing QOI")
struct QOIImportTests {
  private static let picture: [UInt8] =
    Array("qoif".utf8) + [0, 0, 0, 3, 0, 0, 0, 2, 3, 0]
    + [0xFE, 10, 20, 30, 0x79, 0xA5, 0xA7, 0x09, 0xC1] + [0, 0, 0, 0, 0, 0, 0, 1]

  @Test(
    "A QOI arrives byte for byte under keep, and without its trailer under strip, with a thumbnail",
    .enabled(if: Has.sqlite, "no sqlite3"),
    arguments: ["keep", "strip"]
  )
  func imported(policy: String) throws {
    let scene = Scene(policy: policy)
    try scene.declare("library")
    scene.manifest["thumbnails"] = ["grid": ["size": [2, 2]]]
    let file = Self.picture + Array("canary".utf8)
    try scene.put("sources/library/a.dat", file)
    try scene.put("sources/library/cut.qoi", Array(Self.picture.dropLast(9)))
    let outcome = try scene.run()
    try outcome.expect(3)
    #expect(try outcome.failures() == ["cut.qoi: damaged"])
    let rows = try scene.catalogue("SELECT path, format, role FROM resources")
    try #require(rows.count == 1)
    let fields = rows[0].split(separator: "|").map(String.init)
    #expect(fields[1...] == ["qoi", "photo"])
    #expect((fields[0] as NSString).lastPathComponent == "a.qoi")
    let published = try readBytes(scene.library + "/" + fields[0])
    #expect(published == (policy == "keep" ? file : Self.picture))
    #expect(try scene.catalogue("SELECT count(*) FROM thumbnails") == ["1"])
    try scene.expectVerified()
  }
}
