import Foundation
import MediaAudit
import MediaLibrary
import MediaLibraryTestSupport
import MediaModel
import MediaPipeline
import MediaTestSupport
import MediaVerification
import Testing

@testable import MediaMaintenance

@Suite("Labels and stacks of a person are written into a library")
struct DecisionTests {
  private let library = LoggedLibrary()

  init() throws { try library.run("00000001", LoggedLibrary.assets()) }

  @Test("A label renames each file of its asset, and keeps their bytes")
  func relabelled() throws {
    let before = try library.published()
    let done = library.relabel([("live", "At sea"), ("small", "A/b")])
    #expect(done.exitCode == .success && done.log != nil && done.done.count == 2)
    var expected: [String: String] = [:]
    for (path, content) in before {
      let name = path.split(separator: "/").last.map(String.init) ?? ""
      let folder = path.dropLast(name.count)
      let renamed = name.replacing("live", with: "At sea").replacing("small", with: "A-b")
      expected[folder + renamed] = content
    }
    #expect(try library.published() == expected)
    #expect(try Set(library.listed().keys) == ["plain", "A-b", "At sea"])
    #expect(try library.events(.relabelled) == 5)
    #expect(try library.problems() == [])
  }

  @Test("Where one file is missing or in the way, nothing is renamed and nothing is recorded")
  func allOrNone() throws {
    let (before, logs) = (try library.published(), try library.logs())
    let plain = try library.file("plain.jpg")
    let taken = plain.replacing("plain.jpg", with: "New.jpg")
    try library.overwrite(taken, "own")
    let inTheWay = library.relabel([("small", "Other"), ("plain", "New")])
    #expect(inTheWay.exitCode == .differencesFound && inTheWay.done.isEmpty)
    try library.remove(taken)
    #expect(try library.published() == before)
    try library.remove(plain)
    let missing = library.relabel([("small", "Other"), ("plain", "New")])
    #expect(missing.exitCode == .differencesFound && missing.problems.count == 1)
    #expect(try library.published() == before.filter { $0.key != plain })
    #expect(try library.logs() == logs)
  }

  @Test("An asset that has its label needs no record; others are renamed nonetheless")
  func unchanged() throws {
    let logs = try library.logs()
    let same = library.relabel([("plain", "plain")])
    #expect(same.unchanged == ["plain"] && same.log == nil && same.exitCode == .success)
    #expect(try library.logs() == logs)
    let mixed = library.relabel([("plain", "plain"), ("live", "x")])
    #expect(mixed.unchanged == ["plain"] && mixed.done.map(\.asset) == ["live"])
  }

  @Test("An asset is named by what no other identifier begins with, or by its whole identifier")
  func named() throws {
    try library.run("00000002", LoggedLibrary.assets(["smaller", "smallest"]))
    #expect(library.relabel([("pl", "x")]).done.map(\.asset) == ["plain"])
    #expect(library.relabel([("small", "y")]).done.map(\.asset) == ["small"])
    for word in ["smalle", "nothing", "", "Plain"] {
      let refused = library.relabel([(word, "z")])
      #expect(refused.exitCode == .usage && refused.done.isEmpty, "\(word)")
      #expect(refused.problems.first?.code == .noSuchAsset)
    }
  }

  private func stack(of asset: String) throws -> [String] {
    try withLibrary(library.path) { try $0.catalogue.stack(of: asset) }
  }

  @Test("The asset that is named first is the cover, and stacks come with all of their assets")
  func stacked() throws {
    try library.run("00000002", LoggedLibrary.assets(["four", "five"]))
    #expect(library.stack(["plain", "small"]).done.first?.assets == ["plain", "small"])
    #expect(library.stack(["four", "five"]).exitCode == .success)
    let whole = library.stack(["five", "small"])
    #expect(whole.done.first?.assets == ["five", "four", "small", "plain"])
    #expect(try stack(of: "plain") == ["five", "four", "small", "plain"])
    let logs = try library.logs()
    let again = library.stack(["five", "plain"])
    #expect(again.exitCode == .success)
    // Another cover is another stack; the same order is none.
    #expect(try library.logs() == logs + (again.log == nil ? 0 : 1))
    let same = library.stack(try stack(of: "five"))
    #expect(same.done.isEmpty && same.log == nil)
  }

