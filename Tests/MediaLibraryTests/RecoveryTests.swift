import Foundation
import Glibc
import MediaFileSystem
import MediaLibrary
import MediaLibraryTestSupport
import MediaModel
import MediaTestSupport
import Testing

@Suite("Publishing and recovery")
struct RecoveryTests {
  private static let steps = Array(0...BatchFixture.renames.count)

  /// What a library is to a person: its published files and what the catalogue says of them.
  private static func state(_ path: String) throws -> [String: String?] {
    var state = try snapshot(path).filter {
      $0.key.hasPrefix("Originals") || $0.key.hasPrefix("Thumbnails")
        || $0.key.hasPrefix(".staging")
    }
    let queries = ["assets", "resources", "thumbnails", "items"].map {
      "SELECT 'table \($0)'; SELECT * FROM \($0) ORDER BY 1, 2;"
    }
    state["tables"] = try sqlite(
      path + "/library.sqlite",
      queries.joined() + "SELECT 'undone'; SELECT id, state FROM batches WHERE state < 3"
    )
    return state
  }

  /// A library whose last batch was interrupted after so many renames, in the state it had then.
  private func interrupt(
    _ path: String,
    renames: Int,
    state: BatchState,
    tamper: (Library) throws -> Void = { _ in }
  ) throws -> Int64 {
    try withLibrary(path) { library in
      let fixture = try BatchFixture(library)
      let batch = try fixture.intend()
      try fixture.stage(batch, BatchFixture.staged)
      if state != .intended { try library.catalogue.stage(batch, BatchFixture.staged) }
      let staging = path + "/.staging/\(batch)/"
      for (staged, published) in BatchFixture.renames.prefix(renames) {
        let target = URL(fileURLWithPath: path + "/" + published)
        try FileManager.default.createDirectory(
          at: target.deletingLastPathComponent(),
          withIntermediateDirectories: true
        )
        #expect(rename(staging + staged, target.path) == 0)
      }
      if state == .published {
        try library.catalogue.publish(batch, BatchFixture.staged, run: BatchFixture.run)
      }
      try tamper(library)
      return batch
    }
  }

  private func recover(_ path: String) throws -> [Recovery.Recovered] {
    try withLibrary(path) { library in
      let recovery = try Recovery(library: library)
      for recovered in recovery.recovered {
        try library.catalogue.finish([recovered.batch], run: BatchFixture.run, audit: BatchFixture.position)
      }
      return recovery.recovered
    }
  }

  /// The library of a run that nothing disturbed; made once.
  private static let expectedState: Result<[String: String?], any Error> = Result {
    let scratch = TemporaryFolder()
    let path = scratch.path + "/Library"
    try withLibrary(path) { try BatchFixture($0).publish() }
    let state = try RecoveryTests.state(path)
    #expect((state["tables"] ?? nil)?.hasPrefix("table assets\n") == true)
    #expect(state.keys.count { $0.hasPrefix("Originals") && $0.hasSuffix(".jpg") } == 5)
    #expect(state.keys.count { $0.hasPrefix("Thumbnails") && $0.hasSuffix(".jpg") } == 3)
    return state
  }

  private func undisturbed() throws -> [String: String?] { try Self.expectedState.get() }

  @Test(
    "Interrupted after any rename, recovery gives the library of an undisturbed run, and changes nothing the second time",
    .enabled(if: Tool.exists("sqlite3"), "no sqlite3"),
    arguments: steps
  )
  func afterEachRename(_ renames: Int) throws {
    let scratch = TemporaryFolder()
    let path = scratch.path + "/Library"
    let batch = try interrupt(path, renames: renames, state: .staged)
    let recovered = try recover(path)
    #expect(recovered.map(\.batch) == [batch])
    #expect(recovered.map(\.run) == [BatchFixture.run])
    #expect(recovered.first?.results == BatchFixture.staged.results)
    let expected = try undisturbed()
    #expect(try Self.state(path) == expected)
    #expect(try recover(path).isEmpty)
    #expect(try Self.state(path) == expected)
  }

