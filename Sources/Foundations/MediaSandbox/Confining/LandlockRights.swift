/// The rights of a Landlock rule beneath a folder, or for one file; raw values are the kernel's.
///
/// Source: linux/landlock.h, "Filesystem flags"; later ABIs are named at the rights they added.
package struct LandlockRights: OptionSet, Sendable, Hashable {
  /// LANDLOCK_ACCESS_FS_ flags.
  package let rawValue: UInt64

  /// Makes rights from the kernel's flags.
  package init(rawValue: UInt64) {
    self.rawValue = rawValue
  }

  /// Starting a program; mapping a library needs reading only.
  package static let execute = LandlockRights(rawValue: 1 << 0)
  /// Opening for writing.
  package static let writeFile = LandlockRights(rawValue: 1 << 1)
  /// Opening for reading.
  package static let readFile = LandlockRights(rawValue: 1 << 2)
  /// Opening a folder for reading.
  package static let listFolder = LandlockRights(rawValue: 1 << 3)
  /// Removing an empty folder, or moving one away.
  package static let removeFolder = LandlockRights(rawValue: 1 << 4)
  /// Unlinking a file, or moving one away.
  package static let removeFile = LandlockRights(rawValue: 1 << 5)
  /// mkdir, or moving a folder here.
  package static let makeFolder = LandlockRights(rawValue: 1 << 7)
  /// Also needed to link a file into a folder, and for O_TMPFILE.
  package static let makeFile = LandlockRights(rawValue: 1 << 8)
  /// Making a symbolic link.
  package static let makeSymbolicLink = LandlockRights(rawValue: 1 << 12)
  /// Linking or renaming from one folder to another, which is EXDEV without it. ABI 2.
  package static let refer = LandlockRights(rawValue: 1 << 13)
  /// Truncating a file. ABI 3; before it, the right to write included this.
  package static let truncate = LandlockRights(rawValue: 1 << 14)
  /// ioctl on a device opened after confinement. ABI 5.
  package static let deviceControl = LandlockRights(rawValue: 1 << 15)

  /// Reading files and listing folders.
  package static let readAndList: LandlockRights = [.readFile, .listFolder]
  /// The rights in a photo library that files are added to: making files and folders, and giving them
  /// names.
  package static let addOnly: LandlockRights = [.makeFile, .makeFolder, .refer]
  /// The rights in the folder in which those files are written before.
  package static let incoming: LandlockRights = [
    .readAndList, .writeFile, .truncate, .makeFile, .removeFile, .refer,
  ]

  /// The rights that a rule for a file, not a folder, can have; the kernel refuses others.
  static let forFiles: LandlockRights = [
    .execute, .writeFile, .readFile, .truncate, .deviceControl,
  ]

  /// Returns every right that a kernel of this ABI can handle and so deny.
  package static func all(landlockABI abi: Int) -> LandlockRights {
    let count =
      switch abi {
      case ...0: 0
      case 1: 13
      case 2: 14
      case 3, 4: 15
      default: 16
      }
    return LandlockRights(rawValue: (1 << UInt64(count)) - 1)
  }
}
