internal import MediaAudit
internal import MediaModel
internal import MediaSyntax

/// A name in a record that is shown, or its digest.
enum OCSFName {
  case text(String)
  case digest(String)

  init?(_ value: JSONValue?) {
    switch value {
    case .string(let text)?: self = .text(text)
    case .object(let members)?:
      guard case .string(let digest)? = members["hmac"] else { return nil }
      self = .digest(digest)
    default: return nil
    }
  }

  var shown: String {
    switch self {
    case .text(let text): text
    case .digest(let digest): "hmac:" + digest
    }
  }

  /// The last part of a path.
  var name: String {
    guard case .text(let text) = self else { return shown }
    return text.split(separator: "/").last.map(String.init) ?? text
  }
}

/// A file or a folder as an event has it.
///
/// Source: the OCSF schema 1.5.0, objects `file` and `fingerprint`.
enum OCSFFile {
  static func folder(of source: String, _ folders: [String: OCSFName]) -> [String: JSONValue] {
    var file: [String: JSONValue] = [
      "name": .string(source), "type_id": 2, "type": "Folder",
    ]
    if let path = folders[source] { file["path"] = .string(path.shown) }
    return file
  }

  static func regular(_ path: OCSFName, below folder: OCSFName?) -> [String: JSONValue] {
    var shown = path.shown
    // A digest is of the whole name, so nothing can stand before it.
    if case .text(let above)? = folder, case .text(let below) = path, !below.hasPrefix("/") {
      shown = above + "/" + below
    }
    return [
      "name": .string(path.name), "path": .string(shown), "type_id": 1, "type": "Regular File",
    ]
  }

  /// The file of the library that a record names as its output; nil without one, or without its path.
  static func written(_ output: JSONValue?) -> [String: JSONValue]? {
    guard case .object(let members)? = output, let path = OCSFName(members["path"]) else {
      return nil
    }
    var file = regular(path, below: nil)
    file["size"] = members["bytes"]
    file["hashes"] = hashes(members["sha256"])
    return file
  }

  /// The only fingerprint of a file, of its SHA-256 in hexadecimal; nil without that.
  static func hashes(_ sha256: JSONValue?) -> JSONValue? {
    guard let digest = sha256?.text else { return nil }
    return [["algorithm_id": 3, "algorithm": "SHA-256", "value": .string(digest)]]
  }

  /// Device and inode, by which the kernel knows a file.
  static func identifier(_ members: [String: JSONValue]) -> JSONValue? {
    guard let device = members["device"]?.text, let inode = members["inode"]?.text else {
      return nil
    }
    return .string("\(device):\(inode)")
  }
}
