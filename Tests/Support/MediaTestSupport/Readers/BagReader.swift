internal import Foundation

/// Bags, as bagit from PyPI reads them, which `make test-readers` installs.
package enum BagReader {
  /// Whether it is installed; without it no bag is validated.
  package static let isThere = (try? run([]))?.status == 0

  /// What bagit says against a bag; nil of a valid one, and where bagit is not installed.
  ///
  /// - Throws: An error when it cannot be started.
  package static func complaint(about folder: String) throws -> String? {
    guard isThere else { return nil }
    let result = try run([folder])
    return result.status == 0 ? nil : "\(folder): \(result.output)\(result.error)"
  }

  /// The same of the folder of a command of mediabatch that has made a bag; nil of any other command.
  package static func complaint(
    aboutBagOf arguments: [String],
    status: Int32,
    in folder: String
  ) throws -> String? {
    // Behind 3 a bag lacks files, and is one all the same.
    guard isThere, [0, 3].contains(status), arguments.first == "export",
      arguments.contains("--bag"), arguments.count > 2
    else { return nil }
    let path = URL(
      fileURLWithPath: arguments[2],
      relativeTo: URL(fileURLWithPath: folder, isDirectory: true)
    ).path
    // No folder is made of a selection that leads to no asset.
    return FileManager.default.fileExists(atPath: path) ? try complaint(about: path) : nil
  }

  private static func run(_ arguments: [String]) throws -> Tool.Result {
    let project = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("../../../..")
    func path(_ name: String) -> String {
      project.appendingPathComponent(name).standardized.path
    }
    return try Tool.run(path(".build/readers/bin/python"), [path("Tests/Readers/bag.py")] + arguments)
  }
}
