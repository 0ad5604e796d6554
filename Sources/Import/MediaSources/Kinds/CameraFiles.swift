internal import MediaCameras
internal import MediaFileSystem
internal import MediaListing
internal import MediaModel

/// The files of a camera, which a process of its own lists and copies.
final class CameraFiles {
  private let reader: CameraReader
  private let source: SourceID
  private let isInterrupted: () -> Bool
  /// As the camera has listed them, in the order of their paths.
  private var objects: [CameraObject] = []

  /// - Parameters:
  ///   - reader: The process, started before confinement.
  ///   - source: The source that the camera is.
  ///   - isInterrupted: Whether a person does not want to wait any longer.
  init(_ reader: CameraReader, _ source: SourceID, isInterrupted: @escaping () -> Bool) {
    self.reader = reader
    self.source = source
    self.isInterrupted = isInterrupted
  }

  /// Lists the camera's files.
  ///
  /// - Parameters:
  ///   - listed: Gets the files.
  ///   - checkAccess: Called while the camera is waited for.
  /// - Returns: What a person has to know.
  /// - Throws: `RunError` when the camera cannot be listed, and what `checkAccess` throws.
  func list(
    into listed: inout ListedItems,
    checkAccess: SourceListing.CheckAccess
  ) throws(RunError) -> [String] {
    try checkAccess()
    let listing: CameraReader.Listing
    var stop: RunError?
    do throws(CameraError) {
      listing = try reader.list {
        do throws(RunError) { try checkAccess() } catch { stop = error }
        return stop != nil || isInterrupted()
      }
    } catch {
      if let stop { throw stop }
      throw RunError(
        error.code == .interrupted ? .interrupted : .sourceUnavailable,
        "The \(source.displayName) (\(reader.device.name)) cannot be read: \(error). \(error.advice)"
      )
    }
    objects = listing.objects
    let device = Self.number(reader.device.identity)
    for object in objects {
      listed.append(
        ListedItem(
          path: object.path,
          // A camera has no inodes: itself, path, size and time tell whether a file is the same.
          status: FileStatus(
            kind: .regular,
            device: device,
            inode: Self.number(object.path.bytes),
            size: object.size ?? Int64(UInt32.max),
            modified: object.modified,
            changed: object.modified,
            linkCount: 1
          )
        )
      )
    }
    if listing.unlistedCount == 0 { return [] }
    return [
      Quantity.text(listing.unlistedCount, "file") + " or folders of the \(source.displayName) "
        + (listing.unlistedCount == 1 ? "was" : "were")
        + " left out: the camera gave no usable name, or no answer about them."
    ]
  }

  func copy(_ path: ItemPath, into copy: Descriptor) throws(SourceFileFailure) {
    guard let object = object(path) else {
      throw SourceFileFailure(reason: .identifierNotFound, detail: "the camera has not listed it")
    }
    guard object.size != nil else {
      throw SourceFileFailure(
        reason: .cannotRead,
        detail: "the camera does not tell the size of a file of 4 GiB or more; copy it to a folder"
      )
    }
    do throws(CameraError) {
      try reader.copy(object, into: copy, isInterrupted: isInterrupted)
    } catch {
      let reason: ItemReason =
        switch error.code {
        case .sizeDiffers, .objectGone: .changedDuringRun
        case .tooLarge: .overLimit
        case .cannotWrite: .outOfSpace
        default: .cannotRead
        }
      throw SourceFileFailure(reason: reason, detail: error.description)
    }
  }

  /// A number for bytes that is the same in every run, of 52 bits as logs and other readers of JSON take them,
  /// and larger than any of a file system here. Source: FNV-1a.
  private static func number(_ bytes: [UInt8]) -> UInt64 {
    let hash = bytes.reduce(0xcbf2_9ce4_8422_2325 as UInt64) { hash, byte in
      (hash ^ UInt64(byte)) &* 0x100_0000_01b3
    }
    return hash >> 13 | 1 << 51
  }

  private func object(_ path: ItemPath) -> CameraObject? {
    var range = objects.indices
    while !range.isEmpty {
      let middle = range.lowerBound + range.count / 2
      if objects[middle].path == path { return objects[middle] }
      range =
        objects[middle].path < path ? middle + 1..<range.upperBound : range.lowerBound..<middle
    }
    return nil
  }
}
