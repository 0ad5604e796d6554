private import CSandbox
private import Glibc

extension SelfTest {
  /// Attempts to read files or names of a refused folder.
  static func reading(_ stage: SelfTestStage) -> [Attempt] {
    let upwards = stage.allowedFolder + String(repeating: "/..", count: 64) + stage.refusedFile
    let parent = "/proc/\(getppid())"
    return [
      Attempt("open a refused file by its absolute path", openNumber(stage.refusedFile, O_RDONLY)),
      Attempt("open it from a granted folder by way of ..", openNumber(upwards, O_RDONLY)),
      Attempt("open it through a symlink in a granted folder", openNumber(stage.plantedSymlink, O_RDONLY)),
      Attempt(
        "open it through a symlink to its folder",
        openNumber(stage.plantedFolderSymlink + "/secret.jpg", O_RDONLY)
      ),
      Attempt(
        "open it through /proc/self/root",
        openNumber("/proc/self/root" + stage.refusedFile, O_RDONLY)
      ),
      Attempt(
        "open it through the parent's root",
        openNumber(parent + "/root" + stage.refusedFile, O_RDONLY)
      ),
      Attempt("open it from inside its folder", openFromInside(stage, "secret.jpg")),
      Attempt("open it through /proc/self/cwd", openFromInside(stage, "/proc/self/cwd/secret.jpg")),
      Attempt("open again a descriptor that only names it", reopen(stage.refusedFile)),
      Attempt("open it beneath a descriptor that names its folder", openBeneath(stage)),
      Attempt("open it by its file handle", csandbox_try_handle(stage.refusedFolder, stage.refusedFile)),
      Attempt("list a refused folder", openNumber(stage.refusedFolder, O_RDONLY | O_DIRECTORY)),
      Attempt(
        "list a refused folder through /proc/self/root",
        openNumber("/proc/self/root" + stage.refusedFolder, O_RDONLY | O_DIRECTORY)
      ),
      Attempt("watch a refused folder (inotify)", csandbox_try_watch(stage.refusedFolder)),
      Attempt("read the parent's environment", openNumber(parent + "/environ", O_RDONLY)),
      Attempt("open the parent's memory", openNumber(parent + "/mem", O_RDONLY)),
      Attempt("open its own memory as a file", openNumber("/proc/self/mem", O_RDWR)),
      Attempt("read the system's list of users", openNumber("/etc/passwd", O_RDONLY)),
    ]
  }

  /// Attempts to change a refused folder, its files or their metadata.
  static func changing(_ stage: SelfTestStage) -> [Attempt] {
    let file = stage.refusedFile
    let newFile = stage.refusedFolder + "/made.jpg"
    return [
      Attempt("write to a refused file", openNumber(file, O_WRONLY)),
      Attempt("cut a refused file", number(truncate(file, 6))),
      Attempt("make a file in a refused folder", openNumber(newFile, O_WRONLY | O_CREAT)),
      Attempt("remove a file of a refused folder", number(unlink(stage.refusedSpare))),
      Attempt("rename within a refused folder", move(file, stage.refusedFolder + "/renamed.jpg")),
      Attempt("make a file without a name in a refused folder", csandbox_try_unnamed(stage.refusedFolder)),
      Attempt("make a folder in a refused folder", makeFolder(stage.refusedFolder + "/made")),
      Attempt(
        "make a symlink in a refused folder",
        number(symlink("secret.jpg", stage.refusedFolder + "/made-symlink.jpg"))
      ),
      Attempt(
        "make a FIFO in a refused folder",
        csandbox_try_make(stage.refusedFolder + "/made-fifo", S_IFIFO)
      ),
      Attempt(
        "make a device in a refused folder",
        csandbox_try_make(stage.refusedFolder + "/made-device", S_IFCHR)
      ),
      Attempt("change a refused file's mode", number(chmod(file, 0o600))),
      Attempt(
        "change a refused file's mode beneath its folder's descriptor",
        csandbox_try_change_mode_beneath(stage.refusedFolder, "secret.jpg")
      ),
      Attempt("change a refused file's owner", number(chown(file, getuid(), getgid()))),
      Attempt("change a refused file's times", number(utimensat(AT_FDCWD, file, nil, 0))),
      Attempt("add to a refused file's attributes", csandbox_try_set_xattr(file)),
      Attempt("remove from a refused file's attributes", csandbox_try_remove_xattr(file)),
      Attempt("mount over a refused folder", csandbox_try_mount(stage.refusedFolder)),
      Attempt(
        "mount a refused folder on the staging folder",
        csandbox_try_bind_mount(stage.refusedFolder, stage.stagingFolder)
      ),
    ]
  }

