import Foundation
import MediaManifest
import MediaModel
import MediaTestSupport
import Testing

@testable import MediaPipeline

@Suite("A manifest and the files that it names")
struct LoadedManifestTests {
  private let folder = TemporaryFolder()

  private func put(_ name: String, _ text: String) throws {
    try Data(text.utf8).write(to: URL(fileURLWithPath: folder.path + "/" + name))
  }

  /// Writes a manifest with two sources, in folders that are there.
  private func make(_ members: String = "", camera: String = "camera", zone: String = "Europe/Berlin") throws
  {
    for source in ["camera", "library", "library/in"] {
      try FileManager.default.createDirectory(
        atPath: folder.path + "/" + source,
        withIntermediateDirectories: true
      )
    }
    try put(
      "manifest.json",
      "{\"version\":1,\"client\":{\"identifier\":\"a.b\"},\"output\":{\"path\":\"L\"},\(members)"
        + "\"usageDescriptions\":{\"NSCameraUsageDescription\":\"why\",\"NSPhotoLibraryUsageDescription\":\"why\"},"
        + "\"sources\":{\"camera\":{\"path\":\"\(camera)\"},"
        + "\"library\":{\"path\":\"library\",\"dates\":{\"timeZone\":\"\(zone)\"}}}}"
    )
  }

  private func load(policies: [String] = [], closed: String? = nil) throws -> LoadedManifest {
    try LoadedManifest(
      path: bytes(folder.path + "/manifest.json"),
      policies: policies.map { bytes(folder.path + "/" + $0) },
      closed: ClosedFolders(closed.map { [("the other source", bytes(folder.path + $0))] } ?? [])
    )
  }

  private func mistakes(policies: [String] = [], closed: String? = nil) throws -> LoadedManifest.Mistakes {
    let error = #expect(throws: LoadedManifest.Mistakes.self) { try load(policies: policies, closed: closed) }
    return try #require(error)
  }

  private static let files = "\"infoPlist\":\"Info.plist\",\"labels\":{\"file\":\"labels.csv\"},"

  @Test("Every mistake of every file is told at once, and the manifest can be read as far as it goes")
  func all() throws {
    try make(Self.files, zone: "Nowhere/City")
    try put("labels.csv", "source,path,label\nlibrary,a.jpg,A\nnowhere,b.jpg,B\n")
    try put("policy.json", "{\"version\":2}")
    let mistakes = try mistakes(policies: ["policy.json", "none.json"])
    let texts = mistakes.mistakes.map(\.text)
    for words in ["policy.json", "none.json", "Info.plist", "labels.csv:3:1", "Nowhere/City"] {
      #expect(texts.contains { $0.contains(words) }, "\(words): \(texts)")
    }
    #expect(mistakes.readable?.manifest.sources.keys.count == 2)
    #expect(mistakes.exitCode == .manifestMistake)
  }

  @Test("While it is not known where the sources lie, no file beside the manifest is read")
  func overlap() throws {
    try make(Self.files, camera: "library/in", zone: "Nowhere/City")
    let mistakes = try mistakes(policies: ["none.json"])
    #expect(mistakes.mistakes.map(\.code) == ["sourcesOverlap"])
    #expect(mistakes.readable == nil)
  }

  @Test("A manifest, and a file that it names, in a closed folder is not read")
  func closed() throws {
    try make("\"labels\":{\"file\":\"closed/labels.csv\"},")
    try FileManager.default.createDirectory(
      atPath: folder.path + "/closed",
      withIntermediateDirectories: false
    )
    let labels = "source,path,label\nlibrary,a.jpg,A\n"
    try put("closed/labels.csv", labels)
    try put("labels.csv", labels)
    #expect(try load().labels[.library]?.count == 1)
    #expect(try mistakes(closed: "/closed").mistakes.map(\.code) == ["sourcesOverlap"])
    try make("\"labels\":{\"file\":\"labels.csv\"},")
    #expect(try load(closed: "/closed").labels[.library]?.count == 1)
    let whole = try mistakes(closed: "")
    #expect(whole.mistakes.map(\.code) == ["sourcesOverlap"] && whole.readable == nil)
    // In an own source, too.
    try put("library/labels.csv", labels)
    try make("\"labels\":{\"file\":\"library/labels.csv\"},")
    #expect(try mistakes().mistakes.map(\.code) == ["sourcesOverlap"])
  }

  @Test("Each file that decides has its digest, as sha256sum counts it")
  func digests() throws {
    try make("\"labels\":{\"file\":\"labels.csv\"},")
    try put("labels.csv", "source,path,label\nlibrary,a.jpg,A\n")
    try put("policy.json", "{\"version\":1,\"deny\":[]}")
    let loaded = try load(policies: ["policy.json"])
    let sums = try Tool.run("sha256sum", ["manifest.json", "labels.csv", "policy.json"], in: folder.path)
    let expected = sums.output.split(separator: "\n").map { String($0.prefix(64)) }
    #expect([loaded.sha256, loaded.labelsSHA256, loaded.policySHA256s.last] == expected)
    #expect(loaded.infoPlistSHA256 == nil && loaded.signature == nil)
    #expect(loaded.timeZones.keys.map(\.self) == [.library])
    #expect(loaded.output == loaded.folder + bytes("/L"))
    #expect(loaded.presentFiles.map(\.sha256) == [expected[1]])
  }
}
