internal import Glibc
internal import MediaFileSystem
internal import MediaLibrary
internal import MediaListing
internal import MediaManifest
internal import MediaModel
internal import MediaSources

/// Opens the file of an item, after its access record, and refuses one that is not what the record says.
struct ItemOpener {
  let options: RunOptions
  /// Devices on which a file with several names is refused now.
  let guardedDevices: () -> Set<UInt64>
  private let room = RoomEstimate()

  /// - Parameters:
  ///   - options: Those of the run.
  ///   - guardedDevices: Devices on which a file with several names is refused now.
  init(options: RunOptions, guardedDevices: @escaping () -> Set<UInt64>) {
    self.options = options
    self.guardedDevices = guardedDevices
  }

  /// Whether an item is no file of its own, so that it is read from a copy.
  func isCopied(_ item: ItemWork) -> Bool {
    item.source.media.holds(item.planned.path)
  }

  /// Opens the source file and checks its status.
  ///
  /// - Parameters:
  ///   - item: An item whose access record is flushed.
  ///   - folder: The folder of the library in which a copy is made.
  /// - Returns: The attempt that begins with it; nil when the item has ended instead.
  func open(_ item: ItemWork, in folder: Descriptor) -> ItemAttempt? {
    let source = item.source
    if source.refusesHardLink(item.planned.status, guardedDevices: guardedDevices()) {
      item.end(.hardLinked, .open)
      return nil
    }
    if isCopied(item) { return copy(item, in: folder) }
    do {
      let file = try FileSystem.openForReading(
        beneath: source.root,
        item.planned.path.bytes,
        crossMounts: source.crossMounts
      )
      let status = try file.status()
      if let (reason, detail) = refusal(of: item, status, in: folder) {
        item.end(reason, .open, detail)
        return nil
      }
      if let digest = options.assignment?[source.id]?.digest(of: item.planned.path),
        try !digest.isThat(of: file)
      {
        item.end(.notAsPlanned, .read, "its content is not that of the plan")
        return nil
      }
      return item.begin(with: file, status)
    } catch {
      // A limited source has a rule for the file that was there: another one in its place is
      // EACCES.
      let isReplaced =
        error.isMissing || error.errno == ELOOP
        || (error.errno == EACCES && source.selection != nil)
      let reason: ItemReason =
        isReplaced ? .changedDuringRun : error.errno == EXDEV ? .otherFileSystem : .cannotOpen
      item.end(reason, .open, FileSystemError.text(error.errno))
      return nil
    }
  }

  /// Copies what is no file of its own into an unlinked file of the batch.
  ///
  /// - Returns: The attempt that begins with it; nil when the item has ended instead.
  private func copy(
    _ item: ItemWork,
    in folder: Descriptor
  ) -> ItemAttempt? {
    if let (reason, detail) = refusalOfSize(of: item, item.planned.status, in: folder) {
      item.end(reason, .open, detail)
      return nil
    }
    do {
      let copy = try FileSystem.unlinkedFile(in: folder)
      try item.source.media.copy(item.planned.path, into: copy)
      let status = try copy.status()
      guard status.size == item.planned.status.size else {
        item.end(
          .changedDuringRun,
          .open,
          "\(status.size) bytes, and its source said \(item.planned.status.size)"
        )
        return nil
      }
      return item.begin(withCopy: copy, status)
    } catch let failure as SourceFileFailure {
      item.end(failure.reason, .open, failure.detail)
    } catch let error as FileSystemError {
      item.end(error.isOutOfSpace ? .outOfSpace : .cannotOpen, .open, "\(error)")
    } catch {
      item.end(.cannotOpen, .open, "\(error)")
    }
    return nil
  }

  /// Returns why an item's open file must not be read, or nil.
  private func refusal(
    of item: ItemWork,
    _ status: FileStatus,
    in folder: Descriptor
  ) -> (ItemReason, String)? {
    if status.kind != .regular { return (.notRegularFile, "") }
    // The access record names device and inode: another file under this name has no record.
    if !status.isSameInode(as: item.planned.status) { return (.changedDuringRun, "") }
    if options.settle != nil, !status.isSameContent(as: item.planned.status) {
      return (.stillChanging, "")
    }
    if item.source.refusesHardLink(status, guardedDevices: guardedDevices()) {
      return (.hardLinked, "")
    }
    return refusalOfSize(of: item, status, in: folder)
  }

  private func refusalOfSize(
    of item: ItemWork,
    _ status: FileStatus,
    in folder: Descriptor
  ) -> (ItemReason, String)? {
    if status.size > item.limits.bytes {
      return (
        .overLimit,
        "\(status.size) bytes, and \"limits\": {\"bytes\"} allows \(item.limits.bytes)"
      )
    }
    if let limit = item.sidecarFormat?.byteLimit, status.size > limit {
      return (.overLimit, "\(status.size) bytes; sidecars may have \(limit)")
    }
    if item.stored == nil || isCopied(item),
      let free = room.lacking(for: status.storedBytes, onFileSystemOf: folder)
    {
      return (.outOfSpace, "\(status.storedBytes) bytes, and \(free) are free")
    }
    return nil
  }
}

/// The room that the library's file system has left, as far as it was asked for: small files do not use up much of it,
/// so the kernel is not asked for each.
private final class RoomEstimate {
  /// The least room that is left behind what was given away before the kernel is asked again, in bytes.
  private static let reserve: UInt64 = 1 << 28
  /// What an item takes beside its own bytes: its folder, and thumbnails.
  private static let share: UInt64 = 1 << 20
  private var left: UInt64 = 0

  /// Returns nil when there is room for a file, else the bytes that are free.
  func lacking(for bytes: Int64, onFileSystemOf folder: Descriptor) -> UInt64? {
    let wanted = UInt64(max(0, bytes)) + Self.share
    if left > wanted, left - wanted >= Self.reserve {
      left -= wanted
      return nil
    }
    guard let room = try? FileSystem.room(fileSystemOf: folder) else { return nil }
    left = room.bytes > wanted ? room.bytes - wanted : 0
    return UInt64(max(0, bytes)) > room.bytes ? room.bytes : nil
  }
}
