import Foundation
import MediaSyntax
import MediaTestSupport
import Testing

@Suite("Memory cards")
struct MemoryCardTests {
  /// Puts a card of small files below the camera's folder: photos and films with what cameras keep beside them.
  private func putCard(_ scene: Scene, below folder: String, card: String) throws {
    let film = try readBytes(Samples.video)
    let names = [
      "DCIM/100CANON/IMG_9998.JPG", "DCIM/100CANON/IMG_9999.JPG", "DCIM/101CANON/IMG_0001.JPG",
      // Small pictures and films beside their films, with the names of two makers.
      "DCIM/100CANON/MVI_0100.THM", "DCIM/100GOPRO/GL010002.LRV", "DCIM/100GOPRO/GOPR0003.LRV",
      "DCIM/100GOPRO/GX010002.THM",
      "DCIM/CANONMSC/M0100.CTG", "MISC/AUTPRINT.MRK", "MISC/VERSION.JPG", "DCIM/MISC/A.JPG",
      // There is no film beside them.
      "DCIM/100CANON/MVI_0200.THM", "DCIM/100GOPRO/GL019999.LRV",
    ]
    for name in names {
      try scene.put(folder + name, try Media.photo(card + name))
    }
    for name in ["100CANON/MVI_0100.MP4", "100GOPRO/GX010002.MP4", "100GOPRO/GOPR0003.MP4"] {
      let text = Array((card + name).utf8)
      let box = [0, 0, 0, UInt8(text.count + 8)] + Array("free".utf8)
      try scene.put(folder + "DCIM/" + name, film + box + text)
    }
  }

  private static let imported = [
    "GL019999.jpg", "GOPR0003.mp4", "GX010002.mp4", "IMG_0001.jpg", "IMG_9998.jpg", "IMG_9999.jpg",
    "MVI_0100.mp4", "MVI_0200.jpg",
  ]

  @Test(
    "What cameras keep beside media is left out in a DCIM tree and counted as ignored",
    arguments: ["", "DCIM"]
  )
  func companions(_ inside: String) throws {
    let scene = Scene()
    let options: [String: JSONValue] = [
      "path": .string("sources/library/" + inside)
    ]
    try scene.declare("library", "authorized", options)
    try putCard(scene, below: "sources/library/", card: "")
    let run = try scene.run()
    try run.expect(0)
    #expect(try scene.originalNames() == Self.imported)
    try run.expectCounts(["imported": 8])
    // A source that is the folder DCIM itself does not see what is beside it.
    #expect(try run.json()["sources"].array.first?["ignored"].int == (inside.isEmpty ? 8 : 6))
    let log = try scene.logFiles().flatMap(\.lines).joined()
    #expect(!log.contains("CTG") && !log.contains("MISC") && !log.contains("GX010002.THM"))
    let again = try scene.run()
    try again.expectCounts(["unchanged": 8])
  }

  @Test(
    "Small versions of DJI, Insta360 and Sony are left out beside their films, and clip files are kept",
    arguments: ["keep", "strip"]
  )
  func proxiesAndClipFiles(_ policy: String) throws {
    let scene = Scene(policy: policy)
    try scene.declare("library")
    if policy == "strip" { scene.manifest["catalogue"] = ["privateFacts": true] }
    let film = try readBytes(Samples.video)
    let films = [
      "DCIM/100MEDIA/DJI_0001.MP4", "DCIM/Camera01/VID_20240101_101010_00_001.insv",
      "DCIM/Camera01/LRV_20240102_101010_01_001.lrv", "DCIM/100MEDIA/DJI_0009.LRF",
      "PRIVATE/M4ROOT/CLIP/C0001.MP4", "PRIVATE/M4ROOT/SUB/C0009S03.MP4",
    ]
    let proxies = [
      "DCIM/100MEDIA/DJI_0001.LRF", "DCIM/Camera01/LRV_20240101_101010_01_001.lrv",
      "DCIM/Camera01/LRV_20240101_101010_11_001.insv", "PRIVATE/M4ROOT/SUB/C0001S03.MP4",
      "PRIVATE/M4ROOT/THMBNL/C0001T01.JPG",
    ]
    let clipFiles = [
      "DCIM/100MEDIA/DJI_0001.SRT", "PRIVATE/M4ROOT/CLIP/C0001M01.XML",
      "DCIM/Camera01/VID_20240101_101010_00_001.GPX",
    ]
    for name in films + proxies {
      let box = [0, 0, 0, UInt8(name.utf8.count + 8)] + Array("free\(name)".utf8)
      try scene.put("sources/library/" + name, film + box)
    }
    for name in clipFiles {
      try scene.put("sources/library/" + name, "CanaryClip <no markup \(name)")
    }
    try scene.put("sources/library/DCIM/alone.gpx", "<gpx/>")
    let run = try scene.run()
    try run.expect(0)
    let isKept = policy == "keep"
    try run.expectCounts(
      isKept
        ? ["imported": 9, "unsupported": 1] : ["imported": 6, "skipped": 3, "unsupported": 1]
    )
    #expect(try run.json()["sources"].array.first?["ignored"].int == 5)
    let names = Set(try scene.originalNames())
    let kept: Set = ["DJI_0001.srt", "C0001M01.xml", "VID_20240101_101010_00_001.gpx"]
    #expect(names.intersection(kept) == (isKept ? kept : []))
    let opened = try scene.lastLog().filter { $0["event"].string == "access" }
      .compactMap { $0["path"].string }
    #expect(opened.contains { $0.hasSuffix(".SRT") } == isKept)
    #expect(!opened.contains { proxies.contains($0) })
    let sidecars = try scene.catalogue(
      "SELECT format FROM resources WHERE role = 'sidecar' ORDER BY format"
    )
    #expect(sidecars == (isKept ? ["gpx", "srt", "xml"] : []))
    try scene.expectVerified()
    let again = try scene.run()
    try again.expect(0)
    #expect(try again.count("imported") == 0)
    try scene.removeCatalogue()
    try scene.rebuild().expect(0)
    let rows = "SELECT format FROM resources WHERE role = 'sidecar' ORDER BY format"
    #expect(try scene.catalogue(rows) == sidecars)
    try scene.expectVerified()
  }

