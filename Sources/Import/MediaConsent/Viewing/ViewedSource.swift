internal import MediaFileSystem
internal import MediaModel
internal import MediaPicking

/// A source as a viewer lists it and opens its files: one conformer for each layout.
///
/// A conformer is made before the viewer is confined, and may start processes of its own then; nothing of the source
/// is opened before ``list()``.
protocol ViewedSource: AnyObject {
  /// Whether a file costs no more than opening it, so that capture times which the list lacks are read from files.
  var readsTimes: Bool { get }

  /// Lists what can be picked, once.
  ///
  /// - Returns: The candidates in the order of their first files' paths, and the folders or files that could not
  ///   be listed; nil when nothing can be.
  func list() -> (candidates: [PickCandidate], unlistedCount: Int)?

  /// Why ``list()`` gave nothing: a code that ``ConsentError/Code/isOfSource``, or one with which the page ends.
  var failure: ConsentError.Code { get }

  /// Opens the file of a candidate that is shown, which is the first.
  ///
  /// - Parameter candidate: One that was listed.
  /// - Returns: The file, open for reading at its beginning; nil when it may not be opened.
  func open(_ candidate: PickCandidate) -> Descriptor?

  /// Opens the file of a candidate for its capture time alone, where ``readsTimes``.
  ///
  /// - Parameter candidate: As for ``open(_:)``.
  /// - Returns: The file; nil also for one that costs more than opening it.
  func openForTime(_ candidate: PickCandidate) -> Descriptor?

  /// Takes note that no page reads the file of a candidate any more that ``open(_:)`` returned.
  func endShowing(_ candidate: PickCandidate)

  /// Ends what was started for the source, when nothing is shown any more.
  func end()
}

extension ViewedSource {
  var readsTimes: Bool { false }
  var failure: ConsentError.Code { .folderUnreadable }
  func openForTime(_ candidate: PickCandidate) -> Descriptor? { open(candidate) }
  func endShowing(_ candidate: PickCandidate) {}
  func end() {}
}

/// A folder whose files are files of their own.
final class ViewedFolder: ViewedSource {
  let readsTimes = true
  private let root: Descriptor
  private let task: ViewerTask

  /// Makes the source of a folder, which is open as a place.
  init(_ root: Descriptor, _ task: ViewerTask) { (self.root, self.task) = (root, task) }

  func list() -> (candidates: [PickCandidate], unlistedCount: Int)? {
    let walker = try? DirectoryWalker(
      root: root,
      names: PickCandidates(filter: task.filter, showsLeftOut: task.showsLeftOut, isThere: root.holds),
      crossMounts: task.crossMounts
    )
    guard var walker else { return nil }
    return (walker.all(), walker.unlistedCount)
  }

  func open(_ candidate: PickCandidate) -> Descriptor? {
    candidate.files.first.flatMap { root.openForViewing($0, task) }
  }
}

/// Files of a folder that are known by their paths, such as those of groups in a library.
final class ViewedFiles: ViewedSource {
  private let files: [ItemPath]
  private let root: Descriptor
  private let task: ViewerTask

  /// Makes the source of a folder, which is open as a place.
  init(_ files: [ItemPath], of root: Descriptor, _ task: ViewerTask) {
    (self.files, self.root, self.task) = (files, root, task)
  }

  func list() -> (candidates: [PickCandidate], unlistedCount: Int)? {
    (files.map { PickCandidate(files: [$0]) }, 0)
  }

  func open(_ candidate: PickCandidate) -> Descriptor? {
    candidate.files.first.flatMap { root.openForViewing($0, task) }
  }
}

extension Descriptor {
  /// Whether there is something at a path beneath this folder; nothing is opened.
  func holds(_ path: ItemPath) -> Bool { (try? FileSystem.status(in: self, name: path.bytes)) != nil }

  /// Opens a file beneath a source's root for a person's eyes.
  ///
  /// - Parameters:
  ///   - path: The path beneath this folder. No link is followed, and no mount is crossed.
  ///   - task: What the viewer may open.
  /// - Returns: The file; nil for what is no regular file, and for one with a second name where that may be another
  ///   source's.
  func openForViewing(_ path: ItemPath, _ task: ViewerTask) -> Descriptor? {
    guard
      let file = try? FileSystem.openForReading(beneath: self, path.bytes, crossMounts: false),
      let status = try? file.status(), status.kind == .regular,
      status.linkCount == 1 || !task.guardedDevices.contains(status.device)
    else { return nil }
    return file
  }
}
