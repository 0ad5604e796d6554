import Foundation
import MediaTestSupport
import Testing

/// A machine on which a decoder's library is not there.
@Suite(
  "Missing decoders",
  .enabled(if: Has.magick, "no ImageMagick"),
  .enabled(if: Namespace.isAvailable, "this user may not mount")
)
struct ThumbnailDecoderTests {
  struct Library: CustomTestStringConvertible, Sendable {
    /// Files of it, and of those that do the same for it.
    var names: [String]
    /// What installs it.
    var package: String
    /// Endings of files that need it.
    var formats: [String]
    var testDescription: String { package }
  }

  static let libraries: [Library] = [
    .init(
      names: ["libheif.so", "libavcodec.so", "libdav1d.so"],
      package: "libheif1",
      formats: ["heic", "avif"]
    ),
    .init(names: ["libavformat.so"], package: libavformat, formats: ["mp4"]),
  ]

  /// The name of the package on this release.
  private static let libavformat: String = {
    let names = (try? Tool.run("dpkg-query", ["-W", "-f", "${Package}\n", "libavformat[0-9]*"]))?
      .output
    return names?.split(separator: "\n").first.map(String.init) ?? "libavformat59"
  }()

  /// Runs the program where an empty file stands in place of each file of the library.
  private func run(_ arguments: String, without library: Library, in scene: Scene) throws -> Outcome {
    try Namespace.run(
      """
      : > nothing
      for file in \(library.names.map { "/usr/lib/*/\($0)*" }.joined(separator: " ")); do
        [[ -f $file && ! -L $file ]] || continue
        mount --bind nothing "$file" || exit 99
        hidden=1
      done
      [[ ${hidden-} ]] || exit 98
      "$mediabatch" \(arguments)
      """,
      in: scene.path
    )
  }

  private func scene(for library: Library, _ policy: String = "keep") throws -> Scene {
    let scene = try Scene(policy: policy).declare("library")
    scene.setThumbnails([("t", 32, 32, "aspectFit")])
    for format in library.formats {
      let path = try scene.put("sources/library/needs it.\(format)", "")
      if format == "mp4" {
        try scene.put("sources/library/needs it.mp4", copyOf: Samples.video)
      } else {
        try Independent.make("convert", ["-size", "64x64", "xc:red", path])
      }
    }
    try scene.put("sources/library/needs nothing.jpg", copyOf: Samples.photo(1))
    try scene.writeManifest()
    return scene
  }

  @Test(
    "The item lacks a thumbnail and says which package to install; with it the next run makes that",
    arguments: libraries,
    ["keep", "strip"]
  )
  func isReportedByItem(library: Library, policy: String) throws {
    let scene = try scene(for: library, policy)
    let outcome = try run("run manifest.json --format json", without: library, in: scene)
    try #require(outcome.code != 98, "\(library.names) are not installed: nothing to hide")
    try #require(outcome.code != 99, "it cannot be hidden: \(outcome.error)")
    try outcome.expect(0)
    try outcome.expectCounts(["imported": library.formats.count + 1])
    let lacking = library.formats.sorted().map { "needs it." + $0 }
    #expect(try outcome.withoutThumbnails() == lacking)
    for entry in try outcome.json()["thumbnailMissing"].array {
      let message = entry["message"].string ?? ""
      #expect(message.contains(library.package), "what to install: \(message)")
    }
    #expect(try scene.thumbnails("t").count == 1)
    if policy == "keep" {
      let kept = Set(try scene.originals().map(\.sha256))
      for name in lacking {
        #expect(kept.contains(try Independent.sha256(scene.at("sources/library/" + name))))
      }
    }
    try scene.expectVerified()
    // As long as it is not there, each run says so.
    let again = try run("run manifest.json --format json", without: library, in: scene)
    try again.expect(0)
    #expect(try again.withoutThumbnails() == lacking)
    let last = try scene.run()
    try last.expectCounts(["unchanged": library.formats.count + 1])
    #expect(try last.withoutThumbnails() == [])
    #expect(try scene.thumbnails("t").count == library.formats.count + 1)
    try scene.expectVerified()
  }

  @Test("doctor says what cannot be decoded, and what to install", arguments: libraries)
  func isReportedByDoctor(library: Library) throws {
    let scene = try scene(for: library)
    let with = try scene.command("doctor", "--format", "json")
    #expect(try with.json()["decoders"]["missing"].array.isEmpty, "\(with.streams)")
    let works = try with.json()["decoders"]["works"].array.compactMap(\.string)
    #expect(Set(library.formats).isSubset(of: works), "\(works)")
    let without = try run("doctor --format json", without: library, in: scene)
    let missing = try without.json()["decoders"]["missing"].array.compactMap(\.string)
    #expect(Set(library.formats).isSubset(of: missing), "\(without.streams)")
    let text = try run("doctor", without: library, in: scene).streams
    #expect(text.contains(library.package), "\(text)")
  }
}