  @Test(
    "Recovery that is itself interrupted after its catalogue rows is finished by the next",
    .enabled(if: Tool.exists("sqlite3"), "no sqlite3")
  )
  func interruptedRecovery() throws {
    let scratch = TemporaryFolder()
    let path = scratch.path + "/Library"
    let batch = try interrupt(path, renames: 2, state: .staged)
    for _ in 0..<3 {
      let recovered = try withLibrary(path) { try Recovery(library: $0).recovered }
      #expect(recovered.map(\.batch) == [batch])
    }
    #expect(try recover(path).map(\.batch) == [batch])
    #expect(try Self.state(path) == undisturbed())
  }

  @Test(
    "Published and not yet in the log: the items are handed out for their records, nothing else changes",
    .enabled(if: Tool.exists("sqlite3"), "no sqlite3")
  )
  func published() throws {
    let scratch = TemporaryFolder()
    let path = scratch.path + "/Library"
    let batch = try interrupt(path, renames: BatchFixture.renames.count, state: .published)
    #expect(try recover(path).map(\.batch) == [batch])
    #expect(try Self.state(path) == undisturbed())
  }

  @Test("Only intended: staging is emptied, the batch forgotten, nothing published")
  func intended() throws {
    let scratch = TemporaryFolder()
    let path = scratch.path + "/Library"
    _ = try interrupt(path, renames: 0, state: .intended)
    #expect(try recover(path).isEmpty)
    let contents = try snapshot(path)
    #expect(!contents.keys.contains { $0.hasPrefix(".staging/") })
    #expect(contents.keys.count { $0.hasSuffix(".jpg") } == 1)
    try withLibrary(path) { library in
      let undone = try library.catalogue.undoneBatches()
      let count = try library.catalogue.assetCount()
      #expect(undone.isEmpty)
      #expect(count == 1)
    }
  }

  @Test(
    "Something else at any final name stops with a contradiction, stays as it is, and nothing is lost from staging",
    arguments: BatchFixture.renames.indices,
    ["other content", ""]
  )
  func foreignFile(_ index: Int, _ content: String) throws {
    let scratch = TemporaryFolder()
    let path = scratch.path + "/Library"
    let (staged, published) = BatchFixture.renames[index]
    let batch = try interrupt(path, renames: index, state: .staged) { _ in
      let target = URL(fileURLWithPath: path + "/" + published)
      try FileManager.default.createDirectory(
        at: target.deletingLastPathComponent(),
        withIntermediateDirectories: true
      )
      try Data(content.utf8).write(to: target)
    }
    for _ in 0..<2 {
      #expect(errorCode { _ = try recover(path) } == .inconsistent)
      #expect(try readBytes(path + "/" + published) == Array(content.utf8))
      #expect(FileSystem.exists(Array("\(path)/.staging/\(batch)/\(staged)".utf8)))
    }
    // Taken away by a person, all goes on.
    try FileManager.default.removeItem(atPath: path + "/" + published)
    #expect(try recover(path).map(\.batch) == [batch])
  }

  @Test(
    "Other content of the same length is something else all the same",
    arguments: BatchFixture.renames.indices
  )
  func sameLength(_ index: Int) throws {
    let scratch = TemporaryFolder()
    let path = scratch.path + "/Library"
    let published = path + "/" + BatchFixture.renames[index].published
    _ = try interrupt(path, renames: index + 1, state: .staged) { _ in
      let inside = try FileManager.default.subpathsOfDirectory(atPath: published)
      let file = inside.first.map { published + "/" + $0 } ?? published
      let content = try readBytes(file)
      try Data([content[0] ^ 1] + content.dropFirst()).write(to: URL(fileURLWithPath: file))
    }
    #expect(errorCode { _ = try recover(path) } == .inconsistent)
  }

