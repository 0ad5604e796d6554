import Foundation
import MediaAudit
import MediaFileSystem
import MediaLibrary
import MediaLibraryTestSupport
import MediaModel
import MediaTestSupport
import Testing

@testable import MediaVerification

@Suite("A log joined with its catalogue")
struct LibraryLogTests {
  private let scratch = TemporaryFolder()
  private var path: String { scratch.path + "/Library" }

  /// Writes the log of one more run, with a record behind its opening if it `hasRecords` and then those of
  /// `listings`, and enters it in the catalogue if it `isKnown`.
  private func addRun(
    hasRecords: Bool = true,
    isKnown: Bool = true,
    listings: [AuditRecord] = []
  ) throws {
    try withLibrary(path) { library in
      let folder = AuditFolder(descriptor: library.audit.raw)
      let files = try folder.files()
      let previous = try folder.previousHead()
      let run = "0000000\(files.count)"
      let name = try #require(AuditFileName.next(after: files, run: run))
      let file = try FileSystem.createFile(in: library.audit, Array(name.text.utf8))
      var opening = AuditOpening()
      opening.clientIdentifier = "org.example"
      opening.manifestSHA256 = String(repeating: "ab", count: 32)
      let writer = AuditWriter(
        descriptor: file.raw,
        file: name,
        previous: previous,
        tree: try folder.tree(from: nil),
        opening: opening
      )
      if hasRecords {
        writer.append(AuditCount(.unchanged, of: .camera, 1))
      }
      for record in listings { writer.append(record) }
      try writer.flush()
      guard isKnown else { return }
      try library.catalogue.beginRun(
        run,
        started: SaveTime(microseconds: 0),
        client: "org.example",
        manifestSHA256: "ab",
        audit: writer.takePosition()
      )
    }
  }

  private func verify() throws -> AuditVerification {
    let log = try LibraryLog(library: Array(path.utf8)) { Issue.record("\($0)") }
    return try log.verify().verification
  }

  @Test("A log that the catalogue knows is whole, and so is the library")
  func isKnown() throws {
    try addRun()
    try addRun()
    #expect(try verify().difference == nil)
    #expect(try verify().files == 2)
    #expect(try LibraryVerification(library: Array(path.utf8)).isGood)
  }

  @Test("A file that the catalogue does not know is added, unless its run was stopped as it began")
  func unknown() throws {
    try addRun()
    try addRun(hasRecords: false, isKnown: false)
    #expect(try verify().difference == nil)
    try addRun(isKnown: false)
    #expect(try verify().difference?.kind == .added)
    #expect(try verify().difference?.file == "000003-00000002.ndjson")
    #expect(try !LibraryVerification(library: Array(path.utf8)).isGood)
  }

  @Test("A run that begins while the log is verified is no difference")
  func begunMeanwhile() throws {
    try addRun()
    let log = try LibraryLog(library: Array(path.utf8)) { Issue.record("\($0)") }
    try addRun()
    #expect(try log.verify().verification.difference == nil)
  }

  @Test("Without its catalogue a log is whole only for a witness")
  func withoutCatalogue() throws {
    try addRun()
    let head = try verify().head
    _ = try Tool.run("rm", [path + "/library.sqlite"])
    var reason: LibraryError.Code?
    let log = try LibraryLog(library: Array(path.utf8)) { reason = $0.code }
    #expect(reason == .notALibrary)
    #expect(try log.verify().verification.difference?.kind == .missing)
    var witnesses = AuditWitnesses()
    witnesses.expectedHeads = [.hash(head)]
    #expect(try log.verify(witnesses).verification.difference == nil)
  }