  @Test("A stack is taken apart as a whole; what is in none leaves no record")
  func apart() throws {
    #expect(library.stack(["plain", "small"]).exitCode == .success)
    let logs = try library.logs()
    let none = library.stack(["live"], isApart: true)
    #expect(none.done.isEmpty && none.log == nil)
    #expect(try library.logs() == logs)
    let apart = library.stack(["small"], isApart: true)
    #expect(
      apart.done.first?.kind == .unstack
        && Set(apart.done.first?.assets ?? []) == ["plain", "small"]
    )
    #expect(try stack(of: "plain").count < 2)
    #expect(try library.problems() == [])
    let outcome = library.stack(["plain", "plain"])
    #expect(outcome.exitCode == .usage && outcome.problems.count == 1)
  }

  @Test(
    "What was decided of similar pictures is one batch; assets that go leave their stacks, and the kept stays"
  )
  func similar() throws {
    try library.run("00000002", LoggedLibrary.assets(["four", "five"]))
    #expect(library.stack(["four", "five"]).exitCode == .success)
    let decided = library.decide(
      .keep(["plain"], withdrawing: ["five"]),
      .stack(["small", "four"]),
      .distinguish(["plain", "live"])
    )
    #expect(decided.exitCode == .success && decided.problems.isEmpty)
    #expect(decided.done.map(\.kind) == [.stack, .distinguish, .withdraw])
    #expect(try stack(of: "small") == ["small", "four"])
    #expect(try stack(of: "five") == ["five"])
    #expect(try library.problems() == [])
    // What was withdrawn meanwhile is no reason to withdraw the rest.
    let late = library.decide(.keep(["five"], withdrawing: ["plain"]))
    #expect(late.exitCode == .usage && late.done.isEmpty)
    #expect(try withLibrary(library.path) { try $0.catalogue.assetToEdit("plain") } != nil)
  }

  @Test("A turn is in the catalogue and in the log, where a record that stands twice counts once")
  func turned() throws {
    func rotation() throws -> Int? {
      try withLibrary(library.path) { try $0.catalogue.assetToEdit("plain")?.rotation }
    }
    // The library is held until the function ends.
    func turn(to degrees: Int) throws {
      let held = try MaintenanceLog.open(library.bytes, waits: false)
      let log = try MaintenanceLog(of: "rotate", in: held, signer: nil)
      var edit = LibraryEdit(.rotate, ["plain"])
      edit.rotation = degrees
      try log.records.carryOut(try log.records.begin(), StagedBatch(edits: [edit]))
      _ = try log.end(exitCode: .success)
      held.catalogue.close()
    }
    for degrees in [90, 270, 270] {
      try turn(to: degrees)
      #expect(try rotation() == degrees)
    }
    #expect(try library.events(.rotated) == 3)
    try library.removeCatalogue()
    #expect(library.rebuild().exitCode == .success)
    #expect(try rotation() == 270)
    #expect(try library.problems() == [])
  }

  @Test("A catalogue that was copied as a decision began is behind, and repair makes it anew")
  func copiedBefore() throws {
    let files = ["library.sqlite", "library.sqlite-wal"].map { library.path + "/" + $0 }
    var copies: [[UInt8]] = []
    do {
      let held = try MaintenanceLog.open(library.bytes, waits: false)
      let log = try MaintenanceLog(of: "rotate", in: held, signer: nil)
      copies = try files.map { try readBytes($0) }
      var edit = LibraryEdit(.rotate, ["plain"])
      edit.rotation = 90
      try log.records.carryOut(try log.records.begin(), StagedBatch(edits: [edit]))
      _ = try log.end(exitCode: .success)
      held.catalogue.close()
    }
    try library.removeCatalogue()
    for (file, copy) in zip(files, copies) {
      try Data(copy).write(to: URL(fileURLWithPath: file))
    }
    let refused = library.withdraw(["live"])
    #expect(refused.exitCode == .internalCheck && refused.done.isEmpty)
    let repair = library.repair()
    #expect(repair.exitCode == .success && repair.done.map(\.path) == ["library.sqlite"])
    let asset = try withLibrary(library.path) { try $0.catalogue.assetToEdit("plain") }
    #expect(asset?.rotation == 90)
    #expect(try library.problems() == [])
  }

  @Test("A turn without the records of its thumbnails is none, when only the log is left")
  func halfTurned() throws {
    do {
      let held = try MaintenanceLog.open(library.bytes, waits: false)
      let log = try MaintenanceLog(of: "rotate", in: held, signer: nil)
      var edit = LibraryEdit(.rotate, ["plain"])
      edit.rotation = 90
      log.writer.append(edit)
      try log.writer.flush()
      held.catalogue.close()
    }
    #expect(try library.events(.rotated) == 1)
    try library.removeCatalogue()
    #expect(library.rebuild().exitCode == .success)
    let asset = try withLibrary(library.path) { try $0.catalogue.assetToEdit("plain") }
    #expect(asset?.rotation == 0)
  }

  @Test("A withdrawn asset has its files in Quarantine, and its stack goes on without it")
  func withdrawn() throws {
    try library.run("00000002", LoggedLibrary.assets(["four"]))
    #expect(library.stack(["live", "plain", "small"]).exitCode == .success)
    let before = try library.published()
    let done = library.withdraw(["live", "live"])
    #expect(done.exitCode == .success && done.done.count == 1 && done.log != nil)
    let moved = try #require(done.done.first)
    #expect(moved.moves.count == 3)
    let all = try snapshot(library.path)
    for file in moved.moves {
      #expect(all[file.to] == before[file.from])
    }
    let paths = Set(moved.moves.map(\.from))
    #expect(try library.published() == before.filter { !paths.contains($0.key) })
    #expect(try Set(library.listed().keys) == ["plain", "small", "four"])
    #expect(try library.events(.withdrawn) == 3)
    #expect(try stack(of: "plain") == ["plain", "small"])
    #expect(try library.problems() == [])
    let again = library.withdraw(["live"])
    #expect(again.unchanged == ["live"] && again.log == nil && again.exitCode == .success)
    #expect(library.relabel([("live", "x")]).exitCode == .usage)
    // All or none.
    #expect(library.withdraw(["four", "nothing"]).exitCode == .usage)
    #expect(try library.listed()["four"] != nil)
  }

  @Test("A rebuild withdraws what the log says, unless the files are still at their places")
  func withdrawnAndRebuilt() throws {
    let moved = try #require(library.withdraw(["live"]).done.first)
    try library.removeCatalogue()
    let rebuild = library.rebuild()
    #expect(rebuild.exitCode == .success && rebuild.findings.isEmpty)
    #expect(try Set(library.listed().keys) == ["plain", "small"])
    #expect(try library.problems() == [])
    // As if the command had been killed before the first move, and the catalogue lost.
    for file in moved.moves {
      let path = library.path + "/" + file.from
      try FileManager.default.createDirectory(
        atPath: (path as NSString).deletingLastPathComponent,
        withIntermediateDirectories: true
      )
      try FileManager.default.moveItem(atPath: library.path + "/" + file.to, toPath: path)
    }
    try library.removeCatalogue()
    #expect(library.rebuild().exitCode == .success)
    #expect(try Set(library.listed().keys) == ["plain", "small", "live"])
    #expect(try library.problems() == [])
    #expect(library.withdraw(["live"]).done.count == 1)
    #expect(try library.problems() == [])
  }
}
