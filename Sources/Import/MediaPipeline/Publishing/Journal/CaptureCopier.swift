internal import MediaFileSystem
internal import MediaLibrary
internal import MediaModel
internal import MediaSources
internal import MediaWorkerProtocol

/// Whether captured files are added to the photo library.
package enum CaptureAdding {
  /// The manifest does not ask for it.
  case off
  /// The manifest asks for it, and it is refused or the photo library is not there.
  case refused
  case allowed(CaptureCopier)
}

/// Copies captured files to where they wait for their names in the photo library.
package struct CaptureCopier {
  enum Failure: Error {
    /// The source file is not what was read before.
    case changed
    /// The bytes are not those that the worker told of.
    case refuted
    case outOfSpace(FileSystemError)
    case run(RunError)
  }

  let folder: PhotoLibraryFolder

  package init(folder: PhotoLibraryFolder) { self.folder = folder }

  /// The name of an item's copy; no other item of the library has it.
  static func name(of item: ItemWork, in batch: BatchWork) -> [UInt8] {
    Array("\(batch.identifier)-\(item.index)".utf8)
  }

  /// Copies an item's source file, whose digest is the one that the worker told.
  ///
  /// - Returns: The number of bytes.
  func copy(
    _ item: ItemWork,
    _ product: ItemWork.Product,
    in batch: BatchWork
  ) throws(Failure) -> Int64 {
    let name = Self.name(of: item, in: batch)
    let length = UInt64(max(0, item.planned.status.size))
    let hashing = OutputHashing()
    do {
      try folder.remove(name)
      let copy = try OutputAssembler(
        source: product.file,
        length: length,
        folder: folder.incoming,
        fileName: String(decoding: name, as: UTF8.self)
      )
      if length > 0 { try copy.append([.copy(offset: 0, length: length)]) }
      while copy.hasWork {
        guard try copy.work(through: hashing) else { throw Failure.changed }
      }
      let digest = copy.finish(hashing)
      guard try item.isAsOpened(product.file) else {
        throw Failure.changed
      }
      guard digest == product.claim.digest else { throw Failure.refuted }
      return copy.bytes
    } catch let error as Failure {
      throw error
    } catch OutputAssembler.Failure.reading(let error) {
      throw .run(RunError(.cannotRead, "\(error)"))
    } catch OutputAssembler.Failure.writing(let error) {
      throw error.isOutOfSpace ? .outOfSpace(error) : .run(RunError(addingFailed: error))
    } catch let error as FileSystemError {
      throw error.isOutOfSpace ? .outOfSpace(error) : .run(RunError(addingFailed: error))
    } catch {
      throw .run(RunError(wrapping: error))
    }
  }
}

extension RunError {
  /// Wraps the failure to write into the photo library.
  init(addingFailed error: FileSystemError) {
    self.init(
      .cannotWrite,
      "Nothing more is added to the photo library: \(error). What is published in the library stays. Correct "
        + "what is wrong there, then run again: it adds what is left."
    )
  }
}
