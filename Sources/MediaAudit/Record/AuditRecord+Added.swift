package import MediaModel
internal import MediaSyntax

/// A file of the camera that is added to the photo library, byte for byte.
package struct AuditAddition: Sendable, Hashable {
  package var source: SourceKind
  /// Below the source.
  package var path: ItemPath
  /// The localIdentifier of the asset that it became.
  package var asset: String
  /// Below the photo library; a name that was free when the record was written.
  package var addedPath: ItemPath
  package var bytes: Int
  package var sourceDigest: SourceDigest

  package init(
    source: SourceKind,
    path: ItemPath,
    asset: String,
    addedPath: ItemPath,
    bytes: Int,
    sourceDigest: SourceDigest
  ) {
    self.source = source
    self.path = path
    self.asset = asset
    self.addedPath = addedPath
    self.bytes = bytes
    self.sourceDigest = sourceDigest
  }
}

extension AuditRecord {
  /// A file that is about to be added to the photo library; flushed before it is.
  package static func added(_ addition: AuditAddition) -> AuditRecord {
    AuditRecord(
      .added,
      [
        "source": .string(addition.source.rawValue), "path": path(addition.path),
        "asset": safe(addition.asset), "addedPath": path(addition.addedPath),
        "bytes": JSONValue(addition.bytes), "sourceSHA256": addition.sourceDigest.sha256,
        "sourceHMAC": addition.sourceDigest.hmac,
      ]
    )
  }
}
