internal import Glibc
internal import MediaFileSystem
internal import MediaModel
internal import MediaPhotosLibrary
internal import MediaPicking
internal import MediaSandbox

/// A library of Apple Photos, whose database says what its files are.
///
/// The database is read as a run reads it, by a process of its own: it is started before the viewer is confined, and
/// gets the database when the list is asked for. Of a source that was refused nothing is listed, since names are in the
/// database alone.
final class ViewedPhotosLibrary: ViewedSource {
  /// The seconds without a word of the database's process after which a person need not wait for it.
  private static let patience = 120

  private let root: Descriptor
  private let task: ViewerTask
  /// Nil where the source was refused, and when it has read.
  private var reader: PhotosReader?
  private(set) var failure = ConsentError.Code.databaseRefused

  /// Makes the source of a library, whose folder is open as a place, and starts the process; nothing is opened.
  ///
  /// - Throws: `SandboxError` `.spawnFailed`.
  init(_ root: Descriptor, _ task: ViewerTask) throws(SandboxError) {
    (self.root, self.task) = (root, task)
    guard task.showsPictures else { return }
    let null: Descriptor
    do {
      null = try FileSystem.openDevice([UInt8]("/dev/null".utf8))
    } catch {
      throw SandboxError(.spawnFailed, number: error.errno)
    }
    reader = try withExtendedLifetime(null) { () throws(SandboxError) in
      try PhotosReader(nullDevice: null.raw, enforcesByKernel: true)
    }
  }

  func list() -> (candidates: [PickCandidate], unlistedCount: Int)? {
    guard let reader else { return nil }
    self.reader = nil
    do throws(PhotosLibraryError) {
      let index = try reader.read(try files(), within: Self.patience)
      var candidates = PhotosCandidates(of: index, showsHidden: task.showsHidden)
      guard let unlistedCount = walk(into: &candidates) else {
        failure = .folderUnreadable
        return nil
      }
      return (candidates.all.filter { task.filter.lists($0.kind) }, unlistedCount)
    } catch {
      failure = Self.code(of: error)
      return nil
    }
  }

  func open(_ candidate: PickCandidate) -> Descriptor? {
    candidate.files.first.flatMap { root.openForViewing($0, task) }
  }

  /// The database's files; one that may be another source's too is not opened, as in a run.
  private func files() throws(PhotosLibraryError) -> PhotosReader.Files {
    let files = try PhotosReader.Files(beneath: root, crossMounts: task.crossMounts)
    for status in [files.database, files.log].compactMap({ $0 })
    where status.linkCount > 1 && task.guardedDevices.contains(status.device) {
      throw PhotosLibraryError(.cannotOpen)
    }
    return files
  }

  /// The word for a person; who reads it can do no more than it says.
  private static func code(of error: PhotosLibraryError) -> ConsentError.Code {
    switch error.code {
    case .missing, .cannotOpen, .damaged, .tooLarge, .readerEnded: .databaseUnreadable
    case .unknownSchema: .databaseUnknown
    case .unfinished, .changed: .databaseChanging
    case .notConfined: .pickerNotConfined
    }
  }

  /// Looks at the files of originals and renditions, and opens none.
  ///
  /// - Returns: The folders that could not be listed; nil where that is the library itself.
  private func walk(into candidates: inout PhotosCandidates) -> Int? {
    guard let rootStatus = try? root.status() else { return nil }
    var folders = [ItemPath(bytes: [])]
    var unlistedCount = 0
    while let path = folders.popLast() {
      let folder = try? FileSystem.openForReading(
        beneath: root,
        path.bytes.isEmpty ? [UInt8.dot] : path.bytes,
        crossMounts: task.crossMounts,
        isFolder: true
      )
      guard let folder, let entries = try? FileSystem.entries(of: folder) else {
        if path.bytes.isEmpty { return nil }
        unlistedCount += 1
        continue
      }
      for entry in entries {
        let child = path.appending(entry.name)
        let isEntered = PhotosLibraryFiles.isEntered(child, includesShared: task.showsHidden)
        let isMedia = PhotosLibraryFiles.isMedia(child, includesShared: task.showsHidden)
        guard isEntered || isMedia,
          let status = try? FileSystem.status(in: folder, name: entry.name)
        else { continue }
        if status.kind == .regular, isMedia { candidates.add(child, status) }
        if status.kind == .folder, isEntered,
          task.crossMounts || !status.isOnOtherMount(than: rootStatus)
        {
          folders.append(child)
        }
      }
    }
    return unlistedCount
  }
}
