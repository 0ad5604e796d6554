import Foundation
import MediaAudit
import MediaLibrary
import MediaLibraryTestSupport
import MediaModel
import MediaReports
import MediaTestSupport
import MediaVerification
import Testing

@testable import MediaMaintenance

@Suite("A library is mended without its sources")
struct RepairTests {
  private let library = LoggedLibrary()

  init() throws { try library.run("00000001", LoggedLibrary.assets()) }

  private func steps(_ repair: Repair) -> [String] {
    repair.done.map { "\($0.action) \($0.path)" }
  }

  @Test("A library that is whole stays as it is")
  func whole() throws {
    let before = try snapshot(library.path)
    let repair = library.repair()
    #expect(repair.exitCode == .success && repair.done.isEmpty && repair.left.isEmpty)
    #expect(repair.log == nil && repair.rebuild == nil)
    #expect(try snapshot(library.path) == before)
  }

  @Test("A changed file is moved aside behind its record, and no other one is touched")
  func quarantined() throws {
    let before = try library.published()
    let path = try library.file("live.mov")
    try library.overwrite(path, "other")
    let repair = library.repair()
    #expect(steps(repair) == ["quarantined \(path)"])
    let left = try #require(repair.left.first)
    #expect(repair.left.count == 1)
    #expect(left.hasPrefix("\(path): its source may still have it: mediabatch repair /"), "\(left)")
    #expect(left.hasSuffix("\(library.path) --from MANIFEST"), "\(left)")
    #expect(repair.exitCode == .differencesFound && repair.log != nil)
    #expect(try library.published() == before.filter { $0.key != path })
    let aside = try snapshot(library.path + "/Quarantine").compactMapValues { $0 }
    #expect(aside.values.sorted() == ["other"])
    #expect(aside.keys.first?.split(separator: "/", maxSplits: 1).last == Substring(path))
    #expect(try library.events(.quarantined) == 1)
    // What is lost now is left to a run of its source.
    let again = library.repair()
    #expect(again.done.isEmpty && again.left == repair.left && again.log == nil)
  }

  @Test("A changed file that cannot be moved aside is left with the reason, and stays where it is")
  func unmoved() throws {
    let path = try library.file("live.mov")
    try library.overwrite(path, "other")
    try library.overwrite("Quarantine", "mine")
    let repair = library.repair()
    #expect(repair.done.isEmpty && repair.exitCode == .differencesFound)
    #expect(repair.left.count == 1 && repair.problems.isEmpty, "\(repair.problems)")
    #expect(repair.left.first?.hasPrefix("\(path): open \"Quarantine\"") == true, "\(repair.left)")
    #expect(try library.published()[path] == "other")
  }

  @Test("What is lost is left where there is no source, originals before thumbnails")
  func lost() throws {
    let original = try library.file("small.jpg")
    let thumbnail = try #require(library.published().keys.first { $0.hasPrefix("Thumbnails/") })
    try library.remove(original)
    try library.remove(thumbnail)
    let repair = library.repair()
    #expect(repair.left.map { $0.prefix { $0 != ":" } } == [original[...], thumbnail[...]])
    #expect(repair.done.isEmpty && repair.log == nil && repair.exitCode == .differencesFound)
  }

  @Test("A damaged catalogue, and one that is gone, are made anew before files are looked at")
  func rebuilt() throws {
    let (before, path) = (try library.listed(), try library.file("plain.jpg"))
    for isGone in [true, false] {
      try library.removeCatalogue()
      if !isGone { try library.overwrite("library.sqlite", String(repeating: "x", count: 8192)) }
      if !isGone { try library.overwrite(path, "other") }
      let repair = library.repair()
      let rebuilt = "rebuilt library.sqlite"
      #expect(steps(repair) == (isGone ? [rebuilt] : [rebuilt, "quarantined \(path)"]))
      #expect(repair.rebuild?.counts?.assets == 3)
      // The newest head is that of the last step.
      #expect(repair.log != nil && (repair.log == repair.rebuild?.log) == isGone)
      #expect(try library.listed() == before)
    }
  }

