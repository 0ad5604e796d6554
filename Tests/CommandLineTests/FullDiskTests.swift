import Foundation
import MediaTestSupport
import Testing

/// What runs out on the library's file system.
enum Shortage: CustomTestStringConvertible {
  case kilobytes(Int)
  case files(Int)

  static let few: [Shortage] = [.kilobytes(0), .kilobytes(400), .files(9)]
  static let all: [Shortage] =
    stride(from: 0, through: 960, by: 32).map { .kilobytes($0) }
    + stride(from: 0, through: 120, by: 6).map { .files($0) }

  var testDescription: String {
    switch self {
    case .kilobytes(let count): "\(count) KiB left"
    case .files(let count): "room for \(count) more files"
    }
  }

  /// The mount option that leaves so much.
  var option: String {
    switch self {
    case .kilobytes(let count): "size=$(($(df -k --output=used disk | tail -n 1) + \(count)))k"
    case .files(let count): "nr_inodes=$(($(df --output=iused disk | tail -n 1) + \(count)))"
    }
  }
}

@Suite(
  "A full disk",
  .ownProcesses,
  .serialized,
  .enabled(if: Namespace.isAvailable, "this user may not mount a tmpfs"),
  .enabled(if: Has.sqlite, "no sqlite3")
)
struct FullDiskTests {
  /// Takes seconds: each shortage takes three runs.
  @Test(
    "A library without room stops with 74, stays as it was, and goes on when there is room",
    arguments: Amount.isAll ? Shortage.all : Shortage.few
  )
  func isFull(shortage: Shortage) throws {
    let scene = try Self.scene(library: "disk/Library")
    try scene.makeFolder("disk")
    let script = """
      set -u
      mount -t tmpfs -o size=64m,nr_inodes=10000 tmpfs disk || exit 1
      "$mediabatch" run first.json --format json > first.out 2>&1; echo $? > codes
      (cd disk/Library && find Originals Thumbnails -type f -exec sha256sum {} +) > before
      mount -o remount,\(shortage.option) disk || exit 2
      "$mediabatch" run manifest.json --format json > full.out 2> full.err; echo $? >> codes
      (cd disk/Library && sha256sum --quiet -c ../../before) > changed; echo $? >> codes
      mount -o remount,size=64m,nr_inodes=10000 disk || exit 3
      "$mediabatch" run manifest.json --format json > again.out 2>&1; echo $? >> codes
      cp -a disk/Library Library
      """
    let result = try Namespace.run(script, in: scene.path)
    try #require(result.code == 0, "\(result.streams)")
    func content(_ name: String) throws -> String {
      String(decoding: try readBytes(scene.at(name)), as: UTF8.self)
    }
    let codes = try content("codes").split(separator: "\n").compactMap { Int($0) }
    // The library's own items of the first run are the second's too.
    let text = try content("full.out") + content("full.err")
    #expect(codes == [3, 74, 0, 3], "\(text)")
    #expect(try !content("before").isEmpty)
    #expect(try content("changed") == "")
    let full = try JSON(text: try content("full.out"))
    #expect(full["exitCode"].int == 74)
    #expect(full["problems"].array.contains { $0["message"].string?.isEmpty == false })

    try LibraryState.expectWhole(scene.library)
    #expect(try LibraryState(scene.library) == Self.roomy.get())
  }

