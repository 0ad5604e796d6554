import Foundation
import MediaTestSupport
import Testing

@Suite("Damaged files")
struct DamagedInputTests {
  @Test(
    "Each is imported or fails with a reason, and the library is whole",
    .enabled(if: Corpus.folder != nil, "no corpus: set MEDIABATCH_CORPUS"),
    arguments: ["strip", "keep"]
  )
  func damaged(policy: String) throws {
    let all = Corpus.files(beneath: "damaged") + Corpus.files(beneath: "visible/edge")
    let files =
      isThorough
      ? all
      : all.enumerated().filter { $0.offset % 6 == 0 || $0.element.contains("/edge/") }
        .map(\.element)
    #expect(files.count > 150)
    let scene = Scene(policy: policy)
    try scene.declare("library")
    scene.setThumbnails([("grid", 96, 96, "aspectFill")])
    for (index, file) in files.enumerated() {
      try scene.put(
        "sources/library/\(index)-\((file as NSString).lastPathComponent)",
        copyOf: file
      )
    }
    let outcome = try scene.run()
    #expect(outcome.code == 3, "\(outcome.error)")
    let summary = try outcome.json()
    #expect(summary["counts"]["discovered"].int == files.count)
    let counts = summary["counts"].object.filter { $0.key != "discovered" }
    #expect(counts.values.compactMap(\.int).reduce(0, +) == files.count)
    for failure in summary["failures"].array {
      #expect(failure["reason"].string != nil && failure["message"].string?.isEmpty == false)
      #expect(failure["reason"].string != "workerProtocol", "\(failure.value ?? "")")
    }
    try scene.expectVerified()
    // What was published decodes.
    for original in try scene.originals() where original.path.hasSuffix(".png") {
      let decoded = try Tool.run(
        "convert",
        ["png:" + scene.library + "/Originals/" + original.path, "null:"]
      )
      #expect(decoded.status == 0, "\(original.path): \(decoded.error)")
    }
  }
}
