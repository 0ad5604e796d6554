internal import MediaModel
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
      range(of: file.key, in: root, bytes).map { (file: file, range: $0) }
    }
    // From the last one on, the places of the others stay.
    for (file, range) in places.sorted(by: { $0.range.lowerBound > $1.range.lowerBound }) {
      let value: (String) -> String = { String(decoding: JSONValue.string($0).serialized, as: UTF8.self) }
      let object = "{ \"file\": \(value(file.path)), \"sha256\": \(value(file.sha256 ?? "")) }"
      text.replaceSubrange(range, with: Array(object.utf8))
    }
    return text
  }

  /// The bytes of the text or object under a key that a JSON path of plain words names.
  private static func range(of path: String, in root: JSONNode, _ bytes: [UInt8]) -> Range<Int>? {
    var node = root
    for name in path.split(separator: ".").dropFirst() {
      guard let value = node[String(name)] else { return nil }
      node = value
    }
    let start = offset(of: node.position, in: bytes)
    var (depth, isText) = (0, false)
    var index = start
    while index < bytes.count {
      let byte = bytes[index]
      index += 1
      if isText, byte == UInt8(ascii: "\\") {
        index += 1
      } else if byte == UInt8(ascii: "\"") {
        isText.toggle()
      } else if !isText, byte == UInt8(ascii: "{") {
        depth += 1
      } else if !isText, byte == UInt8(ascii: "}") {
        depth -= 1
      }
      if depth == 0, !isText { return start..<index }
    }
    return nil
  }

  /// Finds a position by the lines and columns that the parser counts: LF, CR and CR LF end a line.
  private static func offset(of position: TextPosition, in bytes: [UInt8]) -> Int {
    var (index, reached) = (0, TextPosition.start)
    while index < bytes.count, reached < position {
      let byte = bytes[index]
      index += 1
      let next = index < bytes.count ? bytes[index] : nil
      if byte == .newline || byte == UInt8(ascii: "\r") && next != .newline {
        reached = TextPosition(line: reached.line + 1, column: 1)
      } else if next.map({ $0 & 0xC0 != 0x80 }) ?? true {
        reached.column += 1
      }
    }
    return index
  }
}
