import Foundation
import Glibc
import MediaTestSupport
import Testing

/// A moment at which the power is cut.
enum PowerCut: CustomTestStringConvertible {
  /// The file system is shut down while a run goes on whose log has so many outcomes.
  case shutdown(outcomes: Int)
  /// The image is copied while the run stands still behind so many calls after its first outcomes.
  case snapshot(calls: Int)
  /// The file system is shut down right after a run has ended.
  case end

  var testDescription: String {
    switch self {
    case .shutdown(let outcomes): "shutdown after \(outcomes) outcomes"
    case .snapshot(let calls): "snapshot \(calls) calls later"
    case .end: "shutdown after the end"
    }
  }

  /// Those few, or 28 under `MEDIABATCH_TEST_ALL`: with two kinds of file systems 56.
  static func some(_ few: [PowerCut]) -> [PowerCut] {
    guard Amount.isAll else { return few }
    var random = SeededGenerator("power cuts")
    return (0..<14).map { _ in .shutdown(outcomes: 1 + Int(random.next() % 190)) }
      + (0..<10).map { _ in .snapshot(calls: Int(random.next() % 150)) }
      + (0..<4).map { _ in .end }
  }
}

/// Cuts the power of the disk that the library is on: what the log has said is there afterwards, nothing
/// is wrong, and the next run makes the library whole.
@Suite(
  "Power cuts",
  .ownProcesses,
  .serialized,
  .enabled(if: Has.sqlite && Has.strace && Has.magick, "no sqlite3, strace or ImageMagick")
)
struct PowerCutTests {
  @Test(
    "On ext4, no file that was acknowledged is lost, and the next run goes on",
    .enabled(if: CutDisk.Kind.ext4.isAvailable, "no loop mounts of ext4: power is not cut"),
    arguments: PowerCut.some([.shutdown(outcomes: 1)])
  )
  func ext4(cut: PowerCut) throws { try expectSafe(.ext4, cut) }

  /// Takes seconds: it imports 150 photos twice, once with a stop behind each of many calls.
  @Test(
    "On xfs, no file that was acknowledged is lost, and the next run goes on",
    .enabled(if: CutDisk.Kind.xfs.isAvailable, "no loop mounts of xfs: power is not cut"),
    arguments: PowerCut.some([.snapshot(calls: 40), .end])
  )
  func xfs(cut: PowerCut) throws { try expectSafe(.xfs, cut) }

  @Test(
    "On ext4, the same cut without flushes loses acknowledged files: the harness sees a loss",
    .enabled(if: CutDisk.Kind.ext4.isAvailable, "no loop mounts of ext4: power is not cut")
  )
  func ext4Control() throws { try expectLoss(.ext4) }

  @Test(
    "On xfs, the same cut without flushes loses acknowledged files: the harness sees a loss",
    .enabled(if: CutDisk.Kind.xfs.isAvailable, "no loop mounts of xfs: power is not cut")
  )
  func xfsControl() throws { try expectLoss(.xfs) }

  // MARK: Steps

  /// The number of photos: a first batch holds 64, a second one 128.
  private static let count = Amount.of(150, all: 300)

  /// Photos for several batches, so that a run goes on after its first outcomes.
  private static func scene() throws -> Scene {
    let scene = Scene(policy: "keep")
    try scene.declare("camera")
    scene.setThumbnails([("grid", 16, 16, "aspectFill")])
    for number in 1...count {
      try scene.put("sources/camera/\(number).jpg", try Media.photo("\(number)", from: small.get()))
    }
    _ = try scene.choose(library: "disk/Library")
    return scene
  }

  /// A small photo, since a debug build decodes slowly.
  private static let small: Result<String, any Error> = Result {
    let file = TemporaryFolder.untilExit().path + "/small.jpg"
    try Independent.makePicture(file, color: "gray", size: "24x16")
    return file
  }

