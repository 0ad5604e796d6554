internal import MediaSyntax

/// Writes the SHA-256 of files that decide into the text of a manifest, all else of which stays as it is.
package enum ManifestPins {
  /// Names files with their SHA-256.
  ///
  /// - Parameters:
  ///   - files: Those of the manifest, each with the SHA-256 that its file has now.
  ///   - bytes: The text of a manifest without a mistake.
  /// - Returns: The text with `{ "file": …, "sha256": … }` in the place of each of these paths.
  package static func adding(_ files: [DecidingFile], to bytes: [UInt8]) -> [UInt8] {
    guard let root = JSONParser.parse(bytes).root else { return bytes }
    var text = bytes
    let places = files.compactMap { file in
      file.key.split(separator: ".").dropFirst()
        .reduce(root as JSONNode?) { $0?[String($1)] }
        .map { (file: file, range: $0.range) }
    }
    // From the last one on, the places of the others stay.
    for (file, range) in places.sorted(by: { $0.range.lowerBound > $1.range.lowerBound }) {
      let value: (String) -> String = { String(decoding: JSONValue.string($0).serialized, as: UTF8.self) }
      let object = "{ \"file\": \(value(file.path)), \"sha256\": \(value(file.sha256 ?? "")) }"
      text.replaceSubrange(range, with: Array(object.utf8))
    }
    return text
  }
}
