import Foundation
import Glibc
import MediaFileSystem
import MediaLibrary
import MediaLibraryTestSupport
import MediaModel
import MediaTestSupport
import MediaVerification
import Testing

@Suite("Verifying a library")
struct LibraryFileCheckTests {
  private let scratch = TemporaryFolder()
  private var path: String { scratch.path + "/Library" }

  /// A library of four assets, published and closed.
  private func make() throws {
    try withLibrary(path) { library in
      let fixture = try BatchFixture(library)
      let batch = try fixture.intend()
      try fixture.stage(batch, BatchFixture.staged)
      try library.catalogue.stage(batch, BatchFixture.staged)
      var publisher = Publisher(library: library)
      try publisher.publish(batch, BatchFixture.staged)
      try library.catalogue.publish(batch, BatchFixture.staged, run: BatchFixture.run)
      try publisher.removeStagingFolder(batch)
      try library.catalogue.finish([batch], run: BatchFixture.run, audit: BatchFixture.position)
    }
  }

  private func verify(threads: Int = 2) throws -> LibraryFileCheck {
    let catalogue = try CatalogueReader(library: Array(path.utf8))
    return try LibraryFileCheck(
      root: FileSystem.openFolder(Array(path.utf8)),
      catalogue: catalogue,
      snapshot: catalogue.snapshot(),
      threads: threads
    )
  }

  @Test("A library that nobody touched has no finding, and verifying changes nothing")
  func clean() throws {
    try make()
    let before = try snapshot(path)
    let result = try verify()
    #expect(result.findings.isEmpty)
    #expect(result.files == 8)
    #expect(try snapshot(path) == before)
  }

  enum Damage: String, CaseIterable {
    case missing, truncated, longer, bitFlipped, emptied, replacedByLink, replacedByFIFO
    case replacedByFolder, added, addedLink, leftInStaging
  }

  @Test("Each damage to any file is named", arguments: Damage.allCases)
  func damage(_ damage: Damage) throws {
    try make()
    let files = try snapshot(path).filter { $0.key.hasSuffix(".jpg") }.keys.sorted()
    for file in files {
      let whole = path + "/" + file
      let content = try readBytes(whole)
      var kind = LibraryFileCheck.Kind.changed
      var named = file
      let changed: [UInt8]?
      switch damage {
      case .missing: (changed, kind) = (nil, .missing)
      case .truncated: changed = content.dropLast()
      case .longer: changed = content + [0]
      case .bitFlipped: changed = [content[0] ^ 1] + content.dropFirst()
      case .emptied: changed = []
      case .replacedByLink, .replacedByFIFO, .replacedByFolder: changed = nil
      case .added, .addedLink:
        (changed, kind, named) = (content, .unknown, file + "x")
      case .leftInStaging: (changed, kind, named) = (content, .unfinished, ".staging/x")
      }
      unlink(whole)
      if let changed { try Data(changed).write(to: URL(fileURLWithPath: whole)) }
      switch damage {
      case .replacedByLink:
        try Data(content).write(to: URL(fileURLWithPath: path + "/elsewhere"))
        symlink(path + "/elsewhere", whole)
      case .replacedByFIFO: mkfifo(whole, 0o644)
      case .replacedByFolder: mkdir(whole, 0o755)
      case .added: try Data().write(to: URL(fileURLWithPath: whole + "x"))
      case .addedLink: symlink("/etc/passwd", whole + "x")
      case .leftInStaging: try Data().write(to: URL(fileURLWithPath: path + "/.staging/x"))
      default: break
      }
      let findings = try verify().findings.all()
      #expect(findings.map(\.kind) == [kind], "\(file)")
      #expect(findings.map(\.path) == [named])
      #expect(findings.allSatisfy(\.isDifference) == (damage != .leftInStaging))
      if [.replacedByFolder].contains(damage) { rmdir(whole) } else { unlink(whole) }
      unlink(whole + "x")
      unlink(path + "/.staging/x")
      try Data(content).write(to: URL(fileURLWithPath: whole))
      #expect(try verify().findings.isEmpty)
    }
  }

  @Test("A hostile name is shown escaped")
  func hostileName() throws {
    try make()
    let name = "\u{1B}[31m\n"
    try Data().write(to: URL(fileURLWithPath: path + "/Originals/" + name))
    let findings = try verify().findings.all()
    #expect(findings.map(\.path) == ["Originals/%1B[31m%0A"])
  }

  @Test("A file to be removed by the next run is a remark, and no difference")
  func superseded() throws {
    try make()
    _ = try Tool.run(
      "sqlite3",
      [path + "/library.sqlite", "UPDATE thumbnails SET superseded = 1 WHERE name = 'preview'"]
    )
    let findings = try verify().findings.all()
    #expect(findings.map(\.kind) == [.superseded])
    #expect(findings.allSatisfy { !$0.isDifference })
    // In place of the removed file, so that as many are there as the catalogue has.
    let file = try #require(findings.first).path
    try FileManager.default.moveItem(atPath: path + "/" + file, toPath: path + "/" + file + "x")
    #expect(try verify().findings.all().map(\.kind) == [.superseded, .unknown])
  }