  /// Attempts to move or link files between a refused folder and those that a run may use.
  static func staging(_ stage: SelfTestStage) -> [Attempt] {
    [
      Attempt(
        "link a refused file into the staging folder",
        unlinked(link(stage.refusedFile, stage.stagingFolder + "/linked.jpg"), "linked.jpg", stage)
      ),
      Attempt(
        "move a refused file into the staging folder",
        move(stage.refusedFile, stage.stagingFolder + "/moved.jpg")
      ),
      Attempt(
        "exchange a refused file with one of the staging folder",
        csandbox_try_exchange(stage.refusedFile, stage.stagedFile)
      ),
      Attempt(
        "move a staged file into a refused folder",
        move(stage.stagedFile, stage.refusedFolder + "/made.jpg")
      ),
      Attempt("write to a granted source", openNumber(stage.allowedFile, O_WRONLY)),
      Attempt(
        "make a file in a granted source",
        openNumber(stage.allowedFolder + "/made.jpg", O_WRONLY | O_CREAT)
      ),
      Attempt("remove a file of a granted source", number(unlink(stage.allowedSpare))),
      Attempt(
        "make a device in the staging folder",
        csandbox_try_make(stage.stagingFolder + "/made-device", S_IFCHR)
      ),
      Attempt(
        "make a block device in the staging folder",
        csandbox_try_make(stage.stagingFolder + "/made-device", S_IFBLK)
      ),
      Attempt(
        "make a FIFO in the staging folder",
        csandbox_try_make(stage.stagingFolder + "/made-fifo", S_IFIFO)
      ),
    ]
  }

  /// Attempts to change files that an earlier run has published.
  static func publishing(_ stage: SelfTestStage) -> [Attempt] {
    let file = stage.publishedFile
    return [
      Attempt("overwrite a published file", openNumber(file, O_WRONLY)),
      Attempt("append to a published file", openNumber(file, O_WRONLY | O_APPEND)),
      Attempt("cut a published file", number(truncate(file, 6))),
      Attempt("move a published file away", move(file, stage.stagingFolder + "/unpublished.jpg")),
      Attempt(
        "exchange a published file with one of the staging folder",
        csandbox_try_exchange(file, stage.stagedFile)
      ),
      Attempt(
        "link a published file into the staging folder, where it could be written",
        unlinked(link(file, stage.stagingFolder + "/relinked.jpg"), "relinked.jpg", stage)
      ),
      Attempt("change a published file's mode", number(chmod(file, 0o600))),
      Attempt("change a published file's owner", number(lchown(file, getuid(), getgid()))),
      Attempt("change a published file's times", number(utimensat(AT_FDCWD, file, nil, 0))),
      Attempt("remove a published file", number(unlink(stage.publishedSpare))),
    ]
  }

  /// Attempts to do more with a photo library than to add files to it.
  static func adding(_ stage: SelfTestStage) -> [Attempt] {
    let (file, folder) = (stage.ownFile, stage.addedFolder)
    return [
      Attempt("read a file of a photo library that is added to", openNumber(file, O_RDONLY)),
      Attempt("list a photo library that is added to", openNumber(folder, O_RDONLY | O_DIRECTORY)),
      Attempt("overwrite a file of the photo library", openNumber(file, O_WRONLY)),
      Attempt("append to a file of the photo library", openNumber(file, O_WRONLY | O_APPEND)),
      Attempt("cut a file of the photo library", number(truncate(file, 6))),
      Attempt(
        "write a file in the photo library, past the folder of incoming files",
        openNumber(folder + "/made.jpg", O_WRONLY | O_CREAT)
      ),
      Attempt("replace a file of the photo library", replace(file, by: stage.incomingFile)),
      Attempt(
        "exchange a file of the photo library with an incoming one",
        csandbox_try_exchange(file, stage.incomingFile)
      ),
      Attempt(
        "move a file of the photo library to the incoming ones",
        move(file, stage.incomingFolder + "/moved.jpg")
      ),
      Attempt(
        "link a file of the photo library to the incoming ones, where it could be read",
        linked(file, stage.incomingFolder + "/linked.jpg")
      ),
      Attempt(
        "link a file of the photo library into the staging folder",
        unlinked(link(file, stage.stagingFolder + "/linked.jpg"), "linked.jpg", stage)
      ),
      Attempt("change the mode of a file of the photo library", number(chmod(file, 0o600))),
      Attempt("remove a file of the photo library", number(unlink(stage.ownSpare))),
    ]
  }

