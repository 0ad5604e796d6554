import Foundation
import MediaTestSupport
import Testing

@testable import MediaSandbox

@Suite("Changes in watched folders")
struct FolderWatchesTests {
  /// Makes two folders and watches the first, by its path: ``FolderWatches/add(_:)`` changes the working folder.
  private func scene() throws -> (
    folder: TemporaryFolder, watched: String, watches: FolderWatches, watch: Int32
  ) {
    let folder = TemporaryFolder()
    for name in ["watched", "other"] {
      try FileManager.default.createDirectory(
        atPath: folder.path + "/" + name,
        withIntermediateDirectories: false
      )
    }
    let watches = try FolderWatches()
    let mask = UInt32(IN_CREATE) | UInt32(IN_MOVED_TO) | UInt32(IN_CLOSE_WRITE) | UInt32(IN_MOVED_FROM)
    let watch = inotify_add_watch(watches.descriptor, folder.path + "/watched", mask)
    try #require(watch >= 0)
    return (folder, folder.path + "/watched", watches, watch)
  }

  @Test(
    "An event says what came or moved, of which folder, under the name's own bytes, and all are read at once"
  )
  func changes() throws {
    let (folder, watched, watches, watch) = try scene()
    defer { withExtendedLifetime(folder) {} }
    #expect(watches.read() == [])
    // No UTF-8.
    let name: [UInt8] = [0x61, 0xFF, 0x2E, 0x6A]
    let path = (Array((watched + "/").utf8) + name + [0]).map { CChar(bitPattern: $0) }
    let other = folder.path + "/other/b"
    let file = open(path, O_CREAT | O_WRONLY | O_CLOEXEC, 0o600)
    try #require(file >= 0)
    close(file)
    try #require(mkdir(watched + "/folder", 0o700) == 0)
    try #require(rename(watched + "/folder", folder.path + "/other/folder") == 0)
    try #require(rename(path, other) == 0)
    try #require(rename(other, watched + "/c") == 0)
    func event(_ name: [UInt8], isFolder: Bool = false, hasMoved: Bool = false) -> FolderWatches.Event {
      FolderWatches.Event(
        watch: watch,
        name: name,
        isLost: false,
        isEnd: false,
        isFolder: isFolder,
        hasCome: !hasMoved,
        hasMoved: hasMoved
      )
    }
    let folderName = Array("folder".utf8)
    #expect(
      watches.read() == [
        event(name), event(name), event(folderName, isFolder: true),
        event(folderName, isFolder: true, hasMoved: true), event(name, hasMoved: true), event([0x63]),
      ]
    )
    #expect(watches.read() == [])
  }

  @Test("A watch ends when its folder is gone, or when it is removed")
  func ends() throws {
    for isRemoved in [true, false] {
      let (folder, watched, watches, watch) = try scene()
      defer { withExtendedLifetime(folder) {} }
      if isRemoved { try #require(rmdir(watched) == 0) } else { watches.remove(watch) }
      let events = watches.read()
      #expect(events.count == 1)
      let event = try #require(events.last)
      #expect(event.isEnd && event.watch == watch && event.name == nil)
      #expect(!event.hasCome && !event.hasMoved && !event.isLost)
    }
  }

  @Test("A link, a file and what is not there are no folders to look into")
  func folders() throws {
    let (folder, watched, _, _) = try scene()
    defer { withExtendedLifetime(folder) {} }
    try Data().write(to: URL(fileURLWithPath: watched + "/file"))
    try #require(mkdir(watched + "/folder", 0o700) == 0)
    try #require(symlink("../other", watched + "/link") == 0)
    let root = open(watched, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    defer { close(root) }
    for (name, isOpened) in [
      ("folder", true), (".", true), ("link", false), ("file", false), ("none", false),
    ] {
      let opened = FolderWatches.open(Array(name.utf8), in: root)
      #expect((opened != nil) == isOpened, "\(name)")
      if let opened { close(opened) }
    }
  }
}