  @Test("A log is checked without a catalogue of which an inner page is damaged")
  func damagedPage() throws {
    try addRun()
    let head = try verify().head
    let file = path + "/library.sqlite"
    let page = try Tool.run("sqlite3", [file, "SELECT rootpage FROM sqlite_schema WHERE name = 'runs'"])
    let number = try #require(Int(page.output.trimmingCharacters(in: .whitespacesAndNewlines)))
    var content = try readBytes(file)
    let size = Int(content[16]) << 8 | Int(content[17])
    for offset in (number - 1) * size..<number * size { content[offset] = 0xFF }
    try Data(content).write(to: URL(fileURLWithPath: file))
    var reason: LibraryError.Code?
    let log = try LibraryLog(library: Array(path.utf8)) { reason = $0.code }
    #expect(reason == .inconsistent)
    var witnesses = AuditWitnesses()
    witnesses.expectedHeads = [.hash(head)]
    #expect(try log.verify(witnesses).verification.difference == nil)
  }

  @Test("A source has the folder that was listed last, and the policy of the last run that did it")
  func listedSources() throws {
    func record(
      _ source: SourceID,
      _ resolvedPath: String,
      _ policy: MetadataPolicy?
    ) -> AuditRecord {
      var listing = AuditListing()
      (listing.source, listing.metadataPolicy) = (source, policy)
      listing.resolvedPath = ItemPath(bytes: Array(resolvedPath.utf8))
      return AuditRecord(listing)
    }
    try addRun(listings: [record(.microphone, "/older", .keep), record(.library, "/older", .keep)])
    try addRun(listings: [record(.camera, "/card", .strip), record(.microphone, "/newer", .strip)])
    // A version that did not record the policy; and a camera, which has no path.
    try addRun(listings: [record(.microphone, "/newest", nil), record(.camera, "ptp:usb", .keep)])
    let log = try LibraryLog(library: Array(path.utf8)) { Issue.record("\($0)") }
    #expect(
      try log.listedSources() == [
        .camera: ListedSource(folder: Array("/card".utf8), metadataPolicy: .keep),
        .library: ListedSource(folder: Array("/older".utf8), metadataPolicy: .keep),
        .microphone: ListedSource(folder: Array("/newest".utf8), metadataPolicy: nil),
      ]
    )
  }

  @Test("A file that no record names is a problem, unless its batch is not finished")
  func unrecorded() throws {
    try addRun()
    try withLibrary(path) { library in
      let batch = try library.catalogue.intend(
        run: "00000000",
        firstAccess: 1,
        audit: try #require(try library.catalogue.auditPositions().last)
      )
      let staged = StagedBatch(results: [], assets: [BatchFixture.asset("new", 1, ["photo"])])
      try library.catalogue.stage(batch, staged)
      try library.catalogue.publish(batch, staged, run: "00000000")
      try expectUnrecorded(0)
      try library.catalogue.finish(
        [batch],
        run: "00000000",
        audit: try #require(try library.catalogue.auditPositions().last)
      )
      try expectUnrecorded(1)
    }
  }

  private func expectUnrecorded(_ count: Int) throws {
    #expect(try unrecorded().count == count)
    let recorded = try unrecorded { marks, file in
      marks.mark(Array(file.path.utf8), sha256: "other")
    }
    #expect(recorded.count == count)
    #expect(try unrecorded { $0.mark(Array($1.path.utf8), sha256: $1.sha256) }.isEmpty)
    let problems = try LibraryVerification(library: Array(path.utf8)).problems.all()
    #expect(problems.count == count)
  }

  /// The files that no record names and that are not of an unfinished batch, after `mark` was called with
  /// each file of the catalogue.
  private func unrecorded(
    _ mark: (FileMarks, Catalogue.PublishedFile) -> Void = { _, _ in }
  ) throws -> [String] {
    let root = try FileSystem.openFolder(Array(path.utf8))
    let catalogue = try CatalogueReader(library: Array(path.utf8))
    return try LibraryLog(root: root, catalogue: catalogue).verify { log, moment in
      let marks = try FileMarks(moment)
      try log.markRecorded(in: marks)
      try marks.forEachFile { mark(marks, $0.file) }
      var paths: [String] = []
      try marks.forEachFile { row in
        if !row.isMarked, !log.isUnfinished(row.file.path) { paths.append(row.file.path) }
      }
      return paths
    }
  }
}