  /// Renames a file over another one, and makes both again if that succeeded; returns the errno.
  private static func replace(_ path: String, by other: String) -> Int32 {
    guard rename(other, path) == 0 else { return errno }
    link(path, other)
    return 0
  }

  private static func linked(_ path: String, _ other: String) -> Int32 {
    guard link(path, other) == 0 else { return errno }
    unlink(other)
    return 0
  }

  /// Attempts to change a file's metadata by a read-only descriptor.
  static func marking(_ descriptor: Int32, named name: String) -> [Attempt] {
    [
      Attempt("change \(name)'s mode by its descriptor", number(fchmod(descriptor, 0o600))),
      Attempt("change \(name)'s owner by its descriptor", number(fchown(descriptor, getuid(), getgid()))),
      Attempt("change \(name)'s times by its descriptor", number(futimens(descriptor, nil))),
      Attempt(
        "add to \(name)'s attributes by its descriptor",
        csandbox_try_set_xattr_by_descriptor(descriptor)
      ),
      Attempt(
        "remove from \(name)'s attributes by its descriptor",
        csandbox_try_remove_xattr_by_descriptor(descriptor)
      ),
    ]
  }

  /// Opens a path and returns the errno, 0 when it succeeded.
  static func openNumber(_ path: String, _ flags: Int32) -> Int32 {
    closed(open(path, flags | O_CLOEXEC | O_NONBLOCK, 0o600))
  }

  /// Returns the errno for a result of -1, else 0.
  static func number(_ result: Int32) -> Int32 {
    result == -1 ? errno : 0
  }

  /// Returns the errno, or 0 if it is `past`, which the kernel only returns for a call that no
  /// layer or filter refused.
  static func reached(_ result: Int32, past: Int32) -> Int32 {
    let number = number(result)
    return number == past ? 0 : number
  }

  /// Moves a file, and back if that succeeded; returns the errno.
  private static func move(_ path: String, _ destination: String) -> Int32 {
    guard rename(path, destination) == 0 else { return errno }
    rename(destination, path)
    return 0
  }

  private static func unlinked(_ result: Int32, _ name: String, _ stage: SelfTestStage) -> Int32 {
    guard result == 0 else { return errno }
    unlink(stage.stagingFolder + "/" + name)
    return 0
  }

  private static func makeFolder(_ path: String) -> Int32 {
    guard mkdir(path, 0o700) == 0 else { return errno }
    rmdir(path)
    return 0
  }

  private static func closed(_ descriptor: Int32) -> Int32 {
    guard descriptor >= 0 else { return errno }
    close(descriptor)
    return 0
  }

  private static func reopen(_ path: String) -> Int32 {
    let descriptor = csandbox_open_path(path)
    guard descriptor >= 0 else { return -descriptor }
    defer { close(descriptor) }
    return openNumber("/proc/self/fd/\(descriptor)", O_RDONLY)
  }

  private static func openBeneath(_ stage: SelfTestStage) -> Int32 {
    let descriptor = csandbox_open_path(stage.refusedFolder)
    guard descriptor >= 0 else { return -descriptor }
    defer { close(descriptor) }
    return closed(openat(descriptor, "secret.jpg", O_RDONLY | O_CLOEXEC))
  }

  private static func openFromInside(_ stage: SelfTestStage, _ path: String) -> Int32 {
    let before = csandbox_open_path(".")
    guard before >= 0 else { return -before }
    defer { close(before) }
    guard chdir(stage.refusedFolder) == 0 else { return errno }
    defer { _ = fchdir(before) }
    return openNumber(path, O_RDONLY)
  }
}
