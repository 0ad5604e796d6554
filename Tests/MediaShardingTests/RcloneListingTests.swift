import Foundation
import MediaFileSystem
import MediaListing
import MediaModel
import MediaTestSupport
import Testing

@testable import MediaSharding

/// Listings of object storage.
@Suite("Listings of rclone")
struct RcloneListingTests {
  private func read(_ text: String) throws -> [AssignedItem] {
    let folder = TemporaryFolder()
    try Data(text.utf8).write(to: URL(fileURLWithPath: folder.path + "/list.json"))
    return try RcloneListing.read(FileSystem.openFile(Array((folder.path + "/list.json").utf8)))
  }

  @Test("Files have their sizes and the strongest digest, folders and times are left out")
  func files() throws {
    let items = try read(
      """
      [
      {"Path":"b.jpg","Name":"b.jpg","Size":7,"MimeType":"image/jpeg","ModTime":"2026-11-21T01:44:39.000000000Z","IsDir":false,"Hashes":{"md5":"00112233445566778899aabbccddeeff"}},
      {"Path":"a","Name":"a","Size":-1,"ModTime":"2026-11-21T01:44:39Z","IsDir":true},
      {"Path":"a/é.jpg","Size":8,"IsDir":false,"Hashes":{"md5":"00112233445566778899aabbccddeeff","sha1":"0011223344556677889900112233445566778899"}},
      {"Path":"a/c.jpg","Size":-1,"IsDir":false,"Hashes":{"md5":"x"}}
      ]

      """
    )
    #expect(
      items.map { String(decoding: $0.path.bytes, as: UTF8.self) } == [
        "a/c.jpg", "a/é.jpg", "b.jpg",
      ]
    )
    #expect(items.map(\.size) == [nil, 8, 7])
    #expect(items.map(\.modified) == [nil, nil, nil])
    guard case .sha1? = items[1].digest, case .md5? = items[2].digest else {
      Issue.record("\(items)")
      return
    }
    #expect(items[0].digest == nil)
    #expect(try read("[\n]\n") == [] && read("[]") == [])
  }

  @Test(
    "A line that is no file of a source is refused with its number",
    arguments: [
      "[\n{\"Path\":\"../a\",\"IsDir\":false}\n]", "[\n{\"Path\":\"a//b\"}\n]",
      "[\n{\"Path\":\"/a\"}\n]",
      "[\n{\"Path\":\"\"}\n]", "[\nfoo\n]", "[\n{\"Size\":1}\n]", "[\n{\"Path\":\"a\\u0000b\"}\n]",
      "[\n{\"Path\":\"a\"},\n{\"Path\":\"a\"}\n]", "[\n{\"Path\":\"./a\"}\n]",
      "", "[\n", "[\n{\"Path\":\"a\"},\n", "{\"Path\":\"a\"}\n]", "[\n]\n{\"Path\":\"a\"}",
      "[\n{\"Path\":\"a\"},\n{\"Path\":\"a/b/c\"}\n]",
    ]
  )
  func refused(text: String) throws {
    let error = #expect(throws: ShardingError.self) { try read(text) }
    #expect(error?.exitCode == .manifestMistake)
  }
}
