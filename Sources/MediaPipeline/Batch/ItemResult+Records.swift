internal import MediaAudit
internal import MediaLibrary
internal import MediaModel

extension ItemEvent {
  /// Makes the event of an item's outcome; its label is not known here.
  init(_ result: ItemResult) {
    self.init(source: result.item.source, sourcePath: result.item.path, outcome: result.outcome)
    reason = result.reason
    step = result.step
    failedFormat = result.failedFormat
    detail = result.message ?? ""
    localIdentifier = result.localIdentifier
    role = result.role
    path = result.outputPath
    bytes = result.outputBytes
    sha256 = result.outputSHA256
    thumbnails = result.thumbnails.map { thumbnail in
      Thumbnail(
        name: thumbnail.name,
        path: thumbnail.publishedPath,
        size: thumbnail.size,
        bytes: thumbnail.bytes,
        sha256: thumbnail.sha256
      )
    }
    degraded = result.degraded
    restoredPath = result.restored?.path
    olderVersion = result.olderVersion
    replaces = result.replaces
  }
}

extension AuditOutcome {
  /// Makes the record of an item's outcome.
  init(_ result: ItemResult, recovered: Bool) {
    self.init(source: result.item.source, path: result.item.path, outcome: result.outcome)
    reason = result.reason
    step = result.step
    format = result.failedFormat
    asset = result.localIdentifier
    role = result.role
    if let path = result.outputPath, let sha256 = result.outputSHA256 {
      output = AuditOutput(
        path: ItemPath(bytes: [UInt8](path.utf8)),
        sha256: sha256,
        bytes: Int(result.outputBytes ?? 0)
      )
    }
    sourceDigest = result.sourceDigest.map { bytes in
      let text = Hexadecimal.text(bytes)
      return result.policy == .keep ? .sha256(text) : .hmac(text)
    }
    metadataPolicy = result.policy
    removed = result.removed
    for thumbnail in result.thumbnails {
      thumbnails[thumbnail.name] = AuditOutput(
        path: ItemPath(bytes: [UInt8](thumbnail.publishedPath.utf8)),
        sha256: thumbnail.sha256,
        bytes: Int(thumbnail.bytes),
        pixelSize: thumbnail.size
      )
    }
    contentDigest = result.contentDigest.map { Hexadecimal.text($0) }
    burstDigest = result.burstDigest.map { Hexadecimal.text($0) }
    isAgain = result.isAgain ?? false
    degraded = result.degraded
    olderVersion = result.olderVersion
    replaces = result.replaces
    self.recovered = recovered
  }
}
