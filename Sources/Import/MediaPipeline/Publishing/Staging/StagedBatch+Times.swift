internal import MediaFileSystem
internal import MediaLibrary
internal import MediaModel
package import MediaSandbox
internal import MediaSources

extension StagedBatch {
  /// The staged originals that get another modification time than that of saving: under `keep` the
  /// source file's, under `strip` the creation date if `except` keeps it.
  package func times(of batch: BatchWork) -> [FileTimes.Entry] {
    var modified: [ItemPath: [SourceID: Int64]] = [:]
    for item in batch.items where !item.source.policy.strips {
      modified[item.planned.path, default: [:]][item.source.id] = item.planned.status.modified
    }
    let folder = [UInt8]("\(batch.identifier)/".utf8)
    var entries: [FileTimes.Entry] = []
    for asset in assets where !asset.isKnown || asset.restoredFolder != nil {
      for resource in asset.resources {
        let time =
          asset.policy == .keep
          ? modified[resource.sourcePath]?[resource.source]
          : asset.facts.creationDate?.nanosecondsSince1970
        guard let time else { continue }
        let path = folder + [UInt8]("\(asset.stagedName)/\(resource.fileName)".utf8)
        entries.append(FileTimes.Entry(path: path, nanoseconds: time))
      }
    }
    return entries
  }
}
