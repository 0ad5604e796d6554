import Foundation
import Glibc
import MediaModel
import MediaSyntax
import MediaTestSupport
import Testing

/// Where a run may go: each rule with a canary that must never arrive in the library.
@Suite("Path rules", .serialized)
struct PathRuleTests {
  private static let canary = "a canary that nobody may import"

  /// A scene with one photo that is imported and, outside the sources, a photo with the canary.
  private func scene() throws -> Scene {
    let scene = Scene(policy: "keep")
    try scene.declare("camera")
    try scene.put("sources/camera/good.jpg", try Media.photo("a photo that is imported"))
    try scene.put("outside/canary.jpg", try Media.photo(Self.canary))
    return scene
  }

  /// Expects that no file of the library holds the text, and that one holds the imported photo's: a
  /// search that finds nothing at all proves nothing.
  private func expectNoCanary(
    _ scene: Scene,
    imports: Bool = true,
    _ location: SourceLocation = #_sourceLocation
  ) throws {
    if FileManager.default.fileExists(atPath: scene.library) {
      let result = try Tool.run("grep", ["-rlF", Self.canary, scene.library])
      #expect(result.status == 1, "\(result.output)", sourceLocation: location)
    }
    if imports {
      let result = try Tool.run("grep", ["-rlF", "a photo that is imported", scene.library])
      #expect(result.status == 0, sourceLocation: location)
    }
  }

  private func expectCanary(
    _ scene: Scene,
    _ location: SourceLocation = #_sourceLocation
  ) throws {
    let result = try Tool.run("grep", ["-rlF", Self.canary, scene.library + "/Originals"])
    #expect(result.status == 0, "the canary can be found", sourceLocation: location)
  }

  // MARK: Overlap

  /// Each way in which two sources, or a source and the library, are one place.
  enum Overlap: String, CaseIterable {
    case sameSource, nestedSource, sourceThroughSymlink, sourceThroughDots, nestedInDenied
    case libraryIsSource, libraryInSource, sourceInLibrary
    case libraryThroughSymlink, libraryInSourceThroughSymlink
  }

  @Test(
    "Folders that are the same or lie one in the other are a mistake",
    arguments: Overlap.allCases
  )
  func overlap(overlap: Overlap) throws {
    let scene = try scene()
    try scene.makeFolder("sources/camera/inner")
    var photos = "sources/camera"
    var status = "authorized"
    var output = "Library"
    symlink(scene.at("sources/camera"), scene.at("link"))
    switch overlap {
    case .sameSource: break
    case .nestedSource: photos = "sources/camera/inner"
    case .sourceThroughSymlink: photos = "link/inner"
    case .sourceThroughDots: photos = "outside/../sources/./camera"
    case .nestedInDenied: (photos, status) = ("sources/camera/inner", "denied")
    case .libraryIsSource: (photos, output) = ("outside", "outside")
    case .libraryInSource: (photos, output) = ("outside", "sources/camera/new/Library")
    case .sourceInLibrary: (photos, output) = ("outside", "sources")
    case .libraryThroughSymlink: (photos, output) = ("outside", "link")
    case .libraryInSourceThroughSymlink: (photos, output) = ("outside", "link/inner/Library")
    }
    try scene.declare("library", status, ["path": .string(photos)], makesFolder: false)
    scene.manifest["output"] = ["path": .string(output)]
    try scene.writeManifest()
    let before = try scene.snapshot()
    for arguments in [["run"], ["run", "--dry-run"], ["check"]] {
      let outcome = try Scene.program(arguments + ["manifest.json"], in: scene.path)
      #expect(outcome.code == 78, "\(arguments): \(outcome.streams)")
      #expect(outcome.error.contains("1 mistake"), "\(arguments): \(outcome.streams)")
      #expect(outcome.error.contains("needs a folder of its own"), "\(outcome.streams)")
    }
    #expect(try scene.snapshot() == before)
  }

  // MARK: Links

