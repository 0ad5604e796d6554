import MediaTestSupport
import Testing

extension Scene {
  /// The files of a folder that was made from the library, by their paths in it, with their SHA-256; a link
  /// counts as its file. The list that mediabatch keeps there is left out.
  func madeFiles(_ folder: String) throws -> [String: String] {
    let result = try Tool.run(
      "sh",
      [
        "-c",
        "cd \"$0\" && find -L . -type f ! -name .mediabatch-export -exec sha256sum {} +",
        at(folder),
      ]
    )
    try #require(result.status == 0, "\(result.error)")
    var files: [String: String] = [:]
    for line in result.output.split(separator: "\n") {
      files[String(line.dropFirst(68))] = String(line.prefix(64))
    }
    return files
  }

  /// The paths of such a folder in their order.
  func madePaths(_ folder: String) throws -> [String] { try madeFiles(folder).keys.sorted() }

  /// A scene whose library is imported from such a folder, as a person imports an export again.
  func importedAgain(_ folder: String, policy: String = "keep") throws -> Scene {
    let again = Scene(policy: policy)
    again.setThumbnails([])
    try again.declare("library")
    for path in try madePaths(folder) {
      try again.put("sources/library/" + path, copyOf: at(folder + "/" + path))
    }
    try again.run().expect(0)
    return again
  }
}