  @Test("A file under another name is missing and unknown")
  func renamed() throws {
    try make()
    for file in try snapshot(path).filter({ $0.key.hasSuffix(".jpg") }).keys {
      try FileManager.default.moveItem(atPath: path + "/" + file, toPath: path + "/" + file + "x")
      let findings = try verify().findings.all()
      #expect(findings.map(\.kind) == [.missing, .unknown], "\(file)")
      #expect(findings.map(\.path) == [file, file + "x"])
      try FileManager.default.moveItem(atPath: path + "/" + file + "x", toPath: path + "/" + file)
    }
    #expect(try verify().findings.isEmpty)
  }

  @Test(
    "A link or a file in the place of a folder is named, and all else is compared",
    arguments: ["Originals", "Thumbnails", ".staging"],
    [true, false]
  )
  func otherFolder(name: String, isLink: Bool) throws {
    try make()
    let folder = path + "/" + name
    let other = name == "Originals" ? "Thumbnails/" : "Originals/"
    try FileManager.default.moveItem(atPath: folder, toPath: path + "/elsewhere")
    if isLink {
      symlink("elsewhere", folder)
    } else {
      try Data().write(to: URL(fileURLWithPath: folder))
    }
    try Data().write(to: URL(fileURLWithPath: path + "/" + other + "planted"))
    let result = try verify()
    let findings = try result.findings.all()
    #expect(findings.filter { $0.path == name }.map(\.kind) == [.changed])
    #expect(findings.filter { $0.kind == .unknown }.map(\.path) == [other + "planted"])
    let lost = findings.filter { $0.path.hasPrefix(name + "/") }
    #expect(lost.allSatisfy { $0.kind == (isLink ? .changed : .missing) })
    #expect(result.files + lost.count == 8)
    #expect(result.unreadCount == 0)
  }

  @Test("A file in the place of a library is none")
  func fileForLibrary() throws {
    try Data().write(to: URL(fileURLWithPath: path))
    let error = #expect(throws: LibraryError.self) {
      _ = try CatalogueReader(library: Array(path.utf8))
    }
    #expect(error?.code == .notALibrary)
    #expect(error?.description.hasSuffix(": Not a directory.") == true)
    let repair = #expect(throws: LibraryError.self) {
      _ = try RepairPlan(library: Array(path.utf8))
    }
    #expect(repair?.code == .notALibrary)
  }

  @Test("What a run publishes after the catalogue was read is no difference")
  func publishedMeanwhile() throws {
    try withLibrary(path) { library in
      let fixture = try BatchFixture(library)
      let catalogue = try CatalogueReader(library: Array(path.utf8))
      let snapshot = try catalogue.snapshot()
      try fixture.publish()
      let result = try LibraryFileCheck(
        root: FileSystem.openFolder(Array(path.utf8)),
        catalogue: catalogue,
        snapshot: snapshot
      )
      #expect(try result.findings.all() == [])
      #expect(result.files == 8)
    }
  }

  @Test(
    "A library of which nothing is there has a finding for each file",
    arguments: [1, 2, 3, 64]
  )
  func nothingThere(threads: Int) throws {
    try make()
    for name in ["Originals", "Thumbnails"] {
      try FileManager.default.removeItem(atPath: path + "/" + name)
    }
    let result = try verify(threads: threads)
    let kinds = try result.findings.all().map(\.kind)
    #expect(kinds == [.unfinished, .unfinished] + Array(repeating: .missing, count: 8))
    #expect(result.differenceCount == 8)
    #expect(result.files == 0)
  }

  private func replace(_ file: String, _ content: [UInt8]) throws {
    unlink(path + "/" + file)
    try Data(content).write(to: URL(fileURLWithPath: path + "/" + file))
  }

  @Test("Many files have the same findings in the same order, whatever the number of their readers")
  func readers() throws {
    let names = (0..<1_500).map { String(format: "IMG_%04d", $0) }
    try withLibrary(path) { library in
      let fixture = try BatchFixture(library)
      try fixture.publish(
        StagedBatch(
          results: names.enumerated().map { BatchFixture.result("\($1).jpg", 10 + $0, asset: $1) },
          assets: names.enumerated().map { BatchFixture.asset($1, 10 + $0, ["photo"]) }
        )
      )
    }
    let files = try snapshot(path).keys.filter { $0.hasSuffix(".jpg") && $0.contains("IMG_") }.sorted()
    try #require(files.count == names.count)
    for file in files {
      // One file alone, wherever it is among the others; then all together.
      guard [0, 1, 511, 1_023, 1_024, 1_499].contains(files.firstIndex(of: file)) else { continue }
      let content = try readBytes(path + "/" + file)
      try replace(file, content.dropLast() + [0])
      for threads in [1, 2, 8] {
        let result = try verify(threads: threads)
        #expect(try result.findings.all().map(\.path) == [file], "\(threads)")
      }
      try replace(file, content)
    }
    for (index, file) in files.enumerated() where index % 7 == 0 {
      if index % 2 == 0 {
        try FileManager.default.removeItem(atPath: path + "/" + file)
      } else {
        try replace(file, [0])
      }
    }
    let one = try verify(threads: 1)
    let all = try one.findings.all()
    #expect(all.map(\.path) == stride(from: 0, to: files.count, by: 7).map { files[$0] })
    for threads in [2, 8] {
      let several = try verify(threads: threads)
      #expect(try several.findings.all() == all, "\(threads)")
      #expect(several.files == one.files && several.bytes == one.bytes, "\(threads)")
    }
  }
}
