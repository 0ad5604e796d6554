import Foundation
import MediaAudit
import MediaLibrary
import MediaLibraryTestSupport
import MediaModel
import MediaTestSupport
import Testing

@testable import MediaMaintenance

@Suite("A catalogue is made anew of the folders and the log")
struct RebuildTests {
  private let library = LoggedLibrary()

  init() throws {
    try library.run("00000001", LoggedLibrary.assets())
    try library.run("00000002", LoggedLibrary.assets(["second"]))
  }

  private func kinds(_ rebuild: Rebuild) -> [Rebuild.Loss.Kind] { rebuild.losses.map(\.kind) }

  @Test("The new catalogue has the rows of before, and that one is kept")
  func same() throws {
    let before = try library.listed()
    #expect(before.count == 4 && before["live"]?.count == 3 && before["small"]?.count == 2)
    let rebuild = library.rebuild()
    #expect(rebuild.problems.isEmpty && rebuild.exitCode == .success)
    #expect(rebuild.comparison?.differences == [] && rebuild.comparison?.unreadable == nil)
    #expect(rebuild.findings.isEmpty && rebuild.unrecorded.isEmpty)
    #expect(rebuild.counts?.assets == 4 && rebuild.counts?.items == 6)
    #expect(rebuild.counts?.resources == 6 && rebuild.counts?.thumbnails == 1)
    #expect(kinds(rebuild) == [.finishedBatches])
    let kept = try #require(rebuild.kept)
    #expect(FileManager.default.fileExists(atPath: library.path + "/" + kept))
    #expect(try library.listed() == before)
    #expect(try library.problems() == [])
    #expect(try library.events(.adopted) == 0 && library.events(.rebuilt) == 1)
  }

  @Test("Without a catalogue the folders and the log are enough, but for the blurred pictures")
  func alone() throws {
    let (before, files) = (try library.listed(), try library.published())
    try library.removeCatalogue()
    let rebuild = library.rebuild()
    #expect(rebuild.exitCode == .success && rebuild.comparison == nil && rebuild.kept == nil)
    #expect(kinds(rebuild) == [.unknownThumbHashes])
    #expect(try library.listed() == before && library.published() == files)
    #expect(try library.problems() == [])
  }

  @Test("A key that is there is kept, and a lost one is made anew and said")
  func key() throws {
    let path = library.path + "/.state/digest.key"
    let content = try readBytes(path)
    try library.removeCatalogue()
    #expect(!kinds(library.rebuild()).contains(.digestKey))
    #expect(try readBytes(path) == content)
    try library.remove(".state/digest.key")
    let rebuild = library.rebuild()
    #expect(kinds(rebuild).contains(.digestKey) && rebuild.exitCode == .success)
    #expect(try readBytes(path) != content)
    #expect(try library.problems() == [])
  }