  /// The library that an undisturbed run leaves.
  private static let undisturbed: Result<LibraryState, any Error> = Result {
    let scene = try PowerCutTests.scene()
    let library = try scene.choose(library: "Library")
    try scene.start().wait().expect(0)
    return try LibraryState(library)
  }

  private func expectLoss(_ kind: CutDisk.Kind) throws {
    for outcomes in Amount.isAll ? [1, 64, 190] : [1] {
      let (scene, disk, acknowledged) = try cut(kind, .shutdown(outcomes: outcomes), flushes: false)
      let after = try look(scene, disk, acknowledged, goesOn: false)
      #expect(after.kept < acknowledged.count, "\(after.kept) of \(acknowledged.count) are there")
      #expect(try disk.isReleased())
    }
  }

  private func expectSafe(_ kind: CutDisk.Kind, _ cut: PowerCut) throws {
    let (scene, disk, acknowledged) = try self.cut(kind, cut)
    // Each photo has an original and a thumbnail.
    if case .end = cut { #expect(acknowledged.count == 2 * Self.count) }
    let after = try look(scene, disk, acknowledged, goesOn: true)
    #expect(after.kept == acknowledged.count, "lost: \(acknowledged.count - after.kept)")
    #expect(after.codes == [0, 0, 0], "\(after.output)")
    try LibraryState.expectWhole(scene.library)
    #expect(try LibraryState(scene.library) == Self.undisturbed.get())
    #expect(try disk.isReleased())
  }

  /// Cuts the power of a disk on which a run writes a scene's library; on a busy machine the run may have
  /// ended when it is cut, and another one is begun, which is cut after half as many outcomes.
  private func cut(
    _ kind: CutDisk.Kind,
    _ cut: PowerCut,
    flushes: Bool = true
  ) throws -> (Scene, CutDisk, acknowledged: [String]) {
    var moment = cut
    for _ in 0..<6 {
      let scene = try Self.scene()
      if let (disk, acknowledged) = try self.cut(scene, kind, moment, flushes: flushes) {
        return (scene, disk, acknowledged)
      }
      if case .shutdown(let outcomes) = moment { moment = .shutdown(outcomes: 1 + outcomes / 2) }
    }
    throw EndedBefore()
  }

  private struct EndedBefore: Error {}

  /// Cuts the power of a disk on which a run writes the scene's library.
  ///
  /// - Returns: The disk as it was found afterwards, and the files that the log named before, as lines of
  ///   `sha256sum`; nil when the run had ended.
  /// - Throws: An error when the run ended before the moment.
  private func cut(
    _ scene: Scene,
    _ kind: CutDisk.Kind,
    _ cut: PowerCut,
    flushes: Bool
  ) throws -> (CutDisk, acknowledged: [String])? {
    let disk = try CutDisk(kind, in: scene)
    let run = ["run", "manifest.json", "--format", "json"]
    if case .snapshot(let calls) = cut {
      let held = try HeldProgram(
        run,
        in: scene.path,
        calls: "fdatasync,syncfs,renameat2",
        through: disk.mounting
      )
      var left = calls
      var hasOutcomes = false
      while try held.next() != nil {
        hasOutcomes =
          hasOutcomes || Self.outcomeCount(disk.path("Library", seenBy: held.pid)) > 0
        if !hasOutcomes { continue }
        if left == 0 { break }
        left -= 1
      }
      let acknowledged = Self.acknowledged(disk.path("Library", seenBy: held.pid))
      try #require(!acknowledged.isEmpty && left == 0, "the run ended before")
      let after = try disk.snapshot(scene.at("after"))
      held.kill(SIGKILL)
      return (after, acknowledged)
    }

    let unflushed = [
      "strace", "-f", "-qq", "--seccomp-bpf", "-e", "trace=fsync,fdatasync,syncfs,msync", "-e",
      "signal=none", "-e", "inject=fsync,fdatasync,syncfs,msync:retval=0", "-o", "/dev/null",
    ]
    // After the end, a shell keeps the disk mounted.
    let staying = ["sh", "-c", "\"$@\" && touch ended && exec sleep 600", "sh"]
    let isAtEnd = if case .end = cut { true } else { false }
    let program = try RunningProgram(
      "/usr/bin/env",
      disk.mounting + (isAtEnd ? staying : []) + (flushes ? [] : unflushed)
        + [try Scene.executable()] + run,
      in: scene.path
    )
    defer {
      // strace leaves what it traces running.
      for child in program.children { kill(child, SIGKILL) }
      program.send(SIGKILL)
      _ = program.end(seconds: 10)
    }
    let library = disk.path("Library", seenBy: program.pid)
    let isReached = program.waits {
      if case .shutdown(let outcomes) = cut { return Self.outcomeCount(library) >= outcomes }
      return FileManager.default.fileExists(atPath: scene.at("ended"))
    }
    try #require(isReached, "the run ended before: \(program.result)")
    let acknowledged = Self.acknowledged(library)
    guard FileManager.default.fileExists(atPath: library) else { return nil }
    try disk.cutPower(seenBy: program.pid)
    return (try disk.snapshot(scene.at("after")), acknowledged)
  }

  /// Mounts a disk after a cut and looks at the library there.
  ///
  /// It is also verified, run on and copied out of the disk if it `goesOn`.
  ///
  /// - Returns: How many of the acknowledged files are there as they were, and the exit codes of
  ///   `verify`, `audit verify` and `run`.
  /// - Throws: An error when the disk cannot be mounted.
  private func look(
    _ scene: Scene,
    _ disk: CutDisk,
    _ acknowledged: [String],
    goesOn: Bool
  ) throws -> (kept: Int, codes: [Int], output: String) {
    try scene.put("acknowledged", acknowledged.joined(separator: "\n") + "\n")
    var script = """
      (cd disk/Library 2> /dev/null && sha256sum -c ../../acknowledged 2> /dev/null) \
        | grep -c ': OK$' > kept

      """
    if goesOn {
      script += """
        "$mediabatch" verify disk/Library > said 2>&1; echo $? > codes
        "$mediabatch" audit verify disk/Library >> said 2>&1; echo $? >> codes
        "$mediabatch" run manifest.json --format json >> said 2>&1; echo $? >> codes
        cp -a disk/Library Library

        """
    }
    let result = try Tool.run(
      "/usr/bin/env",
      disk.mounting + ["bash", "-c", script + "exit 0"],
      environment: Scene.environment(in: scene.path)
        .merging(["mediabatch": try Scene.executable()]) { $1 },
      in: scene.path
    )
    try #require(result.status == 0, "\(result.error)")
    func text(_ name: String) -> String {
      String(decoding: (try? readBytes(scene.at(name))) ?? [], as: UTF8.self)
    }
    return (
      kept: Int(text("kept").trimmingCharacters(in: .newlines)) ?? 0,
      codes: text("codes").split(separator: "\n").compactMap { Int($0) }, output: text("said")
    )
  }

  // MARK: The log

  /// The number of outcomes in the log of a library that is being written.
  ///
  /// The log is parsed only when it has some.
  private static func outcomeCount(_ library: String) -> Int {
    let folder = library + "/Audit"
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    let mark = Data("\"outcome\"".utf8)
    let isThere = names.contains { name in
      let log = try? Data(contentsOf: URL(fileURLWithPath: folder + "/" + name))
      return log?.range(of: mark) != nil
    }
    guard isThere else { return 0 }
    return ((try? LibraryState.records(library)) ?? []).count { $0["event"].string == "outcome" }
  }

  /// The files that the log of a library says are published, as lines of `sha256sum`.
  private static func acknowledged(_ library: String) -> [String] {
    ((try? LibraryState.records(library)) ?? []).filter { $0["event"].string == "outcome" }
      .flatMap { [$0["output"]] + $0["thumbnails"].array }
      .compactMap { file in
        guard let path = file["path"].string, let sha256 = file["sha256"].string else { return nil }
        return "\(sha256)  \(path)"
      }
  }
}
