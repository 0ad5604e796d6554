package import MediaFileSystem
package import MediaListing
internal import MediaModel
internal import MediaSyntax

/// A listing that `rclone lsjson -R` has made of object storage, in the place of a local folder.
///
/// The times of objects are not used: copying does not keep them everywhere.
package enum RcloneListing {
  /// Reads a listing, with or without `--hash`.
  ///
  /// - Parameter file: A file with one array; one object a line, as rclone writes it.
  /// - Returns: The files in the order of the paths' bytes, without numbers.
  /// - Throws: ``ShardingError``, 78.
  package static func read(_ file: Descriptor) throws(ShardingError) -> [AssignedItem] {
    let bytes: [UInt8]
    do {
      bytes = try FileSystem.readSmallFile(file, limit: .max)
    } catch {
      throw ShardingError(.manifestMistake, "The listing cannot be read: \(error).")
    }
    var items: [AssignedItem] = []
    var number = 0
    var isBegun = false
    var isEnded = false
    for line in bytes.split(separator: UInt8.newline) {
      number += 1
      var line = line
      while let last = line.last, [UInt8.comma, UInt8.space, 13].contains(last) {
        line.removeLast()
      }
      if line.isEmpty { continue }
      if !isBegun, line.elementsEqual("[".utf8) || line.elementsEqual("[]".utf8) {
        (isBegun, isEnded) = (true, line.count == 2)
        continue
      }
      if isBegun, !isEnded, line.elementsEqual("]".utf8) {
        isEnded = true
        continue
      }
      guard isBegun, !isEnded,
        let object = JSONParser.parse(Array(line)).root.flatMap(ListedObject.init)
      else {
        throw ShardingError(
          .manifestMistake,
          "Line \(number) of the listing is no object with a relative \"Path\". Make the listing with "
            + "`rclone lsjson -R --files-only --hash`."
        )
      }
      if let item = object.item { items.append(item) }
    }
    guard isEnded else {
      throw ShardingError(
        .manifestMistake,
        "The listing is cut off: its last line is not \"]\". Make it again."
      )
    }
    items.sort { $0.path < $1.path }
    try check(items)
    return items
  }

  /// Checks that the files of a listing, in the order of their paths, can lie in one local folder.
  private static func check(_ items: [AssignedItem]) throws(ShardingError) {
    let paths = Set(items.map(\.path))
    for (item, next) in zip(items, items.dropFirst()) where item.path == next.path {
      throw ShardingError(
        .manifestMistake,
        "The listing has \"\(item.path.text)\" twice. List a place whose names are unique."
      )
    }
    for item in items {
      var folder = ItemPath(bytes: Array(item.path.folder))
      while !folder.bytes.isEmpty {
        guard !paths.contains(folder) else {
          throw ShardingError(
            .manifestMistake,
            "The listing has \"\(folder.text)\" as a file and as a folder, which no local folder can hold."
          )
        }
        folder = ItemPath(bytes: Array(folder.folder))
      }
    }
  }
}

/// An object of a listing.
private struct ListedObject {
  /// Nil for a folder.
  let item: AssignedItem?

  init?(_ node: JSONNode) {
    guard case .object(let members) = node.value else { return nil }
    func member(_ name: String) -> JSONNode.Value? {
      members.first { $0.isNamed(name) }?.value.value
    }
    guard case .string(let path)? = member("Path"), !path.isEmpty else { return nil }
    if case .bool(true)? = member("IsDir") {
      item = nil
      return
    }
    let bytes = Array(path.utf8)
    // Nothing outside the source is meant, and nothing that is no file's path.
    let parts = bytes.split(separator: UInt8.slash, omittingEmptySubsequences: false)
    guard
      parts.allSatisfy({ part in
        !part.isEmpty && !part.elementsEqual(".".utf8) && !part.elementsEqual("..".utf8)
          && !part.contains(0) && !part.contains(UInt8.newline)
      })
    else { return nil }
    var size: Int64?
    if case .number(let integer?)? = member("Size") { size = Int64(integer) }
    var digest: ExpectedDigest?
    if case .object(let hashes)? = member("Hashes") {
      func hash(_ name: String, _ count: Int) -> [UInt8]? {
        guard case .string(let text)? = hashes.first(where: { $0.isNamed(name) })?.value.value,
          let bytes = Hexadecimal.bytes(text), bytes.count == count
        else { return nil }
        return bytes
      }
      digest =
        hash("sha256", 32).map { .sha256($0) } ?? hash("sha1", 20).map { .sha1($0) }
        ?? hash("md5", 16).map { .md5($0) }
    }
    item = AssignedItem(
      path: ItemPath(bytes: bytes),
      size: size.flatMap { $0 >= 0 ? $0 : nil },
      modified: nil,
      number: 0,
      digest: digest
    )
  }
}
