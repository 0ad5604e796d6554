import Foundation
import Glibc
import MediaTestSupport
import Testing

/// A file system in an image file, whose power can be cut.
///
/// It is mounted in the mount namespace of the program that writes it: both are gone with that program,
/// and the loop device with them, however a test ends.
struct CutDisk {
  enum Kind: String, CaseIterable, CustomTestStringConvertible {
    case ext4, xfs

    var testDescription: String { rawValue }

    fileprivate var make: [String] {
      switch self {
      // Nothing is initialized later, while the image is copied.
      case .ext4:
        ["mkfs.ext4", "-q", "-F", "-m", "0", "-E", "lazy_itable_init=0,lazy_journal_init=0"]
      // Otherwise it makes none that is as small as this.
      case .xfs: ["mkfs.xfs", "-q", "-f", "--unsupported"]
      }
    }

    /// The copy of an image has the identifier of its original, which may still be mounted.
    fileprivate var options: String { self == .xfs ? "loop,nouuid" : "loop" }

    /// An empty image, made once.
    fileprivate func pristine() throws -> String {
      try (self == .ext4 ? Self.emptyExt4 : Self.emptyXFS).get()
    }

    private static let emptyExt4 = Result { try Kind.ext4.makeImage() }
    private static let emptyXFS = Result { try Kind.xfs.makeImage() }

    private func makeImage() throws -> String {
      let image = CutDisk.images.path + "/" + rawValue
      try Independent.make("truncate", ["-s", "96M", image])
      try Independent.make(make[0], Array(make.dropFirst()) + [image])
      return image
    }

    /// Whether this user can make such an image here and mount it.
    var isAvailable: Bool { Self.available.contains(self) }

    private static let available: Set<Kind> = {
      guard getuid() == 0, Tool.exists("unshare"), Tool.exists("losetup") else { return [] }
      return Set(
        allCases.filter { kind in
          guard let image = try? kind.pristine() else { return false }
          let copy = image + " to try"
          guard (try? Independent.make("cp", ["--sparse=always", image, copy])) != nil else {
            return false
          }
          let mount = ["mount", "-o", kind.options, copy, "/mnt"]
          return (try? Tool.run("unshare", Namespace.arguments + mount))?.status == 0
        }
      )
    }()
  }

  private static let images = TemporaryFolder.untilExit()

  let kind: Kind
  let image: String
  /// The folder under which it is mounted, for the program alone.
  let folder: String

  /// An empty one in the folder of a scene.
  init(_ kind: Kind, in scene: Scene) throws {
    self.kind = kind
    image = scene.at("image")
    folder = scene.at("disk")
    try scene.makeFolder("disk")
    try Independent.make("cp", ["--sparse=always", kind.pristine(), image])
  }

  /// The arguments before those of a program that has the disk mounted while it runs.
  var mounting: [String] {
    [
      "unshare", "-m", "--propagation", "private", "sh", "-c",
      "mount -o \"$0\" \"$1\" \"$2\" && shift 2 && exec \"$@\"", kind.options, image, folder,
    ]
  }

  /// A path of the disk as a process sees it that has it mounted.
  func path(_ relative: String, seenBy pid: pid_t) -> String {
    "/proc/\(pid)/root\(folder)/\(relative)"
  }

  /// Cuts the power: from now on nothing reaches the image, not even the journal in memory.
  ///
  /// Source: EXT4_IOC_SHUTDOWN and XFS_IOC_GOINGDOWN, which are one number, with
  /// EXT4_GOING_FLAGS_NOLOGFLUSH and XFS_FSOP_GOING_FLAGS_NOLOGFLUSH, which are 2.
  func cutPower(seenBy pid: pid_t) throws {
    let root = open(path("", seenBy: pid), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    try #require(root >= 0, "the disk is not mounted")
    defer { close(root) }
    var flags: UInt32 = 2
    let result = ioctl(root, 0x8004_587D, &flags)
    try #require(result == 0, "errno \(errno)")
  }

  /// Copies the image as it is at one moment: as long as it changes meanwhile, again.
  func snapshot(_ copy: String) throws -> CutDisk {
    for _ in 0..<50 {
      try Independent.make("cp", ["--reflink=auto", "--sparse=always", image, copy])
      if try Tool.run("cmp", ["-s", image, copy]).status == 0 {
        return CutDisk(kind: kind, image: copy, folder: folder)
      }
    }
    Issue.record("the image never stands still")
    throw CocoaError(.fileReadUnknown)
  }

  /// Whether no loop device has the image, at most a minute from now: the last process that had it
  /// mounted may have ended this moment.
  func isReleased() throws -> Bool {
    try waits(seconds: 60) {
      try Tool.run("losetup", ["--associated", image]).output.isEmpty
    }
  }

  private init(kind: Kind, image: String, folder: String) {
    self.kind = kind
    self.image = image
    self.folder = folder
  }
}
