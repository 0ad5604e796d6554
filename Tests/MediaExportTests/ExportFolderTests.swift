import Foundation
import MediaFileSystem
import MediaLibrary
import MediaLibraryTestSupport
import MediaModel
import MediaTestSupport
import Testing

@testable import MediaExport

@Suite("A folder is made from a library in one step")
struct ExportFolderTests {
  private let place: ExportPlace

  init() throws { place = try ExportPlace() }

  private static func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

  @Test("Nothing has the folder's name before the commit; after it, the folder is whole")
  func commit() throws {
    let folder = try place.open()
    try folder.write(Array("one".utf8), to: Array("a/b/one.txt".utf8))
    #expect(try FileManager.default.contentsOfDirectory(atPath: place.around).count == 1)
    #expect(!FileManager.default.fileExists(atPath: place.folder))
    try folder.commit("state")
    #expect(try place.content() == ["a": nil, "a/b": nil, "a/b/one.txt": "one"])
    #expect(try FileManager.default.contentsOfDirectory(atPath: place.around) == ["Export"])
    let again = try place.open()
    #expect(again.isCurrent("state") && !again.isCurrent("other") && !again.isCurrent(""))
    again.discard()
    #expect(try FileManager.default.contentsOfDirectory(atPath: place.around) == ["Export"])
    #expect(try place.content()["a/b/one.txt"] == "one")
  }

  @Test("A folder that was not finished is never current, and leaves the earlier one as it was")
  func unfinished() throws {
    let first = try place.open()
    try first.write(Array("one".utf8), to: Array("one.txt".utf8))
    try first.commit("first")
    do {
      let second = try place.open()
      try second.write(Array("two".utf8), to: Array("two.txt".utf8))
    }
    // A process that ends has the lock no more.
    #expect(try place.content() == ["one.txt": "one"])
    let third = try place.open()
    #expect(third.isCurrent("first"))
    try third.write(Array("three".utf8), to: Array("three.txt".utf8))
    try third.commit("third")
    #expect(try place.content() == ["three.txt": "three"])
  }

  @Test("A second command that makes the same folder is told to wait")
  func held() throws {
    let folder = try place.open()
    #expect(ExportError.code { _ = try place.open() } == .held)
    try folder.commit("state")
    #expect(ExportError.code { try place.open().discard() } == nil)
  }

  @Test(
    "Each method gives the content and the time of the library's file",
    arguments: ExportFolder.Method.allCases
  )
  func methods(_ method: ExportFolder.Method) throws {
    let source = try #require(place.originals().first)
    let own = place.library + "/" + Self.text(source.path)
    let folder = try place.open(method)
    try folder.add(source, at: Array("x/file.jpg".utf8))
    #expect(folder.added == 1 && folder.kept == 0)
    try folder.commit("state")
    let exported = place.folder + "/x/file.jpg"
    #expect(try readBytes(exported) == readBytes(own))
    let (from, to) = (try place.status(own), try place.status(exported))
    #expect(from.modified == to.modified)
    let target = try? FileManager.default.destinationOfSymbolicLink(atPath: exported)
    switch method {
    case .copy, .reflink: #expect(!from.isSameInode(as: to) && target == nil)
    case .hardlink: #expect(from.isSameInode(as: to) && target == nil)
    case .symlink: #expect(target?.hasPrefix("/") == true)
    }
  }

  @Test("An unchanged file is taken over; another digest or method makes it anew")
  func taken() throws {
    let sources = try place.originals()
    let (firstSource, secondSource) = (sources[0], sources[1])
    let path = Array("file.jpg".utf8)
    let first = try place.open()
    try first.add(firstSource, at: path)
    try first.commit("1")
    let inode = try place.status(place.folder + "/file.jpg")

    let second = try place.open()
    try second.add(firstSource, at: path)
    #expect(second.kept == 1 && second.added == 0)
    try second.commit("2")
    #expect(try place.status(place.folder + "/file.jpg").isSameInode(as: inode))

    let third = try place.open()
    try third.add(secondSource, at: path)
    #expect(third.kept == 0 && third.added == 1)
    try third.commit("3")
    #expect(try readBytes(place.folder + "/file.jpg").count == Int(secondSource.bytes))

    let fourth = try place.open(.symlink)
    try fourth.add(secondSource, at: path)
    #expect(fourth.kept == 0)
    try fourth.commit("4")
    let fifth = try place.open(.symlink)
    try fifth.add(secondSource, at: path)
    #expect(fifth.kept == 1)
    try fifth.commit("5")
  }