  @Test("A library that finds no room as it is made stops with 74, and is made when there is room")
  func isFullFromTheStart() throws {
    let scene = Scene(policy: "keep")
    try scene.declare("camera")
    try scene.put("sources/camera/1.jpg", try Media.photo("1"))
    _ = try scene.choose(library: "disk/Library")
    try scene.makeFolder("disk")
    let sizes = stride(from: 4, through: 64, by: Amount.of(12, all: 4)).map(String.init)
    let script = """
      set -u
      for size in \(sizes.joined(separator: " ")); do
        mount -t tmpfs -o size=${size}k tmpfs disk || exit 1
        "$mediabatch" run manifest.json --format json > full.out 2> full.err
        echo "$size $?" >> codes
        "$mediabatch" verify disk/Library > verify.out 2>&1
        echo "verify $?" >> codes
        mount -o remount,size=64m disk || exit 2
        "$mediabatch" run manifest.json --format json > again.out 2>&1 || exit 3
        "$mediabatch" verify disk/Library > again.out 2>&1 || exit 4
        umount disk
      done
      """
    let result = try Namespace.run(script, in: scene.path)
    try #require(result.code == 0, "\(result.streams)")
    let codes = String(decoding: try readBytes(scene.at("codes")), as: UTF8.self)
      .split(separator: "\n").map(String.init)
    #expect(codes.filter { $0.first?.isNumber == true } == sizes.map { $0 + " 74" })
    #expect(codes.filter { $0.hasPrefix("verify") }.allSatisfy { ["verify 73", "verify 0"].contains($0) })
  }

  @Test("A merge that finds no room for one more file stops with 74 and a sentence, not with 65")
  func mergeWithoutRoom() throws {
    let scene = Scene(policy: "strip")
    scene.setThumbnails([("grid", 32, 32, "aspectFill")])
    try scene.declare("library")
    for number in 1...4 {
      try scene.put("sources/library/\(number).jpg", try Media.photo("\(number)"))
    }
    try scene.makePlan(2)
    try scene.runShards(2)
    try scene.makeFolder("disk")
    // With 12 there is a file for the catalogue, and none for its write-ahead log.
    let counts = stride(from: 2, through: 26, by: Amount.of(5, all: 1)).map(String.init)
    let script = """
      set -u
      mount -t tmpfs -o size=64m,nr_inodes=10000 tmpfs disk || exit 1
      cp -a Plan disk/Plan || exit 2
      used=$(df --output=iused disk | tail -n 1)
      for count in \(counts.joined(separator: " ")); do
        mount -o remount,nr_inodes=$((used + count)) disk || exit 3
        "$mediabatch" shards merge disk/Plan --output disk/Merged --unsigned > full.out 2> full.err
        echo "$count $?" >> codes
        tail -n 1 full.err >> sentences
        mount -o remount,nr_inodes=10000 disk || exit 4
        test ! -e disk/Merged || exit 5
      done
      "$mediabatch" shards merge disk/Plan --output disk/Merged --unsigned > last.out 2>&1 || exit 6
      cp -a disk/Merged Merged
      """
    let result = try Namespace.run(script, in: scene.path)
    try #require(result.code == 0, "\(result.streams)")
    func lines(_ name: String) throws -> [String] {
      String(decoding: try readBytes(scene.at(name)), as: UTF8.self)
        .split(separator: "\n").map(String.init)
    }
    let sentences = try lines("sentences")
    #expect(try lines("codes") == counts.map { $0 + " 74" }, "\(sentences)")
    #expect(sentences.count == counts.count, "\(sentences)")
    #expect(sentences.allSatisfy { $0.contains("ake room") }, "\(sentences)")
    try scene.expectMergedAsOne()
  }

  /// Two manifests of one library: `first.json` has five photos of its own in the camera's place.
  private static func scene(library: String) throws -> Scene {
    let scene = try Scene.mixed()
    for number in 1...5 {
      try scene.put("sources/first/first \(number).jpg", try Media.photo("first \(number)"))
    }
    _ = try scene.choose(library: library)
    let text = String(decoding: try readBytes(scene.manifestPath), as: UTF8.self)
    try scene.put("first.json", text.replacing("sources/camera", with: "sources/first"))
    return scene
  }

  /// The state that both runs leave where there is room.
  private static let roomy: Result<LibraryState, any Error> = Result {
    let scene = try FullDiskTests.scene(library: "Library")
    try scene.command("run", "first.json").expect(3)
    try scene.start().wait().expect(3)
    return try LibraryState(scene.library)
  }
}
