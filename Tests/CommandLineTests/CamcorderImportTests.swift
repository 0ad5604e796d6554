import Foundation
import MediaSyntax
import MediaTestSupport
import Testing

@Suite(
  "Importing films of older cameras",
  .enabled(if: Has.ffmpeg && Has.sqlite && Has.magick, "no ffmpeg, sqlite3 or ImageMagick")
)
struct CamcorderImportTests {
  /// A film of each kind: its name on the card, how it is coded, its published extension and its name in messages.
  private static let films: [(name: String, coding: [String], published: String, kind: String)] = [
    ("MOV00001.MPG", ["-c:v", "mpeg1video", "-c:a", "mp2", "-f", "mpeg"], "mpg", "MPEG program stream"),
    ("MOV00002.mpeg", ["-c:v", "mpeg2video", "-c:a", "mp2", "-f", "mpeg"], "mpg", "MPEG program stream"),
    ("MOV003.MOD", ["-c:v", "mpeg2video", "-c:a", "ac3", "-f", "vob"], "mpg", "MPEG program stream"),
    ("VTS_01_4.VOB", ["-c:v", "mpeg2video", "-c:a", "ac3", "-f", "dvd"], "mpg", "MPEG program stream"),
    ("video5.m2v", ["-an", "-c:v", "mpeg2video", "-f", "mpeg2video"], "m2v", "MPEG video stream"),
    ("tape6.dv", ["-target", "pal-dv"], "dv", "DV recording"),
    (
      "clip7.flv", ["-c:v", "flv", "-ar", "44100", "-metadata", "creationdate=Thu May 06 07:08:09 2004"],
      "flv",
      "Flash Video"
    ),
    // A name says nothing of the content.
    ("film8.avi", ["-c:v", "mpeg2video", "-c:a", "mp2", "-f", "dvd"], "mpg", "MPEG program stream"),
  ]

  private func put(_ scene: Scene) throws {
    for (number, film) in Self.films.enumerated() {
      let file = try scene.put("sources/library/\(film.name)", "")
      let input = [
        "-v", "error", "-f", "lavfi", "-i", "testsrc=d=1:s=160x120:r=25:decimals=\(number)", "-f", "lavfi",
        "-i",
        "sine=d=1:f=\(400 + number):r=48000", "-ac", "2", "-metadata", "creation_time=2004-05-06T07:08:09Z",
      ]
      try Independent.make("ffmpeg", input + film.coding + ["-y", file])
    }
  }

  @Test("Under keep each arrives with its bytes, a poster, its duration and its date")
  func keep() throws {
    let scene = try Scene(policy: "keep").declare("library")
    scene.setThumbnails([("t", 64, 64, "aspectFit")])
    try put(scene)
    let sources = try scene.digests("sources/library")
    let outcome = try scene.run()
    try outcome.expect(0)
    try outcome.expectCounts(["imported": Self.films.count])
    let library = try scene.digests("Library")
    for row in try scene.catalogue("SELECT CAST(sourcePath AS TEXT), path, format FROM resources") {
      let fields = row.split(separator: "|").map(String.init)
      let film = try #require(Self.films.first { $0.name == fields[0] })
      #expect(fields[2] == film.published && fields[1].hasSuffix(".\(film.published)"), "\(row)")
      #expect(library[fields[1]] == sources[film.name], "\(film.name)")
    }
    let durations = try scene.catalogue("SELECT durationMilliseconds FROM assets WHERE mediaType = 'video'")
    #expect(durations.count == Self.films.count)
    for duration in durations { #expect((900...1150).contains(Int(duration) ?? 0), "\(duration)") }
    let dates = try scene.catalogue("SELECT creationDate FROM assets WHERE creationDate IS NOT NULL")
    #expect(dates.count == 2 && dates.allSatisfy { $0.hasPrefix("2004-05-06T07:08:09") }, "\(dates)")
    let posters = try scene.thumbnails("t")
    #expect(posters.count == Self.films.count)
    for poster in posters {
      // DV's pixels are not square.
      let size = try Independent.size(poster)
      #expect(size[0] == 64 && (46...49).contains(size[1]), "\(size)")
    }
    try scene.run().expectCounts(["unchanged": Self.films.count])
    try scene.expectVerified()
  }

  @Test("Under strip each is refused by its name, but DV arrives without its date and decodes as before")
  func strip() throws {
    let scene = try Scene(policy: "strip").declare("library")
    try put(scene)
    let outcome = try scene.run()
    try outcome.expect(3)
    try outcome.expectCounts(["imported": 1, "failed": Self.films.count - 1])
    let refused = Self.films.filter { $0.published != "dv" }
    #expect(try outcome.failures() == refused.map { "\($0.name): stripUnsupported" }.sorted())
    for failure in try outcome.json()["failures"].array {
      let film = try #require(Self.films.first { $0.name == failure["path"].string })
      #expect(failure["message"].string?.contains(film.kind) == true, "\(film.name)")
    }
    let originals = try scene.originals().map(\.path)
    #expect(originals.count == 1 && originals[0].hasSuffix(".dv"), "\(originals)")
    let files = [scene.at("sources/library/tape6.dv"), scene.library + "/Originals/" + originals[0]]
    let decoded = try files.map { file in
      try Tool.run("ffmpeg", ["-v", "error", "-i", file, "-map", "0", "-f", "framemd5", "-"]).output
    }
    #expect(decoded[0] == decoded[1] && decoded[0].count > 1000)
    if Has.exiftool {
      let dates = try files.map { try Tool.run("exiftool", ["-s3", "-DateTimeOriginal", $0]).output }
      #expect(dates[0].hasPrefix("2004:05:06 07:08:09") && dates[1].isEmpty, "\(dates)")
    }
    #expect(try scene.catalogue("SELECT creationDate FROM assets WHERE creationDate LIKE '2004%'").isEmpty)
    try scene.expectVerified()
  }
}