  @Test(
    "A file that the log has and the catalogue has not is adopted; one that neither has is left"
  )
  func adopted() throws {
    let copy = try readBytes(library.path + "/library.sqlite")
    try library.run("00000002", LoggedLibrary.assets(["second"]))
    let listed = try library.listed()
    try library.removeCatalogue()
    try Data(copy).write(to: URL(fileURLWithPath: library.path + "/library.sqlite"))
    let path = try library.file("second.jpg")
    let own = path.replacing("second.jpg", with: "own.jpg")
    try library.overwrite(own, "own")
    let repair = library.repair()
    #expect(repair.done.map(\.path).contains { $0 == path || $0 == "library.sqlite" })
    #expect(repair.left == ["\(own): the log has no record of it; move it out of the library"])
    #expect(try library.listed() == listed)
    #expect(try library.published()[own] == "own")
  }

  @Test("A report counts a thumbnail that was made again as one that a record names")
  func reported() throws {
    let lost = try #require(library.published().keys.first { $0.hasPrefix("Thumbnails/") })
    try library.remove(lost)
    try library.remakeThumbnail(of: "small")
    #expect(try library.events(.restored) == 1)
    #expect(try library.problems() == [])
    let report = try library.report()
    #expect(report.verification.difference == nil && !report.catalogueDiffers)
    #expect(report.holdings.thumbnails == 1 && report.holdings.originals == 5)
  }

  @Test("What a killed command left is finished, and named; a second repair has nothing to do")
  func finished() throws {
    try library.run("00000002", LoggedLibrary.assets(["late"]), until: .staged)
    let repair = library.repair()
    #expect(repair.exitCode == .success && repair.log != nil && repair.left.isEmpty)
    let late = try library.file("late.jpg")
    #expect(steps(repair) == ["finished \(late)"])
    #expect(try library.listed()["late"]?.count == 1)
    #expect(try library.problems() == [])
    #expect(library.repair().done.isEmpty)
  }

  // MARK: Cleaning

  @Test("Cleaning finishes a run that was killed, and leaves a whole library without a record")
  func cleaned() throws {
    let (before, logs) = (try library.published(), try library.logs())
    let first = library.clean()
    #expect(first.log == nil && first.exitCode == .success && first.removed.isEmpty)
    #expect(try library.published() == before && library.logs() == logs)
    try library.run("00000002", LoggedLibrary.assets(["late"]), until: .staged)
    let clean = library.clean()
    #expect(clean.log != nil && clean.exitCode == .success)
    #expect(try library.listed()["late"]?.count == 1)
    #expect(try library.problems() == [])
    #expect(library.clean().log == nil)
  }

  @Test("Cleaning removes the files of an asset that was written anew, each behind its record")
  func superseded() throws {
    let old = try library.file("plain.jpg")
    var asset = BatchFixture.asset("plain", 1_000_000, files: [(.photo, ".jpg")])
    asset.isRewritten = true
    try library.run("00000002", [asset])
    #expect(try library.published()[old] != nil)
    let clean = library.clean()
    #expect(clean.removed == [old] && clean.replaced == 0)
    #expect(try library.published()[old] == nil)
    #expect(try library.events(.superseded) == 1)
    #expect(try library.listed()["plain"]?.count == 1)
    #expect(try library.problems() == [])
  }

  @Test("A folder that is no library is refused, and nothing is made in it")
  func noLibrary() throws {
    let scratch = TemporaryFolder()
    let path = Array(scratch.path.utf8)
    let codes = [
      Cleaning(library: path, waits: false, signer: nil).exitCode,
      AssetEdit(library: path, Relabelling([]), waits: false, enforcement: .process, signer: nil)
        .exitCode,
    ]
    #expect(!codes.contains(.success))
    #expect(try FileManager.default.contentsOfDirectory(atPath: scratch.path).isEmpty)
  }
}
