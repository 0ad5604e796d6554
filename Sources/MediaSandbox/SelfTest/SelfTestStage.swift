private import Glibc

/// Files made for the self-test, so that an attempt that works does no harm.
///
/// A confined coordinator may read and list `allowedFolder`, write in `stagingFolder`, and make, but
/// not change, files in `publishedFolder`; nothing allows `refusedFolder`.
package struct SelfTestStage: Sendable, Hashable {
  /// The folder that all of it is in.
  package var folder: String

  /// Names a stage; ``make()`` makes it.
  package init(folder: String) {
    self.folder = folder
  }

  /// Plays a source that was denied.
  package var refusedFolder: String { folder + "/refused" }
  /// The canary that nobody may read.
  package var refusedFile: String { refusedFolder + "/secret.jpg" }
  /// One that an attempt to remove it may cost.
  package var refusedSpare: String { refusedFolder + "/spare.jpg" }
  /// Plays a granted source.
  package var allowedFolder: String { folder + "/allowed" }
  /// What a worker is handed.
  package var allowedFile: String { allowedFolder + "/photo.jpg" }
  /// One that an attempt to remove it may cost.
  package var allowedSpare: String { allowedFolder + "/spare.jpg" }
  /// In the allowed folder, pointing at the refused folder.
  package var plantedFolderSymlink: String { allowedFolder + "/folder" }
  /// In the allowed folder, pointing at the refused file.
  package var plantedSymlink: String { allowedFolder + "/link.jpg" }
  /// Plays the library's `Originals`.
  package var publishedFolder: String { folder + "/Originals" }
  /// What an earlier run published.
  package var publishedFile: String { publishedFolder + "/published.jpg" }
  /// One that an attempt to cut or remove it may cost.
  package var publishedSpare: String { publishedFolder + "/spare.jpg" }
  /// Plays the library's `.staging`.
  package var stagingFolder: String { folder + "/.staging" }
  /// What a run is about to publish.
  package var stagedFile: String { stagingFolder + "/staged.jpg" }

  private var files: [String] {
    [
      refusedFile, refusedSpare, allowedFile, allowedSpare, publishedFile, publishedSpare,
      stagedFile,
    ]
  }

  /// The rules that a run would give a coordinator for these folders, without a worker's.
  package var coordinatorRules: [PathRule] {
    [
      PathRule(path: allowedFolder, rights: .readAndList),
      PathRule(
        path: stagingFolder,
        rights: [
          .readAndList, .writeFile, .truncate, .makeFile, .makeFolder, .removeFile, .removeFolder,
          .refer,
        ]
      ),
      PathRule(
        path: publishedFolder,
        rights: [.readAndList, .makeFile, .makeFolder, .refer]
      ),
    ]
  }

  /// Makes the folders and files; `folder` itself has to exist and be empty.
  ///
  /// - Throws: `.ruleRefused` with the errno and the path that could not be made.
  package func make() throws(SandboxError) {
    for path in [refusedFolder, allowedFolder, publishedFolder, stagingFolder] {
      guard mkdir(path, 0o700) == 0 else {
        throw SandboxError(.ruleRefused, number: errno, subject: path)
      }
    }
    for path in files {
      let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
      guard descriptor >= 0 else {
        throw SandboxError(.ruleRefused, number: errno, subject: path)
      }
      defer { close(descriptor) }
      guard write(descriptor, "canary", 6) == 6 else {
        throw SandboxError(.ruleRefused, number: errno, subject: path)
      }
    }
    for (path, target) in [(plantedSymlink, refusedFile), (plantedFolderSymlink, refusedFolder)] {
      guard symlink(target, path) == 0 else {
        throw SandboxError(.ruleRefused, number: errno, subject: path)
      }
    }
  }

  /// Removes what ``make()`` made and what an attempt may have left; `folder` stays.
  package func remove() {
    for path in files + [plantedSymlink, plantedFolderSymlink] + SelfTest.leftovers(self) {
      unlink(path)
    }
    for path in [refusedFolder, allowedFolder, publishedFolder, stagingFolder] { rmdir(path) }
  }
}
