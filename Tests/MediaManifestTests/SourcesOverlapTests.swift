import Foundation
import MediaModel
import MediaSyntax
import MediaTestSupport
import Testing

@testable import MediaManifest

@Suite("Folders that overlap")
struct SourcesOverlapTests {
  private let folder = TemporaryFolder()

  init() throws {
    for path in ["media/DCIM/100", "media/Photos", "other/Library"] {
      try FileManager.default.createDirectory(
        atPath: folder.path + "/" + path,
        withIntermediateDirectories: true
      )
    }
    for (name, target) in [
      ("link", "media/DCIM"), ("linkAbove", "media"), ("dangling", "nowhere/x"), ("loop", "loop"),
    ] {
      try FileManager.default.createSymbolicLink(
        atPath: folder.path + "/" + name,
        withDestinationPath: target
      )
    }
  }

  private func issues(
    camera: String = "media/DCIM",
    library: String = "media/Photos",
    microphone: String? = nil,
    output: String = "Library",
    status: AuthorizationStatus = .denied
  ) -> [ManifestIssue] {
    let manifest = Manifest(
      client: Manifest.Client(identifier: "a", name: "a"),
      sources: [
        .camera: SourceDeclaration(
          path: camera,
          authorizationStatus: status,
          position: TextPosition(line: 2, column: 1)
        ),
        .library: SourceDeclaration(
          path: library,
          authorizationStatus: status,
          position: TextPosition(line: 3, column: 1)
        ),
        .microphone: SourceDeclaration(path: microphone, position: TextPosition(line: 4, column: 1)),
      ],
      output: output,
      outputPosition: TextPosition(line: 5, column: 1)
    )
    return SourcesOverlap.issues(manifest: manifest, manifestFolder: folder.path)
  }

  @Test("A manifest without a library has none within which sources lie")
  func noLibrary() {
    #expect(issues(output: "") == [])
    #expect(issues(output: ".").count == 2)
  }

  @Test("Folders beside each other do not overlap, there or not there")
  func apart() {
    #expect(issues().isEmpty)
    #expect(issues(camera: "nowhere/a", library: "nowhere/b", microphone: "nowhere/ab").isEmpty)
    #expect(issues(output: "media/Library").isEmpty)
    #expect(issues(output: "other/Library/deep/er").isEmpty)
    #expect(issues(camera: "media/DCIM/../DCIM/./100", output: "media/DCIM2").isEmpty)
  }

  @Test(
    "A library in a source, around it, or the same is found, through links, .. and missing folders",
    arguments: [
      "media/DCIM", "media/DCIM/Library", "media/DCIM/100/a/b", "link", "link/Library",
      "media/./DCIM/",
      "other/../media/DCIM", "nowhere/../media/DCIM/x", "linkAbove/DCIM", "link/../DCIM",
      "./media//DCIM",
    ]
  )
  func output(_ output: String) {
    for status in AuthorizationStatus.allCases {
      let reported = issues(output: output, status: status)
      #expect(reported.map(\.code) == [.sourcesOverlap])
      #expect(reported.first?.path == "$.output.path")
      #expect(reported.first?.line == 5)
    }
  }

  @Test("A library around two sources is two mistakes")
  func around() {
    #expect(issues(output: "media").count == 2)
    #expect(issues(output: ".").count == 2)
    #expect(issues(output: "linkAbove").count == 2)
    #expect(issues(output: folder.path).count == 2)
    #expect(issues(output: "/").count == 2)
  }

  @Test("Two sources may not overlap either, and both are named")
  func sources() {
    let reported = issues(camera: "media", library: "media/Photos")
    #expect(reported.map(\.code) == [.sourcesOverlap])
    #expect(reported.first?.path == "$.sources.library.path")
    #expect(reported.first?.message.contains("the photo library lies within the camera") == true)
    #expect(issues(library: "link").first?.message.contains("same folder") == true)
    #expect(issues(microphone: "media/Photos/Voice").count == 1)
    #expect(issues(camera: "nowhere/a", library: "nowhere/a/b").count == 1)
    #expect(issues(camera: "nowhere/a", library: "nowhere/a").count == 1)
  }

  @Test("Links that lead nowhere or in a circle end, and overlap with nothing")
  func brokenLinks() {
    #expect(issues(camera: "dangling", library: "loop/x").isEmpty)
  }

  @Test("The folder of the manifest may be empty, relative or not UTF-8")
  func folders() throws {
    let manifest = Manifest(
      client: Manifest.Client(identifier: "a", name: "a"),
      sources: [.camera: SourceDeclaration(path: "in")],
      output: "in/Library"
    )
    #expect(SourcesOverlap.issues(manifest: manifest, manifestFolder: "").count == 1)
    let odd = Array(folder.path.utf8) + [UInt8(ascii: "/"), 0xFF]
    #expect(SourcesOverlap.issues(manifest: manifest, manifestFolder: odd).count == 1)
  }

  @Test("The answer store counts too")
  func answerStore() {
    let manifest = Manifest(
      client: Manifest.Client(identifier: "a", name: "a"),
      sources: [.camera: SourceDeclaration(path: "media/DCIM")],
      output: "Library"
    )
    let store = Array((folder.path + "/media/DCIM/decisions").utf8)
    #expect(
      SourcesOverlap.issues(
        manifest: manifest,
        manifestFolder: Array(folder.path.utf8),
        answerStore: store
      ).count == 1
    )
  }
}
