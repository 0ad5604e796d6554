import Foundation
import MediaModel
import MediaPermissions
import MediaTestSupport
import Testing

@testable import MediaSources

@Suite("Opening a source's folder")
struct OpenedRootTests {
  @Test("A link that stood in its place while it was looked at, and stands there again, leads nowhere")
  func exchanged() throws {
    let scratch = TemporaryFolder()
    let (place, own, other) = (scratch.path + "/place", scratch.path + "/own", scratch.path + "/other")
    for folder in [place, other] {
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
    }
    let address = { (path: String) in SourceAddress(path, .folder) { Array($0.utf8) } }
    let named = try #require(address(place)?.identity)
    _ = try SourceAddress.openForViewing(nil, as: named, of: .library)
    var looked = try #require(address(other)?.identity)
    looked.path = named.path
    try FileManager.default.moveItem(atPath: place, toPath: own)
    try FileManager.default.createSymbolicLink(atPath: place, withDestinationPath: other)
    let error = #expect(throws: RunError.self) {
      _ = try SourceAddress.openForViewing(nil, as: looked, of: .library)
    }
    #expect(error?.code == .sourceReplaced)
    // One that was there all the time, and was resolved, does lead to its folder.
    let linked = try #require(address(place)?.identity)
    _ = try #require(address(place)).open(as: linked, of: .library, others: [], selection: nil)
  }
}