  @Test("A file that a person has changed is refused, or made anew where that is wanted")
  func changed() throws {
    let source = try #require(place.originals().first)
    let path = Array("file.jpg".utf8)
    let first = try place.open()
    try first.add(source, at: path)
    try first.commit("1")
    // As long as before, so that its time alone tells.
    let changed = [UInt8](repeating: 0x78, count: Int(source.bytes))
    try Data(changed).write(to: URL(fileURLWithPath: place.folder + "/file.jpg"))
    let error = #expect(throws: ExportError.self) { _ = try place.open() }
    #expect(error?.code == .changed)
    #expect(error?.description.contains("\"file.jpg\"") == true)
    #expect(try readBytes(place.folder + "/file.jpg") == changed)
    let second = try place.open(replacesChanges: true)
    try second.add(source, at: path)
    #expect(second.kept == 0 && second.added == 1)
    try second.commit("2")
    #expect(
      try readBytes(place.folder + "/file.jpg")
        == readBytes(place.library + "/" + Self.text(source.path))
    )
  }

  @Test("A folder that lacks a file, or has a changed one, is not current")
  func incomplete() throws {
    let paths = ["one", "a/two"].map { Array($0.utf8) }
    func make() throws {
      let folder = try place.open(replacesChanges: true)
      for path in paths { try folder.write([1], to: path) }
      try folder.commit("state")
    }
    func isCurrent() throws -> Bool {
      let folder = try place.open(replacesChanges: true)
      defer { folder.discard() }
      return folder.isCurrent("state")
    }
    try make()
    #expect(try isCurrent())
    try Data([2, 3]).write(to: URL(fileURLWithPath: place.folder + "/one"))
    #expect(try !isCurrent())
    try make()
    #expect(try isCurrent())
    for name in ["one", "a/two", "a"] {
      try FileManager.default.removeItem(atPath: place.folder + "/" + name)
      #expect(try !isCurrent(), "\(name)")
      try make()
      #expect(try isCurrent())
    }
  }

  @Test("A folder with a person's own file is refused, also where changes may be replaced")
  func foreign() throws {
    let first = try place.open()
    try first.write([1], to: Array("a/one".utf8))
    try first.commit("1")
    for index in 1...7 {
      try Data([2]).write(to: URL(fileURLWithPath: place.folder + "/a/own \(index)"))
    }
    for replaces in [false, true] {
      let error = #expect(throws: ExportError.self) {
        _ = try place.open(replacesChanges: replaces)
      }
      #expect(error?.code == .notOurs)
      let text = error?.description ?? ""
      #expect(text.contains("7 files") && text.contains("\"a/own 1\"") && text.contains("2 others"))
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: place.around) == ["Export"])
  }

  @Test("A file whose name differs in the case of letters alone is a person's own")
  func otherSpelling() throws {
    let first = try place.open()
    try first.write([1], to: Array("a/one".utf8))
    try first.commit("1")
    try Data([2]).write(to: URL(fileURLWithPath: place.folder + "/a/ONE"))
    #expect(ExportError.code { _ = try place.open(replacesChanges: true) } == .notOurs)
    try FileManager.default.removeItem(atPath: place.folder + "/a/one")
    #expect(ExportError.code { _ = try place.open(replacesChanges: true) } == .notOurs)
    #expect(try readBytes(place.folder + "/a/ONE") == [2])
  }

  @Test("What a person puts into a folder while it is made anew, or changes there, is not removed")
  func foreignMeanwhile() throws {
    try FileManager.default.createDirectory(atPath: place.folder, withIntermediateDirectories: true)
    for (name, code) in [("own", ExportError.Code.notOurs), ("one", .changed)] {
      let second = try place.open()
      try second.write([2], to: Array("two".utf8))
      let file = place.folder + "/" + name
      try Data([7, 7]).write(to: URL(fileURLWithPath: file))
      #expect(ExportError.code { try second.commit("2") } == code)
      second.discard()
      #expect(try readBytes(file) == [7, 7])
      #expect(try FileManager.default.contentsOfDirectory(atPath: place.around) == ["Export"])
      try FileManager.default.removeItem(atPath: file)
      let first = try place.open()
      try first.write([1], to: Array("one".utf8))
      try first.commit("1")
    }
  }

  @Test("Only an empty folder, or one that the same command made, becomes the folder")
  func notOurs() throws {
    let files = FileManager.default
    try files.createDirectory(atPath: place.folder, withIntermediateDirectories: true)
    let first = try place.open(kind: "gallery")
    try first.commit("1")
    #expect(ExportError.code { _ = try place.open(kind: "export") } == .notOurs)
    #expect(ExportError.code { try place.open(kind: "gallery").discard() } == nil)
    let own = place.around + "/own"
    try files.createDirectory(atPath: own + "/inner", withIntermediateDirectories: true)
    let file = place.around + "/file"
    try Data().write(to: URL(fileURLWithPath: file))
    for path in [own, file, place.around + "/.", place.around + "/.."] {
      #expect(ExportError.code { _ = try place.open(at: path) } == .notOurs, "\(path)")
    }
  }

  @Test("The folder lies neither in the library nor around it")
  func apart() throws {
    let root = String(place.library.dropLast("/Library".count))
    for path in ["/Library/Export", "/Library/Originals/Export/", "/Library"] {
      #expect(ExportError.code { _ = try place.open(at: root + path) } == .inLibrary, "\(path)")
    }
    #expect(ExportError.code { _ = try place.open(at: root) } == .inLibrary)
    let link = place.around + "/link"
    try FileManager.default.createSymbolicLink(
      atPath: link,
      withDestinationPath: place.library + "/Originals"
    )
    #expect(ExportError.code { _ = try place.open(at: link + "/Export") } == .inLibrary)
  }

  @Test(
    "A file of the library that is not as the catalogue says, or missing, is left out, and others are not",
    arguments: ExportFolder.Method.allCases,
    [64 << 20, 5] as [Int64]
  )
  func damaged(method: ExportFolder.Method, partLength: Int64) throws {
    let sources = try place.originals()
    let folder = try place.open(method)
    folder.partLength = partLength
    func file(_ index: Int) -> URL {
      URL(fileURLWithPath: place.library + "/" + Self.text(sources[index].path))
    }
    try Data(repeating: 0, count: Int(sources[0].bytes) - 1).write(to: file(0))
    try Data(repeating: 0, count: Int(sources[1].bytes)).write(to: file(1))
    try FileManager.default.removeItem(at: file(2))
    for (source, name) in zip(sources, "abcd".utf8) {
      #expect(try folder.add(source, at: [name]) == (name == UInt8(ascii: "d")))
    }
    // One that was damaged stays so for this command.
    #expect(try !folder.add(sources[0], at: [0x65]))
    #expect(Set(folder.damaged.keys) == Set(sources.prefix(3).map(\.path)))
    #expect(folder.damaged[sources[0].path]?.contains(" in the catalogue") == true)
    #expect(folder.damaged[sources[1].path]?.contains("SHA-256") == true)
    #expect(folder.damaged[sources[2].path] == "it is missing")
    try folder.commit("state")
    #expect(try FileManager.default.contentsOfDirectory(atPath: place.folder).count == 2)
    let content = try readBytes(place.folder + "/d")
    #expect(sha256(content) == sources[3].sha256 && content.count > 5)
  }

  @Test("A list keeps every byte of a path, and one that is cut is none or has whole files only")
  func list() throws {
    let paths: [[UInt8]] = [[0x61], Array("a b\nc/ ".utf8), [0xFF, 0x2F, 0x80, 0x20, 0x20]]
    var bytes = ExportList(kind: "export", state: "s").head
    var files: [[UInt8]: ExportList.File] = [:]
    for (index, path) in paths.enumerated() {
      let file = ExportList.File(
        sha256: index == 2 ? "" : sha256(path),
        size: .max - Int64(index),
        modified: -1 - Int64(index),
        isLink: index == 1
      )
      files[path] = file
      bytes += ExportList.record(path, file)
    }
    let read = try #require(ExportList(bytes))
    #expect(read.count == 3 && read.kind == "export" && read.state == "s")
    for path in paths { #expect(try read.file(at: path) == files[path]) }
    #expect(try read.file(at: [0x62]) == nil && read.file(at: []) == nil)
    for length in bytes.indices {
      let cut = ExportList(Array(bytes[..<length]))
      if length > 0, bytes[length - 1] == 0 {
        #expect(cut?.count == bytes[..<length].count { $0 == 0 } - 1, "\(length)")
      } else {
        #expect(cut == nil, "\(length)")
      }
    }
    for text in [
      "mediabatch-export/2 export s\0", "mediabatch-export/1 export\0",
      "mediabatch-export/1 export s\0f x y 1 a\0", "mediabatch-export/1 export s\0f x 1 1\0",
    ] { #expect(ExportList(Array(text.utf8)) == nil, "\(text)") }
  }

  @Test("The order in which files were written can be left out of a list")
  func unordered() throws {
    func records(_ numbers: [Int]) throws -> [[UInt8]] {
      let head = ExportList(kind: "gallery", state: "").head
      let file = ExportList.File(sha256: "", size: 1, modified: 2)
      let bytes = numbers.reduce(head) { $0 + ExportList.record(Array("path \($1)".utf8), file) }
      var records: [[UInt8]] = []
      try #require(ExportList(bytes)).forEachByHash { records.append($0) }
      #expect(ExportList(records.reduce(head, +))?.count == numbers.count)
      return records
    }
    let written = try records(Array(0..<100))
    #expect(try written == records((0..<100).reversed()) && Set(written).count == 100)
  }

  @Test("A list of many files, read from a file piece by piece, has each by its path")
  func longList() throws {
    let copy = try FileSystem.temporaryFile()
    func path(_ number: Int) -> [UInt8] {
      Array("\(number % 100)/\(String(repeating: "x", count: number % 300))\(number)".utf8)
    }
    var bytes = ExportList(kind: "gallery", state: "").head
    for number in 0..<3000 {
      bytes += ExportList.record(
        path(number),
        ExportList.File(sha256: "", size: Int64(number), modified: 0)
      )
    }
    // A record that is longer than what is read at once; and of one path, the last record counts.
    let long = [UInt8](repeating: 0x79, count: 200_000)
    bytes += ExportList.record(long, ExportList.File(sha256: "", size: 1, modified: 2))
    bytes += ExportList.record(path(7), ExportList.File(sha256: "", size: 1, modified: 3))
    try copy.write(bytes)
    let list = try #require(try ExportList(of: copy))
    #expect(list.count == 3002 && list.kind == "gallery")
    for number in 0..<3000 where number != 7 {
      #expect(try list.file(at: path(number))?.size == Int64(number))
    }
    #expect(try list.file(at: path(7))?.modified == 3)
    #expect(try list.file(at: long)?.modified == 2)
    #expect(try list.file(at: path(3001)) == nil)
    var sum = 0
    try list.forEach { _, file in
      sum += Int(file.size)
      return true
    }
    #expect(sum == 2999 * 3000 / 2 + 2)
    var first: [[UInt8]] = []
    try list.forEach { path, _ in
      first.append(path)
      return first.count < 2
    }
    #expect(first == [path(0), path(1)], "in the order of the list, until it is enough")
    let head = try #require(try ExportList(of: copy, isHeadAlone: true))
    #expect(head.count == 0 && head.kind == "gallery")
    let endless = ExportList(kind: "gallery", state: "").head + Array(repeating: 1, count: 3 << 20)
    #expect(ExportList(endless) == nil)
  }

  @Test(
    "What is sealed can be opened by its key and name, and not when it was changed",
    arguments: [0, 100, 4 << 20]
  )
  func sealed(length: Int) throws {
    let content = (0..<length).map { UInt8(truncatingIfNeeded: $0 &* 7) }
    let seal = try FolderSeal(password: Array("password".utf8), page: nil)
    let (plain, sealed) = (try FileSystem.temporaryFile(), try FileSystem.temporaryFile())
    try plain.write([1] + content)
    try seal.seal(plain, 1..<Int64(length + 1), named: "name", to: sealed)
    try sealed.seek(to: 0)
    var script = try sealed.readToEnd(limit: .max)
    #expect(seal.opened(script, named: "name") == content)
    #expect(seal.opened(script, named: "other") == nil)
    #expect(try FolderSeal(password: Array("password".utf8), page: nil).opened(script, named: "name") == nil)
    #expect(
      seal.opened(Array(script.dropLast(10)), named: "name") == nil && seal.opened([], named: "name") == nil
    )
    let place = script.count / 2
    script[place] = script[place] == 0x41 ? 0x42 : 0x41
    #expect(seal.opened(script, named: "name") == nil)
  }

  // Nikitin et al. give no numbers; these follow from the bits of the lengths.
  @Test("A padded length keeps the bits that tell its magnitude, and grows by an eighth at most")
  func padding() {
    for (length, padded) in [
      (0, 0), (1, 1), (8, 8), (9, 10), (1000, 1024), (100_000, 100_352), (200_000_000, 201_326_592),
    ] {
      #expect(FolderSeal.padded(Int64(length)) == Int64(padded), "\(length)")
    }
    for length in (2..<200).map({ Int64($0 * $0 * 1_237) }) {
      let padded = FolderSeal.padded(length)
      #expect(padded >= length && padded - length <= length / 8 && FolderSeal.padded(padded) == padded)
    }
  }
}
