package import MediaModel

/// A file of the camera that is about to be added to the photo library, byte for byte; flushed before it is.
package struct AuditAddition: RecordBody, Hashable {
  package static let events = [AuditEvent.added]

  package var source = SourceID.camera
  /// Below the source.
  package var path = ItemPath(bytes: [])
  /// The localIdentifier of the asset that it became.
  package var asset = ""
  /// Below the photo library; a name that was free when the record was written.
  package var addedPath = ItemPath(bytes: [])
  package var bytes = 0
  package var sourceDigest: SourceDigest?

  package init() {}

  package mutating func list(_ fields: inout RecordFields) {
    fields.source(&source)
    fields.needed("path", &path)
    fields.needed("asset", &asset)
    fields.needed("addedPath", &addedPath)
    fields.needed("bytes", &bytes)
    fields.digest(&sourceDigest)
    if sourceDigest == nil { fields.lacks() }
  }
}