  @Test("A batch that names a file outside the folders of published ones is not finished")
  func foreignPath() throws {
    let scratch = TemporaryFolder()
    let path = scratch.path + "/Library"
    try withLibrary(path) { library in
      let fixture = try BatchFixture(library)
      var staged = BatchFixture.staged
      staged.results[0].output = OutputFile(published: "../pwn/x/y", sha256: "ab", bytes: 1)
      let batch = try fixture.intend()
      try fixture.stage(batch, staged)
      try library.catalogue.stage(batch, staged)
    }
    #expect(errorCode { _ = try recover(path) } == .inconsistent)
  }

  @Test("A link at a final name that leads to the right content is something else all the same")
  func foreignLink() throws {
    let scratch = TemporaryFolder()
    let path = scratch.path + "/Library"
    let (staged, published) = BatchFixture.renames[0]
    _ = try interrupt(path, renames: 1, state: .staged) { _ in
      #expect(rename(path + "/" + published, path + "/elsewhere") == 0)
      #expect(symlink(path + "/elsewhere", path + "/" + published) == 0)
    }
    #expect(errorCode { _ = try recover(path) } == .inconsistent)
    #expect(!staged.isEmpty)
  }

  @Test(
    "A file that is in neither place was removed since: its row is there, and it is lost",
    arguments: 0..<2
  )
  func lostFile(_ index: Int) throws {
    let scratch = TemporaryFolder()
    let path = scratch.path + "/Library"
    let batch = try interrupt(path, renames: 0, state: .staged)
    try FileManager.default.removeItem(
      atPath: "\(path)/.staging/\(batch)/\(BatchFixture.renames[index].staged)"
    )
    #expect(try recover(path).map(\.batch) == [batch])
    #expect(!FileSystem.exists(Array("\(path)/\(BatchFixture.renames[index].published)".utf8)))
  }

  @Test(
    "A thumbnail that was replaced is removed at the next start, and forgotten after its record"
  )
  func superseded() throws {
    let scratch = TemporaryFolder()
    let path = scratch.path + "/Library"
    try withLibrary(path) { library in
      let fixture = try BatchFixture(library)
      for index in [4, 5] {
        var asset = BatchFixture.asset("known", index, [])
        asset.isKnown = true
        asset.thumbnails = [BatchFixture.thumbnail("grid", "known", index)]
        let staged = StagedBatch(results: [], assets: [asset])
        let batch = try fixture.intend()
        try fixture.stage(batch, staged)
        var publisher = Publisher(library: library)
        try publisher.publish(batch, staged)
        try library.catalogue.publish(batch, staged, run: BatchFixture.run)
        try library.catalogue.finish([batch], run: BatchFixture.run, audit: BatchFixture.position)
      }
    }
    let old = path + "/Thumbnails/grid/1970-01-02/000000.000004 known.jpg"
    let new = path + "/Thumbnails/grid/1970-01-02/000000.000005 known.jpg"
    #expect(FileSystem.exists(Array(old.utf8)))
    try withLibrary(path) { library in
      var removed: [Catalogue.PublishedFile] = []
      for _ in 0..<2 {
        removed = try Recovery(library: library).removed
        #expect(removed.map(\.path) == ["Thumbnails/grid/1970-01-02/000000.000004 known.jpg"])
      }
      #expect(!FileSystem.exists(Array(old.utf8)))
      #expect(FileSystem.exists(Array(new.utf8)))
      try library.catalogue.forget(superseded: removed)
      #expect(try Recovery(library: library).removed.isEmpty)
      #expect(try library.catalogue.publishedFiles(superseded: false).count == 2)
    }
  }

  @Test("A save time that a folder has is not given again")
  func freeSaveTime() throws {
    let scratch = TemporaryFolder()
    try withLibrary(scratch.path + "/Library") { library in
      _ = try BatchFixture(library)
      var publisher = Publisher(library: library)
      let taken = SaveTime(microseconds: 86_399_999_998)
      #expect(try publisher.freeSaveTime(from: taken) == SaveTime(microseconds: taken.microseconds + 1))
      let free = SaveTime(microseconds: 0)
      #expect(try publisher.freeSaveTime(from: free) == free)
    }
  }
}
