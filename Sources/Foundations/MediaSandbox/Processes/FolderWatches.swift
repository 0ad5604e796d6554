private import CSandbox
private import Glibc

/// The watches of one inotify descriptor, and what is needed to find the folders for them, by the calls
/// that ``WatcherConfinement`` leaves.
///
/// Source: inotify(7).
package final class FolderWatches {
  /// A change in a watched folder.
  package struct Event: Sendable, Hashable {
    /// The number that ``add(_:)`` gave for the folder.
    package var watch: Int32
    /// The name in the folder; nil for the folder itself.
    package var name: [UInt8]?
    /// Whether events were lost because the kernel's queue was full.
    package var isLost: Bool
    /// Whether the watch has ended, since its folder is gone.
    package var isEnd: Bool
    /// Whether the name is that of a folder.
    package var isFolder: Bool
    /// Whether something new is there: a name, or content that was written.
    package var hasCome: Bool
    /// Whether something has another place now.
    package var hasMoved: Bool
  }

  /// The result of adding a watch.
  package enum Addition: Sendable, Hashable {
    case watched(Int32)
    /// The user has no more watches: `fs.inotify.max_user_watches`.
    case noneLeft
    /// The folder cannot be watched, for it is gone or may not be read.
    case refused
  }

  /// The descriptor, for poll(2); it does not block.
  package let descriptor: Int32
  private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 8)

  /// Makes a descriptor without a watch.
  ///
  /// - Throws: `.spawnFailed` when the user has too many: `fs.inotify.max_user_instances`.
  package init() throws(SandboxError) {
    descriptor = csandbox_watches_open()
    guard descriptor >= 0 else {
      throw SandboxError(.spawnFailed, result: descriptor, subject: "inotify")
    }
  }

  deinit {
    close(descriptor)
    buffer.deallocate()
  }

  /// Watches an open folder, itself and not what is beneath it.
  package func add(_ folder: Int32) -> Addition {
    let watch = csandbox_watch(descriptor, folder)
    if watch >= 0 { return .watched(watch) }
    return watch == -ENOSPC || watch == -ENOMEM ? .noneLeft : .refused
  }

  /// Ends a watch.
  package func remove(_ watch: Int32) { csandbox_unwatch(descriptor, watch) }

  /// Returns the events that have arrived, without waiting.
  package func read() -> [Event] {
    var events: [Event] = []
    withUnsafeMutablePointer(to: &events) { pointer in
      _ = csandbox_watches_read(
        descriptor,
        buffer.baseAddress,
        buffer.count,
        { event, context in
          guard let event = event?.pointee, let context else { return }
          context.assumingMemoryBound(to: [Event].self).pointee.append(
            Event(
              watch: event.watch,
              name: event.name.map { bytes(of: $0) },
              isLost: event.is_lost != 0,
              isEnd: event.is_end != 0,
              isFolder: event.is_folder != 0,
              hasCome: event.has_come != 0,
              hasMoved: event.has_moved != 0
            )
          )
        },
        pointer
      )
    }
    return events
  }

  // MARK: Folders

  /// Opens a folder for listing, following no symbolic link.
  ///
  /// - Parameters:
  ///   - name: One component, or `.`.
  ///   - folder: An open folder; O_PATH suffices.
  /// - Returns: A descriptor, which the caller closes; nil when there is no such folder, or it may not be
  ///   listed.
  package static func open(_ name: [UInt8], in folder: Int32) -> Int32? {
    name.withPath { csandbox_open_listed(folder, $0) }.flatMap { $0 >= 0 ? $0 : nil }
  }

  /// The number of the mount that an open folder lies in; nil when the kernel does not tell.
  package static func mount(of folder: Int32) -> UInt64? {
    var mount: UInt64 = 0
    return csandbox_mount(folder, &mount) == 0 ? mount : nil
  }

  /// Returns the names in an open folder; `mayBeFolder` is false for what is known to be none.
  package static func entries(of folder: Int32) -> [(name: [UInt8], mayBeFolder: Bool)] {
    typealias Entry = (name: [UInt8], mayBeFolder: Bool)
    var entries: [Entry] = []
    withUnsafeMutablePointer(to: &entries) { pointer in
      _ = csandbox_each_entry(
        folder,
        { name, type, context in
          guard let name, let context else { return }
          // DT_UNKNOWN is 0, DT_DIR is 4.
          context.assumingMemoryBound(to: [Entry].self)
            .pointee.append((bytes(of: name), type == 0 || type == 4))
        },
        pointer
      )
    }
    return entries
  }
}

private func bytes(of name: UnsafePointer<CChar>) -> [UInt8] {
  [UInt8](UnsafeRawBufferPointer(start: name, count: strlen(name)))
}
