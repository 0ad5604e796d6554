private import Glibc

/// Files for the self-test, so that an attempt that succeeds does no harm.
///
/// A confined coordinator may read and list `allowedFolder`, write in `stagingFolder`, and make,
/// but not change, files in `publishedFolder`, and make files in `addedFolder` whatever is there; nothing allows
/// `refusedFolder`.
package struct SelfTestStage: Sendable, Hashable {
  /// The folder that contains all of them.
  package var folder: String

  /// Describes a stage, which ``make()`` creates.
  package init(folder: String) {
    self.folder = folder
  }

  /// The folder in the role of a denied source.
  package var refusedFolder: String { folder + "/refused" }
  /// The canary, which no process may read.
  package var refusedFile: String { refusedFolder + "/secret.jpg" }
  /// A file that a successful attempt may remove.
  package var refusedSpare: String { refusedFolder + "/spare.jpg" }
  /// The folder in the role of a granted source.
  package var allowedFolder: String { folder + "/allowed" }
  /// The file that a worker gets.
  package var allowedFile: String { allowedFolder + "/photo.jpg" }
  /// A file that a successful attempt may remove.
  package var allowedSpare: String { allowedFolder + "/spare.jpg" }
  /// A link in the allowed folder to the refused folder.
  package var plantedFolderSymlink: String { allowedFolder + "/folder" }
  /// A link in the allowed folder to the refused file.
  package var plantedSymlink: String { allowedFolder + "/link.jpg" }
  /// The folder in the role of the library's `Originals`.
  package var publishedFolder: String { folder + "/Originals" }
  /// A file in the role of one that an earlier run published.
  package var publishedFile: String { publishedFolder + "/published.jpg" }
  /// A file that a successful attempt may cut or remove.
  package var publishedSpare: String { publishedFolder + "/spare.jpg" }
  /// The folder in the role of the library's `.staging`.
  package var stagingFolder: String { folder + "/.staging" }
  /// A file in the role of one that is about to be published.
  package var stagedFile: String { stagingFolder + "/staged.jpg" }

  /// The folder in the role of a photo library that is only added to.
  package var addedFolder: String { folder + "/Photos" }
  /// A file of the photo library.
  package var ownFile: String { addedFolder + "/own.jpg" }
  /// A file that a successful attempt may cut or remove.
  package var ownSpare: String { addedFolder + "/spare.jpg" }
  /// The folder of files that are about to be added.
  package var incomingFolder: String { addedFolder + "/.incoming" }
  /// A file that is about to be added.
  package var incomingFile: String { incomingFolder + "/incoming.jpg" }

  private var folders: [String] {
    [refusedFolder, allowedFolder, publishedFolder, stagingFolder, addedFolder, incomingFolder]
  }

  private var files: [String] {
    [
      ownFile, ownSpare, incomingFile, refusedFile, refusedSpare, allowedFile, allowedSpare,
      publishedFile, publishedSpare,
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
      PathRule(path: publishedFolder, rights: [.readAndList, .makeFile, .makeFolder, .refer]),
      PathRule(path: addedFolder, rights: .addOnly),
      PathRule(path: incomingFolder, rights: .incoming),
    ]
  }

  /// Creates the folders and files in `folder`, which must exist and be empty.
  ///
  /// - Throws: `.ruleRefused` with the errno and the path that could not be created.
  package func make() throws(SandboxError) {
    for path in folders {
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

  /// Removes the files of ``make()`` and those that attempts may have left; `folder` stays.
  package func remove() {
    for path in files + [plantedSymlink, plantedFolderSymlink] + SelfTest.leftovers(self) {
      unlink(path)
    }
    for path in folders.reversed() { rmdir(path) }
  }
}
