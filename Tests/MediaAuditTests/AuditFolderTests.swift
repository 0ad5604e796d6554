import Foundation
import MediaModel
import MediaTestSupport
import Testing

@testable import MediaAudit

struct AuditFolderTests {
  @Test("A folder on disk is verified, listed and continued", arguments: [0, 70])
  func folder(torn: Int) throws {
    let log = try SampleLog(itemsPerRun: 3, tornBytes: torn)
    let scratch = TemporaryFolder()
    for file in log.files { try writeFile(scratch.path + "/" + file.name, file.bytes) }
    try writeFile(scratch.path + "/.hidden", [1])
    let descriptor = try openFolder(scratch.path)
    defer { closeFile(descriptor) }
    let folder = AuditFolder(descriptor: descriptor)
    #expect(try folder.files().map(\.text) == log.files.map(\.name))
    let result = try folder.verify(expectations: log.expectations, expectedHead: log.heads[1])
    #expect(result.difference == nil && result.expectedHeads.first == .last)
    #expect(
      try folder.previousHead()
        == AuditPreviousHead(
          file: log.files[1].name,
          head: log.heads[1],
          bytes: log.files[1].bytes.count,
          tornBytes: 0
        )
    )
    try FileManager.default.removeItem(atPath: scratch.path + "/" + log.files[1].name)
    #expect(
      try folder.previousHead()
        == AuditPreviousHead(
          file: log.files[0].name,
          head: log.heads[0],
          bytes: log.files[0].bytes.count - torn,
          tornBytes: torn
        )
    )
  }

  @Test("A run that died before its first flush leaves a file that the next run passes over")
  func emptyFile() throws {
    let log = try SampleLog(itemsPerRun: 1)
    for torn in [0, 30] {
      let scratch = TemporaryFolder()
      for file in log.files { try writeFile(scratch.path + "/" + file.name, file.bytes) }
      try writeFile(scratch.path + "/000003-dead.ndjson", Array(log.files[0].bytes.prefix(torn)))
      let descriptor = try openFolder(scratch.path)
      defer { closeFile(descriptor) }
      let folder = AuditFolder(descriptor: descriptor)
      let previous = try #require(try folder.previousHead())
      #expect(
        previous
          == AuditPreviousHead(file: "000003-dead.ndjson", head: log.heads[1], bytes: 0, tornBytes: torn)
      )
      let name = try #require(AuditFileName.next(after: try folder.files(), run: "next"))
      #expect(name.text == "000004-next.ndjson")
      let file = try createFile(scratch.path + "/" + name.text)
      defer { closeFile(file) }
      let writer = AuditWriter(
        descriptor: file,
        file: name,
        previous: previous,
        tree: try folder.tree(from: nil),
        opening: SampleLog.opening
      )
      try writer.flush()
      let result = try folder.verify(expectations: log.expectations + [writer.takePosition()])
      #expect(result.difference == nil)
      #expect(result.files == 4 && result.tornBytes == torn)
    }
  }

  @Test(
    "A symlink, a folder or a FIFO in place of an audit file is not followed, and not waited for"
  )
  func notRegular() throws {
    for kind in ["symlink", "folder", "fifo"] {
      let scratch = TemporaryFolder()
      let path = scratch.path + "/000001-run.ndjson"
      switch kind {
      case "symlink":
        try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: "/dev/null")
      case "folder":
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
      default: #expect(try Tool.run("mkfifo", [path]).status == 0)
      }
      let descriptor = try openFolder(scratch.path)
      defer { closeFile(descriptor) }
      let folder = AuditFolder(descriptor: descriptor)
      let difference = try folder.verify().difference
      #expect(difference?.kind == .changed && difference?.file == "000001-run.ndjson")
      #expect(throws: AuditError.self) { try folder.previousHead() }
    }
  }

  @Test(
    "The last whole line is found however far back it begins",
    arguments: [1, 65_535, 65_536, 65_537, 200_000]
  )
  func longTail(length: Int) throws {
    let line = [UInt8](repeating: UInt8(ascii: "a"), count: length)
    let hash = line.withUnsafeBytes { RecordHash(hashing: $0) }
    for torn in [0, 1, 65_536, 150_000] {
      for front in [[], Array("first\n".utf8)] {
        let bytes =
          front + line + [UInt8(ascii: "\n")] + [UInt8](repeating: 0, count: torn)
        let tail = try AuditTail(MemoryAuditBytes(bytes))
        #expect(tail.head == hash)
        #expect(tail.end == front.count + length + 1)
      }
    }
  }

  @Test("Records are read back with their items, from any number on")
  func entries() throws {
    let log = try SampleLog(itemsPerRun: 3)
    let bytes = MemoryAuditBytes(log.files[1].bytes)
    var sequences: [Int] = []
    var outcomes: [ItemPath] = []
    try AuditEntry.forEach(in: bytes, from: 6) { entry in
      sequences.append(entry.sequence)
      if entry.outcome == .imported, let path = entry.path { outcomes.append(path) }
      #expect(entry.run == "run-2")
    }
    #expect(sequences == Array(6...log.expectations[1].records))
    #expect(
      outcomes
        == (0..<3).map {
          ItemPath(bytes: Array("IMG_\($0) \u{e9}\u{202e}\n\"%41".utf8) + [0xFF])
        }
    )
  }

  @Test("A name is read back as it was written, and nothing else is a name")
  func names() throws {
    for (number, run, text) in [
      (1, "a", "000001-a.ndjson"), (999_999, "A-b_c.9", "999999-A-b_c.9.ndjson"),
      (1_000_000, "x", "1000000-x.ndjson"),
    ] {
      #expect(AuditFileName(number: number, run: run)?.text == text)
      #expect(AuditFileName(text: text) == AuditFileName(number: number, run: run))
    }
    for text in [
      "", "000001.ndjson", "000001-.ndjson", "1-a.ndjson", "0000001-a.ndjson", "000000-a.ndjson",
      "000001-a.json", "000001-a b.ndjson", "000001-a\n.ndjson", "000001-../x.ndjson",
      "000001-.a.ndjson", "-00001-a.ndjson", "+00001-a.ndjson", "000001-\u{e9}.ndjson",
      "9999999999999-a.ndjson",
    ] {
      #expect(AuditFileName(text: text) == nil, "\(text)")
    }
    for run in ["", ".", "a/b", "a b", "\n", String(repeating: "a", count: 101)] {
      #expect(AuditFileName(number: 1, run: run) == nil)
    }
    #expect(AuditFileName(number: 0, run: "a") == nil)
    #expect(AuditFileName(number: .max, run: "a") == nil)
  }
}
