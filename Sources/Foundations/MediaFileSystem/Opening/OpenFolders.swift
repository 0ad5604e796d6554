/// Folders beneath others that were made and opened, so that the next file in one costs no call.
package struct OpenFolders: Sendable {
  /// The most that are open at once: with the rest of a run below ``DescriptorLimit/needed``.
  private static let limit = 32

  private var folders: [String: Descriptor] = [:]

  package init() {}

  /// Makes folders, one in the other, where they are missing, and opens the last.
  ///
  /// - Parameters:
  ///   - root: The folder around them.
  ///   - name: The name of `root`, which tells it from others.
  ///   - components: The names of the folders.
  /// - Returns: The last folder; without components, `root`.
  /// - Throws: ``FileSystemError`` when one can be neither made nor opened.
  package mutating func folder(
    in root: Descriptor,
    named name: String = "",
    _ components: [String]
  ) throws(FileSystemError) -> Descriptor {
    var path = name
    var folder = root
    for component in components {
      path += "/" + component
      if let opened = folders[path] {
        folder = opened
        continue
      }
      let component = [UInt8](component.utf8)
      folder = try FileSystem.openOrMakeFolder(in: folder, component, crossMounts: true)
      if folders.count >= Self.limit { folders.removeAll(keepingCapacity: true) }
      folders[path] = folder
    }
    return folder
  }
}
