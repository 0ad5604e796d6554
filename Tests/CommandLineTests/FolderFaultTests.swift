import Foundation
import MediaTestSupport
import Testing

@Suite(
  "A folder for others on a file system that lacks something",
  .enabled(if: Has.strace && Has.sqlite, "no strace or sqlite3")
)
struct FolderFaultTests {
  /// What is missing in what people have, and what a filter of system calls takes away.
  static let lacks: [FolderFault] = [
    FolderFault("FUSE and exFAT", "renameat2:error=EINVAL", "linkat:error=EPERM"),
    FolderFault("NFS", "renameat2:error=EINVAL"),
    FolderFault("SMB", "renameat2:error=EOPNOTSUPP", "linkat:error=EOPNOTSUPP"),
    FolderFault("a filter", "renameat2:error=ENOSYS", "copy_file_range:error=ENOSYS"),
    FolderFault("a strict filter", "renameat2:error=EPERM", "copy_file_range:error=EPERM"),
    FolderFault("no links", "linkat:error=ENOSYS"),
    FolderFault("links across mounts", "linkat:error=EXDEV"),
    FolderFault("no times", "utimensat:error=EPERM"),
    FolderFault("no call for times", "utimensat:error=ENOSYS"),
    FolderFault("other times", "utimensat:error=EOPNOTSUPP"),
    FolderFault("no flushing of folders", "fdatasync:error=EINVAL"),
    FolderFault("no flushing", "fdatasync:error=EOPNOTSUPP"),
  ]

  private func scene() throws -> Scene {
    let scene = Scene()
    try scene.declare("camera")
    try scene.putPhotos(1...3)
    try scene.run().expect(0)
    return scene
  }

  private func digests(_ scene: Scene) throws -> [String] {
    try scene.catalogue("SELECT sha256 FROM resources").sorted()
  }

