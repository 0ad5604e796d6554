import Foundation
import Glibc
import MediaTestSupport
import Testing

/// Mounts need a name space of our own, which root and most users may have.
private let canMount: Bool = {
  let result = try? Tool.run(
    "unshare",
    ["-rm", "/bin/sh", "-c", "mount -t tmpfs -o size=1m none /mnt"]
  )
  return result?.status == 0
}()

@Suite("A disk without room", .enabled(if: canMount, "no mounts: unshare -rm is not allowed"))
struct FullDiskTests {
  /// Runs a script in a name space of its own, with the scene's library on a file system of its own
  /// that goes with it. `$M` is the program.
  private func run(_ scene: Scene, mount options: String, _ script: String) throws -> Tool.Result {
    try scene.writeManifest()
    try scene.makeFolder("Library")
    return try Tool.run(
      "unshare",
      [
        "-rm", "/bin/sh", "-c",
        "mount -t tmpfs -o \(options) none Library || exit 99\n\(script)",
      ],
      environment: ["M": try Scene.executable()],
      in: scene.path
    )
  }

  private func scene() throws -> Scene {
    let scene = Scene(policy: "keep")
    try scene.declare("library")
    scene.setThumbnails([("grid", 64, 64, "aspectFill")])
    try scene.putMixture()
    return scene
  }

  @Test(
    "A full disk ends the run with 74, and with room it goes on to the same library",
    arguments: [200, 400, 700, 1000, 1300]
  )
  func bytes(kibibytes: Int) throws {
    let result = try run(
      scene(),
      mount: "size=\(kibibytes)k",
      """
      "$M" run manifest.json > first 2>&1; echo "first $?"
      mount -o remount,size=200m Library
      "$M" run manifest.json > second 2>&1; echo "second $?"
      "$M" verify Library; echo "verify $?"
      "$M" audit verify Library; echo "audit $?"
      echo "files $(find Library/Originals -type f | wc -l)"
      """
    )
    #expect(result.output.contains("first 74"), "\(result.output)\(result.error)")
    #expect(result.output.contains("second 3"), "\(result.output)\(result.error)")
    #expect(result.output.contains("verify 0"), "\(result.output)")
    #expect(result.output.contains("audit 0"), "\(result.output)")
    #expect(result.output.contains("files 35"), "\(result.output)")
  }

  @Test(
    "A disk without inodes ends the run with 74, and with some it goes on",
    arguments: [8, 14, 20, 40, 80]
  )
  func inodes(count: Int) throws {
    let result = try run(
      scene(),
      mount: "size=200m,nr_inodes=\(count)",
      """
      "$M" run manifest.json > first 2>&1; echo "first $?"
      mount -o remount,nr_inodes=5000 Library
      "$M" run manifest.json > second 2>&1; echo "second $?"
      "$M" verify Library; echo "verify $?"
      echo "files $(find Library/Originals -type f | wc -l)"
      """
    )
    #expect(result.output.contains("first 74"), "\(result.output)\(result.error)")
    #expect(result.output.contains("second 3"), "\(result.output)\(result.error)")
    #expect(result.output.contains("verify 0"), "\(result.output)")
    #expect(result.output.contains("files 35"), "\(result.output)")
  }

  @Test("What was published before a disk was full is not touched")
  func untouched() throws {
    let scene = try scene()
    let result = try run(
      scene,
      mount: "size=200m",
      """
      "$M" run manifest.json > /dev/null 2>&1; echo "first $?"
      find Library/Originals -type f -exec sha256sum {} + | sort > before
      used=$(df --output=used -k Library | tail -1)
      cp sources/library/b/harbour-1.jpg sources/library/new.jpg; head -c 1000000 /dev/zero >> sources/library/new.jpg
      mount -o remount,size=$((used + 8))k Library
      "$M" run manifest.json 2>&1; echo "full $?"
      find Library/Originals -type f -exec sha256sum {} + | sort > after
      cmp before after && echo same
      mount -o remount,size=200m Library
      "$M" run manifest.json > /dev/null 2>&1; echo "last $?"
      "$M" verify Library > /dev/null; echo "verify $?"
      """
    )
    #expect(result.output.contains("full 74"), "\(result.output)\(result.error)")
    #expect(result.output.contains("same"), "\(result.output)")
    #expect(result.output.contains("last 3"), "\(result.output)")
    #expect(result.output.contains("verify 0"), "\(result.output)")
  }
}
