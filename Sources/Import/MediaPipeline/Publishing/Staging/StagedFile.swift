internal import MediaDigest
package import MediaFileSystem
internal import MediaLibrary
package import MediaModel

/// Files of an item in the staging folder of its batch.
package enum StagedFile {
  /// The bytes from which on a file is written out before its batch is flushed.
  ///
  /// For a smaller one the call takes longer than the flush gains by it.
  static let smallestWriteOut = 1 << 18

  /// Writes a thumbnail's bytes.
  package static func write(
    _ bytes: [UInt8],
    of item: ItemWork,
    _ spec: ThumbnailSpec,
    _ size: PixelSize,
    _ hashes: PictureHashes?,
    in batch: BatchWork
  ) throws(FileSystemError) -> ItemWork.Thumbnail {
    let name = "\(item.stagedName).\(spec.name)"
    let file = try FileSystem.createFile(in: batch.folder, [UInt8](name.utf8))
    try file.write(bytes)
    if bytes.count >= smallestWriteOut { file.startWriteOut() }
    return ItemWork.Thumbnail(
      spec: spec,
      size: size,
      stagedName: name,
      bytes: Int64(bytes.count),
      sha256: Hexadecimal.text(SHA256.hash(bytes)),
      hashes: hashes
    )
  }

  /// Removes all files of an item from staging.
  package static func discard(_ item: ItemWork, in batch: BatchWork) throws(FileSystemError) {
    let (thumbnails, hasOutput): ([ItemWork.Thumbnail], Bool)
    switch item.state {
    case .waiting, .read, .ended, .compared, .refused: return
    case .sent(let attempt): (thumbnails, hasOutput) = (attempt.thumbnails, attempt.output != nil)
    case .ready(let product): (thumbnails, hasOutput) = (product.thumbnails, product.output != nil)
    }
    for thumbnail in thumbnails {
      try FileSystem.removeFile(in: batch.folder, [UInt8](thumbnail.stagedName.utf8))
    }
    if !hasOutput { return }
    let name = [UInt8](item.stagedName.utf8)
    do {
      let folder = try FileSystem.openForReading(
        beneath: batch.folder,
        name,
        crossMounts: true,
        isFolder: true
      )
      try FileSystem.empty(folder)
    } catch  where error.isMissing {
      return
    }
    try FileSystem.removeFolder(in: batch.folder, name)
  }
}