  /// The names beside the folders, hidden ones too, that no test has made.
  private func beside(_ scene: Scene) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: scene.path).filter {
      $0.hasSuffix("partial") || $0.hasSuffix("earlier")
    }
  }

  @Test(
    "A signal is answered with what is left and what to do, and the next call makes the folder",
    arguments: [("export", "SIGINT", 130), ("gallery", "SIGTERM", 143), ("gallery", "SIGHUP", 143)]
  )
  func interrupted(command: String, signal: String, code: Int32) throws {
    let scene = try scene()
    let program = try RunMoment(call: "renameat2", number: 2)
      .kill([command, "Library", "out"], in: scene.path, by: signal)
    let stopped = Outcome(try #require(program.end(seconds: 240)))
    try stopped.expect(code)
    let words =
      "Interrupted: \"out\" is as it was before. Repeat the command, which removes the unfinished folder "
    #expect(stopped.error.contains(words + "\".out.mediabatch-partial\""), "\(stopped.error)")
    #expect(!FileManager.default.fileExists(atPath: scene.at("out")))
    #expect(try beside(scene) == [".out.mediabatch-partial"])
    try scene.command(command, "Library", "out").expect(0)
    #expect(try beside(scene) == [])
  }

  @Test("It is made, known again, and made anew", arguments: Amount.some(3, of: lacks))
  func lacking(fault: FolderFault) throws {
    let scene = try scene()
    let arguments = ["export", "Library", "out", "--bag", "--format", "json"]
    func files() throws -> [String] {
      try scene.madeFiles("out").filter { $0.key.hasPrefix("data/") && $0.key.hasSuffix(".jpg") }
        .values.sorted()
    }
    let first = try scene.command(arguments, with: fault)
    try first.expect(0)
    #expect(try files() == digests(scene), "\(first.streams)")
    let second = try scene.command(arguments, with: fault)
    #expect(second.code == 0, "\(second.streams)")
    #expect(try second.json()["isCurrent"].bool == true, "\(second.streams)")
    let third = try scene.command(arguments + ["--sidecars", "xmp"], with: fault)
    #expect(third.code == 0, "\(third.streams)")
    #expect(try files() == digests(scene), "\(third.streams)")
    #expect(try scene.madePaths("out").count == 10, "\(third.streams)")
    let bag = try Tool.run("sha256sum", ["-c", "manifest-sha256.txt"], in: scene.at("out"))
    #expect(bag.status == 0, "\(bag.output)")
    #expect(try beside(scene) == [])
  }

  /// Faults of a disk or a server, each at the only or the first call of its name.
  static let failures: [FolderFault] = [
    FolderFault("a new file gets no name", "renameat2:error=ESTALE:when=1"),
    FolderFault("a new file gets another file system", "renameat2:error=EXDEV:when=1"),
    // Every second write from the list's on: progress may come before it, and the sentence comes behind it.
    FolderFault("the list is not written", "write:error=ESTALE:when=4+2"),
    FolderFault("a copy ends", "copy_file_range:error=EIO:when=2"),
    FolderFault("a time is not set", "utimensat:error=EIO:when=2"),
    FolderFault("the list is not flushed", "fdatasync:error=ESTALE:when=1"),
    FolderFault("the disk is not flushed", "syncfs:error=EIO"),
    FolderFault("two names are not exchanged", "renameat2:error=EIO:when=4"),
    FolderFault("an overlay renames no folder", "renameat2:error=EXDEV:when=4+"),
    FolderFault("the second of two steps fails", "renameat2:error=EINVAL", "renameat:error=EIO:when=6"),
  ]

  @Test(
    "A call that fails ends with 74 and a sentence, and the earlier folder is as it was",
    arguments: Amount.some(4, of: failures)
  )
  func failing(fault: FolderFault) throws {
    let scene = try scene()
    try scene.command("export", "Library", "out", "--layout", "{label}").expect(0)
    let before = try scene.madeFiles("out")
    let failed = try scene.command(
      ["export", "Library", "out", "--as", "copy", "--layout", "other {label}"],
      with: fault
    )
    #expect(failed.code == 74 && failed.error.contains { $0.isLetter }, "\(failed.streams)")
    #expect(try scene.madeFiles("out") == before, "\(failed.streams)")
    #expect(try beside(scene) == [], "\(failed.streams)")
    try scene.command("export", "Library", "out", "--layout", "other {label}").expect(0)
    #expect(try scene.madePaths("out").allSatisfy { $0.hasPrefix("other ") })
  }

  @Test(
    "A new folder that has its name stays whole, whatever fails behind that",
    arguments: [
      FolderFault("its name is not flushed", "fdatasync:error=EIO:when=2"),
      FolderFault("its name is lost by the server", "fdatasync:error=ESTALE:when=2"),
      FolderFault("the earlier one is not removed", "unlinkat:error=EIO:when=2+"),
    ]
  )
  func failingBehind(fault: FolderFault) throws {
    let scene = try scene()
    try scene.command("export", "Library", "out", "--layout", "{label}").expect(0)
    let failed = try scene.command(["export", "Library", "out", "--layout", "other {label}"], with: fault)
    #expect(failed.code == 74 && failed.streams.contains("was made, but"), "\(failed.streams)")
    #expect(try scene.madeFiles("out").values.sorted() == digests(scene))
    #expect(try scene.madePaths("out").allSatisfy { $0.hasPrefix("other ") })
    try scene.command("export", "Library", "out", "--layout", "other {label}").expect(0)
    #expect(try beside(scene) == [])
  }

  /// Each error of what people have at each call that makes a folder, once and always.
  static let all: [FolderFault] = [
    "renameat2", "linkat", "utimensat", "fdatasync", "copy_file_range", "ioctl", "write",
  ].flatMap { call in
    ["EINVAL", "EOPNOTSUPP", "ENOSYS", "EPERM", "EXDEV", "EFBIG", "ESTALE"].flatMap { error in
      // The third write is the list's; the others may be what the command says.
      [call == "write" ? ":when=3" : ":when=2", call == "write" ? ":when=1" : ""].map { times in
        FolderFault("\(call)\(times): \(error)", "\(call):error=\(error)\(times)")
      }
    }
  }

  @Test(
    "Whatever a call says, the folder is the earlier one, or a new one that names what it lacks",
    arguments: Amount.some(4, of: all)
  )
  func anything(fault: FolderFault) throws {
    let scene = try scene()
    try scene.command("export", "Library", "out", "--layout", "{label}").expect(0)
    let before = try scene.madeFiles("out")
    // The file that has the earlier layout's name is taken over, if links can be made.
    try scene.put("sources/camera/4.jpg", copyOf: Samples.photo(4))
    try scene.run().expect(0)
    let outcome = try scene.command(
      ["export", "Library", "out", "--layout", "{label}", "--format", "json"],
      with: fault
    )
    let after = try scene.madeFiles("out")
    if [0, 3].contains(outcome.code) {
      let refused = try outcome.json()["refused"].array.count
      #expect((refused > 0) == (outcome.code == 3) && after.count + refused == 4, "\(outcome.streams)")
      let wanted = try Set(digests(scene))
      #expect(wanted.isSuperset(of: after.values), "\(outcome.streams)")
    } else {
      #expect(outcome.code == 74, "\(outcome.streams)")
      #expect(after == before || outcome.error.contains("was made, but"), "\(outcome.streams)")
    }
    try scene.command("export", "Library", "out", "--layout", "{label}").expect(0)
    #expect(try scene.madeFiles("out").values.sorted() == digests(scene))
    #expect(try beside(scene) == [])
  }

  @Test("A folder whose permissions cannot be set is made only if that opens nothing")
  func permissions() throws {
    let scene = try scene()
    for (mode, code) in [("700", Int32(74)), ("777", 0)] {
      for error in ["EPERM", "EOPNOTSUPP", "ENOSYS", "EINVAL"].prefix(Amount.of(1, all: 4)) {
        try scene.command("export", "Library", "out\(mode)", "--layout", "{label}").expect(0)
        let changed = try Tool.run("chmod", [mode, scene.at("out\(mode)")])
        try #require(changed.status == 0)
        let outcome = try scene.command(
          ["export", "Library", "out\(mode)", "--layout", "\(error) {label}"],
          with: FolderFault("", "fchmod:error=\(error)")
        )
        #expect(outcome.code == code, "\(mode), \(error): \(outcome.streams)")
      }
    }
    #expect(try scene.madePaths("out700").allSatisfy { !$0.hasPrefix("E") })
  }

  @Test(
    "A command that is killed between the two steps leaves a folder that the next one gives back"
  )
  func killedBetweenSteps() throws {
    let scene = try scene()
    try scene.command("export", "Library", "out", "--layout", "{label}").expect(0)
    // Three files and the list are renamed before, and then the earlier folder.
    let killed = FolderFault("", "renameat2:error=EINVAL", "renameat:signal=KILL:when=6")
    _ = try scene.command(["export", "Library", "out", "--layout", "other {label}"], with: killed)
    #expect(try beside(scene).sorted() == [".out.mediabatch-earlier", ".out.mediabatch-partial"])
    #expect(!FileManager.default.fileExists(atPath: scene.at("out")))
    let next = try scene.command(["export", "Library", "out", "--layout", "{label}", "--format", "json"])
    try next.expect(0)
    #expect(try next.json()["isCurrent"].bool == true, "\(next.streams)")
    #expect(try scene.madeFiles("out").values.sorted() == digests(scene))
    #expect(try beside(scene) == [])
  }

  /// A file that the file system cannot hold; each is the second of three.
  static let refusals: [FolderFault] = [
    FolderFault("a name", "renameat2:error=EINVAL:when=2", "renameat:error=EINVAL:when=1"),
    FolderFault("a name of exFAT", "renameat2:error=ENOENT:when=2"),
    FolderFault("a long name", "renameat2:error=ENAMETOOLONG:when=2"),
    FolderFault("a name of UTF-16", "renameat2:error=EILSEQ:when=2"),
    FolderFault("a name that is there", "renameat2:error=EEXIST:when=2"),
    FolderFault("a file beyond the length", "copy_file_range:error=EFBIG:when=3"),
  ]

  @Test("What a file system cannot hold is named and left out", arguments: refusals)
  func refusing(fault: FolderFault) throws {
    let scene = try scene()
    let arguments = ["export", "Library", "out", "--bag", "--as", "copy", "--format", "json"]
    let outcome = try scene.command(arguments + ["--layout", "{label}"], with: fault)
    try outcome.expect(3)
    let refused = try #require(try outcome.json()["refused"].array.first)
    let path = try #require(refused["path"].string)
    #expect(try outcome.json()["refused"].array.count == 1 && outcome.json()["filesAdded"].int == 2)
    #expect(refused["detail"].string?.contains("file system") == true, "\(outcome.streams)")
    #expect(outcome.error.contains("\"\(path)\" is left out of the folder"), "\(outcome.error)")
    let paths = try scene.madePaths("out")
    #expect(paths.count == 6 && !paths.contains(path), "\(paths)")
    let bag = try Tool.run("sha256sum", ["-c", "manifest-sha256.txt"], in: scene.at("out"))
    #expect(bag.status == 0 && bag.output.split(separator: "\n").count == 2, "\(bag.output)")
    #expect(try beside(scene) == [])
    // It is not known as whole, so that a later call tries again.
    let next = try scene.command(arguments + ["--layout", "{label}"])
    try next.expect(0)
    #expect(try next.json()["filesAdded"].int == 1 && next.json()["filesKept"].int == 2)
    #expect(try scene.madePaths("out").contains(path))
  }

  @Test(
    "A sidecar is not written without its file, and a gallery has the originals that can be held"
  )
  func refusingOthers() throws {
    let scene = try scene()
    let name = FolderFault("", "renameat2:error=EINVAL:when=1", "renameat:error=EINVAL:when=1")
    try scene.command(["export", "Library", "out", "--sidecars", "xmp"], with: name).expect(3)
    #expect(try scene.madePaths("out").count == 4)
    let length = FolderFault("", "copy_file_range:error=EFBIG:when=3")
    let arguments = ["gallery", "Library", "site", "--originals", "--as", "copy"]
    try scene.command(arguments, with: length).expect(3)
    let originals = try scene.madePaths("site").filter { $0.hasPrefix("originals/") }
    #expect(originals.count == 2, "\(originals)")
  }

  @Test(
    "Without the links that are wanted nothing is made, and the sentence has the way out",
    arguments: [
      ("hardlink", FolderFault("another file system", "linkat:error=EXDEV")),
      ("hardlink", FolderFault("exFAT", "linkat:error=EPERM")),
      ("symlink", FolderFault("FAT", "symlinkat:error=EPERM")),
      ("symlink", FolderFault("FUSE", "symlinkat:error=ENOSYS")),
    ]
  )
  func noLinks(method: String, fault: FolderFault) throws {
    let scene = try scene()
    let outcome = try scene.command(["export", "Library", "out", "--as", method], with: fault)
    #expect(outcome.code == 74 && outcome.error.contains("--as copy"), "\(outcome.streams)")
    #expect(!FileManager.default.fileExists(atPath: scene.at("out")))
    #expect(try beside(scene) == [])
  }

  @Test(
    "A gallery and a contact sheet are made on FUSE, and known again",
    arguments: [
      ["gallery", "Library", "out", "--originals"], ["contact-sheet", "Library", "out", "--pdf"],
    ]
  )
  func otherFolders(arguments: [String]) throws {
    let scene = try scene()
    let fault = FolderFault("", "renameat2:error=EINVAL", "linkat:error=EPERM")
    for isKnown in [false, true] {
      let outcome = try scene.command(arguments + ["--format", "json"], with: fault)
      try outcome.expect(0)
      #expect(try outcome.json()["isCurrent"].bool == isKnown, "\(outcome.streams)")
    }
    let other = try scene.command(arguments + ["--neutral"], with: fault)
    try other.expect(0)
    #expect(try beside(scene) == [], "\(other.streams)")
  }

  @Test(
    "At a mount nothing is written, not even beside it",
    .enabled(if: Namespace.isAvailable, "this user may not mount a tmpfs")
  )
  func mount() throws {
    let scene = try scene()
    let script = """
      mkdir stick && mount -t tmpfs tmpfs stick || exit 1
      "$mediabatch" export Library stick; echo "code $?"
      "$mediabatch" export Library stick/out; echo "code $?"; ls -A stick
      """
    let result = try Namespace.run(script, in: scene.path)
    #expect(result.output.contains("code 64\n"), "\(result.streams)")
    #expect(result.output.hasSuffix("code 0\nout\n"), "\(result.streams)")
    #expect(result.error.contains("Name a folder in it"), "\(result.streams)")
    #expect(try beside(scene) == [])
  }

  @Test("A file of somebody else that has one of the names is left alone")
  func strangers() throws {
    let scene = try scene()
    let fault = FolderFault("", "renameat2:error=EINVAL", "linkat:error=EPERM")
    try scene.command("export", "Library", "out", "--layout", "{label}").expect(0)
    try scene.put(".out.mediabatch-earlier/letter.txt", "mine")
    let refused = try scene.command(["export", "Library", "out", "--layout", "x{label}"], with: fault)
    #expect(refused.code == 64 && refused.streams.contains("not made by"), "\(refused.streams)")
    #expect(try readBytes(scene.at(".out.mediabatch-earlier/letter.txt")) == Array("mine".utf8))
    try scene.put("mine", "mine")
    let file = try scene.command(["export", "Library", "mine"], with: fault)
    #expect(file.code == 64, "\(file.streams)")
    #expect(try readBytes(scene.at("mine")) == Array("mine".utf8))
  }
}