  @Test("A symlink inside a source is not followed, whatever it leads to")
  func symlinkInSource() throws {
    let scene = try scene()
    try scene.declare("library", "denied")
    try scene.put("sources/library/private.jpg", try Media.photo(Self.canary))
    let camera = scene.at("sources/camera")
    symlink(scene.at("outside/canary.jpg"), camera + "/file.jpg")
    symlink("../../outside", camera + "/folder")
    symlink("../library/private.jpg", camera + "/denied.jpg")
    symlink("good.jpg", camera + "/within.jpg")
    symlink("/proc/self/cwd/outside/canary.jpg", camera + "/magic.jpg")
    symlink(".", camera + "/circle")
    symlink("nowhere", camera + "/dangling.jpg")
    let outcome = try scene.run()
    try outcome.expect(0)
    try outcome.expectCounts(["imported": 1, "skipped": 7])
    try expectNoCanary(scene)
  }

  @Test("A source's own path may be a symlink")
  func sourceIsSymlink() throws {
    let scene = try scene()
    try scene.declare("library", "authorized", ["path": "link"], makesFolder: false)
    symlink("outside", scene.at("link"))
    let outcome = try scene.run()
    try outcome.expect(0)
    try outcome.expectCounts(["imported": 2])
    try expectCanary(scene)
    let record = try #require(
      try scene.lastLog().first {
        $0["event"].string == "source" && $0["source"].string == "library"
      }
    )
    #expect(record["resolvedPath"].string == scene.at("outside"))
  }

  /// Whether the manifest allows files with several names.
  enum HardLinks: String, CaseIterable { case byDefault, allow }

  @Test("A file that is also in a refused source is refused", arguments: HardLinks.allCases)
  func hardLink(rule: HardLinks) throws {
    let scene = try scene()
    try scene.declare("camera", "authorized", rule == .allow ? ["hardLinks": "allow"] : [:])
    try scene.declare("library", "denied")
    let file = try scene.put("sources/library/private.jpg", try Media.photo(Self.canary))
    try #require(link(file, scene.at("sources/camera/mine.jpg")) == 0)
    let outcome = try scene.run()
    try outcome.expect(0)
    switch rule {
    case .byDefault:
      try outcome.expectCounts(["imported": 1, "refused": 1])
      try expectNoCanary(scene)
      let text = try scene.command("run", "manifest.json").streams
        .split(whereSeparator: \.isWhitespace).joined(separator: " ")
      #expect(text.contains("1 file of the camera"))
      #expect(text.contains("\"hardLinks\": \"allow\" under sources.camera"))
    case .allow:
      try outcome.expectCounts(["imported": 2])
      try expectCanary(scene)
    }
  }

  @Test("With every source open, files with several names are imported")
  func hardLinkWithoutRefusedSource() throws {
    let scene = try scene()
    try #require(link(scene.at("outside/canary.jpg"), scene.at("sources/camera/mine.jpg")) == 0)
    let outcome = try scene.run()
    try outcome.expectCounts(["imported": 2])
    try expectCanary(scene)
  }

  @Test(
    "A folder that is swapped for a symlink while it is read gives nothing away",
    .enabled(if: Amount.isAll, "fifty runs: set MEDIABATCH_TEST_ALL")
  )
  func swapped() throws {
    let scene = try scene()
    try scene.declare("library", "denied")
    try scene.makeFolder("sources/camera/folder")
    for number in 1...20 {
      try scene.put(
        "sources/camera/folder/\(number).jpg",
        try Media.photo("a photo that is imported \(number)")
      )
      try scene.put("sources/library/\(number).jpg", try Media.photo(Self.canary + " \(number)"))
    }
    let folder = scene.at("sources/camera/folder")
    let parked = scene.at("parked")
    let swap = scene.at("swap")
    // Leads to the denied source from where the folder stands.
    symlink("../library", swap)
    for _ in 0..<50 {
      scene.manifest["output"] = ["path": "Library"]
      let run: RunningProgram = try {
        try scene.writeManifest()
        return try scene.start()
      }()
      while !run.hasEnded() {
        rename(folder, parked)
        rename(swap, folder)
        rename(folder, swap)
        rename(parked, folder)
      }
      let outcome = try run.wait()
      #expect([0, 3].contains(outcome.code), "\(outcome.streams)")
      try expectNoCanary(scene)
      try FileManager.default.removeItem(atPath: scene.library)
    }
  }

  @Test(
    "Files whose folder became a symlink after it was listed fail, and lead nowhere",
    .enabled(if: Has.strace, "no strace")
  )
  func swappedAfterListing() throws {
    let scene = try scene()
    try scene.declare("library", "denied")
    for number in 1...30 {
      let text = "a photo that is imported \(number)"
      try scene.put("sources/camera/folder/\(number).jpg", try Media.photo(text))
      try scene.put("sources/library/\(number).jpg", try Media.photo(Self.canary + " \(number)"))
    }
    try scene.writeManifest()
    let run = try HeldProgram(
      ["run", "manifest.json", "--format", "json"],
      in: scene.path,
      calls: "openat2",
      paths: ["folder/1.jpg"]
    )
    _ = try #require(try run.next())
    rename(scene.at("sources/camera/folder"), scene.at("parked"))
    symlink("../library", scene.at("sources/camera/folder"))
    let outcome = try run.wait()
    try outcome.expect(3)
    #expect(try outcome.count("failed") == 29)
    let reasons = Set(try outcome.json()["failures"].array.compactMap { $0["reason"].string })
    #expect(reasons == ["changedDuringRun"])
    try expectNoCanary(scene)
  }

  // MARK: What is no file

  @Test("A FIFO, a socket and a device are skipped, and nothing waits for them")
  func notRegularFiles() throws {
    let scene = try scene()
    let camera = scene.at("sources/camera")
    try #require(mkfifo(camera + "/fifo.jpg", 0o644) == 0)
    var count = 1
    // Only who may make devices can try them.
    if mknod(camera + "/null.jpg", S_IFCHR | 0o644, 0x103) == 0 { count += 1 }
    if mknod(camera + "/zero.jpg", S_IFCHR | 0o644, 0x105) == 0 { count += 1 }
    if mknod(camera + "/socket.jpg", S_IFSOCK | 0o644, 0) == 0 { count += 1 }
    #expect(count > 1)
    try scene.writeManifest()
    let outcome = try scene.start().wait()
    try outcome.expect(0)
    try outcome.expectCounts(["imported": 1, "skipped": count])
  }

  @Test("A manifest, a labels file, that is a FIFO is a mistake, not a wait")
  func manifestIsFifo() throws {
    let scene = try scene()
    try #require(mkfifo(scene.at("fifo"), 0o644) == 0)
    scene.manifest["labels"] = ["file": "fifo"]
    try scene.writeManifest()
    try scene.start().wait().expect(78)
    let run = try RunningProgram(nil, ["run", "fifo"], in: scene.path)
    try #expect([64, 78].contains(run.wait().code))
    #expect(!FileManager.default.fileExists(atPath: scene.library))
  }

  @Test(
    "A photo deeper than a path can be long is a failure that is told, not a photo that is lost",
    .enabled(if: Has.python, "no python3"),
    arguments: ["authorized", "limited"]
  )
  func deeperThanAPath(status: String) throws {
    let scene = try scene()
    let isLimited = status == "limited"
    try scene.declare("library", status, isLimited ? ["selection": ["**/*.jpg"]] : [:])
    try scene.put("sources/library/shallow.jpg", try Media.photo("shallow"))
    defer { _ = try? Tool.run("rm", ["-rf", scene.at("sources/library")]) }
    let program = """
      import os, shutil, sys
      photo = open(sys.argv[2], "rb").read()
      os.chdir(sys.argv[1])
      for level in range(60):
          os.mkdir("d" * 100)
          os.chdir("d" * 100)
      open("deep.jpg", "wb").write(photo)
      """
    let result = try Tool.run(
      "python3",
      ["-c", program, scene.at("sources/library"), scene.at("outside/canary.jpg")]
    )
    try #require(result.status == 0, "\(result.error)")
    let outcome = try scene.run()
    try outcome.expect(3)
    try outcome.expectCounts(["imported": 2, "failed": 1])
    #expect(try outcome.json()["failures"].array.first?["reason"].string == "cannotOpen")
  }

  // MARK: Mount points

  /// Runs the scene in a mount namespace of its own, once `mounts` are there.
  private func run(_ scene: Scene, behind mounts: String) throws -> Outcome {
    try scene.writeManifest()
    return try Namespace.run("\(mounts) && \"$mediabatch\" run manifest.json --format json", in: scene.path)
  }

  /// What is mounted inside the source, and whether the source allows it.
  enum Mount: String, CaseIterable {
    case bind, tmpfs, bindOfFile, bindAllowed, tmpfsAllowed

    var isAllowed: Bool { self == .bindAllowed || self == .tmpfsAllowed }
    var mounts: String {
      switch self {
      case .bind, .bindAllowed: "mount --bind outside sources/camera/mount"
      case .tmpfs, .tmpfsAllowed:
        "mount -t tmpfs tmpfs sources/camera/mount && cp outside/* sources/camera/mount/"
      case .bindOfFile: "mount --bind outside/canary.jpg sources/camera/mount/canary.jpg"
      }
    }
  }

  @Test(
    "A mount point inside a source is not entered, unless the source says so",
    .enabled(if: Namespace.isAvailable, "this user may not mount"),
    arguments: Mount.allCases
  )
  func mountPoint(mount: Mount) throws {
    let scene = try scene()
    try scene.declare("camera", "authorized", mount.isAllowed ? ["crossMounts": true] : [:])
    try scene.put("sources/camera/mount/canary.jpg", try Media.photo("what the mount hides"))
    let outcome = try run(scene, behind: mount.mounts)
    try outcome.expect(0)
    if mount.isAllowed {
      try outcome.expectCounts(["imported": 2])
      try expectCanary(scene)
    } else {
      try outcome.expectCounts(["imported": 1, "skipped": 1])
      try expectNoCanary(scene)
      let reasons = try scene.lastLog().compactMap { $0["reason"].string }
      #expect(reasons.contains("otherFileSystem"))
    }
  }

  /// A mount within an allowed source that shows a part of a denied one.
  enum RefusedMount: String, CaseIterable {
    case folder, folderWithin, file

    var mounts: String {
      switch self {
      case .folder: "mount --bind sources/library sources/camera/mount"
      case .folderWithin: "mount --bind sources/library/deep sources/camera/mount"
      case .file:
        "mount --bind sources/library/deep/canary.jpg sources/camera/mount/canary.jpg"
      }
    }
  }

  @Test(
    "A mount that shows a folder or file of a denied source is not entered, whatever crossMounts says",
    .enabled(if: Namespace.isAvailable, "this user may not mount"),
    arguments: RefusedMount.allCases
  )
  func refusedMount(mount: RefusedMount) throws {
    let scene = try scene()
    try scene.declare("camera", "authorized", ["crossMounts": true])
    try scene.declare("library", "denied", ["required": false])
    try scene.put("sources/library/deep/canary.jpg", try Media.photo("what the denied source holds"))
    try scene.put("sources/camera/mount/canary.jpg", try Media.photo("what the mount hides"))
    let outcome = try run(scene, behind: mount.mounts)
    try outcome.expect(0)
    try outcome.expectCounts(["imported": 1, "refused": 1])
    #expect(try scene.lastLog().compactMap { $0["reason"].string }.contains("otherSource"))
  }

  @Test(
    "Sources of which one is a mount of a folder within the other overlap",
    .enabled(if: Namespace.isAvailable, "this user may not mount"),
    arguments: [("camera", "library"), ("library", "camera")]
  )
  func mountedSource(outer: String, inner: String) throws {
    let scene = try scene()
    try scene.declare("camera")
    try scene.declare("library", "denied", ["required": false])
    try scene.put("sources/\(outer)/deep/er/canary.jpg", try Media.photo("canary"))
    try scene.put("sources/\(inner)/hidden.jpg", try Media.photo("hidden"))
    let outcome = try run(scene, behind: "mount --bind sources/\(outer)/deep sources/\(inner)")
    try outcome.expect(78)
    #expect(outcome.error.contains("through a mount"), "\(outcome.error)")
  }

  @Test(
    "A source on an overlay whose layers are two file systems is read whole",
    .enabled(if: Namespace.isAvailable, "this user may not mount")
  )
  func overlay() throws {
    let scene = try scene()
    try scene.declare("camera")
    for name in ["lower/a.jpg", "upper/b.jpg"] {
      try scene.put(name, try Media.photo(name))
    }
    try scene.makeFolder("layers")
    let outcome = try run(
      scene,
      behind: "mount -t tmpfs tmpfs layers && mkdir layers/upper layers/work "
        + "&& cp upper/b.jpg layers/upper && mount -t overlay overlay "
        + "-o lowerdir=lower,upperdir=layers/upper,workdir=layers/work sources/camera"
    )
    try outcome.expect(0)
    try outcome.expectCounts(["imported": 2])
  }
}