  @Test("Outside a DCIM tree, and without the defaults, they are files like all others")
  func outside() throws {
    let scene = Scene()
    try scene.declare("library")
    for name in ["film/MVI_0100.THM", "MISC/a.jpg"] {
      try scene.put("sources/library/" + name, try Media.photo(name))
    }
    try scene.put("sources/library/film/MVI_0100.MP4", copyOf: Samples.video)
    let plain = try scene.run()
    try plain.expectCounts(["imported": 3])

    let card = Scene()
    try card.declare("library", "authorized", ["ignoreDefaults": false])
    try putCard(card, below: "sources/library/", card: "")
    let run = try card.run()
    #expect(try run.count("imported") == 16)
    #expect(try run.json()["sources"].array.first?["ignored"].int == 0)
  }

  @Test("A selection that names such a file gets it; one that matches it by a pattern does not")
  func selected() throws {
    let scene = Scene()
    try putCard(scene, below: "sources/library/", card: "")
    let selection = ["DCIM/100CANON/MVI_0100.THM", "DCIM/100GOPRO/*", "DCIM/CANONMSC/*"]
    try scene.declare("library", "limited", ["selection": .array(selection.map { .string($0) })])
    let run = try scene.run()
    try run.expect(0)
    #expect(
      try scene.originalNames() == [
        "GL019999.jpg", "GOPR0003.mp4", "GX010002.mp4", "MVI_0100.jpg",
      ]
    )
    #expect(try run.json()["sources"].array.first?["ignored"].int == 4)
  }

  @Test("Numbers go on behind 9999, and two cards with equal names stay apart")
  func numbersAndCards() throws {
    let scene = Scene()
    try scene.declare("library")
    scene.manifest["labels"] = ["template": "{number:2} {originalName}"]
    try putCard(scene, below: "sources/library/slot1/", card: "first")
    try putCard(scene, below: "sources/library/slot2/", card: "second")
    let run = try scene.run()
    try run.expect(0)
    try run.expectCounts(["imported": 16])
    #expect(
      try scene.originalNames() == [
        "01 IMG_9998.jpg", "02 IMG_9999.jpg", "03 MVI_0100.mp4", "04 MVI_0200.jpg",
        "05 GL019999.jpg", "06 GOPR0003.mp4", "07 GX010002.mp4", "08 IMG_0001.jpg",
        "09 IMG_9998.jpg", "10 IMG_9999.jpg", "11 MVI_0100.mp4", "12 MVI_0200.jpg",
        "13 GL019999.jpg", "14 GOPR0003.mp4", "15 GX010002.mp4", "16 IMG_0001.jpg",
      ]
    )
    // What is there is never overwritten: both cards' files are there, byte for byte.
    let sources = try scene.digests("sources/library")
    let published = Set(try scene.originals().map(\.sha256))
    for slot in ["slot1", "slot2"] {
      for name in ["100CANON/IMG_9998.JPG", "101CANON/IMG_0001.JPG", "100CANON/MVI_0100.MP4"] {
        let digest = try #require(sources["\(slot)/DCIM/\(name)"])
        #expect(published.contains(digest))
      }
    }
    #expect(published.count == 16)
    try scene.expectVerified()
  }
}
