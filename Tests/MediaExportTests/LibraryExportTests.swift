import Foundation
import MediaFileSystem
import MediaGallery
import MediaLibrary
import MediaLibraryTestSupport
import MediaModel
import MediaTestSupport
import Testing

@testable import MediaExport

@Suite("A library's files are exported under names for people")
struct LibraryExportTests {
  /// Exports the library of a place, and returns what is in the folder.
  private func export(
    _ place: ExportPlace,
    _ layout: String = "{label}",
    readsPrivateFacts: Bool = false,
    _ change: (inout ExportOptions) -> Void = { _ in }
  ) throws -> (files: [String: String], summary: LibraryExport.Summary, kept: Int, added: Int) {
    var options = ExportOptions(layout: try ExportLayout(layout))
    change(&options)
    let export = LibraryExport(
      of: try place.reader(),
      AssetQuery(),
      options: options,
      readsPrivateFacts: readsPrivateFacts,
      imports: []
    )
    let folder = try place.open()
    let summary = try export.write(to: folder, workers: nil)
    try folder.commit("state")
    return (try place.content().compactMapValues { $0 }, summary, folder.kept, folder.added)
  }

  @Test("Originals lie where the layout has them, numbered in the order in which they were saved")
  func originals() throws {
    let place = try ExportPlace()
    let exported = try export(place, "{saved:yyyy-MM-dd}/{number} {label}")
    #expect(
      exported.files == [
        "1970-01-01/1 known-known.jpg": "content known-known.jpg",
        "1970-01-01/2 still-photo.jpg": "content still-photo.jpg",
        "1970-01-02/3 pair-photo.jpg": "content pair-photo.jpg",
        "1970-01-02/3 pair-pairedVideo.jpg": "content pair-pairedVideo.jpg",
        "1970-01-02/4 sound-audio.jpg": "content sound-audio.jpg",
      ]
    )
    #expect(exported.summary.assets == 4 && exported.summary.undated == 0)
    let again = try export(place, "{saved:yyyy-MM-dd}/{number} {label}")
    #expect(again.files == exported.files)
    #expect(exported.added == 5 && again.kept == 5 && again.added == 0)
  }

  @Test("A neutral export has numbers in place of labels, in its sidecars too")
  func neutral() throws {
    let exported = try export(try ExportPlace(), "{source}/{label}") {
      $0.isNeutral = true
      $0.writesSidecars = true
    }
    #expect(exported.files.keys.allSatisfy { $0.hasPrefix("camera/00000") })
    // Without a title the packets would have nothing.
    #expect(exported.files.count == 5 && exported.summary.originalNames == 0)
    let named = try export(try ExportPlace()) { $0.writesSidecars = true }
    #expect(named.files["still-photo.jpg.xmp"]?.contains(">still</rdf:li>") == true)
    #expect(named.files.keys.count { $0.hasSuffix(".xmp") } == 4)
  }

  @Test("Thumbnails are named beside originals; one kind alone has the label")
  func thumbnails() throws {
    let place = try ExportPlace()
    let both = try export(place) {
      $0.thumbnails = ["grid", "preview"].compactMap { ExportedThumbnail($0) }
    }
    #expect(both.files["still (grid).jpg"]?.hasPrefix("thumbnail ") == true)
    #expect(both.files["still (preview).jpg"] != nil && both.files["still-photo.jpg"] != nil)
    #expect(both.summary.withoutThumbnail == 2)
    let alone = try export(place) {
      $0.thumbnails = ["grid"].compactMap { ExportedThumbnail($0) }
      $0.includesOriginals = false
    }
    #expect(Set(alone.files.keys) == ["still.jpg", "known.jpg"])
    #expect(alone.files["known.jpg"]?.hasPrefix("thumbnail ") == true)
    let preview = try export(place) {
      $0.thumbnails = ["preview"].compactMap { ExportedThumbnail($0) }
      $0.includesOriginals = false
    }
    #expect(Set(preview.files.keys) == ["still.jpg"] && preview.summary.withoutThumbnail == 3)
  }

  @Test("Labels that differ in case alone get numbers, with all files of their asset")
  func collisions() throws {
    var assets: [StagedAsset] = []
    for (index, label) in ["same", "Same", "SAME"].enumerated() {
      let files: [(ResourceRole, String)] = [
        (.photo, ".jpg"), (.adjustmentData, " (adjustmentData).aae"),
      ]
      var asset = BatchFixture.asset(label, 10 + index, files: files)
      asset.localIdentifier = "s\(index)"
      assets.append(asset)
    }
    let exported = try export(try ExportPlace(assets))
    for (name, label) in [("same", "same"), ("Same (2)", "Same"), ("SAME (3)", "SAME")] {
      #expect(exported.files["\(name).jpg"] == "content \(label).jpg")
      #expect(exported.files["\(name).jpg.aae"] == "content \(label) (adjustmentData).aae")
    }
  }

  /// A photo about which its file says everything.
  private static func asset(_ policy: MetadataPolicy) -> StagedAsset {
    var asset = BatchFixture.asset("told", 20, files: [(.photo, ".png")])
    asset.policy = policy
    asset.facts.format = .png
    asset.facts.creationDate = CaptureDate(
      local: "2019-07-04T10:00:00",
      offsetMinutes: 120,
      tag: "DateTimeOriginal"
    )
    var description = MediaDescription()
    description.caption = "a caption"
    description.keywords = ["a keyword"]
    description.rating = 3
    description.place = MediaDescription.Place(latitude: 10_000_000, longitude: 0)
    asset.facts.description = description
    return asset
  }

  @Test("What stripping took out of a file is not told beside it; what was kept is")
  func privateFacts() throws {
    let words = [
      "a caption", "a keyword", "xmp:Rating>3", "1,0.000000N", "2019-07-04T10:00:00+02:00",
    ]
    for policy in [MetadataPolicy.keep, .strip] {
      for reads in [false, true] {
        let place = try ExportPlace([Self.asset(policy)])
        let exported = try export(place, readsPrivateFacts: reads) { $0.writesSidecars = true }
        let packet = try #require(exported.files["told.png.xmp"])
        let keepsMetadata = policy == .keep || !reads
        for word in words {
          #expect(packet.contains(word) == keepsMetadata, "\(policy) \(reads) \(word)")
        }
      }
    }
  }

  @Test("A bag and a crate list exactly what is in the folder")
  func inventory() throws {
    let place = try ExportPlace([Self.asset(.keep)])
    let exported = try export(place, "{created:yyyy}/50% {label}") {
      $0.makesBag = true
      $0.writesSidecars = true
      $0.thumbnails = ["grid"].compactMap { ExportedThumbnail($0) }
      $0.crate = CrateOptions(title: "t", license: "l")
    }
    #expect(exported.summary.undated == 4)
    #expect(try BagReader.complaint(about: place.folder) == nil)
    let manifest = try #require(exported.files["manifest-sha256.txt"])
    let tags = ["bagit.txt", "bag-info.txt", "manifest-sha256.txt", "tagmanifest-sha256.txt"]
    var expected: Set<String> = []
    for (path, content) in exported.files where !tags.contains(path) {
      #expect(path.hasPrefix("data/"), "\(path)")
      expected.insert("\(sha256(Array(content.utf8)))  \(path)")
    }
    #expect(Set(manifest.split(separator: "\n").map(String.init)) == expected)
    #expect(exported.files["data/2019/50_ told.png"] == "content told.png")

    let content = try #require(exported.files["data/ro-crate-metadata.json"])
    let read = try JSONSerialization.jsonObject(with: Data(content.utf8)) as? [String: Any]
    let graph = try #require(read?["@graph"] as? [[String: Any]])
    let files = graph.filter { $0["@type"] as? String == "File" }
    #expect(files.count == expected.count - 1)
    let types = Dictionary(
      files.map { ($0["name"] as? String ?? "", $0["encodingFormat"] as? String ?? "") }
    ) { type, _ in type }
    #expect(types["50_ told.png"] == "image/png")
    #expect(types["50_ told.png.xmp"] == "application/rdf+xml")
    let dated = files.filter { $0["dateCreated"] != nil }.compactMap { $0["name"] as? String }
    #expect(Set(dated) == ["50_ told.png", "50_ told.png.xmp"])
  }

  @Test("Where no worker can be confined, files are as they are, and are named, in a bag too")
  func unconfined() throws {
    let place = try ExportPlace([Self.asset(.keep)])
    let rated = try export(place) { $0.embeds = [.rating] }
    #expect(rated.files["told.png"] == "content told.png")
    #expect(rated.files["told.png.xmp"]?.contains("xmp:Rating>3") == true)
    #expect(
      rated.summary.besides == [Array("told.png".utf8): "the kernel cannot confine the program that reads it"]
    )

    let converted = try export(place) {
      $0.jpegQuality = 90
      $0.writesSidecars = true
      $0.makesBag = true
      $0.crate = CrateOptions(title: "t", license: "l")
    }
    let names = converted.files.keys.filter { $0.hasPrefix("data/told") }
    #expect(Set(names) == ["data/told.png", "data/told.png.xmp"])
    #expect(converted.summary.notConverted.map(\.key) == [Array("data/told.png".utf8)])
    #expect(converted.summary.pictures == 0 && converted.summary.assets == 5)
    #expect(try BagReader.complaint(about: place.folder) == nil)
    let crate = try #require(converted.files["data/ro-crate-metadata.json"])
    #expect(crate.contains("\"told.png.xmp\"") && !crate.contains("told.jpg"))
  }

  @Test("A damaged file is left out with its sidecar, and its asset is not counted")
  func damaged() throws {
    let place = try ExportPlace([Self.asset(.keep)])
    let source = try #require(
      try place.originals().first { String(decoding: $0.path, as: UTF8.self).hasSuffix("told.png") }
    )
    let path = place.library + "/" + String(decoding: source.path, as: UTF8.self)
    try Data("another content".utf8).write(to: URL(fileURLWithPath: path), options: .atomic)
    let exported = try export(place) { $0.writesSidecars = true }
    #expect(!exported.files.keys.contains { $0.hasPrefix("told") })
    #expect(exported.files["still-photo.jpg.xmp"] != nil && exported.summary.assets == 4)
  }

  @Test("An export is current while neither the library nor a choice has changed")
  func state() throws {
    let place = try ExportPlace()
    func state(_ choices: String = "", _ change: (inout ExportOptions) -> Void = { _ in }) throws
      -> String
    {
      var options = ExportOptions(layout: try ExportLayout("{label}"))
      change(&options)
      let export = LibraryExport(of: try place.reader(), AssetQuery(), options: options)
      return try #require(try export.state(of: choices))
    }
    let first = try state()
    #expect(try state() == first)
    var states = [first, try state("x")]
    states.append(try state { $0.jpegQuality = 90 })
    states.append(try state { $0.isNeutral = true })
    let numbered = try ExportLayout("{number}")
    states.append(try state { $0.layout = numbered })
    try place.publish([Self.asset(.strip)])
    states.append(try state())
    #expect(Set(states).count == states.count)
  }

  @Test("A gallery has a tile for each asset with a thumbnail, and no label when it is neutral")
  func gallery() throws {
    var live = BatchFixture.asset(
      "Harbour",
      30,
      files: [(.photo, ".heic"), (.pairedVideo, ".mov"), (.adjustmentData, " (edit).aae")]
    )
    // Identifiers are the names of the files.
    live.localIdentifier = "0123"
    let place = try ExportPlace([live])
    func gallery(_ change: (inout GalleryOptions) -> Void) throws -> [String: String] {
      var options = GalleryOptions(title: "My pictures")
      change(&options)
      var query = AssetQuery()
      query.identifiers = ["0123", "known", "sound", "still"]
      let gallery = try LibraryGallery(of: place.reader(), query, options: options, cover: nil)
      let folder = try place.open(kind: "gallery")
      let summary = try gallery.write(to: folder)
      #expect(summary.pictures == 4 && summary.withoutThumbnail == 2)
      try folder.commit("state")
      return try place.content().compactMapValues { $0 }
    }
    let plain = try gallery { $0.includesOriginals = true }
    #expect(plain.values.count { $0.hasPrefix("thumbnail ") } == 2)
    // Of a live photo both halves; a file that describes another one is not shown.
    #expect(
      Set(plain.values.filter { $0.hasPrefix("content ") })
        == Set(
          ["known-known.jpg", "Harbour.heic", "Harbour.mov", "sound-audio.jpg", "still-photo.jpg"]
            .map { "content \($0)" }
        )
    )
    func pages(_ files: [String: String]) -> [String] {
      files.filter { $0.key.hasSuffix(".html") }.map(\.value)
    }
    #expect(pages(plain).contains { $0.contains("Harbour") })
    let neutral = try gallery { $0.isNeutral = true }
    #expect(!neutral.values.contains { $0.hasPrefix("content ") })
    #expect(pages(neutral).contains { $0.contains("Photo 1") })
    #expect(!neutral.values.contains { $0.contains("Harbour") })
  }
}