  @Test("Files with other bytes, and lost ones, are told; the rows are made nonetheless")
  func findings() throws {
    let before = try library.listed()
    let (changed, lost) = (try library.file("plain.jpg"), try library.file("small.jpg"))
    try library.overwrite(changed, "other")
    try library.remove(lost)
    let rebuild = library.rebuild()
    #expect(rebuild.exitCode == .differencesFound)
    #expect(
      rebuild.findings.sorted { $0.path < $1.path }
        == [
          Rebuild.FileFinding(path: changed, detail: "other bytes than were published"),
          Rebuild.FileFinding(path: lost, detail: "missing"),
        ].sorted { $0.path < $1.path }
    )
    #expect(rebuild.counts?.assets == 4)
    #expect(try library.listed() == before)
  }

  @Test("A file that no record has is told, whatever the bytes of its name")
  func unrecorded() throws {
    let folder = try library.file("plain.jpg").dropLast("plain.jpg".count)
    try library.overwrite(folder + "own.jpg", "own")
    let name = Array((library.path + "/" + folder).utf8) + [0xFF, 0x2E, 0x6A]
    let opened = name.map { CChar(bitPattern: $0) } + [0]
    let file = try #require(fopen(opened, "w"))
    fclose(file)
    let rebuild = library.rebuild()
    #expect(rebuild.unrecorded == [folder + "%FF.j", folder + "own.jpg"])
    #expect(rebuild.exitCode == .differencesFound && rebuild.counts?.resources == 6)
  }

  @Test("Files that an older catalogue has forgotten get a record of their adoption")
  func adopted() throws {
    let copy = try readBytes(library.path + "/library.sqlite")
    let assets = LoggedLibrary.assets(["third", "small again"])
    try library.run("00000003", assets)
    let listed = try library.listed()
    try library.removeCatalogue()
    try Data(copy).write(to: URL(fileURLWithPath: library.path + "/library.sqlite"))
    #expect(try library.listed() != listed)
    let rebuild = library.rebuild()
    #expect(rebuild.problems.isEmpty)
    #expect(try library.listed() == listed)
    let new = rebuild.comparison?.differences.filter { $0.kind == .new }.map(\.table) ?? []
    #expect(new.count { $0 == "assets" } == 2)
    // Two originals and a thumbnail.
    #expect(try library.events(.adopted) == 3)
    #expect(try library.problems() == [])
  }

  @Test("A log that was changed is used, and the difference is told")
  func log() throws {
    let logs = try FileManager.default.contentsOfDirectory(atPath: library.path + "/Audit").sorted()
    let file = "Audit/" + (try #require(logs.first))
    let text = String(decoding: try readBytes(library.path + "/" + file), as: UTF8.self)
    try library.overwrite(file, text.replacing("\"size\":17", with: "\"size\":18"))
    let rebuild = library.rebuild()
    #expect(rebuild.logDifference != nil && rebuild.exitCode == .differencesFound)
    #expect(rebuild.counts?.assets == 4)
  }

  @Test("A batch that was left in the middle is not unrecorded, and is finished afterwards")
  func unfinished() throws {
    for progress in [LoggedLibrary.Progress.staged, .published] {
      let library = LoggedLibrary()
      try library.run("00000001", LoggedLibrary.assets())
      try library.run("00000002", LoggedLibrary.assets(["late"]), until: progress)
      let rebuild = library.rebuild()
      #expect(rebuild.unrecorded.isEmpty && rebuild.exitCode == .success, "\(progress)")
      #expect(rebuild.counts?.assets == 3)
      #expect(try library.listed()["late"] == nil)
      #expect(library.clean().exitCode == .success)
      #expect(try library.listed()["late"]?.count == 1, "\(progress)")
      #expect(try library.problems() == [])
    }
  }

  @Test("Labels and stacks of a person are those of before")
  func decisions() throws {
    #expect(library.relabel([("plain", "Harbour"), ("small", "Sea")]).exitCode == .success)
    #expect(library.relabel([("plain", "Harbour at dawn")]).exitCode == .success)
    #expect(library.stack(["second", "plain"]).exitCode == .success)
    let before = try library.listed()
    try library.removeCatalogue()
    let rebuild = library.rebuild()
    #expect(rebuild.exitCode == .success && rebuild.findings.isEmpty)
    #expect(rebuild.unrecorded.isEmpty)
    #expect(try library.listed() == before)
    #expect(before["Harbour at dawn"] != nil)
    let stack = try withLibrary(library.path) { try $0.catalogue.stack(of: "plain") }
    #expect(stack == ["second", "plain"])
  }

  @Test(
    "Labels and stacks of a person, and albums, are those of before where files of the log are lost",
    // The files of the two imports, of the labels and of the stack.
    arguments: [[2], [3], [2, 3], [0], [0, 2], [0, 3], [1, 2, 3]]
  )
  func lostDecisions(lost: [Int]) throws {
    let picture = ItemPath(bytes: Array("plain.jpg".utf8))
    let album = SourceAlbum(
      key: ItemPath(bytes: Array("Holidays".utf8)),
      title: "Holidays",
      members: [picture]
    )
    try withLibrary(library.path) { try $0.catalogue.setAlbums([album], of: .camera) }
    #expect(library.relabel([("plain", "Harbour"), ("small", "Sea")]).exitCode == .success)
    #expect(library.stack(["second", "plain"]).exitCode == .success)
    let before = try library.listed()
    try #require(before["Sea"]?.count == 2 && before["Harbour"]?.count == 1)
    let logs = try FileManager.default.contentsOfDirectory(atPath: library.path + "/Audit").sorted()
    try #require(logs.count == 4)
    for index in lost { try library.remove("Audit/" + logs[index]) }
    // The second one has nothing but what the first has made.
    for _ in 1...2 {
      let rebuild = library.rebuild()
      #expect(rebuild.problems.isEmpty && rebuild.exitCode == .differencesFound)
      #expect(rebuild.findings.isEmpty && rebuild.unrecorded.isEmpty)
      #expect(rebuild.keptAssets == (lost.contains(0) ? 3 : 0) + (lost.contains(1) ? 1 : 0))
      let differences = rebuild.comparison?.differences ?? []
      #expect(
        !differences.contains { $0.table == "stacks" || $0.columns.contains("relabelled") },
        "\(differences)"
      )
      #expect(try library.listed() == before)
      let (stack, albums) = try withLibrary(library.path) { library in
        (
          try library.catalogue.stack(of: "plain"), try library.catalogue.albums(of: .camera)
        )
      }
      #expect(stack == ["second", "plain"])
      #expect(albums == [album])
    }
  }

  @Test(
    "What a person called different stays that, whether its log or the catalogue is lost",
    arguments: [true, false]
  )
  func distinguished(losesLog: Bool) throws {
    #expect(library.decide(.distinguish(["second", "plain"])).exitCode == .success)
    // A second time it is the same.
    #expect(library.decide(.distinguish(["plain", "second"])).exitCode == .success)
    let logs = try FileManager.default.contentsOfDirectory(atPath: library.path + "/Audit").sorted()
    if losesLog {
      for log in logs.suffix(2) { try library.remove("Audit/" + log) }
    } else {
      try library.removeCatalogue()
    }
    for round in 1...2 {
      let rebuild = library.rebuild()
      #expect(rebuild.problems.isEmpty)
      #expect(rebuild.comparison?.differences.contains { $0.table == "distinguished" } != true)
      #expect(rebuild.comparison != nil || !losesLog && round == 1)
      let reader = try CatalogueReader(library: library.bytes)
      #expect(try reader.distinguishedAssets() == [["plain", "second"]])
    }
  }

  @Test("A stack that is newer than the catalogue of before is not undone by one whose log is lost")
  func newerDecision() throws {
    #expect(library.stack(["second", "plain"]).exitCode == .success)
    let copy = try readBytes(library.path + "/library.sqlite")
    #expect(library.stack(["second"], isApart: true).exitCode == .success)
    try library.removeCatalogue()
    try Data(copy).write(to: URL(fileURLWithPath: library.path + "/library.sqlite"))
    let logs = try FileManager.default.contentsOfDirectory(atPath: library.path + "/Audit").sorted()
    try library.remove("Audit/" + logs[2])
    #expect(library.rebuild().problems.isEmpty)
    let stack = try withLibrary(library.path) { try $0.catalogue.stack(of: "second") }
    #expect(stack == ["second"])
  }

  @Test("Pictures of one name in two formats are a stack as before")
  func formats() throws {
    var raw = BatchFixture.asset("IMG_1", 77, files: [(.photo, ".dng")])
    raw.localIdentifier = "raw"
    raw.facts.format = .dng
    try library.run("00000003", LoggedLibrary.assets(["IMG_1"]) + [raw])
    func stack() throws -> [String] {
      try withLibrary(library.path) { try $0.catalogue.stack(of: "raw") }
    }
    let before = try stack()
    #expect(Set(before) == ["IMG_1", "raw"])
    #expect(library.rebuild().comparison?.differences == [])
    #expect(try stack() == before)
  }

  @Test("A folder that is no library stays as it is")
  func noLibrary() throws {
    let scratch = TemporaryFolder()
    try Data([1]).write(to: URL(fileURLWithPath: scratch.path + "/file"))
    let rebuild = Rebuild(
      library: Array(scratch.path.utf8),
      waits: false,
      enforcement: .process,
      signer: nil,
      openFacts: LoggedLibrary.facts
    )
    #expect(rebuild.exitCode != .success && rebuild.problems.count == 1)
    #expect(try FileManager.default.contentsOfDirectory(atPath: scratch.path) == ["file"])
  }
}
