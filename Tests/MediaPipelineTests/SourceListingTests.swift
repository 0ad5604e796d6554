import Foundation
import Glibc
import MediaFileSystem
import MediaListing
import MediaModel
import MediaTestSupport
import Testing

@testable import MediaPipeline
@testable import MediaSources

@Suite("Listing a source")
struct SourceListingTests {
  private let scratch = TemporaryFolder()

  private func make(_ names: [[UInt8]]) throws {
    for name in names {
      var folder = try FileSystem.openFolder(bytes(scratch.path))
      let components = name.split(separator: UInt8(ascii: "/")).map(Array.init)
      for component in components.dropLast() {
        try FileSystem.makeFolder(in: folder, component)
        folder = try FileSystem.openForReading(
          beneath: folder,
          component,
          crossMounts: true,
          isFolder: true
        )
      }
      _ = try FileSystem.createFile(in: folder, components.last ?? [])
    }
  }

  private func list(
    selection: [String]? = nil,
    guarded: Set<UInt64> = [],
    allowsHardLinks: Bool = false
  ) throws -> SourceListing {
    let source = try plannedSource(scratch.path, selection: selection, allowsHardLinks: allowsHardLinks)
    return try SourceListing(of: source, guardedDevices: guarded)
  }

  @Test("Every file once, names as bytes, in the order of the paths' bytes")
  func order() throws {
    let names: [[UInt8]] = [
      bytes("b"), bytes("a/b"), bytes("a-b"), bytes("a/a/a"), bytes("B"), [0xFF, 0xFE],
      bytes("caf\u{E9}"), bytes("cafe\u{301}"), bytes("x\ny"), bytes(".hidden"), bytes("-rf"),
      Array(repeating: UInt8(ascii: "n"), count: 255), bytes("\u{1B}[31m"), bytes("a.b/c"),
    ]
    try make(names)
    let listing = try list()
    #expect(listing.items.map(\.path.bytes) == names.sorted { $0.lexicographicallyPrecedes($1) })
    #expect(listing.items.allSatisfy { $0.reason == nil && $0.status.kind == .regular })
    #expect(listing.warnings.isEmpty)
  }

