internal import MediaAudit
internal import MediaModel
internal import MediaSyntax

/// A file or a folder as an event has it.
///
/// Source: the OCSF schema 1.5.0, objects `file` and `fingerprint`.
enum OCSFFile {
  static func folder(of source: SourceID, at path: ItemPath?) -> [String: JSONValue] {
    var file: [String: JSONValue] = [
      "name": .string(source.name), "type_id": 2, "type": "Folder",
    ]
    if let path { file["path"] = .string(path.text) }
    return file
  }

  static func regular(_ path: ItemPath, below folder: ItemPath? = nil) -> [String: JSONValue] {
    let name = path.text
    var shown = name
    // Where names of folders are digests, those of files are: of the whole path, so that nothing can stand before it.
    if let folder = folder?.text, !folder.hasPrefix(ShownRecord.hiddenPrefix), !name.hasPrefix("/") {
      shown = folder + "/" + name
    }
    return [
      "name": .string(name.split(separator: "/").last.map(String.init) ?? name),
      "path": .string(shown), "type_id": 1, "type": "Regular File",
    ]
  }

  /// The file of the library that a record names as its output.
  static func written(_ output: OutputFile) -> [String: JSONValue] {
    var file = regular(output.path)
    file["size"] = JSONValue(output.bytes)
    file["hashes"] = hashes(output.sha256)
    return file
  }

  /// The only fingerprint of a file, of its SHA-256 in hexadecimal.
  static func hashes(_ sha256: String) -> JSONValue {
    [["algorithm_id": 3, "algorithm": "SHA-256", "value": .string(sha256)]]
  }

  /// The fingerprint of a source's file; nil for a keyed digest, which is none.
  static func hashes(_ digest: SourceDigest?) -> JSONValue? {
    guard let digest, !digest.isKeyed else { return nil }
    return hashes(Hexadecimal.text(digest.bytes))
  }

  /// Device and inode, by which the kernel knows a file.
  static func identifier(_ device: UInt64, _ inode: UInt64) -> JSONValue {
    .string("\(device):\(inode)")
  }
}
