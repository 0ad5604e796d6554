/// A file beside a manifest that decides what the manifest does; one who signs the manifest names its SHA-256.
package struct DecidingFile: Sendable, Hashable {
  /// The key's JSON path, such as `$.labels.file`.
  package let key: String
  /// What it is called within a sentence.
  package let name: String
  /// As written.
  package let path: String
  /// The SHA-256 that it has to have, hexadecimal; nil where the manifest does not say it.
  package var sha256: String?
}

extension Manifest {
  /// Info.plist, labels and names of places, as far as the manifest names them. GPS tracks are none: they are named by
  /// patterns, and give places alone.
  package var decidingFiles: [DecidingFile] {
    let files = [
      ("$.infoPlist", "Info.plist", infoPlist, infoPlistSHA256),
      ("$.labels.file", "labels file", labels.file, labels.fileSHA256),
      ("$.places.data", "file of names of places", placeData, placeDataSHA256),
    ]
    return files.compactMap { key, name, path, sha256 in
      path.map { DecidingFile(key: key, name: name, path: $0, sha256: sha256) }
    }
  }
}