  @Test("A listing ends at the name before which access is taken back", arguments: [0, 1, 3, 7])
  func takenBack(after count: Int) throws {
    try make((0..<4).flatMap { folder in (0..<2).map { bytes("\(folder)/\($0)") } })
    var left = count
    let check: SourceListing.CheckAccess = { () throws(RunError) in
      guard left > 0 else { throw RunError(.accessRevoked, "") }
      left -= 1
    }
    let error = #expect(throws: RunError.self) {
      try SourceListing.orUnavailable(plannedSource(scratch.path), guardedDevices: [], checkAccess: check)
    }
    #expect(error?.code == .accessRevoked)
    left = .max
    let whole = try SourceListing.orUnavailable(
      plannedSource(scratch.path),
      guardedDevices: [],
      checkAccess: check
    )
    #expect(whole.items.count == 8)
  }

  @Test("What is no regular file is listed and not opened", .timeLimit(.minutes(1)))
  func otherKinds() throws {
    try make([bytes("file"), bytes("folder/inside")])
    mkfifo(scratch.path + "/fifo", 0o644)
    symlink("file", scratch.path + "/link")
    symlink("folder", scratch.path + "/folderLink")
    symlink("/", scratch.path + "/out")
    symlink("nowhere", scratch.path + "/dangling")
    let items = try list().items
    #expect(
      items.map(\.path.text) == [
        "dangling", "fifo", "file", "folder/inside", "folderLink", "link", "out",
      ]
    )
    for item in items {
      let isFile = ["file", "folder/inside"].contains(item.path.text)
      #expect(item.reason == (isFile ? nil : .notRegularFile))
    }
  }

  @Test(
    "A selection shows what it names and nothing else",
    arguments: [
      (["a.jpg"], ["a.jpg"]), (["*.jpg"], ["a.jpg", "b.jpg"]),
      (
        ["**/*.jpg"],
        ["a.jpg", "b.jpg", "d/c.jpg", "d/e/f.jpg"]
      ), (["d/*"], ["d/c.jpg", "d/c.mov"]),
      (["d/**"], ["d/c.jpg", "d/c.mov", "d/e/f.jpg"]),
      (
        ["d/c.*", "d/c.jpg", "**/c.jpg"],
        ["d/c.jpg", "d/c.mov"]
      ), ([], []), (["d"], ["d"]), (["none.jpg"], ["none.jpg"]),
      (["*.png"], []), (["link/c.jpg"], ["link/c.jpg"]),
    ] as [([String], [String])]
  )
  func selection(_ patterns: [String], _ expected: [String]) throws {
    try make(["a.jpg", "b.jpg", "c.gif", "d/c.jpg", "d/c.mov", "d/e/f.jpg"].map(bytes))
    symlink("d", scratch.path + "/link")
    let listing = try list(selection: patterns)
    #expect(listing.items.map(\.path.text) == expected)
    let missing = ["d", "none.jpg", "link/c.jpg"]
    for item in listing.items {
      #expect(item.reason == (missing.contains(item.path.text) ? .identifierNotFound : nil))
    }
    #expect(listing.unmatchedRules.count == (patterns == ["*.png"] ? 1 : 0))
  }

  @Test(
    "A file with a second name is refused on a guarded device only, and where it is allowed never"
  )
  func hardLinks() throws {
    try make([bytes("one"), bytes("two")])
    link(scratch.path + "/two", scratch.path + "/three")
    let device = try FileSystem.status(ofPath: bytes(scratch.path)).device
    for (guarded, allows, isRefused) in [
      ([device], false, true), ([], false, false), ([device], true, false),
      ([device &+ 1], false, false),
    ] as [(Set<UInt64>, Bool, Bool)] {
      let items = try list(guarded: guarded, allowsHardLinks: allows).items
      #expect(items.map(\.path.text) == ["one", "three", "two"])
      #expect(items.map { $0.reason == .hardLinked } == [false, isRefused, isRefused])
    }
  }

  @Test(
    "A mount point is one item and is not entered, unless the source says so",
    .enabled(if: FileSystem.exists(Array("/dev/shm".utf8)), "no /dev/shm")
  )
  func mountPoint() throws {
    // /dev holds other file systems on every Linux; nothing there is opened but folders.
    var source = try plannedSource("/dev")
    let closed = try SourceListing(of: source, guardedDevices: [])
    #expect(closed.items.first { $0.path.text == "shm" }?.reason == .otherFileSystem)
    #expect(!closed.items.contains { $0.path.text.hasPrefix("shm/") })
    let name = "mediabatch-test-\(getpid())-\(UInt32.random(in: 0 ... .max))"
    try Data().write(to: URL(fileURLWithPath: "/dev/shm/" + name))
    defer { unlink("/dev/shm/" + name) }
    source.crossMounts = true
    let open = try SourceListing(of: source, guardedDevices: [])
    #expect(open.items.first { $0.path.text == "shm/" + name }.map { $0.reason == nil } == true)
  }

  @Test(
    "A folder that cannot be listed, or not searched, is a failure and not a silence",
    .enabled(if: geteuid() != 0, "root may list and search every folder"),
    arguments: [0o000, 0o444]
  )
  func closedFolder(_ mode: UInt32) throws {
    try make([bytes("closed/a"), bytes("open/b")])
    chmod(scratch.path + "/closed", mode)
    defer { chmod(scratch.path + "/closed", 0o755) }
    let items = try list().items
    #expect(items.contains { $0.path.text.hasPrefix("closed") && $0.reason == .cannotOpen })
    #expect(items.contains { $0.path.text == "open/b" && $0.reason == nil })
  }
}
