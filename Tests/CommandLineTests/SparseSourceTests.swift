import Foundation
import MediaModel
import MediaSyntax
import MediaTestSupport
import Testing

/// A file that claims to be far longer than the disk costs no more than the bytes that it has.
@Suite(
  "Sparse and too large files",
  .serialized,
  .enabled(if: Namespace.isAvailable, "this user may not mount a tmpfs")
)
struct SparseSourceTests {
  /// Twenty photos, three movies of 10 GB (without all, of 200 MB, which the disk does not have
  /// either) and a JPEG of 512 GiB that are nearly all hole.
  private func scene(_ policy: String) throws -> Scene {
    let scene = try Scene(policy: policy).declare(
      "camera",
      "authorized",
      ["capture": ["mode": "photoAndVideo"]]
    )
    scene.manifest["output"] = ["path": "disk/Library"]
    for number in 1...20 {
      try scene.put("sources/camera/\(number).jpg", try Media.photo("photo \(number)"))
    }
    for number in 1...3 {
      let movie = try scene.put("sources/camera/a\(number).mp4", copyOf: Samples.video)
      try extend(movie, to: UInt64(Amount.of(200, all: 10_000)) * 1_000_000 + UInt64(number))
    }
    try extend(try scene.put("sources/camera/b.jpg", try Media.photo("long")), to: 512 << 30)
    try scene.makeFolder("disk")
    try scene.writeManifest()
    return scene
  }

  private func extend(_ path: String, to length: UInt64) throws {
    let file = try FileHandle(forUpdating: URL(fileURLWithPath: path))
    try file.truncate(atOffset: length)
    try file.close()
  }

  @Test(
    "Beside three large movies and a JPEG of 512 GiB of holes, twenty photos are imported",
    arguments: ["keep", "strip"]
  )
  func beside(policy: String) throws {
    let scene = try scene(policy)
    let result = try Namespace.run(
      """
      mount -t tmpfs -o size=60m tmpfs disk || exit 1
      "$mediabatch" run manifest.json --format json > out.json 2> out.err; echo $? > code
      "$mediabatch" verify disk/Library > verify.out 2>&1; echo $? >> code
      df -k --output=used disk | tail -n 1 > used
      """,
      in: scene.path
    )
    try #require(result.code == 0, "\(result.streams)")
    func content(_ name: String) throws -> String {
      String(decoding: try readBytes(scene.at(name)), as: UTF8.self)
    }
    let summary = try JSON(text: try content("out.json"))
    let (verified, printed) = (try content("verify.out"), try content("out.json"))
    #expect(try content("code").split(separator: "\n").last == "0", "\(verified)")
    #expect((summary["counts"]["imported"].int ?? 0) >= 20, "\(printed)")
    let reasons = summary["failures"].array.compactMap { failure in
      failure["path"].string.map { ($0, failure["reason"].string ?? "") }
    }
    #expect(reasons.contains { $0.0 == "b.jpg" && $0.1 == "overLimit" }, "\(reasons)")
    let used = Int(try content("used").trimmingCharacters(in: .whitespacesAndNewlines)) ?? .max
    #expect(used < 40_000, "\(used) KiB are used")
  }

  @Test("A file for which there is no room fails alone, and the rest goes on")
  func noRoom() throws {
    let scene = try Scene(policy: "keep").declare("camera")
    scene.manifest["output"] = ["path": "disk/Library"]
    for number in 1...20 {
      try scene.put("sources/camera/\(number).jpg", try Media.photo("photo \(number)"))
    }
    var large = try Media.photo("large")
    large += [UInt8](repeating: 0x55, count: 80_000_000)
    try scene.put("sources/camera/0.jpg", large)
    try scene.makeFolder("disk")
    try scene.writeManifest()
    let result = try Namespace.run(
      """
      mount -t tmpfs -o size=60m tmpfs disk || exit 1
      "$mediabatch" run manifest.json --format json > out.json 2> out.err; echo $? > code
      mount -o remount,size=200m disk || exit 2
      "$mediabatch" run manifest.json --format json > again.json 2> again.err; echo $? >> code
      """,
      in: scene.path
    )
    try #require(result.code == 0, "\(result.streams)")
    let text = String(decoding: try readBytes(scene.at("out.json")), as: UTF8.self)
    let codes = String(decoding: try readBytes(scene.at("code")), as: UTF8.self)
    #expect(codes == "74\n0\n", "\(text)")
    let summary = try JSON(text: text)
    #expect(summary["counts"]["imported"].int == 20)
    #expect(summary["failures"].array.first?["reason"].string == "outOfSpace")
  }
}
