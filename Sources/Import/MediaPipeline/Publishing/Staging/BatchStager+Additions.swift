internal import MediaFileSystem
internal import MediaLibrary
package import MediaModel
internal import MediaSources

/// Captured files that are added to the photo library.
extension BatchStager {
  /// An item that has to be read again before the batch is staged, or has failed.
  package struct Reread {
    package var item: ItemWork
    /// The reason for which it has failed; nil when it is read again.
    package var failure: (reason: ItemReason, detail: String)?
  }

  /// Copies those files of a new asset that are added to the photo library.
  ///
  /// - Parameters:
  ///   - members: The items of the asset.
  ///   - isNew: Whether the asset, or its content, is new; otherwise only a half of a live photo that it
  ///     did not have is added.
  /// - Returns: The items that were copied, with their numbers of bytes; nil when one of them has to be
  ///   read again first.
  /// - Throws: `RunError` when nothing can be written into the photo library.
  mutating func copies(
    of members: [ItemWork],
    isNew: Bool
  ) throws -> [(item: ItemWork, bytes: Int64)]? {
    if case .off = adding { return [] }
    var copied: [(item: ItemWork, bytes: Int64)] = []
    for member in members where isCaptured(member, isNew: isNew) {
      guard let product = member.product else { continue }
      if product.output?.hasLostSound == true {
        notAdded.withoutSound += 1
        continue
      }
      guard case .allowed(let copier) = adding else {
        notAdded.refused += 1
        continue
      }
      do {
        copied.append((member, try copier.copy(member, product, in: batch)))
      } catch {
        var failed = Reread(item: member)
        switch error {
        case .changed: break
        case .refuted:
          failed.failure = (
            .workerProtocol, "the source file has another SHA-256 than the worker said"
          )
        case .outOfSpace(let cause):
          failed.failure = (
            .outOfSpace, "in the photo library: \(FileSystemError.text(cause.errno))"
          )
        case .run(let error): throw error
        }
        for other in members where result(of: other) == nil { settle(other, .held) }
        settle(member, .reread(failed))
        return nil
      }
    }
    return copied
  }

  /// Notes that the copies get names in the photo library once the asset is published.
  mutating func add(
    _ copies: [(item: ItemWork, bytes: Int64)],
    of asset: StagedAsset,
    _ facts: Facts
  ) {
    let day = facts.creationDate.map { String($0.beginning.prefix(10)) } ?? asset.saveTime.date
    for (item, bytes) in copies {
      additions.append(
        StagedAddition(
          source: item.source.id,
          path: item.planned.path,
          localIdentifier: asset.localIdentifier,
          incomingName: CaptureCopier.name(of: item, in: batch),
          date: day,
          bytes: bytes,
          sourceDigest: result(of: item)?.sourceDigest ?? [],
          isDigestKeyed: item.source.policy != .keep
        )
      )
    }
  }

  private func isCaptured(_ item: ItemWork, isNew: Bool) -> Bool {
    item.source.id.kind == .camera && item.product?.output != nil && !item.pending.isRewritten
      && item.pending.late?.isPublished != true && (isNew || item.pending.late != nil)
  }
}
